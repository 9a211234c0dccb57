// SPDX-License-Identifier: Apache-2.0
//
// Which queue, which pieces, which tags.
#include <gtest/gtest.h>

#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

constexpr std::uint16_t kInvalidOpcode = 0x001;
constexpr std::uint16_t kInvalidField = 0x002;
constexpr std::uint16_t kLbaOutOfRange = 0x080;

TEST_F(BlkMqTest, DirectIssueTellsTheDriverItIsTheLast) {
  Make();
  Io(7);
  EXPECT_EQ(TakeLog(), "0:7+1! ");
  EXPECT_EQ(done_, "");
  ops_.Complete();
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST_F(BlkMqTest, ClassDecidesTheHardwareQueueOfACpu) {
  config_.queue_count = {1, 1, 1, 1, 1, 1, 1};
  Make();
  const unsigned disk = tree_.AddDisk({"nvme0n1", 259, 0, 0});
  EXPECT_EQ(HctxOf(0, BioOp::kWrite), 0u);
  EXPECT_EQ(HctxOf(0, BioOp::kRead), 1u);
  group_ = tree_.Mkdir("/g");
  const WrrLevel levels[] = {WrrLevel::kLow, WrrLevel::kMedium, WrrLevel::kHigh, WrrLevel::kUrgent};
  for (unsigned i = 0; i < 4; ++i) {
    group_->SetLevel(disk, levels[i]);
    EXPECT_EQ(HctxOf(0, BioOp::kWrite), 2 + i);
    EXPECT_EQ(HctxOf(0, BioOp::kRead), 2 + i);  // reads and writes alike
  }
  polled_ = true;
  EXPECT_EQ(HctxOf(0, BioOp::kRead), 6u);  // whatever the cgroup says
}

TEST_F(BlkMqTest, ClassWithoutQueuesUsesTheDefaultQueueOfTheCpu) {
  config_.queue_count = {4, 0, 0, 0, 1, 0, 0};
  Make();
  const unsigned disk = tree_.AddDisk({"nvme0n1", 259, 0, 0});
  EXPECT_EQ(HctxOf(2), 2u);
  group_ = tree_.Mkdir("/g");
  group_->SetLevel(disk, WrrLevel::kLow);
  EXPECT_EQ(HctxOf(3), 3u);
  group_->SetLevel(disk, WrrLevel::kHigh);
  EXPECT_EQ(HctxOf(3), 4u);
}

TEST_F(BlkMqTest, FlushCountsAsLevelNoneAndNeedsAWriteCache) {
  config_.queue_count = {1, 0, 0, 0, 1, 0, 0};
  Make();
  group_ = tree_.Mkdir("/g");
  group_->SetLevel(0, WrrLevel::kHigh);
  Io(0, 0, BioOp::kFlush);
  EXPECT_EQ(TakeLog(), "");  // nothing to flush
  EXPECT_EQ(done_, "");      // not from within Submit()
  clock_.RunUntil(clock_.Now());
  EXPECT_EQ(done_, "0 ");
  config_.limits.write_cache = true;
  Make();
  Io(0, 0, BioOp::kFlush);
  EXPECT_EQ(TakeLog(), "0:0+0! ");
}

TEST_F(BlkMqTest, LargeBioIsCutToTheLimitAndEndsOnce) {
  Make();
  Io(0, 128);  // 512 KiB
  EXPECT_EQ(TakeLog(), "0:0+32! 0:32+32! 0:64+32! 0:96+32! ");
  for (int i = 0; i < 3; ++i) ops_.Complete(i == 1 ? 0x281 : 0);
  EXPECT_EQ(done_, "");
  ops_.Complete(0x282);
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(bios_[0].status, 0x281);  // the first error is reported
  EXPECT_EQ(mq_->stats().bios_failed, 1u);
  EXPECT_EQ(mq_->stats().splits, 1u);
}

TEST_F(BlkMqTest, NoRequestCrossesAChunk) {
  config_.limits.chunk_bytes = 64 * 1024;
  Make();
  Io(10, 30);
  EXPECT_EQ(TakeLog(), "0:10+6! 0:16+16! 0:32+8! ");
}

TEST_F(BlkMqTest, TagsRunOutAndWaitersGoOnInOrder) {
  Make();
  for (std::uint64_t i = 0; i < 7; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 4u);
  EXPECT_EQ(mq_->hctx(0).waiters.size(), 3u);
  EXPECT_EQ(mq_->stats().tag_waits, 3u);
  TakeLog();
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:40+1! ");
  ops_.Complete();
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:50+1! 0:60+1! ");
  ops_.CompleteAll();
  EXPECT_EQ(done_, "0 1 2 3 4 5 6 ");
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

TEST_F(BlkMqTest, BioThatIsHalfCutWaitsForTagsAndThenGoesOn) {
  config_.depth = 3;
  Make();
  Io(0, 32 * 8);  // eight requests on three tags
  EXPECT_EQ(ops_.held.size(), 3u);
  Io(1000);
  for (int i = 0; i < 5; ++i) ops_.Complete();
  EXPECT_EQ(done_, "1 ");
  ops_.CompleteAll();
  EXPECT_EQ(done_, "1 0 ");
  // With each piece it queues up anew, so that the other bio gets the second tag that comes back.
  EXPECT_EQ(TakeLog(),
            "0:0+32! 0:32+32! 0:64+32! 0:96+32! 0:1000+1! 0:128+32! 0:160+32! 0:192+32! "
            "0:224+32! ");
}

TEST_F(BlkMqTest, EveryTagIsUsedOnceAtATime) {
  config_.depth = 1023;
  Make();
  for (std::uint64_t i = 0; i < 2000; ++i) Io(i * 10);
  ASSERT_EQ(ops_.held.size(), 1023u);
  std::vector<bool> seen(1023);
  for (const Request* request : ops_.held) {
    ASSERT_FALSE(seen[request->tag]);
    seen[request->tag] = true;
  }
  ops_.CompleteAll();
  EXPECT_EQ(mq_->stats().bios_completed, 2000u);
}

TEST_F(BlkMqTest, SubmissionsOfOneCpuQueueForItsTime) {
  costs_.submit_ns = 1500;
  Make();
  Io(0);
  Io(10);
  Io(20, 1, BioOp::kRead, 1);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(1500 * kNs);
  EXPECT_EQ(TakeLog(), "0:0+1! 0:20+1! ");
  clock_.RunUntil(3000 * kNs);
  EXPECT_EQ(TakeLog(), "0:10+1! ");
}

TEST_F(BlkMqTest, RefusesWhatTheDiskCannotDo) {
  config_.limits.logical_block_bytes = 4096;
  config_.limits.capacity_bytes = 100 * 4096;
  Make();
  inside_ = true;
  Io(99, 2);
  Io(~std::uint64_t{0} / 4096, 1);
  Io(0, 0);
  Io(0, 1, BioOp::kDiscard);
  Bio& odd = bios_.emplace_back();
  odd.offset = 512;
  odd.bytes = 4096;
  odd.cgroup = tree_.root();
  odd.done = Bind<&BlkMqTest::Done>(this, 4);
  mq_->Submit(&odd);
  inside_ = false;
  clock_.RunUntil(0);
  EXPECT_EQ(done_, "0 1 2 3 4 ");
  EXPECT_EQ(bios_[0].status, kLbaOutOfRange);
  EXPECT_EQ(bios_[1].status, kLbaOutOfRange);
  EXPECT_EQ(bios_[2].status, kInvalidField);
  EXPECT_EQ(bios_[3].status, kInvalidOpcode);
  EXPECT_EQ(bios_[4].status, kInvalidField);
  EXPECT_EQ(TakeLog(), "");
}

}  // namespace
}  // namespace nvmearb::host
