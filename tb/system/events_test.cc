// SPDX-License-Identifier: Apache-2.0
//
// Policy that changes while a scenario runs: [[event]].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::system {
namespace {

using host::UserError;

/// Two tenants that ask for more than the drive has, weights 4:1, and `events`.
sim::Scenario Tenants(const std::string& events) {
  const std::string text = R"(title = "t"
source = "s"
[run]
runtime = "40ms"
reason = "short"
[host]
cpus = "1x8x1"
[[cgroup]]
name = "gold"
[[cgroup]]
name = "bronze"
[[job]]
name = "gold"
cgroup = "gold"
command = "--name=a --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=128 --numjobs=4"
[[job]]
name = "bronze"
cgroup = "bronze"
command = "--name=b --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=128 --numjobs=4"
[[variant]]
name = "wrr"
io_wrr = { gold = "high", bronze = "low" }
weights = [4, 2, 1]
host.wrr_high_queues = 2
host.wrr_low_queues = 2
[[variant]]
name = "other"
)";
  return sim::ParseScenario(text + events, "events.toml", {});
}

/// Share of gold before and after the middle of the run.
struct Shares {
  double before = 0;
  double after = 0;
  sim::VariantResult result;
};

Shares RunTenants(const std::string& events, sim::Engine engine = sim::Engine::kModel) {
  const sim::Scenario scenario = Tenants(events);
  sim::SimulationOptions options;
  options.machine.engine = engine;
  options.collect_page = true;
  Shares shares;
  shares.result = sim::RunVariant(scenario, scenario.variants[0], options);
  const auto share = [&](std::size_t from, std::size_t to) {
    double sums[2] = {};
    for (std::size_t job = 0; job < 2; ++job) {
      const auto& ios = shares.result.series.jobs[job].ios;
      for (std::size_t i = from; i < to; ++i) sums[job] += static_cast<double>(ios.at(i));
    }
    return sums[0] / (sums[0] + sums[1]);
  };
  shares.before = share(10, 45);
  // What was outstanding at the change leaves the queue of its old class within 8 ms: 1024 I/Os at
  // a fifth of the drive's rate.
  shares.after = share(75, 98);
  return shares;
}

TEST(RunEvents, WeightsTakeEffectWhileItRuns) {
  for (const sim::Engine engine : {sim::Engine::kModel, sim::Engine::kRtl}) {
    const Shares shares = RunTenants("[[event]]\nat = \"20ms\"\nweights = [1, 2, 4]\n", engine);
    EXPECT_NEAR(shares.before, 0.8, 0.01);
    EXPECT_NEAR(shares.after, 0.2, 0.01);
    EXPECT_TRUE(shares.result.findings.empty()) << shares.result.findings.front();
    ASSERT_EQ(shares.result.notes.size(), 1u);
    EXPECT_EQ(shares.result.notes[0].rfind("event at 20ms: weights 1,2,4, answered ", 0), 0u)
        << shares.result.notes[0];
  }
}

TEST(RunEvents, WithoutThemNothingChanges) {
  const Shares shares = RunTenants("");
  EXPECT_NEAR(shares.before, 0.8, 0.01);
  EXPECT_NEAR(shares.after, 0.8, 0.01);
  EXPECT_TRUE(shares.result.notes.empty());
}

TEST(RunEvents, ALevelMayChange) {
  const Shares shares =
      RunTenants("[[event]]\nat = \"20ms\"\nio_wrr = { gold = \"low\", bronze = \"high\" }\n");
  EXPECT_NEAR(shares.before, 0.8, 0.01);
  EXPECT_NEAR(shares.after, 0.2, 0.01);
}

TEST(RunEvents, BurstAndWeightsKeepWhatTheyDoNotSay) {
  const Shares shares = RunTenants(
      "[[event]]\nat = \"5ms\"\nburst = 0\n[[event]]\nat = \"20ms\"\nweights = [1, 1, 1]\n");
  EXPECT_NEAR(shares.before, 0.8, 0.01) << "the weights stayed";
  EXPECT_NEAR(shares.after, 0.5, 0.01);
}

TEST(RunEvents, OnlyInItsVariantsAndInTime) {
  const Shares other =
      RunTenants("[[event]]\nat = \"20ms\"\nweights = [1, 2, 4]\nvariants = [\"other\"]\n");
  EXPECT_NEAR(other.after, 0.8, 0.01);
  EXPECT_TRUE(other.result.notes.empty());
  const Shares late = RunTenants("[[event]]\nat = \"10s\"\nweights = [1, 2, 4]\n");
  ASSERT_EQ(late.result.notes.size(), 1u);
  EXPECT_EQ(late.result.notes[0], "event at 10s: weights 1,2,4: not made, the run ended before");
}

std::string ErrorOf(const std::string& events) {
  try {
    (void)Tenants(events);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(RunEvents, KeysAreChecked) {
  EXPECT_NE(ErrorOf("[[event]]\nweights = [1, 2, 4]\n").find("event[].at: missing"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[[event]]\nat = \"1s\"\n").find("event: it changes nothing; weights"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[[event]]\nat = \"1s\"\nburst = 1\nvariants = [\"rr\"]\n")
                .find("event[].variants: \"rr\" is not in this file"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[[event]]\nat = \"1s\"\nio_wrr = { silver = \"low\" }\n")
                .find("event[].io_wrr: \"silver\" is not in this file"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[[event]]\nat = 10\nburst = 1\n").find("event[].at: 10; allowed: a time"),
            std::string::npos);
}

}  // namespace
}  // namespace nvmearb::system
