// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb show-regs SCENARIO`: brings the scenario's controller up and prints its properties as
// nvme-cli's `nvme show-regs` does: a line per register, with -H decoded.
#include <fmt/format.h>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/report/registers.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {
namespace {

/// The variant that --variant names; without it the last one, which in the published scenarios is
/// the one with weighted round robin.
const VariantSpec& Selected(const Scenario& scenario, const std::string& name) {
  if (name.empty()) return scenario.variants.back();
  std::vector<std::string> names;
  for (const VariantSpec& variant : scenario.variants) {
    if (variant.name == name) return variant;
    names.push_back(variant.name);
  }
  throw host::UserError("--variant", fmt::format("there is no \"{}\"", name),
                        fmt::format("{} has {}", scenario.name, fmt::join(names, ", ")));
}

}  // namespace

int ShowRegsCommand(const ShowRegsOptions& options) {
  const Scenario scenario = ReadScenario(
      FindScenario(options.scenario, ScenarioFolder(options.folder)), options.settings);
  const VariantSpec& variant = Selected(scenario, options.variant);
  MachineOptions machine_options;
  machine_options.engine = EngineOf(options.engine);
  const std::string where =
      fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name);
  const Parameters parameters = MachineOf(scenario, variant);
  CheckMachine(parameters, machine_options.engine, where);
  Machine machine(parameters, machine_options, nullptr, where);
  machine.BringUp();
  fmt::print("{}", FormatRegisters(&machine.device(), options.human));
  return kExitGood;
}

}  // namespace nvmearb::sim
