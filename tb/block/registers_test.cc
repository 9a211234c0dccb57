// SPDX-License-Identifier: Apache-2.0
//
// Controller properties as a host sees them, resets, and some doorbells.
#include <gtest/gtest.h>

#include "block/front_end_rig.h"

namespace nvmearb::tb {
namespace {

constexpr std::uint32_t kCap = 0x00, kVs = 0x08, kIntms = 0x0c, kIntmc = 0x10, kCc = 0x14,
                        kCsts = 0x1c, kNssr = 0x20, kAqa = 0x24, kAsq = 0x28, kAcq = 0x30;
constexpr std::uint32_t kCfs = 2;

FrontEndRig::Config Plain() { return {}; }

TEST(Registers, CapAndVsReadAsStrappedInBothHalves) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  EXPECT_EQ(rig.rtl().MmioRead(kCap, 8), 0x2078030fffu);
  EXPECT_EQ(rig.Read(kCap), 0x78030fffu);
  EXPECT_EQ(rig.Read(kCap + 4), 0x20u);
  EXPECT_EQ(rig.Read(kVs), 0x00010400u);
}

TEST(Registers, EverythingElseIsZeroAfterPowerOn) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  for (std::uint32_t offset = 0x0c; offset < 0x1000; offset += 4) {
    ASSERT_EQ(rig.Read(offset), 0u) << std::hex << offset;
  }
  for (unsigned id = 0; id < 7; ++id) {
    EXPECT_EQ(rig.Read(rig.SqDoorbell(id)), 0u);
    EXPECT_EQ(rig.Read(rig.CqDoorbell(id)), 0u);
  }
}

TEST(Registers, ReadOnlyRegistersIgnoreWrites) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  for (const std::uint32_t offset : {kCap, kCap + 4, kVs, kCsts, kNssr}) {
    const std::uint32_t before = rig.Read(offset);
    rig.Write(offset, ~before);
    EXPECT_EQ(rig.Read(offset), before) << std::hex << offset;
  }
}

TEST(Registers, InterruptMaskIsSetAndClearedBitByBit) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  rig.Write(kIntms, 0xf0f0'1234);
  rig.Write(kIntms, 0x0000'0001);
  rig.Write(kIntmc, 0x00f0'0030);
  EXPECT_EQ(rig.Read(kIntms), 0xf000'1205u);
  EXPECT_EQ(rig.Read(kIntmc), 0xf000'1205u);
  EXPECT_EQ(rig.rtl().InterruptMask(), 0xf000'1205u);
}

TEST(Registers, ReservedBitsOfQueueRegistersReadZero) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  for (const std::uint32_t offset : {kAqa, kAsq, kAsq + 4, kAcq, kAcq + 4}) {
    rig.Write(offset, 0xffff'ffff);
  }
  EXPECT_EQ(rig.Read(kAqa), 0x0fff'0fffu);
  EXPECT_EQ(rig.rtl().MmioRead(kAsq, 8), 0xffff'ffff'ffff'f000u);
  EXPECT_EQ(rig.rtl().MmioRead(kAcq, 8), 0xffff'ffff'ffff'f000u);
}

TEST(Registers, StrapsReadAsTheyAreInEveryBit) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  constexpr std::uint64_t kDstrd = std::uint64_t{15} << 32;  // that of the build, 0
  for (const std::uint64_t pattern : {~std::uint64_t{0}, std::uint64_t{0}}) {
    rig.rtl().SetStraps(pattern & ~kDstrd, static_cast<std::uint32_t>(pattern));
    rig.Run(100'000);
    EXPECT_EQ(rig.rtl().MmioRead(kCap, 8), pattern & ~kDstrd);
    EXPECT_EQ(rig.Read(kVs), static_cast<std::uint32_t>(pattern));
  }
}

TEST(Registers, EnableTellsEveryBitOfTheQueueRegisters) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  unsigned enables = 0;
  for (const std::uint64_t asq :
       {0xffff'ffff'ffff'f000u, 0x5555'5555'5555'5000u, 0xaaaa'aaaa'aaaa'a000u}) {
    const std::uint32_t aqa = (enables % 2 != 0 ? 0x0555'0aaau : 0x0fff'0fffu);
    const std::uint32_t cc = enables % 2 != 0 ? 0x0046'0581u : 0x00a9'0001u;
    rig.Write(kAqa, aqa);
    rig.rtl().MmioWrite(kAsq, asq, 8);
    rig.rtl().MmioWrite(kAcq, ~asq & ~std::uint64_t{0xfff}, 8);
    rig.Write(kCc, cc);
    ASSERT_TRUE(rig.RunUntil([&] { return rig.enable_count() == enables + 1; }));
    ++enables;
    EXPECT_EQ(rig.enable_config().asq, asq);
    EXPECT_EQ(rig.enable_config().acq, ~asq & ~std::uint64_t{0xfff});
    EXPECT_EQ(rig.enable_config().aqa, aqa);
    EXPECT_EQ(rig.enable_config().cc, cc);
    ASSERT_TRUE(rig.RunUntil([&] { return (rig.Read(kCsts) & 1) != 0; }));
    ASSERT_TRUE(rig.Disable());
  }
}

TEST(Registers, CcKeepsItsDefinedBitsOnly) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  rig.Write(kCc, 0xffff'fffe & ~0xc000u);
  EXPECT_EQ(rig.Read(kCc), 0x00ff'3ff0u);
}

TEST(Registers, CrimeIsWritableWhereCapOffersIt) {
  FrontEndRig::Config config;
  config.cap |= std::uint64_t{3} << 59;
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, config);
  rig.Write(kCc, 0x0100'0000);
  EXPECT_EQ(rig.Read(kCc), 0x0100'0000u);
}

TEST(Registers, OneWriteWithAmsAndEnStartsWeightedRoundRobin) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(true));
  EXPECT_EQ(rig.enable_count(), 1u);
  EXPECT_EQ(rig.enable_config().cc, 0x00460801u);
  EXPECT_EQ(rig.enable_config().aqa, 0x001f001fu);
  EXPECT_EQ(rig.enable_config().asq, 0x0100'0000u);
  EXPECT_EQ(rig.enable_config().acq, 0x8000'0000u);
  EXPECT_EQ(rig.Read(kCsts), 1u);
  EXPECT_EQ(rig.Read(kCc), 0x00460801u);
  // Reset, SQ 0, mechanism.
  ASSERT_EQ(rig.events().size(), 3u);
  EXPECT_EQ(rig.events()[0].kind, arbiter::EventKind::kReset);
  EXPECT_EQ(rig.events()[1].kind, arbiter::EventKind::kCreate);
  EXPECT_EQ(rig.events()[1].sq_class, arbiter::SqClass::kAdmin);
  EXPECT_EQ(rig.events()[1].count, 32u);
  EXPECT_EQ(rig.events()[2].kind, arbiter::EventKind::kConfig);
  EXPECT_EQ(rig.events()[2].mechanism, arbiter::Mechanism::kWeightedRoundRobin);
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

TEST(Registers, UnsupportedAmsRunsRoundRobinAndStaysReadable) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  rig.Write(kAqa, 0x001f001f);
  rig.Write(kCc, 0x00461001);  // AMS = 010b
  ASSERT_TRUE(rig.RunUntil([&] { return (rig.Read(kCsts) & 1) != 0; }));
  EXPECT_EQ(rig.Read(kCc), 0x00461001u);
  ASSERT_FALSE(rig.events().empty());
  EXPECT_EQ(rig.events().back().mechanism, arbiter::Mechanism::kRoundRobin);
}

TEST(Registers, WrrIsNotRunWhereCapDoesNotOfferIt) {
  FrontEndRig::Config config;
  config.cap &= ~std::uint64_t{0x20000};
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, config);
  ASSERT_TRUE(rig.Enable(true));
  EXPECT_EQ(rig.events().back().mechanism, arbiter::Mechanism::kRoundRobin);
}

TEST(Registers, AdminQueueOfSizeZeroIsFatalUntilEnIsCleared) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  for (const std::uint32_t aqa : {0x001f0000u, 0x0000001fu, 0u}) {
    rig.Write(kAqa, aqa);
    rig.Write(kCc, 0x00460001);
    rig.Run(1'000'000);
    EXPECT_EQ(rig.Read(kCsts), kCfs);
    EXPECT_EQ(rig.enable_count(), 0u);
    rig.Write(kCc, 0x00460000);
    rig.Run(1'000'000);
    EXPECT_EQ(rig.Read(kCsts), 0u);
  }
  EXPECT_TRUE(rig.Enable(false));
  EXPECT_EQ(rig.disable_count(), 0u);
}

TEST(Registers, WritesWhileEnabledDoNotReachTheRunningQueues) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(false));
  rig.Write(kAqa, 0x00010001);
  rig.Write(kAsq, 0x7000'0000);
  rig.Write(kCc, 0x00460801);  // AMS
  rig.Submit(0, 5);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 5u);
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_EQ(rig.enable_config().asq, 0x0100'0000u);
  EXPECT_EQ(rig.Read(kAsq), 0x7000'0000u);
}

TEST(Registers, ResetClearsAllButTheAdminQueueRegisters) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(true));
  rig.Write(kIntms, 0x55);
  rig.Submit(0, 3);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.Read(rig.SqDoorbell(0)), 3u);
  EXPECT_EQ(rig.Read(rig.CqDoorbell(0)), 3u);
  ASSERT_TRUE(rig.Disable());
  EXPECT_EQ(rig.disable_count(), 1u);
  EXPECT_EQ(rig.Read(kCc), 0u);
  EXPECT_EQ(rig.Read(kIntms), 0u);
  EXPECT_EQ(rig.Read(rig.SqDoorbell(0)), 0u);
  EXPECT_EQ(rig.Read(rig.CqDoorbell(0)), 0u);
  EXPECT_EQ(rig.Read(kAqa), 0x001f001fu);
  EXPECT_EQ(rig.rtl().MmioRead(kAsq, 8), 0x0100'0000u);
  ASSERT_TRUE(rig.Enable(true));
  rig.Submit(0, 2);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 2u);
  EXPECT_EQ(rig.trouble(), "");
}

TEST(Registers, ShutdownStopsIoThenEverything) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(true));
  ASSERT_TRUE(rig.Create(1, 16, arbiter::SqClass::kHigh));
  rig.Write(kCc, 0x00464801);  // SHN = 01b
  rig.Submit(1, 2);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.Read(kCsts), 0x9u);  // RDY, SHST = 10b
  EXPECT_EQ(rig.sq(1).received_count, 0u);
  rig.Submit(0, 1);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 0u);
  ASSERT_TRUE(rig.Disable());
  ASSERT_TRUE(rig.Enable(true));
  EXPECT_EQ(rig.Read(kCsts), 1u);
  rig.Submit(0, 1);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 1u);
}

/// Reads CSTS until SHST is 10b; false when that takes too long. A read runs some clocks ahead of
/// the kernel, fewer than lie between two reads.
bool WaitForShutdown(FrontEndRig& rig) {
  for (int i = 0; i < 500; ++i) {
    if ((rig.Read(kCsts) >> 2 & 3) == 2) return true;
    rig.Run(40'000);
  }
  return false;
}

TEST(Registers, ShutdownIsCompleteWhenNothingGrantedIsStillToCome) {
  for (unsigned delay = 0; delay < 40; ++delay) {
    FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
    ASSERT_TRUE(rig.Enable(true));
    ASSERT_TRUE(rig.Create(1, 16, arbiter::SqClass::kHigh));
    rig.Submit(1, 8);
    rig.Run(4000 * delay);
    rig.Write(kCc, 0x00464801);  // SHN = 01b; the device side says SHST = 10b at once
    ASSERT_TRUE(WaitForShutdown(rig)) << delay;
    rig.Run(100'000);  // what came while the last read ran ahead; host memory takes 400 ns
    const std::uint64_t received = rig.sq(1).received_count;
    rig.Run(10'000'000);
    EXPECT_EQ(rig.sq(1).received_count, received) << "SHN " << delay << " clocks after a doorbell";
    EXPECT_EQ(rig.Read(kCsts), 0x9u);
    EXPECT_EQ(rig.trouble(), "");
  }
}

TEST(Registers, ShutdownIsCompleteAfterAFetchErrorToo) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(true));
  ASSERT_TRUE(rig.Create(1, 16, arbiter::SqClass::kHigh));
  rig.Poison(rig.sq(1).base);
  rig.Submit(1, 8);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.Read(kCsts), 0x3u);
  rig.Write(kCc, 0x00464801);
  EXPECT_TRUE(WaitForShutdown(rig));
  EXPECT_TRUE(rig.Disable());
}

TEST(Registers, ResetAndShutdownInOneWriteDoBoth) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(false));
  rig.Write(kCc, 0x00464000);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.disable_count(), 1u);
  EXPECT_EQ(rig.Read(kCsts), 0x8u);
  EXPECT_EQ(rig.Read(kCc), 0u);
}

/// Clears EN `completion_delay_ps` before a completion of an admin command; returns whether the
/// completion was shown behind the reset event, where no queue of the old life exists any more.
bool CompletionFollowsReset(ssd::TimePs completion_delay_ps) {
  FrontEndRig::Config config = Plain();
  config.complete = false;
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, config);
  EXPECT_TRUE(rig.Enable(true));
  rig.Submit(0, 1);
  EXPECT_TRUE(rig.RunUntil([&] { return !rig.waiting().empty(); }));
  rig.Write(kCc, 0x00460800);
  rig.Run(completion_delay_ps);
  if (rig.disable_count() == 0) rig.rtl().Complete(0, 0, true);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.disable_count(), 1u);
  bool reset_seen = false;
  for (const arbiter::Event& event : rig.events()) {
    // The first reset event is that of the enable.
    if (event.kind == arbiter::EventKind::kGrant) reset_seen = false;
    if (event.kind == arbiter::EventKind::kReset) reset_seen = true;
    if (event.kind == arbiter::EventKind::kComplete && reset_seen) return true;
  }
  return false;
}

TEST(Registers, CompletionThatMeetsAResetIsDropped) {
  for (ssd::TimePs delay = 4'000; delay <= 240'000; delay += 4'000) {
    EXPECT_FALSE(CompletionFollowsReset(delay)) << delay << " ps after EN was cleared";
  }
}

TEST(Registers, EnToggledFastEndsInTheLastStateWritten) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(false));
  for (int i = 0; i < 5; ++i) {
    rig.Write(kCc, 0x00460000);
    rig.Write(kCc, 0x00460001);
  }
  rig.Run(20'000'000);
  EXPECT_EQ(rig.Read(kCsts), 1u);
  EXPECT_EQ(rig.enable_count(), rig.disable_count() + 1);
  EXPECT_GE(rig.disable_count(), 1u);
  rig.Write(kCc, 0x00460000);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.Read(kCsts), 0u);
  EXPECT_EQ(rig.enable_count(), rig.disable_count());
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

TEST(Registers, DescribeTellsWhereTheQueuesStand) {
  FrontEndRig::Config config;
  config.complete = false;
  config.slot_count = 2;
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, config);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(3, 16, arbiter::SqClass::kMedium));
  rig.Submit(3, 5);
  rig.Run(10'000'000);
  EXPECT_NE(rig.rtl().Describe().find("SQ 3 (medium): 16 entries, tail 5, issued to 2, "
                                      "fetched to 2, 2 in the device; CQ 3 head 0\n"),
            std::string::npos)
      << rig.rtl().Describe();
}

TEST(Registers, FatalErrorOfTheDeviceStopsGrantsUntilReset) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Plain());
  ASSERT_TRUE(rig.Enable(false));
  rig.rtl().SetFatal();
  rig.Run(1'000'000);
  EXPECT_EQ(rig.Read(kCsts), 3u);
  rig.Submit(0, 1);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 0u);
  ASSERT_TRUE(rig.Disable());
  EXPECT_EQ(rig.Read(kCsts), 0u);
  ASSERT_TRUE(rig.Enable(false));
  rig.Submit(0, 1);
  rig.Run(10'000'000);
  EXPECT_EQ(rig.sq(0).received_count, 1u);
}

}  // namespace
}  // namespace nvmearb::tb
