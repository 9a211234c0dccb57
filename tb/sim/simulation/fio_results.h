// SPDX-License-Identifier: Apache-2.0
//
// FioResults: fio's JSON output for all processes of a variant.
#ifndef NVMEARB_TB_SIM_SIMULATION_FIO_RESULTS_H_
#define NVMEARB_TB_SIM_SIMULATION_FIO_RESULTS_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "host_driver/workload/load_generator.h"
#include "sim/report/result.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/workload.h"

namespace nvmearb::sim {

/// "fio version", "global options", "jobs"[]: the records of all processes in one document. Time
/// stamps are those of simulated time, so the document is the same on every machine.
nlohmann::ordered_json FioResults(const Scenario& scenario, Machine& machine,
                                  const Workload& workload,
                                  const std::vector<host::JobResult>& results);

/// What fio would print for the first process, in `formats`, or in those its options ask for when
/// there are none.
void FioText(Machine& machine, const Workload& workload,
             const std::vector<host::fio::OutputFormat>& formats, VariantResult* result);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_FIO_RESULTS_H_
