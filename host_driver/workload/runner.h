// SPDX-License-Identifier: Apache-2.0
//
// Runner: runs the jobs of one or several fio processes against block devices, in simulated time.
//
// Reading order: job_spec.h (what to run), job.h (one closed loop), runner.h, job_stats.h
// (results).
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_RUNNER_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_RUNNER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/block/bio.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/workload/job_spec.h"
#include "host_driver/workload/job_stats.h"

namespace nvmearb::host {

class Job;
class CpuTime;

/// CPU work of the submitting task per I/O, in ns; the driver's interrupt work is not in here.
struct WorkloadCosts {
  std::uint32_t submit_ns = 1500;
  std::uint32_t reap_ns = 1500;
  /// Share of that work that is reported as usr_cpu; the rest is sys_cpu. fio with libaio on a fast
  /// drive spends about a fifth of its time in user space.
  std::uint32_t user_percent = 20;
};

struct RunnerOptions {
  /// Seed of the run. The same seed and specs give the same I/Os.
  std::uint64_t seed = 1;
  WorkloadCosts costs;
  /// Not 0: replaces runtime of every job and makes it time based (the simulator's --runtime).
  TimePs runtime_override = 0;
  /// Points of the time series per job; even, 0 = none. Where the runtime is known it is cut into
  /// this many points.
  unsigned series_points = 100;
  /// false: I/Os in flight at the end of the runtime are waited for and counted, and so is the time
  /// that takes, as fio does. true: counting stops at the end of the runtime, which is the
  /// better estimate of the steady state when the run is short.
  bool cut_at_deadline = false;
};

/// Answers for names, given by the caller. Called in Runner's constructor only.
struct RunnerHooks {
  /// Block device for one entry of filename= ("" when the job names none). Never null: throws
  /// UserError for an unknown name.
  std::function<BlockDevice*(const std::string& filename, const JobSpec& spec)> device;
  /// Cgroup of a job: cgroup= may be overridden or left empty (then the root or what the scenario
  /// says). Never null.
  std::function<Cgroup*(const JobSpec& spec)> cgroup;
};

/// Results of one job (one clone). Times are zero where they do not apply.
struct JobResult {
  const JobSpec* spec = nullptr;  ///< alive as long as the Runner
  unsigned number = 0;            ///< over all jobs, from 0, in the order of creation
  unsigned clone = 0;             ///< 0..numjobs-1
  unsigned group_id = 0;
  std::uint16_t cpu = 0;
  const Cgroup* cgroup = nullptr;
  const JobStats* stats = nullptr;  ///< alive as long as the Runner
  const TimeSeries* series = nullptr;
  bool started = false;
  bool finished = false;
  TimePs begin = 0;               ///< start of the measured part
  TimePs measured = 0;            ///< length of the measured part, to now when still running
  std::uint32_t error = 0;        ///< errno (EIO) after the first failed I/O, else 0
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

/// Owns the jobs. Not thread safe. Time base: the Clock given.
///
/// Placement: a job stays on one CPU: the n-th job of all (n counts clones) on the n-th of its
/// cpus_allowed, modulo their number; without cpus_allowed on CPU n modulo the number of CPUs,
/// which spreads jobs over cores before it uses second SMT threads (see CpuTopology). Jobs on one
/// CPU share its time, first come first served.
class Runner {
 public:
  /// Resolves names and makes all jobs. Throws UserError (with the place of the section) for what
  /// fits no device: an offset behind its end, a size beyond it, a CPU that does not exist.
  Runner(Clock* clock, const CpuTopology& topology, std::vector<JobSpec> specs,
         const RunnerOptions& options, const RunnerHooks& hooks);
  ~Runner();

  /// Starts fio's clock; jobs begin as stonewall and startdelay allow. Call once.
  void Start();

  /// `callback` is made once, when the last job is done.
  void SetFinishedCallback(Callback callback) { finished_callback_ = callback; }
  [[nodiscard]] bool Finished() const { return finished_count_ == jobs_.size(); }

  /// Every running job stops submitting and drains, no further job starts (Ctrl-C in fio).
  /// Results() before the drain is over give what was measured so far.
  void StopEarly();

  [[nodiscard]] RunProgress Progress();
  [[nodiscard]] std::vector<JobResult> Results() const;
  [[nodiscard]] const std::vector<JobSpec>& specs() const { return specs_; }

 private:
  friend class Job;
  void OnJobFinished(Job* job);
  void OnStartTimer(std::uint64_t unused);
  void StartWhatMay();
  void TerminateJob(Job* job);
  void CallFinished();

  Clock* clock_;
  std::vector<JobSpec> specs_;
  RunnerOptions options_;
  std::unique_ptr<CpuTime> cpu_time_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::size_t finished_count_ = 0;
  bool started_ = false;
  bool stopped_ = false;
  TimePs genesis_ = 0;
  Callback finished_callback_;
  TimePs progress_time_ = 0;
  std::uint64_t progress_ios_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_RUNNER_H_
