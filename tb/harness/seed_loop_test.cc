// SPDX-License-Identifier: Apache-2.0
#include "harness/seed_loop.h"

#include <gtest/gtest.h>

namespace nvmearb::tb {
namespace {

struct Campaign {
  std::uint64_t last = 0;  ///< over after this seed
  std::uint64_t bad = 0;   ///< this one has a finding
  std::uint64_t seen = 0;
  std::uint64_t written = 0;
  std::string report = "none";

  [[nodiscard]] bool IsOver() const { return seen == last; }
  std::string RunSeed(std::uint64_t seed) {
    seen = seed;
    return seed == bad ? "lost" : "";
  }
  void Print(std::uint64_t) const {}
  void Write(std::uint64_t next_seed, const std::string& finding) {
    written = next_seed;
    report = finding;
  }
  [[nodiscard]] static std::string Passed(std::uint64_t) { return "passed"; }
};

TEST(SeedLoop, EndsWhenTheCampaignIsOver) {
  Campaign campaign{9};
  EXPECT_EQ(RunSeeds(campaign, 4, std::chrono::seconds(10)), 0);
  EXPECT_EQ(campaign.seen, 9u);
  EXPECT_EQ(campaign.written, 10u);
  EXPECT_EQ(campaign.report, "");
}

TEST(SeedLoop, EndsAtTheFirstFindingWithItsSeed) {
  Campaign campaign{9, 6};
  EXPECT_EQ(RunSeeds(campaign, 4, std::chrono::seconds(10)), 1);
  EXPECT_EQ(campaign.seen, 6u);
  EXPECT_EQ(campaign.written, 6u);
  EXPECT_EQ(campaign.report, "lost");
}

TEST(SeedLoop, EndsAfterTheSeedInWhichASignalComes) {
  struct Interrupted : Campaign {
    std::string RunSeed(std::uint64_t seed) {
      if (seed == 5) raise(SIGTERM);
      return Campaign::RunSeed(seed);
    }
  } campaign;
  campaign.last = 9;
  EXPECT_EQ(RunSeeds(campaign, 4, std::chrono::seconds(10)), 130);
  EXPECT_EQ(campaign.written, 6u);
  seed_loop::interrupted = 0;
}

}  // namespace
}  // namespace nvmearb::tb
