// SPDX-License-Identifier: Apache-2.0
//
// io_bench [IOS]: cost of one I/O in the block layer and the driver alone. 24 closed loops of depth
// 32 on 24 CPUs, 4 KiB reads, WRR queues as in the published experiment, against the scripted
// controller. Prints I/Os per wall second; run under "valgrind --tool=callgrind" for instructions.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/nvme/pci.h"
#include "host_driver/nvme/testing/fake_controller.h"

namespace nvmearb::host {
namespace {

constexpr unsigned kJobs = 24;
constexpr unsigned kDepth = 32;

class Bench {
 public:
  explicit Bench(std::uint64_t ios) : rest_(ios) {
    FakeConfig config;
    config.strict = false;
    NvmeParams params;
    params.wrr_low_queues = params.wrr_medium_queues = params.wrr_high_queues = 24;
    device_ = std::make_unique<FakeController>(clock_, config);
    driver_ = std::make_unique<NvmePci>(clock_, *device_, memory_, cpus_, params, HostCosts{});
    driver_->Probe(Bind<&Bench::Start>(this));
  }

  void Start(std::uint64_t) {
    begin_ = std::chrono::steady_clock::now();
    const WrrLevel levels[] = {WrrLevel::kLow, WrrLevel::kMedium, WrrLevel::kHigh};
    bios_.resize(kJobs * kDepth);
    for (unsigned i = 0; i < bios_.size(); ++i) {
      const unsigned job = i / kDepth;
      Bio& bio = bios_[i];
      bio.cgroup = tree_.Mkdir(WrrLevelName(levels[job % 3]));
      bio.cgroup->SetLevel(0, levels[job % 3]);
      bio.cpu = static_cast<std::uint16_t>(job);
      bio.bytes = 4096;
      bio.done = Bind<&Bench::Done>(this, i);
      Done(i);
    }
  }
  void Done(std::uint64_t index) {
    if (rest_ == 0) return;
    --rest_;
    Bio& bio = bios_[index];
    bio.offset = (index * 7919 + rest_ * 104729) % 400000000 * 4096;
    driver_->disk().Submit(&bio);
  }

  int Run() {
    clock_.RunUntil(1000 * kSec);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
    const NvmeStats& stats = driver_->stats();
    fmt::print("{} I/Os, {:.0f} per wall second, {:.1f} MiB of host memory, {} interrupts run\n",
               stats.completed, static_cast<double>(stats.completed) / wall.count(),
               static_cast<double>(memory_.backed_bytes()) / 1048576.0, stats.interrupt_runs);
    return stats.completed == stats.submitted && driver_->block().InFlight() == 0 ? 0 : 1;
  }

 private:
  TestClock clock_;
  HostMemory memory_;
  CpuTopology cpus_ = CpuTopology::Xeon8160x2();
  CgroupTree tree_;
  std::unique_ptr<FakeController> device_;
  std::unique_ptr<NvmePci> driver_;
  std::vector<Bio> bios_;
  std::uint64_t rest_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace
}  // namespace nvmearb::host

int main(int argc, char** argv) {
  const std::uint64_t ios = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  return nvmearb::host::Bench(ios).Run();
}
