// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb explain SCENARIO`: what a scenario comes to before it runs: queues, classes, weights,
// cgroups, jobs and the CPU map of every variant, from the driver that brings the machine up.
#include <fmt/format.h>

#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/load.h"
#include "sim/report/plan.h"
#include "sim/scenario/published.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/workload.h"

namespace nvmearb::sim {

int ExplainCommand(const ExplainOptions& options) {
  const Scenario scenario =
      LoadScenario({options.scenario, options.folder, "", "", options.settings});
  const std::vector<VariantSpec> variants = SelectVariants(scenario, options.variant);
  MachineOptions machine_options;
  machine_options.engine = EngineOf(options.engine);
  CheckMachines(scenario, variants, machine_options.engine);
  fmt::print("{}", DescribeScenario(scenario, ExpandComparisons(scenario)));
  for (const VariantSpec& variant : variants) {
    const Parameters parameters = MachineOf(scenario, variant);
    Machine machine(parameters, machine_options, nullptr,
                    fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name));
    machine.BringUp();
    const Workload workload(scenario, variant, parameters, &machine);
    fmt::print("{}", DescribePlan(scenario, variant, machine, workload));
  }
  return kExitGood;
}

}  // namespace nvmearb::sim
