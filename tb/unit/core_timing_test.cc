// SPDX-License-Identifier: Apache-2.0
//
// The bounds that the header of nvmearb_core states, measured at its pins.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core_bench.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

constexpr unsigned kSize = 4096;
class CoreTiming : public ::testing::TestWithParam<unsigned> {
 protected:
  /// SQ 0 admin, the others of `sq_class`, one CQ each, slots for everything.
  static void BringUp(CoreBench* bench, bool wrr, SqClass sq_class) {
    bench->Configure(CoreConfig::SetMech(wrr));
    bench->Configure(CoreConfig::SetArb({0, 3, 3, 3}));
    const unsigned count = std::min(bench->dut().sq_count(), 12u);
    for (unsigned q = 0; q < count; ++q) {
      bench->Configure(CoreConfig::CreateCq(q, 65536));
      bench->Configure(CoreConfig::CreateSq(q, q, kSize, q == 0 ? SqClass::kAdmin : sq_class));
    }
    ASSERT_TRUE(bench->RunUntilQuiescent());
    bench->GiveSlots(1000);
    ASSERT_TRUE(bench->RunUntilQuiescent());
  }
  /// Clocks from now until grant_valid of `sqid`.
  static unsigned ClocksToGrant(CoreBench* bench, unsigned sqid, unsigned limit = 1000) {
    for (unsigned clock = 0; clock < limit; ++clock) {
      const CoreOut& out = bench->Step();
      if (out.grant_valid && out.grant_sqid == sqid) return clock;
    }
    return limit;
  }
};

TEST_P(CoreTiming, GrantsAfterADoorbellInTimeWhenIdle) {
  CoreBench bench(GetParam());
  BringUp(&bench, true, SqClass::kHigh);
  for (unsigned i = 1; i < 20; ++i) {
    bench.Ring(false, 1, i);
    EXPECT_EQ(ClocksToGrant(&bench, 1), Traits().doorbell_to_grant);
    ASSERT_TRUE(bench.RunUntilQuiescent());
  }
}

TEST_P(CoreTiming, GrantsAfterASlotInTimeWhenOneIsMissing) {
  CoreBench bench(GetParam());
  BringUp(&bench, false, SqClass::kHigh);
  bench.in().max_count = 1;
  bench.Ring(false, 1, 1500);
  ASSERT_TRUE(bench.RunUntilQuiescent());  // all slots are used
  for (unsigned i = 0; i < 20; ++i) {
    bench.GiveSlots(1);
    EXPECT_EQ(ClocksToGrant(&bench, 1), Traits().slot_to_grant);
    ASSERT_TRUE(bench.RunUntilQuiescent());
  }
}

// Decisions follow each other at one rate, whatever the number of SQs that take turns.
TEST_P(CoreTiming, DecidesAtItsRateUnderLoad) {
  CoreBench bench(GetParam());
  BringUp(&bench, true, SqClass::kMedium);
  bench.in().max_count = 1;
  const unsigned count = std::min(GetParam(), 12u);
  for (unsigned q = 1; q < count; ++q) bench.Ring(false, q, 600);
  for (int i = 0; i < 100; ++i) bench.Step();
  unsigned grants = 0;
  for (int i = 0; i < 300; ++i) grants += bench.Step().obs_grant_valid;
  EXPECT_EQ(grants, 300u / Traits().clocks_per_decision);
}

// An admin command that arrives in any clock of a saturated run is granted before anything that is
// decided more than the late-arrival bound later.
TEST_P(CoreTiming, SeesAdminArrivalsWithinEightClocks) {
  for (unsigned offset = 0; offset < 30; ++offset) {
    CoreBench bench(GetParam());
    BringUp(&bench, true, SqClass::kUrgent);
    bench.in().max_count = 1;
    bench.Ring(false, 1, 900);
    for (unsigned i = 0; i < 40 + offset; ++i) bench.Step();
    bench.Ring(false, 0, 1);
    std::uint64_t arrival = 0;
    for (int i = 0; i < 100; ++i) {
      const CoreOut& out = bench.Step();
      if (out.obs_db_valid && out.obs_db_qid == 0) arrival = bench.cycle();
      if (!out.obs_grant_valid || arrival == 0) continue;
      if (out.grant_sqid == 0) {
        EXPECT_LE(bench.cycle() - arrival, kLateArrivalClocks);
        arrival = 0;
        break;
      }
    }
    EXPECT_EQ(arrival, 0u) << "never granted";
  }
}

TEST_P(CoreTiming, DoorbellStormsDoNotStarveGrants) {
  CoreBench bench(GetParam());
  BringUp(&bench, true, SqClass::kLow);
  bench.in().max_count = 1;
  bench.Ring(false, 1, 900);
  for (int i = 0; i < 50; ++i) bench.Step();
  // A doorbell (refused: same value) and a CQ head doorbell in every clock.
  unsigned grants = 0, doorbells = 0;
  for (int i = 0; i < 600; ++i) {
    bench.Ring(i % 2 != 0, i % 2 != 0 ? 1 : 0, 0);
    const CoreOut& out = bench.Step();
    grants += out.obs_grant_valid;
    doorbells += out.obs_db_reject;
  }
  EXPECT_GE(grants, 120u);
  EXPECT_GE(doorbells, 120u);
}

TEST_P(CoreTiming, AnswersDeletionOfAStarvedSqWhileUrgentWorkGoesOn) {
  const unsigned sq_count = GetParam();
  if (sq_count < 3) GTEST_SKIP() << "needs two I/O queues";
  CoreBench bench(sq_count);
  bench.Configure(CoreConfig::SetMech(true));
  bench.Configure(CoreConfig::CreateCq(0, 65536));
  bench.Configure(CoreConfig::CreateSq(1, 0, kSize, SqClass::kUrgent));
  const unsigned last = std::min(sq_count - 1, 900u);
  for (unsigned q = 2; q <= last; ++q) {
    bench.Configure(CoreConfig::CreateSq(q, 0, kSize, SqClass::kLow));
  }
  ASSERT_TRUE(bench.RunUntilQuiescent());
  bench.Ring(false, 1, 4000);
  for (unsigned q = 2; q <= last; ++q) bench.Ring(false, q, 5);
  ASSERT_TRUE(bench.RunUntilQuiescent());
  bench.in().max_count = 1;
  // Urgent takes every slot; the last of the low ring is removed from behind all others.
  bool done = false;
  unsigned clocks = 0, grants_after = 0;
  bench.Configure(CoreConfig::DeleteSq(last));
  const unsigned per_sq = Traits().clocks_per_sq_of_ring;
  for (unsigned i = 0; i < per_sq * last + 200; ++i) {
    bench.GiveSlots(1);
    const CoreOut& out = bench.Step();
    if (out.obs_grant_valid) {
      EXPECT_EQ(out.grant_sqid, 1u);
      bench.Commit({1, out.grant_count});
      grants_after += done;
    }
    clocks += !done;
    done = done || out.cfg_done;
  }
  EXPECT_TRUE(done);
  EXPECT_LE(clocks, per_sq * last + 20);
  EXPECT_GT(grants_after, 30u);
}

TEST_P(CoreTiming, AnswersDeletionOnlyAfterTheLastGrantedCommandIsCaptured) {
  CoreBench bench(GetParam());
  BringUp(&bench, true, SqClass::kHigh);
  bench.Ring(false, 1, 5);
  ASSERT_TRUE(bench.RunUntilQuiescent());  // granted, not committed
  bench.Configure(CoreConfig::DeleteSq(1));
  bool effect = false;
  for (int i = 0; i < 200; ++i) {
    const CoreOut& out = bench.Step();
    effect = effect || (out.obs_cfg_valid && out.obs_cfg_op == kCfgDeleteSq);
    EXPECT_FALSE(out.cfg_done);
  }
  EXPECT_TRUE(effect);
  bench.Ring(false, 1, 6);  // it does not exist any more
  bench.Commit({1, 3});
  bench.Commit({1, 2});
  bool done = false, refused = false;
  for (int i = 0; i < 10; ++i) {
    const CoreOut& out = bench.Step();
    done = done || out.cfg_done;
    refused = refused || (out.err_valid && out.err_info == 0x00);
  }
  EXPECT_TRUE(done);
  EXPECT_TRUE(refused);
}

// Round robin under hold_io: SQ 0 has its turn although the sequencer waits for another's fetch.
TEST_P(CoreTiming, GrantsSq0UnderAHoldWhileADeletionWaitsForItsLastFetch) {
  if (GetParam() < 3) GTEST_SKIP() << "needs two I/O queues";
  CoreBench bench(GetParam());
  BringUp(&bench, false, SqClass::kHigh);
  bench.Ring(false, 1, 5);
  ASSERT_TRUE(bench.RunUntilQuiescent());  // granted, not committed
  bench.Configure(CoreConfig::DeleteSq(1));
  bench.in().hold_io = true;
  bench.Ring(false, 2, 5);
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(bench.Step().obs_grant_valid);
  bench.Ring(false, 0, 1);  // behind SQ 2
  EXPECT_LT(ClocksToGrant(&bench, 0), 60u);
  bench.Commit({1, 5});
  bench.in().hold_io = false;
  EXPECT_LT(ClocksToGrant(&bench, 2), 60u);
  ASSERT_TRUE(bench.RunUntilQuiescent());
  EXPECT_TRUE(bench.Drained()) << "the deletion was not answered";
}

// house_style: a test that must fail proves that assertions are on.
TEST_P(CoreTiming, AnswersRequestsInTimeWhenIdle) {
  CoreBench bench(GetParam());
  BringUp(&bench, true, SqClass::kHigh);
  const auto clocks = [&bench](const CoreConfig& config) {
    bench.Configure(config);
    unsigned clock = 0;
    while (!bench.Step().cfg_done && clock < 5000) ++clock;
    EXPECT_TRUE(bench.RunUntilQuiescent());
    return clock;
  };
  const RequestClocks& expected = Traits().request_clocks;
  const unsigned last = std::min(GetParam(), 12u) - 1;
  EXPECT_EQ(clocks(CoreConfig::DeleteSq(last)), expected.delete_sq);
  EXPECT_EQ(clocks(CoreConfig::DeleteCq(last)), expected.delete_cq);
  EXPECT_EQ(clocks(CoreConfig::CreateCq(last, 64)), expected.create_cq);
  EXPECT_EQ(clocks(CoreConfig::CreateSq(last, last, 64, SqClass::kHigh)), expected.create_sq);
  EXPECT_EQ(clocks(CoreConfig::SetArb({1, 2, 3, 4})), expected.set_arb);
  EXPECT_EQ(clocks(CoreConfig::Reset()), GetParam() + expected.reset_beyond_sqs);
  EXPECT_EQ(clocks(CoreConfig::SetMech(true)), expected.set_mech);
}

TEST_P(CoreTiming, ReportsAViolatedAssertion) {
  CoreBench bench(GetParam());
  ASSERT_FALSE(bench.dut().AssertionFailed());
  bench.in().max_count = 8;
  bench.slots_per_clock = 15;
  bench.GiveSlots(1100);  // more than 2^SlotW - 1: breaks the assumption SlotsFit_M
  for (int i = 0; i < 100; ++i) bench.Step();
  EXPECT_TRUE(bench.dut().AssertionFailed());
  EXPECT_FALSE(bench.dut().AssertionFailed());
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreTiming, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

}  // namespace
}  // namespace nvmearb::tb
