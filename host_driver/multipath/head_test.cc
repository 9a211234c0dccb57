// SPDX-License-Identifier: Apache-2.0
//
// The head while all is well: what the policies do to real queues, and the switch between them.
#include "host_driver/multipath/head.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "host_driver/multipath/testing/multipath_fixture.h"

namespace nvmearb::host {
namespace {

TEST_F(MultipathTest, NumaUsesOnePathForAnUnknownNode) {
  Up(2);
  for (unsigned i = 0; i < 6; ++i) Io(i, i % 4);
  Run(kSec);
  EXPECT_EQ(Seen(), "6,0");
  EXPECT_EQ(ended_, 6u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(MultipathTest, RoundRobinDividesEvenly) {
  Up(3, "round-robin");
  for (unsigned i = 0; i < 300; ++i) Io(i, 1);
  Run(kSec);
  EXPECT_EQ(Seen(), "100,100,100");
}

TEST_F(MultipathTest, QueueDepthAvoidsThePathThatKeepsItsRequests) {
  Up(2, "queue-depth");
  ways_[0]->device->Hold(true);
  for (unsigned i = 0; i < 100; ++i) {
    Io(i);
    Run(200 * kUs);  // the other path has answered by then
  }
  EXPECT_EQ(Seen(), "1,99");
  ways_[0]->device->Hold(false);
  ways_[0]->device->CompleteAllHeld();
  Run(kSec);
  EXPECT_EQ(ended_, 100u);
}

TEST_F(MultipathTest, RoundRobinDoesNotAvoidIt) {
  Up(2, "round-robin");
  ways_[0]->device->Hold(true);
  for (unsigned i = 0; i < 100; ++i) {
    Io(i);
    Run(200 * kUs);
  }
  EXPECT_EQ(Seen(), "50,50");
  ways_[0]->device->CompleteAllHeld();
  Run(kSec);
}

TEST_F(MultipathTest, LatencyLeavesAPathThatSlowsDownAndComesBack) {
  Up(2, "latency");
  const auto phase = [this](int ios) {
    const std::uint64_t before = ways_[0]->device->io_count();
    for (int i = 0; i < ios; ++i) {
      Io(static_cast<std::uint64_t>(i));
      Run(200 * kUs);
    }
    return static_cast<double>(ways_[0]->device->io_count() - before) / ios;
  };
  EXPECT_NEAR(phase(1000), 0.5, 0.1);  // equal paths: both forget at the same speed
  ways_[0]->device->config().io_latency = 4 * kMs;
  // 4000 us fall below 84 in six windows; then it is tried, for the two windows until the first
  // answers come and the rest of a third.
  EXPECT_LT(phase(1000), 3.0 / 9);
  ways_[0]->device->config().io_latency = 80 * kUs;
  phase(100);
  EXPECT_NEAR(phase(1000), 0.5, 0.1);
  Run(kSec);
}

TEST_F(MultipathTest, ThePolicyIsSwitchedWhileIoIsInFlight) {
  Up(2, "numa");
  for (auto& way : ways_) way->device->Hold(true);
  for (unsigned i = 0; i < 10; ++i) Io(i);
  head_->SetPolicy("queue-depth", "test");
  // The ten of numa do not count: both paths look empty, and are filled in turn.
  for (unsigned i = 0; i < 10; ++i) Io(100 + i);
  EXPECT_EQ(ways_[0]->path->stats.in_flight, 15u);
  EXPECT_EQ(ways_[1]->path->stats.in_flight, 5u);
  EXPECT_EQ(ways_[0]->path->nr_active, 5u);
  head_->SetPolicy("round-robin", "test");
  for (unsigned i = 0; i < 4; ++i) Io(200 + i);
  EXPECT_EQ(ways_[0]->path->nr_active, 5u);  // still those of queue-depth
  for (auto& way : ways_) {
    way->device->Hold(false);
    way->device->CompleteAllHeld();
  }
  Run(kSec);
  EXPECT_EQ(ended_, 24u);
  EXPECT_EQ(head_->stats().policy_switches, 2u);
  EXPECT_THROW(head_->SetPolicy("fastest", "test"), UserError);
}

TEST_F(MultipathTest, WritingThePolicyInForceChangesNothing) {
  Up(2, "round-robin");
  Io(0);
  head_->SetPolicy("round-robin", "test");
  Io(1);
  Run(kSec);
  EXPECT_EQ(Seen(), "1,1");  // its turn was not forgotten
  EXPECT_EQ(head_->stats().policy_switches, 0u);
}

TEST_F(MultipathTest, AnaStatesDecideWhereIoGoes) {
  Up(2, "round-robin");
  head_->SetAna(ways_[0]->path, AnaState::kNonOptimized);
  for (unsigned i = 0; i < 4; ++i) Io(i);
  Run(kSec);
  EXPECT_EQ(Seen(), "0,4");
  head_->SetAna(ways_[1]->path, AnaState::kInaccessible);
  for (unsigned i = 0; i < 4; ++i) Io(i);
  Run(kSec);
  EXPECT_EQ(Seen(), "4,4");
  head_->SetAna(ways_[0]->path, AnaState::kChange);
  for (unsigned i = 0; i < 4; ++i) Io(i);
  Run(10 * kSec);
  EXPECT_EQ(ended_, 8u);  // the last four wait: both controllers are there
  EXPECT_EQ(head_->requeue_count(), 4u);
  head_->SetAna(ways_[1]->path, AnaState::kOptimized);
  Run(kSec);
  EXPECT_EQ(ended_, 12u);
  EXPECT_EQ(Seen(), "4,8");
}

TEST_F(MultipathTest, ABatchUnderAPlugGoesOutOnEveryPath) {
  Up(2, "round-robin");
  head_->StartPlug(0);
  for (unsigned i = 0; i < 8; ++i) Io(i * 100);
  EXPECT_EQ(Seen(), "0,0");
  head_->FinishPlug(0);
  Run(kSec);
  EXPECT_EQ(Seen(), "4,4");
  EXPECT_EQ(ended_, 8u);
}

TEST_F(MultipathTest, AnErrorThatIsNotThePathsEndsTheBio) {
  Up(2);
  ways_[0]->device->FailIo(nvme::Status::kLbaOutOfRange, true);
  Io(0);
  Run(kSec);
  EXPECT_EQ(bios_[0].status, 0x080);
  EXPECT_EQ(Seen(), "1,0");
  EXPECT_EQ(head_->stats().failovers, 0u);
}

TEST_F(MultipathTest, AnAnaErrorOfTheControllerFailsOver) {
  Up(2);
  ways_[0]->device->FailIo(nvme::Status::kAnaInaccessible, false);
  Io(0);
  Run(kSec);
  Io(1);
  Run(kSec);
  EXPECT_EQ(Seen(), "1,2");
  EXPECT_EQ(ended_, 2u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(ways_[0]->path->ana, AnaState::kInaccessible);
}

TEST_F(MultipathTest, EachPathHasItsOwnScheduler) {
  params_.scheduler = "mq-deadline";
  Up(2, "round-robin");
  for (unsigned i = 0; i < 40; ++i) Io(i, i % 4, i % 3 == 0 ? BioOp::kWrite : BioOp::kRead);
  Run(kSec);
  EXPECT_EQ(ended_, 40u);
  EXPECT_GT(ways_[0]->device->io_count(), 5u);
  EXPECT_GT(ways_[1]->device->io_count(), 5u);
}

}  // namespace
}  // namespace nvmearb::host
