// SPDX-License-Identifier: Apache-2.0
//
// The host soak's first seeds, and that its checks see what they are for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "random_setup.h"
#include "soak_run.h"

namespace nvmearb::system {
namespace {

SoakCounts RunSeeds(sim::Engine engine, std::uint64_t first, std::uint64_t last,
                    std::uint64_t ios) {
  SoakCounts counts;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const SoakResult result = RunSetup(MakeRandomSetup(seed, ios), engine);
    EXPECT_EQ(result.finding, "") << "repeat: host_soak --setup-ios " << ios << " --ios 1 --seed "
                                  << seed;
    counts += result.counts;
    if (::testing::Test::HasFailure()) break;
  }
  return counts;
}

TEST(HostSoak, FindsNothingInTheFirstSeedsOnTheModel) {
  const SoakCounts counts = RunSeeds(sim::Engine::kModel, 1, 40, 3000);
  fmt::print("{} I/Os, {} faults, {} resets, {} timeouts, {} aborts, {} failovers\n", counts.bios,
             counts.faults, counts.resets, counts.timeouts, counts.aborts, counts.failovers);
  // The runs went where they are meant to go.
  EXPECT_GE(counts.bios, 40u * 3000u);
  EXPECT_GT(counts.faults, 80u);
  EXPECT_GT(counts.resets, 20u);
  EXPECT_GT(counts.timeouts, 20u);
  EXPECT_GT(counts.aborts, 5u);
  EXPECT_GT(counts.failovers, 50u);
  EXPECT_GT(counts.tag_waits, 1000u);
  EXPECT_GT(counts.merges, 1000u);
  EXPECT_GT(counts.lost_messages, 10u);
}

TEST(HostSoak, FindsNothingInTheFirstSeedsOnTheRtl) {
  const SoakCounts counts = RunSeeds(sim::Engine::kRtl, 1, 6, 1000);
  EXPECT_GE(counts.judged_grants, 5000u);
}

TEST(HostSoak, IsTheSameForTheSameSeed) {
  const RandomSetup setup = MakeRandomSetup(3, 2000);
  const SoakResult first = RunSetup(setup, sim::Engine::kModel);
  const SoakResult again = RunSetup(MakeRandomSetup(3, 2000), sim::Engine::kModel);
  EXPECT_EQ(first.counts.judged_grants, again.counts.judged_grants);
  EXPECT_EQ(first.counts.tag_waits, again.counts.tag_waits);
  EXPECT_NE(Describe(setup), Describe(MakeRandomSetup(4, 2000)));
}

/// The first seed whose machine has what `wanted` looks for.
template <typename Wanted>
RandomSetup SetupWith(Wanted wanted) {
  for (std::uint64_t seed = 1;; ++seed) {
    RandomSetup setup = MakeRandomSetup(seed, 1000);
    if (!setup.may_fail && wanted(setup.parameters)) return setup;
  }
}

std::string FindingOf(const RandomSetup& setup, Sabotage sabotage) {
  return RunSetup(setup, sim::Engine::kModel, sabotage).finding;
}

TEST(HostSoak, ItsChecksSeeWhatTheyAreFor) {
  const auto any = [](const sim::Parameters&) { return true; };
  const auto scheduled = [](const sim::Parameters& p) { return p.nvme.scheduler != "none"; };
  const auto paths = [](const sim::Parameters& p) { return !p.paths.empty(); };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const RandomSetup setup = SetupWith(any);
  EXPECT_EQ(FindingOf(setup, Sabotage::kNone), "");
  EXPECT_PRED2(has, FindingOf(setup, Sabotage::kLoseBio), "1 bios never ended");
  EXPECT_PRED2(has, FindingOf(setup, Sabotage::kDoubleBio), "ended twice");
  EXPECT_PRED2(has, FindingOf(setup, Sabotage::kFailBio), "ended with status 0x281");
  EXPECT_PRED2(has, FindingOf(setup, Sabotage::kTurnBackTime), "time went back");
  EXPECT_PRED2(has, FindingOf(setup, Sabotage::kLeakTag), "1 tags of hctx 0");
  EXPECT_PRED2(has, FindingOf(SetupWith(scheduled), Sabotage::kLeakDriverTag),
               "1 driver tags of hctx 0");
  EXPECT_PRED2(has, FindingOf(SetupWith(paths), Sabotage::kLeakActive),
               "1 requests that count as active");
}

}  // namespace
}  // namespace nvmearb::system
