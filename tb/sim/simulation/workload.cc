// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/command_line.h"
#include "host_driver/fio/job_file.h"
#include "host_driver/workload/runner.h"
#include "trace/replay.h"
#include "trace/trace_reader.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

/// The device files that the simulated machine has.
bool IsOurDisk(const std::string& filename) {
  return filename.empty() || filename == "/dev/nvme0n1" || filename == "nvme0n1";
}

}  // namespace

Workload::Workload(const Scenario& scenario, const VariantSpec& variant,
                   const Parameters& parameters, Machine* machine)
    : machine_(machine) {
  MakeCgroups(scenario, variant);
  AddRunner(scenario, parameters);
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    if (!scenario.jobs[i].trace.file.empty()) AddReplay(scenario, i, parameters);
  }
  WarnOfUnusedLevels(variant);
}

void Workload::AddRunner(const Scenario& scenario, const Parameters& parameters) {
  std::vector<host::JobSpec> specs;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const JobSpec& job = scenario.jobs[i];
    if (!job.trace.file.empty()) {
      inputs_.emplace_back();
      continue;
    }
    inputs_.push_back(Read(scenario, job));
    const host::fio::FioInput& input = inputs_.back();
    warnings_.insert(warnings_.end(), input.warnings.begin(), input.warnings.end());
    for (host::JobSpec spec : input.jobs) {
      spec.instance = static_cast<int>(i);
      // One job per process takes the process's name, so that results can be told apart.
      if (!job.name.empty()) {
        spec.name = input.jobs.size() == 1 ? job.name : job.name + "/" + spec.name;
      }
      if (scenario.run.ramp_ps.has_value()) {
        spec.ramp_time = static_cast<host::TimePs>(*scenario.run.ramp_ps);
      }
      specs.push_back(std::move(spec));
    }
  }
  if (specs.empty()) return;
  for (const host::JobSpec& spec : specs) {
    AddFileNeeds(spec);
    first_free_task_ += spec.numjobs;
  }
  host::RunnerOptions options;
  options.seed = scenario.run.seed;
  options.costs = parameters.workload;
  options.runtime_override = static_cast<host::TimePs>(scenario.run.runtime_ps.value_or(0));
  options.cut_at_deadline = scenario.run.runtime_ps.has_value() && !scenario.run.drain;
  host::RunnerHooks hooks;
  hooks.device = [this](const std::string& filename, const host::JobSpec& spec) {
    return DeviceOf(filename, spec);
  };
  hooks.cgroup = [this, &scenario](const host::JobSpec& spec) -> host::Cgroup* {
    const std::string& bound = scenario.jobs[static_cast<std::size_t>(spec.instance)].cgroup;
    if (!bound.empty()) return machine_->cgroups().Find(bound);
    if (spec.cgroup.empty()) return machine_->cgroups().root();
    host::Cgroup* const cgroup = machine_->cgroups().Mkdir(spec.cgroup);
    if (spec.cgroup_weight != 0) cgroup->set_bfq_weight(spec.cgroup_weight);
    return cgroup;
  };
  generators_.push_back(std::make_unique<host::Runner>(&machine_->clock(), machine_->cpus(),
                                                       std::move(specs), options, hooks));
}

void Workload::AddReplay(const Scenario& scenario, std::size_t index,
                         const Parameters& parameters) {
  const JobSpec& job = scenario.jobs[index];
  const TraceSpec& spec = job.trace;
  const std::filesystem::path path = std::filesystem::path(scenario.folder) / spec.file;
  const std::string file = spec.file == "-" ? spec.file : path.lexically_normal().string();
  trace::ReplayOptions options;
  options.speedup = spec.speedup;
  options.closed_loop = spec.closed_loop;
  options.runtime = static_cast<host::TimePs>(scenario.run.runtime_ps.value_or(0));
  options.ramp_time = static_cast<host::TimePs>(scenario.run.ramp_ps.value_or(0));
  options.cut_at_deadline = scenario.run.runtime_ps.has_value() && !scenario.run.drain;
  options.costs = parameters.workload;
  options.instance = static_cast<int>(index);
  options.first_task = first_free_task_;
  first_free_task_ += trace::Replay::kMostTasks;
  options.rules.by = spec.by == "device"    ? trace::StreamKey::kDevice
                     : spec.by == "process" ? trace::StreamKey::kProcess
                                            : trace::StreamKey::kAll;
  options.rules.cgroup_of.assign(spec.map.begin(), spec.map.end());
  auto reader = trace::OpenTrace(file, spec.format);
  options.job_options = {{"read_iolog", spec.file}, {"trace_format", reader->format()}};
  if (spec.closed_loop != 0) {
    options.job_options.emplace_back("iodepth", std::to_string(spec.closed_loop));
    options.job_options.emplace_back("replay_no_stall", "1");
  } else if (spec.speedup != 1) {
    options.job_options.emplace_back("speedup", fmt::format("{}", spec.speedup));
  }
  trace::ReplayHooks hooks;
  hooks.disk = &machine_->disk();
  hooks.cgroup = [this, &job](const std::string& name) {
    const std::string& wanted = name.empty() ? job.cgroup : name;
    return wanted.empty() ? machine_->cgroups().root() : machine_->cgroups().Mkdir(wanted);
  };
  generators_.push_back(std::make_unique<trace::Replay>(&machine_->clock(), machine_->cpus(),
                                                        std::move(reader), options, hooks));
}

void Workload::Warn(std::string text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) {
    warnings_.push_back(std::move(text));
  }
}

/// A file is as large as the job that addresses most of it asks for.
void Workload::AddFileNeeds(const host::JobSpec& spec) {
  const std::uint64_t per_file = spec.size.bytes / std::max<std::size_t>(1, spec.filenames.size()) +
                                 spec.offset.bytes +
                                 (spec.numjobs - 1) * spec.offset_increment.bytes;
  for (const std::string& name : spec.filenames) {
    std::uint64_t& need = file_needs_[name];
    need = std::max({need, spec.size.bytes == 0 ? 0 : per_file, spec.filesize.bytes});
  }
}

host::BlockDevice* Workload::DeviceOf(const std::string& filename, const host::JobSpec& spec) {
  host::BlockDevice* const disk = &machine_->disk();
  if (IsOurDisk(filename)) return disk;
  if (filename.rfind("/dev/", 0) == 0) {
    Warn(fmt::format("{}: {} stands for /dev/nvme0n1, the one disk of the simulated machine",
                     spec.where, filename));
    return disk;
  }
  const auto known = files_.find(filename);
  if (known != files_.end()) return known->second.get();
  const std::string place = fmt::format("{}: job '{}'", spec.where, spec.name);
  const std::uint64_t wanted = file_needs_[filename];
  if (wanted == 0) {
    throw UserError(place, fmt::format("file {} has no size", filename),
                    "add size=, or filename=/dev/nvme0n1 for the whole disk");
  }
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 20;
  const std::uint64_t capacity = disk->CapacityBytes();
  const std::uint64_t bytes = (wanted + kUnit - 1) / kUnit * kUnit;
  if (bytes > capacity - file_bytes_) {
    throw UserError(place, fmt::format("no room for file {} of {} bytes", filename, bytes),
                    fmt::format("the disk has {} bytes, {} are taken", capacity, file_bytes_));
  }
  Warn(fmt::format("{}: file {} is {} MiB of /dev/nvme0n1; there is no file system", spec.where,
                   filename, bytes / kUnit));
  auto& file = files_[filename];
  file = std::make_unique<host::FileRegion>(disk, file_bytes_, bytes);
  file_bytes_ += bytes;
  return file.get();
}

void Workload::Start() {
  for (const auto& generator : generators_) generator->Start();
}

void Workload::StopEarly() {
  for (const auto& generator : generators_) generator->StopEarly();
}

bool Workload::Finished() const {
  return std::all_of(generators_.begin(), generators_.end(),
                     [](const auto& generator) { return generator->Finished(); });
}

host::RunProgress Workload::Progress() {
  host::RunProgress all;
  for (const auto& generator : generators_) {
    const host::RunProgress one = generator->Progress();
    all.fraction += one.fraction / static_cast<double>(generators_.size());
    all.ios += one.ios;
    all.bytes += one.bytes;
    all.in_flight += one.in_flight;
    all.iops += one.iops;
    all.waiting += one.waiting;
    all.running += one.running;
    all.finished += one.finished;
  }
  return all;
}

std::vector<host::JobResult> Workload::Results() const {
  std::vector<host::JobResult> all;
  for (const auto& generator : generators_) {
    const std::vector<host::JobResult> some = generator->Results();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void Workload::CheckInput() const {
  for (const auto& generator : generators_) generator->CheckInput();
}

std::vector<std::string> Workload::Notes() const {
  std::vector<std::string> all;
  for (const auto& generator : generators_) {
    const std::vector<std::string> some = generator->Notes();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void Workload::WarnOfUnusedLevels(const VariantSpec& variant) {
  const std::vector<host::JobResult> jobs = Results();
  for (const auto& [name, level] : variant.io_wrr) {
    const host::Cgroup* const cgroup = machine_->cgroups().Find(name);
    const bool used = std::any_of(jobs.begin(), jobs.end(), [cgroup](const host::JobResult& job) {
      return job.cgroup == cgroup;
    });
    if (level == "none") continue;
    std::string why;
    if (!used) {
      why = "no job runs in it";
    } else if (!HasQueues(cgroup)) {
      why = fmt::format("host.wrr_{}_queues is 0, its I/O takes the default queues", level);
    }
    if (why.empty()) continue;
    warnings_.push_back(fmt::format("cgroup {}: level {} has no effect: {}", name, level, why));
  }
}

bool Workload::HasQueues(const host::Cgroup* cgroup) const {
  const host::WrrLevel level = cgroup->Level(machine_->parameters().nvme.disk_number);
  const auto type =
      static_cast<std::size_t>(host::TypeOf(host::BioOp::kWrite, /*polled=*/false, level));
  return machine_->driver().plan().count[type] > 0;
}

host::fio::FioInput Workload::Read(const Scenario& scenario, const JobSpec& job) const {
  host::fio::ParseContext context;
  context.cpu_count = machine_->cpus().cpu_count();
  if (!job.arguments.empty()) return host::fio::ParseCommandLine(job.arguments, context);
  if (!job.command.empty()) {
    const std::string where = fmt::format("{}:{}: job[].command", scenario.path, job.line);
    try {
      return host::fio::ParseCommandLine(host::fio::SplitShellLine(job.command, where), context);
    } catch (const UserError& error) {
      const std::string what = error.what();
      if (what.rfind(where, 0) == 0) throw;
      throw UserError(where, what, "");
    }
  }
  const std::filesystem::path path = std::filesystem::path(scenario.folder) / job.file;
  return host::fio::ParseJobFiles({path.lexically_normal().string()}, context);
}

void Workload::MakeCgroups(const Scenario& scenario, const VariantSpec& variant) {
  const host::DiskId disk = host::NvmePci::disk_id();
  host::CgroupTree& tree = machine_->cgroups();
  for (const CgroupSpec& cgroup : scenario.cgroups) {
    host::Cgroup* const group = tree.Mkdir(cgroup.name);
    const auto level = variant.io_wrr.find(cgroup.name);
    const std::string word = level == variant.io_wrr.end() ? "none" : level->second;
    tree.Write(*group, "io.wrr", fmt::format("{}:{} {}", disk.major, disk.minor, word));
    const auto write_weight = [&](const char* file, const std::map<std::string, int>& weights) {
      const auto weight = weights.find(cgroup.name);
      if (weight != weights.end()) tree.Write(*group, file, std::to_string(weight->second));
    };
    write_weight("io.bfq.weight", variant.io_bfq_weight);
    write_weight("io.weight", variant.io_weight);
    const auto policy = variant.io_prio_class.find(cgroup.name);
    if (policy != variant.io_prio_class.end()) tree.Write(*group, "io.prio.class", policy->second);
  }
}

}  // namespace nvmearb::sim
