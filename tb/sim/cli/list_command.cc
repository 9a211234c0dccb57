// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/report/plan.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/published.h"
#include "sim/scenario/reader.h"

namespace nvmearb::sim {
namespace {

/// What is held against published values: metric, variants, jobs, tolerance.
nlohmann::ordered_json CompareJson(const Scenario& scenario) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CompareSpec& compare : scenario.compares) {
    list.push_back({{"metric", compare.metric},
                    {"variants", compare.variants},
                    {"jobs", compare.jobs},
                    {"tolerance_pct", compare.tolerance_pct},
                    {"deviation", compare.deviation}});
  }
  return list;
}

void PrintJson(const std::vector<Scenario>& scenarios) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Scenario& scenario : scenarios) {
    nlohmann::ordered_json entry = {{"name", scenario.name},
                                    {"title", scenario.title},
                                    {"source", scenario.source},
                                    {"compares", CompareJson(scenario)},
                                    {"path", scenario.path},
                                    {"variants", nlohmann::ordered_json::array()},
                                    {"jobs", nlohmann::ordered_json::array()}};
    for (const VariantSpec& variant : scenario.variants) entry["variants"].push_back(variant.name);
    for (const JobSpec& job : scenario.jobs) entry["jobs"].push_back(job.name);
    list.push_back(std::move(entry));
  }
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

int ListCommand(const ListOptions& options) {
  if (options.keys) {
    fmt::print("{}", KeysMarkdown());
    return kExitGood;
  }
  std::vector<Scenario> scenarios;
  std::size_t width = 0;
  for (const std::string& path : ListScenarios(ScenarioFolder(options.folder))) {
    scenarios.push_back(ReadScenario(path, {}));
    width = std::max(width, scenarios.back().name.size());
  }
  if (options.json) {
    PrintJson(scenarios);
    return kExitGood;
  }
  for (const Scenario& scenario : scenarios) {
    const std::string compares = SummaryOf(ExpandComparisons(scenario));
    fmt::print("{:<{}}  {}; {}; source: {}\n", scenario.name, width, scenario.title,
               compares.empty() ? "compares nothing" : "compares " + compares, scenario.source);
  }
  return kExitGood;
}

}  // namespace nvmearb::sim
