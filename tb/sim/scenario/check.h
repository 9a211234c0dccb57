// SPDX-License-Identifier: Apache-2.0
//
// Checks that need the whole scenario: names that must exist, keys that need each other.
#ifndef NVMEARB_TB_SIM_SCENARIO_CHECK_H_
#define NVMEARB_TB_SIM_SCENARIO_CHECK_H_

#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

/// Names and pairs, after all settings were applied. Throws host::UserError with the line of the
/// entry that is wrong.
void CheckScenario(const Scenario& scenario);

/// What the file changes against its source has to say why. Before `--set`: whoever types that
/// knows why.
void CheckReasons(const Scenario& scenario);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_CHECK_H_
