// SPDX-License-Identifier: Apache-2.0
//
// Parameters: the simulated machine of one variant: CPUs, module parameters of the driver, costs of
// the host's software, and the drive.
#ifndef NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
#define NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_

#include <string>

#include "host_driver/workload/runner.h"
#include "sim/scenario/scenario.h"
#include "ssd/ssd_params.h"

namespace nvmearb::sim {

/// Module parameters of the nvme driver, by the kernel's names.
struct ModuleParameters {
  unsigned read_queues = 0;
  unsigned poll_queues = 0;
  unsigned wrr_low_queues = 0;
  unsigned wrr_medium_queues = 0;
  unsigned wrr_high_queues = 0;
  unsigned wrr_urgent_queues = 0;
  unsigned io_queue_depth = 1024;
  std::int64_t io_timeout_ps = 30'000'000'000'000;
};

struct Parameters {
  std::string cpus = "2x24x2";
  ModuleParameters module;
  host::WorkloadCosts workload;
  std::string preset = "p4510";
  ssd::SsdParams device;
};

/// The machine of `variant`: the preset, then the scenario's overrides, then the variant's.
/// Throws host::UserError when the numbers do not fit together.
Parameters MachineOf(const Scenario& scenario, const VariantSpec& variant);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
