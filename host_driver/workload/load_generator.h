// SPDX-License-Identifier: Apache-2.0
//
// LoadGenerator: what makes I/O on the simulated host: a Runner (fio jobs) or a trace replay.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_LOAD_GENERATOR_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_LOAD_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/workload/job_spec.h"
#include "host_driver/workload/job_stats.h"

namespace nvmearb::host {

/// CPU work of the submitting task per I/O, in ns; the driver's interrupt work is not in here.
struct WorkloadCosts {
  std::uint32_t submit_ns = 1500;
  std::uint32_t reap_ns = 1500;
  /// Share of that work that is reported as usr_cpu; the rest is sys_cpu. fio with libaio on a fast
  /// drive spends about a fifth of its time in user space.
  std::uint32_t user_percent = 20;
  /// Mean time that a job stays on a CPU before it is moved to another of its cpus_allowed; 0: it
  /// stays where it began (task_place.h).
  TimePs mean_stay = 0;
};

/// Results of one job (one clone) or one stream of a trace. Times are zero where they do not apply.
struct JobResult {
  const JobSpec* spec = nullptr;  ///< alive as long as the generator
  unsigned number = 0;            ///< over all jobs, from 0, in the order of creation
  unsigned clone = 0;             ///< 0..numjobs-1
  unsigned group_id = 0;
  std::uint16_t cpu = 0;
  const Cgroup* cgroup = nullptr;
  const JobStats* stats = nullptr;  ///< alive as long as the generator
  const TimeSeries* series = nullptr;
  bool started = false;
  bool finished = false;
  TimePs begin = 0;     ///< start of the measured part
  TimePs measured = 0;  ///< length of the measured part, to now when still running
  std::uint32_t error =
      0;  ///< errno: EIO after a failed I/O or below rate_min, ETIMEDOUT beyond max_latency
  std::uint16_t nvme_status = 0;  ///< of the first failed I/O
  std::uint64_t failed_ios = 0;
  std::uint64_t voluntary_switches = 0;  ///< times the job slept
  TimePs cpu_busy = 0;                   ///< CPU work within the whole run of the job
};

struct RunProgress {
  double fraction = 0;    ///< 0..1, by time or by bytes, whichever ends a job first
  std::uint64_t ios = 0;  ///< reaped so far, ramp time included
  std::uint64_t bytes = 0;
  std::uint64_t in_flight = 0;
  double iops = 0;       ///< since the previous call of Progress()
  unsigned waiting = 0;  ///< jobs that have not started
  unsigned running = 0;
  unsigned finished = 0;
};

class LoadGenerator {
 public:
  virtual ~LoadGenerator() = default;

  /// I/O begins now. Call once.
  virtual void Start() = 0;
  /// All I/O is made and answered.
  [[nodiscard]] virtual bool Finished() const = 0;
  /// No further I/O; what is in flight drains. Results() before that is over give what was measured
  /// so far.
  virtual void StopEarly() = 0;
  [[nodiscard]] virtual RunProgress Progress() = 0;
  [[nodiscard]] virtual std::vector<JobResult> Results() const = 0;
  /// Throws UserError when the input that is read while it runs turned out to be bad.
  virtual void CheckInput() const {}
  /// At the end: one line each about what is worth knowing of the input.
  [[nodiscard]] virtual std::vector<std::string> Notes() const { return {}; }
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_LOAD_GENERATOR_H_
