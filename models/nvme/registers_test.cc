// SPDX-License-Identifier: Apache-2.0
#include "nvme/registers.h"

#include <gtest/gtest.h>

#include "nvme/features.h"
#include "nvme/identify.h"

namespace nvmearb::nvme {
namespace {

// Register dump of a real drive (Intel P4510 2 TB).
TEST(Registers, DecodeThePublishedDump) {
  const Cap cap = Cap::Decode(0x2078030fff);
  EXPECT_EQ(cap.mqes_zb, 4095);
  EXPECT_TRUE(cap.cqr);
  EXPECT_EQ(cap.ams, kCapAmsWeightedRoundRobin);
  EXPECT_EQ(cap.timeout_500ms, 120);
  EXPECT_EQ(cap.dstrd, 0);
  EXPECT_EQ(cap.css, 1);
  EXPECT_EQ(cap.mpsmin, 0);
  EXPECT_EQ(cap.mpsmax, 0);
  EXPECT_EQ(cap.Encode(), 0x2078030fffu);

  const Cc cc = Cc::Decode(0x460801);
  EXPECT_TRUE(cc.en);
  EXPECT_EQ(cc.ams, static_cast<std::uint8_t>(Ams::kWeightedRoundRobinUrgent));
  EXPECT_EQ(cc.iosqes, 6);
  EXPECT_EQ(cc.iocqes, 4);
  EXPECT_EQ(cc.Encode(), 0x460801u);

  const Aqa aqa = Aqa::Decode(0x1f001f);
  EXPECT_EQ(aqa.sq_count, 32u);
  EXPECT_EQ(aqa.cq_count, 32u);
  EXPECT_EQ(aqa.Encode(), 0x1f001fu);

  EXPECT_EQ(MakeVersion(1, 2, 0), 0x10200u);
  EXPECT_EQ(Csts{}.Encode(), 0u);
  EXPECT_EQ((Csts{true, true, 2, true}.Encode()), 0x2bu);
  EXPECT_EQ(Csts::Decode(0x2b).shst, 2);
}

TEST(Registers, CcFieldsDoNotOverlap) {
  EXPECT_EQ((Cc{true, 7, 15, 7, 3, 15, 15}.Encode()), Cc::kWritableMask);
}

class DoorbellStride : public testing::TestWithParam<unsigned> {};

TEST_P(DoorbellStride, AddressesAndDecoderAgree) {
  const unsigned dstrd = GetParam();
  for (const unsigned qid : {0u, 1u, 2u, 1023u, 65535u}) {
    const auto id = static_cast<std::uint16_t>(qid);
    const auto sq = DecodeDoorbell(SqTailDoorbell(id, dstrd), dstrd);
    const auto cq = DecodeDoorbell(CqHeadDoorbell(id, dstrd), dstrd);
    ASSERT_TRUE(sq && cq);
    EXPECT_FALSE(sq->is_cq);
    EXPECT_TRUE(cq->is_cq);
    EXPECT_EQ(sq->qid, qid);
    EXPECT_EQ(cq->qid, qid);
  }
  EXPECT_EQ(CqHeadDoorbell(0, dstrd) - SqTailDoorbell(0, dstrd), 4u << dstrd);
  EXPECT_FALSE(DecodeDoorbell(0xffc, dstrd));
  EXPECT_EQ(DecodeDoorbell(0x1004, dstrd).has_value(), dstrd == 0) << "a gap is no doorbell";
  EXPECT_FALSE(DecodeDoorbell(CqHeadDoorbell(65535, dstrd) + (4u << dstrd), dstrd));
}

INSTANTIATE_TEST_SUITE_P(Strides, DoorbellStride, testing::Values(0u, 1u, 2u));

TEST(ArbitrationFeature, ConvertsBetweenCountsAndTheWire) {
  const ArbitrationFeature feature = ArbitrationFeature::FromCounts(3, 32, 16, 256);
  EXPECT_EQ(feature.Encode(), 0x1f0fff03u);
  const ArbitrationFeature decoded = ArbitrationFeature::Decode(0x1f0fff03u | 0xf8u);
  EXPECT_EQ(decoded.HighCount(), 32u);
  EXPECT_EQ(decoded.MediumCount(), 16u);
  EXPECT_EQ(decoded.LowCount(), 256u);
  EXPECT_EQ(decoded.BurstCount(), 8u);
  EXPECT_EQ(decoded.Encode(), 0x1f0fff03u) << "reserved bits 7:3 read 0";
  EXPECT_EQ(ArbitrationFeature::Decode(7).BurstCount(), 0u) << "no limit";
}

TEST(NumberOfQueuesFeature, IsZeroBasedOnTheWire) {
  EXPECT_EQ((NumberOfQueuesFeature{1, 128}.Encode()), 0x007f0000u);
  EXPECT_EQ(NumberOfQueuesFeature::Decode(0x007f0000).cq_count, 128u);
}

TEST(AsyncEvent, NamesLogAndInfo) {
  const AsyncEvent value{AsyncEvent::kTypeError, AsyncEvent::kInfoInvalidDoorbellValue, 1};
  EXPECT_EQ(value.Encode(), 0x00010100u);
  EXPECT_EQ(AsyncEvent::Decode(0x00010100).info, 1);
}

TEST(FeatureCapabilities, AreThreeBits) {
  EXPECT_EQ((FeatureCapabilities{false, false, true}.Encode()), 4u);
  EXPECT_TRUE(FeatureCapabilities::Decode(5).saveable);
}

TEST(Identify, PadsTextWithBlanks) {
  std::array<char, 8> field{};
  SetAscii(field, "ABC");
  EXPECT_EQ(std::string(field.data(), field.size()), "ABC     ");
  EXPECT_EQ(GetAscii(field), "ABC");
  SetAscii(field, "longer than eight");
  EXPECT_EQ(GetAscii(field), "longer t");
}

}  // namespace
}  // namespace nvmearb::nvme
