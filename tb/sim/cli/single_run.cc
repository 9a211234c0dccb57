// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/single_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/scenario/settings.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {

Scenario MakeSingleRun(const std::string& name, const SingleRunOptions& options) {
  Scenario scenario;
  scenario.name = scenario.path = name;
  scenario.folder = ".";
  scenario.run.stall_ps = kDefaultStallPs;
  VariantSpec& variant = scenario.variants.emplace_back();
  variant.name = name;
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
    ApplySetting(fmt::format("variant.{}.io_wrr.{}", name, level), &scenario);
  }
  if (!options.seed.empty()) ApplySetting("run.seed=" + options.seed, &scenario);
  return scenario;
}

void ApplySettings(const std::string& command, const SingleRunOptions& options,
                   const std::vector<const char*>& prefixes, const char* allowed,
                   Scenario* scenario) {
  for (const std::string& setting : options.settings) {
    const bool may = std::any_of(prefixes.begin(), prefixes.end(),
                                 [&](const char* prefix) { return setting.rfind(prefix, 0) == 0; });
    if (!may) {
      throw host::UserError("--set " + setting, fmt::format("not for `nvmearb {}`", command),
                            allowed);
    }
    ApplySetting(setting, scenario);
  }
}

int RunSingle(const Scenario& scenario, const SingleRunOptions& options,
              const std::vector<host::fio::OutputFormat>& formats, const std::string& output_path) {
  OutputFile output("--output", output_path);
  ProgressLine progress(isatty(STDERR_FILENO) != 0, 1);
  InterruptGuard interrupt;
  SimulationOptions simulation;
  simulation.machine.engine = EngineOf(options.engine);
  simulation.fio_text = true;
  simulation.fio_formats = formats;
  simulation.interrupt = interrupt.flag();
  simulation.progress = [&progress](const ProgressReport& report) { progress.Update(report); };
  // Before the run: a runtime that does not count can cost minutes.
  simulation.warn = [](const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      fmt::print(stderr, "nvmearb: warning: {}\n", warning);
    }
  };
  progress.BeginVariant(scenario.name);
  const VariantResult result = RunVariant(scenario, scenario.variants[0], simulation);
  progress.Clear();
  output.Write(result.fio_text);
  for (const std::string& note : result.notes) fmt::print(stderr, "nvmearb: {}\n", note);
  for (const std::string& finding : result.findings) {
    fmt::print(stderr, "nvmearb: found: {}\n", finding);
  }
  if (!result.findings.empty()) return kExitCheckFailed;
  return result.interrupted ? kExitInterrupted : kExitGood;
}

}  // namespace nvmearb::sim
