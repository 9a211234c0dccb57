// SPDX-License-Identifier: Apache-2.0
#include "ssd/features.h"

#include <gtest/gtest.h>

namespace nvmearb::ssd {
namespace {

using nvme::Status;

constexpr std::uint8_t kArbitration = 0x01;
constexpr std::uint8_t kQueues = 0x07;
constexpr std::uint8_t kEvents = 0x0b;

class FeaturesTest : public testing::Test {
 protected:
  FeaturesTest() : queues_(8), store_(nvme::ArbitrationFeature::FromCounts(0, 6, 3, 1), &queues_) {}

  Status Set(std::uint8_t fid, std::uint32_t value, bool save = false) {
    return store_.Set({fid, save, value, 0}, &dw0_, &changed_);
  }
  Status Get(std::uint8_t fid, unsigned sel) {
    return store_.Get({fid, static_cast<std::uint8_t>(sel), 0}, &dw0_);
  }

  QueueTable queues_;
  FeatureStore store_;
  std::uint32_t dw0_ = 0;
  bool changed_ = false;
};

TEST_F(FeaturesTest, ArbitrationReadsBackForEveryBurst) {
  for (std::uint32_t ab = 0; ab < 8; ++ab) {
    const std::uint32_t value = 0x3f1f0700u | ab;
    ASSERT_EQ(Set(kArbitration, value), Status::kSuccess);
    EXPECT_TRUE(changed_);
    ASSERT_EQ(Get(kArbitration, 0), Status::kSuccess);
    EXPECT_EQ(dw0_, value);
  }
}

TEST_F(FeaturesTest, ReservedBitsOfArbitrationAreIgnored) {
  ASSERT_EQ(Set(kArbitration, 0x010203fbu), Status::kSuccess);
  ASSERT_EQ(Get(kArbitration, 0), Status::kSuccess);
  EXPECT_EQ(dw0_, 0x01020303u);
}

TEST_F(FeaturesTest, SelectGivesCurrentDefaultSavedAndCapabilities) {
  const std::uint32_t power_on = 0x05020000u;  // 6:3:1
  ASSERT_EQ(Get(kArbitration, 0), Status::kSuccess);
  EXPECT_EQ(dw0_, power_on);
  ASSERT_EQ(Set(kArbitration, 7), Status::kSuccess);
  ASSERT_EQ(Get(kArbitration, 1), Status::kSuccess);
  EXPECT_EQ(dw0_, power_on);
  ASSERT_EQ(Get(kArbitration, 2), Status::kSuccess);
  EXPECT_EQ(dw0_, power_on) << "nothing can be saved, so the saved value is the default";
  ASSERT_EQ(Get(kArbitration, 3), Status::kSuccess);
  EXPECT_EQ(dw0_, 4u) << "changeable, not saveable, not of a namespace";
  for (unsigned sel = 4; sel < 8; ++sel) EXPECT_EQ(Get(kArbitration, sel), Status::kInvalidField);
}

TEST_F(FeaturesTest, SaveIsRefusedAndChangesNothing) {
  EXPECT_EQ(Set(kArbitration, 0, true), Status::kFeatureNotSaveable);
  EXPECT_FALSE(changed_);
  ASSERT_EQ(Get(kArbitration, 0), Status::kSuccess);
  EXPECT_EQ(dw0_, 0x05020000u);
}

TEST_F(FeaturesTest, ResetBringsTheDefaultBack) {
  ASSERT_EQ(Set(kArbitration, 7), Status::kSuccess);
  ASSERT_EQ(Set(kEvents, 0x1f), Status::kSuccess);
  store_.Reset();
  ASSERT_EQ(Get(kArbitration, 0), Status::kSuccess);
  EXPECT_EQ(dw0_, 0x05020000u);
  ASSERT_EQ(Get(kEvents, 0), Status::kSuccess);
  EXPECT_EQ(dw0_, 0u);
}

TEST_F(FeaturesTest, NumberOfQueuesIsWhatWasAskedForButNotMoreThanThereAre) {
  ASSERT_EQ(Set(kQueues, 0x00020001), Status::kSuccess);
  EXPECT_EQ(dw0_, 0x00020001u);
  EXPECT_FALSE(changed_);
  ASSERT_EQ(Set(kQueues, 0x007f007f), Status::kSuccess);
  EXPECT_EQ(dw0_, 0x00060006u) << "seven of each";
  EXPECT_EQ(Set(kQueues, 0x0000ffff), Status::kInvalidField);
  EXPECT_EQ(Set(kQueues, 0xffff0000), Status::kInvalidField);
}

TEST_F(FeaturesTest, NumberOfQueuesIsClosedOnceAQueueWasCreated) {
  nvme::CreateIoCq cq;
  cq.qid = 1;
  queues_.AddCq(cq);
  EXPECT_EQ(Set(kQueues, 0x00010001), Status::kCommandSequenceError);
  queues_.RemoveCq(1);
  EXPECT_EQ(Set(kQueues, 0x00010001), Status::kCommandSequenceError) << "until the next reset";
  EXPECT_EQ(Get(kQueues, 0), Status::kSuccess);
}

TEST_F(FeaturesTest, UnknownFeaturesAreInvalidFields) {
  constexpr std::uint8_t kUnknown[] = {0x00, 0x02, 0x06, 0x80, 0xff};
  for (const std::uint8_t fid : kUnknown) {
    EXPECT_EQ(Set(fid, 0), Status::kInvalidField);
    EXPECT_EQ(Get(fid, 0), Status::kInvalidField);
  }
}

}  // namespace
}  // namespace nvmearb::ssd
