// SPDX-License-Identifier: Apache-2.0
//
// Measure: takes what a finished (or interrupted) variant measured into its result.
#ifndef NVMEARB_TB_SIM_SIMULATION_MEASURE_H_
#define NVMEARB_TB_SIM_SIMULATION_MEASURE_H_

#include "sim/report/result.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/workload.h"

namespace nvmearb::sim {

/// Fills jobs, fio, device, counters, and with `series` the time series of the page.
void Measure(const Scenario& scenario, Machine& machine, const Workload& workload, bool series,
             VariantResult* result);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_MEASURE_H_
