// SPDX-License-Identifier: Apache-2.0
//
// The I/O path: commands, doorbells, interrupts, polling.
#include <gtest/gtest.h>

#include "host_driver/nvme/testing/pci_fixture.h"
#include "nvme/io_commands.h"

namespace nvmearb::host {
namespace {

class NvmePciIo : public NvmePciTest {};

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

TEST_F(NvmePciIo, PlugOfTwoClassesRingsAtTheEndOfEachRun) {
  params_.read_queues = 1;  // the controller has queues 1..4 for writes, 5 for reads
  Up();
  driver_->disk().StartPlug(0);
  Io(0, 4096, BioOp::kWrite);
  Io(10, 4096, BioOp::kWrite);
  Io(20, 4096, BioOp::kRead);
  Io(30, 4096, BioOp::kRead);
  Io(40, 4096, BioOp::kWrite);
  driver_->disk().FinishPlug(0);
  EXPECT_EQ(Tails(1), (std::vector<std::uint32_t>{1, 3}));  // newest first: 40, then 10 and 0
  EXPECT_EQ(Tails(5), (std::vector<std::uint32_t>{2}));
  Run(kSec);
  EXPECT_EQ(done_, 5u);
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

TEST_F(NvmePciIo, StrideOfTheDoorbellsIsHonoured) {
  config_.cap = 0x4'7803'0fff | (std::uint64_t{1} << 37);  // DSTRD = 4: 64 bytes
  Up();
  for (std::uint16_t cpu = 0; cpu < 4; ++cpu) Io(cpu, 4096, BioOp::kRead, cpu);
  Run(kSec);
  EXPECT_EQ(done_, 4u);
}

}  // namespace
}  // namespace nvmearb::host
