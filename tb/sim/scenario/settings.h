// SPDX-License-Identifier: Apache-2.0
//
// `--set key=value`: changes a scenario after it was read. Elements of arrays of tables are named:
// variant.wrr.device.window=128, job.high.cgroup=low.
#ifndef NVMEARB_TB_SIM_SCENARIO_SETTINGS_H_
#define NVMEARB_TB_SIM_SCENARIO_SETTINGS_H_

#include <string>

#include "sim/scenario/keys.h"
#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

/// Applies one "key=value". Throws host::UserError.
void ApplySetting(const std::string& setting, Scenario* scenario);

/// True when the value keeps the key's limits (or is one of its words).
[[nodiscard]] bool InRange(const KeySpec& key, const Value& value);

/// Reads a value of the key's type from text; arrays are comma separated. False when it is not one.
[[nodiscard]] bool ValueFromText(const KeySpec& key, const std::string& text, Value* value);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_SETTINGS_H_
