// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/reader.h"

namespace nvmearb::sim {
namespace {

void PrintJson(const std::vector<Scenario>& scenarios) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Scenario& scenario : scenarios) {
    nlohmann::ordered_json entry = {{"name", scenario.name},
                                    {"title", scenario.title},
                                    {"source", scenario.source},
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
    fmt::print("{:<{}}  {}\n", scenario.name, width, scenario.title);
  }
  return kExitGood;
}

}  // namespace nvmearb::sim
