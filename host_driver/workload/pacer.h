// SPDX-License-Identifier: Apache-2.0
//
// Pacer: rate= and rate_iops= of one job, by fio's rule: the next I/O of a direction may start when
// the bytes already issued in it would have been through at the rate asked for.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_PACER_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_PACER_H_

#include <array>
#include <cstdint>

#include "host_driver/base/clock.h"
#include "host_driver/workload/job_spec.h"
#include "nvme/base/random.h"

namespace nvmearb::host {

class Pacer {
 public:
  Pacer(const JobSpec& spec, std::uint64_t seed, std::uint64_t stream);

  [[nodiscard]] bool active() const { return active_; }

  /// Pacing starts (again) at `now`.
  void Restart(TimePs now);

  /// Earliest time for the next I/O of a direction; 0 without a rate for it.
  [[nodiscard]] TimePs NextTime(int direction) const {
    return next_[static_cast<std::size_t>(direction)];
  }

  /// What is due comes later by this (rate_ignore_thinktime).
  void Delay(TimePs time);

  /// An I/O of `bytes` was issued.
  void CountIssue(int direction, std::uint32_t bytes);

 private:
  std::array<std::uint64_t, kDirCount>
      bytes_per_s_{};  // rate_iops counts in blocks of the first bs
  std::array<std::uint64_t, kDirCount> issued_bytes_{};
  std::array<TimePs, kDirCount> next_{};
  std::array<double, kDirCount> mean_gap_ps_{};  // poisson: mean time between I/Os
  base::Random random_;
  TimePs origin_ = 0;
  bool active_ = false;
  bool poisson_ = false;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_PACER_H_
