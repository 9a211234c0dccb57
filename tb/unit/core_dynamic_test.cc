// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core of every size under random traffic: arrivals in any clock, back-pressure, holds, creation and
// deletion, settings, refused doorbells, reset under load.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core_bench.h"
#include "core_mirror.h"
#include "core_traffic.h"

namespace nvmearb::tb {
namespace {

/// NVMEARB_SEED repeats one run of a test.
std::uint64_t FirstSeed(std::uint64_t standard) {
  const char* text = std::getenv("NVMEARB_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : standard;
}
bool OneSeed() { return std::getenv("NVMEARB_SEED") != nullptr; }

TrafficOptions RandomOptions(std::uint64_t seed) {
  base::Random random(seed, 7);
  TrafficOptions o;
  o.seed = seed;
  o.wrr = random.Below(3) != 0;
  o.bad_doorbells = random.Below(2) != 0;
  o.reconfigure = random.Below(2) != 0;
  o.holds = random.Below(4) == 0;
  o.max_count = 1 + static_cast<unsigned>(random.Below(8));
  const unsigned ready[] = {100, 100, 60, 20};
  o.ready_percent = ready[random.Below(4)];
  const unsigned doorbells[] = {100, 50, 20, 5};
  o.doorbell_percent = doorbells[random.Below(4)];
  const unsigned slots[] = {2, 5, 40, 500};
  o.slot_count = slots[random.Below(4)];
  return o;
}

std::string Describe(const TrafficOptions& o, unsigned sq_count) {
  return fmt::format(
      "{} SQs seed {} wrr {} bad {} reconfigure {} holds {} max {} ready {} doorbells {} slots {} "
      "(repeat: NVMEARB_SEED={})",
      sq_count, o.seed, o.wrr, o.bad_doorbells, o.reconfigure, o.holds, o.max_count,
      o.ready_percent, o.doorbell_percent, o.slot_count, o.seed);
}

class CoreDynamic : public ::testing::TestWithParam<unsigned> {};

// The stricter claim: with the moments of the picks known, even arrivals in any clock give the golden
// order to the command.
TEST_P(CoreDynamic, EqualsTheGoldenArbiterWithArrivalsInAnyClock) {
  const unsigned sq_count = GetParam();
  std::uint64_t grants = 0, commands = 0;
  for (std::uint64_t run = 0; run < (OneSeed() ? 1u : 40u); ++run) {
    const TrafficOptions options = RandomOptions(FirstSeed(1000 * sq_count) + run);
    SCOPED_TRACE(Describe(options, sq_count));
    CoreBench bench(sq_count);
    CoreMirror mirror(sq_count);
    bench.Observe(&mirror);
    CoreTraffic traffic(&bench, options);
    traffic.BringUp();
    for (int i = 0; i < 20000 && mirror.findings().empty(); ++i) traffic.Step();
    if (mirror.findings().empty()) {
      EXPECT_TRUE(traffic.WindDown());
      mirror.Finish(options.max_count);
    }
    ASSERT_EQ(mirror.findings(), std::vector<std::string>{});
    ASSERT_EQ(traffic.findings(), std::vector<std::string>{});
    ASSERT_FALSE(bench.dut().AssertionFailed());
    EXPECT_EQ(mirror.command_count(), traffic.command_count());
    grants += mirror.grant_count();
    commands += mirror.command_count();
  }
  RecordProperty("grants", fmt::format("{}", grants));
  fmt::print("{} SQs: {} grants of {} commands\n", sq_count, grants, commands);
  EXPECT_GT(grants, OneSeed() ? 0u : 20000u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreDynamic, ::testing::ValuesIn(kCoreSizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

}  // namespace
}  // namespace nvmearb::tb
