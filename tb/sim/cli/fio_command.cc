// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb fio JOBFILE...`: what fio does with its command line, on the simulated machine. Options
// that are not ours are fio's.
#include <fmt/format.h>
#include <unistd.h>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/scenario/settings.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

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
      throw host::UserError("--io-wrr", fmt::format("\"{}\"", level), "CGROUP=LEVEL");
    }
    scenario.cgroups.push_back({level.substr(0, equals), 0});
    ApplySetting("variant.fio.io_wrr." + level, &scenario);
  }
  if (!options.seed.empty()) ApplySetting("run.seed=" + options.seed, &scenario);
  for (const std::string& setting : options.settings) ApplySetting(setting, &scenario);
  return scenario;
}

}  // namespace

int FioCommand(const FioOptions& options) {
  if (options.arguments.empty()) {
    throw host::UserError("fio", "no job", "a job file, or --name=... with fio's options");
  }
  const Scenario scenario = MakeScenario(options);
  ProgressLine progress(isatty(STDERR_FILENO) != 0, 1);
  InterruptGuard interrupt;
  SimulationOptions simulation;
  simulation.machine.engine = EngineOf(options.engine);
  simulation.fio_text = true;
  simulation.interrupt = interrupt.flag();
  simulation.progress = [&progress](const ProgressReport& report) { progress.Update(report); };
  progress.BeginVariant("fio");
  const VariantResult result = RunVariant(scenario, scenario.variants[0], simulation);
  progress.Clear();
  for (const std::string& warning : result.warnings) {
    fmt::print(stderr, "nvmearb: warning: {}\n", warning);
  }
  OutputFile("--output", result.fio_output.empty() ? "-" : result.fio_output)
      .Write(result.fio_text);
  for (const std::string& finding : result.findings) {
    fmt::print(stderr, "nvmearb: found: {}\n", finding);
  }
  if (!result.findings.empty()) return kExitCheckFailed;
  return result.interrupted ? kExitInterrupted : kExitGood;
}

}  // namespace nvmearb::sim
