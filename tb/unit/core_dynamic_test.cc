// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core of every size under random traffic: arrivals in any clock, back-pressure, holds,
// creation and deletion, settings, refused doorbells, reset under load.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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
/// How often a test runs. NVMEARB_ALL_RUNS: as often on an engine that is slow to simulate.
unsigned RunCount(unsigned standard) {
  if (OneSeed()) return 1;
  return std::getenv("NVMEARB_ALL_RUNS") != nullptr ? standard
                                                    : std::max(1u, standard / Traits().fewer_runs);
}

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

// The stricter claim: with the moments of the picks known, even arrivals in any clock give the
// golden order to the command.
TEST_P(CoreDynamic, EqualsTheGoldenArbiterWithArrivalsInAnyClock) {
  const unsigned sq_count = GetParam();
  std::uint64_t grants = 0, commands = 0;
  for (std::uint64_t run = 0; run < RunCount(64); ++run) {
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
      mirror.Finish();
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
  EXPECT_GT(grants, OneSeed() ? 0u : 300u * RunCount(64));
}

// CQs that run full: which SQs are parked when, in what order they return.
TEST_P(CoreDynamic, EqualsTheGoldenArbiterWithFullCqsOneActionAtATime) {
  const unsigned sq_count = GetParam();
  std::uint64_t grants = 0;
  for (std::uint64_t run = 0; run < RunCount(20); ++run) {
    TrafficOptions options = RandomOptions(FirstSeed(2000 * sq_count + 500) + run);
    options.one_at_a_time = true;
    options.tight_cqs = true;
    options.holds = options.seed % 2 != 0;
    options.ready_percent = 100;
    SCOPED_TRACE(Describe(options, sq_count));
    CoreBench bench(sq_count);
    CoreMirror mirror(sq_count);
    bench.Observe(&mirror);
    CoreTraffic traffic(&bench, options);
    traffic.BringUp();
    for (int i = 0; i < 3000 && mirror.findings().empty(); ++i) {
      traffic.Step();
      mirror.Finish();
    }
    ASSERT_EQ(mirror.findings(), std::vector<std::string>{});
    ASSERT_EQ(traffic.findings(), std::vector<std::string>{});
    ASSERT_FALSE(bench.dut().AssertionFailed());
    grants += mirror.grant_count();
  }
  fmt::print("{} SQs: {} grants\n", sq_count, grants);
  EXPECT_GT(grants, OneSeed() ? 0u : 100u * RunCount(20));
}

// Full CQs and everything else at once: exactly once, in order, never overbooked, all served at the
// end.
TEST_P(CoreDynamic, ServesEveryCommandOnceWithFullCqsUnderLoad) {
  const unsigned sq_count = GetParam();
  std::uint64_t commands = 0;
  // A run alone may have few commands: holds, halted SQs.
  const std::uint64_t runs = OneSeed() ? 1 : std::max<std::uint64_t>(RunCount(8), 5);
  for (std::uint64_t run = 0; run < runs; ++run) {
    TrafficOptions options = RandomOptions(FirstSeed(3000 * sq_count + 700) + run);
    options.tight_cqs = true;
    SCOPED_TRACE(Describe(options, sq_count));
    CoreBench bench(sq_count);
    CoreTraffic traffic(&bench, options);
    traffic.BringUp();
    for (int i = 0; i < 20000 && traffic.findings().empty(); ++i) traffic.Step();
    EXPECT_TRUE(traffic.WindDown());
    ASSERT_EQ(traffic.findings(), std::vector<std::string>{});
    ASSERT_FALSE(bench.dut().AssertionFailed());
    commands += traffic.command_count();
  }
  fmt::print("{} SQs: {} commands\n", sq_count, commands);
  EXPECT_GT(commands, OneSeed() ? 0u : 375u * runs);
}

TEST_P(CoreDynamic, ForgetsEverythingOnResetUnderLoadAndStartsAnew) {
  const unsigned sq_count = GetParam();
  TrafficOptions options = RandomOptions(FirstSeed(4000 * sq_count));
  options.reconfigure = options.bad_doorbells = true;
  options.holds = false;
  options.wrr = options.plain_lives = true;
  SCOPED_TRACE(Describe(options, sq_count));
  CoreBench bench(sq_count);
  CoreMirror mirror(sq_count);
  bench.Observe(&mirror);
  CoreTraffic traffic(&bench, options);
  traffic.BringUp();
  for (int life = 0; life < 20; ++life) {
    for (int i = 0; i < 1500; ++i) traffic.Step();
    traffic.ResetUnderLoad();
    ASSERT_EQ(mirror.findings(), std::vector<std::string>{});
  }
  EXPECT_EQ(traffic.reset_count(), 20u);
  EXPECT_TRUE(traffic.WindDown());
  mirror.Finish();
  EXPECT_EQ(mirror.findings(), std::vector<std::string>{});
  EXPECT_EQ(traffic.findings(), std::vector<std::string>{});
  EXPECT_FALSE(bench.dut().AssertionFailed());
}

// The simulator leaves out the clocks in which the core is quiescent and no input is valid. Two
// runs, with and without, have to show the same in every clock.
TEST_P(CoreDynamic, ShowsTheSameWhenQuiescentClocksAreLeftOut) {
  class Recorder final : public CoreObserver {
   public:
    explicit Recorder(CoreBench* bench) : bench_(bench) {}
    void OnCycle(std::uint64_t, const CoreIn&, const CoreOut&, const CoreConfig*) override {
      for (const std::uint32_t word : bench_->dut().Visible()) {
        hash_ = (hash_ ^ word) * 0x100000001b3u;
      }
      trace.push_back(hash_);
    }
    std::vector<std::uint64_t> trace;

   private:
    CoreBench* bench_;
    std::uint64_t hash_ = 0xcbf29ce484222325u;
  };
  const unsigned sq_count = GetParam();
  for (std::uint64_t run = 0; run < RunCount(4); ++run) {
    TrafficOptions options = RandomOptions(FirstSeed(5000 * sq_count) + run);
    options.doorbell_percent = 2;
    options.holds = true;
    options.tight_cqs = run % 2 != 0;
    SCOPED_TRACE(Describe(options, sq_count));
    std::vector<std::uint64_t> traces[2];
    std::uint64_t skipped = 0;
    for (const bool skip : {false, true}) {
      CoreBench bench(sq_count);
      bench.skip_quiescent = skip;
      Recorder recorder(&bench);
      bench.Observe(&recorder);
      CoreTraffic traffic(&bench, options);
      traffic.BringUp();
      for (int i = 0; i < 8000; ++i) traffic.Step();
      traces[skip] = std::move(recorder.trace);
      skipped = bench.skipped_count();
    }
    EXPECT_EQ(traces[0], traces[1]);
    EXPECT_GT(skipped, 500u);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreDynamic, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

}  // namespace
}  // namespace nvmearb::tb
