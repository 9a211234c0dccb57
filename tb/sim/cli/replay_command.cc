// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb replay FILE`: a block trace on the simulated machine.
#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/replay_map.h"
#include "sim/scenario/settings.h"
#include "sim/simulation/machine.h"
#include "trace/formats.h"

namespace nvmearb::sim {
namespace {

int ListFormats() {
  for (const trace::TraceFormat& format : trace::AllFormats()) {
    fmt::print("{:<9} {}\n          {}\n", format.name, format.title, format.layout);
  }
  return kExitGood;
}

/// Cgroups that are mapped to need no level.
void AddCgroups(const TraceSpec& trace, Scenario* scenario) {
  for (const auto& [key, cgroup] : trace.map) {
    const auto same = [&name = cgroup](const CgroupSpec& spec) { return spec.name == name; };
    if (std::none_of(scenario->cgroups.begin(), scenario->cgroups.end(), same)) {
      scenario->cgroups.push_back({cgroup, 0});
    }
  }
}

}  // namespace

int ReplayCommand(const ReplayCommandOptions& options) {
  if (options.list_formats) return ListFormats();
  if (options.file.empty()) throw host::UserError("replay", "no trace", "a file, or - for a pipe");
  Scenario scenario = MakeSingleRun("replay", options);
  JobSpec& job = scenario.jobs.emplace_back();
  job.name = "replay";
  TraceSpec& trace = job.trace;
  trace.file = options.file;
  trace.format = options.format;
  trace.speedup = options.speedup;
  trace.closed_loop = options.closed_loop;
  if (!options.map_file.empty()) ReadMapFile(options.map_file, &trace);
  if (!options.by.empty()) trace.by = options.by;
  for (const std::string& mapping : options.maps) TakeMapping(mapping, &trace);
  AddCgroups(trace, &scenario);
  if (!options.runtime.empty()) ApplySetting("run.runtime=" + options.runtime, &scenario);
  if (!options.ramp.empty()) ApplySetting("run.ramp=" + options.ramp, &scenario);
  ApplySettings("replay", options, {"host.", "device.", "variant.replay.", "run.stall="},
                "host.*, device.*, variant.replay.weights, variant.replay.burst, run.stall",
                &scenario);
  const Parameters parameters = MachineOf(scenario, scenario.variants[0]);
  CheckMachine(parameters, EngineOf(options.engine), "replay");
  std::vector<host::fio::OutputFormat> formats;
  if (!options.output_format.empty()) {
    formats = host::fio::ParseOutputFormats(
        {"output-format", options.output_format, true, "--output-format"});
  }
  return RunSingle(scenario, options, formats, options.output.empty() ? "-" : options.output);
}

}  // namespace nvmearb::sim
