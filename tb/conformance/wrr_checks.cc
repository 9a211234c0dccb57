// SPDX-License-Identifier: Apache-2.0
//
// W-01 to W-17: the order of service under weighted round robin with urgent class.
#include <string>
#include <vector>

#include "conformance/check.h"
#include "conformance/order.h"
#include "conformance/traffic.h"

namespace nvmearb::conformance {
namespace {

using nvme::Status;

/// Reads of the SQs `ids` within [begin, end).
unsigned Count(const std::vector<SqeRead>& reads, std::size_t begin, std::size_t end,
               const std::vector<std::uint16_t>& ids) {
  unsigned count = 0;
  for (std::size_t i = begin; i < end && i < reads.size(); ++i) {
    for (const std::uint16_t id : ids) count += reads[i].sqid == id ? 1 : 0;
  }
  return count;
}

CONFORMANCE_CHECK(W, 01, GoldenOrders, kWeightsSwapped) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent, kHigh}));
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    EXPECT_EQ(OrderOf(host, {{1, 12}, {2, 6}, {3, 3}}, 4), Repeat("1x4 2x2 3", 3)) << "G3";
    ASSERT_TRUE(host.SetArbitration(1, 4, 2, 1));
    EXPECT_EQ(OrderOf(host, {{1, 6}, {5, 6}, {2, 6}, {3, 3}}, 4), Repeat("1x2 5x2 2x2 3", 3))
        << "G4";
    ASSERT_TRUE(host.SetArbitration(0, 4, 2, 1));
    EXPECT_EQ(OrderOf(host, {{1, 8}, {2, 4}, {3, 2}}, 4), Repeat("1x4 2x2 3", 2)) << "G9";
  }
}

CONFORMANCE_CHECK(W, 02, EveryRoundHasExactlyTheWeights, kWeightsSwapped) {
  FOR_BUILDS(16, 1024) {
    base::Random random(build.sq_count, 2);
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kHigh, kMedium, kLow, kUrgent}));
    constexpr unsigned kRounds = 4;
    for (unsigned trial = 0; trial < (IsFullRun() ? 40u : 6u); ++trial) {
      unsigned weight[3];
      for (unsigned& w : weight) w = static_cast<unsigned>(random.InRange(1, 14));
      if (weight[0] == weight[2]) ++weight[0];
      ASSERT_TRUE(host.SetArbitration(static_cast<std::uint8_t>(random.Below(8)), weight[0],
                                      weight[1], weight[2]));
      FillDevice(host, 7);
      // Enough for all rounds, whichever of the two SQs of a level serves them.
      for (std::uint16_t id = 1; id <= 6; ++id) {
        host.Submit(id, weight[(id - 1) % 3] * (kRounds + 1));
      }
      ASSERT_TRUE(host.RunUntilDone());
      const std::vector<SqeRead> reads = host.ReadsSinceMark();
      const std::size_t sum = weight[0] + weight[1] + weight[2];
      for (std::size_t round = 0; round < kRounds; ++round) {
        const std::size_t begin = round * sum, end = begin + sum;
        ASSERT_EQ(Count(reads, begin, end, {1, 4}), weight[0]) << "round " << round;
        ASSERT_EQ(Count(reads, begin, end, {2, 5}), weight[1]) << "round " << round;
        ASSERT_EQ(Count(reads, begin, end, {3, 6}), weight[2]) << "round " << round;
      }
    }
  }
}

CONFORMANCE_CHECK(W, 03, LargestAndSmallestWeights, kClassesSwapped) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent}, 1024));
  for (const std::uint8_t ab : {std::uint8_t{0}, std::uint8_t{7}}) {
    ASSERT_TRUE(host.SetArbitration(ab, 256, 256, 256));
    EXPECT_EQ(OrderOf(host, {{1, 512}, {2, 512}, {3, 512}}, 4), Repeat("1x256 2x256 3x256", 2));
    ASSERT_TRUE(host.SetArbitration(ab, 1, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 9}, {2, 9}, {3, 9}}, 4), Repeat("1 2 3", 9));
  }
}

/// Rings SQ `strict` at each clock offset behind a read of a busy weighted SQ; at most one command
/// of another SQ, which was decided already, may be read before it.
void ExpectNextBoundaryIs(Host& host, std::uint16_t strict) {
  const std::vector<std::uint16_t> weighted = {1, 2, 3};
  for (unsigned offset = 0; offset < 64; ++offset) {
    for (const std::uint16_t id : weighted) host.Submit(id, host.FreeSlots(id));
    const std::size_t begin = host.reads().size() + 4;
    ASSERT_TRUE(host.RunUntil([&] { return host.reads().size() >= begin; }, 20 * kUs, kClockPs));
    host.RunClocks(offset);
    host.Mark();
    host.Submit(strict, 1);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(strict) == 1; }, 50 * kUs, kClockPs));
    ASSERT_LE(host.ReadsSinceMark().size(), 2u) << offset << " clocks: " << host.Order();
  }
}

CONFORMANCE_CHECK(W, 04, AdminIsServedAtTheNextCommandBoundary, kAlwaysRoundRobin) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    ASSERT_TRUE(bench.host.Enable(kWeighted));
    ASSERT_TRUE(bench.host.CreatePairs({kHigh, kMedium, kLow, kUrgent}, 64));
    ASSERT_TRUE(bench.host.SetArbitration(3, 16, 16, 16));
    ASSERT_NO_FATAL_FAILURE(ExpectNextBoundaryIs(bench.host, 0));
    ASSERT_NO_FATAL_FAILURE(ExpectNextBoundaryIs(bench.host, 4));
    EXPECT_TRUE(bench.host.RunUntilDone());
  }
}

CONFORMANCE_CHECK(W, 05, UrgentStarvesWeighted, kAlwaysRoundRobin) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kUrgent, kHigh, kMedium, kLow}));
    ASSERT_TRUE(host.SetArbitration(1, 256, 256, 256));
    EXPECT_EQ(OrderOf(host, {{2, 10}, {3, 10}, {4, 10}, {1, 100}}, 1), "1x100 2x10 3x10 4x10");
  }
}

CONFORMANCE_CHECK(W, 06, UrgentSqsTakeTurnsAndUseNoCredits, kBurstOfOne) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent, kHigh, kMedium}));
    ASSERT_TRUE(host.SetArbitration(1, 2, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 4}, {2, 3}, {3, 4}, {4, 2}}, 1), "1x2 2x2 1x2 2 3x2 4 3x2 4")
        << "G7, then whole rounds";
  }
}

CONFORMANCE_CHECK(W, 07, EmptyLevelsGiveWayAndLateArrivalsFindTheirCredits, kWeightsSwapped) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    EXPECT_EQ(OrderOf(host, {{3, 5}}, 4), "3x5") << "G6";
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    FillDevice(host, 4);
    host.Submit(1, 6, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 2; }));
    host.Submit(3, 3, Work::kSlow);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x4 3 1x2 3x2") << "Low has its credit of the round under way";
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    FillDevice(host, 4);
    host.Submit(2, 6, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(2) == 1; }));
    host.Submit(1, 6, Work::kSlow);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "2x2 1x6 2x4") << "High waits for the visit, then has all four";
  }
}

CONFORMANCE_CHECK(W, 08, SqsOfALevelShareItFairly, kBurstOfOne) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kMedium, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(7, 1, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 20}, {2, 20}}, 4), Repeat("1 2", 20)) << "S2";
    ASSERT_TRUE(host.SetArbitration(2, 6, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 12}, {2, 12}}, 4), Repeat("1x4 2x4", 3));
    ASSERT_TRUE(host.SetArbitration(2, 6, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 12}, {2, 12}, {3, 4}}, 4),
              "1x4 2x2 3 2x2 1x4 3 2x4 1x2 3 1x2 2x4 3")
        << "the rest of a burst is kept";
    ASSERT_TRUE(host.SetArbitration(7, 3, 1, 1));
    EXPECT_EQ(OrderOf(host, {{1, 6}, {2, 6}, {3, 4}}, 4), Repeat("1x3 3 2x3 3", 2));
  }
}

CONFORMANCE_CHECK(W, 09, VisitIsNoLongerThanTheWeight, kBurstOfOne) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kMedium, kUrgent}));
  for (const std::uint8_t ab :
       {std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{6}, std::uint8_t{7}}) {
    ASSERT_TRUE(host.SetArbitration(ab, 3, 2, 1));
    EXPECT_EQ(OrderOf(host, {{1, 9}, {2, 9}}, 4), Repeat("1x3 2x3", 3)) << "AB " << int{ab};
    ASSERT_TRUE(host.SetArbitration(ab, 3, 2, 1));
    EXPECT_EQ(OrderOf(host, {{1, 6}, {2, 6}, {3, 8}}, 4), Repeat("1x3 3x2 2x3 3x2", 2));
  }
}

CONFORMANCE_CHECK(W, 10, LoneSqOfALevelGetsAllOfItsWeight, kWeightsSwapped) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent}));
  for (const std::uint8_t ab : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
    ASSERT_TRUE(host.SetArbitration(ab, 9, 6, 5));
    EXPECT_EQ(OrderOf(host, {{1, 27}, {2, 18}, {3, 15}}, 4), Repeat("1x9 2x6 3x5", 3));
  }
}

CONFORMANCE_CHECK(W, 11, PreemptedVisitGoesOnWhereItWas, kBurstOfOne) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kMedium, kUrgent}));
    for (unsigned at = 1; at <= 3; ++at) {
      ASSERT_TRUE(host.SetArbitration(2, 8, 1, 1));
      FillDevice(host, 4);
      host.Submit(1, 8, Work::kSlow);
      host.Submit(2, 8, Work::kSlow);
      host.Submit(3, 2, Work::kSlow);
      ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == at; }));
      host.Submit(0, 1);
      host.Submit(4, 2, Work::kSlow);
      ASSERT_TRUE(host.RunUntilDone());
      const auto run = [](unsigned n) { return n == 1 ? "1" : "1x" + std::to_string(n); };
      EXPECT_EQ(host.Order(), run(at) + " 0 4x2 " + run(4 - at) + " 2x4 3 1x4 2x4 3");
    }
  }
}

CONFORMANCE_CHECK(W, 12, LevelWhoseCqIsFullCountsAsEmpty, kCqHeadLost) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_EQ(host.CreateCq(1, 2), Status::kSuccess);
    ASSERT_EQ(host.CreateSq(1, {64, kHigh, 0}), Status::kSuccess);
    ASSERT_TRUE(host.CreatePair(2, kMedium));
    ASSERT_TRUE(host.CreatePair(3, kLow));
    ASSERT_TRUE(host.CreatePair(4, kUrgent));
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    host.cq(1).gives_back = false;
    FillDevice(host, 4);
    host.Submit(1, 4);
    host.Submit(2, 6);
    host.Submit(3, 3);
    host.Run(100 * kUs);
    EXPECT_EQ(host.Order(), "1 2x2 3 2x2 3 2x2 3");
    host.Mark();
    host.cq(1).gives_back = true;
    host.GiveBack(1);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x3");
  }
}

CONFORMANCE_CHECK(W, 13, OthersAreNotMovedByQueuesThatComeAndGo, kDeletionIgnored) {
  const unsigned last = CurrentFault() == Fault::kNone ? 20 : 0;
  for (unsigned at = 0; at <= last; ++at) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kMedium, kLow, kUrgent}));
    ASSERT_EQ(host.CreateCq(6), Status::kSuccess);
    ASSERT_TRUE(host.SetArbitration(1, 4, 2, 1));
    FillDevice(host, 5);
    host.Submit(1, 6, Work::kSlow);
    host.Submit(2, 6, Work::kSlow);
    host.Submit(3, 6, Work::kSlow);
    host.Submit(4, 3, Work::kSlow);
    host.RunUntil([&] { return host.ReadsSinceMark().size() - host.ReadCount(0) >= at; });
    // Within the time of one command: created, given work, deleted before its turn.
    ASSERT_EQ(host.CreateSq(6, {16, static_cast<std::uint8_t>(1 + at % 3), 0}), Status::kSuccess);
    host.Submit(6, 3);
    ASSERT_EQ(host.DeleteSq(6), Status::kSuccess);
    ASSERT_TRUE(host.RunUntilDone());
    ASSERT_EQ(host.IoOrder(), Repeat("1x2 2x2 3x2 4", 3)) << "after " << at << " commands";
  }
}

CONFORMANCE_CHECK(W, 14, OneLevelAloneIsRoundRobin, kBurstDoubled) {
  for (const std::uint8_t qprio : {kHigh, kMedium, kLow}) {
    for (const unsigned weight : {2u, 3u, 4u, 7u}) {
      Bench bench(BuildOf(16));
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(kWeighted));
      ASSERT_TRUE(host.CreatePairs({qprio, qprio, qprio, kUrgent}));
      ASSERT_TRUE(host.SetArbitration(1, weight, weight, weight));
      EXPECT_EQ(OrderOf(host, {{1, 6}, {2, 6}, {3, 6}}, 4), Repeat("1x2 2x2 3x2", 3));
    }
  }
}

CONFORMANCE_CHECK(W, 15, ControllerWithoutWeightedRunsRoundRobin, kAlwaysRoundRobin) {
  // The fault shows in the counterpart: where it is offered, it runs.
  for (const bool offers_wrr : {false, true}) {
    DeviceOptions options;
    options.offers_wrr = offers_wrr;
    Bench bench(BuildOf(16), options);
    Host& host = bench.host;
    EXPECT_EQ(nvme::Cap::Decode(host.Read64(nvme::kRegCap)).ams & 1, offers_wrr ? 1 : 0);
    ASSERT_TRUE(host.Enable(kWeighted));
    EXPECT_FALSE(host.Csts().cfs);
    EXPECT_EQ(nvme::Cc::Decode(host.Read32(nvme::kRegCc)).ams, kWeighted) << "stays readable";
    ASSERT_TRUE(host.CreatePairs({kLow, kHigh, kUrgent}));
    EXPECT_EQ(OrderOf(host, {{1, 3}, {2, 3}}, 3), offers_wrr ? "2 1 2 1 2 1" : "1 2 1 2 1 2");
  }
}

CONFORMANCE_CHECK(W, 16, FirstRoundAfterAResetIsWhole, kSettingsStale) {
  for (unsigned at = 1; at <= 8; ++at) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    for (unsigned life = 0; life < 2; ++life) {
      ASSERT_TRUE(host.Enable(kWeighted));
      ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kMedium, kLow, kUrgent}));
      ASSERT_TRUE(host.SetArbitration(1, 4, 2, 1));
      FillDevice(host, 5);
      host.Submit(1, 6, Work::kSlow);
      host.Submit(2, 6, Work::kSlow);
      host.Submit(3, 6, Work::kSlow);
      host.Submit(4, 3, Work::kSlow);
      if (life == 0) {
        ASSERT_TRUE(host.RunUntil([&] { return host.ReadsSinceMark().size() == at; }));
        ASSERT_TRUE(host.Disable());
      } else {
        ASSERT_TRUE(host.RunUntilDone());
        ASSERT_EQ(host.Order(), Repeat("1x2 2x2 3x2 4", 3)) << "reset after " << at;
      }
    }
  }
}

CONFORMANCE_CHECK(W, 17, NoRuleIsBrokenUnderRandomTraffic, kGrantMisreported) {
  // What is demanded here is found by the judge and by the assertions of the RTL, at the end of
  // the bench: grants to eligible SQs only, credits and bursts kept, idle only without work.
  FOR_BUILDS(2, 1024) {
    for (std::uint64_t seed = 1; seed <= (IsFullRun() ? 20u : 3u); ++seed) {
      base::Random random(seed, build.sq_count);
      DeviceOptions options;
      options.window = static_cast<unsigned>(random.InRange(1, 32));
      options.read_latency_clocks = static_cast<unsigned>(random.InRange(1, 40));
      options.stall_percent = static_cast<unsigned>(random.Below(60));
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(kWeighted));
      const auto sq_count = static_cast<std::uint16_t>(std::min(build.sq_count - 1, 30u));
      ASSERT_TRUE(CreateRandomPairs(host, sq_count, random));
      for (unsigned part = 0; part < 4; ++part) {
        const auto weight = [&] { return static_cast<unsigned>(random.InRange(1, 9)); };
        ASSERT_TRUE(host.SetArbitration(static_cast<std::uint8_t>(random.Below(8)), weight(),
                                        weight(), weight()));
        ASSERT_TRUE(RunTraffic(host, sq_count, 800, random, 0, [](std::uint16_t) {}));
      }
    }
  }
}

}  // namespace
}  // namespace nvmearb::conformance
