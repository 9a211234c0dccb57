// SPDX-License-Identifier: Apache-2.0
//
// Fixture of the tests that run jobs.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_WORKLOAD_FIXTURE_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_WORKLOAD_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/workload/fake_block_device.h"
#include "host_driver/workload/runner.h"

namespace nvmearb::host {

inline constexpr TimePs kLatency = 100 * kUs;

/// Runs specs against one device of fixed latency, 1 GiB large.
class WorkloadTest : public testing::Test {
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

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_WORKLOAD_FIXTURE_H_
