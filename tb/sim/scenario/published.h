// SPDX-License-Identifier: Apache-2.0
//
// Published reference tables (sim_configs/published/*.csv):
// source,workload,policy,job,metric,value, unit, one value a line, no quoting.
#ifndef NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_
#define NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

struct PublishedRow {
  std::string source;
  std::string workload;
  std::string policy;
  std::string job;
  std::string metric;
  std::string value;
  std::string unit;
};

/// All rows of a table. Throws host::UserError with file and line.
std::vector<PublishedRow> ReadPublished(const std::string& path);

/// One comparison of a scenario: variant x job x metric with its published value.
struct Comparison {
  std::string variant;
  std::string job;
  std::string metric;
  std::string unit;
  double published = 0;
  double tolerance_pct = 0;
  std::string deviation;
};

/// Expands the scenario's [[compare]] entries and looks up their published values. Throws
/// host::UserError when a value is not in the table.
std::vector<Comparison> ExpandComparisons(const Scenario& scenario);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_
