// SPDX-License-Identifier: Apache-2.0
//
// bfq: fair queueing by hand-worked virtual times, slots, idling, injection.
#include "host_driver/block/sched/bfq/bfq.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "host_driver/base/user_error.h"
#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

BfqEntity Entity(double weight, double budget) {
  BfqEntity entity;
  entity.weight = weight;
  entity.budget = budget;
  return entity;
}

TEST(BfqServiceTree, ServesInProportionToWeights) {
  BfqServiceTree tree;
  BfqEntity a = Entity(2, 60);
  BfqEntity b = Entity(1, 60);
  tree.Activate(&a);  // 0..30
  tree.Activate(&b);  // 0..60
  std::string order;
  for (int i = 0; i < 9; ++i) {
    BfqEntity* const next = tree.Select(kBfqBestEffort);
    order += next == &a ? 'a' : 'b';
    tree.Serve(next, 60);
    tree.Requeue(next, true, 60);
  }
  // a: 0..30, 30..60 (ties go to who was first), 60..90, ...; b: 0..60, 60..120, ...; the tree's
  // time goes on by 20 with each slot, and nobody is served ahead of it.
  EXPECT_EQ(order, "abaabaaba");
}

TEST(BfqServiceTree, WhoWasAwayDoesNotCatchUp) {
  BfqServiceTree tree;
  BfqEntity a = Entity(1, 10);
  BfqEntity b = Entity(1, 10);
  tree.Activate(&a);
  for (int i = 0; i < 10; ++i) {
    tree.Serve(tree.Select(kBfqBestEffort), 10);
    tree.Requeue(&a, true, 10);
  }
  tree.Activate(&b);  // begins at the tree's time, 100, not at 0
  EXPECT_EQ(b.start, 100);
  int of_b = 0;
  for (int i = 0; i < 10; ++i) {
    BfqEntity* const next = tree.Select(kBfqBestEffort);
    of_b += next == &b ? 1 : 0;
    tree.Serve(next, 10);
    tree.Requeue(next, true, 10);
  }
  EXPECT_EQ(of_b, 5);
}

TEST(BfqServiceTree, LeavingAndComingBackDoesNotEscapeWhatWasUsed) {
  BfqServiceTree tree;
  BfqEntity a = Entity(1, 10);
  BfqEntity b = Entity(1, 10);
  tree.Activate(&a);
  tree.Activate(&b);
  tree.Serve(&a, 30);
  tree.Requeue(&a, false, 0);
  EXPECT_EQ(a.finish, 30);
  a.budget = 10;
  tree.Activate(&a);
  EXPECT_EQ(a.start, 30);  // the tree's time is 15
}

TEST(BfqPeakRate, RisesByATenthPerSecondUnderRandomLoadAndNeverFalls) {
  BfqPeakRate peak;
  const double begin = peak.rate();
  TimePs now = 0;
  for (int i = 0; i <= 100'000; ++i) peak.Dispatched(now += 10 * kUs, 8, false);  // 0.8 per us
  EXPECT_NEAR(peak.rate(), begin + (0.8 - begin) / 10, 0.001);
  const double after = peak.rate();
  for (int i = 0; i <= 100'000; ++i) peak.Dispatched(now += 20 * kUs, 8, false);
  EXPECT_GE(peak.rate(), after);
}

// Closed loops on a device of 1 ms per request; every request in the device is looked at.
class BfqTest : public BlkMqTest {
 protected:
  BfqTest() {
    config_.scheduler = "bfq";
    config_.depth = 64;
    heavy_ = tree_.Mkdir("/heavy");
    light_ = tree_.Mkdir("/light");
    tree_.Write(*heavy_, "io.bfq.weight", "800");
    tree_.Write(*light_, "io.bfq.weight", "default 100");
  }
  void Settle() { clock_.RunUntil(clock_.Now()); }
  const Bfq& bfq() const { return static_cast<const Bfq&>(*mq_->elevator()); }
  Bio* Read(std::uint32_t task, Cgroup* group, std::uint64_t at) {
    group_ = group;
    task_ = task;
    return Io(at);
  }
  struct Loop {
    Cgroup* group;
    unsigned depth;
    std::uint64_t done = 0;
    unsigned in_flight = 0;
  };
  // Runs the loops for `time`. `mixed` counts milliseconds in which two tasks were in the device.
  void Run(std::vector<Loop>& loops, TimePs time, unsigned* mixed) {
    const TimePs end = clock_.Now() + time;
    while (clock_.Now() < end) {
      for (std::size_t task = 0; task < loops.size(); ++task) {
        while (loops[task].in_flight < loops[task].depth) {
          ++loops[task].in_flight;
          Read(static_cast<std::uint32_t>(task), loops[task].group,
               (bios_.size() * 7919) % 200'000);
        }
      }
      Settle();
      std::set<std::uint32_t> tasks;
      std::deque<Request*> now;
      now.swap(ops_.held);
      for (const Request* request : now) tasks.insert(request->bio->task);
      if (mixed != nullptr && tasks.size() > 1) ++*mixed;
      clock_.RunUntil(clock_.Now() + 1 * kMs);
      for (Request* request : now) {
        Loop& loop = loops[request->bio->task];
        ++loop.done;
        --loop.in_flight;
        mq_->Complete(request, 0, 0);
      }
      TakeLog();
    }
  }
  void Drain() {
    for (int i = 0; i < 1000 && mq_->InFlight() > 0; ++i) {
      ops_.CompleteAll();
      clock_.RunUntil(clock_.Now() + 3 * kMs);
    }
    EXPECT_EQ(mq_->InFlight(), 0u);
    EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
  }

  Cgroup* heavy_;
  Cgroup* light_;
};

TEST_F(BfqTest, OneQueueHasTheDeviceForItsSlot) {
  Make();
  std::vector<Loop> loops = {{heavy_, 8}, {heavy_, 8}, {light_, 8}};
  unsigned mixed = 0;
  Run(loops, 4 * kSec, &mixed);
  // Two tasks meet in the device only where one slot ends and the next begins.
  EXPECT_LE(mixed, bfq().slots() + 1);
  EXPECT_LT(mixed, 200u);
  Drain();
}

TEST_F(BfqTest, GroupsShareTimeByWeight) {
  Make();
  std::vector<Loop> loops = {{heavy_, 8}, {light_, 8}, {light_, 8}};
  Run(loops, 2 * kSec, nullptr);
  for (Loop& loop : loops) loop.done = 0;
  Run(loops, 18 * kSec, nullptr);
  const auto heavy = static_cast<double>(loops[0].done);
  const auto light = static_cast<double>(loops[1].done + loops[2].done);
  EXPECT_NEAR(heavy / light, 8, 0.8);
  EXPECT_NEAR(static_cast<double>(loops[1].done), light / 2, light * 0.1);
  Drain();
}

TEST_F(BfqTest, EqualProcessesWithoutGroupsAreNotWaitedFor) {
  Make();
  Read(0, nullptr, 0);
  Settle();
  Read(1, nullptr, 100);
  Settle();
  EXPECT_EQ(ops_.held.size(), 2u);  // a slot ends with the last request of its owner
  Read(2, nullptr, 200);
  Settle();
  EXPECT_EQ(ops_.held.size(), 3u);
  Drain();
}

TEST_F(BfqTest, WaitsForTheNextRequestOfAGroupAndInjectsOneMeanwhile) {
  Make();
  Read(0, heavy_, 0);
  Settle();
  for (std::uint64_t i = 0; i < 4; ++i) Read(1, light_, 1000 + i * 10);
  Settle();
  EXPECT_EQ(TakeLog(), "0:0+1! ");  // not while the device works for the one in service
  ops_.Complete();
  clock_.RunUntil(clock_.Now() + 3 * kMs);  // when blk-mq asks again
  EXPECT_EQ(TakeLog(), "0:1000+1! ");       // one, as long as the device has none
  Read(0, heavy_, 50);
  Settle();
  EXPECT_EQ(TakeLog(), "0:50+1! ");
  Drain();
}

TEST_F(BfqTest, IdleTimerEndsTheSlotOfWhoDoesNotComeBack) {
  Make();
  mq_->SetTunable("slice_idle", 5, "test");
  Read(0, heavy_, 0);
  Settle();
  for (std::uint64_t i = 0; i < 4; ++i) Read(1, light_, 1000 + i * 10);
  Settle();
  ops_.Complete();
  Settle();
  EXPECT_EQ(ops_.held.size(), 0u);
  clock_.RunUntil(clock_.Now() + 4 * kMs);
  EXPECT_EQ(ops_.held.size(), 1u);  // injected
  clock_.RunUntil(clock_.Now() + 1 * kMs);
  EXPECT_EQ(ops_.held.size(), 4u);
  Drain();
}

TEST_F(BfqTest, WithoutSliceIdleNobodyIsWaitedFor) {
  config_.iosched = {{"slice_idle", 0}};
  Make();
  Read(0, heavy_, 0);
  for (std::uint64_t i = 0; i < 4; ++i) Read(1, light_, 1000 + i * 10);
  Settle();
  EXPECT_EQ(ops_.held.size(), 5u);
  Drain();
}

TEST_F(BfqTest, RealtimeProcessTakesOver) {
  Make();
  std::vector<Loop> loops = {{light_, 8}};
  Run(loops, 20 * kMs, nullptr);
  Cgroup* const rt = tree_.Mkdir("/rt");
  tree_.Write(*rt, "io.prio.class", "none-to-rt");
  Read(1, tree_.root(), 5);
  Settle();
  const std::size_t before = ops_.held.size();
  group_ = tree_.root();
  task_ = 2;
  ioprio_ = IoprioClass::kRealtime;
  Io(77);
  Settle();
  ASSERT_EQ(ops_.held.size(), before + 1);
  EXPECT_EQ(ops_.held.back()->offset, 77u * 4096);
  Drain();
}

TEST_F(BfqTest, MergesWithinAProcessOnly) {
  Make();
  Read(0, heavy_, 5000);  // has the device
  Settle();
  TakeLog();
  Read(1, light_, 10);
  Read(1, light_, 11);
  Read(1, light_, 9);
  EXPECT_EQ(mq_->stats().merges, 2u);
  Read(2, light_, 12);
  EXPECT_EQ(mq_->stats().merges, 2u);
  Drain();
}

TEST_F(BfqTest, RandomTrafficLosesNothing) {
  config_.depth = 4;
  config_.nr_requests = 32;
  config_.queue_count = {2, 0, 0, 0, 0, 0, 0};
  Make();
  Cgroup* const groups[] = {heavy_, light_, tree_.Mkdir("/light/inner"), nullptr};
  std::uint32_t x = 7;
  const auto below = [&x](std::uint32_t n) {
    x = x * 1664525 + 1013904223;
    return (x >> 8) % n;
  };
  std::uint64_t at = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (below(2) == 0) {
      EndOneHeld(below);
      clock_.RunUntil(clock_.Now() + below(2000) * kUs);
    } else if (mq_->InFlight() < 60) {
      task_ = below(6);
      group_ = groups[task_ % 4];
      sync_ = below(4) != 0;
      at = below(4) == 0 ? below(5000) : at + 1;
      Io(at, 1, below(3) == 0 ? BioOp::kWrite : BioOp::kRead, static_cast<std::uint16_t>(below(4)));
    }
  }
  Drain();
  EXPECT_GT(mq_->stats().merges, 50u);
  EXPECT_EQ(bfq().HasWork(nullptr), bfq().in_service() != nullptr);
}

}  // namespace
}  // namespace nvmearb::host
