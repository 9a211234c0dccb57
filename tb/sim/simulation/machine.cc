// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/machine.h"

#include <fmt/format.h>

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

}  // namespace

void CheckMachine(const Parameters& parameters, Engine engine, const std::string& where) {
  const host::CpuTopology cpus = host::CpuTopology::Parse(parameters.cpus, where + ": host.cpus");
  parameters.nvme.Validate(cpus.cpu_count(), where);
  host::CheckScheduler(parameters.nvme.scheduler, parameters.nvme.iosched, where);
  if (engine == Engine::kRtl) {
    CheckQueueCount(parameters, cpus.cpu_count(), NVMEARB_SIM_SQS, where);
  }
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
  const unsigned asked = host::QueuesToAskFor(parameters_.nvme, cpus_.cpu_count());
  EngineInstance engine =
      MakeEngine(options.engine, kernel_, asked + 1, options.clock_free_running, options.trace);
  engine_ = std::move(engine.front_end);
  rtl_ = engine.rtl;
  CheckQueueCount(parameters_, cpus_.cpu_count(), engine_->Limits().sq_count, where);
  ssd::FrontEnd* inner = engine_.get();
  if (options.wrap) {
    wrapped_ = options.wrap(inner);
    inner = wrapped_.get();
  }
  peek_ = std::make_unique<HostPeek>(&memory_);
  auto checked = std::make_unique<tb::CheckedFrontEnd>(inner, peek_.get());
  checked_ = checked.get();
  if (options.tamper != nullptr) checked_->SetTamper(options.tamper, options.tamper_context);
  device_ = std::make_unique<ssd::SsdDevice>(&ssd::Platform::Instance(), 0, parameters_.device,
                                             std::move(checked), events);
  parameters_.nvme.disk_number = cgroups_.AddDisk(host::NvmePci::disk_id());
  driver_ = std::make_unique<host::NvmePci>(clock_, *device_, memory_, cpus_, parameters_.nvme,
                                            parameters_.costs);
}

Machine::~Machine() = default;

void Machine::BringUp() {
  driver_->Probe(host::Bind<&Machine::OnDriverReady>(this));
  while (!driver_ready_) {
    const bool more = kernel_->RunUntil(kernel_->Now() + kBringUpSlice);
    if (!driver_ready_ && (!more || kernel_->Now() > kBringUpLimit)) {
      throw std::runtime_error("the controller never became ready\n" + Describe());
    }
  }
  if (!driver_->live()) {
    throw UserError("nvme0", driver_->failure(), "the [device] and [host] keys decide it");
  }
}

std::vector<std::string> Machine::Findings(bool quiet) {
  std::vector<std::string> texts;
  if (quiet) checked_->judge().ExpectQuiet();
  const std::uint64_t count = checked_->judge().log().finding_count();
  for (const tb::Finding& finding : checked_->findings()) {
    if (texts.size() == kShownFindings) {
      texts.push_back(fmt::format("... {} findings in all", count));
      break;
    }
    texts.push_back(fmt::format("{}, clock {}, SQ {}: {}", tb::Name(finding.rule), finding.cycle,
                                finding.sqid, finding.text));
  }
  if (rtl_ != nullptr && rtl_->AssertionFailed()) {
    texts.emplace_back("an assertion of the RTL failed (printed above)");
  }
  return texts;
}

std::uint64_t Machine::FirstFindingTime() const {
  const std::vector<tb::Finding>& findings = checked_->findings();
  if (findings.empty() || findings.front().events.empty()) return kernel_->Now();
  return findings.front().events.back().time_ps;
}

std::string Machine::FirstFindingInFull() {
  return checked_->findings().empty() ? "" : tb::Describe(checked_->findings().front());
}

std::string Machine::Describe() { return driver_->DescribeQueues() + device_->DescribeQueues(); }

}  // namespace nvmearb::sim
