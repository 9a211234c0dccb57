// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "host_driver/base/user_error.h"
#include "nvme/features.h"
#include "sim/simulation/parameters.h"

namespace nvmearb::sim {
namespace {

using Type = ValueType;

constexpr double kUs = 1e6;
constexpr double kSecond = 1e12;

std::uint64_t U64(const Value& value) { return static_cast<std::uint64_t>(value.integer); }
std::uint32_t U32(const Value& value) { return static_cast<std::uint32_t>(value.integer); }
std::uint32_t Ns(const Value& value) { return static_cast<std::uint32_t>(value.integer / 1000); }

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const ssd::Preset& preset : ssd::Presets()) names.emplace_back(preset.name);
  return names;
}

using Apply = void (*)(Parameters&, const Value&);

std::string Default(const host::Tunable& tunable) {
  return *tunable.value == host::kDerivedValue ? "derived" : std::to_string(*tunable.value);
}

/// One key per attribute; schedulers that share a name share the key.
void AddTunables(std::vector<ParameterKey>* keys) {
  for (const std::string& scheduler : host::SchedulerNames()) {
    const auto elevator = host::MakeElevator(scheduler, "host.scheduler");
    if (elevator == nullptr) continue;
    for (const host::Tunable& tunable : elevator->tunables()) {
      const std::string path = fmt::format("host.iosched.{}", tunable.name);
      const auto known = std::find_if(keys->begin(), keys->end(),
                                      [&](const ParameterKey& key) { return key.path == path; });
      if (known != keys->end()) {
        known->doc += fmt::format(", {} {}", scheduler, Default(tunable));
        known->low = std::min(known->low, static_cast<double>(tunable.low));
        known->high = std::max(known->high, static_cast<double>(tunable.high));
        continue;
      }
      keys->push_back({path,
                       Type::kInteger,
                       tunable.unit,
                       static_cast<double>(tunable.low),
                       static_cast<double>(tunable.high),
                       {},
                       fmt::format("queue/iosched/{}: {}. Defaults: {} {}", tunable.name,
                                   tunable.doc, scheduler, Default(tunable)),
                       nullptr,
                       tunable.name});
    }
  }
}

std::vector<ParameterKey> HostKeys() {
  std::vector<ParameterKey> keys;
  keys.push_back({"host.cpus",
                  Type::kText,
                  "",
                  0,
                  0,
                  {},
                  "CPUs as SOCKETSxCORESxTHREADS; default 2x24x2.",
                  [](Parameters& p, const Value& v) { p.cpus = v.text; }});
  const auto queues = [&keys](const char* name, const char* doc, Apply apply) {
    keys.push_back({fmt::format("host.{}", name),
                    Type::kInteger,
                    "queues",
                    0,
                    1023,
                    {},
                    fmt::format("Module parameter of nvme: {} Default 0.", doc),
                    apply});
  };
  queues("read_queues", "queues of their own for reads.",
         [](Parameters& p, const Value& v) { p.nvme.read_queues = U32(v); });
  queues("poll_queues", "queues without interrupts.",
         [](Parameters& p, const Value& v) { p.nvme.poll_queues = U32(v); });
  queues("wrr_low_queues", "queues of class low. Any wrr_*_queues selects weighted round robin.",
         [](Parameters& p, const Value& v) { p.nvme.wrr_low_queues = U32(v); });
  queues("wrr_medium_queues", "queues of class medium.",
         [](Parameters& p, const Value& v) { p.nvme.wrr_medium_queues = U32(v); });
  queues("wrr_high_queues", "queues of class high.",
         [](Parameters& p, const Value& v) { p.nvme.wrr_high_queues = U32(v); });
  queues("wrr_urgent_queues", "queues of class urgent.",
         [](Parameters& p, const Value& v) { p.nvme.wrr_urgent_queues = U32(v); });
  keys.push_back({"host.io_queue_depth",
                  Type::kInteger,
                  "entries",
                  2,
                  4095,
                  {},
                  "Module parameter of nvme: entries of an I/O queue. Default 1024.",
                  [](Parameters& p, const Value& v) { p.nvme.io_queue_depth = U32(v); }});
  keys.push_back({"host.io_timeout",
                  Type::kInteger,
                  "s",
                  1,
                  3600,
                  {},
                  "Module parameter of nvme: a command older than this is aborted. Default 30.",
                  [](Parameters& p, const Value& v) { p.nvme.io_timeout = U32(v); }});
  keys.push_back(
      {"host.vectors",
       Type::kInteger,
       "vectors",
       0,
       1024,
       {},
       "Interrupt vectors that the platform grants at most, the admin queue's included; 0: "
       "as many as asked for. Default 0.",
       [](Parameters& p, const Value& v) { p.nvme.vectors = U32(v); }});
  const auto cost = [&keys](const char* name, const char* doc, Apply apply) {
    keys.push_back({fmt::format("host.{}", name), Type::kTime, "", 0, 1000 * kUs, {}, doc, apply});
  };
  cost("task_submit_time", "CPU time of the task per I/O that it submits.",
       [](Parameters& p, const Value& v) { p.workload.submit_ns = Ns(v); });
  cost("task_reap_time", "CPU time of the task per I/O that it reaps.",
       [](Parameters& p, const Value& v) { p.workload.reap_ns = Ns(v); });
  keys.push_back({"host.task_stay",
                  Type::kTime,
                  "",
                  0,
                  86400 * kSecond,
                  {},
                  "Mean time that a job stays on a CPU before it is moved to another one; 0: it "
                  "stays. Default 0.",
                  [](Parameters& p, const Value& v) { p.workload.mean_stay = U64(v); }});
  cost("submit_time", "CPU time of block layer and driver per I/O, down to the doorbell.",
       [](Parameters& p, const Value& v) { p.costs.submit_ns = Ns(v); });
  cost("irq_latency", "From the interrupt message to its handler.",
       [](Parameters& p, const Value& v) { p.costs.irq_latency_ns = Ns(v); });
  cost("completion_time", "From the handler to the submitter's wake-up.",
       [](Parameters& p, const Value& v) { p.costs.completion_ns = Ns(v); });
  cost("request_time",
       "CPU time of the submitter per request made; I/O that merges does not pay it.",
       [](Parameters& p, const Value& v) { p.costs.request_ns = Ns(v); });
  cost("request_end_time",
       "CPU time of an interrupt per request, serial per CPU; the request ends behind it.",
       [](Parameters& p, const Value& v) { p.costs.request_end_ns = Ns(v); });
  cost("sched_insert_time", "CPU time in the scheduler per request inserted, under its lock.",
       [](Parameters& p, const Value& v) { p.costs.sched_insert_ns = Ns(v); });
  cost("sched_dispatch_time", "CPU time in the scheduler per call for the next request.",
       [](Parameters& p, const Value& v) { p.costs.sched_dispatch_ns = Ns(v); });
  cost("sched_end_time", "CPU time in the scheduler per request that ends.",
       [](Parameters& p, const Value& v) { p.costs.sched_end_ns = Ns(v); });
  keys.push_back({"host.rq_affinity",
                  Type::kInteger,
                  "",
                  1,
                  2,
                  {},
                  "Where a request ends: 1 on the interrupt's CPU if it shares a cache with the "
                  "submitter's, 2 on the submitter's. Default 1.",
                  [](Parameters& p, const Value& v) { p.costs.rq_affinity = U32(v); },
                  ""});
  keys.push_back({"host.scheduler", Type::kChoice, "", 0, 0, host::SchedulerNames(),
                  "I/O scheduler of the disk. Default none.",
                  [](Parameters& p, const Value& v) { p.nvme.scheduler = v.text; }, ""});
  keys.push_back({"host.nomerges",
                  Type::kFlag,
                  "",
                  0,
                  0,
                  {},
                  "queue/nomerges = 2: no I/O joins another. Default false.",
                  [](Parameters& p, const Value& v) { p.nvme.nomerges = v.flag; },
                  ""});
  keys.push_back({"host.nr_requests",
                  Type::kInteger,
                  "requests",
                  1,
                  10240,
                  {},
                  "Scheduler tags of a hardware queue. Default 2 * min(driver tags, 128).",
                  [](Parameters& p, const Value& v) { p.nvme.nr_requests = U32(v); },
                  ""});
  keys.push_back(
      {"host.io_cost_qos",
       Type::kText,
       "",
       0,
       0,
       {},
       "io.cost.qos of the disk: enable=1 turns iocost on; ctrl rpct rlat wpct wlat min max.",
       [](Parameters& p, const Value& v) { p.io_cost_qos = v.text; },
       ""});
  keys.push_back({"host.io_cost_model",
                  Type::kText,
                  "",
                  0,
                  0,
                  {},
                  "io.cost.model of the disk: rbps rseqiops rrandiops wbps wseqiops wrandiops.",
                  [](Parameters& p, const Value& v) { p.io_cost_model = v.text; },
                  ""});
  keys.push_back(
      {"nvme.posted_bugs",
       Type::kFlag,
       "",
       0,
       0,
       {},
       "The driver with the two faults of the series as posted: a controller without WRR "
       "turns WRR off for those behind it, and queues are urgent where no vector was left "
       "for WRR queues. Default false.",
       [](Parameters& p, const Value& v) { p.nvme.posted_bugs = v.flag; },
       ""});
  AddTunables(&keys);
  return keys;
}

template <auto Member>
void SetMultipath(Parameters& p, const Value& v) {
  p.multipath.nlat.*Member = U32(v);
}

/// Attributes of multipath and of its controllers; all of them need a [[path]].
std::vector<ParameterKey> MultipathKeys() {
  std::vector<ParameterKey> keys;
  keys.push_back({"host.iopolicy", Type::kChoice, "", 0, 0, host::IoPolicyNames(),
                  "The subsystem's iopolicy: which path an I/O takes. Default numa.",
                  [](Parameters& p, const Value& v) { p.multipath.iopolicy = v.text; }});
  const auto nlat = [&keys](const char* name, const char* unit, double low, double high,
                            const char* doc, Apply apply) {
    keys.push_back(
        {fmt::format("host.nlat_{}", name), Type::kInteger, unit, low, high, {}, doc, apply});
  };
  nlat("win_usec", "us", 1, 1e7, "Of the policy latency: window of its samples. Default 2000.",
       &SetMultipath<&host::NodeLatencyParams::win_usec>);
  nlat("lowat", "samples", 0, 1e6,
       "Of the policy latency: a window with fewer samples is stale. Default 2.",
       &SetMultipath<&host::NodeLatencyParams::lowat>);
  nlat("decay", "%", 0, 100,
       "Of the policy latency: what stays of a stale value per window. Default 50.",
       &SetMultipath<&host::NodeLatencyParams::decay>);
  const auto time = [&keys](const char* name, double low, const char* doc, Apply apply) {
    keys.push_back(
        {fmt::format("host.{}", name), Type::kTime, "", low, 86400 * kSecond, {}, doc, apply});
  };
  time("reconnect_delay", kUs, "Between two attempts to connect to a lost controller. Default 10s.",
       [](Parameters& p, const Value& v) { p.nvme.reconnect_delay = U64(v); });
  time("ctrl_loss_tmo", 0, "A controller lost for so long is given up. Default 600s.",
       [](Parameters& p, const Value& v) { p.nvme.ctrl_loss_tmo = U64(v); });
  time("fast_io_fail_tmo", 0,
       "After so long I/O no longer waits for a lost controller. Default 0: it does.",
       [](Parameters& p, const Value& v) { p.fast_io_fail_tmo = U64(v); });
  return keys;
}

std::vector<ParameterKey> DeviceKeys() {
  std::vector<ParameterKey> keys;
  keys.push_back({"device.preset", Type::kChoice, "", 0, 0, PresetNames(),
                  "The drive; the other [device] keys change it. Default p4510.",
                  [](Parameters& p, const Value& v) { p.preset = v.text; }});
  keys.push_back({"device.window",
                  Type::kInteger,
                  "commands",
                  2,
                  4096,
                  {},
                  "Command slots: fetched and not yet completed.",
                  [](Parameters& p, const Value& v) { p.device.media.window_slots = U32(v); }});
  const auto time = [&keys](const char* name, double high, const char* doc, Apply apply) {
    keys.push_back({fmt::format("device.{}", name), Type::kTime, "", 0, high, {}, doc, apply});
  };
  time("fetch_spacing", 1000 * kUs, "Least time between two dispatched I/O commands.",
       [](Parameters& p, const Value& v) { p.device.media.fetch_spacing_ps = U64(v); });
  keys.push_back({"device.dies",
                  Type::kInteger,
                  "dies",
                  1,
                  4096,
                  {},
                  "Flash dies.",
                  [](Parameters& p, const Value& v) { p.device.media.die_count = U32(v); }});
  time("read_time", kSecond, "A die's time to read (up to read_unit bytes).",
       [](Parameters& p, const Value& v) { p.device.media.die_read_ps = U64(v); });
  keys.push_back({"device.read_unit",
                  Type::kBytes,
                  "bytes",
                  512,
                  1 << 20,
                  {},
                  "Bytes that one die read delivers.",
                  [](Parameters& p, const Value& v) { p.device.media.die_read_bytes = U32(v); }});
  time("switch_time", kSecond,
       "Extra time of the first read behind a program where more programs wait.",
       [](Parameters& p, const Value& v) { p.device.media.die_switch_ps = U64(v); });
  time("program_time", kSecond, "A die's time to program program_unit bytes.",
       [](Parameters& p, const Value& v) { p.device.media.die_program_ps = U64(v); });
  keys.push_back(
      {"device.program_unit",
       Type::kBytes,
       "bytes",
       512,
       1 << 24,
       {},
       "Bytes of one program.",
       [](Parameters& p, const Value& v) { p.device.media.program_unit_bytes = U32(v); }});
  keys.push_back(
      {"device.write_buffer",
       Type::kBytes,
       "bytes",
       1 << 16,
       1e12,
       {},
       "Write buffer: writes are complete once they are in it.",
       [](Parameters& p, const Value& v) { p.device.media.write_buffer_bytes = U64(v); }});
  keys.push_back(
      {"device.read_link",
       Type::kBytes,
       "bytes/s",
       1e6,
       1e12,
       {},
       "Rate towards the host.",
       [](Parameters& p, const Value& v) { p.device.media.read_link_bytes_per_s = U64(v); }});
  keys.push_back(
      {"device.write_link",
       Type::kBytes,
       "bytes/s",
       1e6,
       1e12,
       {},
       "Rate from the host.",
       [](Parameters& p, const Value& v) { p.device.media.write_link_bytes_per_s = U64(v); }});
  time("read_latency", kSecond, "From a read's last byte to its completion.",
       [](Parameters& p, const Value& v) { p.device.media.read_completion_ps = U64(v); });
  time("write_latency", kSecond, "From a write's last byte to its completion.",
       [](Parameters& p, const Value& v) { p.device.media.write_completion_ps = U64(v); });
  keys.push_back(
      {"device.random_write_share",
       Type::kNumber,
       "",
       0,
       1,
       {},
       "Share of the writes that do not go on where their queue wrote last and make the "
       "drive tidy up first.",
       [](Parameters& p, const Value& v) { p.device.media.random_write_share = v.number; }});
  time("random_write_time", kSecond, "Mean of the (exponential) time that such a write takes.",
       [](Parameters& p, const Value& v) { p.device.media.random_write_ps = U64(v); });
  time("trim_time", kSecond, "From a trim to its completion; no die takes part.",
       [](Parameters& p, const Value& v) { p.device.firmware.trim_ps = U64(v); });
  return keys;
}

std::vector<ParameterKey> AllKeys() {
  std::vector<ParameterKey> keys = HostKeys();
  for (ParameterKey& key : MultipathKeys()) {
    key.needs_paths = true;
    keys.push_back(std::move(key));
  }
  for (ParameterKey& key : DeviceKeys()) keys.push_back(std::move(key));
  return keys;
}

/// Set Features 01h of a variant: what it does not say stays the drive's own. None: nothing is
/// sent.
std::optional<std::uint32_t> ArbitrationOf(const VariantSpec& variant,
                                           const ssd::SsdParams& device) {
  if (!variant.weights.has_value() && !variant.burst.has_value()) return std::nullopt;
  return WithArbitration(device.firmware.arbitration_default, variant.weights, variant.burst)
      .Encode();
}

/// Later settings win; a preset first, since it replaces the whole drive.
void ApplyAll(const std::vector<Override>& overrides, Parameters* parameters) {
  for (const Override& override : overrides) {
    if (override.key->path != "device.preset") continue;
    override.key->apply(*parameters, override.value);
    parameters->device = ssd::FindPreset(parameters->preset)->make();
  }
  for (const Override& override : overrides) {
    if (!override.key->tunable.empty()) {
      parameters->nvme.iosched.emplace_back(override.key->tunable, override.value.integer);
    } else if (override.key->path != "device.preset") {
      override.key->apply(*parameters, override.value);
    }
    if (override.key->needs_paths && parameters->multipath_keys.empty()) {
      parameters->multipath_keys = override.key->path;
    }
  }
}

PathParameters PathOf(const PathSpec& spec) {
  PathParameters path;
  path.name = spec.name;
  path.link.latency_ps = static_cast<std::uint64_t>(spec.latency_ps);
  path.link.jitter_ps = static_cast<std::uint64_t>(spec.jitter_ps);
  path.link.command_ps = static_cast<std::uint64_t>(spec.command_ps);
  path.link.bandwidth_bytes_per_s = static_cast<std::uint64_t>(spec.bandwidth);
  path.drive = spec.drive;
  if (spec.numa_node.has_value()) path.numa_node = static_cast<unsigned>(*spec.numa_node);
  path.ana = AnaStateOf(spec.ana);
  return path;
}

}  // namespace

const std::vector<ParameterKey>& ParameterKeys() {
  static const std::vector<ParameterKey> keys = AllKeys();
  return keys;
}

host::AnaState AnaStateOf(const std::string& name) {
  for (const host::AnaState ana : kAnaStates) {
    if (name == host::AnaStateName(ana)) return ana;
  }
  return host::AnaState::kOptimized;  // the keys admit the names above only
}

nvme::ArbitrationFeature WithArbitration(nvme::ArbitrationFeature feature,
                                         const std::optional<std::array<int, 3>>& weights,
                                         const std::optional<int>& burst) {
  if (weights.has_value()) {
    feature = nvme::ArbitrationFeature::FromCounts(feature.ab, static_cast<unsigned>((*weights)[0]),
                                                   static_cast<unsigned>((*weights)[1]),
                                                   static_cast<unsigned>((*weights)[2]));
  }
  if (burst.has_value()) feature.ab = static_cast<std::uint8_t>(*burst);
  return feature;
}

Parameters MachineOf(const Scenario& scenario, const VariantSpec& variant) {
  Parameters parameters;
  parameters.device = ssd::FindPreset(parameters.preset)->make();
  ApplyAll(scenario.overrides, &parameters);
  ApplyAll(variant.overrides, &parameters);
  parameters.device.seed = scenario.run.seed;
  for (const PathSpec& path : scenario.paths) parameters.paths.push_back(PathOf(path));
  parameters.nvme.arbitration = ArbitrationOf(variant, parameters.device);
  const std::string where =
      fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name);
  parameters.nvme.iocost.SetQos(parameters.io_cost_qos, where + ": host.io_cost_qos");
  parameters.nvme.iocost.SetModel(parameters.io_cost_model, where + ": host.io_cost_model");
  for (const EventSpec& event : scenario.events) {
    const auto& names = event.variants;
    if (!names.empty() && std::find(names.begin(), names.end(), variant.name) == names.end()) {
      continue;
    }
    host::CheckScheduler(parameters.nvme.scheduler,
                         host::Iosched(event.iosched.begin(), event.iosched.end()),
                         fmt::format("{}:{}: event", scenario.path, event.line));
  }
  const std::string problem = parameters.device.Problem();
  if (!problem.empty()) {
    throw host::UserError(where, problem, "change the [device] keys");
  }
  return parameters;
}

}  // namespace nvmearb::sim
