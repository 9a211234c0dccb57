// SPDX-License-Identifier: Apache-2.0
#include "trace/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host_driver/base/user_error.h"
#include "nvme/base/check.h"

namespace nvmearb::trace {
namespace {

using host::Bind;
using host::BioOp;
using host::TimePs;

constexpr std::uint64_t kPsPerNs = 1000;
/// Longest time from the first to an I/O of the trace, at the speed of the replay: 100 days.
constexpr double kLongestPs = 100.0 * 86400e12;

constexpr const char* kOthers = "others";

int DirectionOf(BioOp op) {
  return op == BioOp::kRead    ? host::kDirRead
         : op == BioOp::kWrite ? host::kDirWrite
                               : host::kDirTrim;
}

}  // namespace

struct Replay::Stream {
  host::JobSpec spec;
  host::Cgroup* cgroup = nullptr;
  host::JobStats stats;
  host::TimeSeries series;
  std::uint32_t in_flight = 0;
  bool has_sizes[host::kDirCount] = {};
  TimePs cpu_busy = 0;
  std::uint64_t failed_ios = 0;
  std::uint16_t nvme_status = 0;

  void CountSize(int direction, std::uint32_t bytes) {
    host::BlockSizes& sizes = spec.block_sizes[static_cast<std::size_t>(direction)];
    if (!std::exchange(has_sizes[direction], true)) sizes = {bytes, bytes, {}};
    sizes.min_bytes = std::min(sizes.min_bytes, bytes);
    sizes.max_bytes = std::max(sizes.max_bytes, bytes);
  }
};

Replay::Replay(host::Clock* clock, const host::CpuTopology& cpus,
               std::unique_ptr<TraceReader> reader, const ReplayOptions& options,
               const ReplayHooks& hooks)
    : clock_(clock),
      cpu_count_(cpus.cpu_count()),
      cpu_time_(cpus.cpu_count()),
      reader_(std::move(reader)),
      options_(options),
      hooks_(hooks),
      layout_(hooks.disk->CapacityBytes()),
      limit_(options.closed_loop != 0 ? options.closed_loop : options.most_in_flight) {
  NVMEARB_CHECK(options.speedup > 0 && limit_ > 0, "a replay that moves");
  // Cgroups that rules name have their rows even when the trace has no I/O for them.
  for (const auto& [key, cgroup] : options_.rules.cgroup_of) {
    host::Cgroup* const group = hooks_.cgroup(cgroup);
    const auto same = [group](const auto& stream) { return stream->cgroup == group; };
    if (std::none_of(streams_.begin(), streams_.end(), same)) (void)NewStream(cgroup, group);
  }
}

Replay::~Replay() = default;

Replay::Stream* Replay::NewStream(const std::string& name, host::Cgroup* cgroup) {
  Stream& stream = *streams_.emplace_back(std::make_unique<Stream>());
  stream.cgroup = cgroup;
  host::JobSpec& spec = stream.spec;
  spec.name = name;
  spec.instance = options_.instance;
  spec.job_options = options_.job_options;
  spec.reads = spec.writes = spec.trims = true;
  spec.ioengine = "libaio";
  spec.direct = true;
  spec.iodepth = limit_;
  spec.ramp_time = options_.ramp_time;
  spec.runtime = options_.runtime;
  stream.stats.Configure(spec);
  if (measuring_) {
    stream.stats.Begin(ramp_end_);
    stream.series.Configure(ramp_end_, host::kMs, options_.series_points);
  }
  return &stream;
}

void Replay::Start() {
  start_ = clock_->Now();
  end_ = next_due_ = progress_time_ = start_;
  ramp_end_ = start_ + options_.ramp_time;
  if (options_.runtime != 0) deadline_ = ramp_end_ + options_.runtime;
  if (options_.ramp_time == 0) BeginMeasuring();
  ReadNext();
  Pump();
}

void Replay::BeginMeasuring() {
  measuring_ = true;
  for (const auto& stream : streams_) {
    stream->stats.Begin(ramp_end_);
    stream->series.Configure(ramp_end_, host::kMs, options_.series_points);
  }
}

void Replay::ReadNext() {
  has_next_ = false;
  try {
    if (!reader_->Next(&next_)) return;
    ++records_;
    TakeTime(next_.time_ns);
    has_next_ = true;
  } catch (const host::UserError&) {
    // Nothing may be thrown through the event loop: CheckInput() does it.
    failure_ = std::current_exception();
  }
}

void Replay::TakeTime(std::uint64_t time_ns) {
  if (!std::exchange(has_first_, true)) first_ns_ = last_ns_ = time_ns;
  if (time_ns < last_ns_) ++backward_;
  last_ns_ = std::max(last_ns_, time_ns);
  const std::uint64_t since_first = time_ns > first_ns_ ? time_ns - first_ns_ : 0;
  const double ps =
      static_cast<double>(since_first) * static_cast<double>(kPsPerNs) / options_.speedup;
  if (options_.closed_loop == 0 && ps > kLongestPs) {
    throw host::UserError(
        fmt::format("record {}", records_),
        fmt::format("{:.0f} s behind the first one", static_cast<double>(since_first) / 1e9),
        "at most 100 days; check the time or raise --speedup");
  }
  const TimePs due =
      options_.speedup == 1 ? start_ + since_first * kPsPerNs : start_ + static_cast<TimePs>(ps);
  next_due_ = std::max(next_due_, due);
}

void Replay::Pump() {
  while (has_next_) {
    const TimePs now = clock_->Now();
    if (now >= deadline_ || (options_.closed_loop == 0 && next_due_ >= deadline_)) {
      has_next_ = false;
      break;
    }
    if (in_flight_ >= limit_) return;  // a completion comes back here
    if (options_.closed_loop == 0 && next_due_ > now) {
      if (!std::exchange(armed_, true)) clock_->At(next_due_, Bind<&Replay::OnDue>(this, ticket_));
      return;
    }
    Issue();
    ReadNext();
  }
  if (in_flight_ == 0) {
    if (!measuring_) BeginMeasuring();
    end_ = std::max(end_, clock_->Now());
    finished_ = true;
  }
}

void Replay::OnDue(std::uint64_t ticket) {
  if (ticket != ticket_) return;
  armed_ = false;
  Pump();
}

std::uint16_t Replay::CpuOf(const TraceRecord& record) {
  const unsigned cpu = record.cpu >= 0 ? static_cast<unsigned>(record.cpu) : next_cpu_++;
  return static_cast<std::uint16_t>(cpu % cpu_count_);
}

std::uint32_t Replay::TaskOf(const TraceRecord& record) {
  const std::string_view process = record.process.empty() ? record.device : record.process;
  const auto known = task_of_process_.find(process);
  if (known != task_of_process_.end()) return known->second;
  const std::size_t number = task_of_process_.size();
  if (number >= kMostTasks - 1) return options_.first_task + kMostTasks - 1;
  const std::uint32_t task = options_.first_task + static_cast<std::uint32_t>(number);
  task_of_process_.emplace(process, task);
  return task;
}

Replay::Stream* Replay::StreamOf(const TraceRecord& record) {
  const std::string_view key = options_.rules.KeyOf(record);
  const auto known = stream_of_key_.find(key);
  if (known != stream_of_key_.end()) return known->second;
  const std::string* const rule = options_.rules.CgroupOf(key);
  host::Cgroup* const cgroup = hooks_.cgroup(rule == nullptr ? std::string() : *rule);
  Stream* stream = nullptr;
  if (rule != nullptr) {
    for (const auto& other : streams_) {
      if (other->cgroup == cgroup) stream = other.get();
    }
  } else if (streams_.size() < kMostStreams) {
    stream = NewStream(std::string(key), cgroup);
  } else {
    if (streams_.size() == kMostStreams) (void)NewStream(kOthers, cgroup);
    stream = streams_.back().get();
  }
  stream_of_key_.emplace(key, stream);
  return stream;
}

void Replay::Issue() {
  const TimePs now = clock_->Now();
  if (free_units_.empty()) {
    free_units_.push_back(static_cast<std::uint32_t>(units_.size()));
    units_.emplace_back();
  }
  const std::uint32_t index = free_units_.back();
  free_units_.pop_back();
  Unit& unit = units_[index];
  unit.stream = StreamOf(next_);
  unit.start = options_.closed_loop != 0 ? now : next_due_;
  if (options_.closed_loop == 0 && next_due_ < now) ++late_;
  unit.bio = host::Bio();
  unit.bio.op = next_.op;
  unit.bio.sync = next_.sync || next_.op == BioOp::kWrite;
  unit.bio.cpu = CpuOf(next_);
  unit.bio.task = TaskOf(next_);
  unit.bio.cgroup = unit.stream->cgroup;
  unit.bio.done = Bind<&Replay::OnCompletion>(this, index);
  if (next_.op == BioOp::kFlush) {
    ++flushes_;
  } else {
    const VolumeLayout::Extent extent = layout_.Place(next_);
    unit.bio.offset = extent.offset;
    unit.bio.bytes = extent.bytes;
  }
  ++in_flight_;
  const TimePs cost = options_.costs.submit_ns * host::kNs;
  unit.stream->cpu_busy += cost;
  clock_->At(cpu_time_.Take(unit.bio.cpu, now, cost), Bind<&Replay::OnSubmit>(this, index));
}

void Replay::OnSubmit(std::uint64_t index) {
  Unit& unit = units_[index];
  unit.submit = clock_->Now();
  ++unit.stream->in_flight;
  if (unit.bio.op != BioOp::kFlush) {
    unit.stream->stats.distributions().CountDepth(unit.stream->in_flight);
    unit.stream->stats.distributions().CountSubmit(1);
  }
  hooks_.disk->Submit(&unit.bio);
}

void Replay::OnCompletion(std::uint64_t index) {
  Unit& unit = units_[index];
  const TimePs cost = options_.costs.reap_ns * host::kNs;
  const TimePs now = cpu_time_.Take(unit.bio.cpu, clock_->Now(), cost);
  unit.stream->cpu_busy += cost;
  --unit.stream->in_flight;
  if (!measuring_ && now >= ramp_end_) BeginMeasuring();
  Account(unit, now);
  end_ = std::max(end_, now);
  free_units_.push_back(static_cast<std::uint32_t>(index));
  --in_flight_;
  Pump();
}

void Replay::Account(const Unit& unit, TimePs now) {
  const host::Bio& bio = unit.bio;
  Stream& stream = *unit.stream;
  ++reaped_ios_;
  reaped_bytes_ += bio.bytes;
  if (bio.status != 0) {
    if (stream.failed_ios++ == 0) stream.nvme_status = bio.status;
    return;
  }
  if (bio.op == BioOp::kFlush || !measuring_) return;
  if (options_.cut_at_deadline && now > deadline_) return;
  const int direction = DirectionOf(bio.op);
  stream.CountSize(direction, bio.bytes);
  stream.stats.CountCompletion(unit.start, unit.submit, now, direction, bio.bytes);
  stream.stats.distributions().CountComplete(1);
  stream.series.Add(now, direction, bio.bytes, (now - unit.start) / host::kNs);
}

void Replay::StopEarly() {
  has_next_ = false;
  ++ticket_;
  if (!finished_) Pump();
}

void Replay::CheckInput() const {
  if (failure_) std::rethrow_exception(failure_);
}

host::RunProgress Replay::Progress() {
  host::RunProgress progress;
  const TimePs now = clock_->Now();
  progress.fraction = reader_->Fraction();
  if (options_.runtime != 0) {
    const double by_time = static_cast<double>(now - start_) /
                           static_cast<double>(options_.ramp_time + options_.runtime);
    progress.fraction = std::min(1.0, std::max(progress.fraction, by_time));
  }
  if (finished_) progress.fraction = 1;
  progress.ios = reaped_ios_;
  progress.bytes = reaped_bytes_;
  progress.in_flight = in_flight_;
  (finished_ ? progress.finished : progress.running) = 1;
  if (now > progress_time_) {
    progress.iops = static_cast<double>(reaped_ios_ - progress_ios_) /
                    (static_cast<double>(now - progress_time_) / static_cast<double>(host::kSec));
    progress_time_ = now;
    progress_ios_ = reaped_ios_;
  }
  return progress;
}

std::vector<host::JobResult> Replay::Results() const {
  std::vector<host::JobResult> results;
  TimePs end = finished_ ? end_ : clock_->Now();
  if (options_.cut_at_deadline) end = std::min(end, deadline_);
  for (const auto& stream : streams_) {
    host::JobResult result;
    result.spec = &stream->spec;
    result.number = static_cast<unsigned>(results.size());
    result.cgroup = stream->cgroup;
    result.stats = &stream->stats;
    result.series = &stream->series;
    result.started = true;
    result.finished = finished_;
    result.begin = ramp_end_;
    result.measured = measuring_ && end > ramp_end_ ? end - ramp_end_ : 0;
    constexpr std::uint32_t kEio = 5;
    result.error = stream->failed_ios != 0 ? kEio : 0;
    result.nvme_status = stream->nvme_status;
    result.failed_ios = stream->failed_ios;
    result.cpu_busy = stream->cpu_busy;
    results.push_back(result);
  }
  return results;
}

std::vector<std::string> Replay::Notes() const {
  std::vector<std::string> notes;
  notes.push_back(fmt::format(
      "trace: format {}, {} I/Os over {:.6f} s on {} volume{}, {} other lines", reader_->format(),
      records_, static_cast<double>(last_ns_ - first_ns_) / 1e9, layout_.volume_count(),
      layout_.volume_count() == 1 ? "" : "s", reader_->skipped_lines()));
  const auto note = [&notes](std::uint64_t count, const char* what) {
    if (count != 0) notes.push_back(fmt::format("trace: {} {}", count, what));
  };
  note(flushes_, "flushes made, not counted as I/Os");
  note(backward_, "I/Os earlier than the one before them, made at once");
  note(late_, "I/Os made later than their time: too many were in flight");
  note(layout_.wrapped(), "I/Os beyond the end of the disk, continued at its begin");
  note(layout_.widened(), "I/Os widened to whole 512-byte blocks");
  return notes;
}

}  // namespace nvmearb::trace
