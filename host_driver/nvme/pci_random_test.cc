// SPDX-License-Identifier: Apache-2.0
//
// Random I/O through the block layer and the driver: every bio ends exactly once, and the commands
// a device saw cover exactly the bytes that were asked for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/nvme/pci.h"
#include "host_driver/nvme/testing/fake_controller.h"
#include "nvme/base/random.h"
#include "nvme/io_commands.h"

namespace nvmearb::host {
namespace {

class RandomRun {
 public:
  RandomRun(std::uint64_t seed, bool faults) : random_(seed), seed_(seed), faults_(faults) {
    params_.io_timeout = 1;
    params_.max_retries = faults ? 200 : 5;                            // no fault lasts for so many
    config_.mdts = static_cast<std::uint8_t>(random_.InRange(1, 10));  // 8 KiB .. 4 MiB
    config_.noiob = random_.Below(2) == 0 ? std::uint16_t{0} : std::uint16_t{256};
    config_.vwc = static_cast<std::uint8_t>(random_.Below(2));
    config_.io_latency = random_.InRange(faults ? 20 : 1, 300) * kUs;
    params_.io_queue_depth = static_cast<unsigned>(random_.InRange(2, 40));
    params_.read_queues = static_cast<unsigned>(random_.Below(3));
    params_.poll_queues = static_cast<unsigned>(random_.Below(3));
    params_.wrr_low_queues = static_cast<unsigned>(random_.Below(3));
    params_.wrr_medium_queues = static_cast<unsigned>(random_.Below(3));
    params_.wrr_high_queues = static_cast<unsigned>(random_.Below(3));
    params_.wrr_urgent_queues = static_cast<unsigned>(random_.Below(3));
    params_.vectors = random_.Below(4) == 0 ? static_cast<unsigned>(random_.InRange(1, 6)) : 0;
    params_.plug_style = random_.Below(2) == 0 ? PlugStyle::kQueueRqs : PlugStyle::kListPerRun;
    costs_.submit_ns = random_.Below(2) == 0 ? 0 : 700;
    if (faults) costs_.poll_ns = 50'000;  // seconds are polled through
    device_ = std::make_unique<FakeController>(clock_, config_);
    driver_ = std::make_unique<NvmePci>(clock_, *device_, memory_, cpus_, params_, costs_);
    for (int i = 0; i < kWrrLevelCount; ++i) {
      groups_.push_back(tree_.Mkdir(WrrLevelName(static_cast<WrrLevel>(i))));
      groups_.back()->SetLevel(0, static_cast<WrrLevel>(i));
    }
  }
  void Ready(std::uint64_t) {}
  void Done(std::uint64_t index) {
    ++done_[index];
    if (bios_[index].status != 0) ++failed_;
  }

  [[nodiscard]] const BlkMqStats& stats() const { return driver_->block().stats(); }
  [[nodiscard]] const NvmeStats& driver_stats() const { return driver_->stats(); }

  void Check() {
    SCOPED_TRACE(
        fmt::format("seed {}: pci_random_test --gtest_filter=NvmePciRandom.* with NVMEARB_SEED={}",
                    seed_, seed_));
    driver_->Probe(Bind<&RandomRun::Ready>(this));
    clock_.RunUntil(kSec);
    ASSERT_TRUE(driver_->live()) << driver_->failure();
    device_->ForgetHistory();
    for (int round = 0; round < 60; ++round) {
      Round();
      if (faults_ && round % 10 == 9) Fault();
    }
    device_->Hold(false);
    device_->CompleteAllHeld();
    clock_.RunUntil(clock_.Now() + 20 * kSec);

    for (std::size_t i = 0; i < bios_.size(); ++i) ASSERT_EQ(done_[i], 1) << "bio " << i;
    EXPECT_EQ(failed_, 0u);
    EXPECT_TRUE(device_->errors().empty()) << device_->errors().front();
    EXPECT_EQ(driver_->block().InFlight(), 0u);
    if (!faults_) {
      EXPECT_EQ(driver_->stats().submitted, driver_->stats().completed);
    }
    for (unsigned i = 0; i < driver_->block().hctx_count(); ++i) {
      EXPECT_EQ(driver_->block().hctx(i).tags.used(), 0u);
    }
    CompareBytes();
  }

 private:
  void Round() {
    const auto cpu = static_cast<std::uint16_t>(random_.Below(cpus_.cpu_count()));
    const bool plug = random_.Below(2) == 0;
    if (random_.Below(8) == 0) device_->Hold(random_.Below(2) == 0);
    if (plug) driver_->disk().StartPlug(cpu);
    std::uint64_t next = random_.Below(1000) * 256;  // 4 KiB blocks
    for (std::uint64_t i = random_.InRange(1, 50); i > 0; --i) {
      Bio& bio = bios_.emplace_back();
      done_.push_back(0);
      const std::uint64_t kind = random_.Below(20);
      bio.op = kind == 0 ? BioOp::kFlush : kind < 10 ? BioOp::kWrite : BioOp::kRead;
      bio.bytes = bio.op == BioOp::kFlush ? 0
                  : random_.Below(4) == 0
                      ? static_cast<std::uint32_t>(random_.InRange(1, 400) * 4096)
                      : 4096;
      const bool neighbour = bios_.size() > 1 && random_.Below(2) == 0;
      if (!neighbour) next = random_.Below(1'000'000);
      bio.offset = next * 4096;
      bio.cpu = cpu;
      bio.sync = random_.Below(2) == 0;
      bio.polled = random_.Below(10) == 0;
      bio.cgroup = groups_[random_.Below(2) == 0 ? 0 : random_.Below(groups_.size())];
      if (neighbour) {
        const Bio& before = bios_[bios_.size() - 2];
        bio.op = before.op;
        bio.bytes = before.bytes;
        bio.polled = before.polled;
        bio.cgroup = before.cgroup;
      }
      next += bio.bytes / 4096;
      bio.done = Bind<&RandomRun::Done>(this, bios_.size() - 1);
      driver_->disk().Submit(&bio);
    }
    if (plug) driver_->disk().FinishPlug(cpu);
    if (device_->held() > 0 && random_.Below(2) == 0) {
      device_->CompleteHeld(random_.Below(device_->held()));
    }
    clock_.RunUntil(clock_.Now() + random_.Below(100) * kUs);
  }

  // Something that ends in a retry, an abort or a reset, and is over a few seconds later.
  void Fault() {
    switch (random_.Below(4)) {
      case 0:
        device_->Hold(true);
        device_->SetFatal();
        break;
      case 1:
        device_->LoseInterrupts(true);
        break;
      case 2:
        device_->FailIo(nvme::Status::kInternalError, false);
        break;
      default:
        device_->Hold(true);  // aborts
        break;
    }
    Round();
    clock_.RunUntil(clock_.Now() + random_.Below(400) * kUs);
    device_->FailIo(nvme::Status::kSuccess, false);
    clock_.RunUntil(clock_.Now() + random_.InRange(1000, 2500) * kMs);
    device_->LoseInterrupts(false);
    device_->Hold(false);
    device_->CompleteAllHeld();
    clock_.RunUntil(clock_.Now() + 3 * kSec);
  }

  // How often each 4 KiB block was read and written, as asked for and as seen by the device.
  void CompareBytes() {
    std::map<std::uint64_t, int> asked[2];
    std::map<std::uint64_t, int> seen[2];
    std::uint64_t flushes_asked = 0;
    std::uint64_t flushes_seen = 0;
    for (const Bio& bio : bios_) {
      if (bio.op == BioOp::kFlush) ++flushes_asked;
      for (std::uint32_t b = 0; b < bio.bytes / 4096; ++b) {
        ++asked[bio.op == BioOp::kRead ? 0 : 1][bio.offset / 4096 + b];
      }
    }
    const QueueLimits& limits = driver_->block().config().limits;
    for (const auto& io : device_->io()) {
      if (io.sqe.Opcode() == 0) {
        ++flushes_seen;
        continue;
      }
      const auto command = nvme::ReadWrite::Decode(io.sqe);
      ASSERT_LE(command.block_count * 512, limits.max_bytes);
      ASSERT_EQ(io.pages.size(), command.block_count / 8);
      if (limits.chunk_bytes != 0) {
        const std::uint64_t first = command.slba * 512 / limits.chunk_bytes;
        const std::uint64_t last =
            ((command.slba + command.block_count) * 512 - 1) / limits.chunk_bytes;
        ASSERT_EQ(first, last);
      }
      for (std::uint32_t b = 0; b < command.block_count / 8; ++b) {
        ++seen[command.opcode == nvme::IoOpcode::kRead ? 0 : 1][command.slba / 8 + b];
      }
    }
    if (faults_) {  // commands were repeated: at least as often
      for (const int i : {0, 1}) {
        for (const auto& [block, times] : asked[i]) ASSERT_GE(seen[i][block], times);
      }
      return;
    }
    EXPECT_EQ(seen[0], asked[0]);
    EXPECT_EQ(seen[1], asked[1]);
    EXPECT_EQ(flushes_seen, config_.vwc != 0 ? flushes_asked : 0);
  }

  base::Random random_;
  std::uint64_t seed_;
  bool faults_;
  TestClock clock_;
  HostMemory memory_;
  CpuTopology cpus_{2, 2, 2};
  CgroupTree tree_;
  std::vector<Cgroup*> groups_;
  NvmeParams params_;
  HostCosts costs_;
  FakeConfig config_;
  std::unique_ptr<FakeController> device_;
  std::unique_ptr<NvmePci> driver_;
  std::deque<Bio> bios_;
  std::deque<int> done_;
  unsigned failed_ = 0;
};

std::vector<std::uint64_t> Seeds(std::uint64_t count) {
  const char* const given = std::getenv("NVMEARB_SEED");
  if (given != nullptr) return {std::strtoull(given, nullptr, 10)};
  std::vector<std::uint64_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), std::uint64_t{1});
  return seeds;
}

TEST(NvmePciRandom, EveryBioEndsOnceAndEveryByteIsTransferredOnce) {
  BlkMqStats total;
  const auto seeds = Seeds(30);
  for (const std::uint64_t seed : seeds) {
    RandomRun run(seed, false);
    run.Check();
    if (HasFailure()) return;
    total.splits += run.stats().splits;
    total.merges += run.stats().merges;
    total.tag_waits += run.stats().tag_waits;
  }
  if (seeds.size() == 1) return;
  // The runs went where they are meant to go.
  EXPECT_GT(total.splits, 1000u);
  EXPECT_GT(total.merges, 1000u);
  EXPECT_GT(total.tag_waits, 1000u);
}

TEST(NvmePciRandom, EveryBioEndsWellOnceThroughRetriesAbortsAndResets) {
  NvmeStats total;
  std::uint64_t requeues = 0;
  const auto seeds = Seeds(20);
  for (const std::uint64_t seed : seeds) {
    RandomRun run(seed, true);
    run.Check();
    if (HasFailure()) return;
    total.resets += run.driver_stats().resets;
    total.aborts += run.driver_stats().aborts;
    total.failed += run.driver_stats().failed;
    requeues += run.stats().requeues;
  }
  if (seeds.size() == 1) return;
  EXPECT_GT(total.resets, 10u);
  EXPECT_GT(total.aborts, 20u);
  EXPECT_GT(total.failed, 100u);
  EXPECT_GT(requeues, 100u);
}

}  // namespace
}  // namespace nvmearb::host
