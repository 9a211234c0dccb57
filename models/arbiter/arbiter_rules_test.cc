// SPDX-License-Identifier: Apache-2.0
//
// One test, or a few, for each rule of docs/decisions/0002-arbitration-rules.md.
#include <gtest/gtest.h>

#include "arbiter/arbiter_testing.h"

namespace nvmearb::arbiter {
namespace {

using Credits = std::array<std::uint16_t, kLevelCount>;

TEST(Rule1Activation, AnInactiveQueueGoesToTheBackOfItsRingAndAnActiveOneStays) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.Create(1, kH).Create(2, kH).Create(3, kH);
  bench.Submit(3, 2);
  bench.Submit(1, 1);
  bench.Submit(3, 1);  // active already: keeps its place
  bench.Submit(2, 1);
  EXPECT_EQ(bench.Run(), "3 1 2 3x2");
}

TEST(Rule2Class, AdminThenUrgentThenWeightedLookedAtAnewForEveryGrant) {
  Bench bench(kWrr, {7, 9, 9, 9});
  bench.Load({{0, kA, 0}, {1, kU, 0}, {2, kH, 6}});
  EXPECT_EQ(bench.Run(2), "2x2");
  bench.Submit(1, 2);
  EXPECT_EQ(bench.Run(1), "1");
  bench.Submit(0, 2);
  EXPECT_EQ(bench.Run(), "0x2 1 2x4");
}

TEST(Rule2Class, APreemptedVisitKeepsItsQueueAndItsBurst) {
  Bench bench(kWrr, {2, 9, 9, 9});
  bench.Load({{0, kA, 0}, {1, kH, 8}, {2, kH, 8}});
  EXPECT_EQ(bench.Run(1), "1");
  bench.Submit(0, 1);
  EXPECT_EQ(bench.Run(1), "0");
  EXPECT_EQ(bench.arbiter.visit(kRingHigh).sqid, 1);
  EXPECT_EQ(bench.arbiter.visit(kRingHigh).burst_left_count, 3u);
  const std::optional<Grant> next = bench.arbiter.Decide(1);
  EXPECT_EQ(next->sqid, 1);
  EXPECT_FALSE(next->first);
}

TEST(Rule3Level, LevelsDoNotPreemptEachOtherInsideAVisit) {
  Bench bench(kWrr, {1, 3, 3, 3});
  bench.Load({{1, kH, 0}, {2, kM, 4}});
  EXPECT_EQ(bench.Run(1), "2");
  bench.Submit(1, 1);
  EXPECT_EQ(bench.Run(), "2 1 2x2");
}

TEST(Rule3Level, ALateArrivalUsesTheCreditsLeftInTheRound) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.Load({{1, kH, 0}, {2, kM, 8}});
  EXPECT_EQ(bench.Run(1), "2");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{4, 1, 1}));
  bench.Submit(1, 6);
  EXPECT_EQ(bench.Run(5), "1x4 2");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{0, 0, 1}));
}

TEST(Rule3Level, NoOpenLevelReloadsAllCreditsWithTheGrantAndNothingIsCarriedOver) {
  Bench bench(kWrr, {7, 3, 1, 0});
  bench.Load({{3, kL, 3}});
  EXPECT_EQ(bench.Run(1), "3");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{4, 2, 0}));
  EXPECT_EQ(bench.Run(1), "3");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{4, 2, 0}));
}

TEST(Rule3Level, AQueueWithoutCqRoomReloadsNothing) {
  Bench bench(kWrr, {0, 0, 1, 0});
  bench.arbiter.CreateCq(1, 2);
  bench.Create(1, kH, 16, 1).Submit(1, 3);
  EXPECT_EQ(bench.Run(1), "1");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{0, 2, 1}));
  EXPECT_EQ(bench.Run(1), "");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{0, 2, 1}));
  EXPECT_TRUE(bench.arbiter.IsParked(1));
}

TEST(Rule4Visit, BurstIsTwoToTheAb) {
  for (std::uint8_t ab = 0; ab < 7; ++ab) {
    Bench bench(kRr, {ab, 0, 0, 0});
    bench.Load({{1, kH, 200}, {2, kH, 200}});
    const std::string burst = ab == 0 ? "" : "x" + std::to_string(1 << ab);
    EXPECT_EQ(bench.Run(2 << ab), "1" + burst + " 2" + burst) << int{ab};
  }
}

TEST(Rule4Visit, WithoutLimitAVisitTakesWhatWasThereWhenItBegan) {
  Bench bench(kRr, {7, 0, 0, 0});
  bench.Load({{1, kH, 3}, {2, kH, 1}});
  EXPECT_EQ(bench.Run(1), "1");
  bench.Submit(1, 5);
  EXPECT_EQ(bench.Run(), "1x2 2 1x5");
}

TEST(Rule4Visit, InAWeightedLevelTheBurstIsAtMostTheWeight) {
  for (const std::uint8_t ab : {std::uint8_t{3}, std::uint8_t{7}}) {
    Bench bench(kWrr, {ab, 2, 0, 0});
    bench.Load({{1, kH, 6}, {2, kH, 6}});
    EXPECT_EQ(bench.Run(), "1x3 2x3 1x3 2x3") << int{ab};
  }
}

TEST(Rule5Grant, ChargesHeadBurstRoomSlotAndCredit) {
  Bench bench(kWrr, {2, 7, 0, 0});
  bench.Load({{1, kH, 5}});
  const std::uint32_t slots = bench.arbiter.slot_count();
  const std::uint32_t room = bench.arbiter.cq(0).room();
  const std::optional<Grant> grant = bench.arbiter.Decide(3);
  EXPECT_EQ(grant->count, 3);
  EXPECT_EQ(grant->head, 0);
  EXPECT_TRUE(grant->first);
  EXPECT_EQ(bench.arbiter.sq(1).issue_head(), 3u);
  EXPECT_EQ(bench.arbiter.sq(1).fetched_head(), 0u);
  EXPECT_EQ(bench.arbiter.visit(kRingHigh).burst_left_count, 1u);
  EXPECT_EQ(bench.arbiter.cq(0).room(), room - 3);
  EXPECT_EQ(bench.arbiter.slot_count(), slots - 3);
  EXPECT_EQ(bench.arbiter.credit(), (Credits{5, 1, 1}));
}

TEST(Rule5Grant, AdminAndUrgentCostNoCredits) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.Load({{0, kA, 5}, {1, kU, 5}});
  EXPECT_EQ(bench.Run(), "0x5 1x5");
  EXPECT_EQ(bench.arbiter.credit(), (Credits{4, 2, 1}));
}

TEST(Rule6EndOfVisit, AnEmptyQueueLosesItsResidualBurst) {
  Bench bench(kRr, {2, 0, 0, 0});
  bench.Load({{1, kH, 2}, {2, kH, 8}});
  EXPECT_EQ(bench.Run(2), "1x2");
  EXPECT_FALSE(bench.arbiter.IsActive(1));
  bench.Submit(1, 4);
  EXPECT_EQ(bench.Run(), "2x4 1x4 2x4");
}

TEST(Rule6EndOfVisit, AVisitCutByCreditsGoesOnWithItsResidualBurst) {
  Bench bench(kWrr, {2, 5, 0, 0});
  bench.Load({{1, kH, 12}, {2, kH, 12}, {3, kL, 2}});
  EXPECT_EQ(bench.Run(6), "1x4 2x2");
  EXPECT_EQ(bench.arbiter.current_level(), -1);
  EXPECT_EQ(bench.arbiter.visit(kRingHigh).burst_left_count, 2u);
  EXPECT_EQ(bench.Run(7), "3 2x2 1x4");
}

TEST(Rule7CqRoom, AQueueWithoutRoomIsParkedAndComesBackAtTheBackInTheOrderOfParking) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.arbiter.CreateCq(1, 2);
  bench.Create(1, kH, 16, 1).Create(2, kH, 16, 1).Create(3, kH, 16, 1).Create(4, kH);
  for (const std::uint16_t sqid :
       {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{3}, std::uint16_t{4}}) {
    bench.Submit(sqid, 4);
  }
  EXPECT_EQ(bench.Run(3), "1 4x2");  // 2, 3 and then 1 are parked
  EXPECT_TRUE(bench.arbiter.IsParked(1) && bench.arbiter.IsParked(2) && bench.arbiter.IsParked(3));
  bench.arbiter.Complete(1, 1, true);
  EXPECT_EQ(bench.arbiter.RingCqHead(1, 1), DoorbellResult::kAccepted);
  EXPECT_EQ(bench.Run(), "4 2 4");
  bench.arbiter.Complete(2, 1, false);  // no entry was posted: room again
  EXPECT_EQ(bench.Run(), "3");
}

TEST(Rule7CqRoom, QueuesThatShareLessRoomThanABurstTakeTurns) {
  struct Case {
    Mechanism mechanism;
    SqClass sq_class;
  };
  for (const Case c : {Case{kRr, kH}, Case{kWrr, kU}, Case{kWrr, kH}, Case{kWrr, kL}}) {
    for (const unsigned count : {2u, 3u}) {
      SCOPED_TRACE(count);
      Bench bench(c.mechanism, {2, 7, 7, 7});
      bench.arbiter.CreateCq(1, 2);
      for (std::uint16_t q = 1; q <= count; ++q) bench.Create(q, c.sq_class, 64, 1);
      for (std::uint16_t q = 1; q <= count; ++q) bench.Submit(q, 20);
      for (unsigned turn = 0; turn < 4 * count; ++turn) {
        const unsigned sqid = 1 + turn % count;
        EXPECT_EQ(bench.Run(), std::to_string(sqid));
        bench.arbiter.Complete(static_cast<std::uint16_t>(sqid), 1, false);
      }
    }
  }
}

TEST(Rule7CqRoom, AVisitThatRunsOutOfRoomEndsAndIsParkedInItsNextTurn) {
  Bench bench(kRr, {2, 0, 0, 0});
  bench.arbiter.CreateCq(1, 3);
  bench.Create(1, kH, 16, 1).Create(2, kH, 16).Create(3, kH, 16, 1);
  bench.Submit(1, 9);
  bench.Submit(2, 5);
  bench.Submit(3, 9);
  EXPECT_EQ(bench.Run(3), "1x2 2");  // 1 is behind 3
  EXPECT_FALSE(bench.arbiter.IsParked(1));
  EXPECT_EQ(bench.Run(), "2x4");  // 3 and 1 have been parked before the last of 2
  EXPECT_TRUE(bench.arbiter.IsParked(3) && bench.arbiter.IsParked(1));
  bench.arbiter.Complete(1, 1, false);
  EXPECT_EQ(bench.Run(), "3");
}

TEST(Rule7CqRoom, AQueueFullCqDoesNotHoldUpOthers) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.arbiter.CreateCq(1, 2);
  bench.Create(1, kH, 16, 1).Create(2, kL).Create(0, kA);
  bench.Submit(1, 4);
  bench.Submit(2, 3);
  bench.Submit(0, 1);
  EXPECT_EQ(bench.Run(), "0 1 2x3");
}

TEST(Rule8Slots, WithoutASlotNothingChanges) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.arbiter.Reset(kRr, {});
  bench.arbiter.CreateCq(0, 64);
  bench.Load({{1, kH, 2}});
  EXPECT_EQ(bench.Run(), "");
  bench.arbiter.GiveSlots(1);
  EXPECT_EQ(bench.Run(), "1");
}

TEST(Rule8Slots, InWrrTheLastSlotIsForSq0) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.arbiter.Reset(kWrr, {0, 3, 1, 0});
  bench.arbiter.CreateCq(0, 64);
  bench.Load({{0, kA, 0}, {1, kU, 3}, {2, kH, 3}});
  bench.arbiter.GiveSlots(2);
  EXPECT_EQ(bench.Run(), "1");
  bench.Submit(0, 2);
  EXPECT_EQ(bench.Run(), "0");
  EXPECT_EQ(bench.arbiter.slot_count(), 0u);
}

TEST(Rule9Feature, AbCountsFromTheNextVisitAndWeightsAtOnce) {
  Bench bench(kWrr, {2, 7, 7, 0});
  bench.Load({{1, kH, 16}, {2, kH, 16}});
  EXPECT_EQ(bench.Run(1), "1");
  bench.arbiter.SetArbitration({0, 3, 1, 0});
  EXPECT_EQ(bench.arbiter.credit(), (Credits{4, 2, 1}));
  EXPECT_EQ(bench.arbiter.current_level(), -1);
  EXPECT_EQ(bench.Run(6), "1x3 2 1 2");
}

TEST(Rule10Delete, TheQueueLeavesAndNothingElseMoves) {
  Bench bench(kWrr, {1, 7, 7, 0});
  bench.Load({{1, kH, 6}, {2, kH, 6}, {3, kH, 6}, {4, kM, 2}});
  EXPECT_EQ(bench.Run(1), "1");
  const Credits credit = bench.arbiter.credit();
  bench.arbiter.DeleteSq(1);  // in its own visit
  bench.arbiter.DeleteSq(3);  // waiting
  EXPECT_EQ(bench.arbiter.credit(), credit);
  EXPECT_EQ(bench.Run(), "2x6 4x2");
  EXPECT_EQ(bench.Submit(1, 1), DoorbellResult::kInvalidRegister);
}

TEST(Rule10Delete, ARecreatedQueueStartsAtSlot0WithItsNewClass) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.Load({{1, kH, 3}, {2, kM, 1}});
  EXPECT_EQ(bench.Run(2), "1x2");
  bench.arbiter.DeleteSq(1);
  bench.Create(1, kL, 8).Submit(1, 1);
  EXPECT_EQ(bench.arbiter.sq(1).issue_head(), 0u);
  EXPECT_EQ(bench.Run(), "2 1");
}

TEST(Rule10Delete, WhatWasGrantedMayStillBeCaptured) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.Load({{1, kH, 2}});
  ASSERT_TRUE(bench.arbiter.Decide(1).has_value());
  bench.arbiter.DeleteSq(1);
  EXPECT_FALSE(bench.arbiter.IsDrained(1));
  EXPECT_EQ(bench.arbiter.CommitFetch(1, 1), 1);
  EXPECT_TRUE(bench.arbiter.IsDrained(1));
}

TEST(Rule11Count, IsBoundedByEverythingThatBoundsSingleGrants) {
  struct Case {
    const char* what;
    ArbitrationSettings settings;
    std::uint32_t cq_size, size, present, slots, limit, count;
  };
  const Case kCases[] = {
      {"limit", {6, 63, 0, 0}, 64, 64, 40, 50, 8, 8},
      {"burst", {1, 63, 0, 0}, 64, 64, 40, 50, 8, 2},
      {"credit", {6, 3, 0, 0}, 64, 64, 40, 50, 8, 4},
      {"present", {6, 63, 0, 0}, 64, 64, 3, 50, 8, 3},
      {"CQ room", {6, 63, 0, 0}, 6, 64, 40, 50, 8, 5},
      {"slots", {6, 63, 0, 0}, 64, 64, 40, 7, 8, 6},
  };
  for (const Case& c : kCases) {
    Bench bench(kWrr, c.settings);
    bench.arbiter.Reset(kWrr, c.settings);
    bench.arbiter.CreateCq(0, c.cq_size);
    bench.arbiter.GiveSlots(c.slots);
    bench.Create(1, kH, c.size).Submit(1, c.present);
    EXPECT_EQ(bench.arbiter.Decide(c.limit)->count, c.count) << c.what;
  }
}

TEST(Rule11Count, NeverCrossesTheRingEnd) {
  Bench bench(kRr, {7, 0, 0, 0});
  bench.Create(1, kH, 8).Submit(1, 6);
  EXPECT_EQ(bench.Run(1, 8), "1x6");
  bench.Submit(1, 5);
  std::optional<Grant> grant = bench.arbiter.Decide(8);
  EXPECT_EQ(grant->head, 6);
  EXPECT_EQ(grant->count, 2);
  grant = bench.arbiter.Decide(8);
  EXPECT_EQ(grant->head, 0);
  EXPECT_EQ(grant->count, 3);
  EXPECT_FALSE(grant->first);
}

TEST(Rule13Doorbells, OfAnAbsentQueueIsRefusedWithInfo00h) {
  Bench bench(kRr, {0, 0, 0, 0});
  EXPECT_EQ(bench.arbiter.RingSqTail(3, 1), DoorbellResult::kInvalidRegister);
  EXPECT_EQ(bench.arbiter.RingSqTail(60000, 1), DoorbellResult::kInvalidRegister);
  EXPECT_EQ(bench.arbiter.RingCqHead(3, 1), DoorbellResult::kInvalidRegister);
  EXPECT_EQ(bench.arbiter.RingCqHead(60000, 1), DoorbellResult::kInvalidRegister);
}

TEST(Rule13Doorbells, ABadTailHaltsAndChangesNothingElse) {
  for (const std::uint16_t bad : {std::uint16_t{8}, std::uint16_t{9}, std::uint16_t{0xffff}}) {
    Bench bench(kRr, {0, 0, 0, 0});
    bench.Create(1, kH, 8).Create(2, kH).Submit(1, 3);
    bench.Submit(2, 2);
    EXPECT_EQ(bench.arbiter.RingSqTail(1, bad), DoorbellResult::kInvalidValue);
    EXPECT_EQ(bench.arbiter.sq(1).tail(), 3u);
    EXPECT_TRUE(bench.arbiter.IsHalted(1));
    EXPECT_EQ(bench.Submit(1, 1), DoorbellResult::kIgnored);
    EXPECT_EQ(bench.arbiter.RingSqTail(1, bad), DoorbellResult::kIgnored);
    EXPECT_EQ(bench.Run(), "2x2");
    bench.arbiter.DeleteSq(1);
    bench.Create(1, kH, 8).Submit(1, 1);
    EXPECT_EQ(bench.Run(), "1");
  }
}

TEST(Rule13Doorbells, TheSameTailAgainIsRefusedWithoutAHalt) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.Create(1, kH, 8).Submit(1, 3);
  EXPECT_EQ(bench.arbiter.RingSqTail(1, 3), DoorbellResult::kInvalidValue);
  EXPECT_FALSE(bench.arbiter.IsHalted(1));
  EXPECT_EQ(bench.Run(), "1x3");
}

TEST(Rule13Doorbells, OverfillIsMeasuredAgainstTheFetchedHead) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.Create(1, kH, 8).Submit(1, 7);  // full
  ASSERT_TRUE(bench.arbiter.Decide(1).has_value());
  EXPECT_EQ(bench.arbiter.sq(1).FreeCount(), 0u);  // granted is not fetched
  bench.arbiter.CommitFetch(1, 1);
  EXPECT_EQ(bench.Submit(1, 1), DoorbellResult::kAccepted);
  EXPECT_EQ(bench.Submit(1, 1), DoorbellResult::kInvalidValue);
  EXPECT_TRUE(bench.arbiter.IsHalted(1));
}

TEST(Rule13Doorbells, CqHeadBeyondTheRingTheSameOrPastThePostedEntriesIsRefused) {
  Bench bench(kRr, {0, 0, 0, 0});
  bench.arbiter.CreateCq(1, 4);
  bench.Create(1, kH, 8, 1).Submit(1, 3);
  EXPECT_EQ(bench.Run(), "1x3");
  bench.arbiter.Complete(1, 1, true);
  EXPECT_EQ(bench.arbiter.RingCqHead(1, 0), DoorbellResult::kInvalidValue);
  EXPECT_EQ(bench.arbiter.RingCqHead(1, 2), DoorbellResult::kInvalidValue);
  EXPECT_EQ(bench.arbiter.RingCqHead(1, 4), DoorbellResult::kInvalidValue);
  EXPECT_EQ(bench.arbiter.cq(1).room(), 0u);
  EXPECT_EQ(bench.arbiter.RingCqHead(1, 1), DoorbellResult::kAccepted);
  EXPECT_EQ(bench.arbiter.cq(1).room(), 1u);
}

TEST(Rule13Doorbells, QueuesOfTwoAndOf65536EntriesWrapRight) {
  Bench bench(kRr, {7, 0, 0, 0});
  bench.Create(1, kH, 2).Create(2, kH, 65536);
  for (const std::uint16_t tail : std::vector<std::uint16_t>{1, 0, 1, 0}) {
    EXPECT_EQ(bench.arbiter.RingSqTail(1, tail), DoorbellResult::kAccepted);
    EXPECT_EQ(bench.Run(), "1");
  }
  EXPECT_EQ(bench.arbiter.RingSqTail(2, 65535), DoorbellResult::kAccepted);
  EXPECT_EQ(bench.arbiter.sq(2).PresentCount(), 65535u);
}

TEST(Rule14Hold, HoldAllStopsEverythingAndHoldIoAllButSq0) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.Load({{0, kA, 2}, {1, kH, 2}});
  bench.arbiter.Hold(true, true);
  EXPECT_EQ(bench.Run(), "");
  bench.arbiter.Hold(true, false);
  EXPECT_EQ(bench.Run(), "0x2");
  bench.arbiter.Hold(false, false);
  EXPECT_EQ(bench.Run(), "1x2");
}

TEST(Rule14Hold, InRoundRobinSq0HasItsTurnAtOnce) {
  Bench bench(kRr, {2, 0, 0, 0});
  bench.Load({{1, kH, 8}, {2, kH, 4}, {0, kA, 1}});
  EXPECT_EQ(bench.Run(1), "1");
  bench.arbiter.Hold(true, false);
  EXPECT_EQ(bench.Run(), "0");
  bench.arbiter.Hold(false, false);
  EXPECT_EQ(bench.Run(), "2x4 1x7");  // the interrupted visit has ended
}

TEST(Reset, ForgetsQueuesSlotsAndHoldsAndFillsTheCredits) {
  Bench bench(kWrr, {0, 3, 1, 0});
  bench.Load({{1, kH, 8}});
  bench.Run(3);
  bench.arbiter.Hold(true, true);
  bench.arbiter.Reset(kWrr, {1, 5, 2, 0});
  EXPECT_FALSE(bench.arbiter.SqExists(1));
  EXPECT_FALSE(bench.arbiter.CqExists(0));
  EXPECT_EQ(bench.arbiter.slot_count(), 0u);
  EXPECT_EQ(bench.arbiter.credit(), (Credits{6, 3, 1}));
  bench.arbiter.CreateCq(0, 64);
  bench.arbiter.GiveSlots(8);
  bench.Load({{1, kH, 2}});
  EXPECT_EQ(bench.Run(), "1x2");
}

TEST(Shares, AreExactlyTheWeightsInEveryRound) {
  for (const auto& [h, m, l] : {std::array<int, 3>{64, 32, 8}, {255, 255, 255}, {0, 0, 0}}) {
    const ArbitrationSettings settings{3, static_cast<std::uint8_t>(h),
                                       static_cast<std::uint8_t>(m), static_cast<std::uint8_t>(l)};
    Bench bench(kWrr, settings);
    bench.Load({{1, kH, 4000}, {2, kM, 4000}, {3, kL, 4000}});
    const int round = h + m + l + 3;
    std::array<int, 4> served{};
    for (int i = 0; i < 5 * round; ++i) {
      const std::optional<Grant> grant = bench.arbiter.Decide(1);
      bench.arbiter.CommitFetch(grant->sqid, 1);
      ++served[grant->sqid];
    }
    EXPECT_EQ(served[1], 5 * (h + 1));
    EXPECT_EQ(served[2], 5 * (m + 1));
    EXPECT_EQ(served[3], 5 * (l + 1));
  }
}

}  // namespace
}  // namespace nvmearb::arbiter
