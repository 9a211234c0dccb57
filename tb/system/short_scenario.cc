// SPDX-License-Identifier: Apache-2.0
#include "short_scenario.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/scenario/published.h"
#include "sim/scenario/reader.h"

namespace nvmearb::system {

sim::Scenario Shipped(const std::string& name, const std::vector<std::string>& settings) {
  return sim::ReadScenario(std::string(NVMEARB_SCENARIOS) + "/" + name + ".toml", settings);
}

const sim::VariantSpec& VariantOf(const sim::Scenario& scenario, const std::string& name) {
  for (const sim::VariantSpec& variant : scenario.variants) {
    if (variant.name == name) return variant;
  }
  throw std::runtime_error("no variant " + name);
}

sim::VariantResult RunOnModel(const std::string& scenario_name, const std::string& variant,
                              const std::vector<std::string>& settings) {
  const sim::Scenario scenario = Shipped(scenario_name, settings);
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  sim::VariantResult result = sim::RunVariant(scenario, VariantOf(scenario, variant), options);
  EXPECT_TRUE(result.findings.empty()) << result.findings[0];
  return result;
}

sim::RunResult RunAll(const sim::Scenario& scenario, sim::Engine engine,
                      const sim::SimulationOptions& options) {
  const std::vector<sim::Comparison> comparisons = sim::ExpandComparisons(scenario);
  sim::SimulationOptions own = options;
  own.machine.engine = engine;
  sim::RunResult run;
  run.scenario = scenario.name;
  for (const sim::VariantSpec& variant : scenario.variants) {
    sim::VariantResult result = sim::RunVariant(scenario, variant, own);
    result.comparisons = sim::Compare(comparisons, result, run.variants);
    run.variants.push_back(std::move(result));
  }
  return run;
}

}  // namespace nvmearb::system
