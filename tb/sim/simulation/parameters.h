// SPDX-License-Identifier: Apache-2.0
//
// Parameters: the simulated machine of one variant: CPUs, module parameters of the driver, costs of
// the host's software, and the drive.
#ifndef NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
#define NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "host_driver/base/host_costs.h"
#include "host_driver/multipath/head.h"
#include "host_driver/nvme/params.h"
#include "host_driver/workload/load_generator.h"
#include "nvme/features.h"
#include "sim/scenario/scenario.h"
#include "ssd/fabric_link.h"
#include "ssd/ssd_params.h"

namespace nvmearb::sim {

/// One way to the drive.
struct PathParameters {
  std::string name;
  std::string drive;  ///< paths with the same share one; empty: its own
  ssd::FabricLinkParams link;
  unsigned numa_node = host::kNoNode;
  host::AnaState ana = host::AnaState::kOptimized;
};

struct Parameters {
  std::string cpus = "2x24x2";
  host::NvmeParams nvme;
  std::string io_cost_qos;  ///< as written to the root cgroup's file, for the disk
  std::string io_cost_model;
  host::HostCosts costs;
  host::WorkloadCosts workload;
  std::string preset = "p4510";
  ssd::SsdParams device;
  std::vector<PathParameters> paths;  ///< none: the controller is in the machine
  host::MultipathParams multipath;
  host::TimePs fast_io_fail_tmo = 0;  ///< 0: I/O waits as long as the driver tries
  std::string multipath_keys;         ///< the first key of the above that was set
};

/// The machine of `variant`: the preset, then the scenario's overrides, then the variant's.
/// Throws host::UserError when the numbers do not fit together.
Parameters MachineOf(const Scenario& scenario, const VariantSpec& variant);

inline constexpr host::AnaState kAnaStates[] = {
    host::AnaState::kOptimized, host::AnaState::kNonOptimized, host::AnaState::kInaccessible,
    host::AnaState::kPersistentLoss, host::AnaState::kChange};

/// Of host::AnaStateName().
host::AnaState AnaStateOf(const std::string& name);

/// `feature` with other weights and burst where they are given.
nvme::ArbitrationFeature WithArbitration(nvme::ArbitrationFeature feature,
                                         const std::optional<std::array<int, 3>>& weights,
                                         const std::optional<int>& burst);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_PARAMETERS_H_
