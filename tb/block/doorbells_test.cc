// SPDX-License-Identifier: Apache-2.0
//
// Doorbells as a host sees them, with strides 4, 8 and 16 bytes.
#include <gtest/gtest.h>

#include "block/front_end_rig.h"

namespace nvmearb::tb {
namespace {

struct Build {
  const char* name;
  FrontEndRig::Maker maker;
};

class Doorbells : public ::testing::TestWithParam<Build> {};

using arbiter::EventKind;
using arbiter::SqClass;
using Strings = std::vector<std::string>;

TEST_P(Doorbells, MoveTheirOwnQueueOnly) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(true));
  for (std::uint16_t id = 1; id < 7; ++id) ASSERT_TRUE(rig.Create(id, 16, SqClass::kHigh));
  for (unsigned id = 1; id < 7; ++id) {
    rig.Submit(id, id);
    rig.Run(5'000'000);
    for (unsigned other = 1; other < 7; ++other) {
      EXPECT_EQ(rig.sq(other).received_count, other <= id ? other : 0);
    }
  }
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_EQ(rig.errors(), Strings{});
}

TEST_P(Doorbells, OfCompletionQueuesDoNotMoveTails) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 16, SqClass::kHigh));
  rig.Write(rig.CqDoorbell(1), 3);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.received_count(), 0u);
  EXPECT_EQ(rig.Read(rig.SqDoorbell(1)), 0u);
  EXPECT_EQ(rig.errors(), Strings{"cq 1 1"});  // past the entries posted
}

TEST_P(Doorbells, GapsBetweenThemAreNothing) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(false));
  const std::uint32_t stride = 4u << rig.rtl().Limits().dstrd;
  for (std::uint32_t offset = 0x1000; offset < 0x1000 + 14 * stride; offset += 4) {
    if ((offset - 0x1000) % stride == 0) continue;
    rig.Write(offset, 1);
    EXPECT_EQ(rig.Read(offset), 0u);
  }
  rig.Run(5'000'000);
  EXPECT_EQ(rig.received_count(), 0u);
  EXPECT_EQ(rig.errors(), Strings{});
}

TEST_P(Doorbells, ReadBackTheLastAcceptedValue) {
  FrontEndRig rig(GetParam().maker, {});
  rig.SetConsumeAtOnce(false);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(2, 16, SqClass::kLow));
  rig.Submit(2, 5);
  EXPECT_EQ(rig.Read(rig.SqDoorbell(2)), 5u);  // no time between write and read
  rig.Write(rig.SqDoorbell(2), 16);            // refused
  EXPECT_EQ(rig.Read(rig.SqDoorbell(2)), 5u);
  rig.Run(5'000'000);
  rig.Consume(2);
  EXPECT_EQ(rig.Read(rig.CqDoorbell(2)), 5u);
  rig.rtl().DeleteSq(2);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.Read(rig.SqDoorbell(2)), 0u);
  EXPECT_EQ(rig.Read(rig.CqDoorbell(2)), 5u);
}

TEST_P(Doorbells, UpperHalfIsIgnored) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(false));
  rig.sq(0).submitted_count = 0;
  rig.Submit(0, 1);
  rig.Run(5'000'000);
  ASSERT_EQ(rig.received_count(), 1u);
  rig.Submit(0, 2);  // rings 3 ...
  rig.Run(5'000'000);
  rig.Write(rig.SqDoorbell(0), 0xabcd'0003);  // ... and again, seen as the present value
  rig.Run(5'000'000);
  EXPECT_EQ(rig.received_count(), 3u);
  EXPECT_EQ(rig.errors(), Strings{"sq 0 1"});
}

TEST_P(Doorbells, OfMissingQueuesAreReportedAsInvalidRegister) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(false));
  rig.Write(rig.SqDoorbell(3), 1);
  rig.Write(rig.CqDoorbell(3), 1);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.errors(), (Strings{"sq 3 0", "cq 3 0"}));
  // Beyond the queues of the build, yet within the address decoder's reach.
  rig.Write(rig.SqDoorbell(rig.rtl().Limits().sq_count), 1);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.errors().size(), 3u);
  EXPECT_EQ(rig.received_count(), 0u);
}

TEST_P(Doorbells, OutsideTheQueueHaltThatQueueOnly) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(true));
  ASSERT_TRUE(rig.Create(1, 8, SqClass::kHigh));
  ASSERT_TRUE(rig.Create(2, 8, SqClass::kHigh));
  rig.Write(rig.SqDoorbell(1), 8);
  rig.Submit(1, 2);
  rig.Submit(2, 2);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.errors(), Strings{"sq 1 1"});
  EXPECT_EQ(rig.sq(1).received_count, 0u);
  EXPECT_EQ(rig.sq(2).received_count, 2u);
  rig.rtl().DeleteSq(1);
  rig.Run(5'000'000);
  ASSERT_TRUE(rig.Create(1, 8, SqClass::kHigh));
  rig.Submit(1, 2);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.sq(1).received_count, 2u);
}

TEST_P(Doorbells, BeforeReadyAreIgnored) {
  FrontEndRig::Config config;
  config.ready_delay_ps = 10'000'000;
  FrontEndRig rig(GetParam().maker, config);
  rig.Write(rig.SqDoorbell(0), 1);
  rig.Write(0x24, 0x001f001f);
  rig.Write(0x14, 0x00460001);
  rig.Run(5'000'000);
  ASSERT_EQ(rig.enable_count(), 1u);
  rig.Write(rig.SqDoorbell(0), 2);
  rig.Write(rig.SqDoorbell(5), 2);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.Read(0x1c), 1u);
  EXPECT_EQ(rig.received_count(), 0u);
  EXPECT_EQ(rig.errors(), Strings{});
  EXPECT_EQ(rig.Read(rig.SqDoorbell(0)), 0u);
}

TEST_P(Doorbells, BackToBackCountExactly) {
  FrontEndRig rig(GetParam().maker, {});
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 64, SqClass::kUrgent));
  for (int i = 0; i < 63; ++i) rig.Submit(1, 1);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.received_count(), 63u);
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_EQ(rig.errors(), Strings{});
}

TEST_P(Doorbells, QuadwordWriteRingsTailAndHead) {
  // An 8-byte write is two dword writes: with stride 4 a tail and a head, else a tail and a gap.
  FrontEndRig rig(GetParam().maker, {});
  rig.SetConsumeAtOnce(false);
  ASSERT_TRUE(rig.Enable(false));
  rig.Submit(0, 2);
  rig.Run(5'000'000);
  rig.sq(0).submitted_count = 2;
  rig.rtl().MmioWrite(rig.SqDoorbell(0), (std::uint64_t{2} << 32) | 2u, 8);
  rig.Run(5'000'000);
  EXPECT_EQ(rig.Read(rig.CqDoorbell(0)), rig.rtl().Limits().dstrd == 0 ? 2u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Strides, Doorbells,
                         ::testing::Values(Build{"Stride4", &MakeRtlFrontEndOf<7>},
                                           Build{"Stride8", &MakeRtlFrontEndOf<7, 1, 64>},
                                           Build{"Stride16", &MakeRtlFrontEndOf<16, 2, 256>}),
                         [](const auto& build) { return std::string(build.param.name); });

}  // namespace
}  // namespace nvmearb::tb
