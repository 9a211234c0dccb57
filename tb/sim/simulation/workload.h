// SPDX-License-Identifier: Apache-2.0
//
// Workload: the scenario's fio processes on a machine: job files read, cgroups made and their
// levels written, jobs bound to cgroups, and the Runner that runs them.
#ifndef NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_
#define NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_

#include <memory>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "host_driver/workload/runner.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/parameters.h"

namespace nvmearb::sim {

class Workload {
 public:
  /// Needs a machine that is up. Throws host::UserError for anything wrong in a job file.
  Workload(const Scenario& scenario, const VariantSpec& variant, const Parameters& parameters,
           Machine* machine);

  void Start() { runner_->Start(); }
  void StopEarly() { runner_->StopEarly(); }
  [[nodiscard]] bool Finished() const { return runner_->Finished(); }
  [[nodiscard]] host::RunProgress Progress() { return runner_->Progress(); }
  [[nodiscard]] const host::Runner& runner() const { return *runner_; }
  /// What the fio process of scenario job `index` was given.
  [[nodiscard]] const host::fio::FioInput& input(std::size_t index) const { return inputs_[index]; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  host::fio::FioInput Read(const Scenario& scenario, const JobSpec& job) const;
  void WarnOfUnusedLevels(const VariantSpec& variant);
  /// Of the cgroup's class.
  [[nodiscard]] bool HasQueues(const host::Cgroup* cgroup) const;
  void MakeCgroups(const Scenario& scenario, const VariantSpec& variant);

  Machine* machine_;
  std::vector<host::fio::FioInput> inputs_;
  std::vector<std::string> warnings_;
  std::unique_ptr<host::Runner> runner_;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_
