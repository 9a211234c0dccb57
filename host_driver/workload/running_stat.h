// SPDX-License-Identifier: Apache-2.0
//
// RunningStat: minimum, maximum, mean and standard deviation of integers, from exact integer sums:
// the same samples in any order give the same digits. RateStat: the same for the few samples of a
// bandwidth or IOPS window.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_RUNNING_STAT_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_RUNNING_STAT_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nvmearb::host {

/// Samples below 2^40 (18 minutes in ns), up to 2^40 of them.
class RunningStat {
 public:
  void Add(std::uint64_t value) {
    ++count_;
    sum_ += value;
    sum_of_squares_ += static_cast<unsigned __int128>(value) * value;
    min_ = value < min_ ? value : min_;
    max_ = value > max_ ? value : max_;
  }

  void Merge(const RunningStat& other) {
    count_ += other.count_;
    sum_ += other.sum_;
    sum_of_squares_ += other.sum_of_squares_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const { return max_; }
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }

  /// Of the sample (divided by n - 1), as fio's; 0 below two samples.
  [[nodiscard]] double stddev() const {
    if (count_ < 2) return 0.0;
    // Sum of squares about the whole part of the mean is exact in 128 bits; what is left over of
    // the mean is below 1 and safe in doubles.
    const std::uint64_t base = sum_ / count_;
    const std::uint64_t rest = sum_ % count_;
    const unsigned __int128 about_base =
        sum_of_squares_ - static_cast<unsigned __int128>(base) * (sum_ + rest);
    const double n = static_cast<double>(count_);
    const double correction = static_cast<double>(rest) / n * static_cast<double>(rest);
    const double squares = static_cast<double>(about_base) - correction;
    return squares <= 0 ? 0.0 : std::sqrt(squares / (n - 1));
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  unsigned __int128 sum_of_squares_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
};

/// Samples of a rate, one per window. MergeParallel() joins the windows of jobs that run side by
/// side the way fio's group_reporting does: rates add up.
struct RateStat {
  std::uint64_t samples = 0;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double mean = 0;
  double squares = 0;  ///< sum of squares about the mean

  void Add(std::uint64_t value) {
    min = samples == 0 ? value : std::min(min, value);
    max = std::max(max, value);
    ++samples;
    const double delta = static_cast<double>(value) - mean;
    mean += delta / static_cast<double>(samples);
    squares += delta * (static_cast<double>(value) - mean);
  }

  void MergeParallel(const RateStat& other) {
    samples += other.samples;
    min += other.min;
    max += other.max;
    mean += other.mean;
    squares += other.squares;
  }

  [[nodiscard]] double stddev() const {
    return samples < 2 ? 0.0 : std::sqrt(squares / (static_cast<double>(samples) - 1));
  }
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_RUNNING_STAT_H_
