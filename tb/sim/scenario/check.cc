// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "host_driver/base/user_error.h"
#include "host_driver/cgroup/cgroup.h"
#include "sim/scenario/keys.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

std::string Where(const Scenario& scenario, int line, const char* key) {
  return fmt::format("{}:{}: {}", scenario.path, line, key);
}

template <typename T>
std::vector<std::string> Names(const std::vector<T>& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const T& entry : list) names.push_back(entry.name);
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A name that refers to another entry of the file.
void CheckReference(const Scenario& scenario, int line, const char* key, const std::string& name,
                    const std::vector<std::string>& names) {
  if (Contains(names, name)) return;
  throw UserError(
      Where(scenario, line, key), fmt::format("\"{}\" is not in this file", name),
      names.empty() ? "there is none" : fmt::format("it has {}", fmt::join(names, ", ")));
}

template <typename T>
void CheckUnique(const Scenario& scenario, const char* key, const std::vector<T>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (list[i].name == list[j].name) {
        throw UserError(Where(scenario, list[i].line, key),
                        fmt::format("\"{}\" again (first at line {})", list[i].name, list[j].line),
                        "names are unique");
      }
    }
  }
}

/// Two spellings of one path are one cgroup; the root has no io.wrr.
void CheckCgroups(const Scenario& scenario) {
  host::CgroupTree tree;
  std::map<const host::Cgroup*, const CgroupSpec*> seen;
  for (const CgroupSpec& spec : scenario.cgroups) {
    const host::Cgroup* const cgroup = tree.Mkdir(spec.name);
    const std::string where = Where(scenario, spec.line, "cgroup[].name");
    if (cgroup == tree.root()) {
      throw UserError(where, fmt::format("\"{}\" is the root", spec.name),
                      "a path below it; jobs without a cgroup run in the root");
    }
    const auto [first, is_new] = seen.emplace(cgroup, &spec);
    if (is_new) continue;
    throw UserError(where,
                    fmt::format("\"{}\" again (first at line {})", spec.name, first->second->line),
                    "paths are unique");
  }
}

void CheckTrace(const Scenario& scenario, const JobSpec& job) {
  const TraceSpec& trace = job.trace;
  if (trace.file.empty()) {
    const TraceSpec none;
    if (trace.format.empty() && trace.speedup == none.speedup && trace.closed_loop == 0 &&
        trace.by == none.by && trace.map.empty()) {
      return;
    }
    throw UserError(Where(scenario, job.line, "job[].trace"), "missing, though keys of it are set",
                    "trace_format, speedup, closed_loop, by and map are for traces");
  }
  for (const auto& [key, cgroup] : trace.map) {
    CheckReference(scenario, job.line, "job[].map", cgroup, Names(scenario.cgroups));
  }
}

void CheckJob(const Scenario& scenario, const JobSpec& job) {
  const int ways =
      (job.file.empty() ? 0 : 1) + (job.command.empty() ? 0 : 1) + (job.trace.file.empty() ? 0 : 1);
  if (ways != 1) {
    throw UserError(Where(scenario, job.line, "job[].file"),
                    ways == 0 ? "neither file nor command nor trace"
                              : "more than one of file, command and trace",
                    "exactly one of them");
  }
  CheckTrace(scenario, job);
  const std::filesystem::path file = std::filesystem::path(scenario.folder) / job.file;
  std::error_code ignored;
  if (!job.file.empty() &&
      (!std::filesystem::exists(file, ignored) || std::filesystem::is_directory(file, ignored))) {
    throw UserError(Where(scenario, job.line, "job[].file"),
                    fmt::format("there is no file \"{}\"", file.lexically_normal().string()),
                    "a fio job file, relative to the scenario");
  }
  if (!job.cgroup.empty()) {
    CheckReference(scenario, job.line, "job[].cgroup", job.cgroup, Names(scenario.cgroups));
  }
}

void CheckVariant(const Scenario& scenario, const VariantSpec& variant) {
  for (const auto& [cgroup, level] : variant.io_wrr) {
    CheckReference(scenario, variant.line, "variant[].io_wrr", cgroup, Names(scenario.cgroups));
  }
  for (const auto* weights : {&variant.io_bfq_weight, &variant.io_weight}) {
    for (const auto& [cgroup, weight] : *weights) {
      CheckReference(scenario, variant.line, "variant[].io_weight", cgroup,
                     Names(scenario.cgroups));
    }
  }
  for (const auto& [cgroup, policy] : variant.io_prio_class) {
    CheckReference(scenario, variant.line, "variant[].io_prio_class", cgroup,
                   Names(scenario.cgroups));
  }
}

void CheckEvent(const Scenario& scenario, const EventSpec& event) {
  if (!event.weights.has_value() && !event.burst.has_value() && event.io_wrr.empty() &&
      event.iosched.empty() && event.iopolicy.empty() && event.link.empty() && event.ana.empty() &&
      event.latency.empty() && event.bandwidth.empty()) {
    throw UserError(Where(scenario, event.line, "event"), "it changes nothing",
                    "weights, burst, io_wrr, iosched, iopolicy, link, latency, bandwidth or ana");
  }
  if (!event.iopolicy.empty() && scenario.paths.empty()) {
    throw UserError(Where(scenario, event.line, "event[].iopolicy"), "there is no [[path]]",
                    "it is an attribute of multipath");
  }
  const auto check_paths = [&](const char* key, const auto& by_path) {
    for (const auto& [path, value] : by_path) {
      CheckReference(scenario, event.line, key, path, Names(scenario.paths));
    }
  };
  check_paths("event[].link", event.link);
  check_paths("event[].latency", event.latency);
  check_paths("event[].bandwidth", event.bandwidth);
  check_paths("event[].ana", event.ana);
  for (const std::string& name : event.variants) {
    CheckReference(scenario, event.line, "event[].variants", name, Names(scenario.variants));
  }
  for (const auto& [cgroup, level] : event.io_wrr) {
    CheckReference(scenario, event.line, "event[].io_wrr", cgroup, Names(scenario.cgroups));
  }
}

void CheckCompare(const Scenario& scenario, const CompareSpec& compare) {
  if (scenario.published.file.empty() || scenario.published.workload.empty()) {
    throw UserError(Where(scenario, compare.line, "compare"), "no [published] file and workload",
                    "a comparison needs both");
  }
  if (!compare.relative_to.empty()) {
    CheckReference(scenario, compare.line, "compare[].relative_to", compare.relative_to,
                   Names(scenario.variants));
  }
  if (compare.order && (compare.variants.size() < 2 || !compare.relative_to.empty())) {
    throw UserError(Where(scenario, compare.line, "compare[].order"),
                    compare.variants.size() < 2 ? "one variant" : "and relative_to",
                    "at least two variants, and no ratios");
  }
  for (const std::string& name : compare.variants) {
    CheckReference(scenario, compare.line, "compare[].variants", name, Names(scenario.variants));
    for (const VariantSpec& variant : scenario.variants) {
      if (variant.name == name && variant.published_policy.empty()) {
        throw UserError(Where(scenario, variant.line, "variant[].published"), "missing",
                        "required where the variant is compared");
      }
    }
  }
  for (const std::string& name : compare.jobs) {
    CheckReference(scenario, compare.line, "compare[].jobs", name, Names(scenario.jobs));
    for (const JobSpec& job : scenario.jobs) {
      if (job.name == name && job.published_job.empty()) {
        throw UserError(Where(scenario, job.line, "job[].published"), "missing",
                        "required where the job is compared");
      }
    }
  }
}

}  // namespace

void CheckScenario(const Scenario& scenario) {
  CheckCgroups(scenario);
  CheckUnique(scenario, "path[].name", scenario.paths);
  CheckUnique(scenario, "job[].name", scenario.jobs);
  CheckUnique(scenario, "variant[].name", scenario.variants);
  for (const JobSpec& job : scenario.jobs) CheckJob(scenario, job);
  for (const VariantSpec& variant : scenario.variants) CheckVariant(scenario, variant);
  for (const EventSpec& event : scenario.events) CheckEvent(scenario, event);
  for (const CompareSpec& compare : scenario.compares) CheckCompare(scenario, compare);
}

void CheckReasons(const Scenario& scenario) {
  for (const VariantSpec& variant : scenario.variants) {
    for (const Override& override : variant.overrides) {
      if (override.key->path.compare(0, 7, "device.") == 0 && variant.note.empty()) {
        throw UserError(Where(scenario, variant.line, "variant[].note"),
                        fmt::format("missing, though the variant sets {}", override.key->path),
                        "a device that differs between variants needs its reason");
      }
    }
  }
  const bool changed = scenario.run.runtime_ps.has_value() || scenario.run.ramp_ps.has_value();
  if (changed && scenario.run.reason.empty()) {
    throw UserError(Where(scenario, 1, "run.reason"),
                    "missing, though [run] changes the job's time", "say why");
  }
}

}  // namespace nvmearb::sim
