// SPDX-License-Identifier: Apache-2.0
//
// Pins the figures in clocks that docs/interfaces.md promises for the bus side. What lies between
// a doorbell at the core and its grant is pinned by core_timing_test.
#include "block/clock_figures.h"

#include <gtest/gtest.h>

namespace nvmearb::tb {
namespace {

TEST(ClockFigures, OneCommandThroughAnIdleEngine) {
  const IdlePath path = MeasureIdlePath();
  EXPECT_EQ(path.doorbell, 1u) << "accepted in the clock of AW and W, in effect in the next";
  EXPECT_LE(path.grant, 8u);
  EXPECT_EQ(path.ar - path.grant, 2u);
  EXPECT_EQ(path.data - path.ar, 1u) << "the memory's own";
  EXPECT_EQ(path.sqe - path.data, 1u);
}

TEST(ClockFigures, OneSqePer512BitsOfReadData) {
  for (const FetchRate& rate : MeasureFetchRates()) {
    EXPECT_EQ(rate.sqe_count, rate.clock_count * rate.data_w / 512) << rate.data_w;
  }
}

TEST(ClockFigures, TheTopKeepsPaceWithTheCore) {
  for (const TopRate& rate : MeasureTopRates()) {
    EXPECT_GE(rate.commands_per_clock, 0.33) << rate.mix;
  }
}

TEST(ClockFigures, ADoorbellAndACompletionAreTakenInEachClock) {
  EXPECT_EQ(MeasureDoorbellsPerClock(), 1.0);
  EXPECT_EQ(MeasureCompletionsPerClock(), 1.0);
}

}  // namespace
}  // namespace nvmearb::tb
