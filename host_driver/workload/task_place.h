// SPDX-License-Identifier: Apache-2.0
//
// TaskPlace: the CPU that a task runs on, and how the host's balancer moves it.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_TASK_PLACE_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_TASK_PLACE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "host_driver/base/clock.h"
#include "nvme/base/random.h"

namespace nvmearb::host {

/// Tasks on each CPU of the host.
using TasksPerCpu = std::vector<std::uint32_t>;

/// A task stays on a CPU for a random time, uniform between nothing and twice `mean_stay`, and then
/// goes to one of `cpus` at random: one without a task if there is any. With `mean_stay` 0, or a
/// single CPU, it stays on `first_cpu`; otherwise it begins on a random one, too.
///
/// What it stands for: a kernel that finds an idle CPU for a task at its wake-ups. Which CPU that
/// is decides which submission queue the task's I/O takes, and so who shares one.
class TaskPlace {
 public:
  /// `tasks` is shared by all tasks of the host, outlives this, and has every CPU of `cpus`.
  TaskPlace(std::uint16_t first_cpu, std::vector<std::uint16_t> cpus, TimePs mean_stay,
            const base::Random& random, TasksPerCpu* tasks)
      : cpus_(std::move(cpus)),
        mean_stay_(mean_stay),
        random_(random),
        tasks_(tasks),
        cpu_(first_cpu) {
    ++(*tasks_)[cpu_];
    if (mean_stay_ != 0 && cpus_.size() > 1) Move(0);
  }

  [[nodiscard]] std::uint16_t cpu() const { return cpu_; }

  /// The task is at a place where it could be moved. `now` never goes back.
  void MayMove(TimePs now) {
    if (now >= next_move_) Move(now);
  }

 private:
  void Move(TimePs now) {
    --(*tasks_)[cpu_];
    std::uint64_t idle_count = 0;
    for (const std::uint16_t cpu : cpus_) idle_count += (*tasks_)[cpu] == 0 ? 1 : 0;
    std::uint64_t turn = random_.Below(idle_count == 0 ? cpus_.size() : idle_count);
    for (const std::uint16_t cpu : cpus_) {
      if (idle_count != 0 && (*tasks_)[cpu] != 0) continue;
      cpu_ = cpu;
      if (turn-- == 0) break;
    }
    ++(*tasks_)[cpu_];
    next_move_ = now + random_.InRange(1, 2 * mean_stay_);
  }

  std::vector<std::uint16_t> cpus_;
  TimePs mean_stay_;
  base::Random random_;
  TasksPerCpu* tasks_;
  std::uint16_t cpu_;
  TimePs next_move_ = ~TimePs{0};
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_TASK_PLACE_H_
