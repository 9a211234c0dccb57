// SPDX-License-Identifier: Apache-2.0
//
// Machine: everything that one variant simulates, put together: front end (RTL or model) behind the
// judge, drive, host memory, driver, cgroups. Who talks to whom:
//
//   NvmePci --MMIO--> SsdDevice --> CheckedFrontEnd --> RtlFrontEnd | ModelFrontEnd
//           <--DMA, interrupts--    (judge, --events)
//
// With [[path]] entries there is one such column per path, with a FabricLink between driver and
// drive, and a MultipathHead above them all.
#ifndef NVMEARB_TB_SIM_SIMULATION_MACHINE_H_
#define NVMEARB_TB_SIM_SIMULATION_MACHINE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arbiter/types.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_memory.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/multipath/controller_path.h"
#include "host_driver/multipath/head.h"
#include "host_driver/nvme/pci.h"
#include "scoreboard/checked_front_end.h"
#include "scoreboard/tee_sink.h"
#include "sim/simulation/engines.h"
#include "sim/simulation/kernel_clock.h"
#include "sim/simulation/parameters.h"
#include "ssd/fabric_link.h"
#include "ssd/flash.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"
#include "ssd/ssd_device.h"

namespace nvmearb::sim {

struct MachineOptions {
  Engine engine = Engine::kRtl;
  bool clock_free_running = false;
  const tb::TraceRequest* trace = nullptr;  ///< waves; only the RTL that can (tb::RtlCanTrace())
  /// The path whose controller waves, observation port and page show; empty: the first, or only.
  std::string observed_path;
  /// Tests: changes events on their way to the judge.
  tb::CheckedFrontEnd::Tamper tamper = nullptr;
  void* tamper_context = nullptr;
  /// Tests: puts a front end of its own around the engine's. Not owned by the caller afterwards.
  std::function<std::unique_ptr<ssd::FrontEnd>(ssd::FrontEnd* inner)> wrap;
  /// Tests: puts a door of its own around that of each drive, in the order of the controllers.
  std::function<std::unique_ptr<nvme::DevicePort>(nvme::DevicePort* drive)> wrap_port;
};

/// Throws host::UserError when `parameters` do not make a machine on this engine: CPUs, module
/// parameters, more queues than the RTL has. `where`: file, line and variant.
void CheckMachine(const Parameters& parameters, Engine engine, const std::string& where);

/// Index of the controller behind the path of that name; 0 for an empty one. Throws host::UserError
/// when there is no such path.
[[nodiscard]] std::size_t ObservedController(const Parameters& parameters, const std::string& path,
                                             const std::string& where);

/// A controller with what it alone has. Without [[path]] no link and no watcher.
struct Controller {
  std::unique_ptr<ssd::FrontEnd> engine;
  tb::RtlFrontEnd* rtl = nullptr;  ///< `engine`, if it is the RTL
  std::unique_ptr<ssd::FrontEnd> wrapped;
  tb::CheckedFrontEnd* checked = nullptr;  ///< owned by `device`
  std::unique_ptr<ssd::SsdDevice> device;
  std::unique_ptr<nvme::DevicePort> wrapped_port;
  std::unique_ptr<ssd::FabricLink> link;
  std::unique_ptr<host::ControllerPath> watcher;
  std::unique_ptr<host::NvmePci> driver;
};

/// Bios of the disk that the jobs use.
struct IoCounts {
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;  ///< completed with a status other than success
  [[nodiscard]] std::uint64_t InFlight() const { return submitted - completed; }
};

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
  [[nodiscard]] std::uint64_t RtlClocks() const;
  /// Grants that the judges saw, commands that they compared with host memory.
  [[nodiscard]] std::uint64_t JudgedGrants() const;
  [[nodiscard]] std::uint64_t ComparedCommands() const;
  /// The disk of the jobs: that of the one controller, or the head.
  [[nodiscard]] host::BlockDevice& disk();
  [[nodiscard]] IoCounts io() const;
  /// One per path, in the scenario's order; or the only one.
  [[nodiscard]] const std::vector<std::unique_ptr<Controller>>& controllers() const {
    return controllers_;
  }
  /// Null without paths.
  [[nodiscard]] host::MultipathHead* multipath() const { return head_.get(); }
  /// Attributes of the scheduler, on every path.
  void SetTunable(const std::string& name, std::int64_t value, const std::string& where);
  [[nodiscard]] ssd::Kernel& kernel() { return *kernel_; }
  [[nodiscard]] KernelClock& clock() { return clock_; }
  [[nodiscard]] const host::CpuTopology& cpus() const { return cpus_; }
  /// The first controller's; all are alike.
  [[nodiscard]] host::NvmePci& driver() const { return *controllers_[0]->driver; }
  [[nodiscard]] host::CgroupTree& cgroups() { return cgroups_; }
  [[nodiscard]] ssd::SsdDevice& device() { return *controllers_[0]->device; }
  [[nodiscard]] tb::CheckedFrontEnd& front_end() { return *controllers_[0]->checked; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }

 private:
  void OnDriverReady(std::uint64_t) { ++ready_count_; }
  void AddController(const MachineOptions& options, arbiter::EventSink* events,
                     const std::string& where);
  void AddPaths();
  ssd::Flash* SharedDrive(std::size_t controller);
  [[nodiscard]] const tb::Finding* FirstFinding() const;

  class HostPeek;

  Parameters parameters_;
  ssd::Kernel* kernel_;
  KernelClock clock_;
  host::CpuTopology cpus_;
  host::CgroupTree cgroups_;
  host::HostMemory memory_;
  std::unique_ptr<HostPeek> peek_;
  std::map<std::string, std::unique_ptr<ssd::Flash>> drives_;  // that paths share; outlive them
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::unique_ptr<host::MultipathHead> head_;
  std::size_t ready_count_ = 0;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_MACHINE_H_
