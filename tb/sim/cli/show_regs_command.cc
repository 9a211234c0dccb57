// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb show-regs SCENARIO`: brings the scenario's controller up and prints its properties as
// nvme-cli's `nvme show-regs` does: a line per register, with -H decoded.
#include <fmt/format.h>

#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/load.h"
#include "sim/report/registers.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {
namespace {

/// The variant that --variant names; without it the last one, which in the published scenarios is
/// the one with weighted round robin.
VariantSpec Selected(const Scenario& scenario, const std::string& name) {
  return name.empty() ? scenario.variants.back() : SelectVariants(scenario, name).front();
}

}  // namespace

int ShowRegsCommand(const ShowRegsOptions& options) {
  const Scenario scenario =
      LoadScenario({options.scenario, options.folder, "", "", options.settings});
  const VariantSpec variant = Selected(scenario, options.variant);
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
