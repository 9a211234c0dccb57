// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/latency_histogram.h"

#include <algorithm>

namespace nvmearb::host {

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  if (!other.enabled()) return;
  if (!enabled()) Enable();
  for (unsigned i = 0; i < kBucketCount; ++i) counts_[i] += other.counts_[i];
}

void LatencyHistogram::Clear() { std::fill(counts_.begin(), counts_.end(), 0); }

std::uint64_t LatencyHistogram::Total() const {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts_) total += count;
  return total;
}

std::vector<std::uint64_t> LatencyHistogram::Percentiles(
    const std::vector<double>& percents) const {
  std::vector<std::uint64_t> values(percents.size(), 0);
  const double total = static_cast<double>(Total());
  if (total == 0) return values;
  std::size_t next = 0;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < kBucketCount && next < percents.size(); ++i) {
    sum += counts_[i];
    while (next < percents.size() && static_cast<double>(sum) >= percents[next] / 100.0 * total) {
      values[next++] = ValueOf(i);
    }
  }
  return values;
}

std::uint64_t LatencyHistogram::ValueOf(unsigned index) {
  if (index < 2 * kPerOctave) return index;
  const unsigned shift = (index >> kBits) - 1;
  const std::uint64_t low = (std::uint64_t{kPerOctave} + index % kPerOctave) << shift;
  return low + ((std::uint64_t{1} << shift) >> 1);
}

}  // namespace nvmearb::host
