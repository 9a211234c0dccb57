// SPDX-License-Identifier: Apache-2.0
//
// Runs of a hardware queue, completion, timeouts, the end of a disk.
#include <gtest/gtest.h>

#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

TEST_F(BlkMqTest, RefusedRequestGoesOutFirstWhenOneCompletes) {
  Make();
  Io(0);
  ops_.refuse = 3;
  Io(10);  // refused by the direct issue and by the run that follows it
  Io(20);  // a busy single queue: to the CPU's list, and an asynchronous run that is refused, too
  clock_.RunUntil(0);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
  EXPECT_EQ(mq_->stats().busy_returns, 3u);
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:10+1! 0:20+1! ");
}

TEST_F(BlkMqTest, RefusedRequestIsTriedAgainAfterTheResourceDelay) {
  Make();
  ops_.refuse = 2;
  Io(0);
  clock_.RunUntil(3 * kMs - 1);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(3 * kMs);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
}

TEST_F(BlkMqTest, DispatchBusyIsTheKernelsAverage) {
  Make();
  ops_.refuse = 1;
  Io(0);  // refused once: 16 / 8 = 2; the run that follows succeeds: 14 / 8 = 1
  EXPECT_EQ(mq_->hctx(0).dispatch_busy, 1u);
  Io(10);
  clock_.RunUntil(0);
  EXPECT_EQ(mq_->hctx(0).dispatch_busy, 0u);
}

TEST_F(BlkMqTest, BusySingleQueueTakesRequestsFromTheCpusInTurn) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint16_t cpu = 0; cpu < 3; ++cpu) {
    for (std::uint64_t i = 0; i < 2; ++i) Io(cpu * 100u + i * 10, 1, BioOp::kRead, cpu);
  }
  mq_->hctx(0).dispatch_busy = 100;  // stays above 0 for this test
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1! 0:100+1! 0:200+1! 0:10+1! 0:110+1! 0:210+1! ");
}

TEST_F(BlkMqTest, QuietQueueTakesAllListsAtOnce) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint16_t cpu = 0; cpu < 2; ++cpu) {
    for (std::uint64_t i = 0; i < 2; ++i) Io(cpu * 100u + i * 10, 1, BioOp::kRead, cpu);
  }
  EXPECT_EQ(TakeLog(), "");
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 0:100+1 0:110+1! ");
}

TEST_F(BlkMqTest, RefusalInTheMiddleOfABatchCommitsWhatWentBefore) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  ops_.accept_first = 2;
  ops_.refuse = 1;
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 commit0 ");
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:20+1! ");
}

TEST_F(BlkMqTest, CompletionReachesAnotherSocketAfterAnIpi) {
  Make();
  Io(0, 1, BioOp::kRead, 0);
  Io(10, 1, BioOp::kRead, 3);
  ops_.Complete(0, 1);  // CPU 1 shares the cache of CPU 0
  EXPECT_EQ(done_, "0 ");
  ops_.Complete(0, 0);  // CPU 0 and CPU 3 do not share
  EXPECT_EQ(done_, "0 ");
  clock_.RunUntil(500 * kNs);
  EXPECT_EQ(done_, "0 1 ");
}

TEST_F(BlkMqTest, DriversErrorEndsTheBioLater) {
  Make();
  ops_.fail_status = 0x370;
  inside_ = true;
  Io(0, 64);
  inside_ = false;
  clock_.RunUntil(0);
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(bios_[0].status, 0x370);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

TEST_F(BlkMqTest, WaiterThatFailsPieceByPieceEndsOnce) {
  config_.depth = 2;
  Make();
  Io(0);
  Io(10);
  Io(1000, 32 * 4);
  Io(2000);
  ops_.fail_status = 0x370;
  ops_.Complete();
  EXPECT_EQ(done_, "0 2 3 ");
  EXPECT_EQ(bios_[2].status, 0x370);
  EXPECT_EQ(mq_->stats().requests, 7u);  // 2, then 4 pieces and 1
  ops_.fail_status = 0;
  ops_.CompleteAll();
  EXPECT_EQ(mq_->InFlight(), 0u);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

TEST_F(BlkMqTest, TimerFiresPerRequestAndRestartsItsTime) {
  config_.io_timeout = 10 * kSec;
  Make();
  Io(0);
  clock_.RunUntil(4 * kSec);
  Io(10);
  clock_.RunUntil(10 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 1u);
  clock_.RunUntil(14 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 2u);
  ops_.Complete();  // the first one
  ops_.complete_on_timeout = true;
  clock_.RunUntil(24 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 3u);
  EXPECT_EQ(done_, "0 1 ");
  clock_.RunAll();  // nothing in flight: the timer has stopped
  EXPECT_LE(clock_.Now(), 34 * kSec);
}

TEST_F(BlkMqTest, RequeuedRequestGoesOutAgain) {
  Make();
  Io(0);
  Request* const request = ops_.held.front();
  ops_.held.clear();
  TakeLog();
  mq_->Requeue(request);
  clock_.RunUntil(0);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
  EXPECT_EQ(request->retries, 1);
  ops_.Complete();
  EXPECT_EQ(done_, "0 ");
}

TEST_F(BlkMqTest, KilledDiskEndsEverythingThatWaitsAndRefusesTheRest) {
  config_.depth = 6;
  Make();
  mq_->Quiesce();
  for (std::uint64_t i = 0; i < 4; ++i) Io(i * 10);  // on the CPU's list
  Io(1000, 32 * 4);                                  // two of four pieces have a tag
  Io(5000);                                          // waits
  mq_->StartPlug(1);
  EXPECT_EQ(ops_.held.size(), 0u);
  mq_->Kill(0x370);
  mq_->FinishPlug(1);
  Io(6000);
  clock_.RunUntil(0);
  EXPECT_EQ(mq_->stats().bios_completed, 7u);
  EXPECT_EQ(mq_->stats().bios_failed, 7u);
  for (const Bio& bio : bios_) EXPECT_EQ(bio.status, 0x370);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

}  // namespace
}  // namespace nvmearb::host
