// SPDX-License-Identifier: Apache-2.0
//
// I/O, interrupts, polling, timeouts and resets against the scripted controller.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "host_driver/base/test_clock.h"
#include "host_driver/nvme/fake_controller.h"
#include "host_driver/nvme/pci.h"
#include "nvme/io_commands.h"

namespace nvmearb::host {
namespace {

class NvmePciIo : public ::testing::Test {
 public:
  void Ready(std::uint64_t) {}
  void Done(std::uint64_t index) {
    ++done_;
    done_at_ = clock_.Now();
    if (bios_[index].status != 0) ++failed_;
    if (resubmit_ > 0) {
      --resubmit_;
      device_->config();
      driver_->disk().Submit(&bios_[index]);
    }
  }

 protected:
  NvmePciIo() { config_.acl = 0; }
  ~NvmePciIo() override {
    if (device_ != nullptr && expect_clean_) {
      EXPECT_TRUE(device_->errors().empty()) << device_->errors().front();
    }
  }

  void Up() {
    device_ = std::make_unique<FakeController>(clock_, config_);
    driver_ = std::make_unique<NvmePci>(clock_, *device_, memory_, cpus_, params_, costs_);
    driver_->Probe(Bind<&NvmePciIo::Ready>(this));
    clock_.RunUntil(kSec);
    ASSERT_TRUE(driver_->live()) << driver_->failure();
    device_->ForgetHistory();
  }
  Bio* Io(std::uint64_t at, std::uint32_t bytes = 4096, BioOp op = BioOp::kRead,
          std::uint16_t cpu = 0) {
    Bio& bio = bios_.emplace_back();
    bio.op = op;
    bio.offset = at * 4096;
    bio.bytes = bytes;
    bio.cpu = cpu;
    bio.polled = polled_;
    bio.cgroup = tree_.root();
    bio.done = Bind<&NvmePciIo::Done>(this, bios_.size() - 1);
    driver_->disk().Submit(&bio);
    return &bio;
  }
  void Run(TimePs duration) { clock_.RunUntil(clock_.Now() + duration); }
  std::vector<std::uint32_t> Tails(std::uint16_t qid) const {
    std::vector<std::uint32_t> values;
    for (const auto& write : device_->doorbells()) {
      if (!write.is_cq && write.qid == qid) values.push_back(write.value);
    }
    return values;
  }
  std::vector<std::uint32_t> Heads(std::uint16_t qid) const {
    std::vector<std::uint32_t> values;
    for (const auto& write : device_->doorbells()) {
      if (write.is_cq && write.qid == qid) values.push_back(write.value);
    }
    return values;
  }
  bool HasNotice(const std::string& part) const {
    const auto& notices = driver_->notices();
    return std::any_of(notices.begin(), notices.end(), [&](const std::string& notice) {
      return notice.find(part) != std::string::npos;
    });
  }

  TestClock clock_;
  HostMemory memory_;
  CpuTopology cpus_{1, 4, 1};
  CgroupTree tree_;
  NvmeParams params_;
  HostCosts costs_;
  FakeConfig config_;
  std::unique_ptr<FakeController> device_;
  std::unique_ptr<NvmePci> driver_;
  std::deque<Bio> bios_;
  bool polled_ = false;
  bool expect_clean_ = true;
  unsigned done_ = 0;
  unsigned failed_ = 0;
  std::uint64_t resubmit_ = 0;
  TimePs done_at_ = 0;
};

TEST_F(NvmePciIo, OneReadTakesDoorbellDeviceInterruptAndHandler) {
  Up();
  const TimePs start = clock_.Now();
  Io(1000);
  ASSERT_EQ(device_->io().size(), 1u);
  const auto command = nvme::ReadWrite::Decode(device_->io()[0].sqe);
  EXPECT_EQ(command.opcode, nvme::IoOpcode::kRead);
  EXPECT_EQ(command.nsid, 1u);
  EXPECT_EQ(command.slba, 8000u);
  EXPECT_EQ(command.block_count, 8u);
  EXPECT_EQ(device_->io()[0].when, start);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(done_at_ - start, 80 * kUs + 2 * kUs);  // device; interrupt latency and handler
  EXPECT_EQ(Heads(1), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(driver_->io_queue(1).sq_head(), 1u);
}

TEST_F(NvmePciIo, EachCpuUsesItsQueue) {
  Up();
  for (std::uint16_t cpu = 0; cpu < 4; ++cpu) Io(cpu, 4096, BioOp::kWrite, cpu);
  std::vector<std::uint16_t> qids;
  for (const auto& command : device_->io()) qids.push_back(command.sqid);
  EXPECT_EQ(qids, (std::vector<std::uint16_t>{1, 2, 3, 4}));
  Run(kSec);
}

TEST_F(NvmePciIo, HalfAMegabyteIsFourCommandsWithPrpLists) {
  Up();
  Io(0, 512 * 1024, BioOp::kWrite);
  ASSERT_EQ(device_->io().size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    const auto& io = device_->io()[i];
    const auto command = nvme::ReadWrite::Decode(io.sqe);
    EXPECT_EQ(command.opcode, nvme::IoOpcode::kWrite);
    EXPECT_EQ(command.slba, i * 256u);
    EXPECT_EQ(command.block_count, 256u);
    ASSERT_EQ(io.pages.size(), 32u);
    for (unsigned page = 1; page < 32; ++page) {
      EXPECT_EQ(io.pages[page], io.pages[0] + page * 4096u);
    }
  }
  EXPECT_EQ(Tails(1), (std::vector<std::uint32_t>{1, 2, 3, 4}));  // libaio, no plug: one each
  Run(kSec);
  EXPECT_EQ(done_, 1u);
}

TEST_F(NvmePciIo, PlugRingsOncePerQueue) {
  Up();
  driver_->disk().StartPlug(0);
  for (std::uint64_t i = 0; i < 8; ++i) Io(i * 10);
  EXPECT_TRUE(device_->io().empty());
  driver_->disk().FinishPlug(0);
  EXPECT_EQ(device_->io().size(), 8u);
  EXPECT_EQ(Tails(1), (std::vector<std::uint32_t>{8}));
  Run(kSec);
  EXPECT_EQ(done_, 8u);
}

TEST_F(NvmePciIo, OneInterruptAndOneHeadDoorbellServeABatch) {
  Up();
  device_->Hold(true);
  for (std::uint64_t i = 0; i < 8; ++i) Io(i * 10);
  const auto runs = driver_->stats().interrupt_runs;
  device_->CompleteAllHeld();
  Run(kSec);
  EXPECT_EQ(done_, 8u);
  EXPECT_EQ(driver_->stats().interrupt_runs, runs + 1);
  EXPECT_EQ(Heads(1), (std::vector<std::uint32_t>{8}));
}

TEST_F(NvmePciIo, FullQueueNeverOverfillsAndWaitersFollow) {
  params_.io_queue_depth = 8;  // 7 tags
  Up();
  device_->Hold(true);
  for (std::uint64_t i = 0; i < 20; ++i) Io(i * 10);
  EXPECT_EQ(device_->held(), 7u);
  EXPECT_NE(driver_->DescribeQueues().find(
                "queue 1 default: SQ tail 7 (rung 7) head 0, CQ head 0 phase 1, tags 7/7 in use, 7 "
                "with the device, 13 bios wait"),
            std::string::npos)
      << driver_->DescribeQueues();
  device_->Hold(false);
  device_->CompleteAllHeld();
  Run(kSec);
  EXPECT_EQ(done_, 20u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(NvmePciIo, QueuesWrapManyTimesAndNothingIsLost) {
  params_.io_queue_depth = 5;
  Up();
  resubmit_ = 10000;
  for (std::uint64_t i = 0; i < 32; ++i) {
    Io(i * 10, 4096, BioOp::kRead, static_cast<std::uint16_t>(i % 4));
  }
  Run(100 * kSec);
  EXPECT_EQ(done_, 10032u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(driver_->stats().submitted, 10032u);
  EXPECT_EQ(driver_->stats().completed, 10032u);
  EXPECT_EQ(driver_->stats().invalid_cids, 0u);
  EXPECT_EQ(driver_->block().InFlight(), 0u);
  EXPECT_NE(driver_->DescribeQueues().find("4 I/O queues idle"), std::string::npos);
}

TEST_F(NvmePciIo, CompletionsMayComeInAnyOrder) {
  Up();
  device_->Hold(true);
  for (std::uint64_t i = 0; i < 30; ++i) Io(i * 10);
  for (std::size_t i = 0; i < 30; ++i) device_->CompleteHeld(device_->held() * 7 / 11);
  Run(kSec);
  EXPECT_EQ(done_, 30u);
}

TEST_F(NvmePciIo, PolledIoCompletesWithoutInterrupts) {
  params_.poll_queues = 1;
  Up();
  polled_ = true;
  const auto interrupts = driver_->stats().interrupts;
  const TimePs start = clock_.Now();
  Io(0);
  EXPECT_EQ(device_->io()[0].sqid, 5);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(driver_->stats().interrupts, interrupts);
  EXPECT_EQ(done_at_ - start, 80 * kUs);  // the poll at that time finds it
  Io(10);
  Run(kSec);
  EXPECT_EQ(done_, 2u);  // polling starts again with the next command
}

TEST_F(NvmePciIo, SingleVectorServesAdminAndIo) {
  params_.vectors = 1;
  Up();
  EXPECT_EQ(device_->cqs().at(1).vector, 0);
  Io(0, 4096, BioOp::kRead, 3);
  device_->RaiseDoorbellError(1);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(driver_->stats().doorbell_events, 1u);
}

TEST_F(NvmePciIo, FlushReachesADeviceWithAWriteCache) {
  config_.vwc = 1;
  Up();
  Io(0, 0, BioOp::kFlush);
  ASSERT_EQ(device_->io().size(), 1u);
  EXPECT_EQ(device_->io()[0].sqe.Opcode(), 0);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
}

TEST_F(NvmePciIo, DeviceErrorBecomesTheStatusOfTheBio) {
  Up();
  device_->FailIo(nvme::Status::kLbaOutOfRange, true);
  Io(0);
  Run(kSec);
  EXPECT_EQ(bios_[0].status, 0x080);
  EXPECT_EQ(device_->io_count(), 1u);
  EXPECT_EQ(driver_->stats().failed, 1u);
}

TEST_F(NvmePciIo, ErrorThatMayBeRetriedIsTriedFiveTimesMore) {
  Up();
  device_->FailIo(nvme::Status::kInternalError, false);
  Io(0);
  Run(kSec);
  EXPECT_EQ(device_->io_count(), 6u);
  EXPECT_EQ(bios_[0].status, 0x006);
  device_->FailIo(nvme::Status::kInternalError, false);
  Io(10);
  Run(100 * kUs);
  device_->FailIo(nvme::Status::kSuccess, false);
  Run(kSec);
  EXPECT_EQ(bios_[1].status, 0);
}

TEST_F(NvmePciIo, StrayCompletionIsCountedAndReportedOnce) {
  Up();
  device_->PostStray(1, 5);
  device_->PostStray(1, 4000);
  Io(0);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(driver_->stats().invalid_cids, 2u);
  EXPECT_TRUE(HasNotice("queue 1 completed command id 5, which was not outstanding"));
  EXPECT_EQ(driver_->notices().size(), 1u);
}

TEST_F(NvmePciIo, LostInterruptIsFoundByTheTimeout) {
  Up();
  device_->LoseInterrupts(true);
  Io(0);
  Run(29 * kSec);
  EXPECT_EQ(done_, 0u);
  Run(2 * kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(driver_->stats().aborts, 0u);
  EXPECT_TRUE(HasNotice("timeout, the completion was there"));
}

TEST_F(NvmePciIo, CommandThatStarvesIsAbortedAfterThirtySecondsAndRetried) {
  Up();
  device_->Hold(true);
  Io(0);
  Run(31 * kSec);
  EXPECT_EQ(driver_->stats().aborts, 1u);
  EXPECT_EQ(device_->io_count(), 2u);  // Command Abort Requested may be retried
  device_->Hold(false);
  device_->CompleteAllHeld();
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(NvmePciIo, AbortsAreBoundedByTheAbortCommandLimit) {
  Up();  // ACL 0: one at a time
  device_->Hold(true);
  device_->IgnoreAdmin(nvme::AdminOpcode::kAbort);
  for (std::uint64_t i = 0; i < 5; ++i) Io(i * 10);
  Run(31 * kSec);
  EXPECT_EQ(driver_->stats().aborts, 1u);
  EXPECT_EQ(driver_->stats().resets, 0u);
}

TEST_F(NvmePciIo, CommandThatSurvivesItsAbortResetsTheControllerAndIsSentAgain) {
  Up();
  device_->Hold(true);
  device_->FailAdmin(nvme::AdminOpcode::kAbort, nvme::Status::kInternalError);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  Run(59 * kSec);
  EXPECT_EQ(driver_->stats().resets, 0u);
  device_->Hold(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  Run(kSec);
  EXPECT_TRUE(driver_->live());
  EXPECT_EQ(done_, 3u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(device_->io_count(), 6u);
  EXPECT_TRUE(HasNotice("resetting: queue 1 tag 0: timeout after an abort"));
  Io(100);  // and the disk goes on
  Run(kSec);
  EXPECT_EQ(done_, 4u);
}

TEST_F(NvmePciIo, CompletionsThatBeatAResetCountAndRingNothing) {
  Up();
  device_->Hold(true);
  device_->LoseInterrupts(true);
  Io(0);
  Io(10);
  Run(30 * kSec - kMs);
  device_->SetFatal();  // seen by the first timeout, before it looks at the queue
  device_->CompleteHeld(1);
  device_->Hold(false);
  device_->LoseInterrupts(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_EQ(done_, 2u);
  EXPECT_EQ(device_->io_count(), 3u);  // only the one that was not completed went out again
}

TEST_F(NvmePciIo, FatalStatusResetsAtTheTimeout) {
  Up();
  device_->Hold(true);
  Io(0);
  device_->SetFatal();
  Run(30 * kSec);
  device_->Hold(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(NvmePciIo, AdminTimeoutResetsALiveController) {
  params_.admin_timeout = 5;
  Up();
  device_->IgnoreAdmin(nvme::AdminOpcode::kAbort);
  struct Handler {
    void Done(std::uint64_t, const nvme::Cqe& cqe) {
      status = static_cast<std::uint16_t>(cqe.GetStatus());
    }
    std::uint16_t status = 0;
  } handler;
  driver_->AdminCommand(nvme::Abort{1, 0}.Encode(0), BindAdmin<&Handler::Done>(&handler));
  Run(7 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_TRUE(driver_->live());
  EXPECT_EQ(handler.status, AdminQueue::kHostAborted);
}

TEST_F(NvmePciIo, ControllerThatDoesNotComeBackFailsEverything) {
  config_.cap = 0x2001030fff;  // 1 s
  Up();
  device_->Hold(true);
  device_->FailAdmin(nvme::AdminOpcode::kAbort, nvme::Status::kInternalError);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  device_->config().never_ready = true;
  Run(70 * kSec);
  EXPECT_EQ(driver_->state(), NvmePci::State::kDead);
  EXPECT_NE(driver_->failure().find("not disabled within 1000 ms"), std::string::npos)
      << driver_->failure();
  EXPECT_EQ(done_, 3u);
  EXPECT_EQ(failed_, 3u);
  Io(100);
  Run(kSec);
  EXPECT_EQ(done_, 4u);
  EXPECT_EQ(bios_[3].status, 0x370);
}

TEST_F(NvmePciIo, StrideOfTheDoorbellsIsHonoured) {
  config_.cap = 0x4'7803'0fff | (std::uint64_t{1} << 37);  // DSTRD = 4: 64 bytes
  Up();
  for (std::uint16_t cpu = 0; cpu < 4; ++cpu) Io(cpu, 4096, BioOp::kRead, cpu);
  Run(kSec);
  EXPECT_EQ(done_, 4u);
}

}  // namespace
}  // namespace nvmearb::host
