// SPDX-License-Identifier: Apache-2.0
//
// Published reference tables (sim_configs/published/*.csv):
// source,workload,policy,job,metric,value, unit, one value a line, no quoting.
#ifndef NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_
#define NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_

#include <string>
#include <utility>
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
  std::string relative_to{};  ///< not empty: `published` is the ratio to that variant's value
  double tie_pct = 0;
  /// Not empty: every variant with its published value; `published` is the number of pairs of them
  /// that are in an order, and the last of them is `variant`.
  std::vector<std::pair<std::string, double>> order{};

  /// Compared is the value itself, not a ratio or an order.
  [[nodiscard]] bool IsPlain() const { return relative_to.empty() && order.empty(); }
  /// "lat_mean", "lat_mean / numa", "order of lat_mean".
  [[nodiscard]] std::string Label() const {
    if (!relative_to.empty()) return metric + " / " + relative_to;
    return order.empty() ? metric : "order of " + metric;
  }
};

/// -1, 0 or 1: `a` is smaller, near (within `tie_pct` of the larger one), or larger.
[[nodiscard]] int OrderOf(double a, double b, double tie_pct);

/// Expands the scenario's [[compare]] entries and looks up their published values. Throws
/// host::UserError when a value is not in the table.
std::vector<Comparison> ExpandComparisons(const Scenario& scenario);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_PUBLISHED_H_
