// SPDX-License-Identifier: Apache-2.0
//
// Reads a scenario file, strictly: every key has to be known, typed and in range, and everything
// that is named (cgroup, job, variant, file) has to exist. Errors are host::UserError, one line:
//   file:line: key: found; allowed
#ifndef NVMEARB_TB_SIM_SCENARIO_READER_H_
#define NVMEARB_TB_SIM_SCENARIO_READER_H_

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

/// Reads the file at `path`, applies `settings` ("key=value", in order) and checks the whole.
Scenario ReadScenario(const std::string& path, const std::vector<std::string>& settings);

/// The same from text; `path` is only for names and messages.
Scenario ParseScenario(const std::string& text, const std::string& path,
                       const std::vector<std::string>& settings);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_READER_H_
