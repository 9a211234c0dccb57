// SPDX-License-Identifier: Apache-2.0
//
// Several paths to a namespace: what the policies do without any real drive's numbers, what a fault
// does, and what a scenario may say about both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "nvme/base/random.h"
#include "short_scenario.h"
#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::system {
namespace {

using host::UserError;

/// Two paths, 8 threads of depth 8. `host`: lines of [host]; `more`: events, more of the variant.
std::string Text(const std::string& host, const std::string& more = "",
                 const std::string& runtime = "20ms") {
  return fmt::format(R"(title = "t"
source = "s"
[run]
runtime = "{}"
reason = "short"
[host]
cpus = "1x8x1"
{}
[[cgroup]]
name = "gold"
[[path]]
name = "a"
latency = "10us"
[[path]]
name = "b"
latency = "10us"
[[job]]
name = "job"
cgroup = "gold"
command = "--name=r --ioengine=libaio --direct=1 --rw=randrw --bs=4k --iodepth=8 --numjobs=8"
[[variant]]
name = "v"
{}
)",
                     runtime, host, more);
}

sim::VariantResult RunText(const std::string& text, sim::Engine engine = sim::Engine::kModel) {
  const sim::Scenario scenario = sim::ParseScenario(text, "multipath.toml", {});
  sim::SimulationOptions options;
  options.machine.engine = engine;
  return sim::RunVariant(scenario, scenario.variants[0], options);
}

void ExpectGood(const sim::VariantResult& result) {
  EXPECT_TRUE(result.findings.empty()) << result.findings[0] << "\n" << result.first_finding;
  EXPECT_GT(result.io_count, 1000u);
}

// Mechanisms.

TEST(Multipath, NumaUsesOneOfTwoEqualPaths) {
  const auto result = RunText(Text(""));
  ExpectGood(result);
  EXPECT_EQ(result.paths[0].share_pct, 100);
  EXPECT_EQ(result.iopolicy, "numa");
}

TEST(Multipath, NumaGivesEveryNodeItsController) {
  std::string text = Text("");
  text.replace(text.find("1x8x1"), 5, "2x4x1");
  text.replace(text.find("name = \"a\""), 10, "name = \"a\"\nnuma_node = 0");
  text.replace(text.find("name = \"b\""), 10, "name = \"b\"\nnuma_node = 1");
  const auto result = RunText(text);
  ExpectGood(result);
  EXPECT_NEAR(result.paths[0].share_pct, 50, 3);
}

TEST(Multipath, RoundRobinDividesEvenlyOnBothEngines) {
  for (const sim::Engine engine : {sim::Engine::kModel, sim::Engine::kRtl}) {
    const auto result = RunText(Text("iopolicy = \"round-robin\"", "", "4ms"), engine);
    ExpectGood(result);
    EXPECT_NEAR(result.paths[0].share_pct, 50, 0.1);
    EXPECT_GT(result.judged_grants, result.io_count);  // both judges watched
  }
}

TEST(Multipath, QueueDepthAvoidsTheSlowPathAndRoundRobinDoesNot) {
  const std::string slow = "[[event]]\nat = \"0ms\"\nlatency = { a = \"2ms\" }";
  const auto depth = RunText(Text("iopolicy = \"queue-depth\"", slow));
  const auto round = RunText(Text("iopolicy = \"round-robin\"", slow));
  ExpectGood(depth);
  EXPECT_LT(depth.paths[0].share_pct, 15);
  EXPECT_NEAR(round.paths[0].share_pct, 50, 0.5);
  EXPECT_GT(depth.jobs[0].iops, 3 * round.jobs[0].iops);
}

TEST(Multipath, LatencyShiftsTrafficOffAPathThatSlowsDownAndBack) {
  // A third of the run slow, twice as long again fast.
  const std::string events = R"([[event]]
at = "20ms"
latency = { a = "2ms" }
[[event]]
at = "40ms"
latency = { a = "10us" }
)";
  const std::string host = "iopolicy = \"latency\"";
  const auto equal = RunText(Text(host, "", "80ms"));
  const auto whole = RunText(Text(host, events, "80ms"));
  const auto until = RunText(Text(host, events, "40ms"));
  const auto before = RunText(Text(host, events, "20ms"));
  ExpectGood(whole);
  EXPECT_NEAR(equal.paths[0].share_pct, 50, 15);
  const auto bios = [](const sim::VariantResult& result, int path) {
    return static_cast<double>(result.paths[static_cast<std::size_t>(path)].bios);
  };
  const double slow_a = bios(until, 0) - bios(before, 0);
  const double slow_b = bios(until, 1) - bios(before, 1);
  EXPECT_LT(slow_a / (slow_a + slow_b), 0.2);
  const double after_a = bios(whole, 0) - bios(until, 0);
  const double after_b = bios(whole, 1) - bios(until, 1);
  EXPECT_NEAR(after_a / (after_a + after_b), 0.5, 0.2);
}

TEST(Multipath, AWeakLinkLimitsItsPath) {
  const std::string weak = "[[event]]\nat = \"0ms\"\nbandwidth = { a = 40000000 }";
  const auto result = RunText(Text("iopolicy = \"queue-depth\"", weak));
  ExpectGood(result);
  // 40 MB/s in each direction for reads and writes in equal parts.
  EXPECT_LT(static_cast<double>(result.paths[0].bytes), 2 * 40e6 * 0.021);
  EXPECT_GT(result.paths[1].bytes, 4 * result.paths[0].bytes);
}

// Composition.

/// Of both paths together.
double MibOf(const std::string& text, sim::Engine engine = sim::Engine::kModel) {
  const auto result = RunText(text, engine);
  ExpectGood(result);
  EXPECT_NEAR(result.paths[0].share_pct, 50, 1);
  return result.jobs[0].mib_per_s;
}

TEST(Multipath, ControllersOfOneDriveShareItsDies) {
  // 8 dies of 80 us: 100,000 reads a second, whoever asks.
  std::string own = Text("iopolicy = \"round-robin\"", "device.dies = 8\nnote = \"few dies\"");
  own.replace(own.find("--rw=randrw"), 11, "--rw=randread");
  std::string shared = own;
  for (const char* name : {"name = \"a\"", "name = \"b\""}) {
    shared.replace(shared.find(name), 10, std::string(name) + "\ndrive = \"d\"");
  }
  const double two = MibOf(own);
  const double one = MibOf(shared);
  EXPECT_NEAR(one / (100'000.0 * 4096 / (1 << 20)), 1, 0.06);
  EXPECT_GT(two, 1.5 * one);
  EXPECT_NEAR(MibOf(shared, sim::Engine::kRtl) / one, 1, 0.02);
}

TEST(Multipath, ADriveServesItsOtherControllerWhenOneIsLost) {
  std::string text = Text("iopolicy = \"round-robin\"", R"([[event]]
at = "5ms"
link = { a = "down" }
[[event]]
at = "12ms"
link = { a = "up" }
)",
                          "40ms");
  for (const char* name : {"name = \"a\"", "name = \"b\""}) {
    text.replace(text.find(name), 10, std::string(name) + "\ndrive = \"d\"");
  }
  const auto result = RunText(text);
  ExpectGood(result);
  EXPECT_GT(result.paths[0].path_errors, 10u);
  EXPECT_EQ(result.paths[1].path_errors, 0u);
  EXPECT_GT(result.paths[0].share_pct, 25);
}

TEST(Multipath, WeightsHoldOnEveryPath) {
  const auto result =
      RunText(Text("iopolicy = \"round-robin\"\nwrr_high_queues = 2\nwrr_low_queues = 2",
                   "io_wrr = { gold = \"high\" }\nweights = [4, 2, 1]"));
  ExpectGood(result);
  EXPECT_EQ(result.jobs[0].queue_class, "high");
  EXPECT_GT(result.device["fetched_by_class"]["high"].get<std::uint64_t>(), 1000u);
  EXPECT_EQ(result.device["fetched_by_class"]["medium"].get<std::uint64_t>(), 0u);
}

// Faults.

constexpr const char* kDownAndUp = R"([[event]]
at = "5ms"
link = { a = "down" }
[[event]]
at = "12ms"
link = { a = "up" }
)";

TEST(Multipath, APathIsLostWithIoInFlightAndReturnsOnBothEngines) {
  for (const sim::Engine engine : {sim::Engine::kModel, sim::Engine::kRtl}) {
    const auto result = RunText(Text("iopolicy = \"round-robin\"", kDownAndUp, "40ms"), engine);
    ExpectGood(result);
    EXPECT_GT(result.paths[0].path_errors, 10u);
    EXPECT_EQ(result.paths[1].path_errors, 0u);
    EXPECT_EQ(result.paths[0].losses, 1u);
    EXPECT_EQ(result.paths[0].state, "live");
    EXPECT_GT(result.paths[0].share_pct, 25);  // it takes part again
    EXPECT_LT(result.paths[0].share_pct, 48);
  }
}

TEST(Multipath, AllPathsAreLostThenOneReturns) {
  const auto result = RunText(Text("iopolicy = \"queue-depth\"", R"([[event]]
at = "5ms"
link = { a = "down", b = "down" }
[[event]]
at = "15ms"
link = { b = "up" }
)",
                                   "40ms"));
  ExpectGood(result);
  // Those in flight, and the few that their tasks were about to submit.
  EXPECT_GE(result.device["failovers"].get<std::uint64_t>(), 56u);
  EXPECT_EQ(result.device["waits_for_a_path"].get<std::uint64_t>(), 64u);
  EXPECT_EQ(result.paths[0].state, "connecting");
  EXPECT_GT(result.paths[1].share_pct, 60);
}

TEST(Multipath, APathThatDiesSilentlyIsFoundByTheTimeout) {
  std::string text = Text("iopolicy = \"round-robin\"\nio_timeout = 1", R"([[event]]
at = "5ms"
link = { a = "silent" }
)",
                          "1500ms");
  text.insert(text.find("[host]"), "stall = \"5s\"\n");
  // A slow drive: a second and a half of a fast one would take long.
  text += "[device]\npreset = \"1ms-16tags\"\n";
  const auto result = RunText(text);
  ExpectGood(result);
  EXPECT_GT(result.paths[0].path_errors, 0u);
  EXPECT_EQ(result.paths[0].losses, 1u);
  std::string notices;
  for (const std::string& notice : result.notices) notices += notice + "\n";
  EXPECT_NE(notices.find("the controller does not answer"), std::string::npos) << notices;
}

TEST(Multipath, APathFailsDuringASwitchOfThePolicy) {
  const auto result = RunText(Text("iopolicy = \"queue-depth\"", R"([[event]]
at = "5ms"
iopolicy = "latency"
link = { a = "down" }
[[event]]
at = "5ms"
iopolicy = "round-robin"
[[event]]
at = "9ms"
iopolicy = "queue-depth"
link = { a = "up" }
ana = { b = "inaccessible" }
[[event]]
at = "30ms"
ana = { b = "non-optimized" }
)",
                                   "40ms"));
  ExpectGood(result);
  EXPECT_EQ(result.iopolicy, "queue-depth");
  EXPECT_EQ(result.notes.at(0), "event at 5ms: iopolicy latency, link of a down");
}

TEST(Multipath, WithoutAnyPathIoEndsWhenFastIoFailSaysSoAndIsFound) {
  const auto result = RunText(Text("fast_io_fail_tmo = \"2ms\"", R"([[event]]
at = "5ms"
link = { a = "down", b = "down" }
[[event]]
at = "10ms"
link = { a = "up" }
)",
                                   "15ms"));
  ASSERT_FALSE(result.findings.empty());
  EXPECT_NE(result.findings[0].find("I/O ended with an error"), std::string::npos);
}

/// Every scheduler with every policy, with and without WRR, under random events.
TEST(Multipath, RandomFaultsLoseNothing) {
  base::Random random(1);
  const char* const schedulers[] = {"none", "mq-deadline", "kyber", "bfq"};
  const char* const policies[] = {"numa", "round-robin", "queue-depth", "latency"};
  std::uint64_t ios = 0;
  std::uint64_t failovers = 0;
  for (unsigned run = 0; run < 8; ++run) {
    std::string host = fmt::format(
        "scheduler = \"{}\"\niopolicy = \"{}\"\nreconnect_delay = \"1ms\"\nio_queue_depth = {}\n",
        schedulers[run % 4], policies[random.Below(4)], random.InRange(8, 64));
    std::string more;
    if (run % 2 == 0) {
      host += "wrr_high_queues = 2\nwrr_low_queues = 2\n";
      more = "io_wrr = { gold = \"high\" }\n";
    }
    for (int event = 0; event < 25; ++event) {
      more += fmt::format("[[event]]\nat = \"{}us\"\n", random.Below(30'000));
      const char path = random.Below(2) == 0 ? 'a' : 'b';
      switch (random.Below(6)) {
        case 0:
        case 1:
          more += fmt::format("link = {{ {} = \"down\" }}\n", path);
          break;
        case 2:
        case 3:
          more += "link = { a = \"up\", b = \"up\" }\n";
          break;
        case 4:
          more += fmt::format("iopolicy = \"{}\"\n", policies[random.Below(4)]);
          break;
        default:
          more += fmt::format("latency = {{ {} = \"{}us\" }}\n", path, random.Below(500));
      }
    }
    more += "[[event]]\nat = \"31ms\"\nlink = { a = \"up\", b = \"up\" }\n";
    const auto result = RunText(Text(host, more, "45ms"));
    SCOPED_TRACE(host + more);
    ASSERT_TRUE(result.findings.empty()) << result.findings[0] << "\n" << result.first_finding;
    ios += result.io_count;
    failovers += result.device["failovers"].get<std::uint64_t>();
  }
  EXPECT_GT(ios, 20'000u);
  EXPECT_GT(failovers, 300u);
}

TEST(Multipath, ARunIsTheSameToTheByteTwice) {
  const std::string text = Text("iopolicy = \"latency\"", kDownAndUp);
  sim::RunResult first;
  first.variants.push_back(RunText(text));
  sim::RunResult second;
  second.variants.push_back(RunText(text));
  EXPECT_EQ(sim::ToJson(first), sim::ToJson(second));
}

// What is shown.

TEST(Multipath, TableAndJsonShowTheTrafficPerPath) {
  const auto result = RunText(Text("iopolicy = \"round-robin\"", kDownAndUp));
  const std::string table = sim::FormatVariant(result, false);
  EXPECT_NE(table.find("  path  state           share %"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  a     optimized"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  iopolicy round-robin\n"), std::string::npos) << table;
  const auto& paths = result.device["paths"];
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[1]["name"], "b");
  EXPECT_EQ(paths[1]["bios"].get<std::uint64_t>(), result.paths[1].bios);
}

// What a scenario may say.

std::string ErrorOf(const std::string& text) {
  try {
    const sim::Scenario scenario = sim::ParseScenario(text, "multipath.toml", {});
    const sim::Parameters parameters = sim::MachineOf(scenario, scenario.variants[0]);
    sim::CheckMachine(parameters, sim::Engine::kModel, "multipath.toml: variant v");
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Multipath, MistakesAreOneLineEach) {
  EXPECT_EQ(ErrorOf(Text("")), "none");
  EXPECT_NE(ErrorOf(Text("iopolicy = \"fastest\""))
                .find("allowed: one of numa, round-robin, queue-depth, latency"),
            std::string::npos);
  EXPECT_NE(ErrorOf(Text("", "[[event]]\nat = \"1ms\"\nlink = { c = \"down\" }"))
                .find("event[].link: \"c\" is not in this file; it has a, b"),
            std::string::npos);
  std::string alone = Text("nlat_decay = 10");
  for (int i = 0; i < 2; ++i) {
    const std::size_t at = alone.find("[[path]]");
    alone.erase(at, alone.find("[[", at + 2) - at);
  }
  EXPECT_NE(ErrorOf(alone).find("host.nlat_decay is set, but there is no [[path]]"),
            std::string::npos)
      << ErrorOf(alone);
  std::string far = Text("");
  far.replace(far.find("name = \"a\""), 10, "name = \"a\"\nnuma_node = 3");
  EXPECT_NE(ErrorOf(far).find("path a is at NUMA node 3"), std::string::npos) << ErrorOf(far);
}

// Ratios and orders.

sim::VariantResult Measured(const std::string& name, double mean) {
  sim::VariantResult variant;
  variant.name = name;
  sim::JobResult job;
  job.name = "job";
  job.lat_mean_us = mean;
  variant.jobs.push_back(job);
  return variant;
}

TEST(Compare, ARatioIsToTheVariantOfTheSameRun) {
  sim::Comparison wanted{"b", "job", "lat_mean", "ratio", 0.5, 15, "", "a"};
  const std::vector<sim::VariantResult> earlier = {Measured("a", 200)};
  auto results = sim::Compare({wanted}, Measured("b", 110), earlier);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_DOUBLE_EQ(results[0].measured, 0.55);
  EXPECT_TRUE(results[0].Pass());
  results = sim::Compare({wanted}, Measured("b", 120), earlier);
  EXPECT_TRUE(results[0].Fails());                                      // 0.6: 20 %
  EXPECT_TRUE(sim::Compare({wanted}, Measured("b", 110), {}).empty());  // a was not run
}

TEST(Compare, AnOrderCountsPairsAndLeavesTiesOut) {
  sim::Comparison wanted{"c", "job", "lat_mean", "pairs", 2, 0, "", "", 3};
  wanted.order = {{"a", 186}, {"b", 178}, {"c", 182}};  // b and c, and a and c: within 3 %
  wanted.published = 1;
  const std::vector<sim::VariantResult> right = {Measured("a", 300), Measured("b", 200)};
  const std::vector<sim::VariantResult> wrong = {Measured("a", 200), Measured("b", 300)};
  EXPECT_TRUE(sim::Compare({wanted}, Measured("c", 1), right)[0].Pass());
  EXPECT_TRUE(sim::Compare({wanted}, Measured("c", 1), wrong)[0].Fails());
  EXPECT_TRUE(sim::Compare({wanted}, Measured("c", 1), {Measured("a", 300)}).empty());
}

TEST(Multipath, TheTableOfSource003HoldsOrIsDeclared) {
  const sim::Scenario scenario = Shipped("s003_iopolicy", {});
  const sim::RunResult run = RunAll(scenario, sim::Engine::kModel);
  unsigned compared = 0;
  for (const sim::VariantResult& variant : run.variants) {
    EXPECT_TRUE(variant.findings.empty()) << variant.findings[0];
    for (const sim::ComparisonResult& result : variant.comparisons) {
      ++compared;
      EXPECT_FALSE(result.Fails())
          << variant.name << ", " << result.wanted.job << ", " << result.wanted.Label() << ": "
          << result.measured << " instead of " << result.wanted.published;
    }
  }
  EXPECT_EQ(compared, 20u);  // 4 means, 8 ratios, 8 orders
}

}  // namespace
}  // namespace nvmearb::system
