// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "nvme/base/bits.h"
#include "nvme/base/check.h"
#include "nvme/base/random.h"

namespace nvmearb::base {
namespace {

TEST(Bits, AreTakenAndPlacedAsWritten) {
  EXPECT_EQ(Bits(0xabcd, 15, 12), 0xau);
  EXPECT_EQ(Bits(~std::uint64_t{0}, 63, 0), ~std::uint64_t{0});
  EXPECT_EQ(Place(0x1f, 6, 4), 0x70u) << "what does not fit is dropped";
  EXPECT_EQ(Place(1, 63, 63), std::uint64_t{1} << 63);
}

TEST(Random, GivesTheSameNumbersEverywhere) {
  // Reference values of xoshiro256** seeded through splitmix64(1).
  Random random(1);
  EXPECT_EQ(random.Next(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(random.Next(), 0x853b559647364ceau);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  Random a(7, 1);
  Random b(7, 2);
  Random a_again(7, 1);
  const std::uint64_t first = a.Next();
  EXPECT_NE(first, b.Next());
  EXPECT_EQ(first, a_again.Next());
}

TEST(Random, RangesAreKeptAndFilledEvenly) {
  Random random(3);
  std::array<int, 72> hits{};
  for (int i = 0; i < 72000; ++i) {
    const std::uint64_t value = random.Below(72);
    ASSERT_LT(value, 72u);
    ++hits[value];
  }
  for (const int count : hits) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.Below(0), 0u);
  EXPECT_EQ(random.InRange(5, 5), 5u);
  for (int i = 0; i < 1000; ++i) {
    const double unit = random.Unit();
    ASSERT_GE(unit, 0.0);
    ASSERT_LT(unit, 1.0);
  }
}

TEST(CheckDeathTest, NamesFileConditionAndNote) {
  EXPECT_DEATH(NVMEARB_CHECK(1 + 1 == 3, "arithmetic"), "base_test.cc.*1 \\+ 1 == 3.*arithmetic");
}

}  // namespace
}  // namespace nvmearb::base
