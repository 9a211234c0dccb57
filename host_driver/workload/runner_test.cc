// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/runner.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "host_driver/base/test_clock.h"
#include "host_driver/base/user_error.h"
#include "host_driver/workload/fake_block_device.h"

namespace nvmearb::host {
namespace {

constexpr TimePs kLatency = 100 * kUs;

class RunnerTest : public testing::Test {
 protected:
  static JobSpec Spec(const std::string& name) {
    JobSpec spec;
    spec.name = name;
    spec.where = "job.fio:1";
    spec.ioengine = "libaio";
    spec.random = true;
    spec.direct = true;
    spec.iodepth = 8;
    spec.runtime = 50 * kMs;
    spec.time_based = true;
    return spec;
  }

  Runner& Make(std::vector<JobSpec> specs) {
    RunnerHooks hooks;
    hooks.device = [this](const std::string&, const JobSpec&) { return &device_; };
    hooks.cgroup = [this](const JobSpec&) { return tree_.root(); };
    runner_ = std::make_unique<Runner>(&clock_, topology_, std::move(specs), options_, hooks);
    return *runner_;
  }
  std::vector<JobResult> Run(std::vector<JobSpec> specs) {
    Runner& runner = Make(std::move(specs));
    runner.Start();
    clock_.RunAll();
    EXPECT_TRUE(runner.Finished());
    return runner.Results();
  }
  static double Iops(const JobResult& result) {
    return static_cast<double>(result.stats->TotalIos()) * static_cast<double>(kSec) /
           static_cast<double>(result.measured);
  }
  std::vector<TimePs> Times() const {
    std::vector<TimePs> times;
    for (const auto& seen : device_.seen) times.push_back(seen.when);
    return times;
  }

  TestClock clock_;
  CpuTopology topology_{1, 4, 2};
  CgroupTree tree_;
  FakeBlockDevice device_{&clock_, std::uint64_t{1} << 30, kLatency};
  RunnerOptions options_;
  std::unique_ptr<Runner> runner_;
};

TEST_F(RunnerTest, TheClosedLoopKeepsItsDepth) {
  const JobResult result = Run({Spec("a")})[0];
  EXPECT_EQ(device_.max_in_flight, 8u);
  EXPECT_EQ(device_.in_flight, 0u);
  // Little's law: depth = IOPS x latency, the loss being the CPU's 3 us per I/O at the start and
  // the end.
  const double depth = Iops(result) * result.stats->direction(kDirRead).lat.mean() / 1e9;
  EXPECT_NEAR(depth, 8.0, 0.03);
  EXPECT_EQ(result.stats->TotalIos(), device_.submitted);
  const Distributions& tables = result.stats->distributions();
  EXPECT_GT(tables.depth[3], tables.total_submit * 99 / 100);
  EXPECT_EQ(tables.submit[1], tables.total_submit);
}

TEST_F(RunnerTest, LatenciesAreSubmissionDeviceAndReaping) {
  JobSpec spec = Spec("a");
  spec.iodepth = 1;
  const JobResult result = Run({spec})[0];
  const DirectionStats& read = result.stats->direction(kDirRead);
  EXPECT_EQ(read.slat.min(), 1500u);
  EXPECT_EQ(read.slat.max(), 1500u);
  EXPECT_EQ(read.clat.min(), 101500u);
  EXPECT_EQ(read.clat.max(), 101500u);
  EXPECT_EQ(read.lat.mean(), 103000.0);
  EXPECT_NEAR(Iops(result), 1e9 / 103000.0, 1.0);
}

TEST_F(RunnerTest, TheJobsCpuLimitsItsRate) {
  device_ = FakeBlockDevice(&clock_, std::uint64_t{1} << 30, kUs);
  JobSpec spec = Spec("a");
  spec.iodepth = 32;
  const JobResult alone = Run({spec})[0];
  EXPECT_NEAR(Iops(alone), 1e9 / 3000, 500);
  EXPECT_NEAR(static_cast<double>(alone.cpu_busy), static_cast<double>(alone.measured), 1e9);
  // Two on one CPU share it.
  spec.cpus_allowed = {3};
  spec.numjobs = 2;
  const std::vector<JobResult> pair = Run({spec});
  EXPECT_NEAR(Iops(pair[0]), 1e9 / 6000, 500);
  EXPECT_NEAR(Iops(pair[1]), 1e9 / 6000, 500);
}

TEST_F(RunnerTest, DepthOneNeverOverlaps) {
  JobSpec spec = Spec("a");
  spec.ioengine = "psync";
  spec.iodepth = 1;
  Run({spec});
  EXPECT_EQ(device_.max_in_flight, 1u);
}

TEST_F(RunnerTest, BatchesAreSubmittedTogetherInsideAPlug) {
  JobSpec spec = Spec("a");
  spec.iodepth = 32;
  spec.batch_submit = 8;
  spec.batch_complete_min = spec.batch_complete_max = 8;
  const JobResult result = Run({spec})[0];
  const std::vector<TimePs> times = Times();
  // The end of the runtime may cut the last batch short.
  const std::size_t whole = times.size() / 8 * 8;
  ASSERT_GT(whole, 1000u);
  for (std::size_t i = 0; i < whole; ++i) {
    ASSERT_EQ(times[i], times[i / 8 * 8]);
    ASSERT_TRUE(device_.seen[i].in_plug);
  }
  const Distributions& tables = result.stats->distributions();
  EXPECT_GE(tables.submit[2] + 1, tables.total_submit);
  EXPECT_GE(tables.complete[2] + 32, tables.total_complete);  // the final drain reaps singly
}

TEST_F(RunnerTest, SingleSubmissionsHaveNoPlug) {
  Run({Spec("a")});
  for (const auto& seen : device_.seen) ASSERT_FALSE(seen.in_plug);
}

TEST_F(RunnerTest, LowWaterMarkLetsTheQueueRunDown) {
  JobSpec spec = Spec("a");
  spec.iodepth = 32;
  spec.iodepth_low = 8;
  const JobResult result = Run({spec})[0];
  EXPECT_EQ(device_.max_in_flight, 32u);
  // From 8 up to 32 again: the depths from 9 to 32 occur, each about as often as any other.
  const auto& depth = result.stats->distributions().depth;
  EXPECT_GT(depth[4], depth[5] * 10);
  EXPECT_NEAR(static_cast<double>(depth[3]), static_cast<double>(depth[4]) * 7 / 16,
              static_cast<double>(depth[4]) / 20);
}

TEST_F(RunnerTest, WithoutTimeBasedTheJobEndsWhenItsRegionIsDone) {
  JobSpec spec = Spec("a");
  spec.time_based = false;
  spec.size.bytes = 1 << 20;
  const JobResult result = Run({spec})[0];
  EXPECT_EQ(result.stats->TotalBytes(), 1u << 20);
  std::set<std::uint64_t> offsets;
  for (const auto& seen : device_.seen) offsets.insert(seen.offset);
  EXPECT_EQ(offsets.size(), 256u);
  spec.loops = 3;
  EXPECT_EQ(Run({spec})[0].stats->TotalBytes(), 3u << 20);
  spec.io_size.bytes = 5 << 19;
  EXPECT_EQ(Run({spec})[0].stats->TotalBytes(), 5u << 19);
  spec.number_ios = 100;
  EXPECT_EQ(Run({spec})[0].stats->TotalIos(), 100u);
}

TEST_F(RunnerTest, RuntimeEndsASizeLimitedJobToo) {
  JobSpec spec = Spec("a");
  spec.time_based = false;
  spec.runtime = 10 * kMs;
  const JobResult result = Run({spec})[0];
  EXPECT_GE(result.measured, 10 * kMs);
  EXPECT_LE(result.measured, 10 * kMs + 2 * kLatency);
  EXPECT_LT(result.stats->TotalBytes(), std::uint64_t{1} << 30);
}

TEST_F(RunnerTest, RampTimeIsRunButNotCounted) {
  JobSpec spec = Spec("a");
  spec.ramp_time = 20 * kMs;
  spec.runtime = 10 * kMs;
  const JobResult result = Run({spec})[0];
  EXPECT_EQ(result.begin, 20 * kMs);
  EXPECT_GE(result.measured, 10 * kMs);
  EXPECT_LT(result.measured, 11 * kMs);
  const std::uint64_t counted = result.stats->TotalIos();
  EXPECT_NEAR(static_cast<double>(counted) * 3, static_cast<double>(device_.submitted),
              static_cast<double>(counted) * 0.1);
  // number_ios counts from the end of the ramp.
  spec.number_ios = 2000;
  spec.runtime = kSec;
  const JobResult limited = Run({spec})[0];
  EXPECT_GE(limited.stats->TotalIos(), 2000u);
  EXPECT_LE(limited.stats->TotalIos(), 2000u + spec.iodepth);
}

TEST_F(RunnerTest, CutAtDeadlineCountsExactlyTheRuntime) {
  options_.cut_at_deadline = true;
  const JobResult result = Run({Spec("a")})[0];
  EXPECT_EQ(result.measured, 50 * kMs);
  EXPECT_LT(result.stats->TotalIos(), device_.submitted);
  EXPECT_GE(result.stats->TotalIos() + 8, device_.submitted);
}

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

TEST_F(RunnerTest, RateIopsPacesTheJob) {
  JobSpec spec = Spec("a");
  spec.runtime = kSec;
  spec.rate_iops = {2000, 0};
  const JobResult result = Run({spec})[0];
  EXPECT_NEAR(Iops(result), 2000, 5);
  spec.rate_iops = {};
  spec.rate_bytes_per_s = {8 << 20, 0};
  EXPECT_NEAR(Iops(Run({spec})[0]), 2048, 5);
  spec.rate_poisson = true;
  EXPECT_NEAR(Iops(Run({spec})[0]), 1850, 250);
}

TEST_F(RunnerTest, RatesOfAMixedJobArePerDirection) {
  JobSpec spec = Spec("a");
  spec.writes = true;
  spec.runtime = kSec;
  spec.rate_iops = {3000, 1000};
  const JobResult result = Run({spec})[0];
  EXPECT_NEAR(static_cast<double>(result.stats->direction(kDirRead).total_ios), 3000, 60);
  EXPECT_NEAR(static_cast<double>(result.stats->direction(kDirWrite).total_ios), 1000, 20);
}

TEST_F(RunnerTest, ThinktimeSeparatesBlocks) {
  JobSpec spec = Spec("a");
  spec.iodepth = 1;
  spec.thinktime = kMs;
  spec.thinktime_blocks = 4;
  spec.number_ios = 40;
  spec.runtime = 0;
  spec.time_based = false;
  Run({spec});
  const std::vector<TimePs> times = Times();
  ASSERT_EQ(times.size(), 40u);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const TimePs gap = times[i] - times[i - 1];
    EXPECT_EQ(gap, i % 4 == 0 ? 103 * kUs + kMs : 103 * kUs) << i;
  }
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

TEST_F(RunnerTest, AFailedIoEndsTheJobWithAnError) {
  device_.fail_at = 100;
  const JobResult result = Run({Spec("a")})[0];
  EXPECT_EQ(result.error, 5u);
  EXPECT_EQ(result.nvme_status, 0x281);
  EXPECT_EQ(result.failed_ios, 1u);
  EXPECT_LT(device_.submitted, 110u);
  EXPECT_EQ(result.stats->TotalIos(), device_.submitted - 1);
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

TEST_F(RunnerTest, SeriesAddsUpToTheTotal) {
  const JobResult result = Run({Spec("a")})[0];
  std::uint64_t ios = 0;
  for (const SeriesPoint& point : result.series->Points()) ios += point.ios[kDirRead];
  EXPECT_EQ(ios, result.stats->TotalIos());
}

TEST_F(RunnerTest, BiosCarryPriorityCgroupAndPolling) {
  JobSpec spec = Spec("a");
  spec.ioprio_class = IoprioClass::kRealtime;
  spec.ioprio_level = 2;
  spec.hipri = true;
  spec.writes = true;
  spec.reads = false;
  class Checker : public FakeBlockDevice {
   public:
    using FakeBlockDevice::FakeBlockDevice;
    void Submit(Bio* bio) override {
      EXPECT_EQ(bio->ioprio_class, IoprioClass::kRealtime);
      EXPECT_EQ(bio->ioprio_level, 2);
      EXPECT_TRUE(bio->polled);
      EXPECT_TRUE(bio->sync);
      EXPECT_EQ(bio->op, BioOp::kWrite);
      EXPECT_NE(bio->cgroup, nullptr);
      EXPECT_EQ(bio->cpu, 0);
      FakeBlockDevice::Submit(bio);
    }
  } checker(&clock_, 1 << 20, kUs);
  RunnerHooks hooks;
  hooks.device = [&](const std::string& name, const JobSpec&) {
    EXPECT_EQ(name, "/dev/nvme0n1");
    return &checker;
  };
  hooks.cgroup = [this](const JobSpec&) { return tree_.root(); };
  spec.filenames = {"/dev/nvme0n1"};
  spec.number_ios = 5;
  Runner runner(&clock_, topology_, {spec}, options_, hooks);
  runner.Start();
  clock_.RunAll();
  EXPECT_EQ(checker.submitted, 5u);
}

}  // namespace
}  // namespace nvmearb::host
