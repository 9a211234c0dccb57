// SPDX-License-Identifier: Apache-2.0
//
// LatencyHistogram: counts of latencies in buckets of the same edges as fio's (FIO_IO_U_PLAT_BITS
// 6, FIO_IO_U_PLAT_GROUP_NR 29), so that percentiles and json+ bins are comparable number by
// number.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_LATENCY_HISTOGRAM_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_LATENCY_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nvmearb::host {

/// Buckets of one nanosecond below 128 ns, then 64 per octave: a bucket is never wider than 1/64 of
/// its lower edge. Values from 2^34 ns (17 s) on share the last bucket. Empty (no memory) until
/// Enable(); Add() on a histogram that is not enabled does nothing.
class LatencyHistogram {
 public:
  static constexpr unsigned kBits = 6;
  static constexpr unsigned kPerOctave = 1u << kBits;
  static constexpr unsigned kBucketCount = 29 * kPerOctave;

  void Enable() { counts_.assign(kBucketCount, 0); }
  [[nodiscard]] bool enabled() const { return !counts_.empty(); }

  void Add(std::uint64_t ns) {
    if (!counts_.empty()) ++counts_[IndexOf(ns)];
  }

  /// Adds the counts of `other`; enables this one if needed.
  void Merge(const LatencyHistogram& other);
  void Clear();

  /// Count of one bucket; index < kBucketCount.
  [[nodiscard]] std::uint64_t CountAt(unsigned index) const {
    return counts_.empty() ? 0 : counts_[index];
  }
  [[nodiscard]] std::uint64_t Total() const;

  /// Value at each of `percents` (ascending, 0 < p <= 100): the representative value of the first
  /// bucket at which at least p percent of the samples are counted. Zeros without samples.
  [[nodiscard]] std::vector<std::uint64_t> Percentiles(const std::vector<double>& percents) const;

  /// Bucket of a latency.
  static unsigned IndexOf(std::uint64_t ns) {
    if (ns < 2 * kPerOctave) return static_cast<unsigned>(ns);
    const unsigned shift = 63u - static_cast<unsigned>(__builtin_clzll(ns)) - kBits;
    const unsigned index =
        ((shift + 1) << kBits) + static_cast<unsigned>((ns >> shift) & (kPerOctave - 1));
    return index < kBucketCount ? index : kBucketCount - 1;
  }

  /// The value that stands for a bucket: its middle.
  static std::uint64_t ValueOf(unsigned index);

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_LATENCY_HISTOGRAM_H_
