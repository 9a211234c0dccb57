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
#include "host_driver/workload/load_generator.h"

namespace nvmearb::host {

class Job;
class CpuTime;

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

/// Owns the jobs. Not thread safe. Time base: the Clock given.
///
/// Placement: without WorkloadCosts::mean_stay a job stays on one CPU: the n-th job of all (n
/// counts clones) on the n-th of its cpus_allowed, modulo their number; without cpus_allowed on CPU
/// n modulo the number of CPUs, which spreads jobs over cores before it uses second SMT threads
/// (see CpuTopology). With it a job is moved among them now and then, but for
/// cpus_allowed_policy=split. Jobs on one CPU share its time, first come first served.
class Runner final : public LoadGenerator {
 public:
  /// Resolves names and makes all jobs. Throws UserError (with the place of the section) for what
  /// fits no device: an offset behind its end, a size beyond it, a CPU that does not exist.
  Runner(Clock* clock, const CpuTopology& topology, std::vector<JobSpec> specs,
         const RunnerOptions& options, const RunnerHooks& hooks);
  ~Runner() override;

  /// Starts fio's clock; jobs begin as stonewall and startdelay allow. Call once.
  void Start() override;

  /// `callback` is made once, when the last job is done.
  void SetFinishedCallback(Callback callback) { finished_callback_ = callback; }
  [[nodiscard]] bool Finished() const override { return finished_count_ == jobs_.size(); }

  /// Every running job stops submitting and drains, no further job starts (Ctrl-C in fio).
  /// Results() before the drain is over give what was measured so far.
  void StopEarly() override;

  [[nodiscard]] RunProgress Progress() override;
  [[nodiscard]] std::vector<JobResult> Results() const override;
  [[nodiscard]] const std::vector<JobSpec>& specs() const { return specs_; }

 private:
  friend class Job;
  void OnJobFinished(Job* job);
  void OnStartTimer(std::uint64_t unused);
  void StartWhatMay();
  [[nodiscard]] bool WaitsForAnother(const JobSpec& spec) const;
  void TerminateJob(Job* job);
  void CallFinished();

  Clock* clock_;
  std::vector<JobSpec> specs_;
  RunnerOptions options_;
  std::unique_ptr<CpuTime> cpu_time_;
  std::vector<std::uint32_t> tasks_per_cpu_;
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
