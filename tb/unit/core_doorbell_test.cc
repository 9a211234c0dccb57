// SPDX-License-Identifier: Apache-2.0
//
// Doorbells that nvmearb_core refuses or ignores (decision 0002, rule 13), one rule a test; and
// random queues that are all rung before the first decision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core_bench.h"
#include "core_mirror.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

constexpr unsigned kInvalidRegister = 0x00;
constexpr unsigned kInvalidValue = 0x01;
constexpr unsigned kSize = 16;

class CoreDoorbellRules : public ::testing::TestWithParam<unsigned> {
 protected:
  CoreDoorbellRules() : bench_(GetParam()) {
    bench_.in().max_count = 1;
    bench_.Configure(CoreConfig::CreateCq(0, kSize));
    bench_.Configure(CoreConfig::CreateSq(0, 0, kSize, SqClass::kAdmin));
    bench_.RunUntilQuiescent();
  }
  ~CoreDoorbellRules() override { EXPECT_FALSE(bench_.dut().AssertionFailed()); }

  struct Outcome {
    int error = -1;  // none
    unsigned granted = 0;
  };
  /// Rings once and waits until nothing happens any more.
  Outcome Ring(bool is_cq, unsigned qid, unsigned value) {
    bench_.Ring(is_cq, qid, value);
    return Run();
  }
  Outcome Run() {
    Outcome outcome;
    for (int i = 0; i < 100; ++i) {
      const CoreOut& out = bench_.Step();
      if (out.err_valid) outcome.error = static_cast<int>(out.err_info);
      if (out.obs_grant_valid) {
        outcome.granted += out.grant_count;
        granted_ += out.grant_count;
      }
    }
    return outcome;
  }
  void CommitAll() {
    for (; granted_ != 0; --granted_) bench_.Commit({0, 1});
    Run();
  }

  CoreBench bench_;
  unsigned granted_ = 0;
};

TEST_P(CoreDoorbellRules, IsRefusedWith00ForAQueueThatDoesNotExist) {
  const unsigned last = GetParam() - 1;
  EXPECT_EQ(Ring(false, last, 1).error, kInvalidRegister);
  EXPECT_EQ(Ring(true, last, 1).error, kInvalidRegister);
  EXPECT_EQ(Ring(false, GetParam(), 1).error, kInvalidRegister);
  EXPECT_EQ(Ring(true, 65535, 1).error, kInvalidRegister);
}

TEST_P(CoreDoorbellRules, BeyondTheRingHaltsTheSqUntilItIsCreatedAnew) {
  ASSERT_EQ(Ring(false, 0, 3).error, -1);
  EXPECT_EQ(Ring(false, 0, kSize).error, kInvalidValue);
  bench_.GiveSlots(10);
  EXPECT_EQ(Run().granted, 0u);
  const Outcome legal = Ring(false, 0, 4);  // ignored without an event
  EXPECT_EQ(legal.error, -1);
  EXPECT_EQ(legal.granted, 0u);
  bench_.Configure(CoreConfig::DeleteSq(0));
  bench_.Configure(CoreConfig::CreateSq(0, 0, kSize, SqClass::kAdmin));
  ASSERT_TRUE(bench_.RunUntilQuiescent());
  EXPECT_EQ(Ring(false, 0, 2).granted, 2u);
}

TEST_P(CoreDoorbellRules, SameTailAgainIsRefusedButDoesNotHalt) {
  EXPECT_EQ(Ring(false, 0, 0).error, kInvalidValue);
  EXPECT_EQ(Ring(false, 0, 2).error, -1);
  EXPECT_EQ(Ring(false, 0, 2).error, kInvalidValue);
  bench_.GiveSlots(10);
  EXPECT_EQ(Run().granted, 2u);
}

TEST_P(CoreDoorbellRules, OverfillIsMeasuredAgainstTheFetchedHead) {
  bench_.GiveSlots(100);
  ASSERT_EQ(Ring(false, 0, kSize - 1).granted, kSize - 1);  // exactly full is legal
  // All granted, nothing captured: one more would overfill; three captured make room for three.
  CommitAll();
  ASSERT_EQ(Ring(true, 0, 1).error, kInvalidValue);  // nothing is posted yet
  for (unsigned i = 0; i < kSize - 1; ++i) bench_.Complete({0, 0, true});
  Run();
  ASSERT_EQ(Ring(true, 0, kSize - 1).error, -1);
  ASSERT_EQ(Ring(false, 0, kSize - 3).granted, kSize - 2);  // around the ring end, not captured
  EXPECT_EQ(Ring(false, 0, kSize - 2).error, -1);           // the last free entry
  EXPECT_EQ(Ring(false, 0, kSize - 1).error, kInvalidValue);
  EXPECT_EQ(Ring(false, 0, 1).error, -1) << "halted: ignored";
}

TEST_P(CoreDoorbellRules, CqHeadIsRefusedBeyondRingSameAndBeyondTailWithoutEffect) {
  bench_.GiveSlots(100);
  ASSERT_EQ(Ring(false, 0, 5).granted, 5u);
  CommitAll();
  for (int i = 0; i < 3; ++i) bench_.Complete({0, 0, true});
  Run();
  EXPECT_EQ(Ring(true, 0, kSize).error, kInvalidValue);
  EXPECT_EQ(Ring(true, 0, 0).error, kInvalidValue);
  EXPECT_EQ(Ring(true, 0, 4).error, kInvalidValue);
  EXPECT_EQ(Ring(true, 0, 2).error, -1);
  EXPECT_EQ(Ring(true, 0, 4).error, kInvalidValue);
  EXPECT_EQ(Ring(true, 0, 3).error, -1);
}

TEST_P(CoreDoorbellRules, FullCqStopsItsSqUntilRoomComesBack) {
  bench_.Configure(CoreConfig::DeleteSq(0));
  bench_.Configure(CoreConfig::DeleteCq(0));
  bench_.Configure(CoreConfig::CreateCq(0, 3));
  bench_.Configure(CoreConfig::CreateSq(0, 0, kSize, SqClass::kAdmin));
  ASSERT_TRUE(bench_.RunUntilQuiescent());
  bench_.GiveSlots(100);
  EXPECT_EQ(Ring(false, 0, 6).granted, 2u);
  CommitAll();
  bench_.Complete({0, 0, true});
  EXPECT_EQ(Run().granted, 0u);
  EXPECT_EQ(Ring(true, 0, 1).granted, 1u);
  bench_.Complete({0, 0, false});  // left without an entry: room at once
  EXPECT_EQ(Run().granted, 1u);
}

TEST_P(CoreDoorbellRules, ADoorbellBehindOneThatHaltsTakesEffectWhateverElseIsUnderWay) {
  // SQ 1 runs into its full CQ; around that moment, at each offset, it is halted and SQ 0 is rung.
  for (unsigned offset = 0; offset < 60; ++offset) {
    SCOPED_TRACE(offset);
    bench_.Configure(CoreConfig::CreateCq(1, 3));
    bench_.Configure(CoreConfig::CreateSq(1, 1, kSize, SqClass::kUrgent));
    ASSERT_TRUE(bench_.RunUntilQuiescent());
    bench_.GiveSlots(10);
    bench_.Ring(false, 1, 6);
    for (unsigned i = 0; i < offset; ++i) bench_.Step();
    bench_.Ring(false, 1, kSize);
    bench_.Ring(false, 0, (offset + 1) % kSize);
    unsigned of_0 = 0, of_1 = 0;
    for (int i = 0; i < 150; ++i) {
      const CoreOut& out = bench_.Step();
      if (!out.obs_grant_valid) continue;
      (out.grant_sqid == 0 ? of_0 : of_1) += out.grant_count;
    }
    EXPECT_EQ(of_0, 1u);
    EXPECT_LE(of_1, 2u);
    bench_.Commit({0, of_0});
    bench_.Complete({0, 0, false});
    for (unsigned i = 0; i < of_1; ++i) bench_.Commit({1, 1});
    for (unsigned i = 0; i < of_1; ++i) bench_.Complete({1, 1, false});
    bench_.Configure(CoreConfig::DeleteSq(1));
    bench_.Configure(CoreConfig::DeleteCq(1));
    ASSERT_TRUE(bench_.RunUntilQuiescent());
  }
}

class CoreStaticSetups : public ::testing::TestWithParam<unsigned> {};

TEST_P(CoreStaticSetups, EveryQueueRungBeforeTheFirstDecisionIsServedInGoldenOrder) {
  const unsigned sq_count = GetParam();
  base::Random random(sq_count);
  for (int setup = 0; setup < 60; ++setup) {
    SCOPED_TRACE(setup);
    CoreBench bench(sq_count);
    CoreMirror mirror(sq_count);
    bench.Observe(&mirror);
    bench.in().max_count = 1 + static_cast<unsigned>(random.Below(8));
    bench.Configure(CoreConfig::SetMech(random.Below(3) != 0));
    arbiter::ArbitrationSettings settings;
    settings.ab = static_cast<std::uint8_t>(random.Below(8));
    settings.hpw_zb = static_cast<std::uint8_t>(random.Below(random.Below(2) != 0 ? 5 : 256));
    settings.mpw_zb = static_cast<std::uint8_t>(random.Below(5));
    settings.lpw_zb = static_cast<std::uint8_t>(random.Below(5));
    bench.Configure(CoreConfig::SetArb(settings));
    bench.Configure(CoreConfig::CreateCq(0, 65536));
    const unsigned used = std::min(sq_count, 2 + static_cast<unsigned>(random.Below(40)));
    std::vector<unsigned> ids;
    for (unsigned i = 0; i < used; ++i) ids.push_back(i * (sq_count / used));
    unsigned total = 0;
    for (const unsigned id : ids) {
      bench.Configure(CoreConfig::CreateSq(
          id, 0, 65536, id == 0 ? SqClass::kAdmin : static_cast<SqClass>(random.Below(4))));
    }
    ASSERT_TRUE(bench.RunUntilQuiescent());
    for (const unsigned id : ids) {
      const unsigned count = 1 + static_cast<unsigned>(random.Below(60));
      bench.Ring(false, id, count);
      total += count;
    }
    ASSERT_TRUE(bench.RunUntilQuiescent());
    while (total != 0) {  // slots in small portions: the order must not depend on them
      bench.GiveSlots(2 + static_cast<unsigned>(random.Below(200)));
      const std::uint64_t before = mirror.command_count();
      ASSERT_TRUE(bench.RunUntilQuiescent());
      if (mirror.command_count() == before) break;
      total -= static_cast<unsigned>(mirror.command_count() - before);
    }
    mirror.Finish();
    EXPECT_EQ(total, 0u);
    ASSERT_EQ(mirror.findings(), std::vector<std::string>{});
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreDoorbellRules, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

INSTANTIATE_TEST_SUITE_P(Sizes, CoreStaticSetups, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

}  // namespace
}  // namespace nvmearb::tb
