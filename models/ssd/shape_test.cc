// SPDX-License-Identifier: Apache-2.0
//
// Do shares, throughput and latency have the shape that the station model has on paper? Short
// closed-loop runs of the whole drive with the golden arbiter: three classes of eight SQs at depth
// 32 each, as in the published experiment (Intel P4510, weighted round robin 6:3:1).
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "nvme/registers.h"
#include "ssd/model_front_end.h"
#include "ssd/ssd_device.h"
#include "ssd/testing/closed_loop.h"

namespace nvmearb::ssd {
namespace {

constexpr TimePs kMs = 1'000'000'000;
constexpr std::uint8_t kRr = 0;
constexpr std::uint8_t kWrr = 1;

struct Shape {
  double rate[3];          // I/O per second of high, medium, low
  double mean_latency_us;  // of the host
  double window;           // mean commands in the device
  std::uint64_t stalls;
};

struct Load {
  const char* preset = "p4510";
  std::uint8_t ams = kRr;
  nvme::IoOpcode opcode = nvme::IoOpcode::kRead;
  std::uint32_t command_bytes = 4096;
  std::uint32_t commands = 1;
  std::uint32_t depth = 32;
  TimePs ramp = 10 * kMs;
  TimePs measure = 40 * kMs;
};

Shape Measure(const Load& load) {
  Platform& platform = Platform::Instance();
  platform.Reset();
  ModelFrontEndParams front_end;
  front_end.limits.sq_count = 25;
  SsdDevice device(&platform, 0, FindPreset(load.preset)->make(),
                   std::make_unique<ModelFrontEnd>(&platform.kernel(), front_end));
  TestHost host(&platform.kernel(), &device);
  host.Enable(load.ams);
  std::vector<LoopJob> jobs;
  for (std::uint16_t i = 0; i < 24; ++i) {
    LoopJob job;
    job.qid = static_cast<std::uint16_t>(i + 1);
    job.qprio = static_cast<std::uint8_t>(1 + i / 8);
    job.opcode = load.opcode;
    job.command_bytes = load.command_bytes;
    job.commands = load.commands;
    job.depth = load.depth;
    jobs.push_back(job);
  }
  ClosedLoop loop(&platform.kernel(), &host, jobs);
  loop.Run(load.ramp, load.measure);
  Shape shape{};
  std::uint64_t ios = 0;
  double latency = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_EQ(loop.result(j).failed, 0u);
    ios += loop.result(j).ios;
    latency += static_cast<double>(loop.result(j).latency_sum_ps) * 1e-6;
  }
  for (std::uint8_t c = 0; c < 3; ++c) {
    shape.rate[c] = loop.RatePerSecond(static_cast<std::uint8_t>(c + 1));
  }
  shape.mean_latency_us = latency / static_cast<double>(ios);
  shape.window = device.UpdatedStatistics().MeanWindow(platform.kernel().Now());
  shape.stalls = device.UpdatedStatistics().stalls;
  return shape;
}

void ExpectRates(const Shape& shape, double high, double medium, double low, double tolerance) {
  EXPECT_NEAR(shape.rate[0], high, high * tolerance);
  EXPECT_NEAR(shape.rate[1], medium, medium * tolerance);
  EXPECT_NEAR(shape.rate[2], low, low * tolerance);
}

TEST(Shape, RandomReadsShareEquallyUnderRoundRobin) {
  ExpectRates(Measure({}), 220e3, 220e3, 220e3, 0.02);
}

TEST(Shape, RandomReadsShareByWeightUnderWrr) {
  Load load;
  load.ams = kWrr;
  const Shape shape = Measure(load);
  ExpectRates(shape, 396e3, 198e3, 66e3, 0.02);
  // Little: all 768 are outstanding but for the host's 5 us.
  const double total = shape.rate[0] + shape.rate[1] + shape.rate[2];
  EXPECT_NEAR((shape.mean_latency_us + 5.0) * 1e-6 * total, 768.0, 12.0);
}

TEST(Shape, RandomWritesAreBoundByPrograms) {
  Load load;
  load.opcode = nvme::IoOpcode::kWrite;
  load.measure = 80 * kMs;
  Shape shape = Measure(load);
  ExpectRates(shape, 162.8e3, 162.8e3, 162.8e3, 0.02);
  EXPECT_GT(shape.stalls, 0u) << "the write buffer is full";
  load.ams = kWrr;
  ExpectRates(Measure(load), 293.1e3, 146.5e3, 48.8e3, 0.02);
}

TEST(Shape, LargeReadsAreBoundByTheLink) {
  constexpr double kMiBPerIo = 0.5;
  Load load;
  load.command_bytes = 128 * 1024;
  load.commands = 4;
  load.ramp = 40 * kMs;
  load.measure = 400 * kMs;
  const double total_mib = 3e9 / (1 << 20);
  ExpectRates(Measure(load), total_mib / 3 / kMiBPerIo, total_mib / 3 / kMiBPerIo,
              total_mib / 3 / kMiBPerIo, 0.04);
  load.ams = kWrr;
  ExpectRates(Measure(load), total_mib * 0.6 / kMiBPerIo, total_mib * 0.3 / kMiBPerIo,
              total_mib * 0.1 / kMiBPerIo, 0.04);
}

TEST(Shape, FreshDriveProgramsFaster) {
  constexpr double kMiBPerIo = 0.5;
  Load load;
  load.opcode = nvme::IoOpcode::kWrite;
  load.command_bytes = 128 * 1024;
  load.commands = 4;
  load.ramp = 40 * kMs;
  load.measure = 400 * kMs;
  ExpectRates(Measure(load), 637 / kMiBPerIo, 637 / kMiBPerIo, 637 / kMiBPerIo, 0.04);
  load.preset = "p4510-fresh";
  ExpectRates(Measure(load), 889 / kMiBPerIo, 889 / kMiBPerIo, 889 / kMiBPerIo, 0.04);
}

TEST(Shape, WeightsVanishWhenTheDriveTakesEverything) {
  // Fewer commands outstanding than the window has slots: nobody waits in an SQ for long, so there
  // is nothing to arbitrate.
  Load load;
  load.ams = kWrr;
  load.depth = 2;
  const Shape shape = Measure(load);
  EXPECT_NEAR(shape.rate[0] / shape.rate[2], 1.0, 0.05);
  EXPECT_LT(shape.window, 48.0);
}

TEST(Shape, LoneReaderSeesTheUnloadedLatency) {
  Platform& platform = Platform::Instance();
  platform.Reset();
  SsdDevice device(&platform, 0, FindPreset("p4510")->make(),
                   std::make_unique<ModelFrontEnd>(&platform.kernel(), ModelFrontEndParams{}));
  TestHost host(&platform.kernel(), &device);
  host.Enable(kRr);
  LoopJob job;
  job.depth = 1;
  ClosedLoop loop(&platform.kernel(), &host, {job});
  loop.Run(kMs, 20 * kMs);
  // tR + link + completion, and a fraction of a microsecond for doorbell and fetch.
  EXPECT_NEAR(loop.result(0).MeanLatencyUs(), 80 + 1.37 + 6, 0.5);
}

}  // namespace
}  // namespace nvmearb::ssd
