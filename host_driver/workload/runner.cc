// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host_driver/base/user_error.h"
#include "host_driver/workload/cpu_time.h"
#include "host_driver/workload/job.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

/// Each I/O of a job has its place in memory from the start: beyond this it is many gigabytes.
constexpr std::uint64_t kMostIosInFlight = std::uint64_t{1} << 22;

void CheckDepth(const std::vector<JobSpec>& specs) {
  std::uint64_t depth = 0;
  for (const JobSpec& spec : specs) {
    depth += std::uint64_t{spec.iodepth} * spec.numjobs;
    if (depth <= kMostIosInFlight) continue;
    throw UserError(fmt::format("{}: job '{}'", spec.where, spec.name),
                    fmt::format("iodepth times numjobs is {} with the jobs before it", depth),
                    fmt::format("at most {} in all", kMostIosInFlight));
  }
}

/// Where a job begins, and where it may run.
void PlaceJob(const JobSpec& spec, unsigned cpu_count, JobSetup* setup) {
  setup->cpus = spec.cpus_allowed;
  if (spec.cpus_allowed.empty()) {
    for (unsigned cpu = 0; cpu < cpu_count; ++cpu) {
      setup->cpus.push_back(static_cast<std::uint16_t>(cpu));
    }
  }
  for (const std::uint16_t cpu : spec.cpus_allowed) {
    if (cpu >= cpu_count) {
      throw UserError(fmt::format("{}: job '{}'", spec.where, spec.name),
                      fmt::format("cpus_allowed names CPU {}", cpu),
                      fmt::format("the simulated host has CPUs 0-{}", cpu_count - 1));
    }
  }
  const unsigned turn = spec.cpus_allowed_split ? setup->clone : setup->number;
  setup->cpu = setup->cpus[turn % setup->cpus.size()];
  if (spec.cpus_allowed_split) setup->cpus = {setup->cpu};
}

}  // namespace

Runner::Runner(Clock* clock, const CpuTopology& topology, std::vector<JobSpec> specs,
               const RunnerOptions& options, const RunnerHooks& hooks)
    : clock_(clock),
      specs_(std::move(specs)),
      options_(options),
      cpu_time_(std::make_unique<CpuTime>(topology.cpu_count())),
      tasks_per_cpu_(topology.cpu_count(), 0) {
  CheckDepth(specs_);
  unsigned group_id = 0;
  unsigned jobs_in_group = 0;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const JobSpec& spec = specs_[i];
    // A group begins at stonewall and new_group, and with each fio process.
    const bool new_process = i > 0 && spec.instance != specs_[i - 1].instance;
    if ((spec.stonewall || spec.new_group || new_process) && jobs_in_group > 0) {
      ++group_id;
      jobs_in_group = 0;
    }
    JobSetup setup;
    setup.spec = &spec;
    setup.group_id = group_id;
    setup.cgroup = hooks.cgroup(spec);
    NVMEARB_CHECK(setup.cgroup != nullptr, "every job has a cgroup");
    if (spec.filenames.empty()) setup.devices.push_back(hooks.device(std::string(), spec));
    for (const std::string& filename : spec.filenames) {
      setup.devices.push_back(hooks.device(filename, spec));
    }
    for (const BlockDevice* device : setup.devices) {
      NVMEARB_CHECK(device != nullptr, "every file name is a device");
    }
    for (unsigned clone = 0; clone < spec.numjobs; ++clone) {
      setup.number = static_cast<unsigned>(jobs_.size());
      setup.clone = clone;
      PlaceJob(spec, topology.cpu_count(), &setup);
      jobs_.push_back(
          std::make_unique<Job>(this, clock_, cpu_time_.get(), &tasks_per_cpu_, options_, setup));
      ++jobs_in_group;
    }
  }
}

Runner::~Runner() = default;

void Runner::Start() {
  NVMEARB_CHECK(!started_, "a run starts once");
  started_ = true;
  genesis_ = clock_->Now();
  progress_time_ = genesis_;
  base::Random random(options_.seed, 0xde1a);
  for (const auto& job : jobs_) {
    const JobSpec& spec = *job->setup().spec;
    TimePs delay = spec.start_delay;
    if (spec.start_delay_high > delay) delay = random.InRange(delay, spec.start_delay_high);
    job->set_earliest_start(genesis_ + delay);
    if (delay != 0) clock_->At(genesis_ + delay, Bind<&Runner::OnStartTimer>(this));
  }
  StartWhatMay();
}

void Runner::OnStartTimer(std::uint64_t) { StartWhatMay(); }

void Runner::StartWhatMay() {
  if (stopped_) return;
  // fio walks its jobs in order; a stonewall holds back its job and all behind it until every job
  // before it is done. A process of its own (instance) is walked on its own.
  bool held = false;
  bool all_before_done = true;
  const JobSpec* last = nullptr;
  for (const auto& job : jobs_) {
    const JobSpec* spec = job->setup().spec;
    if (last != nullptr && last->instance != spec->instance) {
      held = false;
      all_before_done = true;
    }
    last = spec;
    if (spec->stonewall && job->setup().clone == 0 && !all_before_done) held = true;
    const bool may_start = !held && !job->started() && !job->finished() && !WaitsForAnother(*spec);
    if (may_start && clock_->Now() >= job->earliest_start()) job->Start();
    all_before_done = all_before_done && job->finished();
  }
}

bool Runner::WaitsForAnother(const JobSpec& spec) const {
  if (spec.wait_for.empty()) return false;
  return std::any_of(jobs_.begin(), jobs_.end(), [&spec](const auto& other) {
    const JobSpec& awaited = *other->setup().spec;
    return awaited.instance == spec.instance && awaited.name == spec.wait_for && !other->finished();
  });
}

void Runner::OnJobFinished(Job* job) {
  ++finished_count_;
  const JobSpec& ended = *job->setup().spec;
  if (ended.exitall) {
    for (const auto& other : jobs_) {
      if (other->setup().spec->instance != ended.instance) continue;
      const bool ends = ended.exit_what == ExitAll::kAll ||
                        (ended.exit_what == ExitAll::kStonewall
                             ? other->started()
                             : other->setup().group_id == job->setup().group_id);
      if (ends) TerminateJob(other.get());
    }
  }
  if (Finished()) {
    CallFinished();
  } else {
    StartWhatMay();
  }
}

void Runner::TerminateJob(Job* job) {
  if (!job->finished() && job->Terminate()) ++finished_count_;
}

void Runner::StopEarly() {
  if (Finished()) return;
  stopped_ = true;
  for (const auto& job : jobs_) TerminateJob(job.get());
  if (Finished()) CallFinished();
}

void Runner::CallFinished() {
  if (finished_callback_.function == nullptr) return;
  finished_callback_.function(finished_callback_.context, finished_callback_.argument);
}

RunProgress Runner::Progress() {
  RunProgress progress;
  double sum = 0;
  for (const auto& job : jobs_) {
    sum += job->Fraction();
    progress.ios += job->reaped_ios();
    progress.bytes += job->reaped_bytes();
    progress.in_flight += job->in_flight();
    if (job->finished()) {
      ++progress.finished;
    } else if (job->started()) {
      ++progress.running;
    } else {
      ++progress.waiting;
    }
  }
  progress.fraction = jobs_.empty() ? 1 : sum / static_cast<double>(jobs_.size());
  const TimePs now = clock_->Now();
  if (now > progress_time_) {
    progress.iops = static_cast<double>(progress.ios - progress_ios_) /
                    (static_cast<double>(now - progress_time_) / static_cast<double>(kSec));
    progress_time_ = now;
    progress_ios_ = progress.ios;
  }
  return progress;
}

std::vector<JobResult> Runner::Results() const {
  std::vector<JobResult> results;
  results.reserve(jobs_.size());
  for (const auto& job : jobs_) results.push_back(job->Result());
  return results;
}

}  // namespace nvmearb::host
