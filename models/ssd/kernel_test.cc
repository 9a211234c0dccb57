// SPDX-License-Identifier: Apache-2.0
#include "ssd/kernel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nvme/base/random.h"
#include "ssd/platform.h"

namespace nvmearb::ssd {
namespace {

/// Somebody else's module in the same simulation: a thread with its own waits.
class Bystander : public sc_core::sc_module {
 public:
  struct Seen {
    TimePs system_c_ps;
    TimePs kernel_ps;
  };
  std::vector<Seen> seen;
  std::vector<TimePs> waits;  // one after the other, from Go() on
  Kernel* calls_back = nullptr;
  std::vector<TimePs> called_back;

  SC_HAS_PROCESS(Bystander);
  Bystander(sc_core::sc_module_name name, Kernel* kernel)
      : sc_core::sc_module(name), kernel_(kernel) {
    SC_THREAD(Run);
  }
  void Go() { go_.notify(sc_core::SC_ZERO_TIME); }

 private:
  void Run() {
    while (true) {
      wait(go_);
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      for (const TimePs duration : waits) {
        wait(sc_core::sc_time::from_value(duration));
        seen.push_back({(sc_core::sc_time_stamp() - start).value(), kernel_->Now()});
        if (calls_back == nullptr) continue;
        calls_back->CatchUp();
        calls_back->Call<&Bystander::Record>(calls_back->Now() + 5, this);
      }
    }
  }
  void Record(std::uint64_t /*argument*/) { called_back.push_back(kernel_->Now()); }

  Kernel* kernel_;
  sc_core::sc_event go_;
};

class KernelTest : public testing::Test {
 public:
  // SystemC elaborates once: modules of all tests are made before the first of them runs.
  static void SetUpTestSuite() {
    if (bystander_ == nullptr) {
      bystander_ = new Bystander("bystander", &Platform::Instance().kernel());
    }
  }
  void SetUp() override {
    Platform::Instance().Reset();
    bystander_->seen.clear();
    bystander_->waits.clear();
    bystander_->called_back.clear();
    bystander_->calls_back = nullptr;
  }

  void Log(std::uint64_t argument) {
    log_ += std::to_string(kernel_.Now()) + ":" + std::to_string(argument) + " ";
  }
  void StopNow(std::uint64_t /*argument*/) { kernel_.Stop(); }
  void Chain(std::uint64_t left) {
    Log(left);
    if (left > 0) kernel_.Call<&KernelTest::Chain>(kernel_.Now(), this, left - 1);
  }
  /// Moves on clock by clock, 10 ps each, as the RTL harness does.
  void Clocks(std::uint64_t /*argument*/) {
    while (kernel_.Now() + 10 < kernel_.NextTime()) {
      kernel_.AdvanceTo(kernel_.Now() + 10);
      ++clocks_;
    }
  }
  /// Lets a thread of somebody else start, as a transport may.
  void TouchAndLook(std::uint64_t /*argument*/) {
    next_before_ = kernel_.NextTime();
    bystander_->Go();
    kernel_.TouchSystemC();
    next_after_ = kernel_.NextTime();
  }
  /// Lets a thread of somebody else start and does not say so.
  void WakeInSilence(std::uint64_t /*argument*/) { bystander_->Go(); }
  void AdvanceTooFar(std::uint64_t when) { kernel_.AdvanceTo(when); }

 protected:
  static Bystander* bystander_;
  Kernel& kernel_ = Platform::Instance().kernel();
  std::string log_;
  int clocks_ = 0;
  TimePs next_before_ = 0;
  TimePs next_after_ = 0;
};

Bystander* KernelTest::bystander_ = nullptr;

TEST_F(KernelTest, OrdersByTimeThenPhaseThenRequest) {
  kernel_.Call<&KernelTest::Log>(20, this, 1);
  kernel_.Call<&KernelTest::Log>(10, this, 2, Kernel::Phase::kClockEdge);
  kernel_.Call<&KernelTest::Log>(10, this, 3);
  kernel_.Call<&KernelTest::Log>(10, this, 4, Kernel::Phase::kClockEdge);
  kernel_.Call<&KernelTest::Log>(10, this, 5);
  EXPECT_FALSE(kernel_.RunUntil(100)) << "nothing is left";
  EXPECT_EQ(log_, "10:3 10:5 10:2 10:4 20:1 ");
  EXPECT_EQ(kernel_.Now(), 100u);
}

TEST_F(KernelTest, CallbackMayAskForItsOwnTimeAgain) {
  kernel_.Call<&KernelTest::Chain>(7, this, 2);
  kernel_.Call<&KernelTest::Log>(7, this, 9, Kernel::Phase::kClockEdge);
  kernel_.RunUntil(7);
  EXPECT_EQ(log_, "7:2 7:1 7:0 7:9 ") << "all of one time come before its clock edge";
}

TEST_F(KernelTest, ClockIsOneCallbackInTheOrderOfAll) {
  kernel_.CallClock<&KernelTest::Log>(10, this, 1);
  kernel_.Call<&KernelTest::Log>(10, this, 2, Kernel::Phase::kClockEdge);
  kernel_.Call<&KernelTest::Log>(10, this, 3);
  kernel_.Call<&KernelTest::Log>(5, this, 4);
  kernel_.RunUntil(7);
  EXPECT_EQ(log_, "5:4 ");
  EXPECT_TRUE(kernel_.RunUntil(9)) << "something is left";
  kernel_.RunUntil(100);
  EXPECT_EQ(log_, "5:4 10:3 10:1 10:2 ");
}

TEST_F(KernelTest, ALaterClockTakesThePlaceOfTheFormer) {
  kernel_.CallClock<&KernelTest::Log>(10, this, 1);
  kernel_.CallClock<&KernelTest::Log>(20, this, 2);
  kernel_.RunUntil(15);
  EXPECT_EQ(log_, "");
  kernel_.CallClock<&KernelTest::Log>(18, this, 3);
  EXPECT_FALSE(kernel_.RunUntil(100)) << "nothing is left";
  EXPECT_EQ(log_, "18:3 ");
  kernel_.CallClock<&KernelTest::Log>(110, this, 4);
  Platform::Instance().Reset();
  kernel_.RunUntil(200);
  EXPECT_EQ(log_, "18:3 ") << "a reset forgets it";
}

TEST_F(KernelTest, ACallbackThatTouchesSystemCSeesWhatIsDueThere) {
  bystander_->waits = {40};
  kernel_.Call<&KernelTest::TouchAndLook>(5, this);
  kernel_.RunUntil(100);
  EXPECT_EQ(next_before_, 101u) << "nothing but the end of the run";
  EXPECT_EQ(next_after_, 5u) << "the thread that was notified";
}

TEST_F(KernelTest, RunsInPiecesLikeInOne) {
  for (const std::uint64_t when : {5u, 10u, 15u, 20u}) {
    kernel_.Call<&KernelTest::Log>(when, this, when);
  }
  EXPECT_TRUE(kernel_.RunUntil(10));
  EXPECT_EQ(log_, "5:5 10:10 ") << "callbacks due at the end are included";
  EXPECT_TRUE(kernel_.RunUntil(10)) << "the same end once more does nothing";
  kernel_.Call<&KernelTest::Log>(12, this, 12);
  EXPECT_TRUE(kernel_.RunUntil(17));
  EXPECT_EQ(kernel_.Now(), 17u);
  EXPECT_FALSE(kernel_.RunUntil(kNever));
  EXPECT_EQ(log_, "5:5 10:10 12:12 15:15 20:20 ");
  EXPECT_EQ(kernel_.Now(), 20u) << "without an end, time is that of the last callback";
}

TEST_F(KernelTest, StopEndsTheRunAtItsOwnTime) {
  kernel_.Call<&KernelTest::StopNow>(5, this);
  kernel_.Call<&KernelTest::Log>(6, this, 6);
  EXPECT_TRUE(kernel_.RunUntil(100));
  EXPECT_EQ(kernel_.Now(), 5u);
  EXPECT_EQ(log_, "");
  kernel_.RunUntil(100);
  EXPECT_EQ(log_, "6:6 ");
}

TEST_F(KernelTest, ResetForgetsCallbacksAndStartsAtZero) {
  kernel_.Call<&KernelTest::Log>(50, this, 50);
  kernel_.Call<&KernelTest::StopNow>(40, this);
  kernel_.RunUntil(1000);
  const auto system_c_before = sc_core::sc_time_stamp();
  Platform::Instance().Reset();
  EXPECT_EQ(kernel_.Now(), 0u);
  kernel_.Call<&KernelTest::Log>(3, this, 3);
  kernel_.RunUntil(1000);
  EXPECT_EQ(log_, "3:3 ");
  EXPECT_GE(sc_core::sc_time_stamp(), system_c_before) << "SystemC's own time only grows";
}

TEST_F(KernelTest, AnotherThreadSeesEveryWaitAtItsTimeAndCallbacksInOrder) {
  bystander_->waits = {15, 15, 20};
  bystander_->Go();
  for (const std::uint64_t when : {10u, 20u, 30u, 40u, 60u}) {
    kernel_.Call<&KernelTest::Log>(when, this, when);
  }
  kernel_.RunUntil(100);
  EXPECT_EQ(log_, "10:10 20:20 30:30 40:40 60:60 ");
  ASSERT_EQ(bystander_->seen.size(), 3u);
  EXPECT_EQ(bystander_->seen[0].system_c_ps, 15u);
  EXPECT_EQ(bystander_->seen[1].system_c_ps, 30u);
  EXPECT_EQ(bystander_->seen[2].system_c_ps, 50u);
  for (const Bystander::Seen& seen : bystander_->seen) {
    EXPECT_LE(seen.kernel_ps, seen.system_c_ps) << "no callback ran ahead of the thread";
  }
  EXPECT_EQ(bystander_->seen[2].kernel_ps, 40u);
}

TEST_F(KernelTest, AnotherThreadRunsAlthoughNoCallbackIsLeft) {
  bystander_->waits = {15, 1000};
  bystander_->Go();
  kernel_.RunUntil(kNever);
  EXPECT_EQ(bystander_->seen.size(), 2u);
}

TEST_F(KernelTest, AnotherThreadMayAskForCallbacksAfterCatchingUp) {
  bystander_->waits = {15, 15};
  bystander_->calls_back = &kernel_;
  bystander_->Go();
  kernel_.Call<&KernelTest::Log>(100, this, 100);
  kernel_.RunUntil(200);
  EXPECT_EQ(bystander_->called_back, (std::vector<TimePs>{20, 35}));
  EXPECT_EQ(log_, "100:100 ");
}

TEST_F(KernelTest, CallbackMovesTimeUpToTheNextEvent) {
  kernel_.Call<&KernelTest::Clocks>(0, this);
  kernel_.Call<&KernelTest::Log>(95, this, 1);
  kernel_.RunUntil(1000);
  EXPECT_EQ(clocks_, 9) << "edges at 10 .. 90, and no more before 95";
  clocks_ = 0;
  kernel_.Call<&KernelTest::Clocks>(1000, this);
  kernel_.RunUntil(1025);
  EXPECT_EQ(clocks_, 2) << "the end of the run bounds it, too";
}

TEST_F(KernelTest, ClocksStopAtOtherSystemCActivity) {
  bystander_->waits = {45};
  bystander_->Go();
  kernel_.RunUntil(1);  // lets the thread begin its wait
  kernel_.Call<&KernelTest::Clocks>(5, this);
  kernel_.RunUntil(100);
  EXPECT_EQ(clocks_, 3) << "edges at 15, 25 and 35, and none at 45 or later";
}

using KernelDeathTest = KernelTest;

TEST_F(KernelDeathTest, RefusesCallbacksInThePastAndTimeBehindAnEvent) {
  kernel_.RunUntil(50);
  EXPECT_DEATH(kernel_.Call<&KernelTest::Log>(49, this), "in the past");
  kernel_.Call<&KernelTest::AdvanceTooFar>(60, this, 70);
  kernel_.Call<&KernelTest::Log>(70, this);
  EXPECT_DEATH(kernel_.RunUntil(100), "past a waiting event");
}

TEST_F(KernelDeathTest, NoticesACallbackThatWokeSystemCInSilence) {
  kernel_.Call<&KernelTest::WakeInSilence>(10, this);
  kernel_.Call<&KernelTest::Log>(20, this);
  EXPECT_DEATH(kernel_.RunUntil(100), "without TouchSystemC");
}

TEST_F(KernelTest, RandomLoadKeepsTimeMonotoneAndLosesNothing) {
  struct Load {
    Kernel* kernel;
    base::Random random{5};
    TimePs last = 0;
    int left = 20000;
    int backwards = 0;
    void Step(std::uint64_t /*argument*/) {
      if (kernel->Now() < last) ++backwards;
      last = kernel->Now();
      if (--left > 0) kernel->Call<&Load::Step>(last + random.Below(500), this);
    }
  } load{&kernel_};
  bystander_->waits.assign(50, 777);
  bystander_->Go();
  kernel_.Call<&Load::Step>(0, &load);
  kernel_.RunUntil(kNever);
  EXPECT_EQ(load.left, 0);
  EXPECT_EQ(load.backwards, 0);
  EXPECT_EQ(bystander_->seen.size(), 50u);
}

}  // namespace
}  // namespace nvmearb::ssd
