// SPDX-License-Identifier: Apache-2.0
//
// CpuTime: the time of each CPU, given to the tasks on it first come, first served, in pieces that
// are not interrupted.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_CPU_TIME_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_CPU_TIME_H_

#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"

namespace nvmearb::host {

class CpuTime {
 public:
  explicit CpuTime(unsigned cpu_count) : free_from_(cpu_count, 0) {}

  /// `cost` of `cpu`'s time, from `from` or from when the CPU is free; returns when it is done.
  TimePs Take(std::uint16_t cpu, TimePs from, TimePs cost) {
    TimePs& free_from = free_from_[cpu];
    free_from = (from > free_from ? from : free_from) + cost;
    return free_from;
  }

 private:
  std::vector<TimePs> free_from_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_CPU_TIME_H_
