// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_ram against an array: random reads and writes, also to one word in one clock.
#include <Vnvmearb_unit_ram_2x1.h>
#include <Vnvmearb_unit_ram_7x5.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <optional>
#include <vector>

#include "harness/unknown_start.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {
namespace {

template <typename Model>
void RunAgainstArray(unsigned depth, unsigned width) {
  UnknownStart context;
  context.fatalOnError(false);
  Model ram(&context);
  base::Random random(depth);
  std::vector<std::optional<unsigned>> words(depth);  // empty: never written
  std::optional<unsigned> shown;
  unsigned compared = 0;
  for (int clock = 0; clock < 20000; ++clock) {
    ram.clk_i = ram.clk_read_i = 0;
    ram.we_i = random.Below(2) != 0;
    ram.waddr_i = static_cast<std::uint8_t>(random.Below(depth));
    ram.wdata_i = static_cast<std::uint8_t>(random.Below(1u << width));
    ram.re_i = random.Below(3) != 0;
    ram.raddr_i = static_cast<std::uint8_t>(random.Below(depth));
    ram.eval();
    if (ram.we_i) words[ram.waddr_i] = ram.wdata_i;  // a read sees the write of its own clock
    if (ram.re_i) shown = words[ram.raddr_i];
    ram.clk_i = ram.clk_read_i = 1;
    ram.eval();
    if (shown) {
      ASSERT_EQ(ram.rdata_o, *shown) << "clock " << clock;
      ++compared;
    }
  }
  EXPECT_GT(compared, 19000u);
  EXPECT_FALSE(context.gotError());
}

TEST(LeafRam, ShowsTheWriteOfTheSameClockAndHoldsWithoutRead) {
  RunAgainstArray<Vnvmearb_unit_ram_7x5>(7, 5);
}
TEST(LeafRam, WorksAtItsSmallestSize) { RunAgainstArray<Vnvmearb_unit_ram_2x1>(2, 1); }

TEST(LeafRam, ReportsAWriteOutsideItsDepth) {
  UnknownStart context;
  context.fatalOnError(false);
  Vnvmearb_unit_ram_7x5 ram(&context);
  ram.clk_i = ram.clk_read_i = 0;
  ram.we_i = 1;
  ram.waddr_i = 7;
  ram.eval();
  ram.clk_i = ram.clk_read_i = 1;
  ram.eval();
  EXPECT_TRUE(context.gotError());
}

}  // namespace
}  // namespace nvmearb::tb
