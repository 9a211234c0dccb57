// SPDX-License-Identifier: Apache-2.0
//
// Cost of the workload layer alone: three times eight jobs of depth 32 against a device of fixed
// latency. Prints I/Os per wall second; instructions per I/O come from
//   valgrind --tool=callgrind --toggle-collect='nvmearb::host::RunBench*' workload_bench 200000
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "host_driver/base/test_clock.h"
#include "host_driver/workload/fake_block_device.h"
#include "host_driver/workload/runner.h"

namespace nvmearb::host {

[[gnu::noinline]] std::uint64_t RunBench(TestClock* clock, Runner* runner) {
  runner->Start();
  clock->RunAll();
  return runner->Progress().ios;
}

}  // namespace nvmearb::host

int main(int argc, char** argv) {
  using namespace nvmearb::host;
  const std::uint64_t ios = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  TestClock clock;
  FakeBlockDevice device(&clock, std::uint64_t{1} << 40, 350 * kUs);
  device.recording = false;
  CgroupTree tree;
  JobSpec spec;
  spec.name = "bench";
  spec.random = true;
  spec.ioengine = "libaio";
  spec.iodepth = 32;
  spec.numjobs = 24;
  spec.number_ios = ios / spec.numjobs;
  RunnerHooks hooks;
  hooks.device = [&](const std::string&, const JobSpec&) { return &device; };
  hooks.cgroup = [&](const JobSpec&) { return tree.root(); };
  Runner runner(&clock, CpuTopology::Xeon8160x2(), {spec}, RunnerOptions{}, hooks);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t done = RunBench(&clock, &runner);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  fmt::print("{} I/Os, {:.0f} I/Os per wall second\n", done,
             static_cast<double>(done) / wall.count());
  return 0;
}
