// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/cpu_map.h"

#include <gtest/gtest.h>

#include <set>

namespace nvmearb::host {
namespace {

using Cpus = std::vector<std::uint16_t>;

TEST(SpreadVectors, TwentyFourOverTwoSocketsTakesCoresWithTheirSiblings) {
  const auto spread = SpreadVectors(CpuTopology::Xeon8160x2(), 24);
  // 48 CPUs and 12 vectors a node: 4 CPUs each, lowest first, its sibling next.
  EXPECT_EQ(spread[0], (Cpus{0, 48, 1, 49}));
  EXPECT_EQ(spread[11], (Cpus{22, 70, 23, 71}));
  EXPECT_EQ(spread[12], (Cpus{24, 72, 25, 73}));
  EXPECT_EQ(spread[23], (Cpus{46, 94, 47, 95}));
}

TEST(SpreadVectors, OneVectorPerCpuGivesEachCpuItsOwn) {
  const auto spread = SpreadVectors(CpuTopology::Xeon8160x2(), 96);
  EXPECT_EQ(spread[0], (Cpus{0}));
  EXPECT_EQ(spread[1], (Cpus{1}));  // siblings come first only within one vector
  EXPECT_EQ(spread[24], (Cpus{48}));
  EXPECT_EQ(spread[48], (Cpus{24}));
  EXPECT_EQ(spread[95], (Cpus{95}));
}

TEST(SpreadVectors, RemainderGoesToTheFirstVectorsOfANode) {
  // 1 node of 8 CPUs, 3 vectors: 3 + 3 + 2.
  const auto spread = SpreadVectors(CpuTopology(1, 4, 2), 3);
  EXPECT_EQ(spread[0], (Cpus{0, 4, 1}));
  EXPECT_EQ(spread[1], (Cpus{2, 6, 3}));  // CPU 5 was left; 2 is lower
  EXPECT_EQ(spread[2], (Cpus{5, 7}));
}

TEST(SpreadVectors, UnevenVectorsOverNodesFollowTheRunningShare) {
  // 5 vectors over 2 x 48 CPUs: the first node gets 5*48/96 = 2, the second the remaining 3.
  const auto spread = SpreadVectors(CpuTopology::Xeon8160x2(), 5);
  EXPECT_EQ(spread[0].size(), 24u);
  EXPECT_EQ(spread[1].size(), 24u);
  EXPECT_EQ(spread[2].size(), 16u);
  EXPECT_EQ(spread[4].size(), 16u);
  EXPECT_EQ(spread[2].front(), 24);
}

TEST(SpreadVectors, NoMoreVectorsThanNodesGivesWholeNodes) {
  const CpuTopology cpus(4, 2, 1);
  const auto two = SpreadVectors(cpus, 2);
  EXPECT_EQ(two[0], (Cpus{0, 1, 4, 5}));  // nodes 0 and 2
  EXPECT_EQ(two[1], (Cpus{2, 3, 6, 7}));
  EXPECT_EQ(SpreadVectors(cpus, 1)[0].size(), 8u);
}

TEST(SpreadVectors, MoreVectorsThanCpusLeavesTheLastEmpty) {
  const auto spread = SpreadVectors(CpuTopology(1, 2, 1), 5);
  EXPECT_EQ(spread[0], (Cpus{0}));
  EXPECT_EQ(spread[1], (Cpus{1}));
  EXPECT_TRUE(spread[2].empty());
  EXPECT_TRUE(spread[4].empty());
}

TEST(SpreadVectors, EveryCpuIsInExactlyOneVectorForAllShapes) {
  for (unsigned sockets : {1u, 2u, 3u, 4u}) {
    for (unsigned cores : {1u, 3u, 8u}) {
      for (unsigned threads : {1u, 2u}) {
        const CpuTopology cpus(sockets, cores, threads);
        for (unsigned vectors = 1; vectors <= cpus.cpu_count() + 2; ++vectors) {
          std::multiset<std::uint16_t> seen;
          for (const auto& vector : SpreadVectors(cpus, vectors)) {
            seen.insert(vector.begin(), vector.end());
          }
          ASSERT_EQ(seen.size(), cpus.cpu_count()) << cpus.ToString() << " / " << vectors;
          for (unsigned cpu = 0; cpu < cpus.cpu_count(); ++cpu) {
            ASSERT_EQ(seen.count(static_cast<std::uint16_t>(cpu)), 1u);
          }
        }
      }
    }
  }
}

TEST(MapPlainly, OneCpuPerQueueThenSiblingsJoinTheirCore) {
  // 1x4x2: CPUs 4..7 are the siblings of 0..3. Three queues.
  EXPECT_EQ(MapPlainly(CpuTopology(1, 4, 2), 3), (Cpus{0, 1, 2, 0, 0, 1, 2, 0}));
}

TEST(MapPlainly, OneQueueServesAll) {
  EXPECT_EQ(MapPlainly(CpuTopology(2, 2, 1), 1), (Cpus{0, 0, 0, 0}));
}

}  // namespace
}  // namespace nvmearb::host
