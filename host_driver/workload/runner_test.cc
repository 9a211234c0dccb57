// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/runner.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "host_driver/workload/workload_fixture.h"

namespace nvmearb::host {
namespace {

using RunnerTest = WorkloadTest;

TEST_F(RunnerTest, StonewallWaitsForAllJobsBefore) {
  JobSpec a = Spec("a");
  JobSpec b = Spec("b");
  JobSpec c = Spec("c");
  JobSpec d = Spec("d");
  a.runtime = 10 * kMs;
  b.runtime = 20 * kMs;
  c.stonewall = true;
  c.numjobs = 2;
  const std::vector<JobResult> results = Run({a, b, c, d});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].begin, 0u);
  EXPECT_EQ(results[1].begin, 0u);
  for (int i = 2; i < 5; ++i) EXPECT_EQ(results[i].begin, results[1].measured) << i;
  EXPECT_EQ(results[1].group_id, 0u);
  EXPECT_EQ(results[2].group_id, 1u);
  EXPECT_EQ(results[4].group_id, 1u);
}

TEST_F(RunnerTest, StonewallOfOneProcessDoesNotHoldAnother) {
  JobSpec a = Spec("a");
  JobSpec b = Spec("b");
  b.stonewall = true;
  b.instance = 1;
  JobSpec c = Spec("c");
  c.instance = 1;
  const std::vector<JobResult> results = Run({a, b, c});
  for (const JobResult& result : results) EXPECT_EQ(result.begin, 0u);
  EXPECT_EQ(results[1].group_id, 1u);
  EXPECT_EQ(results[2].group_id, 1u);
}

TEST_F(RunnerTest, MoreInFlightThanMemoryHoldsIsRefused) {
  JobSpec spec = Spec("a");
  spec.iodepth = 65536;
  spec.numjobs = 4096;
  try {
    Run({spec});
    FAIL() << "it ran";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("job 'a': iodepth times numjobs is 268435456"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(RunnerTest, StartDelayCountsFromTheStart) {
  JobSpec a = Spec("a");
  JobSpec b = Spec("b");
  b.start_delay = 7 * kMs;
  JobSpec c = Spec("c");
  c.start_delay = kMs;
  c.start_delay_high = 3 * kMs;
  const std::vector<JobResult> results = Run({a, b, c});
  EXPECT_EQ(results[0].begin, 0u);
  EXPECT_EQ(results[1].begin, 7 * kMs);
  EXPECT_GE(results[2].begin, kMs);
  EXPECT_LE(results[2].begin, 3 * kMs);
}

TEST_F(RunnerTest, ExitallEndsTheGroup) {
  JobSpec a = Spec("a");
  a.runtime = 5 * kMs;
  a.exitall = true;
  JobSpec b = Spec("b");
  b.start_delay = kSec;
  JobSpec c = Spec("c");
  c.stonewall = true;
  const std::vector<JobResult> results = Run({a, Spec("x"), b, c});
  EXPECT_LT(results[1].measured, 6 * kMs);
  EXPECT_FALSE(results[2].started);
  EXPECT_TRUE(results[3].started);
  EXPECT_GE(results[3].measured, 50 * kMs);
}

TEST_F(RunnerTest, JobsSpreadOverCpusOrStayOnThoseAllowed) {
  JobSpec a = Spec("a");
  a.numjobs = 10;
  JobSpec b = Spec("b");
  b.numjobs = 3;
  b.cpus_allowed = {2, 5};
  b.cpus_allowed_split = true;
  const std::vector<JobResult> results = Run({a, b});
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(results[i].cpu, i % 8);
  EXPECT_EQ(results[10].cpu, 2);
  EXPECT_EQ(results[11].cpu, 5);
  EXPECT_EQ(results[12].cpu, 2);
  b.cpus_allowed = {8};
  try {
    Make({b});
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "job.fio:1: job 'b': cpus_allowed names CPU 8; the simulated host has CPUs 0-7");
  }
}

TEST_F(RunnerTest, StopEarlyDrainsAndKeepsWhatWasMeasured) {
  JobSpec slow = Spec("slow");
  slow.rate_iops = {10, 0};
  JobSpec later = Spec("later");
  later.stonewall = true;
  Runner& runner = Make({Spec("a"), slow, later});
  runner.Start();
  clock_.RunUntil(10 * kMs);
  const std::vector<JobResult> before = runner.Results();
  EXPECT_FALSE(before[0].finished);
  EXPECT_EQ(before[0].measured, 10 * kMs);
  EXPECT_GT(before[0].stats->TotalIos(), 700u);
  runner.StopEarly();
  clock_.RunUntil(10 * kMs + 2 * kLatency);
  EXPECT_TRUE(runner.Finished());
  EXPECT_EQ(device_.in_flight, 0u);
  EXPECT_FALSE(runner.Results()[2].started);
}

TEST_F(RunnerTest, FinishedIsCalledOnce) {
  int calls = 0;
  Runner& runner = Make({Spec("a"), Spec("b")});
  runner.SetFinishedCallback(
      {[](void* context, std::uint64_t) { ++*static_cast<int*>(context); }, &calls, 0});
  runner.Start();
  clock_.RunAll();
  EXPECT_EQ(calls, 1);
}

TEST_F(RunnerTest, ProgressGrowsToOne) {
  JobSpec by_size = Spec("size");
  by_size.time_based = false;
  by_size.size.bytes = 1 << 22;
  Runner& runner = Make({Spec("a"), by_size});
  runner.Start();
  double last = 0;
  for (TimePs t = kMs; t < 60 * kMs; t += kMs) {
    clock_.RunUntil(t);
    const RunProgress progress = runner.Progress();
    EXPECT_GE(progress.fraction, last);
    last = progress.fraction;
    if (t == 5 * kMs) {
      EXPECT_EQ(progress.running, 2u);
      EXPECT_NEAR(progress.iops, 2 * 8 / 103e-6, 8000);
    }
  }
  EXPECT_EQ(last, 1.0);
}

TEST_F(RunnerTest, SameSeedSameIosOtherSeedOtherIos) {
  const auto offsets = [this](std::uint64_t seed) {
    options_.seed = seed;
    device_.seen.clear();
    JobSpec spec = Spec("a");
    spec.numjobs = 3;
    spec.writes = true;
    Run({spec});
    std::vector<std::uint64_t> list;
    for (const auto& seen : device_.seen)
      list.push_back(seen.offset * 2 + (seen.op == BioOp::kRead));
    return list;
  };
  const std::vector<std::uint64_t> first = offsets(1);
  EXPECT_EQ(first, offsets(1));
  EXPECT_NE(first, offsets(2));
}

TEST_F(RunnerTest, RuntimeOverrideReplacesEveryRuntime) {
  options_.runtime_override = 5 * kMs;
  JobSpec spec = Spec("a");
  spec.time_based = false;
  spec.size.bytes = 4096 * 16;
  const JobResult result = Run({spec})[0];
  EXPECT_GE(result.measured, 5 * kMs);
  EXPECT_LT(result.measured, 6 * kMs);
}

}  // namespace
}  // namespace nvmearb::host
