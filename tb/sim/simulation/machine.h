// SPDX-License-Identifier: Apache-2.0
//
// Machine: everything that one variant simulates, put together: front end (RTL or model) behind the
// judge, drive, host memory, driver, cgroups. Who talks to whom:
//
//   NvmePci --MMIO--> SsdDevice --> CheckedFrontEnd --> RtlFrontEnd | ModelFrontEnd
//           <--DMA, interrupts--    (judge, --events)
#ifndef NVMEARB_TB_SIM_SIMULATION_MACHINE_H_
#define NVMEARB_TB_SIM_SIMULATION_MACHINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arbiter/types.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_memory.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/nvme/pci.h"
#include "scoreboard/checked_front_end.h"
#include "scoreboard/tee_sink.h"
#include "sim/simulation/engines.h"
#include "sim/simulation/kernel_clock.h"
#include "sim/simulation/parameters.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"
#include "ssd/ssd_device.h"

namespace nvmearb::sim {

struct MachineOptions {
  Engine engine = Engine::kRtl;
  bool clock_free_running = false;
  const tb::TraceRequest* trace = nullptr;  ///< waves; only the RTL that can (tb::RtlCanTrace())
  /// Tests: changes events on their way to the judge.
  tb::CheckedFrontEnd::Tamper tamper = nullptr;
  void* tamper_context = nullptr;
  /// Tests: puts a front end of its own around the engine's. Not owned by the caller afterwards.
  std::function<std::unique_ptr<ssd::FrontEnd>(ssd::FrontEnd* inner)> wrap;
};

/// Throws host::UserError when `parameters` do not make a machine on this engine: CPUs, module
/// parameters, more queues than the RTL has. `where`: file, line and variant.
void CheckMachine(const Parameters& parameters, Engine engine, const std::string& where);

class Machine {
 public:
  /// Resets the process's Kernel and builds the machine; nothing runs yet. `events` (may be null)
  /// gets the observation port. Throws host::UserError, for example for more queues than the RTL
  /// has.
  Machine(const Parameters& parameters, const MachineOptions& options, arbiter::EventSink* events,
          const std::string& where);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Runs until the driver is live; takes simulated time. Throws host::UserError with the driver's
  /// reason when the controller cannot be used, std::runtime_error when it never answers.
  void BringUp();

  /// What keeps the run from being good: the judge's findings, failed assertions of the RTL.
  /// `quiet`: nothing is outstanding, so nothing may be left half done.
  [[nodiscard]] std::vector<std::string> Findings(bool quiet);
  /// Simulated time of the first finding; now, when there is none.
  [[nodiscard]] std::uint64_t FirstFindingTime() const;
  /// The first finding with the events that led to it; several lines, or empty.
  [[nodiscard]] std::string FirstFindingInFull();

  /// I/O queue heads and tails, window and media, for messages about a machine that stands still.
  [[nodiscard]] std::string Describe();

  /// Clock edges of the RTL that were run; 0 for the model.
  [[nodiscard]] std::uint64_t RtlClocks() const {
    return rtl_ == nullptr ? 0 : rtl_->Statistics().tick_count;
  }
  [[nodiscard]] ssd::Kernel& kernel() { return *kernel_; }
  [[nodiscard]] KernelClock& clock() { return clock_; }
  [[nodiscard]] const host::CpuTopology& cpus() const { return cpus_; }
  [[nodiscard]] host::NvmePci& driver() const { return *driver_; }
  [[nodiscard]] host::CgroupTree& cgroups() { return cgroups_; }
  [[nodiscard]] ssd::SsdDevice& device() { return *device_; }
  [[nodiscard]] tb::CheckedFrontEnd& front_end() { return *checked_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }

 private:
  void OnDriverReady(std::uint64_t) { driver_ready_ = true; }

  class HostPeek;

  Parameters parameters_;
  ssd::Kernel* kernel_;
  KernelClock clock_;
  host::CpuTopology cpus_;
  host::CgroupTree cgroups_;
  host::HostMemory memory_;
  std::unique_ptr<HostPeek> peek_;
  std::unique_ptr<ssd::FrontEnd> engine_;
  tb::RtlFrontEnd* rtl_ = nullptr;  // engine_, if it is the RTL
  std::unique_ptr<ssd::FrontEnd> wrapped_;
  tb::CheckedFrontEnd* checked_ = nullptr;  // owned by device_
  std::unique_ptr<ssd::SsdDevice> device_;
  std::unique_ptr<host::NvmePci> driver_;
  bool driver_ready_ = false;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_MACHINE_H_
