// SPDX-License-Identifier: Apache-2.0
//
// Job: one fio process or thread, a closed loop over asynchronous I/O with the semantics of fio's
// libaio engine.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_JOB_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_JOB_H_

#include <array>
#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/block/bio.h"
#include "host_driver/workload/cpu_time.h"
#include "host_driver/workload/io_generator.h"
#include "host_driver/workload/job_spec.h"
#include "host_driver/workload/job_stats.h"
#include "host_driver/workload/pacer.h"
#include "host_driver/workload/rate_watch.h"
#include "host_driver/workload/runner.h"
#include "host_driver/workload/task_place.h"

namespace nvmearb::host {

/// What a Runner tells one of its jobs.
struct JobSetup {
  const JobSpec* spec = nullptr;
  unsigned number = 0;  ///< over all jobs
  unsigned clone = 0;
  unsigned group_id = 0;
  std::uint16_t cpu = 0;            ///< where it begins
  std::vector<std::uint16_t> cpus;  ///< where it may be moved to
  Cgroup* cgroup = nullptr;
  std::vector<BlockDevice*> devices;
};

/// The loop, in fio's words: while a slot of iodepth is free, prepare an I/O (submit_ns of CPU
/// time); every iodepth_batch prepared ones go out in one io_submit (inside a plug when they are
/// more than two). When all slots are taken, io_getevents(iodepth_batch_complete_min, .._max) waits
/// and reaps (reap_ns each), again until iodepth_low is reached. At the end what is in flight is
/// waited for.
///
/// Times: an I/O starts when its preparation starts, is issued when its io_submit is done, and is
/// complete when its io_getevents is done. The job is a serial actor on one CPU: its own time may
/// run ahead of the clock by CPU work that is already decided. One clock callback per io_submit.
///
/// Differences from fio: the final wait reaps I/Os as they complete, where fio takes one time stamp
/// for all of them.
///
/// Owned by the Runner. Not thread safe. Nothing is allocated after the constructor.
class Job {
 public:
  Job(Runner* runner, Clock* clock, CpuTime* cpu_time, TasksPerCpu* tasks,
      const RunnerOptions& options, JobSetup setup);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void Start();

  /// No further I/O; what is in flight is waited for. Returns true when the job had not started: it
  /// is finished at once, without I/O.
  bool Terminate();

  /// Not before this time (startdelay).
  [[nodiscard]] TimePs earliest_start() const { return earliest_start_; }
  void set_earliest_start(TimePs when) { earliest_start_ = when; }

  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] bool finished() const { return phase_ == Phase::kDone; }
  [[nodiscard]] const JobSetup& setup() const { return setup_; }
  [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }
  [[nodiscard]] std::uint64_t reaped_ios() const { return reaped_ios_; }
  [[nodiscard]] std::uint64_t reaped_bytes() const { return reaped_bytes_; }
  /// 0..1: how far the job is, by the limit that is nearest.
  [[nodiscard]] double Fraction() const;
  [[nodiscard]] JobResult Result() const;

 private:
  /// What the job waits for.
  enum class Phase : std::uint8_t {
    kNew,
    kSubmit,   ///< the clock: the prepared batch is submitted then
    kBlocked,  ///< the block layer, which holds the last I/O submitted (io_submit sleeps)
    kReap,     ///< enough completions (io_getevents)
    kSleep,    ///< the clock: rate= or thinktime=
    kFinish,   ///< the clock: the last piece of CPU work
    kDone
  };
  struct Unit {
    Bio bio;
    BlockDevice* device = nullptr;
    TimePs start = 0;
    TimePs issue = 0;
    std::uint8_t direction = 0;  // or kSync
  };
  static constexpr std::uint8_t kSync = kDirCount;  // a flush of fsync=

  void Run(TimePs now);
  bool MayIssue(TimePs now) const;
  bool ThinksNow(TimePs now) const;
  bool WaitForRate(TimePs now, int* direction);
  void Prepare(TimePs* now, int direction);
  void PrepareSync(TimePs* now);
  Unit& TakeUnit(TimePs* now);
  [[nodiscard]] bool SyncIsDue() const;
  bool Reap(TimePs* now, std::uint32_t min);
  void Account(const Unit& unit, TimePs now);
  void CheckLimits(const Unit& unit, TimePs now);
  void Fail(std::uint32_t error);
  void BeginMeasuring(TimePs now);
  void OnStep(std::uint64_t ticket);
  void OnCompletion(std::uint64_t slot);
  bool SubmitPrepared(TimePs* now);
  void OnAdmitted(std::uint64_t slot);
  TimePs TakeBlockLayerTime(TimePs now);
  void DropBlockLayerTime();
  void WaitUntil(TimePs when, Phase phase);

  [[nodiscard]] std::uint32_t Depth() const { return in_flight_ + prepared_count_; }

  Runner* runner_;
  Clock* clock_;
  CpuTime* cpu_time_;
  JobSetup setup_;
  const JobSpec& spec_;
  IoGenerator generator_;
  Pacer pacer_;
  TaskPlace place_;
  RateWatch rate_watch_;
  TimePs submit_cost_;
  TimePs reap_cost_;
  unsigned series_points_;
  bool cut_at_deadline_;
  bool has_cmdprio_;
  std::uint32_t depth_low_;
  std::uint32_t batch_submit_;

  // Slots.
  std::vector<Unit> units_;
  std::vector<std::uint32_t> free_;       // stack
  std::vector<std::uint32_t> prepared_;   // waiting for io_submit
  std::vector<std::uint32_t> completed_;  // ring, waiting for io_getevents
  std::uint32_t free_count_ = 0;
  std::uint32_t prepared_count_ = 0;
  std::uint32_t submitted_count_ = 0;  // of these, gone to the block layer
  std::uint32_t completed_head_ = 0;
  std::uint32_t completed_count_ = 0;
  std::uint32_t in_flight_ = 0;  // submitted and not reaped

  // State of the loop.
  Phase phase_ = Phase::kNew;
  std::uint64_t ticket_ = 0;    // of the clock callback that counts; older ones are void
  std::uint32_t reap_min_ = 0;  // kReap: completions to wait for
  TimePs own_time_ = 0;         // kReap: how far CPU work is decided
  bool reap_to_low_ = false;    // full was reached: reap until iodepth_low
  bool after_issue_ = false;
  bool quiesce_ = false;    // wait until nothing is in flight, then ...
  bool ending_ = false;     // ... end
  TimePs think_ = 0;        // ... or sleep this long
  TimePs sleep_until_ = 0;  // ... or until then
  TimePs think_end_ = 0;    // of the last thinktime
  bool terminated_ = false;
  bool started_ = false;
  TimePs earliest_start_ = 0;

  // Limits and counters since measuring began.
  bool measuring_ = false;
  TimePs start_time_ = 0;
  TimePs ramp_end_ = 0;
  TimePs deadline_ = ~TimePs{0};
  TimePs runtime_ = 0;
  std::uint64_t byte_limit_ = 0;
  std::uint64_t issued_ios_ = 0;
  std::uint64_t issued_writes_ = 0;
  std::uint64_t synced_writes_ = 0;  // issued_writes_ at the last flush
  BlockDevice* last_written_ = nullptr;
  std::uint64_t issued_bytes_ = 0;
  std::uint64_t counted_ios_ = 0;

  // Results.
  JobStats stats_;
  TimeSeries series_;
  TimePs begin_ = 0;
  TimePs end_ = 0;
  TimePs cpu_busy_ = 0;
  std::uint64_t switches_ = 0;
  std::uint64_t reaped_ios_ = 0;
  std::uint64_t reaped_bytes_ = 0;
  std::uint64_t failed_ios_ = 0;
  std::uint16_t nvme_status_ = 0;
  std::uint32_t error_ = 0;  // errno; the first counts
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_JOB_H_
