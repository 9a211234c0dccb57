// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_axi_fetch on its own: rate and latency in clocks, page and ring ends, any latency and
// back-pressure, bus errors, resets. FetchBench checks every burst, commit and SQE.
#include <gtest/gtest.h>

#include "block/fetch_bench.h"
#include "block/fetch_builds.h"

namespace nvmearb::tb {
namespace {

template <typename Build>
class AxiFetch : public ::testing::Test {};
using Builds = ::testing::Types<Fetch64, Fetch128, Fetch256, Fetch512, Fetch512One>;
class BuildNames {
 public:
  template <typename Build>
  static std::string GetName(int) {
    return "W" + std::to_string(Build::kDataW) + "R" + std::to_string(Build::kMaxReads);
  }
};
TYPED_TEST_SUITE(AxiFetch, Builds, BuildNames);

/// Full rate takes more than one read at a time.
template <typename Build>
class AxiFetchRate : public ::testing::Test {};
using ManyReads = ::testing::Types<Fetch64, Fetch128, Fetch256, Fetch512>;
TYPED_TEST_SUITE(AxiFetchRate, ManyReads, BuildNames);

#define EXPECT_CLEAN(bench) EXPECT_TRUE((bench).findings().empty()) << (bench).findings().front()

/// SQ 0 to `count` - 1 of 50 and more entries, at odd places of a page.
template <typename Bench>
void CreateSome(Bench& bench, unsigned count) {
  for (unsigned sqid = 0; sqid < count; ++sqid) {
    bench.Create(sqid, 50 + sqid, (std::uint64_t{sqid} + 1) * 0x1'0000'0000 + 64 * (61 - sqid));
  }
}

// --- Clocks --------------------------------------------------------------------------------------

TYPED_TEST(AxiFetch, AnIdleEngineAsksAndAnswersInFixedClocks) {
  FetchBench<TypeParam> bench(1);
  CreateSome(bench, 1);
  for (int i = 0; i < 100; ++i) {
    bench.Decide(0, 1);
    ASSERT_TRUE(bench.Finish());
    EXPECT_EQ(bench.ar_clock() - bench.grant_clock(), TypeParam::kArClocks);
    EXPECT_EQ(bench.sqe_clock() - bench.beat_clock(), 1u);
  }
  EXPECT_CLEAN(bench);
}

/// Beats of read data in `clocks` clocks under full load.
template <typename Build>
std::uint64_t BeatsUnderLoad(FetchBench<Build>* bench, unsigned clocks) {
  bench->Allow(FetchBench<Build>::kForEver);
  bench->Run(1000);
  const std::uint64_t before = bench->beat_count();
  bench->Run(clocks);
  EXPECT_CLEAN(*bench);
  return bench->beat_count() - before;
}

TYPED_TEST(AxiFetchRate, DataBusIsNeverIdleWhileGrantsCome) {
  constexpr unsigned kClocks = 4000;
  // In clocks; what the header promises for single commands: (MaxReads - 2 * 8) SQEs on their way.
  const unsigned latency = (TypeParam::kMaxReads - 16) * FetchBench<TypeParam>::kBeatsPerSqe;
  for (const unsigned queues : {1u, 2u, 16u}) {
    for (const unsigned max_count : {1u, 3u, 8u}) {
      for (const unsigned clocks : {1u, latency}) {
        FetchBench<TypeParam> bench(2);
        CreateSome(bench, queues);
        bench.traffic.max_count = max_count;
        bench.traffic.latency_min = bench.traffic.latency_max = clocks;
        EXPECT_EQ(BeatsUnderLoad(&bench, kClocks), kClocks)
            << queues << " queues, grants of up to " << max_count << ", latency " << clocks;
      }
    }
  }
}

TYPED_TEST(AxiFetchRate, OneQueueKeepsItThroughASlowAddressChannel) {
  FetchBench<TypeParam> bench(2);
  bench.Create(1, 4096, 0x1'0000'0000);
  bench.traffic.ar_every = 4;  // what waits is joined
  bench.traffic.latency_min = bench.traffic.latency_max = 8;
  EXPECT_EQ(BeatsUnderLoad(&bench, 20'000), 20'000u);
}

TYPED_TEST(AxiFetch, OneReadAtATimeStillMoves) {
  FetchBench<TypeParam> bench(2);
  CreateSome(bench, 4);
  bench.traffic.latency_min = bench.traffic.latency_max = 3;
  // With one read outstanding: AR, three clocks, a beat, and two clocks to the next AR.
  EXPECT_GE(BeatsUnderLoad(&bench, 4000), 4000u / 7);
}

// --- Ends of pages and rings ---------------------------------------------------------------------

/// Every ring of 2..`kLargest` entries at every place of a page near its end, twice round, in
/// grants of `max_count`.
template <typename Build>
void GoRoundEveryRing(unsigned max_count, unsigned ar_percent) {
  constexpr std::uint32_t kLargest = 20;
  FetchBench<Build> bench(max_count);
  bench.traffic.max_count = max_count;
  bench.traffic.ar_percent = ar_percent;
  bench.traffic.core_lag = 1;
  std::uint64_t granted = 0;
  for (std::uint32_t size = 2; size <= kLargest; ++size) {
    for (unsigned place = 64 - kLargest; place <= 64; ++place) {
      bench.Create(1, size, 0xffff'f000 + 64 * place);  // carries into bit 32
      for (std::uint32_t done = 0; done < 2 * size;) {
        const std::uint32_t count = std::min(max_count, size - done % size);
        bench.Decide(1, count);
        done += count;
      }
      granted += 2 * size;
      ASSERT_TRUE(bench.Finish());
    }
  }
  EXPECT_EQ(bench.sqe_count(), granted);
  EXPECT_CLEAN(bench);
}

TYPED_TEST(AxiFetch, EveryPageEndAndRingEndIsKept) {
  for (const unsigned max_count : {1u, 2u, 5u, 8u}) GoRoundEveryRing<TypeParam>(max_count, 100);
}

TYPED_TEST(AxiFetch, EveryPageEndAndRingEndIsKeptWhereBurstsAreJoined) {
  for (const unsigned max_count : {1u, 3u, 8u}) GoRoundEveryRing<TypeParam>(max_count, 15);
}

TYPED_TEST(AxiFetch, JoinsUpToFourKibOr256Beats) {
  constexpr unsigned kLongest = std::min(64u, 256 / FetchBench<TypeParam>::kBeatsPerSqe);
  FetchBench<TypeParam> bench(3);
  bench.Create(2, 65536, 0x2'0000'0000 - 2 * 64);  // two go to the AR buffer at once
  bench.traffic.ar_percent = 0;
  for (unsigned i = 0; i < 400; ++i) bench.Decide(2, 1);
  bench.Run(500);  // held
  bench.traffic.ar_percent = 1;
  ASSERT_TRUE(bench.Finish());
  EXPECT_EQ(bench.sqe_count(), 400u);
  if (TypeParam::kMaxReads > 1) {
    EXPECT_EQ(bench.longest_burst(), kLongest);
  } else {
    EXPECT_GE(bench.longest_burst(), 8u);  // the core is held while a read is outstanding
  }
  EXPECT_CLEAN(bench);
}

TYPED_TEST(AxiFetch, LargestRingWrapsAtTheTopOfItsPointer) {
  FetchBench<TypeParam> bench(4);
  bench.Create(3, 65536, 0xfedc'ba98'ffff'e000);
  bench.traffic.max_count = 8;
  bench.traffic.stay_percent = 100;
  bench.Allow(2 * 65536 / 8);
  ASSERT_TRUE(bench.Finish(3'000'000));
  EXPECT_GT(bench.sqe_count(), 65536u);
  EXPECT_CLEAN(bench);
}

// --- Anything at any time ------------------------------------------------------------------------

TYPED_TEST(AxiFetch, KeepsEveryCommandUnderAnyBackPressureAndLatency) {
  std::uint64_t granted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    FetchBench<TypeParam> bench(seed);
    base::Random random(seed, 5);
    CreateSome(bench, static_cast<unsigned>(random.InRange(1, 16)));
    const auto percent = [&random] {
      return random.Below(3) == 0 ? 100u : static_cast<unsigned>(random.InRange(3, 100));
    };
    FetchTraffic& traffic = bench.traffic;
    traffic.grant_percent = percent();
    traffic.ar_percent = percent();
    traffic.r_percent = percent();
    traffic.stream_percent = percent();
    traffic.latency_max = static_cast<unsigned>(random.InRange(1, 120));
    traffic.latency_min = static_cast<unsigned>(random.InRange(1, traffic.latency_max));
    traffic.core_lag = static_cast<unsigned>(random.InRange(0, 8));
    traffic.max_count = static_cast<unsigned>(random.InRange(1, 8));
    traffic.stay_percent = static_cast<unsigned>(random.Below(100));
    bench.Allow(400);
    ASSERT_TRUE(bench.Finish()) << "seed " << seed;
    EXPECT_EQ(bench.grant_count(), 400u);
    EXPECT_EQ(bench.left_count(), 0u);
    ASSERT_TRUE(bench.findings().empty()) << bench.findings().front() << ", seed " << seed;
    granted += bench.sqe_count();
  }
  EXPECT_GT(granted, 60u * 400);
}

TYPED_TEST(AxiFetch, GrantsThatComeAfterHoldFindRoom) {
  FetchBench<TypeParam> bench(6);
  CreateSome(bench, 16);
  bench.traffic.ar_percent = 0;
  bench.traffic.core_lag = 6;  // and a clock each for both registers of hold: eight
  bench.Allow(FetchBench<TypeParam>::kForEver);
  for (int i = 0; i < 200; ++i) {
    bench.Step();
    ASSERT_TRUE(!bench.model().grant_valid_i || bench.model().grant_ready_o);
  }
  EXPECT_GE(bench.waiting_count(), 8u);
  EXPECT_LE(bench.waiting_count(), 16u + 5);  // GrantDepth, and what AR and the stages hold
  EXPECT_CLEAN(bench);
}

// --- Bus errors ----------------------------------------------------------------------------------

TYPED_TEST(AxiFetch, ABusErrorIsReportedOnceAndNothingFollows) {
  unsigned streamed_some = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FetchBench<TypeParam> bench(seed);
    base::Random random(seed, 6);
    CreateSome(bench, 4);
    bench.traffic.max_count = static_cast<unsigned>(random.InRange(1, 8));
    bench.traffic.ar_percent = static_cast<unsigned>(random.InRange(10, 100));
    bench.traffic.r_percent = static_cast<unsigned>(random.InRange(30, 100));
    bench.traffic.stream_percent = static_cast<unsigned>(random.InRange(20, 100));
    bench.traffic.latency_max = static_cast<unsigned>(random.InRange(1, 40));
    const auto slot = random.Below(30);
    const auto beat = random.Below(FetchBench<TypeParam>::kBeatsPerSqe);
    const std::uint64_t address =
        0x1'0000'0000 + 64 * 61 + 64 * slot + beat * (TypeParam::kDataW / 8);
    bench.Poison(address, seed % 2 == 0 ? 2 : 3);  // SLVERR, DECERR
    bench.Allow(150);
    for (int i = 0; i < 100'000 && bench.error_count() == 0; ++i) bench.Step();
    bench.Run(3000);
    EXPECT_EQ(bench.error_count(), 1u) << seed;
    EXPECT_EQ(bench.model().err_sqid_o, 0);
    EXPECT_EQ(bench.model().silent_o, 1);
    EXPECT_EQ(bench.model().idle_o, 0) << "what the core is owed stays";
    EXPECT_EQ(bench.model().quiescent_o, 1);
    streamed_some += bench.sqe_count() > 0;

    // A reset of the controller: all that is outstanding is settled with the core.
    bench.Allow(0);
    const std::size_t owed = bench.left_count();
    bench.SetDrain(true);
    ASSERT_TRUE(bench.Finish()) << seed;
    EXPECT_EQ(bench.settled_count(), bench.left_count()) << seed;
    EXPECT_GE(bench.settled_count(), owed);
    EXPECT_EQ(bench.error_count(), 1u);
    bench.SetDrain(false);
    bench.Clear();
    bench.ForgetPoison();
    const std::uint64_t before = bench.sqe_count();
    bench.Allow(100);
    ASSERT_TRUE(bench.Finish());
    EXPECT_GE(bench.sqe_count() - before, 100u);
    ASSERT_TRUE(bench.findings().empty()) << bench.findings().front() << ", seed " << seed;
  }
  EXPECT_GT(streamed_some, 20u);
}

TYPED_TEST(AxiFetch, ABusErrorInAJoinedBurstIsSettledInPieces) {
  FetchBench<TypeParam> bench(8);
  bench.Create(1, 256, 0x1'0000'0000);
  bench.traffic.ar_every = 60;
  for (unsigned i = 0; i < 5; ++i) bench.Decide(1, 8);
  bench.Poison(0x1'0000'0000 + 8 * 64, 2);  // the first slot behind the first grant
  for (int i = 0; i < 10'000 && bench.error_count() == 0; ++i) bench.Step();
  ASSERT_EQ(bench.error_count(), 1u);
  bench.traffic.ar_every = 1;
  bench.Run(500);
  bench.SetDrain(true);
  ASSERT_TRUE(bench.Finish());
  EXPECT_EQ(bench.settled_count(), bench.left_count());
  EXPECT_EQ(bench.settled_count(), 32u) << "more than the 8 that one commit can tell";
  if (TypeParam::kMaxReads > 1) {
    EXPECT_GT(bench.longest_burst(), 8u);
  }
  EXPECT_CLEAN(bench);
}

// --- Resets --------------------------------------------------------------------------------------

TYPED_TEST(AxiFetch, ResetAtEachClockDropsDataThatComesLate) {
  for (unsigned offset = 0; offset < 60; ++offset) {
    FetchBench<TypeParam> bench(offset);
    CreateSome(bench, 3);
    bench.traffic.max_count = 3;
    bench.traffic.latency_min = 1;
    bench.traffic.latency_max = 12;
    bench.traffic.r_percent = 70;
    bench.Allow(12);
    bench.Run(8 + offset);
    bench.Allow(0);
    bench.Reset(1 + offset % 3, /*late=*/true);
    const std::uint64_t before = bench.sqe_count();
    for (int i = 0; i < 2000 && bench.read_count() > 0; ++i) bench.Step();
    ASSERT_EQ(bench.read_count(), 0u);
    bench.Run(3);
    EXPECT_EQ(bench.sqe_count(), before) << "of before the reset, offset " << offset;
    EXPECT_EQ(bench.error_count(), 0u);
    CreateSome(bench, 3);
    bench.Allow(20);
    ASSERT_TRUE(bench.Finish());
    EXPECT_GE(bench.sqe_count() - before, 20u);
    ASSERT_TRUE(bench.findings().empty()) << bench.findings().front() << ", offset " << offset;
  }
}

// --- The bench itself ----------------------------------------------------------------------------

template <typename Tamper>
bool Finds(const Tamper& tamper, const std::string& what) {
  FetchBench<Fetch256> bench(9);
  CreateSome(bench, 2);
  bench.traffic.ar_percent = bench.traffic.stream_percent = 50;
  bench.tamper = tamper;
  bench.Allow(50);
  bench.Run(600);
  for (const std::string& finding : bench.findings()) {
    if (finding.find(what) != std::string::npos) return true;
  }
  return false;
}

TEST(FetchBenchItself, FindsNothingWhereNothingIs) {
  EXPECT_FALSE(Finds([](AxiPins*) {}, ""));
}
TEST(FetchBenchItself, FindsBurstsOfTheWrongSlots) {
  EXPECT_TRUE(Finds([](AxiPins* pins) { pins->m_araddr += 64; }, "not the next slots granted"));
}
TEST(FetchBenchItself, FindsBurstsOfMoreThanWasGranted) {
  EXPECT_TRUE(Finds([](AxiPins* pins) { pins->m_arlen += 2; }, "AR "));
}
TEST(FetchBenchItself, FindsSqesThatAreShownAgain) {
  // The bench sees a transfer where the sink was not ready.
  EXPECT_TRUE(Finds([](AxiPins* pins) { pins->stream.ready = true; }, "SQE"));
}
TEST(FetchBenchItself, FindsWrongAddressesBehindTheBenchsBack) {
  FetchBench<Fetch256> bench(9);
  bench.Create(1, 50, 0x1000);
  bench.model().base_valid_i = 1;  // another base than the bench knows
  bench.model().base_i = 0x2000;
  bench.Step();
  bench.model().base_valid_i = 0;
  bench.Decide(1, 4);
  bench.Run(100);
  EXPECT_FALSE(bench.findings().empty());
}

}  // namespace
}  // namespace nvmearb::tb
