// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/job_stats.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nvme/base/random.h"

namespace nvmearb::host {
namespace {

// Bin values that fio 3.33 itself prints in json+ ("bins").
TEST(LatencyHistogram, BucketValuesAreThoseOfFio) {
  for (const std::uint64_t value :
       {77u,   126u,  129u,  133u,   135u,   137u,    151u,    255u,    258u,   262u,  510u,
        516u,  524u,  1004u, 1080u,  1160u,  1224u,   2040u,   2064u,   2096u,  4256u, 4320u,
        5984u, 6176u, 8512u, 21376u, 28544u, 116224u, 129536u, 154624u, 284672u}) {
    EXPECT_EQ(LatencyHistogram::ValueOf(LatencyHistogram::IndexOf(value)), value) << value;
  }
}

TEST(LatencyHistogram, EveryValueFallsIntoTheBucketThatStandsForIt) {
  unsigned last = 0;
  for (std::uint64_t ns = 0; ns < 300000; ++ns) {
    const unsigned index = LatencyHistogram::IndexOf(ns);
    ASSERT_TRUE(index == last || index == last + 1) << ns;
    last = index;
    const double error =
        std::abs(static_cast<double>(LatencyHistogram::ValueOf(index)) - static_cast<double>(ns));
    ASSERT_LE(error, static_cast<double>(ns) / 128.0 + 0.5) << ns;
  }
  EXPECT_EQ(LatencyHistogram::IndexOf(~std::uint64_t{0}), LatencyHistogram::kBucketCount - 1);
}

TEST(LatencyHistogram, PercentilesAreTheFirstBucketThatReachesTheShare) {
  LatencyHistogram histogram;
  histogram.Enable();
  for (std::uint64_t ns = 1; ns <= 100; ++ns) histogram.Add(ns);
  EXPECT_EQ(histogram.Percentiles({1, 50, 99, 99.5, 100}),
            (std::vector<std::uint64_t>{1, 50, 99, 100, 100}));
  EXPECT_EQ(LatencyHistogram().Percentiles({50}), std::vector<std::uint64_t>{0});
}

TEST(LatencyHistogram, MergingEqualsCountingTogether) {
  LatencyHistogram a, b, both;
  a.Enable();
  b.Enable();
  both.Enable();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    (i % 3 == 0 ? a : b).Add(i * i);
    both.Add(i * i);
  }
  LatencyHistogram merged;
  merged.Merge(a);
  merged.Merge(b);
  EXPECT_EQ(merged.Total(), 1000u);
  for (unsigned i = 0; i < LatencyHistogram::kBucketCount; ++i) {
    ASSERT_EQ(merged.CountAt(i), both.CountAt(i));
  }
}

TEST(RunningStat, MeanAndDeviationAreExact) {
  RunningStat stat;
  EXPECT_EQ(stat.min(), 0u);
  EXPECT_EQ(stat.stddev(), 0.0);
  for (const std::uint64_t value : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) stat.Add(value);
  EXPECT_EQ(stat.min(), 2u);
  EXPECT_EQ(stat.max(), 9u);
  EXPECT_DOUBLE_EQ(stat.mean(), 5.0);
  EXPECT_DOUBLE_EQ(stat.stddev(), std::sqrt(32.0 / 7.0));
}

TEST(RunningStat, ASmallSpreadOnALargeMeanIsNotLost) {
  RunningStat stat;
  constexpr std::uint64_t kBase = 3'000'000'000'000;  // 50 minutes in ns
  for (int i = 0; i < 1000; ++i) stat.Add(kBase + static_cast<std::uint64_t>(i % 2));
  EXPECT_NEAR(stat.stddev(), 0.5 * std::sqrt(1000.0 / 999.0), 1e-12);
}

TEST(RunningStat, OrderAndMergingDoNotChangeADigit) {
  base::Random random(1);
  RunningStat all, a, b;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t value = random.Below(1'000'000'000);
    all.Add(value);
    (value % 2 == 0 ? a : b).Add(value);
  }
  b.Merge(a);
  EXPECT_EQ(all.mean(), b.mean());
  EXPECT_EQ(all.stddev(), b.stddev());
}

TEST(RateStat, ParallelJobsAddUp) {
  RateStat a, b;
  for (const std::uint64_t value : {100u, 110u, 120u}) a.Add(value);
  for (const std::uint64_t value : {10u, 20u}) b.Add(value);
  a.MergeParallel(b);
  EXPECT_EQ(a.samples, 5u);
  EXPECT_EQ(a.min, 110u);
  EXPECT_EQ(a.max, 140u);
  EXPECT_DOUBLE_EQ(a.mean, 125.0);
}

TEST(Distributions, BucketsHaveFiosEdges) {
  Distributions tables;
  for (std::uint32_t depth = 1; depth <= 128; ++depth) tables.CountDepth(depth);
  EXPECT_EQ(tables.depth, (std::array<std::uint64_t, 7>{1, 2, 4, 8, 16, 32, 65}));
  for (std::uint32_t batch = 0; batch <= 65; ++batch) tables.CountSubmit(batch);
  EXPECT_EQ(tables.submit, (std::array<std::uint64_t, 7>{1, 4, 4, 8, 16, 32, 1}));
  EXPECT_EQ(tables.total_submit, 66u);
}

TEST(Distributions, LatenciesGoToTheTableOfTheirUnit) {
  Distributions tables;
  for (const std::uint64_t ns : {1u, 2u, 749u, 750u, 999u}) tables.CountLatency(ns);
  EXPECT_EQ(tables.latency_ns, (std::array<std::uint64_t, 10>{1, 1, 0, 0, 0, 0, 0, 0, 1, 2}));
  for (const std::uint64_t us : {1u, 3u, 4u, 99u, 100u, 999u}) tables.CountLatency(us * 1000 + 999);
  EXPECT_EQ(tables.latency_us, (std::array<std::uint64_t, 10>{1, 1, 1, 0, 0, 1, 1, 0, 0, 1}));
  for (const std::uint64_t ms : {1u, 999u, 1000u, 1999u, 2000u, 9000u}) {
    tables.CountLatency(ms * 1'000'000);
  }
  EXPECT_EQ(tables.latency_ms, (std::array<std::uint64_t, 12>{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2}));
}

TEST(TimeSeries, PointsAreJoinedWhenTheyRunOut) {
  TimeSeries series;
  series.Configure(100, 10, 4);
  for (TimePs t = 100; t < 180; ++t) series.Add(t, kDirRead, 512, t);
  EXPECT_EQ(series.width(), 20u);
  const std::vector<SeriesPoint> points = series.Points();
  ASSERT_EQ(points.size(), 4u);
  std::uint64_t total = 0;
  for (const SeriesPoint& point : points) {
    EXPECT_EQ(point.ios[kDirRead], 20u);
    total += point.bytes[kDirRead];
  }
  EXPECT_EQ(total, 80u * 512);
  EXPECT_EQ(points[1].lat_max_ns, 139u);
}

TEST(TimeSeries, GapsLeaveEmptyPoints) {
  TimeSeries series;
  series.Configure(0, 10, 8);
  series.Add(5, kDirWrite, 512, 1);
  series.Add(35, kDirWrite, 512, 1);
  const std::vector<SeriesPoint> points = series.Points();
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[1].ios[kDirWrite], 0u);
  EXPECT_EQ(points[3].ios[kDirWrite], 1u);
}

TEST(JobStats, RateSamplesComeEvery500Ms) {
  JobSpec spec;
  JobStats stats;
  stats.Configure(spec);
  stats.Begin(kSec);
  // 1000 reads of 4 KiB in the first half second, none in the second, 500 in the third.
  for (unsigned i = 0; i < 1000; ++i) {
    const TimePs now = kSec + i * 500 * kUs;
    stats.CountCompletion(now - 2 * kUs, now - kUs, now, kDirRead, 4096);
  }
  for (unsigned i = 0; i < 500; ++i) {
    const TimePs now = 2 * kSec + i * kMs;
    stats.CountCompletion(now - 2 * kUs, now - kUs, now, kDirRead, 4096);
  }
  stats.CountCompletion(3 * kSec, 3 * kSec, 3 * kSec + kUs, kDirRead, 4096);
  const DirectionStats& read = stats.direction(kDirRead);
  EXPECT_EQ(read.iops.samples, 2u);
  EXPECT_EQ(read.iops.max, 2000u);
  EXPECT_EQ(read.iops.min, 1000u);
  EXPECT_EQ(read.bw.max, 8000u);
  EXPECT_EQ(stats.direction(kDirWrite).iops.samples, 0u);
  EXPECT_EQ(read.slat.max(), 1000u);
  EXPECT_EQ(read.lat.max(), 2000u);
  stats.Begin(4 * kSec);
  EXPECT_EQ(stats.TotalIos(), 0u);
  EXPECT_EQ(stats.direction(kDirRead).clat_histogram.Total(), 0u);
  EXPECT_TRUE(stats.direction(kDirRead).clat_histogram.enabled());
}

}  // namespace
}  // namespace nvmearb::host
