// SPDX-License-Identifier: Apache-2.0
//
// What the commands that take a SCENARIO share: finding, reading and checking it.
#ifndef NVMEARB_TB_SIM_CLI_LOAD_H_
#define NVMEARB_TB_SIM_CLI_LOAD_H_

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/simulation/engines.h"

namespace nvmearb::sim {

struct LoadOptions {
  std::string scenario;  ///< name or path
  std::string folder;    ///< --scenarios
  std::string runtime;   ///< --runtime, "" = the scenario's
  std::string seed;      ///< --seed, "" = the scenario's
  std::vector<std::string> settings;
};

/// Reads the scenario with these options applied. Throws host::UserError.
[[nodiscard]] Scenario LoadScenario(const LoadOptions& options);

/// The variant that --variant names, or all without a name. Throws host::UserError.
[[nodiscard]] std::vector<VariantSpec> SelectVariants(const Scenario& scenario,
                                                      const std::string& name);

/// What can be known to be wrong is said before the first variant has run for minutes. Throws
/// host::UserError.
void CheckMachines(const Scenario& scenario, const std::vector<VariantSpec>& variants,
                   Engine engine);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_LOAD_H_
