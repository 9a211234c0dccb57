// SPDX-License-Identifier: Apache-2.0
//
// RunEvents: what a scenario changes while it runs, as an administrator would: weights and burst by
// Set Features 01h, levels by writing io.wrr.
#ifndef NVMEARB_TB_SIM_SIMULATION_RUN_EVENTS_H_
#define NVMEARB_TB_SIM_SIMULATION_RUN_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "nvme/cqe.h"
#include "nvme/features.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {

/// The events of one variant. Outlives the run of its machine. Every event is made at its time, in
/// the order of the file where times are equal; events behind the end of the run are not made.
class RunEvents {
 public:
  RunEvents(const Scenario& scenario, const VariantSpec& variant, Machine* machine);
  RunEvents(const RunEvents&) = delete;
  RunEvents& operator=(const RunEvents&) = delete;

  /// Times count from now.
  void Start();

  /// One line each: what was changed when, and what came too late.
  [[nodiscard]] std::vector<std::string> Notes() const;
  /// One line for each change that the device refused.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

 private:
  struct Entry {
    EventSpec spec;
    ssd::TimePs made = 0;      // 0: not yet
    ssd::TimePs in_force = 0;  // the device's answer to Set Features
  };
  void OnTime(std::uint64_t index);
  void ChangePaths(const EventSpec& event);
  void OnArbitration(std::uint64_t index, const nvme::Cqe& cqe);

  Machine* machine_;
  nvme::ArbitrationFeature arbitration_;  // as asked for last
  std::vector<Entry> entries_;
  std::vector<std::string> failures_;
  ssd::TimePs start_ = 0;
};

/// "weights 8,2,1, burst 3, io.wrr of gold low"
[[nodiscard]] std::string DescribeEvent(const EventSpec& event);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_RUN_EVENTS_H_
