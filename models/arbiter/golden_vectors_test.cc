// SPDX-License-Identifier: Apache-2.0
//
// The worked examples of the arbitration rules, each decided command by command and with grants of
// up to eight commands.
#include <gtest/gtest.h>

#include "arbiter/arbiter_testing.h"

namespace nvmearb::arbiter {
namespace {

class GoldenVector : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::string Order(Mechanism mechanism, const ArbitrationSettings& settings,
                    const std::vector<Backlog>& backlogs, int grant_count = 1 << 30) {
    return Bench(mechanism, settings).Load(backlogs).Run(grant_count, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(GrantLimit, GoldenVector, testing::Values(1u, 2u, 8u));

TEST_P(GoldenVector, G1RoundRobinTakesOneEachAdminIncluded) {
  EXPECT_EQ(Order(kRr, {0, 0, 0, 0}, {{0, kA, 3}, {1, kU, 3}, {2, kL, 3}}), Times(3, "0 1 2"));
}

TEST_P(GoldenVector, G2RoundRobinBurstOfTwoEndsWhenAQueueEmpties) {
  EXPECT_EQ(Order(kRr, {1, 0, 0, 0}, {{1, kU, 5}, {2, kU, 1}, {3, kU, 3}}), "1x2 2 3x2 1x2 3 1");
}

TEST_P(GoldenVector, G3WeightsShareEachRound) {
  EXPECT_EQ(Order(kWrr, {7, 3, 1, 0}, {{1, kH, 12}, {2, kM, 6}, {3, kL, 3}}),
            Times(3, "1x4 2x2 3"));
}

TEST_P(GoldenVector, G4TwoQueuesOfOneLevelShareItsCredits) {
  EXPECT_EQ(Order(kWrr, {1, 3, 1, 0}, {{1, kH, 6}, {2, kH, 6}, {3, kM, 6}, {4, kL, 3}}),
            Times(3, "1x2 2x2 3x2 4"));
}

TEST_P(GoldenVector, G6LoneLowQueueReplenishesForEachCommand) {
  EXPECT_EQ(Order(kWrr, {7, 3, 1, 0}, {{3, kL, 5}}), "3x5");
}

TEST_P(GoldenVector, G7UrgentQueuesDrainBeforeHigh) {
  EXPECT_EQ(Order(kWrr, {1, 3, 1, 0}, {{1, kU, 4}, {2, kU, 3}, {3, kH, 2}}), "1x2 2x2 1x2 2 3x2");
}

TEST_P(GoldenVector, G9LevelIsRevisitedWithBurstOne) {
  EXPECT_EQ(Order(kWrr, {0, 3, 1, 0}, {{1, kH, 8}, {2, kM, 4}, {3, kL, 2}}), Times(2, "1x4 2x2 3"));
}

TEST_P(GoldenVector, G11NoLimitDrainsTheSnapshot) {
  EXPECT_EQ(Order(kRr, {7, 0, 0, 0}, {{1, kU, 20}, {2, kU, 2}}), "1x20 2x2");
}

TEST_P(GoldenVector, G13RoundRobinIgnoresPriorities) {
  EXPECT_EQ(Order(kRr, {2, 0, 0, 0}, {{0, kA, 6}, {1, kL, 6}, {2, kU, 6}}),
            "0x4 1x4 2x4 0x2 1x2 2x2");
}

TEST_P(GoldenVector, S2NoLimitDoesNotLockALevelOntoOneQueue) {
  // Two queues of one level, weight 1 (0's based 0), 40 rounds of one credit each.
  EXPECT_EQ(Order(kWrr, {7, 0, 0, 0}, {{1, kH, 100}, {2, kH, 100}}, 40), Times(20, "1 2"));
}

TEST_P(GoldenVector, ResidualBurstGivesTwoQueuesEqualShares) {
  // Weight 6, burst 4: without the residual the shares would be 4:2 for ever.
  EXPECT_EQ(Order(kWrr, {2, 5, 0, 0}, {{1, kH, 12}, {2, kH, 12}}), Times(3, "1x4 2x4"));
}

}  // namespace
}  // namespace nvmearb::arbiter
