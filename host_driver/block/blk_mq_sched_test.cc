// SPDX-License-Identifier: Apache-2.0
//
// What blk-mq does for any scheduler: tags given out late and shared, budgets, locks, waiting.
#include <gtest/gtest.h>

#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

class BlkMqSchedTest : public BlkMqTest {
 protected:
  BlkMqSchedTest() { config_.scheduler = "mq-deadline"; }
  void Settle() { clock_.RunUntil(clock_.Now()); }
};

TEST_F(BlkMqSchedTest, SchedulerHasTwiceTheTagsOfTheDriverWhichGetsThemAtDispatch) {
  Make();
  EXPECT_EQ(mq_->hctx(0).tags.depth(), 8u);
  for (std::uint64_t i = 0; i < 8; ++i) Io(i * 10);
  Settle();
  EXPECT_EQ(ops_.held.size(), 4u);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 8u);
  for (const Request* request : ops_.held) {
    EXPECT_LT(request->tag, 4u);
    EXPECT_EQ(mq_->hctx(0).FindByTag(request->tag), request);
  }
  EXPECT_EQ(mq_->hctx(0).FindByTag(4), nullptr);
}

TEST_F(BlkMqSchedTest, SharedTagsAreForAllQueuesAndWakeTheOneThatWaitedLongest) {
  config_.scheduler = "none";
  config_.shared_tags = true;
  config_.queue_count = {2, 0, 0, 0, 0, 0, 0};  // CPUs 0, 1 and 2, 3
  Make();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10, 1, BioOp::kRead, 0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(1000 + i * 10, 1, BioOp::kRead, 2);
  EXPECT_EQ(ops_.held.size(), 4u);
  EXPECT_EQ(mq_->hctx(1).started_count, 1u);
  ops_.Complete();  // of the first queue; its tag goes to the second, which has none waiting before
  Settle();
  EXPECT_EQ(mq_->hctx(1).started_count, 2u);
  while (mq_->InFlight() > 0) {
    ops_.CompleteAll();
    clock_.RunUntil(clock_.Now() + 3 * kMs);
  }
}

TEST_F(BlkMqSchedTest, AQueueThatFoundItsTagsByOtherWaysDoesNotSwallowTheWakeUpOfAnother) {
  config_.scheduler = "kyber";  // dispatches each queue by itself
  config_.nr_requests = 4;
  config_.shared_tags = true;
  config_.depth = 1;
  config_.queue_count = {2, 0, 0, 0, 0, 0, 0};
  Make();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10, 1, BioOp::kRead, 0);
  Io(1000, 1, BioOp::kRead, 2);
  Settle();
  ops_.Complete();  // wakes queue 0, which takes the tag at once and waits anew, behind queue 1
  Settle();
  ops_.Complete();  // wakes queue 1, but queue 0 is faster: it needs no other and still waits
  Settle();
  EXPECT_EQ(mq_->hctx(0).started_count, 1u);
  ops_.Complete();
  Settle();
  EXPECT_EQ(mq_->hctx(1).started_count, 1u);
}

TEST_F(BlkMqSchedTest, BudgetIsAskedForBeforeTheSchedulerAndGivenBackWhenItHasNothing) {
  ops_.budget = 2;
  Make();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  Settle();
  EXPECT_EQ(ops_.held.size(), 2u);
  EXPECT_EQ(ops_.budget, 0);
  EXPECT_EQ(mq_->hctx(0).dispatch.empty(), true);  // the third stays with the scheduler
  ++ops_.budget;                                   // as a driver does when a request ends
  ops_.Complete();
  clock_.RunUntil(clock_.Now() + 3 * kMs);
  EXPECT_EQ(ops_.held.size(), 2u);
  EXPECT_EQ(ops_.budget, 0);
}

TEST_F(BlkMqSchedTest, OneLockMakesCpusWaitForEachOther) {
  costs_.sched_insert_ns = 1000;
  Make();
  Io(0, 1, BioOp::kRead, 0);
  Io(10, 1, BioOp::kRead, 1);
  EXPECT_EQ(mq_->TakeCpuTime(0), 1000 * kNs);
  EXPECT_EQ(mq_->TakeCpuTime(1), 2000 * kNs);
  EXPECT_EQ(mq_->TakeCpuTime(1), 0u);
}

TEST_F(BlkMqSchedTest, WithoutThatLockEachCpuPaysForItselfAlone) {
  config_.scheduler = "kyber";
  costs_.sched_insert_ns = 1000;
  Make();
  Io(0, 1, BioOp::kRead, 0);
  Io(10, 1, BioOp::kRead, 1);
  EXPECT_EQ(mq_->TakeCpuTime(0), 1000 * kNs);
  EXPECT_EQ(mq_->TakeCpuTime(1), 1000 * kNs);
}

TEST_F(BlkMqSchedTest, RequestsEndOneAfterTheOtherOnACpuThatPaysForThem) {
  config_.scheduler = "none";
  costs_.request_end_ns = 1000;
  costs_.rq_affinity = 2;
  Make();
  Io(0, 1, BioOp::kRead, 1);
  Io(10, 1, BioOp::kRead, 1);
  ops_.Complete(0, 0);
  ops_.Complete(0, 0);
  clock_.RunUntil(999 * kNs);
  EXPECT_EQ(done_, "");
  clock_.RunUntil(1000 * kNs);
  EXPECT_EQ(done_, "0 ");
  clock_.RunUntil(2000 * kNs);
  EXPECT_EQ(done_, "0 1 ");
  EXPECT_EQ(mq_->TakeCpuTime(1), 2000 * kNs);
  EXPECT_EQ(mq_->TakeCpuTime(0), 0u);
}

TEST_F(BlkMqSchedTest, ABioThatJoinsARequestDoesNotPayForOne) {
  costs_.request_ns = 500;
  Make();
  Io(0);
  Io(1);
  EXPECT_EQ(mq_->stats().merges, 1u);
  EXPECT_EQ(mq_->TakeCpuTime(0), 500 * kNs);
}

TEST_F(BlkMqSchedTest, TaskSleepsInSubmitUntilItsBioHasATag) {
  config_.scheduler = "none";
  config_.depth = 1;
  Make();
  Bio* const first = Io(0);
  Bio* const second = Io(10);
  EXPECT_FALSE(first->waits);
  EXPECT_TRUE(second->waits);
  ops_.Complete();
  EXPECT_FALSE(second->waits);
  ops_.CompleteAll();
}

TEST_F(BlkMqSchedTest, FlushDoesNotWaitBehindTheScheduler) {
  config_.limits.write_cache = true;
  config_.depth = 2;
  Make();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  Io(0, 0, BioOp::kFlush);
  EXPECT_EQ(ops_.held.size(), 1u);
  EXPECT_EQ(ops_.held.front()->op, BioOp::kFlush);
  Settle();
  while (mq_->InFlight() > 0) {
    ops_.CompleteAll();
    clock_.RunUntil(clock_.Now() + 3 * kMs);
  }
}

TEST_F(BlkMqSchedTest, FlushOfAQuiescedDiskGoesOutLater) {
  config_.limits.write_cache = true;
  Make();
  mq_->Quiesce();
  Io(0, 0, BioOp::kFlush);
  Io(10);
  EXPECT_EQ(ops_.held.size(), 0u);
  mq_->Unquiesce();
  Settle();
  EXPECT_EQ(ops_.held.size(), 2u);
  ops_.CompleteAll();
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST(TagWait, WakesABatchOfOneQueueForABatchOfTags) {
  TagWait wait;
  wait.SetDepth(32);  // batches of 4
  Bio bios[10];
  for (Bio& bio : bios) wait.Wait({&bio, 0});
  unsigned queue = 99;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(wait.Freed(&queue), 0u);
  EXPECT_EQ(wait.Freed(&queue), 2u);  // the first and the ninth, dealt to the same queue
  EXPECT_EQ(wait.Pop(queue).bio, &bios[0]);
  EXPECT_EQ(wait.Pop(queue).bio, &bios[8]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(wait.Freed(&queue), 0u);
  EXPECT_EQ(wait.Freed(&queue), 2u);
  EXPECT_EQ(wait.Pop(queue).bio, &bios[1]);
}

}  // namespace
}  // namespace nvmearb::host
