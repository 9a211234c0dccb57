// SPDX-License-Identifier: Apache-2.0
//
// Traffic that `make coverage` adds to the tests of the modules: every class under every burst and
// weight, rings of every kind of size, pointers with every bit, ids far apart. Too long for each
// `make test`.
#include <gtest/gtest.h>

#include <algorithm>

#include "block/front_end_rig.h"
#include "scoreboard/stress_host.h"
#include "soak_run.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

constexpr ssd::TimePs kLongPs = 20'000'000'000;

FrontEndRig::Config Quick() {
  FrontEndRig::Config config;
  config.rtl.max_count = 8;
  config.rtl.stall_percent = 30;
  config.rtl.stall_seed = 5;
  config.service_ps = 1000;
  config.slot_count = 512;  // never what limits a grant
  return config;
}

/// Waits until all that was submitted to `sq_count` SQs has come.
bool AllReceived(FrontEndRig& rig, unsigned sq_count) {
  return rig.RunUntil(
      [&] {
        for (unsigned id = 0; id < sq_count; ++id) {
          if (rig.sq(id).received_count != rig.sq(id).submitted_count) return false;
        }
        return true;
      },
      kLongPs);
}

class Sweep : public testing::TestWithParam<bool> {};

TEST_P(Sweep, EveryClassUnderEveryBurstAndWeight) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Quick());
  rig.KeepRecords(false);
  rig.SetConsumeAtOnce(true);
  ASSERT_TRUE(rig.Enable(GetParam(), 4096));
  ASSERT_TRUE(rig.Create(1, 1024, SqClass::kUrgent, 0xffff'0000'0000'0000));
  ASSERT_TRUE(rig.Create(2, 64, SqClass::kHigh, 0x0000'aaaa'5555'a000));
  ASSERT_TRUE(rig.Create(3, 300, SqClass::kMedium, 0x5555'ffff'aaaa'5000));
  ASSERT_TRUE(rig.Create(4, 64, SqClass::kLow));
  ASSERT_TRUE(rig.Create(5, 12, SqClass::kHigh));
  ASSERT_TRUE(rig.Create(6, 2, SqClass::kLow));
  for (const unsigned ab : {0u, 2u, 3u, 4u, 5u, 7u}) {
    for (const unsigned weight_zb : {0u, 7u, 15u, 31u, 99u, 255u}) {
      const auto zb = static_cast<std::uint8_t>(weight_zb);
      ASSERT_TRUE(rig.SetArbitration({static_cast<std::uint8_t>(ab), zb, zb, zb}));
      for (const std::uint32_t count : {45u, 1u, 5u, 8u}) {
        for (unsigned id = 0; id < 7; ++id) {
          rig.Submit(id, std::min(count, rig.FreeEntries(id)));
        }
        ASSERT_TRUE(AllReceived(rig, 7)) << rig.rtl().Describe();
      }
    }
  }
  // SQ 0 without a limit.
  rig.Submit(0, 4000);
  ASSERT_TRUE(AllReceived(rig, 1));
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}
INSTANTIATE_TEST_SUITE_P(Mechanisms, Sweep, testing::Bool());

TEST(LargeQueue, EndsWithAGrantOfEight) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Quick());
  rig.SetConsumeAtOnce(true);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 1024, SqClass::kMedium));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  for (const std::uint32_t count : {1016u, 8u, 8u}) {
    rig.Submit(1, count);
    ASSERT_TRUE(AllReceived(rig, 2));
  }
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

TEST(LargestQueue, PointersWithEveryBitAreReadBackAndSurviveDeletion) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, Quick());
  rig.KeepRecords(false);
  rig.SetConsumeAtOnce(false);
  ASSERT_TRUE(rig.Enable(false));
  for (const std::uint32_t count : {0xaaaau, 0x5555u, 0xf0f0u}) {
    ASSERT_TRUE(rig.Create(3, 65536, SqClass::kMedium));
    rig.Submit(3, count);
    ASSERT_TRUE(AllReceived(rig, 4));
    EXPECT_EQ(rig.Read(rig.SqDoorbell(3)), count);
    ASSERT_TRUE(rig.RunUntil([&] { return rig.cq(3).posted_count == count; }, kLongPs));
    rig.Consume(3);
    rig.Run(1'000'000);
    EXPECT_EQ(rig.Read(rig.CqDoorbell(3)), count);
    const unsigned before = rig.config_done_count();
    rig.rtl().DeleteSq(3);
    rig.rtl().DeleteCq(3);
    ASSERT_TRUE(rig.RunUntil([&] { return rig.config_done_count() == before + 2; }));
    rig.sq(3).exists = false;
  }
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

TEST(LargeTop, QueuesFarApartUnderStress) {
  std::uint64_t command_count = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ssd::Kernel& kernel = FreshKernel();
    RtlOptions options;
    options.stall_percent = 70;
    options.stall_seed = seed;
    options.read_latency_clocks = 40;
    const auto front_end = MakeRtlFrontEndOf<1024>(&kernel, options);
    CheckedFrontEnd checked(front_end.get(), nullptr);
    StressParameters parameters;
    parameters.seed = seed;
    parameters.operation_count = 30'000;
    StressHost host(&checked, &kernel, parameters);
    host.Run();
    ASSERT_TRUE(checked.findings().empty()) << Describe(checked.findings().front());
    EXPECT_FALSE(front_end->AssertionFailed());
    command_count += host.command_count();
  }
  EXPECT_GT(command_count, 10'000u);
}

TEST(LargeCore, QueuesFarApartComeAndGo) {
  SoakOptions options;
  options.sq_count = 1024;
  std::uint64_t deletions = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const SoakResult result = RunSoakSeed(seed, options);
    ASSERT_EQ(result.finding, "") << "seed " << seed;
    deletions += result.counts.deletions;
  }
  EXPECT_GT(deletions, 0u);
}

}  // namespace
}  // namespace nvmearb::tb
