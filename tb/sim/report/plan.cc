// SPDX-License-Identifier: Apache-2.0
#include "sim/report/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "host_driver/block/hctx_type.h"
#include "host_driver/nvme/queue_plan.h"
#include "nvme/features.h"
#include "sim/scenario/value.h"
#include "sim/simulation/run_events.h"

namespace nvmearb::sim {
namespace {

using host::HctxType;

constexpr std::array<const char*, 4> kArbiterClasses = {"urgent", "high", "medium", "low"};
constexpr std::size_t kLineWidth = 100;

nvme::ArbitrationFeature ArbitrationOf(const Parameters& parameters) {
  return parameters.nvme.arbitration.has_value()
             ? nvme::ArbitrationFeature::Decode(*parameters.nvme.arbitration)
             : parameters.device.firmware.arbitration_default;
}

/// Effective weight of an arbiter class; 0: strict priority.
unsigned WeightOf(const nvme::ArbitrationFeature& feature, std::size_t arbiter_class) {
  const std::array<unsigned, 4> weights = {0, feature.HighCount(), feature.MediumCount(),
                                           feature.LowCount()};
  return weights[arbiter_class];
}

std::string ValueText(const ParameterKey& key, const Value& value) {
  switch (key.type) {
    case ValueType::kText:
    case ValueType::kChoice:
      return value.text;
    case ValueType::kTime:
      return FormatTime(value.integer);
    case ValueType::kNumber:
      return fmt::format("{}", value.number);
    case ValueType::kFlag:
      return value.flag ? "true" : "false";
    case ValueType::kInteger:
    case ValueType::kBytes:
      return std::to_string(value.integer);
    case ValueType::kTexts:
      return fmt::format("{}", fmt::join(value.texts, ","));
    case ValueType::kIntegers:
      return fmt::format("{}", fmt::join(value.integers, ","));
  }
  return "";
}

/// What scenario and variant set; the variant's counts.
std::string SettingsLine(const Scenario& scenario, const VariantSpec& variant) {
  std::map<std::string, std::string> set;
  for (const auto* overrides : {&scenario.overrides, &variant.overrides}) {
    for (const Override& override : *overrides) {
      set[override.key->path] = ValueText(*override.key, override.value);
    }
  }
  if (set.empty()) return "";
  std::vector<std::string> parts;
  parts.reserve(set.size());
  for (const auto& [key, value] : set) parts.push_back(fmt::format("{} = {}", key, value));
  return fmt::format("  set: {}\n", fmt::join(parts, ", "));
}

/// Class whose queues carry I/O of that kind on this machine.
HctxType CarriedBy(const Machine& machine, HctxType wanted) {
  const bool there = machine.driver().plan().count[static_cast<std::size_t>(wanted)] > 0;
  return there ? wanted : HctxType::kDefault;
}

std::string QueueTable(const Machine& machine) {
  const host::NvmePci& driver = machine.driver();
  const host::QueuePlan& plan = driver.plan();
  const Parameters& parameters = machine.parameters();
  const nvme::ArbitrationFeature feature = ArbitrationOf(parameters);
  const bool wrr = driver.wrr_enabled();
  std::string out;
  if (wrr) {
    out += fmt::format(
        "  arbitration: weighted round robin with urgent class, weights {}:{}:{} ({}), ",
        feature.HighCount(), feature.MediumCount(), feature.LowCount(),
        parameters.nvme.arbitration.has_value() ? "Set Features 01h" : "the drive's own");
  } else {
    out += "  arbitration: round robin, ";
  }
  out += feature.BurstCount() == 0 ? "no burst limit\n"
                                   : fmt::format("burst {}\n", feature.BurstCount());
  out += fmt::format("\n  {:<9} {:>6}  {:<10} {:<13} {:>6}  {:>16}\n", "queues", "count", "SQ ids",
                     "arbiter class", "weight", "share if all ask");
  // Each class of the arbiter shares its weight among its queues, whatever Linux calls them.
  std::set<std::size_t> weighted;
  unsigned sum = 0;
  for (unsigned qid = 1; qid <= plan.Total(); ++qid) {
    const std::size_t arbiter_class = QprioOf(parameters.nvme, plan, wrr, plan.TypeOfQueue(qid));
    if (weighted.insert(arbiter_class).second) sum += WeightOf(feature, arbiter_class);
  }
  unsigned first = 1;
  for (std::size_t type = 0; type < plan.count.size(); ++type) {
    const unsigned count = plan.count[type];
    if (count == 0) continue;
    const std::string ids =
        count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
    first += count;
    const std::size_t arbiter_class =
        QprioOf(parameters.nvme, plan, wrr, static_cast<HctxType>(type));
    std::string weight = "-";
    std::string share = wrr ? "first" : fmt::format("{:.1f} %", 100.0 * count / plan.Total());
    if (wrr && arbiter_class != 0) {
      weight = std::to_string(WeightOf(feature, arbiter_class));
      unsigned queues_of_class = 0;
      for (unsigned qid = 1; qid <= plan.Total(); ++qid) {
        queues_of_class +=
            QprioOf(parameters.nvme, plan, wrr, plan.TypeOfQueue(qid)) == arbiter_class ? 1 : 0;
      }
      share = fmt::format("{:.1f} %",
                          100.0 * WeightOf(feature, arbiter_class) / sum * count / queues_of_class);
    }
    out += fmt::format("  {:<9} {:>6}  {:<10} {:<13} {:>6}  {:>16}\n",
                       host::HctxTypeName(static_cast<HctxType>(type)), count, ids,
                       wrr ? kArbiterClasses[arbiter_class] : "-", weight, share);
  }
  return out;
}

/// Of [[path]] entries: the link, where it ends, and what is at its end.
std::string PathTable(const Machine& machine) {
  const Parameters& parameters = machine.parameters();
  if (parameters.paths.empty()) return "";
  std::string out = fmt::format("\n  {:<12} {:<8} {:>10} {:>10} {:>12} {:>14} {:>5}  {:<13} {}\n",
                                "path", "drive", "latency", "jitter", "per command", "bandwidth",
                                "node", "ANA state", "queues");
  for (std::size_t i = 0; i < parameters.paths.size(); ++i) {
    const PathParameters& path = parameters.paths[i];
    const auto time = [](std::uint64_t ps) { return FormatTime(static_cast<std::int64_t>(ps)); };
    const std::uint64_t rate = path.link.bandwidth_bytes_per_s;
    out +=
        fmt::format("  {:<12} {:<8} {:>10} {:>10} {:>12} {:>14} {:>5}  {:<13} {}\n", path.name,
                    path.drive.empty() ? "own" : path.drive, time(path.link.latency_ps),
                    time(path.link.jitter_ps), time(path.link.command_ps),
                    rate == 0 ? "-" : fmt::format("{:.1f} MB/s", static_cast<double>(rate) / 1e6),
                    path.numa_node == host::kNoNode ? "-" : std::to_string(path.numa_node),
                    host::AnaStateName(path.ana), machine.controllers()[i]->driver->plan().Total());
  }
  return out + fmt::format("  iopolicy {}; the queues below are those of each path\n",
                           parameters.multipath.iopolicy);
}

std::string CgroupTable(const Scenario& scenario, const VariantSpec& variant,
                        const Machine& machine) {
  if (scenario.cgroups.empty()) return "";
  std::string out = fmt::format("\n  {:<16} {:<8} {}\n", "cgroup", "io.wrr", "queues of its I/O");
  for (const CgroupSpec& cgroup : scenario.cgroups) {
    const auto level = variant.io_wrr.find(cgroup.name);
    const std::string word = level == variant.io_wrr.end() ? "none" : level->second;
    host::WrrLevel wrr = host::WrrLevel::kNone;
    for (int i = 0; i < host::kWrrLevelCount; ++i) {
      if (word == host::WrrLevelName(static_cast<host::WrrLevel>(i))) {
        wrr = static_cast<host::WrrLevel>(i);
      }
    }
    const auto carried = [&](host::BioOp op) {
      return std::string(host::HctxTypeName(CarriedBy(machine, host::TypeOf(op, false, wrr))));
    };
    const std::string reads = carried(host::BioOp::kRead);
    const std::string writes = carried(host::BioOp::kWrite);
    out += fmt::format("  {:<16} {:<8} {}\n", cgroup.name, word,
                       reads == writes ? reads : fmt::format("{} for reads, {}", reads, writes));
  }
  return out;
}

/// Clones of one section of a job file.
struct JobRow {
  const host::JobResult* first = nullptr;
  unsigned clones = 0;
  std::vector<unsigned> cpus;
};

std::string JobTable(const Machine& machine, const Workload& workload) {
  const std::vector<host::JobResult> results = workload.Results();
  std::vector<JobRow> rows;
  std::uint64_t outstanding = 0;
  for (const host::JobResult& one : results) {
    if (rows.empty() || rows.back().first->spec != one.spec) rows.push_back({&one, 0, {}});
    ++rows.back().clones;
    rows.back().cpus.push_back(one.cpu);
    outstanding += one.spec->iodepth;
  }
  std::string out = fmt::format("\n  {:<16} {:<10} {:>6} {:>6} {:>12}  {:<8} {}\n", "job", "cgroup",
                                "clones", "depth", "outstanding", "queues", "CPUs");
  for (JobRow& row : rows) {
    const host::JobSpec& spec = *row.first->spec;
    const unsigned disk = machine.parameters().nvme.disk_number;
    const HctxType type =
        CarriedBy(machine, host::TypeOf(spec.reads ? host::BioOp::kRead : host::BioOp::kWrite,
                                        spec.hipri, row.first->cgroup->Level(disk)));
    std::sort(row.cpus.begin(), row.cpus.end());
    out += fmt::format("  {:<16} {:<10} {:>6} {:>6} {:>12}  {:<8} {}\n", spec.name,
                       row.first->cgroup->path(), row.clones, spec.iodepth,
                       std::uint64_t{spec.iodepth} * row.clones, host::HctxTypeName(type),
                       Ranges(row.cpus));
  }
  const unsigned window = machine.parameters().device.media.window_slots;
  out += fmt::format("\n  at most {} I/Os outstanding, {} in the drive's window: {}\n", outstanding,
                     window,
                     outstanding > window ? "the arbiter decides who waits"
                                          : "all fit, arbitration decides nothing");
  return out;
}

/// "q1: 0,48  q2: 1,49 ..." in lines of equal width.
std::string CpuMap(const Machine& machine) {
  const host::BlkMq& block = machine.driver().block();
  const host::QueuePlan& plan = machine.driver().plan();
  const unsigned cpu_count = machine.cpus().cpu_count();
  std::string out = "\n  CPU map, SQ id: CPUs\n";
  for (std::size_t type = 0; type < plan.count.size(); ++type) {
    if (plan.count[type] == 0) continue;
    std::map<unsigned, std::vector<unsigned>> cpus_of;
    for (unsigned cpu = 0; cpu < cpu_count; ++cpu) {
      const host::Hctx* const hctx = block.HctxFor(static_cast<HctxType>(type), cpu);
      cpus_of[hctx->index + 1u].push_back(cpu);
    }
    std::string line = fmt::format("  {:<9}", host::HctxTypeName(static_cast<HctxType>(type)));
    for (const auto& [qid, cpus] : cpus_of) {
      const std::string entry = fmt::format(" {}: {};", qid, Ranges(cpus));
      if (line.size() + entry.size() > kLineWidth) {
        out += line + "\n";
        line = std::string(11, ' ');
      }
      line += entry;
    }
    line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string Ranges(const std::vector<unsigned>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] <= numbers[last] + 1) ++last;
    if (!out.empty()) out += ",";
    out += std::to_string(numbers[i]);
    if (numbers[last] != numbers[i]) {
      out += (numbers[last] == numbers[i] + 1 ? "," : "-") + std::to_string(numbers[last]);
    }
    i = last + 1;
  }
  return out;
}

std::string SummaryOf(const std::vector<Comparison>& comparisons) {
  if (comparisons.empty()) return "";
  std::vector<std::string> metrics;
  std::set<std::string> jobs;
  std::set<std::string> variants;
  for (const Comparison& one : comparisons) {
    if (std::find(metrics.begin(), metrics.end(), one.metric) == metrics.end()) {
      metrics.push_back(one.metric);
    }
    jobs.insert(one.job);
    variants.insert(one.variant);
  }
  const auto plural = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format("{} of {} in {}, {}", fmt::join(metrics, " and "), plural(jobs.size(), "job"),
                     plural(variants.size(), "variant"),
                     plural(comparisons.size(), "published value"));
}

std::string DescribeScenario(const Scenario& scenario, const std::vector<Comparison>& comparisons) {
  std::string out =
      fmt::format("{}: {}\n  source: {}\n", scenario.name, scenario.title, scenario.source);
  if (scenario.run.runtime_ps.has_value()) {
    out += fmt::format("  time: {} behind a ramp of {}\n", FormatTime(*scenario.run.runtime_ps),
                       FormatTime(scenario.run.ramp_ps.value_or(0)));
  }
  for (const EventSpec& event : scenario.events) {
    out += fmt::format(
        "  event at {}{}: {}\n", FormatTime(event.at_ps),
        event.variants.empty() ? "" : fmt::format(" in {}", fmt::join(event.variants, ", ")),
        DescribeEvent(event));
  }
  out += comparisons.empty() ? "  compares nothing with published values\n"
                             : fmt::format("  compares {}\n", SummaryOf(comparisons));
  return out;
}

std::string DescribePlan(const Scenario& scenario, const VariantSpec& variant,
                         const Machine& machine, const Workload& workload) {
  std::string out = fmt::format("\nvariant {}: {} CPUs ({}), drive {}\n", variant.name,
                                machine.cpus().cpu_count(), machine.cpus().ToString(),
                                machine.parameters().preset);
  if (!variant.note.empty()) out += fmt::format("  note: {}\n", variant.note);
  out += SettingsLine(scenario, variant);
  out += PathTable(machine);
  out += QueueTable(machine);
  out += CgroupTable(scenario, variant, machine);
  out += JobTable(machine, workload);
  out += CpuMap(machine);
  for (const std::string& warning : workload.warnings()) {
    out += fmt::format("  warning: {}\n", warning);
  }
  for (const std::string& notice : machine.driver().notices()) {
    out += fmt::format("  nvme: {}\n", notice);
  }
  return out;
}

}  // namespace nvmearb::sim
