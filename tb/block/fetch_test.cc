// SPDX-License-Identifier: Apache-2.0
//
// SQE fetch: addresses, bursts, wrap, back-pressure and bus errors, with three data widths.
#include <gtest/gtest.h>

#include "block/front_end_rig.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

struct Build {
  const char* name;
  FrontEndRig::Maker maker;
};

class Fetch : public ::testing::TestWithParam<Build> {};

FrontEndRig::Config Config(unsigned max_count, unsigned stall_percent) {
  FrontEndRig::Config config;
  config.rtl.max_count = max_count;
  config.rtl.stall_percent = stall_percent;
  config.rtl.stall_seed = 7;
  return config;
}

/// Submits until `laps` rounds of the ring are through; every byte is checked by the rig.
void GoRound(FrontEndRig& rig, unsigned id, unsigned laps) {
  base::Random random(id, 3);
  const std::uint64_t total = std::uint64_t{laps} * rig.sq(id).size_count;
  while (rig.sq(id).submitted_count < total) {
    const std::uint32_t free = rig.FreeEntries(id);
    if (free > 0) rig.Submit(id, static_cast<std::uint32_t>(random.InRange(1, free)));
    rig.Run(random.InRange(1, 2'000'000));
  }
  ASSERT_TRUE(
      rig.RunUntil([&] { return rig.sq(id).received_count == rig.sq(id).submitted_count; }));
  EXPECT_EQ(rig.trouble(), "");
  EXPECT_TRUE(rig.errors().empty());
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

TEST_P(Fetch, WrapsWithGrantsOfManyCommands) {
  FrontEndRig rig(GetParam().maker, Config(8, 0));
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  ASSERT_TRUE(rig.Create(1, 13, SqClass::kUrgent));
  GoRound(rig, 1, 40);
}

TEST_P(Fetch, BurstsNeverCrossFourKib) {
  FrontEndRig rig(GetParam().maker, Config(8, 0));
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  // Bases at odd slots of a page: the page's end falls inside grants (BurstStaysInPage_A watches).
  for (std::uint16_t id = 1; id < 7; ++id) {
    const std::uint64_t base = ((std::uint64_t{id} + 1) << 24) + 0xf00 + id * 0x40u;
    ASSERT_TRUE(rig.Create(id, 100 + id, SqClass::kUrgent, base));
    GoRound(rig, id, 5);
  }
}

TEST_P(Fetch, AddressesAboveFourGibAreWhole) {
  FrontEndRig rig(GetParam().maker, Config(8, 0));
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  ASSERT_TRUE(rig.Create(1, 300, SqClass::kUrgent, 0xfedc'ba98'ffff'e000));  // carries past bit 32
  GoRound(rig, 1, 3);
}

TEST_P(Fetch, LargestQueueWraps) {
  FrontEndRig rig(GetParam().maker, Config(8, 0));
  rig.KeepRecords(false);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  ASSERT_TRUE(rig.Create(1, 65536, SqClass::kUrgent));
  for (int i = 0; i < 3; ++i) {
    rig.Submit(1, 65535 - 20'000);
    ASSERT_TRUE(rig.RunUntil([&] { return rig.FreeEntries(1) == 65535; }, 20'000'000'000));
  }
  EXPECT_EQ(rig.trouble(), "");
}

TEST_P(Fetch, KeepsOrderAndBytesUnderBackPressure) {
  for (const unsigned percent : {20u, 60u, 90u}) {
    FrontEndRig rig(GetParam().maker, Config(5, percent));
    ASSERT_TRUE(rig.Enable(true));
    ASSERT_TRUE(rig.SetArbitration({2, 3, 1, 0}));
    for (std::uint16_t id = 1; id < 7; ++id) {
      ASSERT_TRUE(rig.Create(id, 20, static_cast<SqClass>(id % 4), ((id + 1u) << 24) + 0xfc0));
    }
    base::Random random(percent);
    for (int i = 0; i < 300; ++i) {
      const auto id = static_cast<unsigned>(random.InRange(0, 6));
      const std::uint32_t free = rig.FreeEntries(id);
      if (free > 0) rig.Submit(id, static_cast<std::uint32_t>(random.InRange(1, free)));
      rig.Run(random.InRange(1, 400'000));
    }
    ASSERT_TRUE(rig.RunUntil([&] {
      for (unsigned id = 0; id < 7; ++id) {
        if (rig.sq(id).received_count != rig.sq(id).submitted_count) return false;
      }
      return true;
    })) << percent;
    EXPECT_EQ(rig.trouble(), "");
    EXPECT_FALSE(rig.rtl().AssertionFailed());
  }
}

TEST_P(Fetch, BusErrorIsFatalAndNothingFollowsUntilReset) {
  FrontEndRig rig(GetParam().maker, Config(4, 0));
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.SetArbitration({7, 0, 0, 0}));
  ASSERT_TRUE(rig.Create(1, 16, SqClass::kUrgent));
  ASSERT_TRUE(rig.Create(2, 16, SqClass::kUrgent));
  rig.Poison(rig.sq(1).base + 2 * 64);
  rig.Submit(1, 5);
  rig.Submit(2, 5);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.Read(0x1c), 3u);  // CFS, RDY
  EXPECT_EQ(rig.fetch_error_count(), 1u);
  EXPECT_EQ(rig.sq(1).received_count, 2u);  // no SQHD beyond what was captured
  const std::uint64_t received = rig.received_count();
  rig.Submit(2, 3);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.received_count(), received);
  rig.Poison(0);
  ASSERT_TRUE(rig.Disable());
  EXPECT_EQ(rig.Read(0x1c), 0u);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 16, SqClass::kUrgent));
  GoRound(rig, 1, 4);
  EXPECT_EQ(rig.fetch_error_count(), 1u);
}

TEST_P(Fetch, DeletionThatWaitsForAFailedFetchDoesNotBlockTheReset) {
  FrontEndRig rig(GetParam().maker, Config(4, 0));
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 16, SqClass::kUrgent));
  rig.Poison(rig.sq(1).base);
  rig.Submit(1, 5);
  rig.Run(100'000);  // granted, not fetched yet
  const unsigned done = rig.config_done_count();
  rig.rtl().DeleteSq(1);
  rig.Run(20'000'000);
  EXPECT_EQ(rig.fetch_error_count(), 1u);
  EXPECT_TRUE(rig.Disable());
  EXPECT_EQ(rig.config_done_count(), done + 1);
  EXPECT_EQ(rig.disable_count(), 1u);
  rig.Poison(0);
  ASSERT_TRUE(rig.Enable(false));
  ASSERT_TRUE(rig.Create(1, 16, SqClass::kUrgent));
  GoRound(rig, 1, 2);
}

// A deletion is answered behind the last command of its SQ, however slow the stream is.
TEST_P(Fetch, NoCommandFollowsTheAnswerToADeletion) {
  FrontEndRig rig(GetParam().maker, Config(1, 90));
  ASSERT_TRUE(rig.Enable(false));
  std::uint64_t received = 0;
  for (unsigned offset = 0; offset < 150; ++offset) {
    ASSERT_TRUE(rig.Create(1, 16, SqClass::kUrgent));
    rig.Submit(1, 6);
    rig.Run(4000 * (60 + 4 * offset));
    const unsigned done = rig.config_done_count();
    rig.rtl().DeleteSq(1);
    ASSERT_TRUE(rig.RunUntil([&] {
      rig.sq(1).exists = rig.config_done_count() == done;  // any later command is trouble
      return !rig.sq(1).exists;
    }));
    received += rig.sq(1).received_count;
    rig.Run(5'000'000);
    ASSERT_EQ(rig.trouble(), "") << "deleted " << offset << " steps after the doorbell";
    rig.rtl().DeleteCq(1);
    ASSERT_TRUE(rig.RunUntil([&] { return rig.config_done_count() == done + 2; }));
  }
  EXPECT_GT(received, 150u);
  EXPECT_FALSE(rig.rtl().AssertionFailed());
}

INSTANTIATE_TEST_SUITE_P(Widths, Fetch,
                         ::testing::Values(Build{"Bits64", &MakeRtlFrontEndOf<7, 1, 64>},
                                           Build{"Bits256", &MakeRtlFrontEndOf<16, 2, 256>},
                                           Build{"Bits512", &MakeRtlFrontEndOf<7>}),
                         [](const auto& build) { return std::string(build.param.name); });

}  // namespace
}  // namespace nvmearb::tb
