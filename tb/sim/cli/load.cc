// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {

Scenario LoadScenario(const LoadOptions& options) {
  std::vector<std::string> settings;
  if (!options.runtime.empty()) settings.push_back("run.runtime=" + options.runtime);
  if (!options.seed.empty()) settings.push_back("run.seed=" + options.seed);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  Scenario scenario =
      ReadScenario(FindScenario(options.scenario, ScenarioFolder(options.folder)), settings);
  // A run of 5 ms behind a ramp of 1 s would not be the short run that was asked for.
  if (!options.runtime.empty() && scenario.run.ramp_ps.has_value()) {
    scenario.run.ramp_ps = std::min(*scenario.run.ramp_ps, *scenario.run.runtime_ps);
  }
  return scenario;
}

std::vector<VariantSpec> SelectVariants(const Scenario& scenario, const std::string& name) {
  if (name.empty()) return scenario.variants;
  std::vector<std::string> names;
  for (const VariantSpec& variant : scenario.variants) {
    if (variant.name == name) return {variant};
    names.push_back(variant.name);
  }
  throw host::UserError("--variant", fmt::format("there is no \"{}\"", name),
                        fmt::format("{} has {}", scenario.name, fmt::join(names, ", ")));
}

void CheckMachines(const Scenario& scenario, const std::vector<VariantSpec>& variants,
                   Engine engine) {
  for (const VariantSpec& variant : variants) {
    CheckMachine(MachineOf(scenario, variant), engine,
                 fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name));
  }
}

}  // namespace nvmearb::sim
