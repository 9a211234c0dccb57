// SPDX-License-Identifier: Apache-2.0
//
// Distributions against their definitions.
#include "host_driver/workload/random_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace nvmearb::host {
namespace {

constexpr int kDraws = 200'000;

/// How often each of `count` blocks is drawn.
std::vector<int> Counts(const DistributionSpec& spec, std::uint64_t count) {
  const RandomDistribution distribution(spec, count, 4096, 77);
  base::Random random(1, 2);
  std::vector<int> counts(count, 0);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t block = distribution.Next(&random);
    EXPECT_LT(block, count);
    if (block < count) ++counts[block];
  }
  return counts;
}

DistributionSpec Curve(DistributionKind kind, double parameter, double center = -1) {
  DistributionSpec spec;
  spec.kind = kind;
  spec.parameter = parameter;
  spec.center = center;
  return spec;
}

TEST(Zipf, FrequenciesFallWithTheRank) {
  for (const double theta : {0.8, 1.2}) {
    std::vector<int> counts = Counts(Curve(DistributionKind::kZipf, theta, 0), 1000);
    double zeta = 0;
    for (int i = 1; i <= 1000; ++i) zeta += std::pow(i, -theta);
    // Rank 1 and 2 are exact in the approximation, the sum of the first hundred is close.
    EXPECT_NEAR(counts[0], kDraws / zeta, 0.03 * kDraws / zeta) << theta;
    EXPECT_NEAR(counts[1], kDraws * std::pow(2, -theta) / zeta, 0.05 * kDraws / zeta) << theta;
    double expected = 0;
    for (int i = 1; i <= 100; ++i) expected += std::pow(i, -theta) / zeta;
    EXPECT_NEAR(std::accumulate(counts.begin(), counts.begin() + 100, 0.0) / kDraws, expected, 0.03)
        << theta;
  }
}

TEST(Zipf, OrdersTenMillionTermsRight) {
  // The sum behind the first terms is integrated: compare with adding them up.
  const std::uint64_t count = 1'000'000;
  double zeta = 0;
  for (std::uint64_t i = 1; i <= count; ++i) zeta += std::pow(static_cast<double>(i), -0.9);
  const RandomDistribution distribution(Curve(DistributionKind::kZipf, 0.9, 0), count, 4096, 1);
  base::Random random(3, 4);
  int first = 0;
  for (int i = 0; i < kDraws; ++i) first += distribution.Next(&random) == 0 ? 1 : 0;
  EXPECT_NEAR(first, kDraws / zeta, 4 * std::sqrt(kDraws / zeta));
}

TEST(Zipf, IsScatteredUnlessACenterIsGiven) {
  const std::vector<int> scattered = Counts(Curve(DistributionKind::kZipf, 1.2), 1000);
  std::vector<std::size_t> order(1000);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + 3, order.end(),
                    [&](auto a, auto b) { return scattered[a] > scattered[b]; });
  const auto gap = [&](int i) {
    const auto a = static_cast<double>(order[static_cast<std::size_t>(i)]);
    const auto b = static_cast<double>(order[static_cast<std::size_t>(i) + 1]);
    return std::abs(a - b);
  };
  EXPECT_GT(gap(0), 100);
  EXPECT_GT(gap(1), 100);
  const std::vector<int> centered = Counts(Curve(DistributionKind::kZipf, 1.2, 0.25), 1000);
  EXPECT_EQ(std::max_element(centered.begin(), centered.end()) - centered.begin(), 250);
}

TEST(Pareto, HOfTheBlocksTakeTheRest) {
  // h = 0.2: the first fifth of the ranks takes four fifths of the I/Os, a fifth of that fifth four
  // fifths of these.
  const std::vector<int> counts = Counts(Curve(DistributionKind::kPareto, 0.2, 0), 1000);
  const auto share = [&](int ranks) {
    return std::accumulate(counts.begin(), counts.begin() + ranks, 0.0) / kDraws;
  };
  EXPECT_NEAR(share(200), 0.80, 0.01);
  EXPECT_NEAR(share(40), 0.64, 0.01);
}

TEST(Normal, DeviationIsInPercentOfTheRegion) {
  const std::vector<int> counts = Counts(Curve(DistributionKind::kNormal, 10), 1000);
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    mean += static_cast<double>(i) * counts[i] / kDraws;
    square += static_cast<double>(i * i) * counts[i] / kDraws;
  }
  EXPECT_NEAR(mean, 500, 2);
  EXPECT_NEAR(std::sqrt(square - mean * mean), 100, 2);
}

TEST(Zoned, SharesAndSizes) {
  DistributionSpec spec;
  spec.kind = DistributionKind::kZoned;
  spec.zones = {{60, 10, 0}, {30, 20, 0}, {10, 70, 0}};
  const std::vector<int> counts = Counts(spec, 1000);
  const auto share = [&](int from, int to) {
    return std::accumulate(counts.begin() + from, counts.begin() + to, 0.0) / kDraws;
  };
  EXPECT_NEAR(share(0, 100), 0.6, 0.005);
  EXPECT_NEAR(share(100, 300), 0.3, 0.005);
  EXPECT_NEAR(share(300, 1000), 0.1, 0.005);
  spec.kind = DistributionKind::kZonedAbs;
  spec.zones = {{75, 0, 4096 * 50}, {25, 0, 4096 * 2000}};  // goes beyond the end
  const std::vector<int> absolute = Counts(spec, 1000);
  EXPECT_NEAR(std::accumulate(absolute.begin(), absolute.begin() + 50, 0.0) / kDraws, 0.75, 0.005);
  EXPECT_GT(absolute[999], 0);
}

TEST(RandomDistribution, OneBlockIsEnough) {
  for (const DistributionKind kind :
       {DistributionKind::kZipf, DistributionKind::kPareto, DistributionKind::kNormal}) {
    EXPECT_EQ(Counts(Curve(kind, 0.5), 1)[0], kDraws);
    EXPECT_EQ(Counts(Curve(kind, 0.5), 2).size(), 2u);
  }
}

}  // namespace
}  // namespace nvmearb::host
