// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "host_driver/multipath/io_policy.h"
#include "nvme/base/check.h"
#include "trace/formats.h"

namespace nvmearb::sim {
namespace {

using Type = ValueType;

constexpr double kAnyInteger = 9e15;
constexpr double kDayPs = 86400e12;
const std::vector<std::string> kLevels = {"none", "low", "medium", "high", "urgent"};
const std::vector<std::string> kPolicies = {"no-change", "none-to-rt", "restrict-to-be", "idle"};
const std::vector<std::string> kMetrics = {"iops",       "bw",        "lat_mean", "lat_stddev",
                                           "slat_mean",  "clat_mean", "clat_p50", "clat_p99",
                                           "clat_p99.9", "merges"};
const std::vector<std::string> kAnaNames = {"optimized", "non-optimized", "inaccessible",
                                            "persistent-loss", "change"};

std::vector<std::string> TraceFormats() {
  std::vector<std::string> names;
  for (const trace::TraceFormat& format : trace::AllFormats()) names.emplace_back(format.name);
  return names;
}

std::vector<KeySpec> FileKeys() {
  std::vector<KeySpec> keys;
  const auto add = [&keys](std::string path, Type type, bool required, std::string doc,
                           void (*set)(Place&, const Value&), double low = 0, double high = 0,
                           std::string unit = "", std::vector<std::string> choices = {}) {
    keys.push_back({std::move(path), type, std::move(unit), low, high, std::move(choices), required,
                    std::move(doc), set, nullptr});
  };

  add("title", Type::kText, true, "One line: what is shown.",
      [](Place& p, const Value& v) { p.scenario->title = v.text; });
  add("source", Type::kText, true, "Where the experiment and its published numbers come from.",
      [](Place& p, const Value& v) { p.scenario->source = v.text; });

  add(
      "run.runtime", Type::kTime, false,
      "Replaces `runtime=` of every job (simulated time). Absent: the job's own.",
      [](Place& p, const Value& v) { p.scenario->run.runtime_ps = v.integer; }, 1e6, kDayPs);
  add(
      "run.ramp", Type::kTime, false,
      "Replaces `ramp_time=` of every job: I/O of this first part is not counted.",
      [](Place& p, const Value& v) { p.scenario->run.ramp_ps = v.integer; }, 0, kDayPs);
  add("run.drain", Type::kFlag, false,
      "With run.runtime: what is in flight at its end is awaited and counted, as fio does. Default "
      "false: counting stops there.",
      [](Place& p, const Value& v) { p.scenario->run.drain = v.flag; });
  add("run.reason", Type::kText, false, "Why runtime or ramp differ from the source's.",
      [](Place& p, const Value& v) { p.scenario->run.reason = v.text; });
  add(
      "run.seed", Type::kInteger, false, "Selects all random numbers of the run; default 1.",
      [](Place& p, const Value& v) {
        p.scenario->run.seed = static_cast<std::uint64_t>(v.integer);
      },
      0, kAnyInteger);
  add(
      "run.stall", Type::kTime, false,
      "With I/O outstanding and no completion for this simulated time the run ends with exit 3; "
      "default 2s.",
      [](Place& p, const Value& v) { p.scenario->run.stall_ps = v.integer; }, 1e6, kDayPs);

  add("published.file", Type::kText, false,
      "CSV of published values, relative to the scenario: "
      "source,workload,policy,job,metric,value,unit.",
      [](Place& p, const Value& v) { p.scenario->published.file = v.text; });
  add("published.workload", Type::kText, false, "Its column `workload`, whole.",
      [](Place& p, const Value& v) { p.scenario->published.workload = v.text; });

  add("cgroup[].name", Type::kText, true, "Path below the root cgroup.",
      [](Place& p, const Value& v) { p.cgroup->name = v.text; });

  add("path[].name", Type::kText, true, "Name of a way to the drive: a controller behind a link.",
      [](Place& p, const Value& v) { p.path->name = v.text; });
  add("path[].drive", Type::kText, false,
      "Controllers of paths with the same text share dies and write buffer. Absent: a drive of its "
      "own.",
      [](Place& p, const Value& v) { p.path->drive = v.text; });
  add(
      "path[].latency", Type::kTime, false, "One way through the link. Default 0.",
      [](Place& p, const Value& v) { p.path->latency_ps = v.integer; }, 0, 1e12);
  add(
      "path[].jitter", Type::kTime, false,
      "A command takes up to so much longer to the controller, uniformly. Default 0.",
      [](Place& p, const Value& v) { p.path->jitter_ps = v.integer; }, 0, 1e12);
  add(
      "path[].command_time", Type::kTime, false,
      "Time of the link per command, in each direction; one after the other. Default 0.",
      [](Place& p, const Value& v) { p.path->command_ps = v.integer; }, 0, 1e12);
  add(
      "path[].bandwidth", Type::kBytes, false,
      "Bytes per second of the link, in each direction. Absent: unlimited.",
      [](Place& p, const Value& v) { p.path->bandwidth = v.integer; }, 1e4, 1e12, "bytes/s");
  add(
      "path[].numa_node", Type::kInteger, false,
      "NUMA node of the host that the controller is near to. Absent: unknown.",
      [](Place& p, const Value& v) { p.path->numa_node = v.integer; }, 0, 15);
  add(
      "path[].ana", Type::kChoice, false,
      "ANA state of the namespace on this controller. Default optimized.",
      [](Place& p, const Value& v) { p.path->ana = v.text; }, 0, 0, "", kAnaNames);

  add("job[].name", Type::kText, true, "Name of this fio process in tables and JSON.",
      [](Place& p, const Value& v) { p.job->name = v.text; });
  add("job[].file", Type::kText, false,
      "fio job file, relative to the scenario. Exactly one of `file`, `command` and `trace`.",
      [](Place& p, const Value& v) { p.job->file = v.text; });
  add("job[].command", Type::kText, false, "fio's options as on its command line.",
      [](Place& p, const Value& v) { p.job->command = v.text; });
  add("job[].cgroup", Type::kText, false, "The [[cgroup]] it runs in; absent: the root.",
      [](Place& p, const Value& v) { p.job->cgroup = v.text; });
  add("job[].trace", Type::kText, false,
      "Block trace to replay instead of fio, relative to the scenario; plain or gzip.",
      [](Place& p, const Value& v) { p.job->trace.file = v.text; });
  add(
      "job[].trace_format", Type::kChoice, false,
      "Format of the trace. Absent: told from its first lines.",
      [](Place& p, const Value& v) { p.job->trace.format = v.text; }, 0, 0, "", TraceFormats());
  add(
      "job[].speedup", Type::kNumber, false, "Divides the times of the trace. Default 1.",
      [](Place& p, const Value& v) { p.job->trace.speedup = v.number; }, 1e-6, 1e9);
  add(
      "job[].closed_loop", Type::kInteger, false,
      "Keeps so many I/Os of the trace in flight, whatever its times. Absent: by its times.",
      [](Place& p, const Value& v) {
        p.job->trace.closed_loop = static_cast<std::uint32_t>(v.integer);
      },
      1, 65536, "I/Os");
  add("job[].by", Type::kChoice, false,
      "What tells the streams of the trace apart. Default device (a volume, LUN or file).",
      [](Place& p, const Value& v) { p.job->trace.by = v.text; }, 0, 0, "",
      {"device", "process", "all"});
  add("job[].map.<key>", Type::kText, false,
      "The [[cgroup]] in which I/O of that device or process is made; key \"*\": all others.",
      [](Place& p, const Value& v) { p.job->trace.map[p.wildcard] = v.text; });
  add("job[].published", Type::kText, false, "Its column `job` in the published CSV.",
      [](Place& p, const Value& v) { p.job->published_job = v.text; });

  add("variant[].name", Type::kText, true, "Name of this run of all jobs.",
      [](Place& p, const Value& v) { p.variant->name = v.text; });
  add("variant[].note", Type::kText, false,
      "Shown below its table; required where it sets a [device] key.",
      [](Place& p, const Value& v) { p.variant->note = v.text; });
  add("variant[].published", Type::kText, false,
      "What its column `policy` in the published CSV begins with.",
      [](Place& p, const Value& v) { p.variant->published_policy = v.text; });
  add(
      "variant[].weights", Type::kIntegers, false,
      "Effective weights high, medium, low, sent with Set Features 01h (the wire carries one less)."
      " Absent: the drive's own.",
      [](Place& p, const Value& v) {
        p.variant->weights = {static_cast<int>(v.integers[0]), static_cast<int>(v.integers[1]),
                              static_cast<int>(v.integers[2])};
      },
      1, 256);
  add(
      "variant[].burst", Type::kInteger, false,
      "Arbitration Burst AB: up to 2^AB commands per turn, 7 = no limit. Absent: the drive's own.",
      [](Place& p, const Value& v) { p.variant->burst = static_cast<int>(v.integer); }, 0, 7);
  add(
      "variant[].io_wrr.<cgroup>", Type::kChoice, false,
      "Level written to the io.wrr file of that cgroup; absent: none.",
      [](Place& p, const Value& v) { p.variant->io_wrr[p.wildcard] = v.text; }, 0, 0, "", kLevels);

  add(
      "variant[].io_prio_class.<cgroup>", Type::kChoice, false,
      "Policy written to the io.prio.class file of that cgroup; absent: no-change.",
      [](Place& p, const Value& v) { p.variant->io_prio_class[p.wildcard] = v.text; }, 0, 0, "",
      kPolicies);

  add(
      "variant[].io_bfq_weight.<cgroup>", Type::kInteger, false,
      "Weight for bfq, written to the io.bfq.weight file of that cgroup; absent: 100.",
      [](Place& p, const Value& v) {
        p.variant->io_bfq_weight[p.wildcard] = static_cast<int>(v.integer);
      },
      1, 1000);
  add(
      "variant[].io_weight.<cgroup>", Type::kInteger, false,
      "Weight for iocost, written to the io.weight file of that cgroup; absent: 100.",
      [](Place& p, const Value& v) {
        p.variant->io_weight[p.wildcard] = static_cast<int>(v.integer);
      },
      1, 10'000);

  add(
      "event[].at", Type::kTime, true, "Simulated time since the jobs were started.",
      [](Place& p, const Value& v) { p.event->at_ps = v.integer; }, 0, kDayPs);
  add("event[].variants", Type::kTexts, false, "Variants in which it happens. Absent: in all.",
      [](Place& p, const Value& v) { p.event->variants = v.texts; });
  add(
      "event[].weights", Type::kIntegers, false,
      "New effective weights high, medium, low, sent with Set Features 01h.",
      [](Place& p, const Value& v) {
        p.event->weights = {static_cast<int>(v.integers[0]), static_cast<int>(v.integers[1]),
                            static_cast<int>(v.integers[2])};
      },
      1, 256);
  add(
      "event[].burst", Type::kInteger, false,
      "New Arbitration Burst AB, sent with Set Features 01h.",
      [](Place& p, const Value& v) { p.event->burst = static_cast<int>(v.integer); }, 0, 7);
  add(
      "event[].io_wrr.<cgroup>", Type::kChoice, false,
      "Level written to the io.wrr file of that cgroup.",
      [](Place& p, const Value& v) { p.event->io_wrr[p.wildcard] = v.text; }, 0, 0, "", kLevels);
  add(
      "event[].iosched.<attribute>", Type::kInteger, false,
      "New value of that attribute of the scheduler, as host.iosched has them.",
      [](Place& p, const Value& v) { p.event->iosched[p.wildcard] = v.integer; }, -1, kAnyInteger);

  add(
      "event[].iopolicy", Type::kChoice, false, "Written to the subsystem's iopolicy.",
      [](Place& p, const Value& v) { p.event->iopolicy = v.text; }, 0, 0, "",
      host::IoPolicyNames());
  add("event[].link.<path>", Type::kChoice, false,
      "The link of that path: down, up again, or silent (nothing gets through, nobody is told).",
      [](Place& p, const Value& v) { p.event->link[p.wildcard] = v.text; }, 0, 0, "",
      {"up", "down", "silent"});
  add(
      "event[].latency.<path>", Type::kTime, false, "New latency of the link of that path.",
      [](Place& p, const Value& v) { p.event->latency[p.wildcard] = v.integer; }, 0, 1e12);
  add(
      "event[].bandwidth.<path>", Type::kBytes, false, "New bandwidth of the link of that path.",
      [](Place& p, const Value& v) { p.event->bandwidth[p.wildcard] = v.integer; }, 1e4, 1e12,
      "bytes/s");
  add(
      "event[].ana.<path>", Type::kChoice, false, "New ANA state of the namespace on that path.",
      [](Place& p, const Value& v) { p.event->ana[p.wildcard] = v.text; }, 0, 0, "", kAnaNames);

  add("compare[].variants", Type::kTexts, true, "Variants whose values are compared.",
      [](Place& p, const Value& v) { p.compare->variants = v.texts; });
  add("compare[].jobs", Type::kTexts, true, "Jobs whose values are compared.",
      [](Place& p, const Value& v) { p.compare->jobs = v.texts; });
  add(
      "compare[].metric", Type::kChoice, true,
      "iops (io/s), bw (MiB/s), lat_mean, lat_stddev, slat_mean, clat_mean, clat_p50, clat_p99, "
      "clat_p99.9 "
      "(us), "
      "merges (of all jobs, count).",
      [](Place& p, const Value& v) { p.compare->metric = v.text; }, 0, 0, "", kMetrics);
  add("compare[].relative_to", Type::kText, false,
      "Compares each value's ratio to that variant's instead of the value.",
      [](Place& p, const Value& v) { p.compare->relative_to = v.text; });
  add("compare[].order", Type::kFlag, false,
      "Compares which variant of each pair has the larger value instead of the values; counts "
      "pairs.",
      [](Place& p, const Value& v) { p.compare->order = v.flag; });
  add(
      "compare[].tie_pct", Type::kNumber, false,
      "With order: published values this near to each other are in no order. Default 0.",
      [](Place& p, const Value& v) { p.compare->tie_pct = v.number; }, 0, 100, "%");
  add(
      "compare[].tolerance_pct", Type::kNumber, true, "Largest error that passes.",
      [](Place& p, const Value& v) { p.compare->tolerance_pct = v.number; }, 0, 100, "%");
  add("compare[].deviation", Type::kText, false,
      "The comparison is known not to hold; why. It is printed and never counted as a pass.",
      [](Place& p, const Value& v) { p.compare->deviation = v.text; });
  return keys;
}

std::vector<KeySpec> AllKeys() {
  std::vector<KeySpec> keys = FileKeys();
  for (const char* prefix : {"", "variant[]."}) {
    for (const ParameterKey& parameter : ParameterKeys()) {
      keys.push_back({prefix + parameter.path, parameter.type, parameter.unit, parameter.low,
                      parameter.high, parameter.choices, false, parameter.doc, nullptr,
                      &parameter});
    }
  }
  return keys;
}

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::string Limit(Type type, double value) {
  if (type == Type::kTime) return FormatTime(static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

std::string WithRange(const KeySpec& key, const std::string& what) {
  const std::string unit = key.unit.empty() ? "" : " " + key.unit;
  return fmt::format("{} from {} to {}{}", what, Limit(key.type, key.low),
                     Limit(key.type, key.high), unit);
}

}  // namespace

const std::vector<KeySpec>& ScenarioKeys() {
  static const std::vector<KeySpec> keys = AllKeys();
  return keys;
}

const KeySpec* FindKey(std::string_view path) {
  const KeySpec* any = nullptr;
  for (const KeySpec& key : ScenarioKeys()) {
    if (key.path == path) return &key;
    const std::size_t open = key.path.find(".<");
    if (open != std::string::npos && path.size() > open + 1 &&
        path.substr(0, open + 1) == std::string_view(key.path).substr(0, open + 1)) {
      any = &key;
    }
  }
  return any;
}

bool IsTable(std::string_view path) {
  return std::any_of(ScenarioKeys().begin(), ScenarioKeys().end(), [path](const KeySpec& key) {
    return key.path.size() > path.size() && key.path.compare(0, path.size(), path) == 0 &&
           key.path[path.size()] == '.';
  });
}

bool TakesAnyName(std::string_view prefix) {
  const KeySpec* key = FindKey(std::string(prefix) + "any");
  return key != nullptr && key->path.find('<') != std::string::npos;
}

std::vector<std::string> NamesIn(std::string_view prefix) {
  std::vector<std::string> names;
  for (const KeySpec& key : ScenarioKeys()) {
    if (key.path.compare(0, prefix.size(), prefix) != 0) continue;
    std::string name = key.path.substr(prefix.size());
    name = name.substr(0, name.find_first_of(".["));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string DescribeAllowed(const KeySpec& key) {
  switch (key.type) {
    case Type::kText:
      return "a string";
    case Type::kChoice:
      return fmt::format("one of {}", fmt::join(key.choices, ", "));
    case Type::kInteger:
      return WithRange(key, "an integer");
    case Type::kNumber:
      return WithRange(key, "a number");
    case Type::kFlag:
      return "true or false";
    case Type::kTime:
      return WithRange(key, "a time with its unit (\"80us\")");
    case Type::kBytes:
      return WithRange(key, "bytes (an integer or \"128k\")");
    case Type::kTexts:
      return "an array of strings";
    case Type::kIntegers:
      return fmt::format("three integers from {} to {}", key.low, key.high);
  }
  return "";
}

std::vector<std::string> Nearest(std::string_view word, const std::vector<std::string>& words,
                                 std::size_t limit) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : words) {
    std::size_t distance = EditDistance(word, candidate);
    // A part of the name is a near miss, too: "randread" for "wrr_v3_randread".
    if (word.size() >= 3 && candidate.find(word) != std::string::npos) {
      distance = std::min<std::size_t>(distance, 1);
    }
    if (distance <= 1 + std::max(word.size(), candidate.size()) / 3) {
      ranked.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ranked.size() && i < limit; ++i) names.push_back(ranked[i].second);
  return names;
}

void SetValue(const KeySpec& key, Place& place, const Value& value) {
  if (key.parameter == nullptr) {
    key.set(place, value);
    return;
  }
  auto& overrides = place.variant != nullptr ? place.variant->overrides : place.scenario->overrides;
  for (Override& existing : overrides) {
    if (existing.key == key.parameter) {
      existing.value = value;
      return;
    }
  }
  overrides.push_back({key.parameter, value});
}

std::string KeysMarkdown() {
  std::string text = "| key | takes | meaning |\n|---|---|---|\n";
  for (const KeySpec& key : ScenarioKeys()) {
    // Variants take every host and device key; one line says it.
    if (key.parameter != nullptr && key.path.compare(0, 9, "variant[]") == 0) continue;
    text += fmt::format("| `{}`{} | {} | {} |\n", key.path, key.required ? " (required)" : "",
                        DescribeAllowed(key), key.doc);
  }
  text +=
      "| `variant[].host.*`, `variant[].device.*` | as above | the same keys for one variant only "
      "|\n";
  return text;
}

}  // namespace nvmearb::sim
