// SPDX-License-Identifier: Apache-2.0
//
// REG-01 to REG-13: controller properties and enable.
#include <initializer_list>

#include "conformance/check.h"

namespace nvmearb::conformance {
namespace {

using nvme::Cap;
using nvme::Cc;
using nvme::Status;

/// Rings SQ 2 (Low), then SQ 1 (High), behind a command of `blocker` that keeps the device busy,
/// and says in which order they are served: round robin "2x2 1x2" or so, WRR High before Low.
std::string OrderOfLowThenHigh(Host& host) {
  EXPECT_TRUE(host.CreatePair(1, kHigh));
  EXPECT_TRUE(host.CreatePair(2, kLow));
  EXPECT_TRUE(host.SetArbitration(0, 2, 1, 2));
  host.Submit(2, 1, Work::kSlow);
  host.RunUntil([&] { return host.ReadCount(2) == 1; });
  host.RunClocks(50);
  host.Mark();
  host.Submit(2, 2);
  host.Submit(1, 2);
  EXPECT_TRUE(host.RunUntilDone());
  return host.Order();
}
constexpr const char* kServedRoundRobin = "2 1 2 1";
constexpr const char* kServedWeighted = "1x2 2x2";

CONFORMANCE_CHECK(REG, 01, CapHasLegalValues, kCapReservedBit) {
  FOR_BUILDS(2, 1024) {
    for (const bool offers_wrr : {true, false}) {
      DeviceOptions options;
      options.offers_wrr = offers_wrr;
      Bench bench(build, options);
      const std::uint64_t value = bench.host.Read64(nvme::kRegCap);
      const Cap cap = Cap::Decode(value);
      EXPECT_EQ(value & 0xc000'0000'00f8'0000u, 0u) << "reserved bits";
      EXPECT_EQ(cap.ams & 1, offers_wrr ? 1 : 0);
      EXPECT_GE(cap.mqes_zb, 1u);
      EXPECT_GE(cap.mpsmax, cap.mpsmin);
      EXPECT_EQ(cap.dstrd, build.dstrd);
      EXPECT_EQ(cap.css & 1, 1) << "NVM command set";
    }
  }
}

CONFORMANCE_CHECK(REG, 02, ReadOnlyPropertiesIgnoreWrites, kVsWritable) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  for (const bool enabled : {false, true}) {
    if (enabled) {
      ASSERT_TRUE(host.Enable());
    }
    const std::uint64_t cap = host.Read64(nvme::kRegCap);
    const std::uint32_t vs = host.Read32(nvme::kRegVs);
    for (const std::uint64_t value : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      host.Write64(nvme::kRegCap, value);
      host.Write32(nvme::kRegVs, static_cast<std::uint32_t>(value));
      host.Write32(nvme::kRegCsts, static_cast<std::uint32_t>(value));
      EXPECT_EQ(host.Read64(nvme::kRegCap), cap);
      EXPECT_EQ(host.Read32(nvme::kRegVs), vs);
      EXPECT_EQ(host.Read32(nvme::kRegCsts), enabled ? 1u : 0u);
    }
  }
}

CONFORMANCE_CHECK(REG, 03, PropertiesAreZeroAtPowerOn, kAqaAtPowerOn) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    for (const std::uint32_t offset :
         {nvme::kRegCc, nvme::kRegIntms, nvme::kRegIntmc, nvme::kRegAqa, nvme::kRegCsts}) {
      EXPECT_EQ(bench.host.Read32(offset), 0u) << "offset " << offset;
    }
  }
}

CONFORMANCE_CHECK(REG, 04, MaskIsSetAndClearedBitByBit, kIntmcIgnored) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  host.Write32(nvme::kRegIntms, 0x8000'00f1);
  host.Write32(nvme::kRegIntms, 0x0000'0100);
  host.Write32(nvme::kRegIntmc, 0x8000'0061);
  EXPECT_EQ(host.Read32(nvme::kRegIntms), 0x0000'0190u);
  EXPECT_EQ(host.Read32(nvme::kRegIntmc), 0x0000'0190u);
}

CONFORMANCE_CHECK(REG, 05, QueueBasesHaveNoLowBits, kReservedBitsStick) {
  Bench bench(BuildOf(16));
  for (const std::uint32_t offset : {nvme::kRegAsq, nvme::kRegAcq}) {
    bench.host.Write64(offset, ~std::uint64_t{0});
    EXPECT_EQ(bench.host.Read64(offset), 0xffff'ffff'ffff'f000u);
  }
}

CONFORMANCE_CHECK(REG, 06, AqaKeepsItsFieldsOnly, kReservedBitsStick) {
  Bench bench(BuildOf(16));
  bench.host.Write32(nvme::kRegAqa, 0xffff'ffff);
  EXPECT_EQ(bench.host.Read32(nvme::kRegAqa), 0x0fff'0fffu);
}

CONFORMANCE_CHECK(REG, 07, ReadyFollowsEnableAndNothingIsReadBefore, kFetchesEarly) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    const ssd::TimePs bound = Cap::Decode(host.Read64(nvme::kRegCap)).timeout_500ms * 500'000 * kUs;
    EXPECT_GT(bound, 0u);
    host.PrepareAdminQueue();
    host.Write32(nvme::kRegCc, Host::CcValue(kRoundRobin));
    EXPECT_FALSE(host.Csts().rdy);
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().rdy; }, bound));
    EXPECT_FALSE(host.Csts().cfs);
    EXPECT_EQ(host.reads().size(), 0u);
    EXPECT_EQ(host.Admin(nvme::GetFeatures{1, 0, 0}.Encode(0)).GetStatus(), Status::kSuccess);
    EXPECT_EQ(host.reads().size(), 1u);
  }
}

CONFORMANCE_CHECK(REG, 08, AdminQueuePropertiesMayChangeWithoutMovingTheQueue, kAdminQueueMoves) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const std::uint64_t other = host.Allocate(4096);
  host.Write32(nvme::kRegAqa, 0x0003'0003);
  host.Write64(nvme::kRegAsq, other);
  host.Write64(nvme::kRegAcq, other);
  // More than a lap, in slots and entries of the queues that run.
  for (unsigned i = 0; i < Host::kAdminSizeCount + 3; ++i) {
    ASSERT_EQ(host.Admin(nvme::GetFeatures{1, 0, 0}.Encode(0)).GetStatus(), Status::kSuccess);
  }
  EXPECT_EQ(host.reads().size(), Host::kAdminSizeCount + 3);
}

CONFORMANCE_CHECK(REG, 09, MechanismAndPageSizeAreThoseOfTheEnable, kAlwaysRoundRobin) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  Cc cc = Cc::Decode(Host::CcValue(kRoundRobin));
  cc.mps = 1;
  host.Write32(nvme::kRegCc, cc.Encode());
  host.Run(10 * kUs);
  EXPECT_EQ(OrderOfLowThenHigh(host), kServedWeighted);
  // A queue at an odd multiple of 4 KiB is aligned still.
  host.Allocate(host.Allocate(1) % 8192 == 0 ? 8192 : 4096);
  EXPECT_EQ(host.CreateCq(3), Status::kSuccess);
  EXPECT_EQ(host.cq(3).base % 8192, 4096u);
  ASSERT_TRUE(host.Disable());
  ASSERT_TRUE(host.Enable(kRoundRobin));
  host.Mark();
  EXPECT_EQ(OrderOfLowThenHigh(host), kServedRoundRobin);
}

CONFORMANCE_CHECK(REG, 10, OneWriteSelectsTheMechanismAndEnables, kAlwaysRoundRobin) {
  FOR_BUILDS(3, 64) {
    Bench bench(build);
    Host& host = bench.host;
    host.PrepareAdminQueue();
    host.Write32(nvme::kRegCc, Host::CcValue(kWeighted));
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().rdy; }));
    EXPECT_EQ(Cc::Decode(host.Read32(nvme::kRegCc)).ams, kWeighted);
    EXPECT_EQ(OrderOfLowThenHigh(host), kServedWeighted);
  }
}

CONFORMANCE_CHECK(REG, 11, ReservedMechanismRunsRoundRobinAndStaysReadable, kAlwaysWeighted) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(2));
  EXPECT_FALSE(host.Csts().cfs);
  EXPECT_EQ(Cc::Decode(host.Read32(nvme::kRegCc)).ams, 2);
  EXPECT_EQ(OrderOfLowThenHigh(host), kServedRoundRobin);
}

CONFORMANCE_CHECK(REG, 12, AdminQueueOfOneEntryIsFatal, kNoFatalStatus) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  const std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> sizes = {
      {1, 32}, {32, 1}, {1, 1}};
  for (const auto& [sq_size_count, cq_size_count] : sizes) {
    host.PrepareAdminQueue(sq_size_count, cq_size_count);
    host.Write32(nvme::kRegCc, Host::CcValue(kRoundRobin));
    host.Run(100 * kUs);
    EXPECT_TRUE(host.Csts().cfs);
    EXPECT_FALSE(host.Csts().rdy);
    ASSERT_TRUE(host.Disable());
    EXPECT_FALSE(host.Csts().cfs);
  }
  EXPECT_TRUE(host.Enable()) << "with good sizes it can be used again";
}

CONFORMANCE_CHECK(REG, 13, DwordsOfWidePropertiesAgreeWithTheWhole, kUpperHalvesZero) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  const std::uint64_t cap = host.Read64(nvme::kRegCap);
  EXPECT_NE(cap >> 32, 0u) << "otherwise this says little";
  EXPECT_EQ(host.Read32(nvme::kRegCap) | (std::uint64_t{host.Read32(nvme::kRegCap + 4)} << 32),
            cap);
  for (const std::uint32_t offset : {nvme::kRegAsq, nvme::kRegAcq}) {
    host.Write32(offset, 0x1234'5000);
    host.Write32(offset + 4, 0x0000'abcd);
    EXPECT_EQ(host.Read64(offset), 0x0000'abcd'1234'5000u);
    host.Write64(offset, 0x0000'1111'2222'3000);
    EXPECT_EQ(host.Read32(offset), 0x2222'3000u);
    EXPECT_EQ(host.Read32(offset + 4), 0x0000'1111u);
  }
}

}  // namespace
}  // namespace nvmearb::conformance
