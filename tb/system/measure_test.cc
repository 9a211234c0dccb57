// SPDX-License-Identifier: Apache-2.0
//
// What the table says of a fio process that has several jobs.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "short_scenario.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::system {
namespace {

/// What one process with these jobs does.
sim::VariantResult ResultOf(const std::string& jobs) {
  const sim::Scenario scenario = sim::ParseScenario(R"(title = "t"
source = "s"
host = { cpus = "1x4x1" }
[[job]]
name = "p"
command = "--ioengine=libaio --direct=1 --rw=read --bs=128k --iodepth=64 --runtime=20ms --time_based )" +
                                                        jobs +
                                                        R"("
[[variant]]
name = "v"
)",
                                                    "x.toml", {});
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  options.collect_page = true;
  return sim::RunVariant(scenario, scenario.variants[0], options);
}

double MibPerSecond(const std::string& jobs) { return ResultOf(jobs).jobs[0].mib_per_s; }

TEST(Measure, RateOfSectionsOneAfterTheOtherIsNotTheirSum) {
  const double one = MibPerSecond("--name=a");
  EXPECT_NEAR(one, 3e9 / (1 << 20), 200);  // the read link
  EXPECT_NEAR(MibPerSecond("--name=a --name=b --stonewall"), one, 0.05 * one);
}

// A task that sleeps for a tag begins to count 200 ms behind the other, in a run of 1 us.
TEST(Measure, SeriesOfJobsThatLieFarApartHasNoMillionsOfBuckets) {
  const sim::Scenario scenario = Shipped("s002_mq_deadline_aging", {"run.runtime=1us"});
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  options.collect_page = true;
  const sim::VariantResult result =
      sim::RunVariant(scenario, VariantOf(scenario, "aging_100s"), options);
  ASSERT_EQ(result.series.jobs.size(), 2u);
  for (const sim::JobSeries& job : result.series.jobs) EXPECT_LE(job.ios.size(), 20'001u);
}

TEST(Measure, SeriesShowsSectionsOneAfterTheOther) {
  const sim::VariantResult result = ResultOf("--name=a --name=b --stonewall");
  const sim::JobSeries& series = result.series.jobs.at(0);
  const double seconds = static_cast<double>(result.series.bucket_ps) / 1e12;
  EXPECT_GT(static_cast<double>(series.bytes.size()) * seconds, 0.038);
  double sum = 0;
  for (const std::uint64_t bytes : series.bytes) sum += static_cast<double>(bytes);
  EXPECT_NEAR(sum / (static_cast<double>(series.bytes.size()) * seconds), 3e9, 0.1 * 3e9);
}

TEST(Measure, RateOfSectionsSideBySideIsTheirSum) {
  const double one = MibPerSecond("--name=a --rate=100m");
  EXPECT_NEAR(one, 100, 5);
  EXPECT_NEAR(MibPerSecond("--rate=100m --name=a --name=b"), 2 * one, 0.05 * 2 * one);
}

TEST(Simulation, WarnsBeforeItRuns) {
  const sim::Scenario scenario = sim::ParseScenario(R"(title = "t"
source = "s"
[[job]]
name = "p"
command = "--name=a --direct=1 --rw=read --runtime=5ms --time_based --write_bw_log=x"
[[variant]]
name = "v"
)",
                                                    "x.toml", {});
  std::vector<std::string> seen;
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  options.warn = [&seen](const std::vector<std::string>& warnings) { seen = warnings; };
  options.progress = [&seen](const sim::ProgressReport&) { EXPECT_EQ(seen.size(), 1u); };
  const sim::VariantResult result = sim::RunVariant(scenario, scenario.variants[0], options);
  EXPECT_EQ(seen, result.warnings);
}

}  // namespace
}  // namespace nvmearb::system
