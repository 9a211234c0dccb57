// SPDX-License-Identifier: Apache-2.0
//
// The mechanism behind the tables of source 001 and its hard case, without their drive's numbers:
// who shares a queue, where weights act, what iocost does with targets and without.
#include <gtest/gtest.h>

#include "run_program.h"
#include "short_scenario.h"

namespace nvmearb::system {
namespace {

constexpr const char* kReaders = "s001_randread_vs_randread";

sim::VariantResult RunOne(const std::string& scenario_name, const std::string& variant,
                          std::vector<std::string> settings) {
  settings.insert(settings.end(), {"run.reason=short", "run.drain=false"});
  return RunOnModel(scenario_name, variant, settings);
}

std::vector<std::string> For(const std::string& runtime,
                             const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"run.runtime=" + runtime, "run.ramp=20ms"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// Reads per write command of 128 KiB.
double ReadsPerWriteCommand(const sim::VariantResult& result) {
  return result.jobs[0].iops / (2 * result.jobs[1].iops);
}

TEST(SharedQueues, AreServedInTurnWhoeverSharesThem) {
  // CPUs 0 to 7 have four read queues; the writer has a queue of its own.
  const sim::VariantResult pinned =
      RunOne("s001_randread_vs_seqwrite", "none", For("200ms", {"host.task_stay=0us"}));
  EXPECT_NEAR(ReadsPerWriteCommand(pinned), 4.0, 0.1);
  // Eight on random ones of 32 CPUs, four to a queue, keep 5.64 of eight queues busy on average.
  const sim::VariantResult moving =
      RunOne("s001_randread_vs_seqwrite", "none", For("3s", {"host.task_stay=100ms"}));
  EXPECT_NEAR(ReadsPerWriteCommand(moving), 5.64, 0.4);
  // The more share a queue, the longer the tail.
  const auto tail = [](const sim::JobResult& job) { return job.clat_p99_us / job.lat_mean_us; };
  EXPECT_GT(tail(moving.jobs[0]), 1.5 * tail(pinned.jobs[0]));
}

TEST(Weights, VanishWhereTheWindowHoldsAllThatIsOutstanding) {
  const auto ratio = [](const char* window) {
    const sim::VariantResult result =
        RunOne(kReaders, "wrr", For("100ms", {std::string("device.window=") + window}));
    return result.jobs[0].iops / result.jobs[1].iops;
  };
  EXPECT_NEAR(ratio("128"), 65.0 / 9, 0.15);
  EXPECT_NEAR(ratio("512"), 1.0, 0.03);
}

TEST(Iocost, ChangesNothingWithoutTargetsAndProtectsTheHeavyGroupWithThem) {
  // Processes stay where they are: the variants then differ in their policy only.
  const std::vector<std::string> settings = {
      "run.runtime=200ms", "run.ramp=200ms", "host.task_stay=0us",
      "variant.iocost_qos.host.io_cost_qos=enable=1 rpct=95 rlat=300 wpct=95 wlat=5000"};
  const sim::VariantResult none = RunOne(kReaders, "none", settings);
  const sim::VariantResult iocost = RunOne(kReaders, "iocost", settings);
  const sim::VariantResult targets = RunOne(kReaders, "iocost_qos", settings);
  for (unsigned job = 0; job < 2; ++job) {
    EXPECT_NEAR(iocost.jobs[job].iops, none.jobs[job].iops, 0.02 * none.jobs[job].iops) << job;
  }
  EXPECT_GT(targets.jobs[0].iops, 1.2 * none.jobs[0].iops);
  EXPECT_GT(targets.jobs[0].iops, 1.8 * targets.jobs[1].iops);
}

TEST(DepthOne, IsProtectedByWeightsOnlyAgainstWhatWaitsInQueues) {
  const auto mean = [](const char* variant, const char* window) {
    return RunOne("s001_qd1_reader", variant,
                  For("150ms", {std::string("device.window=") + window}))
        .jobs[0]
        .lat_mean_us;
  };
  constexpr double kUnloadedUs = 92.8;
  constexpr double kMediaUs = 80;
  constexpr double kBoundUs = 1.3 * kUnloadedUs + kMediaUs;
  for (const char* variant : {"wrr_high", "wrr_urgent"}) {
    EXPECT_LT(mean(variant, "64"), kBoundUs) << variant;
    // All fits into the window: as without weights.
    EXPECT_GT(mean(variant, "256"), 1.5 * kBoundUs) << variant;
  }
  EXPECT_GT(mean("none", "64"), 1.2 * kBoundUs);
}

TEST(PostedBugs, QueuesAreUrgentWhereNoVectorIsLeftForWeightedOnes) {
  // Eight vectors for I/O: one default queue, seven for reads, none for WRR.
  for (const bool posted : {false, true}) {
    const ProgramResult result =
        RunProgram({"explain", kReaders, "--variant", "wrr", "--set", "host.vectors=9", "--set",
                    posted ? "nvme.posted_bugs=true" : "nvme.posted_bugs=false"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::size_t queues = result.out.find("  default        1  1 ");
    ASSERT_NE(queues, std::string::npos) << result.out;
    const std::string line = result.out.substr(queues, result.out.find('\n', queues) - queues);
    EXPECT_NE(line.find(posted ? "urgent" : "medium"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace nvmearb::system
