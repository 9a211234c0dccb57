// SPDX-License-Identifier: Apache-2.0
//
// mq-deadline against traces worked out by hand from its rules (docs/host.md).
#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

// One hardware queue, one driver tag: what the driver holds and the order of what follows is the
// order of the scheduler.
class MqDeadlineTest : public BlkMqTest {
 protected:
  explicit MqDeadlineTest(const char* scheduler = "mq-deadline") {
    config_.scheduler = scheduler;
    config_.depth = 1;
    config_.nr_requests = 64;
    rt_ = tree_.Mkdir("/rt");
    be_ = tree_.Mkdir("/be");
    idle_ = tree_.Mkdir("/idle");
    tree_.Write(*rt_, "io.prio.class", "none-to-rt");
    tree_.Write(*be_, "io.prio.class", "restrict-to-be");
    tree_.Write(*idle_, "io.prio.class", "idle");
  }
  void Read(std::uint64_t at, Cgroup* group = nullptr) {
    group_ = group;
    Io(at);
  }
  void Write(std::uint64_t at) {
    group_ = nullptr;
    Io(at, 1, BioOp::kWrite);
  }
  // A read far away that occupies the driver until Order() begins.
  void Occupy() {
    Read(100'000);
    Settle();
    TakeLog();
  }
  void Settle() { clock_.RunUntil(clock_.Now()); }
  // Completes one after the other; the blocks in the order in which the driver got them.
  std::string Order() {
    Settle();
    std::string order;
    while (!ops_.held.empty()) {
      ops_.Complete();
      Settle();
      // Behind a higher priority nobody asks again before the budget delay is over.
      if (ops_.held.empty()) clock_.RunUntil(clock_.Now() + 3 * kMs);
      if (!ops_.held.empty()) {
        order += std::to_string(ops_.held.back()->offset / 4096) + " ";
      }
    }
    EXPECT_EQ(mq_->InFlight(), 0u);
    EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
    TakeLog();
    return order;
  }

  Cgroup* rt_;
  Cgroup* be_;
  Cgroup* idle_;
};

class MqDeadlinePostedTest : public MqDeadlineTest {
 protected:
  MqDeadlinePostedTest() : MqDeadlineTest("mq-deadline-posted") {}
};

TEST_F(MqDeadlineTest, GoesUpwardFromTheLastOneAndWrapsToTheOldest) {
  Make();
  Occupy();
  // 30 first, being the oldest: nothing in sorted order lies behind block 100,000. Then 40 and 50,
  // behind it; then the oldest of the rest, 20, is not 10's turn before 20's end: 10 is older.
  for (const std::uint64_t at : {30u, 10u, 50u, 20u, 40u}) Read(at);
  EXPECT_EQ(Order(), "30 40 50 10 20 ");
}

TEST_F(MqDeadlineTest, BatchEndsAtFifoBatchAndAnExpiredRequestGoesFirst) {
  Make();
  mq_->SetTunable("fifo_batch", 2, "test");
  mq_->SetTunable("read_expire", 10, "test");
  Occupy();
  Read(5);
  clock_.RunUntil(clock_.Now() + 11 * kMs);  // 5 has expired when the batch of two is over
  for (const std::uint64_t at : {20u, 21u + 10, 60u, 90u}) Read(at);
  // First batch: the expired 5, then behind it 20. Second: 31 and 60. Third: 90.
  EXPECT_EQ(Order(), "5 20 31 60 90 ");
}

TEST_F(MqDeadlineTest, TwoBatchesOfReadsPassWaitingWrites) {
  Make();
  mq_->SetTunable("fifo_batch", 1, "test");
  Occupy();
  for (const std::uint64_t at : {10u, 20u, 30u, 40u, 50u, 60u}) Read(at);
  for (const std::uint64_t at : {1000u, 2000u}) Write(at);
  // The count of passed writes is taken before it is raised: two batches of reads, then a write.
  EXPECT_EQ(Order(), "10 20 1000 30 40 2000 50 60 ");
}

TEST_F(MqDeadlineTest, WritesStarvedIsATunable) {
  Make();
  mq_->SetTunable("fifo_batch", 1, "test");
  mq_->SetTunable("writes_starved", 0, "test");
  Occupy();
  for (const std::uint64_t at : {10u, 20u}) Read(at);
  for (const std::uint64_t at : {1000u, 2000u}) Write(at);
  EXPECT_EQ(Order(), "1000 2000 10 20 ");
}

TEST_F(MqDeadlineTest, HigherPriorityGoesFirst) {
  Make();
  Occupy();
  Read(10, idle_);
  Read(20, be_);
  Read(30, rt_);
  Read(40, idle_);
  Read(50, be_);
  Read(60, rt_);
  EXPECT_EQ(Order(), "30 60 20 50 10 40 ");
}

TEST_F(MqDeadlineTest, OwnClassOfABioWinsWhereItIsNumericallyLarger) {
  Make();
  Bio bio;
  bio.cgroup = rt_;
  EXPECT_EQ(EffectiveClass(bio), IoprioClass::kRealtime);
  bio.ioprio_class = IoprioClass::kIdle;
  EXPECT_EQ(EffectiveClass(bio), IoprioClass::kIdle);
  bio.cgroup = be_;
  bio.ioprio_class = IoprioClass::kRealtime;
  EXPECT_EQ(EffectiveClass(bio), IoprioClass::kBestEffort);
  EXPECT_EQ(tree_.Read(*rt_, "io.prio.class"), "none-to-rt\n");
  EXPECT_THROW(tree_.Write(*rt_, "io.prio.class", "promote"), UserError);
}

TEST_F(MqDeadlineTest, LowerPriorityWaitsWhileAHigherOneIsWithTheDriver) {
  config_.depth = 2;
  Make();
  Read(10, rt_);
  Read(20, be_);
  Settle();
  EXPECT_EQ(TakeLog(), "0:10+1! ");  // a second tag is free, and stays so
  ops_.Complete();
  clock_.RunUntil(clock_.Now() + 3 * kMs);  // nobody asks again before the budget delay is over
  EXPECT_EQ(TakeLog(), "0:20+1! ");
  ops_.CompleteAll();
}

TEST_F(MqDeadlineTest, AgedRequestOfLowerPriorityGoesBeforeTheHigherOne) {
  Make();
  mq_->SetTunable("prio_aging_expire", 100, "test");
  Occupy();
  Read(10, be_);
  clock_.RunUntil(clock_.Now() + 99 * kMs);
  Read(20, be_);
  Read(30, rt_);
  Read(40, rt_);
  clock_.RunUntil(clock_.Now() + 1 * kMs);  // 10 is 100 ms old
  EXPECT_EQ(Order(), "10 30 40 20 ");
}

TEST_F(MqDeadlineTest, AgeingAtZeroPutsTheLowerPriorityFirst) {
  Make();
  mq_->SetTunable("prio_aging_expire", 0, "test");
  Occupy();
  Read(10, rt_);
  Read(20, be_);
  Read(30, rt_);
  Read(40, idle_);
  EXPECT_EQ(Order(), "20 40 10 30 ");
}

// The posted form counts the age from the request's allocation, which a requeue does not change;
// the merged form from its insertion. A higher priority in flight does not matter to either.
TEST_F(MqDeadlinePostedTest, PostedFormHasItsOwnAttributeAndAgesTheSame) {
  Make();
  EXPECT_THROW(mq_->SetTunable("prio_aging_expire", 1, "test"), UserError);
  mq_->SetTunable("aging_expire", 0, "test");
  Occupy();
  Read(10, rt_);
  Read(20, be_);
  EXPECT_EQ(Order(), "20 10 ");
}

TEST_F(MqDeadlineTest, MergesBackFrontAndTheTwoRequestsThatThenMeet) {
  Make();
  Occupy();
  Read(10);
  Read(20);
  Read(11);  // back
  Read(19);  // front
  for (std::uint64_t at = 12; at < 18; ++at) Read(at);
  EXPECT_EQ(mq_->stats().merges, 8u);
  Read(18);  // joins 10..17 at its back, which then meets 19..20
  EXPECT_EQ(mq_->stats().absorbed, 1u);
  ops_.CompleteAll();
  Settle();
  EXPECT_EQ(TakeLog(), "0:10+11! ");
  ops_.CompleteAll();
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST_F(MqDeadlineTest, FrontMergesCanBeTurnedOffAndNoMergesToo) {
  config_.iosched = {{"front_merges", 0}};
  Make();
  Occupy();
  Read(10);
  Read(50);  // now the request that is tried first, whatever front_merges says
  Read(9);
  EXPECT_EQ(mq_->stats().merges, 0u);
  EXPECT_EQ(Order(), "10 50 9 ");
  config_.nomerges = true;
  Make();
  Occupy();
  Read(10);
  Read(11);
  EXPECT_EQ(Order(), "10 11 ");
}

TEST_F(MqDeadlineTest, MergedRequestTakesTheEarlierPlaceInTheFifo) {
  Make();
  mq_->SetTunable("fifo_batch", 0, "test");
  Occupy();
  Read(50);
  Read(10);
  Read(52);
  Read(51);  // 50..51 and 52 become one, in the place of 50
  EXPECT_EQ(Order(), "50 10 ");
}

TEST_F(MqDeadlineTest, WritesMayTakeThreeQuartersOfTheTags) {
  config_.nr_requests = 8;
  config_.depth = 1;
  Make();
  EXPECT_EQ(mq_->elevator()->GetTunable("async_depth"), 6);
  for (std::uint64_t i = 0; i < 8; ++i) Write(i * 10);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 6u);
  EXPECT_EQ(mq_->hctx(0).waiters.size(), 2u);
  Read(500);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 7u);
  Settle();
  Order();
}

TEST_F(MqDeadlineTest, RequeuedRequestGoesFirst) {
  Make();
  Occupy();
  Read(10);
  Read(20);
  Request* const request = ops_.held.front();
  ops_.held.clear();
  mq_->Requeue(request);
  EXPECT_EQ(Order(), "10 20 ");  // 100,000 is with the driver again before Order() counts
}

TEST_F(MqDeadlineTest, UnknownTunablesAndValuesAreRefused) {
  Make();
  EXPECT_THROW(mq_->SetTunable("slice_idle", 1, "test"), UserError);
  EXPECT_THROW(mq_->SetTunable("front_merges", 2, "test"), UserError);
  config_.scheduler = "cfq";
  EXPECT_THROW(Make(), UserError);
}

TEST_F(MqDeadlineTest, DeadDiskEndsWhatIsQueued) {
  Make();
  Occupy();
  for (const std::uint64_t at : {10u, 20u}) Read(at);
  mq_->Kill(0x370);
  EXPECT_EQ(mq_->stats().bios_failed, 2u);
  ops_.CompleteAll();
  EXPECT_EQ(mq_->InFlight(), 0u);
}

// Random bios and completions; every bio is done once, no tag leaks.
TEST_F(MqDeadlineTest, RandomTrafficLosesNothing) {
  config_.depth = 3;
  config_.nr_requests = 16;
  Make();
  Cgroup* const groups[] = {rt_, be_, idle_, nullptr};
  std::uint32_t x = 12345;
  std::uint64_t at = 0;
  const auto below = [&x](std::uint32_t n) {
    x = x * 1664525 + 1013904223;
    return (x >> 8) % n;
  };
  for (int i = 0; i < 20'000; ++i) {
    if (below(2) == 0 || mq_->InFlight() > 40) {
      EndOneHeld(below);
      clock_.RunUntil(clock_.Now() + below(1000) * kUs);
    } else {
      group_ = groups[below(4)];
      at = below(4) == 0 ? below(200) : at + 1 + below(2);
      Io(at, 1 + below(3), below(3) == 0 ? BioOp::kWrite : BioOp::kRead,
         static_cast<std::uint16_t>(below(4)));
    }
  }
  for (int i = 0; i < 1000 && mq_->InFlight() > 0; ++i) {
    ops_.CompleteAll();
    clock_.RunUntil(clock_.Now() + 3 * kMs);
  }
  EXPECT_EQ(mq_->InFlight(), 0u);
  EXPECT_EQ(mq_->stats().bios_submitted, bios_.size());
  EXPECT_GT(mq_->stats().merges, 200u);
  EXPECT_GT(mq_->stats().absorbed, 10u);
  for (unsigned i = 0; i < mq_->hctx_count(); ++i) EXPECT_EQ(mq_->hctx(i).tags.used(), 0u);
}

}  // namespace
}  // namespace nvmearb::host
