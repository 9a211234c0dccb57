// SPDX-License-Identifier: Apache-2.0
#include "soak_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bio_checker.h"
#include "faulty_port.h"
#include "left_overs.h"
#include "sim/simulation/machine.h"
#include "soak_load.h"

namespace nvmearb::system {
namespace {

using host::kMs;
using host::kSec;
using host::TimePs;

constexpr TimePs kSlice = 20 * kMs;
/// After so long the faults are mended, whatever is missing.
constexpr TimePs kLoadLimit = 300 * kSec;
/// Then everything ends within this: some timeouts, aborts and resets one after the other.
constexpr TimePs kDrainLimit = 2000 * kSec;
/// Behind the faults the machine serves this many more.
constexpr std::uint64_t kSecondLoad = 500;
constexpr std::array<const char*, 5> kLevels = {"none", "low", "medium", "high", "urgent"};

class Run {
 public:
  Run(const RandomSetup& setup, sim::Engine engine, Sabotage sabotage)
      : setup_(setup),
        sabotage_(sabotage),
        machine_(setup.parameters, Options(engine), nullptr, fmt::format("seed {}", setup.seed)),
        checker_(Slots(setup), setup.may_fail) {}

  SoakResult Go() {
    machine_.BringUp();
    SoakLoad load(setup_, &machine_, &checker_, sabotage_, [this] { MakeFaults(); });
    load.Start();
    const TimePs start = machine_.clock().Now();
    RunWhile([&] { return !load.Submitted() && machine_.clock().Now() < start + kLoadLimit; });
    MendAll();
    const auto drain = [&] {
      const TimePs from = machine_.clock().Now();
      RunWhile([&] {
        return (checker_.in_flight() > 0 || !load.Submitted()) &&
               machine_.clock().Now() < from + kDrainLimit;
      });
    };
    drain();
    if (checker_.finding().empty() && checker_.in_flight() == 0) {
      load.Extend(kSecondLoad);
      drain();
    }
    RunFor(10 * kSec);  // what was taken back, and timers that look for more
    checker_.ExpectAllEnded();
    Leak();
    left_ = LeftOvers(&machine_);
    checker_.Note(left_);
    return {Counts(), Finding()};
  }

 private:
  static std::size_t Slots(const RandomSetup& setup) {
    std::size_t count = 0;
    for (const SoakThread& thread : setup.threads) count += thread.depth;
    return count;
  }
  sim::MachineOptions Options(sim::Engine engine) {
    sim::MachineOptions options;
    options.engine = engine;
    options.wrap_port = [this](nvme::DevicePort* drive) {
      auto port = std::make_unique<FaultyPort>(drive);
      ports_.push_back(port.get());
      return port;
    };
    return options;
  }

  template <typename Condition>
  void RunWhile(Condition condition) {
    while (condition() && checker_.finding().empty()) RunFor(kSlice);
  }
  void RunFor(TimePs time) {
    machine_.kernel().RunUntil(machine_.kernel().Now() + time);
    checker_.See(machine_.kernel().Now());
  }

  void MakeFaults() {
    while (next_fault_ < setup_.faults.size() && !mended_ &&
           setup_.faults[next_fault_].after <= checker_.ended()) {
      const std::size_t index = next_fault_++;
      // Not from within the completion of a bio.
      machine_.clock().At(machine_.clock().Now(), host::Bind<&Run::MakeFault>(this, index));
    }
  }
  void MakeFault(std::uint64_t index) {
    if (mended_) return;
    const SoakFault& fault = setup_.faults[index];
    const sim::Controller& controller = *machine_.controllers()[fault.controller];
    host::NvmePci& driver = *controller.driver;
    ++faults_;
    switch (fault.kind) {
      case FaultKind::kReset:
        return driver.ResetController();
      case FaultKind::kLoseCompletions:
        if (driver.live()) ports_[fault.controller]->LoseCompletions(Count(fault));
        return;
      case FaultKind::kLoseInterrupts:
        if (driver.live()) ports_[fault.controller]->LoseInterrupts(Count(fault));
        return;
      case FaultKind::kFatal:
        if (driver.live()) ports_[fault.controller]->Fail();
        return;
      case FaultKind::kLinkDown:
        controller.link->Down();
        driver.LinkDown();
        return Later(index);
      case FaultKind::kLinkSilent:
        controller.link->Down();
        return Later(index);
      case FaultKind::kSlow: {
        ssd::FabricLinkParams link = controller.link->params();
        link.latency_ps = fault.value;
        controller.link->Set(link);
        return Later(index);
      }
      case FaultKind::kAna:
        SetAna(fault.controller, sim::kAnaStates[fault.value]);
        return Later(index);
      case FaultKind::kPolicy:
        return machine_.multipath()->SetPolicy(fault.name, "soak");
      case FaultKind::kWeights:
        if (driver.live()) {
          driver.SetArbitration(static_cast<std::uint32_t>(fault.value),
                                host::BindAdmin<&Run::Answered>(this));
        }
        return;
      case FaultKind::kLevel: {
        const host::DiskId disk = host::NvmePci::disk_id();
        host::CgroupTree& tree = machine_.cgroups();
        return tree.Write(*tree.Find("/" + fault.name), "io.wrr",
                          fmt::format("{}:{} {}", disk.major, disk.minor, kLevels[fault.value]));
      }
      case FaultKind::kAttribute:
        return machine_.SetTunable(fault.name, static_cast<std::int64_t>(fault.value), "soak");
    }
  }
  static unsigned Count(const SoakFault& fault) { return static_cast<unsigned>(fault.value); }
  void Answered(std::uint64_t, const nvme::Cqe&) {}
  void Later(std::uint64_t index) {
    machine_.clock().At(machine_.clock().Now() + setup_.faults[index].length,
                        host::Bind<&Run::Mend>(this, setup_.faults[index].controller));
  }
  void SetAna(std::size_t controller, host::AnaState state) {
    machine_.multipath()->SetAna(machine_.multipath()->paths()[controller].get(), state);
  }
  void Mend(std::uint64_t index) {
    const sim::Controller& controller = *machine_.controllers()[index];
    ports_[index]->Mend();
    if (controller.link == nullptr) return;
    // A transport that comes back knows that it was away: what it lost cannot be made up for.
    if (!controller.link->up()) controller.driver->LinkDown();
    controller.link->Set(setup_.parameters.paths[index].link);
    controller.link->Up();
    controller.driver->LinkUp();
    SetAna(index, setup_.parameters.paths[index].ana);
  }
  void MendAll() {
    mended_ = true;
    for (std::size_t i = 0; i < ports_.size(); ++i) Mend(i);
  }

  /// Some damage that only the last look can find.
  void Leak() {
    auto& block = dynamic_cast<host::BlkMq&>(machine_.driver().disk());
    if (sabotage_ == Sabotage::kLeakTag) block.hctx(0).tags.Allocate();
    if (sabotage_ == Sabotage::kLeakDriverTag) {
      block.hctx(0).driver_tags->Take(block.hctx(0).tags.Find(0));
    }
    if (sabotage_ == Sabotage::kLeakActive) ++machine_.multipath()->paths()[0]->nr_active;
  }

  std::string Finding() {
    if (checker_.finding().empty()) return "";
    return fmt::format("{}\nleft: {}\n{}{}", checker_.finding(), left_, Describe(setup_),
                       machine_.Describe());
  }
  SoakCounts Counts() {
    SoakCounts counts;
    counts.setups = 1;
    counts.bios = checker_.ended();
    counts.failed = checker_.failed();
    counts.faults = faults_;
    for (const auto& controller : machine_.controllers()) {
      counts.resets += controller->driver->stats().resets;
      counts.aborts += controller->driver->stats().aborts;
      counts.timeouts += controller->driver->block().stats().timeouts;
      counts.tag_waits += controller->driver->block().stats().tag_waits;
      counts.merges += controller->driver->block().stats().merges;
    }
    if (machine_.multipath() != nullptr) {
      counts.failovers = machine_.multipath()->stats().failovers;
    }
    for (const FaultyPort* port : ports_) counts.lost_messages += port->lost();
    counts.judged_grants = machine_.JudgedGrants();
    return counts;
  }

  const RandomSetup& setup_;
  Sabotage sabotage_;
  std::vector<FaultyPort*> ports_;  // owned by the controllers
  sim::Machine machine_;
  BioChecker checker_;
  std::size_t next_fault_ = 0;
  std::uint64_t faults_ = 0;
  bool mended_ = false;
  std::string left_;
};

}  // namespace

SoakCounts& SoakCounts::operator+=(const SoakCounts& other) {
  setups += other.setups;
  bios += other.bios;
  failed += other.failed;
  faults += other.faults;
  resets += other.resets;
  timeouts += other.timeouts;
  aborts += other.aborts;
  failovers += other.failovers;
  tag_waits += other.tag_waits;
  merges += other.merges;
  lost_messages += other.lost_messages;
  judged_grants += other.judged_grants;
  return *this;
}

SoakResult RunSetup(const RandomSetup& setup, sim::Engine engine, Sabotage sabotage) {
  return Run(setup, engine, sabotage).Go();
}

}  // namespace nvmearb::system
