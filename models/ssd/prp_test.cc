// SPDX-License-Identifier: Apache-2.0
#include "ssd/prp.h"

#include <gtest/gtest.h>

#include <vector>

#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {
namespace {

using nvme::Status;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kA = FakeMemory::kBase;
constexpr std::uint64_t kB = FakeMemory::kBase + 8 * kPage;
constexpr std::uint64_t kList = FakeMemory::kBase + 64 * kPage;

class PrpTest : public testing::Test {
 protected:
  /// Bytes that differ from their neighbours.
  std::vector<std::uint8_t> Data(std::size_t count) {
    std::vector<std::uint8_t> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
    return data;
  }
  Status Write(std::uint64_t prp1, std::uint64_t prp2, const std::vector<std::uint8_t>& data) {
    return WritePrp(&memory_, prp1, prp2, kPage, data.data(), data.size());
  }
  bool Holds(std::uint64_t address, const std::vector<std::uint8_t>& data, std::size_t from,
             std::size_t count) {
    std::vector<std::uint8_t> got(count);
    return memory_.Read(address, got.data(), count) &&
           std::equal(got.begin(), got.end(), data.begin() + static_cast<std::ptrdiff_t>(from));
  }
  FakeMemory memory_;
};

TEST_F(PrpTest, OnePageNeedsOnlyPrp1) {
  const auto data = Data(4096);
  EXPECT_EQ(Write(kA, 0, data), Status::kSuccess);
  EXPECT_TRUE(Holds(kA, data, 0, 4096));
}

TEST_F(PrpTest, OffsetInPrp1ContinuesInThePageOfPrp2) {
  const auto data = Data(4096);
  EXPECT_EQ(Write(kA + 0x404, kB, data), Status::kSuccess);
  EXPECT_TRUE(Holds(kA + 0x404, data, 0, kPage - 0x404));
  EXPECT_TRUE(Holds(kB, data, kPage - 0x404, 0x404));
}

TEST_F(PrpTest, MoreThanTwoPagesTakeAList) {
  const auto data = Data(4 * kPage);
  for (std::uint64_t i = 0; i < 3; ++i) memory_.Put(kList + 8 * i, kB + 2 * i * kPage);
  EXPECT_EQ(Write(kA, kList, data), Status::kSuccess);
  EXPECT_TRUE(Holds(kA, data, 0, kPage));
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(Holds(kB + 2 * i * kPage, data, (i + 1) * kPage, kPage));
  }
}

TEST_F(PrpTest, ListGoesOnInThePageThatItsLastEntryNames) {
  const auto data = Data(4 * kPage);
  const std::uint64_t next_list = kList + kPage;
  memory_.Put(kList + kPage - 16, kB);
  memory_.Put(kList + kPage - 8, next_list);
  memory_.Put(next_list, kB + kPage);
  memory_.Put(next_list + 8, kB + 2 * kPage);
  EXPECT_EQ(Write(kA, kList + kPage - 16, data), Status::kSuccess);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(Holds(kB + i * kPage, data, (i + 1) * kPage, kPage));
  }
}

TEST_F(PrpTest, LastEntryOfAPageIsDataWhenNothingFollows) {
  const auto data = Data(3 * kPage);
  memory_.Put(kList + kPage - 16, kB);
  memory_.Put(kList + kPage - 8, kB + kPage);
  EXPECT_EQ(Write(kA, kList + kPage - 16, data), Status::kSuccess);
  EXPECT_TRUE(Holds(kB + kPage, data, 2 * kPage, kPage));
}

TEST_F(PrpTest, RefusesOffsetsThatCannotBe) {
  EXPECT_EQ(Write(kA + 2, 0, Data(16)), Status::kPrpOffsetInvalid);
  EXPECT_EQ(Write(kA + 4, kB + 4, Data(4096)), Status::kPrpOffsetInvalid);
  EXPECT_EQ(Write(kA, kList + 4, Data(3 * kPage)), Status::kPrpOffsetInvalid);
  memory_.Put(kList, kB + 4);
  EXPECT_EQ(Write(kA, kList, Data(3 * kPage)), Status::kPrpOffsetInvalid);
}

TEST_F(PrpTest, ReportsMemoryThatDoesNotAnswer) {
  EXPECT_EQ(Write(0x1000, 0, Data(64)), Status::kDataTransferError);
  EXPECT_EQ(Write(kA + 4, 0x1000, Data(4096)), Status::kDataTransferError);
  EXPECT_EQ(Write(kA, 0x1000, Data(3 * kPage)), Status::kDataTransferError) << "the list";
}

}  // namespace
}  // namespace nvmearb::ssd
