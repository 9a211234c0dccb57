// SPDX-License-Identifier: Apache-2.0
//
// Finds scenarios: by path, or by name in the folders of scenarios.
#ifndef NVMEARB_TB_SIM_SCENARIO_LOOKUP_H_
#define NVMEARB_TB_SIM_SCENARIO_LOOKUP_H_

#include <string>
#include <vector>

namespace nvmearb::sim {

/// The folder of scenarios: `option` (--scenarios) if given; else sim_configs beside the source
/// tree or the installed share/nvmearb/sim_configs, relative to this program's own place; else the
/// folder the program was built from. Throws host::UserError when `option` is not a folder.
std::string ScenarioFolder(const std::string& option);

/// Paths of all scenarios of a folder, sorted by name.
std::vector<std::string> ListScenarios(const std::string& folder);

/// Path of scenario `name`: a path when it contains a slash or ends in .toml, else a name in
/// `folder`. Throws host::UserError with the nearest names when there is none.
std::string FindScenario(const std::string& name, const std::string& folder);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_LOOKUP_H_
