// SPDX-License-Identifier: Apache-2.0
//
// Plugs and merges.
#include <gtest/gtest.h>

#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

TEST_F(BlkMqTest, PlugGoesToTheDriverNewestFirstInOneBatch) {
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  EXPECT_EQ(TakeLog(), "");
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:20+1 0:10+1 0:0+1 ] ");
}

TEST_F(BlkMqTest, OlderKernelIssuesAPlugOldestFirstWithLastOnlyOnTheLast) {
  config_.plug_style = PlugStyle::kListPerRun;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 0:20+1! ");
}

TEST_F(BlkMqTest, RunsOfTwoHardwareQueuesAreCommittedWhereTheQueueChanges) {
  config_.queue_count = {1, 1, 0, 0, 0, 0, 0};
  ops_.batches = false;
  Make();
  mq_->StartPlug(0);
  Io(0, 1, BioOp::kWrite);
  Io(10, 1, BioOp::kWrite);
  Io(20, 1, BioOp::kRead);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "1:20+1 commit1 0:10+1 0:0+1! ");
}

TEST_F(BlkMqTest, WhatABatchLeavesIsIssuedDirectly) {
  ops_.take_of_batch = 1;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:20+1 ] 0:10+1 0:0+1! ");
}

TEST_F(BlkMqTest, FullPlugIsFlushedBeforeTheNextRequestIsAdded) {
  config_.depth = 100;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 33; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 32u);
  mq_->FinishPlug(0);
  EXPECT_EQ(ops_.held.size(), 33u);
}

TEST_F(BlkMqTest, LargeRequestFlushesThePlugWhenTheNextComes) {
  Make();
  mq_->StartPlug(0);
  Io(0, 32);
  Io(1000, 1);
  EXPECT_EQ(TakeLog(), "batch[ 0:0+32 ] ");
  mq_->FinishPlug(0);
}

TEST_F(BlkMqTest, NestedPlugsFlushAtTheOutermostEnd) {
  Make();
  mq_->StartPlug(0);
  mq_->StartPlug(0);
  Io(0);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "");
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:0+1 ] ");
}

TEST_F(BlkMqTest, NeighboursMergeWithTheNewestRequestOfThePlug) {
  Make();
  mq_->StartPlug(0);
  Io(10);
  Io(11);  // back merge
  Io(9);   // front merge
  Io(20);  // a new request
  Io(12);  // fits the first one, but only the newest is looked at
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:12+1 0:20+1 0:9+3 ] ");
  EXPECT_EQ(mq_->stats().merges, 2u);
  ops_.CompleteAll();
  EXPECT_EQ(done_, "4 3 2 0 1 ");
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST_F(BlkMqTest, NothingMergesAcrossDirectionCgroupPriorityOrTheSizeLimit) {
  config_.depth = 100;
  Make();
  mq_->StartPlug(0);
  Io(0);
  Io(1, 1, BioOp::kWrite);
  group_ = tree_.Mkdir("/g");
  Io(2, 1, BioOp::kWrite);
  Io(3, 31, BioOp::kWrite);
  Io(34, 1, BioOp::kWrite);  // 33 blocks would be too many
  mq_->FinishPlug(0);
  EXPECT_EQ(mq_->stats().merges, 1u);  // 2 and 3..33
  EXPECT_EQ(ops_.held.size(), 4u);
}

TEST_F(BlkMqTest, FullTagsLetGoOfThePlugBeforeTheBioWaits) {
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 6; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 4u);  // otherwise nobody would ever free a tag
  mq_->FinishPlug(0);
  ops_.CompleteAll();
  EXPECT_EQ(mq_->stats().bios_completed, 6u);
}

TEST_F(BlkMqTest, WaitingRequestsOfACpuTakeMerges) {
  Make();
  mq_->Quiesce();
  Io(0);
  Io(10);
  Io(11);
  Io(1);
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+2 0:10+2! ");
}

TEST_F(BlkMqTest, PlugEndsWhenTheCpuHasReachedItsLastBio) {
  costs_.submit_ns = 1000;
  Make();
  mq_->StartPlug(0);
  Io(0);
  Io(10);
  mq_->FinishPlug(0);
  Io(20);
  clock_.RunUntil(1000 * kNs);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(2000 * kNs);
  EXPECT_EQ(TakeLog(), "batch[ 0:10+1 0:0+1 ] ");
  clock_.RunUntil(3000 * kNs);
  EXPECT_EQ(TakeLog(), "0:20+1! ");
}

}  // namespace
}  // namespace nvmearb::host
