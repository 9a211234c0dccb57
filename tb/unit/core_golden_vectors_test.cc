// SPDX-License-Identifier: Apache-2.0
//
// The golden vectors of the arbitration rules (decision 0002), through nvmearb_core of every size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core_bench.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

struct VectorSq {
  unsigned sqid;
  SqClass sq_class;
  unsigned count;
};

struct GoldenVector {
  const char* name;
  bool wrr;
  arbiter::ArbitrationSettings settings;
  std::vector<VectorSq> sqs;
  const char* order;
};

constexpr auto kU = SqClass::kUrgent;
constexpr auto kH = SqClass::kHigh;
constexpr auto kM = SqClass::kMedium;
constexpr auto kL = SqClass::kLow;
constexpr auto kA = SqClass::kAdmin;

std::vector<GoldenVector> Vectors() {
  std::string share;
  for (int round = 0; round < 20; ++round) share += "1 2 ";
  share.pop_back();
  static const std::string kShare = share;
  return {
      {"G1", false, {0, 0, 0, 0}, {{0, kA, 3}, {1, kU, 3}, {2, kU, 3}}, "0 1 2 0 1 2 0 1 2"},
      {"G2", false, {1, 0, 0, 0}, {{1, kU, 5}, {2, kU, 1}, {3, kU, 3}}, "1x2 2 3x2 1x2 3 1"},
      {"G3",
       true,
       {7, 3, 1, 0},
       {{1, kH, 12}, {2, kM, 6}, {3, kL, 3}},
       "1x4 2x2 3 1x4 2x2 3 1x4 2x2 3"},
      {"G4",
       true,
       {1, 3, 1, 0},
       {{1, kH, 6}, {2, kH, 6}, {3, kM, 6}, {4, kL, 3}},
       "1x2 2x2 3x2 4 1x2 2x2 3x2 4 1x2 2x2 3x2 4"},
      {"G6", true, {7, 3, 1, 0}, {{3, kL, 5}}, "3x5"},
      {"G7", true, {1, 0, 0, 0}, {{1, kU, 4}, {2, kU, 3}, {3, kH, 2}}, "1x2 2x2 1x2 2 3x2"},
      {"G9", true, {0, 3, 1, 0}, {{1, kH, 8}, {2, kM, 4}, {3, kL, 2}}, "1x4 2x2 3 1x4 2x2 3"},
      {"G11", false, {7, 0, 0, 0}, {{1, kU, 20}, {2, kU, 2}}, "1x20 2x2"},
      {"G13", false, {2, 0, 0, 0}, {{0, kA, 6}, {1, kL, 6}, {2, kH, 6}}, "0x4 1x4 2x4 0x2 1x2 2x2"},
      {"S2", true, {7, 0, 0, 0}, {{1, kH, 20}, {2, kH, 20}}, kShare.c_str()},
  };
}

/// Joins grants of one SQ that follow each other: "1x4 2x2 3".
std::string Shape(const std::vector<std::pair<unsigned, unsigned>>& grants) {
  std::string text;
  for (std::size_t i = 0; i < grants.size();) {
    unsigned total = 0;
    std::size_t j = i;
    for (; j < grants.size() && grants[j].first == grants[i].first; ++j) total += grants[j].second;
    if (!text.empty()) text += ' ';
    text += total == 1 ? fmt::format("{}", grants[i].first)
                       : fmt::format("{}x{}", grants[i].first, total);
    i = j;
  }
  return text;
}

class CoreGoldenVectors : public ::testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(CoreGoldenVectors, AreGrantedInTheOrderOfTheRules) {
  const auto [sq_count, max_count] = GetParam();
  CoreBench bench(sq_count);
  bench.in().max_count = max_count;
  unsigned run = 0;
  for (const GoldenVector& v : Vectors()) {
    if (v.sqs.back().sqid >= sq_count) continue;
    SCOPED_TRACE(v.name);
    ++run;
    bench.Configure(CoreConfig::Reset());
    bench.Configure(CoreConfig::SetMech(v.wrr));
    bench.Configure(CoreConfig::SetArb(v.settings));
    for (const VectorSq& sq : v.sqs) {
      bench.Configure(CoreConfig::CreateCq(sq.sqid, 64));
      bench.Configure(CoreConfig::CreateSq(sq.sqid, sq.sqid, 64, sq.sq_class));
    }
    ASSERT_TRUE(bench.RunUntilQuiescent());
    for (const VectorSq& sq : v.sqs) bench.Ring(false, sq.sqid, sq.count);
    ASSERT_TRUE(bench.RunUntilQuiescent());
    bench.GiveSlots(100);
    std::vector<std::pair<unsigned, unsigned>> grants;
    for (int i = 0; i < 1000; ++i) {
      const CoreOut& out = bench.Step();
      if (out.obs_grant_valid) grants.emplace_back(out.grant_sqid, out.grant_count);
    }
    EXPECT_TRUE(bench.Step().quiescent);
    EXPECT_EQ(Shape(grants), v.order);
  }
  EXPECT_FALSE(bench.dut().AssertionFailed());
  if (sq_count >= 7) {
    EXPECT_EQ(run, Vectors().size());
  }
}

std::vector<std::pair<unsigned, unsigned>> AllSizes() {
  std::vector<std::pair<unsigned, unsigned>> sizes;
  for (const unsigned sqs : Traits().sizes) {
    for (const unsigned max_count : {1u, 3u, 8u}) sizes.emplace_back(sqs, max_count);
  }
  return sizes;
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreGoldenVectors, ::testing::ValuesIn(AllSizes()),
                         [](const auto& size) {
                           return fmt::format("{}Sqs{}PerGrant", size.param.first,
                                              size.param.second);
                         });

}  // namespace
}  // namespace nvmearb::tb
