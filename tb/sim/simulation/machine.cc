// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "host_driver/base/user_error.h"
#include "host_driver/nvme/queue_plan.h"
#include "ssd/platform.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

constexpr ssd::TimePs kBringUpLimit = 120'000'000'000'000;  // 120 s: twice the drive's CAP.TO
constexpr ssd::TimePs kBringUpSlice = 1'000'000'000;
constexpr std::size_t kShownFindings = 8;

ssd::Kernel* FreshKernel() {
  ssd::Platform::Instance().Reset();
  return &ssd::Platform::Instance().kernel();
}

/// The driver takes what it gets, as Linux does, and says so in its log; a scenario that asks for
/// more than this build can do is a mistake.
void CheckQueueCount(const Parameters& parameters, unsigned cpu_count, unsigned sq_count,
                     const std::string& where) {
  const unsigned asked = host::QueuesToAskFor(parameters.nvme, cpu_count);
  if (asked < sq_count) return;
  throw UserError(
      where,
      fmt::format("{} I/O queues ({} CPUs, {} read, {} poll) and the admin queue, but this RTL "
                  "has {} SQs",
                  asked, cpu_count, parameters.nvme.read_queues, parameters.nvme.poll_queues,
                  sq_count),
      fmt::format("fewer host.cpus, or configure the build with -DNVMEARB_SIM_SQS={}", asked + 1));
}

void CheckPaths(const Parameters& parameters, unsigned node_count, const std::string& where) {
  if (parameters.paths.size() > ssd::Platform::kSlotCount) {
    throw UserError(where, fmt::format("{} paths", parameters.paths.size()),
                    fmt::format("at most {}", ssd::Platform::kSlotCount));
  }
  for (const PathParameters& path : parameters.paths) {
    if (path.numa_node == host::kNoNode || path.numa_node < node_count) continue;
    throw UserError(
        where, fmt::format("path {} is at NUMA node {}", path.name, path.numa_node),
        fmt::format("host.cpus = {} has nodes 0 to {}", parameters.cpus, node_count - 1));
  }
  if (!parameters.paths.empty() || parameters.multipath_keys.empty()) return;
  throw UserError(where,
                  fmt::format("{} is set, but there is no [[path]]", parameters.multipath_keys),
                  "it is an attribute of multipath");
}

}  // namespace

std::size_t ObservedController(const Parameters& parameters, const std::string& path,
                               const std::string& where) {
  if (path.empty()) return 0;
  std::vector<std::string> names;
  for (const PathParameters& each : parameters.paths) {
    if (each.name == path) return names.size();
    names.push_back(each.name);
  }
  throw UserError("--path", fmt::format("{} has no path {}", where, path),
                  names.empty() ? "it has one controller: leave --path out"
                                : fmt::format("one of {}", fmt::join(names, ", ")));
}

void CheckMachine(const Parameters& parameters, Engine engine, const std::string& where) {
  const host::CpuTopology cpus = host::CpuTopology::Parse(parameters.cpus, where + ": host.cpus");
  parameters.nvme.Validate(cpus.cpu_count(), where);
  host::CheckScheduler(parameters.nvme.scheduler, parameters.nvme.iosched, where);
  if (engine == Engine::kRtl) {
    CheckQueueCount(parameters, cpus.cpu_count(), NVMEARB_SIM_SQS, where);
  }
  CheckPaths(parameters, cpus.node_count(), where);
}

/// Host memory behind the device's back, for the judge.
class Machine::HostPeek : public tb::MemoryPeek {
 public:
  explicit HostPeek(const host::HostMemory* memory) : memory_(memory) {}
  [[nodiscard]] bool Peek(std::uint64_t address, void* destination, std::size_t bytes) override {
    return memory_->Read(address, destination, bytes);
  }

 private:
  const host::HostMemory* memory_;
};

Machine::Machine(const Parameters& parameters, const MachineOptions& options,
                 arbiter::EventSink* events, const std::string& where)
    : parameters_(parameters),
      kernel_(FreshKernel()),
      clock_(kernel_),
      cpus_(host::CpuTopology::Parse(parameters.cpus, where + ": host.cpus")),
      cgroups_({false, parameters.nvme.posted_bugs}) {
  peek_ = std::make_unique<HostPeek>(&memory_);
  parameters_.nvme.disk_number = cgroups_.AddDisk(host::NvmePci::disk_id());
  const std::size_t count = std::max<std::size_t>(1, parameters_.paths.size());
  const std::size_t observed = ObservedController(parameters_, options.observed_path, where);
  for (std::size_t i = 0; i < count; ++i) {
    MachineOptions its = options;
    if (i != observed) its.trace = nullptr;
    AddController(its, i == observed ? events : nullptr, where);
  }
}

Machine::~Machine() = default;

void Machine::AddController(const MachineOptions& options, arbiter::EventSink* events,
                            const std::string& where) {
  const std::size_t index = controllers_.size();
  controllers_.push_back(std::make_unique<Controller>());
  Controller& controller = *controllers_.back();
  const unsigned asked = host::QueuesToAskFor(parameters_.nvme, cpus_.cpu_count());
  EngineInstance engine =
      MakeEngine(options.engine, kernel_, asked + 1, options.clock_free_running, options.trace);
  controller.engine = std::move(engine.front_end);
  controller.rtl = engine.rtl;
  CheckQueueCount(parameters_, cpus_.cpu_count(), controller.engine->Limits().sq_count, where);
  ssd::FrontEnd* inner = controller.engine.get();
  if (options.wrap) {
    controller.wrapped = options.wrap(inner);
    inner = controller.wrapped.get();
  }
  auto checked = std::make_unique<tb::CheckedFrontEnd>(inner, peek_.get());
  controller.checked = checked.get();
  if (options.tamper != nullptr) checked->SetTamper(options.tamper, options.tamper_context);
  ssd::SsdParams drive = parameters_.device;
  drive.seed += index;  // dies are picked independently
  controller.device = std::make_unique<ssd::SsdDevice>(
      &ssd::Platform::Instance(), index, drive, std::move(checked), events, SharedDrive(index));
  nvme::DevicePort* door = controller.device.get();
  if (options.wrap_port) {
    controller.wrapped_port = options.wrap_port(door);
    door = controller.wrapped_port.get();
  }
  host::NvmeParams nvme = parameters_.nvme;
  if (!parameters_.paths.empty()) {
    controller.link = std::make_unique<ssd::FabricLink>(
        kernel_, door, parameters_.paths[index].link, parameters_.device.seed, index);
    door = controller.link.get();
    controller.watcher =
        std::make_unique<host::ControllerPath>(clock_, parameters_.fast_io_fail_tmo);
    nvme.fabrics = true;
    nvme.instance = static_cast<unsigned>(index);
  }
  controller.driver =
      std::make_unique<host::NvmePci>(clock_, *door, memory_, cpus_, nvme, parameters_.costs);
  controller.driver->SetWatcher(controller.watcher.get());
}

/// Dies and buffer that this controller shares with others; null: its own.
ssd::Flash* Machine::SharedDrive(std::size_t controller) {
  if (parameters_.paths.empty() || parameters_.paths[controller].drive.empty()) return nullptr;
  auto& drive = drives_[parameters_.paths[controller].drive];
  if (drive == nullptr) {
    drive = std::make_unique<ssd::Flash>(kernel_, parameters_.device.media);
  }
  return drive.get();
}

void Machine::BringUp() {
  for (const auto& controller : controllers_) {
    controller->driver->Probe(host::Bind<&Machine::OnDriverReady>(this));
  }
  while (ready_count_ < controllers_.size()) {
    const bool more = kernel_->RunUntil(kernel_->Now() + kBringUpSlice);
    if (ready_count_ < controllers_.size() && (!more || kernel_->Now() > kBringUpLimit)) {
      throw std::runtime_error("the controller never became ready\n" + Describe());
    }
  }
  for (const auto& controller : controllers_) {
    if (controller->driver->live()) continue;
    throw UserError(fmt::format("nvme{}", &controller - controllers_.data()),
                    controller->driver->failure(), "the [device] and [host] keys decide it");
  }
  if (!parameters_.paths.empty()) AddPaths();
}

void Machine::AddPaths() {
  head_ = std::make_unique<host::MultipathHead>(clock_, cpus_, parameters_.multipath);
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    const PathParameters& path = parameters_.paths[i];
    Controller& controller = *controllers_[i];
    controller.watcher->Attach(head_.get(), head_->AddPath(path.name, &controller.driver->disk(),
                                                           path.numa_node, path.ana));
  }
}

host::BlockDevice& Machine::disk() {
  if (head_ != nullptr) return *head_;
  return driver().disk();
}

IoCounts Machine::io() const {
  if (head_ != nullptr) {
    const host::MultipathStats& stats = head_->stats();
    return {stats.bios_submitted, stats.bios_completed, stats.bios_failed};
  }
  const host::BlkMqStats& stats = driver().block().stats();
  return {stats.bios_submitted, stats.bios_completed, stats.bios_failed};
}

void Machine::SetTunable(const std::string& name, std::int64_t value, const std::string& where) {
  for (const auto& controller : controllers_) controller->driver->SetTunable(name, value, where);
}

std::uint64_t Machine::RtlClocks() const {
  std::uint64_t clocks = 0;
  for (const auto& controller : controllers_) {
    if (controller->rtl != nullptr) clocks += controller->rtl->Statistics().tick_count;
  }
  return clocks;
}

std::uint64_t Machine::JudgedGrants() const {
  std::uint64_t grants = 0;
  for (const auto& controller : controllers_)
    grants += controller->checked->judge().granted_count();
  return grants;
}

std::uint64_t Machine::ComparedCommands() const {
  std::uint64_t commands = 0;
  for (const auto& controller : controllers_) commands += controller->checked->compared_count();
  return commands;
}

std::vector<std::string> Machine::Findings(bool quiet) {
  std::vector<std::string> texts;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    tb::CheckedFrontEnd& checked = *controllers_[i]->checked;
    // A controller that was lost may have been left at any point.
    if (quiet && controllers_[i]->driver->live()) checked.judge().ExpectQuiet();
    count += checked.judge().log().finding_count();
    const std::string whose = head_ == nullptr ? "" : head_->paths()[i]->name + ": ";
    for (const tb::Finding& finding : checked.findings()) {
      if (texts.size() == kShownFindings) break;
      texts.push_back(fmt::format("{}{}, clock {}, SQ {}: {}", whose, tb::Name(finding.rule),
                                  finding.cycle, finding.sqid, finding.text));
    }
  }
  if (count > texts.size()) texts.push_back(fmt::format("... {} findings in all", count));
  const bool failed = std::any_of(controllers_.begin(), controllers_.end(), [](const auto& c) {
    return c->rtl != nullptr && c->rtl->AssertionFailed();
  });
  if (failed) texts.emplace_back("an assertion of the RTL failed (printed above)");
  return texts;
}

const tb::Finding* Machine::FirstFinding() const {
  for (const auto& controller : controllers_) {
    if (!controller->checked->findings().empty()) return &controller->checked->findings().front();
  }
  return nullptr;
}

std::uint64_t Machine::FirstFindingTime() const {
  const tb::Finding* const finding = FirstFinding();
  if (finding == nullptr || finding->events.empty()) return kernel_->Now();
  return finding->events.back().time_ps;
}

std::string Machine::FirstFindingInFull() {
  const tb::Finding* const finding = FirstFinding();
  return finding == nullptr ? "" : tb::Describe(*finding);
}

std::string Machine::Describe() {
  std::string text = head_ == nullptr ? "" : head_->Describe();
  for (const auto& controller : controllers_) {
    if (controller->link != nullptr) text += controller->link->Describe();
    text += controller->driver->DescribeQueues() + controller->device->DescribeQueues();
  }
  return text;
}

}  // namespace nvmearb::sim
