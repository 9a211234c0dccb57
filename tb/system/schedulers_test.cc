// SPDX-License-Identifier: Apache-2.0
//
// The schedulers on the whole machine: the mechanism behind each of their tables, in short runs.
#include <gtest/gtest.h>

#include "run_program.h"
#include "short_scenario.h"

namespace nvmearb::system {
namespace {

double MergedShare(const sim::VariantResult& result) {
  return result.jobs[0].merges / static_cast<double>(result.io_count);
}

TEST(Schedulers, KyberJoinsSequentialReadsOnlyWhereTheyWaitInReach) {
  const std::vector<std::string> shorter = {"run.runtime=200ms", "run.ramp=50ms",
                                            "run.reason=short"};
  const sim::VariantResult shared = RunOnModel("s004_kyber_seq", "shared", shorter);
  const sim::VariantResult kcq = RunOnModel("s004_kyber_seq", "kcq", shorter);
  EXPECT_EQ(shared.jobs[0].merges, 0);
  EXPECT_NEAR(MergedShare(kcq), 223'000.0 / 524'288, 0.2 * 223'000 / 524'288);
  EXPECT_NEAR(shared.jobs[0].iops, 151'000, 15'100);
  EXPECT_NEAR(kcq.jobs[0].iops, 277'000, 27'700);
  const sim::VariantResult random = RunOnModel("s004_kyber_random", "kcq", shorter);
  EXPECT_LT(MergedShare(random), 0.01);
}

TEST(Schedulers, DeadlineStarvesTheLowerClassUnlessItAges) {
  const std::vector<std::string> shorter = {"run.runtime=2s", "run.ramp=300ms", "run.reason=short"};
  const sim::VariantResult aging = RunOnModel("s002_mq_deadline_aging", "aging_100s", shorter);
  EXPECT_LT(aging.jobs[0].iops, aging.jobs[1].iops / 20);
  EXPECT_NEAR(aging.jobs[1].iops, 11'000, 550);
  const sim::VariantResult none = RunOnModel("s002_mq_deadline_aging", "aging_0", shorter);
  EXPECT_LT(none.jobs[0].iops, 2 * none.jobs[1].iops);
  EXPECT_LT(none.jobs[1].iops, 2 * none.jobs[0].iops);
  EXPECT_GT(none.jobs[0].iops + none.jobs[1].iops, aging.jobs[0].iops + aging.jobs[1].iops);
}

TEST(Schedulers, AttributesChangeWhileTheRunGoesOn) {
  sim::Scenario scenario =
      Shipped("s002_mq_deadline_aging", {"run.runtime=3s", "run.ramp=300ms", "run.reason=short"});
  sim::EventSpec event;
  event.at_ps = 1'800'000'000'000;
  event.iosched["aging_expire"] = 0;
  scenario.events.push_back(event);
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  const sim::VariantResult result =
      sim::RunVariant(scenario, VariantOf(scenario, "aging_100s"), options);
  // Half of the time as with ageing at 100 s, half as with 0.
  EXPECT_GT(result.jobs[0].iops, 2'500);
  EXPECT_LT(result.jobs[0].iops, 5'500);
}

TEST(Schedulers, OnlyTheSchedulersOwnAttributesAreTaken) {
  const ProgramResult other = RunProgram(
      {"run", "s002_mq_deadline_aging", "--engine", "model", "--set", "host.iosched.slice_idle=1"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("mq-deadline-posted has no such tunable"), std::string::npos)
      << other.err;
  const ProgramResult none =
      RunProgram({"run", "wrr_v3_randread", "--set", "host.iosched.slice_idle=1"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("scheduler none has no tunables"), std::string::npos) << none.err;
  const ProgramResult qos =
      RunProgram({"run", "wrr_v3_randread", "--set", "host.io_cost_qos=enable=1 rpct=200"});
  EXPECT_EQ(qos.exit_code, 2);
  EXPECT_NE(qos.err.find("a number from 0 to 100"), std::string::npos) << qos.err;
}

TEST(Schedulers, BfqGivesTheDriveToOneQueueAtATime) {
  const std::vector<std::string> shorter = {"run.runtime=200ms", "run.ramp=50ms",
                                            "run.reason=short", "run.drain=false"};
  // Eight slots: a job's rate depends a little on the CPU that it is on.
  const std::vector<std::string> slots = {"run.runtime=1s", "run.ramp=50ms", "run.reason=short",
                                          "run.drain=false"};
  const sim::VariantResult bfq = RunOnModel("s001_randread_vs_randread", "bfq", slots);
  const sim::VariantResult none = RunOnModel("s001_randread_vs_randread", "none", shorter);
  EXPECT_NEAR(bfq.jobs[0].iops + bfq.jobs[1].iops, 215'457, 0.05 * 215'457);
  EXPECT_NEAR(none.jobs[0].iops + none.jobs[1].iops, 729'918, 0.05 * 729'918);
}

TEST(Schedulers, EverySchedulerGoesWithEveryArbitration) {
  for (const std::string& scheduler : host::SchedulerNames()) {
    const sim::VariantResult result = RunOnModel(
        "s001_randread_vs_seqwrite", "wrr",
        {"run.runtime=20ms", "run.ramp=0us", "run.reason=short", "host.scheduler=" + scheduler,
         "host.io_cost_qos=enable=1",
         "host.io_cost_model=rbps=3286476297 rseqiops=547837 rrandiops=793881 wbps=2001272356 "
         "wseqiops=482243 wrandiops=483037"});
    // Within 20 ms bfq may serve one of the two only.
    EXPECT_GT(result.jobs[0].io_count + result.jobs[1].io_count, 20u) << scheduler;
  }
}

}  // namespace
}  // namespace nvmearb::system
