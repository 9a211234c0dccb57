// SPDX-License-Identifier: Apache-2.0
//
// Replays against a device of fixed latency: times, order, streams, cgroups.
#include "trace/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "host_driver/base/test_clock.h"
#include "host_driver/base/user_error.h"
#include "host_driver/workload/fake_block_device.h"

namespace nvmearb::trace {
namespace {

using host::kMs;
using host::kSec;
using host::kUs;
using host::TimePs;

constexpr TimePs kLatency = 100 * kUs;
constexpr std::uint64_t kCapacity = std::uint64_t{1} << 30;

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    options_.costs.submit_ns = 0;
    options_.costs.reap_ns = 0;
  }

  /// Alibaba lines: device, R or W, offset, length, us.
  Replay& Make(const std::string& text) {
    const std::string path = testing::TempDir() + "replay.csv";
    std::ofstream(path, std::ios::binary) << text;
    ReplayHooks hooks;
    hooks.disk = &device_;
    hooks.cgroup = [this](const std::string& name) {
      return tree_.Mkdir(name.empty() ? "/" : name);
    };
    replay_ =
        std::make_unique<Replay>(&clock_, topology_, OpenTrace(path, "alibaba"), options_, hooks);
    return *replay_;
  }
  std::vector<host::JobResult> Run(const std::string& text) {
    Replay& replay = Make(text);
    replay.Start();
    clock_.RunAll();
    replay.CheckInput();
    EXPECT_TRUE(replay.Finished());
    EXPECT_EQ(device_.in_flight, 0u);
    return replay.Results();
  }
  std::vector<TimePs> Times() const {
    std::vector<TimePs> times;
    for (const auto& seen : device_.seen) times.push_back(seen.when);
    return times;
  }

  host::TestClock clock_;
  host::CpuTopology topology_{1, 2, 2};
  host::CgroupTree tree_;
  host::FakeBlockDevice device_{&clock_, kCapacity, kLatency};
  ReplayOptions options_;
  std::unique_ptr<Replay> replay_;
};

const char kThree[] =
    "1,R,0,4096,5000\n"
    "1,W,8192,8192,5250\n"
    "1,R,4096,512,9000\n";

TEST_F(ReplayTest, EachDeviceSubmitsAsAProcessWhereTheTraceNamesNone) {
  options_.first_task = 7;
  (void)Run("1,R,0,4096,0\n2,R,0,4096,10\n1,R,4096,4096,20\n3,R,0,4096,30\n");
  std::vector<std::uint32_t> tasks;
  for (const auto& seen : device_.seen) tasks.push_back(seen.task);
  EXPECT_EQ(tasks, (std::vector<std::uint32_t>{7, 8, 7, 9}));
}

TEST_F(ReplayTest, OpenLoopKeepsTheTimesOfTheTrace) {
  const auto results = Run(kThree);
  EXPECT_EQ(Times(), (std::vector<TimePs>{0, 250 * kUs, 4 * kMs}));
  EXPECT_EQ(device_.seen[1].op, host::BioOp::kWrite);
  EXPECT_EQ(device_.seen[1].offset, 8192u);
  EXPECT_EQ(device_.seen[1].bytes, 8192u);
  ASSERT_EQ(results.size(), 1u);
  const host::JobStats& stats = *results[0].stats;
  EXPECT_EQ(results[0].spec->name, "1");
  EXPECT_EQ(stats.direction(host::kDirRead).total_ios, 2u);
  EXPECT_EQ(stats.direction(host::kDirRead).io_bytes, 4608u);
  EXPECT_EQ(stats.direction(host::kDirWrite).io_bytes, 8192u);
  EXPECT_EQ(stats.direction(host::kDirRead).lat.mean(), 100'000.0);
  EXPECT_EQ(results[0].measured, 4 * kMs + kLatency);
  EXPECT_EQ(results[0].spec->block_sizes[host::kDirRead].min_bytes, 512u);
  EXPECT_EQ(results[0].spec->block_sizes[host::kDirRead].max_bytes, 4096u);
}

TEST_F(ReplayTest, SpeedupDividesTheTimes) {
  options_.speedup = 4;
  Run(kThree);
  EXPECT_EQ(Times(), (std::vector<TimePs>{0, 62'500'000, kMs}));
}

TEST_F(ReplayTest, ClosedLoopKeepsItsDepthAndTheOrder) {
  options_.closed_loop = 2;
  std::string text;
  for (int i = 0; i < 10; ++i) text += fmt::format("1,R,{},4096,{}\n", i * 4096, i * 1'000'000);
  const auto results = Run(text);
  EXPECT_EQ(device_.max_in_flight, 2u);
  ASSERT_EQ(device_.seen.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(device_.seen[i].offset, i * 4096);
    EXPECT_EQ(device_.seen[i].when, i / 2 * kLatency);
  }
  EXPECT_EQ(results[0].measured, 5 * kLatency);
}

TEST_F(ReplayTest, TimesThatGoBackAreMadeAtOnce) {
  Run("1,R,0,4096,100\n1,R,0,4096,300\n1,R,0,4096,200\n1,R,0,4096,50\n1,R,0,4096,400\n");
  EXPECT_EQ(Times(), (std::vector<TimePs>{0, 200 * kUs, 200 * kUs, 200 * kUs, 300 * kUs}));
  const auto notes = replay_->Notes();
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      "trace: 2 I/Os earlier than the one before them, made at once"),
            notes.end());
}

TEST_F(ReplayTest, FullIsWaitedForAndCountsAsLatency) {
  options_.most_in_flight = 1;
  const auto results = Run("1,R,0,4096,0\n1,R,0,4096,30\n1,R,0,4096,500\n");
  EXPECT_EQ(Times(), (std::vector<TimePs>{0, kLatency, 500 * kUs}));
  const host::DirectionStats& reads = results[0].stats->direction(host::kDirRead);
  EXPECT_EQ(reads.lat.max(), 170'000u) << "from its time on: 70 us of waiting";
  EXPECT_EQ(reads.slat.max(), 70'000u);
  EXPECT_EQ(reads.clat.max(), 100'000u);
}

TEST_F(ReplayTest, CpuTimeIsTakenBeforeAndAfter) {
  options_.costs.submit_ns = 2000;
  options_.costs.reap_ns = 3000;
  const auto results = Run("1,R,0,4096,0\n");
  EXPECT_EQ(Times(), (std::vector<TimePs>{2 * kUs}));
  EXPECT_EQ(results[0].stats->direction(host::kDirRead).lat.max(), 105'000u);
  EXPECT_EQ(results[0].cpu_busy, 5 * kUs);
}

TEST_F(ReplayTest, EachVolumeIsAStreamUntilRulesJoinThem) {
  const std::string text = "1,R,0,4096,0\n2,R,0,4096,1\n3,W,0,4096,2\n2,R,0,4096,3\n";
  EXPECT_EQ(Run(text).size(), 3u);
  options_.rules.cgroup_of = {{"2", "gold"}, {"*", "bronze"}};
  const auto results = Run(text);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].spec->name, "gold");
  EXPECT_EQ(results[0].cgroup->path(), "/gold");
  EXPECT_EQ(results[0].stats->TotalIos(), 2u);
  EXPECT_EQ(results[1].spec->name, "bronze");
  EXPECT_EQ(results[1].stats->TotalIos(), 2u);
}

TEST_F(ReplayTest, VolumesLieApartAndNeighboursStayNeighbours) {
  Run("1,R,4096,4096,0\n2,R,4096,4096,0\n2,R,8192,4096,0\n1,R,8192,4096,0\n");
  EXPECT_EQ(device_.seen[0].offset, 4096u);
  EXPECT_EQ(device_.seen[3].offset, 8192u);
  EXPECT_NE(device_.seen[1].offset, 4096u);
  EXPECT_EQ(device_.seen[2].offset, device_.seen[1].offset + 4096);
}

TEST_F(ReplayTest, WhatGoesBeyondTheDiskOrIsUnalignedIsMadeToFit) {
  Run(fmt::format("1,R,{},4096,0\n1,R,{},4096,0\n1,R,100,512,0\n", kCapacity + 512,
                  kCapacity - 512));
  EXPECT_EQ(device_.seen[0].offset, 512u);
  EXPECT_EQ(device_.seen[1].offset, kCapacity - 4096);
  EXPECT_EQ(device_.seen[2].offset, 0u);
  EXPECT_EQ(device_.seen[2].bytes, 1024u);
  const auto notes = replay_->Notes();
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_NE(notes[1].find("2 I/Os beyond the end"), std::string::npos);
  EXPECT_NE(notes[2].find("1 I/Os widened"), std::string::npos);
}

TEST_F(ReplayTest, ManyVolumesShareTheLastStream) {
  std::string text;
  for (std::size_t i = 0; i < Replay::kMostStreams + 20; ++i)
    text += fmt::format("{},R,0,512,0\n", i);
  const auto results = Run(text);
  ASSERT_EQ(results.size(), Replay::kMostStreams + 1);
  EXPECT_EQ(results.back().spec->name, "others");
  EXPECT_EQ(results.back().stats->TotalIos(), 20u);
}

TEST_F(ReplayTest, RampAndRuntimeCutTheTrace) {
  options_.ramp_time = kMs;
  options_.runtime = 2 * kMs;
  options_.cut_at_deadline = true;
  std::string text;
  for (int i = 0; i < 100; ++i) text += fmt::format("1,R,0,4096,{}\n", i * 100);
  const auto results = Run(text);
  EXPECT_EQ(device_.submitted, 30u);
  // Reaped from 1 ms on and until 3 ms: those submitted at 0.9 ms to 2.9 ms.
  EXPECT_EQ(results[0].stats->TotalIos(), 21u);
  EXPECT_EQ(results[0].measured, 2 * kMs);
}

TEST_F(ReplayTest, ABadLineEndsTheReplayWithItsPlace) {
  Replay& replay = Make("1,R,0,4096,0\n1,R,0,4096,10\n1,R,0,four,20\n1,R,0,4096,30\n");
  replay.Start();
  clock_.RunAll();
  EXPECT_TRUE(replay.Finished());
  EXPECT_EQ(device_.submitted, 2u);
  try {
    replay.CheckInput();
    FAIL() << "no error";
  } catch (const host::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("replay.csv:3: length \"four\"; expected"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ReplayTest, AYearOfAJumpIsAMistake) {
  Replay& replay = Make("1,R,0,4096,0\n1,R,0,4096,31536000000000\n");
  replay.Start();
  clock_.RunAll();
  EXPECT_THROW(replay.CheckInput(), host::UserError);
}

TEST_F(ReplayTest, TrimsAndFlushesAreMade) {
  const std::string path = testing::TempDir() + "replay.log";
  std::ofstream(path) << "fio version 2 iolog\n/d trim 0 65536\n/d datasync 0 0\n/d write 0 4096\n";
  ReplayHooks hooks;
  hooks.disk = &device_;
  hooks.cgroup = [this](const std::string&) { return tree_.root(); };
  Replay replay(&clock_, topology_, OpenTrace(path, ""), options_, hooks);
  replay.Start();
  clock_.RunAll();
  ASSERT_EQ(device_.seen.size(), 3u);
  EXPECT_EQ(device_.seen[0].op, host::BioOp::kDiscard);
  EXPECT_EQ(device_.seen[1].op, host::BioOp::kFlush);
  const host::JobStats& stats = *replay.Results()[0].stats;
  EXPECT_EQ(stats.direction(host::kDirTrim).io_bytes, 65536u);
  EXPECT_EQ(stats.TotalIos(), 2u) << "the flush is no I/O";
}

TEST_F(ReplayTest, StoppingEarlyDrains) {
  Replay& replay = Make(kThree);
  replay.Start();
  clock_.RunUntil(260 * kUs);
  EXPECT_FALSE(replay.Finished());
  replay.StopEarly();
  clock_.RunAll();
  EXPECT_TRUE(replay.Finished());
  EXPECT_EQ(device_.submitted, 2u);
}

TEST_F(ReplayTest, AFailedIoIsReported) {
  device_.fail_at = 2;
  const auto results = Run(kThree);
  EXPECT_EQ(results[0].failed_ios, 1u);
  EXPECT_EQ(results[0].error, 5u);
  EXPECT_EQ(results[0].stats->TotalIos(), 2u);
}

TEST_F(ReplayTest, MemoryIsThatOfTheIosInFlight) {
  // 200,000 I/Os, 10 in flight: the device sees no more than 10 different bios' worth at a time.
  device_.recording = false;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += fmt::format("1,R,{},4096,{}\n", i * 4096LL, i * 10);
  const auto results = Run(text);
  EXPECT_EQ(results[0].stats->TotalIos(), 200'000u);
  EXPECT_EQ(device_.max_in_flight, 10u);
  EXPECT_LE(replay_->unit_count(), 11u);
}

}  // namespace
}  // namespace nvmearb::trace
