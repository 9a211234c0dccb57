// SPDX-License-Identifier: Apache-2.0
//
// How long the first command of an SQ waits: never beyond the bound of docs/interfaces.md, and the
// bound is reached.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core_bench.h"
#include "core_traffic.h"
#include "wait_bound.h"

namespace nvmearb::tb {
namespace {

using arbiter::ArbitrationSettings;
using arbiter::SqClass;

TEST(LevelWaitBound, IsTheOthersRoundByRound) {
  const ArbitrationSettings w421{0, 3, 1, 0};        // 4:2:1
  EXPECT_EQ(LevelWaitBound(0, 0, 0, w421), 3u);      // the rest of a round: 2 + 1
  EXPECT_EQ(LevelWaitBound(0, 0, 3, w421), 3u + 3);  // 3 before it, in the same round
  EXPECT_EQ(LevelWaitBound(0, 0, 4, w421), 4u + 2 * 3);
  EXPECT_EQ(LevelWaitBound(2, 0, 0, w421), 6u + 6);  // a level is above it in each round
  EXPECT_EQ(LevelWaitBound(2, 0, 3, w421), 3u + 4 * 6 + 6);
  EXPECT_EQ(LevelWaitBound(1, 9, 1, w421), 9u + 1 + 5 + 4);
}

class CoreWait : public ::testing::TestWithParam<unsigned> {};

TEST_P(CoreWait, IsWithinTheBoundUnderRandomTraffic) {
  std::uint64_t waits = 0;
  const unsigned runs = std::max(8u, 24 / Traits().fewer_runs);
  for (unsigned seed = 1; seed <= runs; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TrafficOptions options;
    options.seed = seed;
    options.wrr = seed % 3 != 0;
    options.max_count = 1 + seed % 8;
    options.doorbell_percent = seed % 2 != 0 ? 5 : 25;
    options.slot_count = seed % 4 < 2 ? 500 : 5;
    CoreBench bench(GetParam());
    WaitBound bound(GetParam());
    bench.Observe(&bound);
    CoreTraffic traffic(&bench, options);
    traffic.BringUp();
    for (int i = 0; i < 4000; ++i) traffic.Step();
    EXPECT_FALSE(bench.dut().AssertionFailed());
    for (const std::string& finding : bound.findings()) ADD_FAILURE() << finding;
    for (int c = 0; c < arbiter::kSqClassCount; ++c) {
      waits += bound.measured(static_cast<SqClass>(c)).wait_count;
    }
  }
  EXPECT_GT(waits, 40u * runs);
}
INSTANTIATE_TEST_SUITE_P(Sizes, CoreWait, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

struct Saturated {
  CoreBench bench{16};
  WaitBound bound{16};
  unsigned next = 1;

  explicit Saturated(bool wrr, const ArbitrationSettings& settings) {
    bench.Observe(&bound);
    bench.in().max_count = 1;
    bench.Configure(CoreConfig::SetMech(wrr));
    bench.Configure(CoreConfig::SetArb(settings));
    bench.Configure(CoreConfig::CreateCq(0, 65536));
  }
  /// An SQ with `commands` commands; returns its id.
  unsigned Add(SqClass sq_class, unsigned commands) {
    bench.Configure(CoreConfig::CreateSq(next, 0, 8192, sq_class));
    EXPECT_TRUE(bench.RunUntilQuiescent());
    if (commands != 0) bench.Ring(false, next, commands);
    return next++;
  }
  /// The longest wait over `arrivals` of one command in SQ `sqid`, a prime number of clocks apart.
  WaitBound::Measure Worst(unsigned sqid, SqClass sq_class, unsigned arrivals) {
    EXPECT_TRUE(bench.RunUntilQuiescent());
    bench.GiveSlots(100);
    for (unsigned tail = 1; tail <= arrivals; ++tail) {
      for (unsigned i = 0; i < 1009; ++i) {
        if (i == 500) bench.Ring(false, sqid, tail);
        const CoreOut& out = bench.Step();
        if (out.obs_grant_valid) bench.GiveSlots(out.grant_count);
      }
    }
    EXPECT_FALSE(bench.dut().AssertionFailed());
    for (const std::string& finding : bound.findings()) ADD_FAILURE() << finding;
    const WaitBound::Measure& measure = bound.measured(sq_class);
    EXPECT_GE(measure.wait_count, arrivals);
    return measure;
  }
};

// What may be granted in the clocks that do not count.
unsigned Uncounted() { return 2 * kLateArrivalClocks / Traits().clocks_per_decision; }

TEST(CoreWaitWorst, OfAnIdleHighestLevelIsAVisitOfAnother) {
  Saturated run(true, {0, 15, 31, 15});  // 16:32:16
  run.Add(SqClass::kMedium, 8000);
  run.Add(SqClass::kLow, 8000);
  const unsigned sqid = run.Add(SqClass::kHigh, 0);
  // It is alone in its level, whose credits are full: it is next after a visit.
  EXPECT_LE(run.Worst(sqid, SqClass::kHigh, 6).longest, 1u);
}
TEST(CoreWaitWorst, OfALowerLevelIsReached) {
  Saturated run(true, {0, 31, 15, 0});  // 32:16:1
  run.Add(SqClass::kHigh, 8000);
  run.Add(SqClass::kMedium, 8000);
  for (int i = 0; i < 3; ++i) run.Add(SqClass::kLow, 2000);
  const unsigned sqid = run.Add(SqClass::kLow, 0);
  const WaitBound::Measure worst = run.Worst(sqid, SqClass::kLow, 7);
  EXPECT_EQ(worst.its_bound, 3u + 4 * 48 + 48);
  // All but what is left of the round in which it arrives, which is never a whole one for the
  // lowest level.
  EXPECT_GE(worst.longest + Uncounted(), 3u + 3 * 48);
}
TEST(CoreWaitWorst, OfUrgentAndRoundRobinIsAVisitOfEachSqBefore) {
  for (const bool wrr : {false, true}) {
    SCOPED_TRACE(wrr);
    Saturated run(wrr, {4, 3, 1, 0});  // bursts of 16
    for (int i = 0; i < 3; ++i) run.Add(SqClass::kUrgent, 8000);
    const unsigned sqid = run.Add(SqClass::kUrgent, 0);
    const WaitBound::Measure worst = run.Worst(sqid, SqClass::kUrgent, 7);
    EXPECT_EQ(worst.its_bound, 3u * 16);
    EXPECT_GE(worst.longest + Uncounted(), 2u * 16 + 1);
  }
}

/// A class of SQs whose grants are kept from the judge waits too long.
TEST(WaitBound, ReportsAWaitBeyondTheBound) {
  WaitBound bound(4);
  const auto tail = [&bound](std::uint64_t cycle, unsigned sqid, unsigned value) {
    CoreOut out;
    out.obs_db_valid = true;
    out.obs_db_qid = sqid;
    out.obs_db_value = value;
    bound.OnCycle(cycle, {}, out, nullptr);
  };
  const auto grant = [&bound](std::uint64_t cycle, unsigned sqid) {
    CoreOut out;
    out.obs_grant_valid = true;
    out.grant_sqid = sqid;
    out.grant_count = 1;
    bound.OnCycle(cycle, {}, out, nullptr);
  };
  const auto configure = [&bound](const CoreConfig& config) {
    CoreOut out;
    out.obs_cfg_valid = true;
    bound.OnCycle(0, {}, out, &config);
  };
  configure(CoreConfig::SetMech(true));
  configure(CoreConfig::SetArb({1, 0, 0, 0}));
  for (unsigned q = 1; q < 4; ++q) configure(CoreConfig::CreateSq(q, 0, 64, SqClass::kUrgent));
  tail(10, 1, 20);
  grant(11, 1);
  tail(12, 2, 1);
  // Two visits of SQ 1 from clock 20 on, the first of which is within the bound of 2 commands.
  for (std::uint64_t cycle = 19; cycle <= 21; ++cycle) grant(cycle, 1);
  EXPECT_TRUE(bound.findings().empty());
  grant(22, 1);
  grant(23, 2);
  EXPECT_EQ(bound.findings().size(), 1u);
}

}  // namespace
}  // namespace nvmearb::tb
