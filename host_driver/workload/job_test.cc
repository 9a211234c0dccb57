// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/job.h"

#include <gtest/gtest.h>

#include <set>

#include "host_driver/workload/workload_fixture.h"

namespace nvmearb::host {
namespace {

using JobTest = WorkloadTest;

TEST_F(JobTest, TheClosedLoopKeepsItsDepth) {
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

TEST_F(JobTest, LatenciesAreSubmissionDeviceAndReaping) {
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

TEST_F(JobTest, TheJobsCpuLimitsItsRate) {
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

TEST_F(JobTest, MaxLatencyEndsTheJobWithAnErrorOfItsOwn) {
  JobSpec spec = Spec("a");
  spec.max_latency = {200 * kUs, 50 * kUs, 0};  // reads take 103 us and more
  const JobResult within = Run({spec})[0];
  EXPECT_EQ(within.error, 0u);
  EXPECT_GT(within.stats->TotalIos(), 3000u);
  spec.max_latency[kDirRead] = 50 * kUs;
  const JobResult beyond = Run({spec})[0];
  EXPECT_EQ(beyond.error, 110u);
  EXPECT_LE(beyond.stats->TotalIos(), 8u);
  EXPECT_TRUE(beyond.finished);
}

TEST_F(JobTest, TheLeastRateIsDemandedAfterTwoSeconds) {
  JobSpec spec = Spec("a");
  spec.runtime = 4 * kSec;
  spec.iodepth = 1;
  spec.rate_min_iops = {9000, 0, 0};  // 9,709 with 103 us each
  EXPECT_EQ(Run({spec})[0].error, 0u);
  spec.rate_min_iops = {10000, 0, 0};
  const JobResult slow = Run({spec})[0];
  EXPECT_EQ(slow.error, 5u);
  EXPECT_NEAR(static_cast<double>(slow.measured), 3.0 * kSec, 0.01 * kSec)
      << "settle and one cycle";
  spec.rate_min_iops = {};
  spec.rate_min_bytes_per_s = {36 << 20, 0, 0};  // 37.9 MiB/s
  EXPECT_EQ(Run({spec})[0].error, 0u);
  spec.rate_min_bytes_per_s = {40 << 20, 0, 0};
  EXPECT_EQ(Run({spec})[0].error, 5u);
}

TEST_F(JobTest, AFlushFollowsSoManyWritesAndCountsAsSync) {
  JobSpec spec = Spec("a");
  spec.reads = false;
  spec.writes = true;
  spec.iodepth = 4;
  spec.time_based = false;
  spec.runtime = 0;
  spec.number_ios = 100;
  spec.fsync_blocks = 10;
  const JobResult result = Run({spec})[0];
  EXPECT_EQ(result.stats->direction(kDirWrite).total_ios, 100u);
  EXPECT_EQ(result.stats->sync().latency.count(), 9u) << "none behind the last write, as in fio";
  EXPECT_EQ(result.stats->sync().latency.min(), 101'500u);
  EXPECT_EQ(device_.submitted, 109u);
  unsigned writes = 0;
  for (const auto& seen : device_.seen) {
    if (seen.op != BioOp::kFlush) {
      ++writes;
      continue;
    }
    EXPECT_EQ(writes % 10, 0u);
    EXPECT_EQ(seen.bytes, 0u);
  }
}

TEST_F(JobTest, UnifiedReportingCountsAllAsReads) {
  JobSpec spec = Spec("a");
  spec.writes = true;
  spec.unified_rw = true;
  const JobResult result = Run({spec})[0];
  EXPECT_EQ(result.stats->direction(kDirWrite).total_ios, 0u);
  EXPECT_EQ(result.stats->direction(kDirRead).total_ios, device_.submitted);
}

TEST_F(JobTest, DepthOneNeverOverlaps) {
  JobSpec spec = Spec("a");
  spec.ioengine = "psync";
  spec.iodepth = 1;
  Run({spec});
  EXPECT_EQ(device_.max_in_flight, 1u);
}

TEST_F(JobTest, BatchesAreSubmittedTogetherInsideAPlug) {
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

TEST_F(JobTest, UpToTwoIosAreSubmittedWithoutAPlug) {
  for (const std::uint32_t batch : {1u, 2u}) {
    device_.seen.clear();
    JobSpec spec = Spec("a");
    spec.batch_submit = batch;
    Run({spec});
    ASSERT_FALSE(device_.seen.empty());
    for (const auto& seen : device_.seen) ASSERT_FALSE(seen.in_plug);
  }
}

TEST_F(JobTest, LowWaterMarkLetsTheQueueRunDown) {
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

TEST_F(JobTest, WithoutTimeBasedTheJobEndsWhenItsRegionIsDone) {
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

TEST_F(JobTest, RuntimeEndsASizeLimitedJobToo) {
  JobSpec spec = Spec("a");
  spec.time_based = false;
  spec.runtime = 10 * kMs;
  const JobResult result = Run({spec})[0];
  EXPECT_GE(result.measured, 10 * kMs);
  EXPECT_LE(result.measured, 10 * kMs + 2 * kLatency);
  EXPECT_LT(result.stats->TotalBytes(), std::uint64_t{1} << 30);
}

TEST_F(JobTest, RampTimeIsRunButNotCounted) {
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

TEST_F(JobTest, CutAtDeadlineCountsExactlyTheRuntime) {
  options_.cut_at_deadline = true;
  const JobResult result = Run({Spec("a")})[0];
  EXPECT_EQ(result.measured, 50 * kMs);
  EXPECT_LT(result.stats->TotalIos(), device_.submitted);
  EXPECT_GE(result.stats->TotalIos() + 8, device_.submitted);
}

TEST_F(JobTest, RateIopsPacesTheJob) {
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

TEST_F(JobTest, RatesOfAMixedJobArePerDirection) {
  JobSpec spec = Spec("a");
  spec.writes = true;
  spec.runtime = kSec;
  spec.rate_iops = {3000, 1000};
  const JobResult result = Run({spec})[0];
  EXPECT_NEAR(static_cast<double>(result.stats->direction(kDirRead).total_ios), 3000, 60);
  EXPECT_NEAR(static_cast<double>(result.stats->direction(kDirWrite).total_ios), 1000, 20);
}

TEST_F(JobTest, ThinktimeSeparatesBlocks) {
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

TEST_F(JobTest, AFailedIoEndsTheJobWithAnError) {
  device_.fail_at = 100;
  const JobResult result = Run({Spec("a")})[0];
  EXPECT_EQ(result.error, 5u);
  EXPECT_EQ(result.nvme_status, 0x281);
  EXPECT_EQ(result.failed_ios, 1u);
  EXPECT_LT(device_.submitted, 110u);
  EXPECT_EQ(result.stats->TotalIos(), device_.submitted - 1);
}

TEST_F(JobTest, SeriesAddsUpToTheTotal) {
  const JobResult result = Run({Spec("a")})[0];
  std::uint64_t ios = 0;
  for (const SeriesPoint& point : result.series->Points()) ios += point.ios[kDirRead];
  EXPECT_EQ(ios, result.stats->TotalIos());
}

TEST_F(JobTest, BiosCarryPriorityCgroupAndPolling) {
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

// Depth 1 at 100 us of latency, without CPU time.
class JobPaceTest : public WorkloadTest {
 protected:
  JobPaceTest() {
    options_.costs.submit_ns = 0;
    options_.costs.reap_ns = 0;
  }
  static JobSpec One() {
    JobSpec spec = Spec("a");
    spec.iodepth = 1;
    return spec;
  }
};

TEST_F(JobPaceTest, ThinksAfterAnAmountOfTime) {
  JobSpec spec = One();
  spec.runtime = 10 * kMs;
  spec.thinktime = kMs;
  spec.thinktime_blocks = 1u << 30;
  spec.thinktime_iotime = 500 * kUs;
  Run({spec});
  // Five I/Os, a pause of 1 ms, five I/Os, ...
  const std::vector<TimePs> times = Times();
  ASSERT_GT(times.size(), 11u);
  EXPECT_EQ(times[4], 400 * kUs);
  EXPECT_EQ(times[5], 1500 * kUs);
  EXPECT_EQ(times[9], 1900 * kUs);
  EXPECT_EQ(times[10], 3 * kMs);
}

TEST_F(JobPaceTest, ThinktimeCountsWhatIsIssuedOrComplete) {
  JobSpec spec = One();
  spec.iodepth = 4;
  spec.runtime = 5 * kMs;
  spec.thinktime = kMs;
  spec.thinktime_blocks = 2;
  spec.thinktime_at_issue = true;
  Run({spec});
  const std::vector<TimePs> times = Times();
  ASSERT_GT(times.size(), 3u);
  EXPECT_EQ(times[1], 0u) << "two are issued";
  EXPECT_EQ(times[2], kLatency + kMs) << "then it waits and thinks";
}

TEST_F(JobPaceTest, ARateCatchesUpWithThinktimeUnlessItIgnoresIt) {
  const auto ios = [this](bool ignore) {
    JobSpec spec = One();
    spec.runtime = 100 * kMs;
    spec.rate_iops[kDirRead] = 1000;
    spec.thinktime = 5 * kMs;
    spec.thinktime_blocks = 10;
    spec.rate_ignore_thinktime = ignore;
    return Run({spec})[0].stats->TotalIos();
  };
  EXPECT_NEAR(static_cast<double>(ios(false)), 100, 2) << "1000 a second on average";
  EXPECT_NEAR(static_cast<double>(ios(true)), 67, 3) << "10 in 10 ms, then 5 ms of thinking";
}

TEST_F(JobPaceTest, ContinuesBehindAFailedIo) {
  JobSpec spec = One();
  spec.runtime = 10 * kMs;
  device_.fail_at = 3;
  const auto stopped = Run({spec});
  EXPECT_EQ(stopped[0].stats->TotalIos(), 2u);
  device_.submitted = 0;
  spec.continue_on_error = true;
  const auto went_on = Run({spec});
  EXPECT_GT(went_on[0].stats->TotalIos(), 90u);
  EXPECT_EQ(went_on[0].failed_ios, 1u);
}

TEST_F(JobPaceTest, ASleepingTaskHasNoPlugOpen) {
  JobSpec spec = One();
  spec.iodepth = spec.batch_submit = 8;
  spec.runtime = 10 * kMs;
  device_.sleep_at = 3;
  Run({spec});
  EXPECT_EQ(device_.plugs_while_asleep, 0);
  ASSERT_GT(device_.seen.size(), 8u);
  EXPECT_TRUE(device_.seen[2].in_plug);
  EXPECT_TRUE(device_.seen[3].in_plug) << "the rest of the batch has its own";
}

TEST_F(JobPaceTest, PrioritiesGoWithTheBios) {
  JobSpec spec = One();
  spec.cmdprio[kDirRead] = {{0, 100, true, {IoprioClass::kRealtime, 3}}};
  spec.runtime = kMs;
  const auto results = Run({spec});
  const DirectionStats& reads = results[0].stats->direction(kDirRead);
  ASSERT_EQ(reads.priorities.size(), 2u);
  EXPECT_EQ(reads.priorities[1].latency.count(), reads.total_ios);
  EXPECT_TRUE(reads.ShownPriorities().empty()) << "one alone is not worth a line";
}

}  // namespace
}  // namespace nvmearb::host
