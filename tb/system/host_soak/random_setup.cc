// SPDX-License-Identifier: Apache-2.0
#include "random_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host_driver/base/cpu_topology.h"
#include "host_driver/block/elevator.h"
#include "host_driver/multipath/io_policy.h"
#include "nvme/base/random.h"

namespace nvmearb::system {
namespace {

using host::kMs;
using host::kSec;
using host::kUs;

constexpr std::uint64_t kStream = 0x736f616b;
const std::vector<std::string> kLevels = {"none", "low", "medium", "high", "urgent"};

class Maker {
 public:
  Maker(std::uint64_t seed, std::uint64_t bios) : random_(seed, kStream) {
    setup_.seed = seed;
    setup_.bios = bios;
  }

  RandomSetup Make() {
    parameters().cpus = Pick<std::string>({"1x1x1", "1x2x1", "1x4x1", "1x2x2", "2x2x1", "2x4x1"});
    const host::CpuTopology cpus = host::CpuTopology::Parse(parameters().cpus, "soak");
    cpus_ = cpus.cpu_count();
    nodes_ = cpus.node_count();
    setup_.may_fail = Chance(10);
    MakeDrive();
    MakeQueues();
    MakeScheduler();
    MakeCosts();
    if (Chance(50)) MakePaths();
    MakeGroups();
    MakeThreads();
    MakeFaults();
    return std::move(setup_);
  }

 private:
  sim::Parameters& parameters() { return setup_.parameters; }
  bool Chance(unsigned percent) { return random_.Below(100) < percent; }
  std::uint64_t Number(std::uint64_t low, std::uint64_t high) { return random_.InRange(low, high); }
  unsigned Small(unsigned low, unsigned high) { return static_cast<unsigned>(Number(low, high)); }
  template <typename T>
  T Pick(const std::vector<T>& list) {
    return list[random_.Below(list.size())];
  }
  /// Small numbers as often as large ones.
  std::uint64_t Scaled(std::uint64_t low, std::uint64_t high) {
    const double from = std::log2(static_cast<double>(low));
    const double to = std::log2(static_cast<double>(high) + 1);
    const double value = std::floor(std::exp2(from + random_.Unit() * (to - from)));
    return std::clamp(static_cast<std::uint64_t>(value), low, high);
  }

  void MakeDrive() {
    const ssd::Preset& preset = Pick(ssd::Presets());
    parameters().preset = preset.name;
    parameters().device = preset.make();
    ssd::SsdParams& drive = parameters().device;
    drive.seed = setup_.seed;
    if (Chance(60)) drive.media.window_slots = static_cast<std::uint32_t>(Scaled(2, 300));
    if (Chance(30)) {
      ssd::SsdParams other = drive;
      other.identity.mdts = static_cast<std::uint8_t>(Number(1, 6));
      if (other.Problem().empty()) drive = other;
    }
    if (Chance(20)) drive.identity.max_io_queues = Small(1, cpus_ + 4);
    if (Chance(20)) drive.identity.volatile_write_cache = true;
    drive.firmware.acl_zb = static_cast<std::uint8_t>(Number(0, 4));
  }

  void MakeQueues() {
    host::NvmeParams& nvme = parameters().nvme;
    nvme.io_queue_depth = static_cast<unsigned>(Chance(50) ? Number(2, 12) : Scaled(2, 1024));
    nvme.shared_tags = Chance(20);
    if (Chance(30)) nvme.read_queues = Small(0, cpus_);
    if (Chance(30)) nvme.poll_queues = Small(0, cpus_);
    if (Chance(60)) {
      for (unsigned* count : {&nvme.wrr_low_queues, &nvme.wrr_medium_queues, &nvme.wrr_high_queues,
                              &nvme.wrr_urgent_queues}) {
        *count = Small(0, (cpus_ + 1) / 2);
      }
    }
    if (Chance(20)) nvme.vectors = Small(1, cpus_ + 2);
    if (Chance(80)) nvme.arbitration = Arbitration();
    nvme.io_timeout = 1;
    nvme.admin_timeout = Small(1, 5);
    nvme.max_retries = setup_.may_fail ? Small(0, 3) : 255;
    nvme.nomerges = Chance(20);
    if (Chance(30)) nvme.plug_style = host::PlugStyle::kListPerRun;
  }
  std::uint32_t Arbitration() {
    const auto weight = [this] { return static_cast<int>(Scaled(1, 256)); };
    const std::array<int, 3> weights = {weight(), weight(), weight()};
    return sim::WithArbitration({}, weights, static_cast<int>(Number(0, 7))).Encode();
  }

  void MakeScheduler() {
    host::NvmeParams& nvme = parameters().nvme;
    nvme.scheduler = Pick(host::SchedulerNames());
    if (nvme.scheduler != "none" && Chance(50)) nvme.nr_requests = Small(1, 40);
    for (const host::Tunable& tunable : Tunables()) {
      if (Chance(40)) nvme.iosched.emplace_back(tunable.name, Value(tunable));
    }
    if (!Chance(25)) return;
    nvme.iocost.SetQos(fmt::format("enable=1 rpct={} rlat={} wpct={} wlat={} min={} max={}",
                                   Number(0, 100), Scaled(50, 50'000), Number(0, 100),
                                   Scaled(50, 50'000), Number(20, 100), Number(100, 400)),
                       "soak");
    if (!Chance(50)) return;
    nvme.iocost.SetModel(
        fmt::format("rbps={} rseqiops={} rrandiops={} wbps={} wseqiops={} wrandiops={}",
                    Scaled(50'000'000, 4'000'000'000), Scaled(2000, 2'000'000),
                    Scaled(2000, 2'000'000), Scaled(50'000'000, 4'000'000'000),
                    Scaled(2000, 2'000'000), Scaled(2000, 2'000'000)),
        "soak");
  }
  std::vector<host::Tunable> Tunables() {
    elevator_ = host::MakeElevator(parameters().nvme.scheduler, "soak");
    return elevator_ == nullptr ? std::vector<host::Tunable>() : elevator_->tunables();
  }
  std::int64_t Value(const host::Tunable& tunable) {
    if (Chance(20)) return tunable.low;
    const std::int64_t present = std::max<std::int64_t>(*tunable.value, 8);
    const auto value = static_cast<std::int64_t>(
        Scaled(1, std::min<std::uint64_t>(static_cast<std::uint64_t>(present), 1u << 30) * 8));
    return std::clamp(value, tunable.low, tunable.high);
  }

  void MakeCosts() {
    host::HostCosts& costs = parameters().costs;
    if (Chance(40)) costs.submit_ns = static_cast<std::uint32_t>(Scaled(100, 3000));
    if (Chance(30)) costs.request_ns = static_cast<std::uint32_t>(Scaled(100, 3000));
    if (Chance(30)) costs.request_end_ns = static_cast<std::uint32_t>(Scaled(100, 3000));
    if (Chance(30)) {
      costs.sched_insert_ns = costs.sched_dispatch_ns = costs.sched_end_ns = Small(50, 1000);
    }
    costs.rq_affinity = Small(1, 2);
    costs.irq_latency_ns = static_cast<std::uint32_t>(Scaled(100, 5000));
    // A queue that stands still for seconds is polled all the time.
    costs.poll_ns = static_cast<std::uint32_t>(Scaled(4000, 40'000));
  }

  void MakePaths() {
    const unsigned count = Chance(15) ? 1 : Small(2, 5);
    const unsigned drives = Chance(50) ? Small(1, 2) : 0;  // that the paths share; 0: none
    for (unsigned i = 0; i < count; ++i) {
      sim::PathParameters path;
      path.name = fmt::format("p{}", i);
      if (drives > 0) path.drive = fmt::format("d{}", Number(0, drives - 1));
      if (Chance(80)) path.link.latency_ps = Scaled(1, 500) * kUs;
      if (Chance(30)) path.link.jitter_ps = Scaled(1, 200) * kUs;
      if (Chance(30)) path.link.command_ps = Scaled(100'000, 5 * kUs);
      if (Chance(30)) path.link.bandwidth_bytes_per_s = Scaled(200'000'000, 12'000'000'000);
      if (Chance(40)) path.numa_node = Small(0, nodes_ - 1);
      // The first is one that can be used.
      if (i > 0 && Chance(30))
        path.ana = Pick(
            std::vector<host::AnaState>(std::begin(sim::kAnaStates), std::end(sim::kAnaStates)));
      parameters().paths.push_back(path);
    }
    parameters().multipath.iopolicy = Pick(host::IoPolicyNames());
    parameters().nvme.reconnect_delay = Scaled(1, 500) * kMs;
    if (!setup_.may_fail) return;
    parameters().nvme.ctrl_loss_tmo = Number(0, 2) * kSec;
    parameters().fast_io_fail_tmo = Number(0, 1) * kSec;
  }

  void MakeGroups() {
    for (const char* path : {"a", "a/b", "a/b/c", "a/d", "e"}) {
      if (!Chance(60)) continue;
      setup_.groups.push_back(
          {path, Pick(kLevels),
           Pick<std::string>({"no-change", "none-to-rt", "restrict-to-be", "idle"}),
           static_cast<unsigned>(Scaled(1, 1000)), static_cast<unsigned>(Scaled(1, 10'000))});
    }
  }

  void MakeThreads() {
    unsigned room = Small(1, 400);  // bios in flight
    const unsigned count = Small(1, 12);
    for (unsigned i = 0; i < count && room > 0; ++i) {
      SoakThread thread;
      if (!setup_.groups.empty() && Chance(75)) thread.cgroup = Pick(setup_.groups).path;
      thread.ioprio_class = static_cast<host::IoprioClass>(Number(0, 3));
      thread.ioprio_level = static_cast<std::uint8_t>(Number(0, 7));
      thread.sync = Chance(50);
      thread.polled = Chance(25);
      thread.random = Chance(50);
      thread.moves = Chance(40);
      thread.depth = std::min(room, static_cast<unsigned>(Scaled(1, 64)));
      room -= thread.depth;
      thread.batch = static_cast<unsigned>(Scaled(1, 40));
      if (Chance(70)) thread.think = Scaled(100'000, 50 * kUs);
      thread.write_pct = Chance(30) ? 0 : Small(0, 100);
      if (Chance(15)) thread.flush_pct = Small(1, 5);
      if (Chance(15)) thread.discard_pct = Small(1, 5);
      if (Chance(30)) {
        const bool large = thread.depth <= 8;
        thread.most_bytes = 4096 * static_cast<std::uint32_t>(Scaled(1, large ? 128 : 8));
        if (Chance(50)) thread.least_bytes = thread.most_bytes;
      }
      const std::uint64_t capacity = parameters().device.identity.capacity_bytes;
      thread.region = Scaled(std::uint64_t{1} << 20, capacity) / 4096 * 4096;
      setup_.threads.push_back(thread);
    }
  }

  void MakeFaults() {
    const unsigned count = Small(0, 8);
    const bool paths = !parameters().paths.empty();
    for (unsigned i = 0; i < count; ++i) {
      SoakFault fault;
      fault.after = Number(0, setup_.bios * 9 / 10);
      fault.kind =
          static_cast<FaultKind>(Number(0, static_cast<std::uint64_t>(FaultKind::kAttribute)));
      fault.controller = paths ? random_.Below(parameters().paths.size()) : 0;
      fault.length = Scaled(1, 3'000'000) * kUs;
      if (!Complete(&fault, paths)) fault.kind = FaultKind::kReset;
      setup_.faults.push_back(fault);
    }
    std::stable_sort(setup_.faults.begin(), setup_.faults.end(),
                     [](const SoakFault& a, const SoakFault& b) { return a.after < b.after; });
  }
  /// What belongs to its kind; false: this machine has no such thing.
  bool Complete(SoakFault* fault, bool paths) {
    switch (fault->kind) {
      case FaultKind::kLinkDown:
      case FaultKind::kLinkSilent:
        return paths;
      case FaultKind::kSlow:
        fault->value = Scaled(1, 20'000) * kUs;
        return paths;
      case FaultKind::kAna:
        fault->value = Number(0, std::size(sim::kAnaStates) - 1);
        return paths;
      case FaultKind::kPolicy:
        fault->name = Pick(host::IoPolicyNames());
        return paths;
      case FaultKind::kWeights:
        fault->value = Arbitration();
        return true;
      case FaultKind::kLevel:
        if (setup_.groups.empty()) return false;
        fault->name = Pick(setup_.groups).path;
        fault->value = Number(0, kLevels.size() - 1);
        return true;
      case FaultKind::kAttribute: {
        const std::vector<host::Tunable> tunables = Tunables();
        if (tunables.empty()) return false;
        const host::Tunable tunable = Pick(tunables);
        fault->name = tunable.name;
        fault->value = static_cast<std::uint64_t>(Value(tunable));
        return true;
      }
      case FaultKind::kLoseCompletions:
      case FaultKind::kLoseInterrupts:
        fault->value = Scaled(1, 20);
        return true;
      case FaultKind::kReset:
      case FaultKind::kFatal:
        return true;
    }
    return false;
  }

  base::Random random_;
  RandomSetup setup_;
  std::unique_ptr<host::Elevator> elevator_;  // whose tunables are looked at
  unsigned cpus_ = 1;
  unsigned nodes_ = 1;
};

}  // namespace

const char* Name(FaultKind kind) {
  static constexpr const char* kNames[] = {"reset",        "lost completions", "lost interrupts",
                                           "fatal status", "link down",        "silent link",
                                           "slow link",    "ANA state",        "iopolicy",
                                           "weights",      "io.wrr",           "iosched"};
  return kNames[static_cast<std::size_t>(kind)];
}

RandomSetup MakeRandomSetup(std::uint64_t seed, std::uint64_t bios) {
  return Maker(seed, bios).Make();
}

std::string Describe(const RandomSetup& setup) {
  const sim::Parameters& p = setup.parameters;
  const host::NvmeParams& nvme = p.nvme;
  std::string text = fmt::format(
      "seed {}: {} CPUs, drive {} window {}, queue depth {}{}, {} read {} poll {}/{}/{}/{} wrr "
      "queues, vectors {}\n  scheduler {}, {} requests, iocost {}, submit {} ns{}\n",
      setup.seed, p.cpus, p.preset, p.device.media.window_slots, nvme.io_queue_depth,
      nvme.shared_tags ? " shared" : "", nvme.read_queues, nvme.poll_queues, nvme.wrr_low_queues,
      nvme.wrr_medium_queues, nvme.wrr_high_queues, nvme.wrr_urgent_queues, nvme.vectors,
      nvme.scheduler, nvme.nr_requests, nvme.iocost.enable ? "on" : "off", p.costs.submit_ns,
      setup.may_fail ? ", bios may fail" : "");
  for (const auto& [name, value] : nvme.iosched) text += fmt::format("  {} = {}\n", name, value);
  if (!p.paths.empty()) {
    text += fmt::format("  {} paths, {}, drives", p.paths.size(), p.multipath.iopolicy);
    for (const sim::PathParameters& path : p.paths) {
      text += path.drive.empty() ? " own" : " " + path.drive;
    }
    text += "\n";
  }
  for (const SoakThread& thread : setup.threads) {
    text += fmt::format("  thread in /{}: depth {}, batch {}, {} % writes, {}..{} bytes{}{}\n",
                        thread.cgroup, thread.depth, thread.batch, thread.write_pct,
                        thread.least_bytes, thread.most_bytes, thread.random ? ", random" : "",
                        thread.polled ? ", polled" : "");
  }
  for (const SoakFault& fault : setup.faults) {
    text += fmt::format("  after {}: {} of controller {}, {} us, {} {}\n", fault.after,
                        Name(fault.kind), fault.controller, fault.length / kUs, fault.value,
                        fault.name);
  }
  return text;
}

}  // namespace nvmearb::system
