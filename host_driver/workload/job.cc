// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/job.h"

#include <algorithm>
#include <utility>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

// randrepeat=0 asks for other numbers than the default; the run's seed keeps them repeatable.
constexpr std::uint64_t kNoRepeatSalt = 0x5851f42d4c957f2d;

std::uint64_t SeedOf(const JobSpec& spec, std::uint64_t run_seed) {
  const std::uint64_t salt = spec.randrepeat ? 0 : kNoRepeatSalt;
  return base::Random(run_seed ^ salt, spec.randseed).Next();
}

// 0 and what is beyond the depth mean the depth, as in fio.
std::uint32_t WithinDepth(std::uint32_t value, std::uint32_t depth) {
  return value == 0 || value > depth ? depth : value;
}

// io_submit of the kernel plugs larger batches only (AIO_PLUG_THRESHOLD); io_uring has the same
// rule.
constexpr std::uint32_t kPlugThreshold = 2;

// Stream of the random numbers of a job's moves.
constexpr std::uint64_t kMoveStream = 0x6d6f76650000;

// errno of Linux.
constexpr std::uint32_t kEio = 5;
constexpr std::uint32_t kEtimedout = 110;

constexpr TimePs kFirstSeriesWidth = kMs;  // where the runtime is not known

}  // namespace

Job::Job(Runner* runner, Clock* clock, CpuTime* cpu_time, TasksPerCpu* tasks,
         const RunnerOptions& options, JobSetup setup)
    : runner_(runner),
      clock_(clock),
      cpu_time_(cpu_time),
      setup_(std::move(setup)),
      spec_(*setup_.spec),
      generator_(spec_, setup_.devices, setup_.clone, SeedOf(spec_, options.seed),
                 2 * std::uint64_t{setup_.number}),
      pacer_(spec_, SeedOf(spec_, options.seed), 2 * std::uint64_t{setup_.number} + 1),
      place_(setup_.cpu, std::move(setup_.cpus), options.costs.mean_stay,
             base::Random(options.seed, kMoveStream + setup_.number), tasks),
      rate_watch_(spec_),
      submit_cost_(options.costs.submit_ns * kNs),
      reap_cost_(options.costs.reap_ns * kNs),
      series_points_(options.series_points),
      cut_at_deadline_(options.cut_at_deadline),
      has_cmdprio_(spec_.HasCmdprio()),
      depth_low_(WithinDepth(spec_.iodepth_low, spec_.iodepth)),
      batch_submit_(WithinDepth(spec_.batch_submit, spec_.iodepth)),
      units_(spec_.iodepth),
      free_(spec_.iodepth),
      prepared_(spec_.iodepth),
      completed_(spec_.iodepth),
      free_count_(spec_.iodepth) {
  for (std::uint32_t i = 0; i < spec_.iodepth; ++i) {
    free_[i] = spec_.iodepth - 1 - i;
    Bio& bio = units_[i].bio;
    bio.ioprio_class = spec_.ioprio_class;
    bio.ioprio_level = spec_.ioprio_level;
    bio.polled = spec_.hipri;
    bio.task = setup_.number;
    bio.cgroup = setup_.cgroup;
    bio.done = Bind<&Job::OnCompletion>(this, i);
    bio.admitted = Bind<&Job::OnAdmitted>(this, i);
  }
  const bool time_based = spec_.time_based || options.runtime_override != 0;
  runtime_ = options.runtime_override != 0 ? options.runtime_override : spec_.runtime;
  byte_limit_ = spec_.io_size.IsSet() ? spec_.io_size.Resolve(generator_.RegionBytes())
                                      : generator_.RegionBytes() * spec_.loops;
  if (time_based && runtime_ != 0) byte_limit_ = ~std::uint64_t{0};
  stats_.Configure(spec_);
}

void Job::Start() {
  NVMEARB_CHECK(phase_ == Phase::kNew, "a job starts once");
  started_ = true;
  start_time_ = clock_->Now();
  begin_ = start_time_;
  end_ = start_time_;
  think_end_ = start_time_;
  ramp_end_ = start_time_ + spec_.ramp_time;
  if (runtime_ != 0) deadline_ = ramp_end_ + runtime_;
  pacer_.Restart(start_time_);
  if (spec_.ramp_time == 0) BeginMeasuring(start_time_);
  Run(start_time_);
}

void Job::BeginMeasuring(TimePs now) {
  measuring_ = true;
  begin_ = now;
  stats_.Begin(now);
  TimePs width = kFirstSeriesWidth;
  if (runtime_ != 0 && series_points_ != 0) {
    width = std::max<TimePs>(1, (runtime_ + series_points_ - 1) / series_points_);
  }
  series_.Configure(now, width, series_points_);
  // fio resets its counters here, those that limit the job included.
  issued_ios_ = 0;
  issued_bytes_ = 0;
  counted_ios_ = 0;
  pacer_.Restart(now);
  rate_watch_.Restart(now);
}

bool Job::MayIssue(TimePs now) const {
  if (terminated_ || now >= deadline_) return false;
  if (spec_.number_ios != 0 && issued_ios_ >= spec_.number_ios) return false;
  return issued_bytes_ <= byte_limit_ && byte_limit_ - issued_bytes_ >= generator_.MaxIoBytes();
}

void Job::Run(TimePs now) {
  for (;;) {
    if (!measuring_ && now >= ramp_end_) BeginMeasuring(ramp_end_);

    if (quiesce_) {
      if (prepared_count_ > 0) return WaitUntil(now, Phase::kSubmit);
      if (in_flight_ > 0) {
        if (!Reap(&now, 1)) return;
        continue;
      }
      quiesce_ = false;
      if (ending_) return WaitUntil(now, Phase::kFinish);
      if (think_ != 0) {
        now = cpu_time_->Take(place_.cpu(), now, spec_.thinktime_spin);
        cpu_busy_ += spec_.thinktime_spin;
        if (spec_.rate_ignore_thinktime) pacer_.Delay(think_);
        sleep_until_ = now + std::exchange(think_, 0) - spec_.thinktime_spin;
        think_end_ = sleep_until_;
      }
      sleep_until_ = std::min(sleep_until_, std::max(now, deadline_));
      if (sleep_until_ > now) {
        ++switches_;
        return WaitUntil(sleep_until_, Phase::kSleep);
      }
    }

    if (Depth() == spec_.iodepth) {
      if (prepared_count_ > 0) return WaitUntil(now, Phase::kSubmit);
      reap_to_low_ = true;
    }
    if (reap_to_low_) {
      if (!Reap(&now, std::max<std::uint32_t>(1, spec_.batch_complete_min))) return;
      if (in_flight_ > depth_low_) continue;
      reap_to_low_ = false;
    } else if (spec_.batch_complete_min == 0 && completed_count_ > 0) {
      (void)Reap(&now, 0);
    }
    if (std::exchange(after_issue_, false) && ThinksNow(now)) {
      think_ = spec_.thinktime;
      quiesce_ = true;
      continue;
    }

    if (!MayIssue(now)) {
      ending_ = true;
      quiesce_ = true;
      continue;
    }
    if (SyncIsDue()) {
      PrepareSync(&now);
      if (prepared_count_ >= batch_submit_) return WaitUntil(now, Phase::kSubmit);
      continue;
    }
    int direction = generator_.NextDirection();
    if (pacer_.active() && WaitForRate(now, &direction)) {
      quiesce_ = true;
      continue;
    }
    Prepare(&now, direction);
    if (prepared_count_ >= batch_submit_) return WaitUntil(now, Phase::kSubmit);
  }
}

bool Job::ThinksNow(TimePs now) const {
  if (spec_.thinktime == 0) return false;
  if (spec_.thinktime_iotime != 0 && now - think_end_ >= spec_.thinktime_iotime) return true;
  const std::uint64_t ios = spec_.thinktime_at_issue ? issued_ios_ : counted_ios_;
  return ios != 0 && ios % spec_.thinktime_blocks == 0;
}

bool Job::WaitForRate(TimePs now, int* direction) {
  TimePs next = pacer_.NextTime(*direction);
  if (next <= now) return false;
  if (spec_.IsMixed()) {
    const int other = 1 - *direction;
    const TimePs other_next = pacer_.NextTime(other);
    if (other_next < next) *direction = other;
    next = std::min(next, other_next);
    if (next <= now) return false;
  }
  sleep_until_ = next;
  return true;
}

// A free unit, prepared from here on: the CPU time is taken.
Job::Unit& Job::TakeUnit(TimePs* now) {
  if (prepared_count_ == 0) place_.MayMove(*now);
  const std::uint32_t slot = free_[--free_count_];
  Unit& unit = units_[slot];
  unit.bio.cpu = place_.cpu();
  unit.bio.status = 0;
  unit.start = *now;
  *now = cpu_time_->Take(place_.cpu(), *now, submit_cost_);
  cpu_busy_ += submit_cost_;
  prepared_[prepared_count_++] = slot;
  return unit;
}

// fio's rule: behind every so many writes, unless no I/O follows.
bool Job::SyncIsDue() const {
  if (issued_writes_ == synced_writes_) return false;
  const auto due = [this](std::uint32_t blocks) {
    return blocks != 0 && issued_writes_ % blocks == 0;
  };
  return due(spec_.fsync_blocks) || due(spec_.fdatasync_blocks);
}

void Job::PrepareSync(TimePs* now) {
  synced_writes_ = issued_writes_;
  Unit& unit = TakeUnit(now);
  unit.direction = kSync;
  unit.device = last_written_;
  unit.bio.op = BioOp::kFlush;
  unit.bio.sync = true;
  unit.bio.offset = 0;
  unit.bio.bytes = 0;
}

void Job::Prepare(TimePs* now, int direction) {
  Unit& unit = TakeUnit(now);
  const PlannedIo io = generator_.Next(direction);
  unit.direction = static_cast<std::uint8_t>(direction);
  unit.device = io.device;
  unit.bio.op = direction == kDirRead    ? BioOp::kRead
                : direction == kDirWrite ? BioOp::kWrite
                                         : BioOp::kDiscard;
  unit.bio.sync = direction == kDirWrite;  // O_DIRECT writes are REQ_SYNC
  unit.bio.offset = io.offset;
  unit.bio.bytes = io.bytes;
  if (has_cmdprio_) {
    const IoPriority priority = generator_.NextPriority(direction, io.bytes);
    unit.bio.ioprio_class = priority.io_class;
    unit.bio.ioprio_level = priority.level;
  }
  if (direction == kDirWrite) {
    ++issued_writes_;
    last_written_ = io.device;
  }
  // Of a trim and its write the write counts towards the limits, as in fio.
  if (direction != kDirTrim || !spec_.TrimsThenWrites()) {
    ++issued_ios_;
    issued_bytes_ += io.bytes;
  }
  after_issue_ = true;
  if (pacer_.active()) pacer_.CountIssue(direction, io.bytes);
}

// Returns false when the task sleeps in io_submit; OnAdmitted() goes on with the rest.
bool Job::SubmitPrepared(TimePs* now) {
  const bool plug = prepared_count_ > kPlugThreshold;
  if (plug) {
    for (BlockDevice* device : setup_.devices) device->StartPlug(place_.cpu());
  }
  Distributions& distributions = stats_.distributions();
  if (submitted_count_ == 0) distributions.CountSubmit(prepared_count_);
  bool sleeps = false;
  while (!sleeps && submitted_count_ < prepared_count_) {
    Unit& unit = units_[prepared_[submitted_count_++]];
    unit.issue = *now;
    ++in_flight_;
    if (unit.direction != kSync) distributions.CountDepth(in_flight_);
    unit.device->Submit(&unit.bio);
    sleeps = unit.bio.waits;
  }
  if (plug) {
    for (BlockDevice* device : setup_.devices) device->FinishPlug(place_.cpu());
  }
  if (sleeps) {
    phase_ = Phase::kBlocked;
    ++switches_;
    return false;
  }
  *now = TakeBlockLayerTime(*now);
  for (std::uint32_t i = 0; i < prepared_count_; ++i) units_[prepared_[i]].issue = *now;
  prepared_count_ = 0;
  submitted_count_ = 0;
  return true;
}

void Job::OnAdmitted(std::uint64_t) {
  NVMEARB_CHECK(phase_ == Phase::kBlocked, "only a sleeping task is woken");
  TimePs now = clock_->Now();
  if (SubmitPrepared(&now)) Run(now);
}

void Job::DropBlockLayerTime() {
  for (BlockDevice* device : setup_.devices) (void)device->TakeCpuTime(place_.cpu());
}

// What the block layer did on this CPU, for this job or in interrupts, came out of its time.
TimePs Job::TakeBlockLayerTime(TimePs now) {
  TimePs spent = 0;
  for (BlockDevice* device : setup_.devices) spent += device->TakeCpuTime(place_.cpu());
  if (spent == 0) return now;
  cpu_busy_ += spent;
  return cpu_time_->Take(place_.cpu(), now, spent);
}

bool Job::Reap(TimePs* now, std::uint32_t min) {
  const std::uint32_t wanted = std::min(min, in_flight_);
  if (completed_count_ < wanted) {
    reap_min_ = wanted;
    own_time_ = *now;
    phase_ = Phase::kReap;
    ++switches_;
    return false;
  }
  const std::uint32_t count =
      std::min(completed_count_, std::max(spec_.batch_complete_max, wanted));
  *now = TakeBlockLayerTime(*now);
  *now = cpu_time_->Take(place_.cpu(), *now, reap_cost_ * count);
  cpu_busy_ += reap_cost_ * count;
  if (!measuring_ && *now >= ramp_end_) BeginMeasuring(ramp_end_);
  stats_.distributions().CountComplete(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = completed_[completed_head_];
    if (++completed_head_ == spec_.iodepth) completed_head_ = 0;
    Account(units_[slot], *now);
    free_[free_count_++] = slot;
  }
  completed_count_ -= count;
  in_flight_ -= count;
  return true;
}

void Job::Account(const Unit& unit, TimePs now) {
  if (unit.direction == kSync) {
    if (measuring_ && !(cut_at_deadline_ && now > deadline_)) {
      stats_.CountSync((now - unit.issue) / kNs);
    }
    return;
  }
  ++counted_ios_;
  ++reaped_ios_;
  reaped_bytes_ += unit.bio.bytes;
  if (unit.bio.status != 0) {
    // Without continue_on_error fio ends the job at the first error.
    if (failed_ios_++ == 0) nvme_status_ = unit.bio.status;
    if (error_ == 0) error_ = kEio;
    if (!spec_.continue_on_error) terminated_ = true;
    return;
  }
  CheckLimits(unit, now);
  if (!measuring_ || (cut_at_deadline_ && now > deadline_)) return;
  const int shown = spec_.unified_rw ? int{kDirRead} : int{unit.direction};
  stats_.CountCompletion(unit.start, unit.issue, now, shown, unit.bio.bytes);
  if (has_cmdprio_) {
    stats_.CountPriority(unit.direction, {unit.bio.ioprio_class, unit.bio.ioprio_level},
                         (now - (spec_.lat_percentiles ? unit.start : unit.issue)) / kNs);
  }
  series_.Add(now, unit.direction, unit.bio.bytes, (now - unit.start) / kNs);
}

// max_latency and rate_min.
void Job::CheckLimits(const Unit& unit, TimePs now) {
  const TimePs most = spec_.max_latency[unit.direction];
  if (most != 0 && now - unit.start > most) Fail(kEtimedout);
  if (rate_watch_.active() && measuring_ &&
      !rate_watch_.Count(unit.direction, unit.bio.bytes, now)) {
    Fail(kEio);
  }
}

void Job::Fail(std::uint32_t error) {
  if (error_ == 0) error_ = error;
  terminated_ = true;
}

void Job::WaitUntil(TimePs when, Phase phase) {
  phase_ = phase;
  clock_->At(std::max(when, clock_->Now()), Bind<&Job::OnStep>(this, ++ticket_));
}

void Job::OnStep(std::uint64_t ticket) {
  if (ticket != ticket_) return;  // Terminate() came first
  TimePs now = clock_->Now();
  switch (phase_) {
    case Phase::kSubmit:
      if (SubmitPrepared(&now)) Run(now);
      break;
    case Phase::kSleep:
      Run(now);
      break;
    case Phase::kFinish:
      if (!measuring_) BeginMeasuring(now);
      end_ = cut_at_deadline_ ? std::min(now, deadline_) : now;
      phase_ = Phase::kDone;
      runner_->OnJobFinished(this);
      break;
    case Phase::kNew:
    case Phase::kBlocked:
    case Phase::kReap:
    case Phase::kDone:
      // These wait for completions or for nothing.
      NVMEARB_CHECK(false, "a job's callback without a reason");
  }
}

void Job::OnCompletion(std::uint64_t slot) {
  std::uint32_t tail = completed_head_ + completed_count_;
  if (tail >= spec_.iodepth) tail -= spec_.iodepth;
  completed_[tail] = static_cast<std::uint32_t>(slot);
  ++completed_count_;
  if (phase_ == Phase::kReap && completed_count_ >= reap_min_) {
    const TimePs now = clock_->Now();
    if (now > own_time_) DropBlockLayerTime();  // it slept: interrupts cost it nothing
    Run(std::max(now, own_time_));
  }
}

bool Job::Terminate() {
  terminated_ = true;
  if (phase_ == Phase::kNew) {
    phase_ = Phase::kDone;
    return true;
  }
  if (phase_ == Phase::kSleep) {
    ++ticket_;  // the callback that would end the sleep is void
    Run(clock_->Now());
  }
  return false;
}

double Job::Fraction() const {
  if (finished()) return 1;
  if (!started()) return 0;
  double fraction = 0;
  const TimePs elapsed = clock_->Now() - start_time_;
  if (runtime_ != 0) {
    fraction = static_cast<double>(elapsed) / static_cast<double>(spec_.ramp_time + runtime_);
  }
  if (measuring_ || spec_.ramp_time == 0) {
    if (byte_limit_ != ~std::uint64_t{0} && byte_limit_ != 0) {
      fraction =
          std::max(fraction, static_cast<double>(issued_bytes_) / static_cast<double>(byte_limit_));
    }
    if (spec_.number_ios != 0) {
      fraction = std::max(fraction,
                          static_cast<double>(issued_ios_) / static_cast<double>(spec_.number_ios));
    }
  }
  return std::min(fraction, 1.0);
}

JobResult Job::Result() const {
  JobResult result;
  result.spec = setup_.spec;
  result.number = setup_.number;
  result.clone = setup_.clone;
  result.group_id = setup_.group_id;
  result.cpu = place_.cpu();
  result.cgroup = setup_.cgroup;
  result.stats = &stats_;
  result.series = &series_;
  result.started = started();
  result.finished = finished();
  result.begin = begin_;
  if (measuring_) {
    TimePs end = finished() ? end_ : clock_->Now();
    if (cut_at_deadline_) end = std::min(end, deadline_);
    result.measured = end > begin_ ? end - begin_ : 0;
  }
  result.error = error_;
  result.nvme_status = nvme_status_;
  result.failed_ios = failed_ios_;
  result.voluntary_switches = switches_;
  result.cpu_busy = cpu_busy_;
  return result;
}

}  // namespace nvmearb::host
