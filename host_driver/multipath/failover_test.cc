// SPDX-License-Identifier: Apache-2.0
//
// Paths that are lost with I/O in flight, and what comes back.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "host_driver/multipath/testing/multipath_fixture.h"
#include "nvme/base/random.h"

namespace nvmearb::host {
namespace {

class Failover : public MultipathTest {
 protected:
  bool HasNotice(unsigned way, const std::string& part) const {
    const auto& notices = ways_[way]->driver->notices();
    return std::any_of(notices.begin(), notices.end(), [&](const std::string& notice) {
      return notice.find(part) != std::string::npos;
    });
  }
};

TEST_F(Failover, IoInFlightGoesOnOnTheOtherPath) {
  Up(2);
  ways_[0]->device->Hold(true);
  for (unsigned i = 0; i < 20; ++i) Io(i, i % 4);
  Run(10 * kUs);
  Cut(0);
  Run(500 * kUs);
  EXPECT_EQ(ended_, 20u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(Seen(), "20,20");
  EXPECT_EQ(head_->stats().failovers, 20u);
  EXPECT_EQ(ways_[0]->path->state, PathState::kConnecting);
  EXPECT_EQ(ways_[0]->driver->stats().cancelled, 20u);
  EXPECT_TRUE(HasNotice(0, "nvme0: resetting: the link is down"));
}

TEST_F(Failover, WhatWaitsForATagGoesOnOnTheOtherPath) {
  params_.io_queue_depth = 4;  // 3 tags
  Up(2);
  ways_[0]->device->Hold(true);
  for (unsigned i = 0; i < 9; ++i) Io(i * 10);
  EXPECT_TRUE(bios_[8].waits);
  Run(10 * kUs);
  Cut(0);
  EXPECT_EQ(ended_, 0u);
  Run(kMs);
  EXPECT_EQ(ended_, 9u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(ways_[0]->device->io_count(), 3u);
}

TEST_F(Failover, WhatASchedulerHoldsGoesOnOnTheOtherPath) {
  params_.scheduler = "bfq";
  params_.io_queue_depth = 4;
  Up(2);
  ways_[0]->device->Hold(true);
  for (unsigned i = 0; i < 30; ++i) Io(i * 10, 0, i % 2 == 0 ? BioOp::kRead : BioOp::kWrite);
  Run(kMs);
  Cut(0);
  Run(kSec);
  EXPECT_EQ(ended_, 30u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(Failover, ALostPathComesBackWithItsLink) {
  Up(2);
  Cut(0);
  Run(kSec);
  Io(0);
  Run(kMs);
  EXPECT_EQ(Seen(), "0,1");
  Mend(0);
  Run(kSec);
  EXPECT_TRUE(ways_[0]->driver->live());
  Cut(1);
  Io(1);
  Run(kMs);
  EXPECT_EQ(Seen(), "1,1");
  EXPECT_EQ(ended_, 2u);
}

TEST_F(Failover, WithoutAnyPathIoWaitsForTheFirstThatReturns) {
  Up(2, "round-robin");
  for (auto& way : ways_) way->device->Hold(true);
  for (unsigned i = 0; i < 8; ++i) Io(i);
  Run(10 * kUs);
  Cut(0);
  Cut(1);
  for (unsigned i = 0; i < 8; ++i) Io(100 + i);
  Run(60 * kSec);
  EXPECT_EQ(ended_, 0u);
  EXPECT_EQ(head_->requeue_count(), 16u);
  for (auto& way : ways_) way->device->Hold(false);
  Mend(1);
  Run(kSec);
  EXPECT_EQ(ended_, 16u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(ways_[0]->device->io_count(), 4u);   // of before
  EXPECT_EQ(ways_[1]->device->io_count(), 20u);  // 4 of before, and all 16
}

TEST_F(Failover, WithoutAnyPathIoFailsWhenTheLastControllerIsGivenUp) {
  params_.ctrl_loss_tmo = 35 * kSec;
  params_.reconnect_delay = 10 * kSec;
  Up(2);
  Cut(0);
  Cut(1);
  Io(0);
  Run(39 * kSec);  // attempts at 0, 10, 20, 30 s
  EXPECT_EQ(ended_, 0u);
  Run(2 * kSec);  // the one at 40 s is too late
  EXPECT_EQ(ended_, 1u);
  EXPECT_EQ(bios_[0].status, 0x370);
  EXPECT_EQ(ways_[0]->path->state, PathState::kGone);
  EXPECT_TRUE(HasNotice(1, "nvme1: given up after 5 attempts"));
  Io(1);  // and from now on at once, but not from within Submit()
  EXPECT_EQ(ended_, 1u);
  Run(1);
  EXPECT_EQ(ended_, 2u);
  Mend(0);
  Run(kSec);
  EXPECT_EQ(ways_[0]->path->state, PathState::kGone);  // gone is gone
}

TEST_F(Failover, ACompletionThatWasNotPolledBeforeTheLossIsForgotten) {
  params_.poll_queues = 1;
  Up(2);
  ways_[0]->device->Hold(true);
  Io(0, 0, BioOp::kRead, 4096, true);
  Run(kUs);
  ways_[0]->device->CompleteAllHeld();  // in the host's memory; nobody has looked yet
  Cut(0);
  ways_[0]->device->Hold(false);
  Run(kSec);
  ExpectAllEndedWell();
}

TEST_F(Failover, FastIoFailEndsTheWaitWhileTheDriverStillTries) {
  fast_io_fail_tmo_ = 5 * kSec;
  Up(1);
  Cut(0);
  Io(0);
  Run(4 * kSec);
  EXPECT_EQ(ended_, 0u);
  Run(2 * kSec);
  EXPECT_EQ(ended_, 1u);
  EXPECT_EQ(bios_[0].status, 0x370);
  Mend(0);
  Run(kSec);
  Io(1);
  Run(kSec);
  EXPECT_EQ(bios_[1].status, 0);
}

TEST_F(Failover, ALinkThatFlapsDuringTheBringUpIsTriedAgain) {
  Up(2);
  Cut(0);
  Run(kMs);
  Mend(0);
  Run(2 * kMs);  // CC.EN is on its way
  EXPECT_EQ(ways_[0]->driver->state(), NvmePci::State::kConnecting);
  Cut(0);
  EXPECT_EQ(ways_[0]->driver->state(), NvmePci::State::kLost);
  Run(100 * kMs);
  Mend(0);
  Run(kSec);
  EXPECT_TRUE(ways_[0]->driver->live());
  Io(0);
  Run(kSec);
  EXPECT_EQ(ended_, 1u);
}

TEST_F(Failover, ALinkThatDiesSilentlyIsFoundByTheTimeout) {
  Up(2);
  ways_[0]->link->Cut(true);  // nobody tells the driver
  for (unsigned i = 0; i < 5; ++i) Io(i);
  Run(29 * kSec);
  EXPECT_EQ(ended_, 0u);
  Run(2 * kSec);
  EXPECT_EQ(ended_, 5u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(Seen(), "0,5");
  EXPECT_TRUE(HasNotice(0, "the controller does not answer"));
}

TEST_F(Failover, AStarvedCommandIsAbortedThenItsControllerResetAndTheOtherPathDoesIt) {
  config_.acl = 0;
  Up(2);
  ways_[0]->device->Hold(true);
  ways_[0]->device->IgnoreAdmin(nvme::AdminOpcode::kAbort);
  Io(0);
  Run(31 * kSec);
  EXPECT_EQ(ways_[0]->driver->stats().aborts, 1u);
  EXPECT_EQ(ended_, 0u);
  Run(30 * kSec);
  EXPECT_EQ(ways_[0]->driver->stats().resets, 1u);
  EXPECT_EQ(ended_, 1u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(Seen(), "1,1");
}

TEST_F(Failover, APathIsLostInTheMiddleOfASwitchOfThePolicy) {
  Up(2, "queue-depth");
  for (auto& way : ways_) way->device->Hold(true);
  for (unsigned i = 0; i < 10; ++i) Io(i);
  head_->SetPolicy("latency", "test");
  Cut(0);
  head_->SetPolicy("round-robin", "test");
  for (auto& way : ways_) way->device->Hold(false);
  ways_[1]->device->CompleteAllHeld();
  Mend(0);
  head_->SetPolicy("queue-depth", "test");
  Run(kSec);
  EXPECT_EQ(ended_, 10u);
  EXPECT_EQ(failed_, 0u);
}

// The checks of the random run see what they are for.

TEST_F(Failover, TheChecksSeeALostBio) {
  Up(1);
  ways_[0]->device->Hold(true);
  Io(0);
  Run(kMs);
  EXPECT_NONFATAL_FAILURE(ExpectEnded(), "1 bios in flight");
  EXPECT_NONFATAL_FAILURE(ExpectIdle(*ways_[0]), "tags of hctx 0, commands submitted");
  ways_[0]->device->CompleteAllHeld();
  Run(kMs);
  ExpectAllEndedWell();
}

TEST_F(Failover, TheChecksSeeABioThatEndsTwice) {
  Up(1);
  Io(0);
  Run(kMs);
  EXPECT_NONFATAL_FAILURE(Done(0), "bio 0 ended twice");
  EXPECT_NONFATAL_FAILURE(ExpectEnded(), "ended_");
  --ended_;
}

TEST_F(Failover, TheChecksSeeACountThatIsLeftOver) {
  Up(1, "queue-depth");
  Io(0);
  Run(kMs);
  ++ways_[0]->path->nr_active;
  EXPECT_NONFATAL_FAILURE(ExpectIdle(*ways_[0]), "active requests");
  --ways_[0]->path->nr_active;
}

TEST_F(Failover, TheChecksSeeABioThatFails) {
  Up(1);
  ways_[0]->device->FailIo(nvme::Status::kLbaOutOfRange, true);
  Io(0);
  Run(kMs);
  EXPECT_NONFATAL_FAILURE(ExpectAllEndedWell(), "failed_");
}

// Random faults. NVMEARB_SEED repeats one run; NVMEARB_FAULT_IOS sets the I/Os of all runs
// together.

class RandomFaults : public Failover {
 protected:
  void Go(std::uint64_t seed, unsigned ios) {
    SCOPED_TRACE("NVMEARB_SEED=" + std::to_string(seed) +
                 " multipath_head_test --gtest_filter=RandomFaults.*");
    base::Random random(seed);
    const std::vector<std::string> schedulers = {"none", "mq-deadline", "kyber", "bfq"};
    params_.scheduler = schedulers[random.Below(schedulers.size())];
    params_.io_queue_depth = static_cast<unsigned>(random.InRange(3, 40));
    params_.io_timeout = 1;
    params_.reconnect_delay = random.InRange(1, 50) * kMs;
    config_.strict = false;
    Up(static_cast<unsigned>(random.InRange(1, 4)), "numa");
    TimePs last = clock_.Now();
    while (bios_.size() < ios) {
      Way& way = *ways_[random.Below(ways_.size())];
      switch (random.Below(60)) {
        case 0:
          way.link->Cut(true);
          way.driver->LinkDown();
          break;
        case 1:
          way.link->Cut(true);  // silently
          break;
        case 2:
        case 3:
          // A transport that comes back knows that it was away: what it lost cannot be made up for.
          if (way.link->is_cut()) way.driver->LinkDown();
          way.link->Cut(false);
          way.driver->LinkUp();
          break;
        case 4:
          way.device->Hold(random.Below(2) == 0);
          if (way.device->held() > 0) way.device->CompleteHeld(random.Below(way.device->held()));
          break;
        case 5:
          way.device->SetFatal();
          break;
        case 6:
          head_->SetPolicy(IoPolicyNames()[random.Below(4)], "random");
          break;
        case 7:
          head_->SetAna(way.path, static_cast<AnaState>(random.Below(5)));
          break;
        case 8:
          way.device->FailIo(
              random.Below(2) == 0 ? nvme::Status::kSuccess : nvme::Status::kAnaTransition, false);
          break;
        case 9:
          Run(random.InRange(1, 1500) * kMs);
          break;
        default:
          for (std::uint64_t n = random.InRange(1, 30); n > 0; --n) {
            Io(random.Below(1'000'000), static_cast<std::uint16_t>(random.Below(4)),
               random.Below(2) == 0 ? BioOp::kRead : BioOp::kWrite,
               static_cast<std::uint32_t>(4096 * random.InRange(1, 40)));
          }
          Run(random.Below(300) * kUs);
      }
      ASSERT_GE(clock_.Now(), last);
      last = clock_.Now();
      if (HasFailure()) return;
    }
    for (auto& way : ways_) {
      way->device->Hold(false);
      way->device->CompleteAllHeld();
      way->device->FailIo(nvme::Status::kSuccess, false);
      if (way->link->is_cut()) way->driver->LinkDown();
      way->link->Cut(false);
      way->driver->LinkUp();
    }
    // Answers with an ANA status may come late, found by a timeout.
    for (int i = 0; i < 5; ++i) {
      Run(20 * kSec);
      for (auto& way : ways_) head_->SetAna(way->path, AnaState::kOptimized);
    }
    Run(kSec);
    ExpectAllEndedWell();
    total_failovers += head_->stats().failovers;
    total_parked += head_->stats().parked;
    for (auto& way : ways_) {
      total_resets += way->driver->stats().resets;
      total_aborts += way->driver->stats().aborts;
    }
  }
  void Fresh() {
    head_.reset();
    ways_.clear();
    clock_ = TestClock();  // with the calls that were for them
    bios_.clear();
    done_.clear();
    ended_ = failed_ = 0;
    params_ = NvmeParams();
    params_.fabrics = true;
  }
  std::uint64_t total_failovers = 0;
  std::uint64_t total_parked = 0;
  std::uint64_t total_resets = 0;
  std::uint64_t total_aborts = 0;
};

TEST_F(RandomFaults, EveryBioEndsWellOnceAndNoTagIsLeft) {
  const char* const seed = std::getenv("NVMEARB_SEED");
  const char* const wanted = std::getenv("NVMEARB_FAULT_IOS");
  constexpr unsigned kRunIos = 5000;
  if (seed != nullptr) return Go(std::strtoull(seed, nullptr, 10), kRunIos);
  const std::uint64_t ios = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 200'000;
  for (std::uint64_t run = 1; run * kRunIos <= ios; ++run) {
    Go(run, kRunIos);
    if (HasFailure()) return;
    Fresh();
  }
  if (ios < 200'000) return;
  // The runs went where they are meant to go.
  EXPECT_GT(total_failovers, 1000u);
  EXPECT_GT(total_parked, 1000u);
  EXPECT_GT(total_resets, 100u);
  EXPECT_GT(total_aborts, 10u);
}

}  // namespace
}  // namespace nvmearb::host
