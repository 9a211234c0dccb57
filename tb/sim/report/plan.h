// SPDX-License-Identifier: Apache-2.0
//
// Plan: a scenario and a machine that is up, in words and tables, before anything runs.
#ifndef NVMEARB_TB_SIM_REPORT_PLAN_H_
#define NVMEARB_TB_SIM_REPORT_PLAN_H_

#include <string>
#include <vector>

#include "sim/scenario/published.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/workload.h"

namespace nvmearb::sim {

/// Name, title, source, time, events, and what is compared.
[[nodiscard]] std::string DescribeScenario(const Scenario& scenario,
                                           const std::vector<Comparison>& comparisons);

/// "iops of 3 jobs in 2 variants (6 values)", or "" without comparisons.
[[nodiscard]] std::string SummaryOf(const std::vector<Comparison>& comparisons);

/// Of one variant: classes of queues with their ids, arbiter class and weight; cgroups and jobs
/// with the class their I/O takes; what is outstanding beside the drive's window; which CPU uses
/// which queue.
[[nodiscard]] std::string DescribePlan(const Scenario& scenario, const VariantSpec& variant,
                                       const Machine& machine, const Workload& workload);

/// Ascending numbers as ranges: "0-3,8,10-11".
[[nodiscard]] std::string Ranges(const std::vector<unsigned>& numbers);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_PLAN_H_
