// SPDX-License-Identifier: Apache-2.0
//
// The --json file: {"scenario", "title", "source", "time", "seed", "engine", "variants": [{"name",
// "note", "fio", "device", "compare", and what measured_json.h adds}]}.
// The same run gives the same bytes: nothing in it depends on wall time.
#ifndef NVMEARB_TB_SIM_REPORT_JSON_H_
#define NVMEARB_TB_SIM_REPORT_JSON_H_

#include <string>

#include "sim/report/result.h"

namespace nvmearb::sim {

[[nodiscard]] nlohmann::ordered_json RunToJson(const RunResult& run);

/// The file's text, with a newline at its end.
std::string ToJson(const RunResult& run);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_JSON_H_
