// SPDX-License-Identifier: Apache-2.0
//
// Enable, disable and re-enable under load at every size that is promised, and the two clock modes
// against each other.
#include <gtest/gtest.h>

#include "block/front_end_rig.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

struct Build {
  const char* name;
  FrontEndRig::Maker maker;
};

class Load : public ::testing::TestWithParam<Build> {};

/// Random traffic on all queues for `steps` steps.
void Work(FrontEndRig& rig, base::Random& random, unsigned queues, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto id = static_cast<unsigned>(random.Below(queues));
    const std::uint32_t free = rig.FreeEntries(id);
    if (free > 0) rig.Submit(id, static_cast<std::uint32_t>(random.InRange(1, free)));
    if (random.Below(4) == 0) rig.Run(random.InRange(1, 300'000));
  }
}

bool AllReceived(FrontEndRig& rig, unsigned queues) {
  for (unsigned id = 0; id < queues; ++id) {
    if (rig.sq(id).received_count != rig.sq(id).submitted_count) return false;
  }
  return true;
}

bool CreateAll(FrontEndRig& rig, base::Random& random, unsigned queues) {
  for (unsigned id = 1; id < queues; ++id) {
    const auto size = static_cast<std::uint32_t>(random.InRange(2, 40));
    if (!rig.Create(static_cast<std::uint16_t>(id), size, static_cast<SqClass>(random.Below(4)))) {
      return false;
    }
  }
  return true;
}

TEST_P(Load, SurvivesResetsAtAnyMoment) {
  FrontEndRig::Config config;
  config.rtl.max_count = 3;
  config.rtl.stall_percent = 15;
  FrontEndRig rig(GetParam().maker, config);
  rig.KeepRecords(false);
  const unsigned queues = rig.rtl().Limits().sq_count;
  base::Random random(queues);
  for (unsigned life = 1; life <= 4; ++life) {
    ASSERT_TRUE(rig.Enable(life % 2 == 1)) << life;
    ASSERT_TRUE(rig.SetArbitration({static_cast<std::uint8_t>(random.Below(8)), 5, 2, 0}));
    ASSERT_TRUE(CreateAll(rig, random, queues)) << life;
    Work(rig, random, queues, 400);
    if (life == 4) break;
    ASSERT_TRUE(rig.Disable()) << life;
    EXPECT_EQ(rig.disable_count(), life);
    const std::uint64_t received = rig.received_count();
    rig.Run(5'000'000);
    EXPECT_EQ(rig.received_count(), received) << "a command after the reset";
  }
  EXPECT_TRUE(rig.RunUntil([&] { return AllReceived(rig, queues); }, 2'000'000'000));
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_TRUE(rig.errors().empty());
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Load,
                         ::testing::Values(Build{"Sqs2", &MakeRtlFrontEndOf<2>},
                                           Build{"Sqs3", &MakeRtlFrontEndOf<3>},
                                           Build{"Sqs7", &MakeRtlFrontEndOf<7>},
                                           Build{"Sqs16", &MakeRtlFrontEndOf<16>},
                                           Build{"Sqs64", &MakeRtlFrontEndOf<64>},
                                           Build{"Sqs129", &MakeRtlFrontEndOf<129>},
                                           Build{"Sqs1024", &MakeRtlFrontEndOf<1024>}),
                         [](const auto& build) { return std::string(build.param.name); });

// --- The clock
// -------------------------------------------------------------------------------------

struct Trace {
  std::vector<arbiter::Event> events;
  std::vector<std::string> calls;
  std::vector<std::uint32_t> reads;
  std::uint64_t ticks = 0;
};

Trace RunScript(FrontEndRig::Maker maker, bool free_running, unsigned stall_percent,
                ssd::TimePs period) {
  FrontEndRig::Config config;
  config.rtl.free_running = free_running;
  config.rtl.stall_percent = stall_percent;
  config.rtl.clock_period_ps = period;
  FrontEndRig rig(maker, config);
  base::Random random(11);
  Trace trace;
  for (int life = 0; life < 2; ++life) {
    EXPECT_TRUE(rig.Enable(life == 0));
    EXPECT_TRUE(rig.SetArbitration({1, 3, 1, 0}));
    EXPECT_TRUE(CreateAll(rig, random, 7));
    for (int i = 0; i < 150; ++i) {
      const auto id = static_cast<unsigned>(random.Below(7));
      const std::uint32_t free = rig.FreeEntries(id);
      if (free > 0) rig.Submit(id, static_cast<std::uint32_t>(random.InRange(1, free)));
      // Reads run ahead of the kernel; times on and off the clock's grid.
      if (random.Below(3) == 0) trace.reads.push_back(rig.Read(rig.SqDoorbell(id)));
      if (random.Below(3) == 0) trace.reads.push_back(rig.Read(rig.CqDoorbell(id)));
      rig.Run(random.Below(5) == 0 ? random.InRange(1, 3) * period : random.InRange(1, 900'000));
    }
    EXPECT_TRUE(rig.Disable());
  }
  EXPECT_EQ(rig.trouble(), "");
  trace.events = rig.events();
  trace.calls = rig.calls();
  trace.ticks = rig.rtl().Statistics().tick_count;
  return trace;
}

bool Same(const arbiter::Event& a, const arbiter::Event& b) {
  return a.cycle == b.cycle && a.time_ps == b.time_ps && a.kind == b.kind &&
         a.sq_class == b.sq_class && a.mechanism == b.mechanism && a.error == b.error &&
         a.is_cq == b.is_cq && a.first == b.first && a.posted == b.posted && a.sqid == b.sqid &&
         a.cqid == b.cqid && a.head == b.head && a.tail == b.tail && a.count == b.count &&
         a.credit == b.credit;
}

struct ClockBuild {
  const char* name;
  FrontEndRig::Maker maker;
  std::uint64_t most_percent;  // edges run, of all
};

class Clock : public ::testing::TestWithParam<std::tuple<ClockBuild, unsigned>> {};

TEST_P(Clock, SkippingIdleEdgesChangesNothing) {
  const auto& [build, stall_percent] = GetParam();
  for (const ssd::TimePs period : {4000u, 3333u}) {
    const Trace jump = RunScript(build.maker, false, stall_percent, period);
    const Trace free = RunScript(build.maker, true, stall_percent, period);
    EXPECT_EQ(jump.calls, free.calls);
    EXPECT_EQ(jump.reads, free.reads);
    ASSERT_EQ(jump.events.size(), free.events.size());
    for (std::size_t i = 0; i < jump.events.size(); ++i) {
      ASSERT_TRUE(Same(jump.events[i], free.events[i])) << "event " << i;
    }
    EXPECT_GT(jump.events.size(), 1000u);
    // Reads run a good part of them in both.
    EXPECT_LT(jump.ticks, free.ticks * build.most_percent / 100);
  }
}

// The second build has the fetch engine's address registers, and eight beats to an SQE.
INSTANTIATE_TEST_SUITE_P(
    Stalls, Clock,
    ::testing::Combine(::testing::Values(ClockBuild{"W512", &MakeRtlFrontEndOf<7>, 75},
                                         ClockBuild{"W64", &MakeRtlFrontEndOf<7, 1, 64>, 95}),
                       ::testing::Values(0u, 30u)),
    [](const auto& param) {
      return std::string(std::get<0>(param.param).name) + "Percent" +
             std::to_string(std::get<1>(param.param));
    });

TEST(Clock, RunsAreRepeatable) {
  const Trace a = RunScript(&MakeRtlFrontEndOf<7>, false, 30, 4000);
  const Trace b = RunScript(&MakeRtlFrontEndOf<7>, false, 30, 4000);
  EXPECT_EQ(a.calls, b.calls);
  EXPECT_EQ(a.ticks, b.ticks);
}

TEST(Assertions, ViolatedOnPurposeAreReported) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, {});
  ASSERT_TRUE(rig.Enable(false));
  rig.Submit(0, 1);  // what comes before the first read is dropped
  rig.Run(10'000'000);
  EXPECT_EQ(rig.received_count(), 1u);
  EXPECT_FALSE(rig.rtl().AssertionFailed());
  ::testing::internal::CaptureStdout();
  rig.rtl().ViolateAssertion();
  rig.Run(1'000'000);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(rig.rtl().AssertionFailed());
  EXPECT_NE(printed.find("DataWasAskedFor_M"), std::string::npos) << printed;
}

}  // namespace
}  // namespace nvmearb::tb
