// SPDX-License-Identifier: Apache-2.0
//
// F-01 to F-07: feature 01h, Arbitration.
#include "conformance/check.h"
#include "conformance/order.h"

namespace nvmearb::conformance {
namespace {

using nvme::ArbitrationFeature;
using nvme::FeatureSelect;
using nvme::Status;

constexpr std::uint8_t kFeature = 1;

Status Set(Host& host, std::uint32_t value, bool save = false) {
  return host.Admin(nvme::SetFeatures{kFeature, save, value, 0}.Encode(0)).GetStatus();
}

/// The value, with the status expected to be good.
std::uint32_t Get(Host& host, FeatureSelect select = FeatureSelect::kCurrent) {
  const nvme::Cqe cqe =
      host.Admin(nvme::GetFeatures{kFeature, static_cast<std::uint8_t>(select), 0}.Encode(0));
  EXPECT_EQ(cqe.GetStatus(), Status::kSuccess);
  return cqe.dw0;
}

CONFORMANCE_CHECK(F, 01, EveryValueReadsBack, kFeatureOff) {
  for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(ams));
    for (std::uint32_t ab = 0; ab <= 7; ++ab) {
      for (const std::uint32_t weights :
           {0x0000'0000u, 0xffff'ff00u, 0xff00'0000u, 0x00ff'0000u, 0x0000'ff00u, 0x0180'7f00u}) {
        ASSERT_EQ(Set(host, weights | ab), Status::kSuccess);
        ASSERT_EQ(Get(host), weights | ab);
      }
    }
  }
}

CONFORMANCE_CHECK(F, 02, SelectGivesCurrentDefaultSavedAndCapabilities, kErrorsSucceed) {
  DeviceOptions options;
  options.default_ab = 3;
  Bench bench(BuildOf(16), options);
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const std::uint32_t power_on = ArbitrationFeature::FromCounts(3, 1, 1, 1).Encode();
  const std::uint32_t value = ArbitrationFeature::FromCounts(5, 9, 8, 7).Encode();
  EXPECT_EQ(Get(host, FeatureSelect::kCurrent), power_on);
  ASSERT_EQ(Set(host, value), Status::kSuccess);
  EXPECT_EQ(Get(host, FeatureSelect::kCurrent), value);
  EXPECT_EQ(Get(host, FeatureSelect::kDefault), power_on);
  EXPECT_EQ(Get(host, FeatureSelect::kSaved), power_on) << "nothing can be saved";
  const std::uint32_t capabilities = Get(host, FeatureSelect::kCapabilities);
  EXPECT_EQ(capabilities & 7u, 4u) << "changeable, for the controller, not saveable";
  for (std::uint8_t select = 4; select <= 7; ++select) {
    EXPECT_EQ(host.Admin(nvme::GetFeatures{kFeature, select, 0}.Encode(0)).GetStatus(),
              Status::kInvalidField);
  }
}

CONFORMANCE_CHECK(F, 03, SavingIsRefusedAndChangesNothing, kErrorsSucceed) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_EQ(Set(host, 0x0304'0502), Status::kSuccess);
  EXPECT_EQ(Set(host, 0x1111'1101, true), Status::kFeatureNotSaveable);
  EXPECT_EQ(Get(host), 0x0304'0502u);
}

CONFORMANCE_CHECK(F, 04, ReservedBitsAreIgnoredAndReadZero, kFeatureOff) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  EXPECT_EQ(Set(host, 0x0304'05fa), Status::kSuccess);
  EXPECT_EQ(Get(host), 0x0304'0502u);
}

CONFORMANCE_CHECK(F, 05, ResetRestoresTheDefault, kFeatureOff) {
  DeviceOptions options;
  options.default_ab = 2;
  Bench bench(BuildOf(16), options);
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_EQ(Set(host, 0xffff'ff00), Status::kSuccess);
  ASSERT_TRUE(host.Disable());
  ASSERT_TRUE(host.Enable());
  EXPECT_EQ(Get(host), 2u);
  // Also where it counts: bursts of 4 again.
  ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent, kUrgent}));
  EXPECT_EQ(OrderOf(host, {{1, 8}, {2, 8}}, 3), "1x4 2x4 1x4 2x4");
}

CONFORMANCE_CHECK(F, 06, NewSettingsRuleWhatComesAfterThem, kSettingsStale) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow}));
    ASSERT_TRUE(host.SetArbitration(7, 2, 1, 1));
    // All of it is still to come when the settings change within a visit.
    for (std::uint16_t id = 1; id <= 3; ++id) host.Submit(id, 30, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 5; }));
    ASSERT_TRUE(host.SetArbitration(1, 5, 3, 2));
    host.Mark();
    for (std::uint16_t id = 1; id <= 3; ++id) host.Submit(id, 10, Work::kSlow);
    host.RunUntil([&] { return host.ReadsSinceMark().size() >= 30; });
    const std::vector<SqeRead> reads = host.ReadsSinceMark();
    ASSERT_GE(reads.size(), 30u);
    for (std::size_t round = 0; round < 3; ++round) {
      unsigned count[4] = {};
      for (std::size_t i = 0; i < 10; ++i) ++count[reads[round * 10 + i].sqid];
      EXPECT_EQ(count[1], 5u) << "round " << round;
      EXPECT_EQ(count[2], 3u) << "round " << round;
      EXPECT_EQ(count[3], 2u) << "round " << round;
    }
    EXPECT_TRUE(host.RunUntilDone());
  }
}

CONFORMANCE_CHECK(F, 07, UnderRoundRobinBurstCountsAndWeightsDoNot, kBurstOfOne) {
  for (const std::uint32_t weights : {0x0000'0000u, 0xff00'0000u, 0x0000'ff00u}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kRoundRobin));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent}));
    ASSERT_EQ(Set(host, weights | 1), Status::kSuccess);
    EXPECT_EQ(OrderOf(host, {{1, 6}, {2, 6}, {3, 6}}, 4), Repeat("1x2 2x2 3x2", 3));
    ASSERT_EQ(Set(host, weights | 2), Status::kSuccess);
    EXPECT_EQ(OrderOf(host, {{1, 8}, {2, 8}, {3, 8}}, 4), Repeat("1x4 2x4 3x4", 2));
  }
}

}  // namespace
}  // namespace nvmearb::conformance
