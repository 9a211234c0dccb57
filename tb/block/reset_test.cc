// SPDX-License-Identifier: Apache-2.0
//
// A hardware reset of nvmearb_top at each clock of its work, with read data that comes late.
#include <gtest/gtest.h>

#include "block/top_bench.h"

namespace nvmearb::tb {
namespace {

/// Two queues with commands in both, doorbell writes back to back.
void Work(TopBench& bench) {
  bench.Create(1, 64, arbiter::SqClass::kHigh);
  bench.Create(2, 64, arbiter::SqClass::kUrgent);
  bench.GiveSlots(30);
  for (unsigned tail = 1; tail <= 5; ++tail) {
    bench.Write(TopBench::SqDoorbell(1), tail);
    bench.Write(TopBench::SqDoorbell(2), tail);
  }
}

TEST(HardwareReset, AtEachClockLeavesNothingBehind) {
  std::uint64_t cut_short = 0;
  for (unsigned offset = 0; offset < 70; ++offset) {
    TopBench bench(offset % 2 == 0);
    bench.latency = 1 + offset % 17;
    Work(bench);
    bench.Run(offset);
    bench.Reset(1 + offset % 3);
    const std::uint64_t before = bench.sqe_count();
    cut_short += before < 10;
    bench.Run(40);
    ASSERT_EQ(bench.read_count(), 0u);
    EXPECT_EQ(bench.sqe_count(), before) << "of before the reset, offset " << offset;
    bench.BringUp(offset % 2 != 0);
    Work(bench);
    bench.Run(200);
    EXPECT_EQ(bench.sqe_count(), before + 10) << "offset " << offset;
    EXPECT_TRUE(bench.monitor().findings().empty()) << bench.monitor().findings().front();
    ASSERT_FALSE(bench.AssertionFailed()) << "offset " << offset;
  }
  EXPECT_GT(cut_short, 10u);
}

}  // namespace
}  // namespace nvmearb::tb
