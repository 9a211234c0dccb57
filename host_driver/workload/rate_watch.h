// SPDX-License-Identifier: Apache-2.0
//
// RateWatch: rate_min= and rate_iops_min= of one job: has a direction fallen below the least rate?
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_RATE_WATCH_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_RATE_WATCH_H_

#include <array>
#include <cstdint>

#include "host_driver/base/clock.h"
#include "host_driver/workload/job_spec.h"

namespace nvmearb::host {

/// fio's rule: nothing is demanded in the first two seconds; from then on the rate over each
/// rate_cycle is looked at when an I/O completes behind its end.
class RateWatch {
 public:
  explicit RateWatch(const JobSpec& spec)
      : least_bytes_(spec.rate_min_bytes_per_s),
        least_ios_(spec.rate_min_iops),
        cycle_(spec.rate_cycle_ms * kMs) {
    for (std::size_t d = 0; d < kDirCount; ++d) {
      active_ = active_ || least_bytes_[d] != 0 || least_ios_[d] != 0;
    }
  }

  [[nodiscard]] bool active() const { return active_; }

  /// The job began, or begins to count, at `now`.
  void Restart(TimePs now) {
    settled_ = now + kSettle;
    sums_ = {};
  }

  /// An I/O of `bytes` completed at `now`. False: its direction was too slow in the last cycle.
  [[nodiscard]] bool Count(int direction, std::uint32_t bytes, TimePs now) {
    const auto d = static_cast<std::size_t>(direction);
    Sum& sum = sums_[d];
    if (sum.begin == 0 && now >= settled_) {
      sum = {now, 0, 0};
      return true;
    }
    if (sum.begin == 0) return true;
    sum.bytes += bytes;
    ++sum.ios;
    const TimePs spent = now - sum.begin;
    if (spent < cycle_) return true;
    const bool enough =
        Rate(sum.bytes, spent) >= least_bytes_[d] && Rate(sum.ios, spent) >= least_ios_[d];
    sum = {now, 0, 0};
    return enough;
  }

 private:
  static constexpr TimePs kSettle = 2 * kSec;
  struct Sum {
    TimePs begin = 0;  ///< 0: no cycle has begun
    std::uint64_t bytes = 0;
    std::uint64_t ios = 0;
  };
  static std::uint64_t Rate(std::uint64_t amount, TimePs time) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(amount) * kSec / time);
  }

  std::array<std::uint64_t, kDirCount> least_bytes_;
  std::array<std::uint64_t, kDirCount> least_ios_;
  std::array<Sum, kDirCount> sums_{};
  TimePs cycle_;
  TimePs settled_ = 0;
  bool active_ = false;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_RATE_WATCH_H_
