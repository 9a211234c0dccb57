// SPDX-License-Identifier: Apache-2.0
//
// Workload: the scenario's fio processes and traces on a machine: job files read, cgroups made and
// their levels written, jobs bound to cgroups, and the generators of load that run them.
#ifndef NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_
#define NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "host_driver/workload/file_region.h"
#include "host_driver/workload/load_generator.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/parameters.h"

namespace nvmearb::sim {

class Workload {
 public:
  /// Needs a machine that is up. Throws host::UserError for anything wrong in a job file.
  Workload(const Scenario& scenario, const VariantSpec& variant, const Parameters& parameters,
           Machine* machine);

  void Start();
  void StopEarly();
  [[nodiscard]] bool Finished() const;
  [[nodiscard]] host::RunProgress Progress();
  /// Of all jobs, clones and streams; JobSpec::instance is the index of the scenario's job.
  [[nodiscard]] std::vector<host::JobResult> Results() const;
  /// Throws host::UserError when a trace turned out to be bad.
  void CheckInput() const;
  /// About the traces that were read; complete at the end.
  [[nodiscard]] std::vector<std::string> Notes() const;
  /// What the fio process of scenario job `index` was given.
  [[nodiscard]] const host::fio::FioInput& input(std::size_t index) const { return inputs_[index]; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void AddRunner(const Scenario& scenario, const Parameters& parameters);
  void AddReplay(const Scenario& scenario, std::size_t index, const Parameters& parameters);
  host::fio::FioInput Read(const Scenario& scenario, const JobSpec& job) const;
  /// What filename= means here: the disk, or a file on it.
  host::BlockDevice* DeviceOf(const std::string& filename, const host::JobSpec& spec);
  void AddFileNeeds(const host::JobSpec& spec);
  void Warn(std::string text);
  void WarnOfUnusedLevels(const VariantSpec& variant);
  /// Of the cgroup's class.
  [[nodiscard]] bool HasQueues(const host::Cgroup* cgroup) const;
  void MakeCgroups(const Scenario& scenario, const VariantSpec& variant);

  Machine* machine_;
  std::vector<host::fio::FioInput> inputs_;
  std::vector<std::string> warnings_;
  std::uint32_t first_free_task_ = 0;  // Bio::task
  std::map<std::string, std::unique_ptr<host::FileRegion>>
      files_;                                        // by name; outlive what uses them
  std::map<std::string, std::uint64_t> file_needs_;  // bytes, over all jobs
  std::uint64_t file_bytes_ = 0;                     // given out so far
  std::vector<std::unique_ptr<host::LoadGenerator>> generators_;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_WORKLOAD_H_
