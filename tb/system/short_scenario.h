// SPDX-License-Identifier: Apache-2.0
//
// Short runs of the shipped scenarios, in this process.
#ifndef NVMEARB_TB_SYSTEM_SHORT_SCENARIO_H_
#define NVMEARB_TB_SYSTEM_SHORT_SCENARIO_H_

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::system {

/// A shipped scenario with `settings` applied.
sim::Scenario Shipped(const std::string& name, const std::vector<std::string>& settings);

/// The named variant of it.
const sim::VariantSpec& VariantOf(const sim::Scenario& scenario, const std::string& name);

/// Runs one variant on the model engine, `settings` applied; a finding of the judge fails the test.
sim::VariantResult RunOnModel(const std::string& scenario_name, const std::string& variant,
                              const std::vector<std::string>& settings);

/// Runs all variants on one engine.
sim::RunResult RunAll(const sim::Scenario& scenario, sim::Engine engine,
                      const sim::SimulationOptions& options = {});

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_SHORT_SCENARIO_H_
