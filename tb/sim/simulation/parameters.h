// SPDX-License-Identifier: Apache-2.0
//
// Parameters: the simulated machine of one variant: CPUs, module parameters of the driver, costs of
// the host's software, and the drive.
#ifndef NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
#define NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_

#include <string>

#include "host_driver/base/host_costs.h"
#include "host_driver/nvme/params.h"
#include "host_driver/workload/runner.h"
#include "sim/scenario/scenario.h"
#include "ssd/ssd_params.h"

namespace nvmearb::sim {

struct Parameters {
  std::string cpus = "2x24x2";
  host::NvmeParams nvme;
  host::HostCosts costs;
  host::WorkloadCosts workload;
  std::string preset = "p4510";
  ssd::SsdParams device;
};

/// The machine of `variant`: the preset, then the scenario's overrides, then the variant's.
/// Throws host::UserError when the numbers do not fit together.
Parameters MachineOf(const Scenario& scenario, const VariantSpec& variant);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
