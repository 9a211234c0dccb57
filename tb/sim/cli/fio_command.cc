// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb fio JOBFILE...`: what fio does with its command line, on the simulated machine. Options
// that are not ours are fio's.
#include <fmt/format.h>
#include <unistd.h>

#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/user_error.h"
#include "host_driver/fio/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/scenario/settings.h"
#include "sim/simulation/parameters.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

/// What --set may be for: the rest of a scenario comes from fio's own options.
void CheckSetting(const std::string& setting) {
  for (const char* prefix : {"host.", "device.", "variant.fio.", "run.stall="}) {
    if (setting.rfind(prefix, 0) == 0) return;
  }
  throw host::UserError("--set " + setting, "not for `nvmearb fio`",
                        "host.*, device.*, variant.fio.weights, variant.fio.burst, run.stall");
}

/// A scenario of one process and one variant.
Scenario MakeScenario(const FioOptions& options) {
  Scenario scenario;
  scenario.name = scenario.path = "fio";
  scenario.folder = ".";
  scenario.run.stall_ps = kDefaultStallPs;
  scenario.jobs.emplace_back().arguments = options.arguments;
  VariantSpec& variant = scenario.variants.emplace_back();
  variant.name = "fio";
  for (const std::string& level : options.levels) {
    const std::size_t equals = level.find('=');
    if (equals == std::string::npos) {
      throw host::UserError("--io-wrr", fmt::format("\"{}\" is not CGROUP=LEVEL", level),
                            "such as gold=high");
    }
    const std::string cgroup = level.substr(0, equals);
    for (const CgroupSpec& other : scenario.cgroups) {
      if (other.name != cgroup) continue;
      throw host::UserError("--io-wrr", fmt::format("\"{}\" again", cgroup),
                            "one level for a cgroup");
    }
    scenario.cgroups.push_back({cgroup, 0});
    ApplySetting("variant.fio.io_wrr." + level, &scenario);
  }
  if (!options.seed.empty()) ApplySetting("run.seed=" + options.seed, &scenario);
  for (const std::string& setting : options.settings) {
    CheckSetting(setting);
    ApplySetting(setting, &scenario);
  }
  return scenario;
}

/// Reads fio's arguments for the one that has to be known before the run. The run reads them again
/// on the machine that it brings up.
std::string OutputPath(const FioOptions& options, const Parameters& parameters) {
  host::fio::ParseContext context;
  context.cpu_count = host::CpuTopology::Parse(parameters.cpus, "host.cpus").cpu_count();
  return host::fio::ParseCommandLine(options.arguments, context).output.file;
}

}  // namespace

int FioCommand(const FioOptions& options) {
  if (options.arguments.empty()) {
    throw host::UserError("fio", "no job", "a job file, or --name=... with fio's options");
  }
  const Scenario scenario = MakeScenario(options);
  const Parameters parameters = MachineOf(scenario, scenario.variants[0]);
  CheckMachine(parameters, EngineOf(options.engine), "fio");
  const std::string path = OutputPath(options, parameters);
  OutputFile output("--output", path.empty() ? "-" : path);
  ProgressLine progress(isatty(STDERR_FILENO) != 0, 1);
  InterruptGuard interrupt;
  SimulationOptions simulation;
  simulation.machine.engine = EngineOf(options.engine);
  simulation.fio_text = true;
  simulation.interrupt = interrupt.flag();
  simulation.progress = [&progress](const ProgressReport& report) { progress.Update(report); };
  // Before the run: a runtime that does not count can cost minutes.
  simulation.warn = [](const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      fmt::print(stderr, "nvmearb: warning: {}\n", warning);
    }
  };
  progress.BeginVariant("fio");
  const VariantResult result = RunVariant(scenario, scenario.variants[0], simulation);
  progress.Clear();
  output.Write(result.fio_text);
  for (const std::string& finding : result.findings) {
    fmt::print(stderr, "nvmearb: found: {}\n", finding);
  }
  if (!result.findings.empty()) return kExitCheckFailed;
  return result.interrupted ? kExitInterrupted : kExitGood;
}

}  // namespace nvmearb::sim
