// SPDX-License-Identifier: Apache-2.0
//
// Drives behind links: policies, faults and what they may not lose, with the model of the drive.
#include <gtest/gtest.h>

#include <cstdlib>

#include "path_rig.h"

namespace nvmearb::system {
namespace {

PathRigParams TwoPaths(const char* iopolicy) {
  PathRigParams params;
  params.links = {{10 * kUs, 0, 0, 0}, {10 * kUs, 0, 0, 0}};
  params.multipath.iopolicy = iopolicy;
  params.nvme.reconnect_delay = 1 * kMs;
  return params;
}

/// Ends the loop and what is in flight.
void Finish(PathRig* rig, std::size_t ways) {
  rig->Stop();
  for (std::size_t i = 0; i < ways; ++i) rig->Up(i);
  rig->Run(3000 * kMs);
  EXPECT_EQ(rig->Trouble(), "") << rig->head().Describe();
}

/// Share of the bios that path 0 got in `duration`.
double ShareOfFirst(PathRig* rig, TimePs duration) {
  const std::uint64_t before[] = {rig->way(0).path->stats.bios, rig->way(1).path->stats.bios};
  rig->Run(duration);
  const auto first = static_cast<double>(rig->way(0).path->stats.bios - before[0]);
  const auto second = static_cast<double>(rig->way(1).path->stats.bios - before[1]);
  return first / (first + second);
}

TEST(Paths, NumaUsesOneOfTwoEqualPaths) {
  PathRig numa(TwoPaths("numa"));
  numa.Start({});
  EXPECT_EQ(ShareOfFirst(&numa, 5 * kMs), 1);
  Finish(&numa, 2);
}

TEST(Paths, RoundRobinDividesEvenlyWhateverThePathsAre) {
  PathRigParams params = TwoPaths("round-robin");
  params.links[0].latency_ps = 1 * kMs;
  PathRig rig(params);
  rig.Start({});
  EXPECT_NEAR(ShareOfFirst(&rig, 20 * kMs), 0.5, 0.01);
  Finish(&rig, 2);
}

TEST(Paths, QueueDepthAvoidsTheSlowPath) {
  PathRigParams params = TwoPaths("queue-depth");
  params.links[0].latency_ps = 1 * kMs;
  PathRig rig(params);
  rig.Start({});
  rig.Run(5 * kMs);
  // Equal numbers in flight, so shares go as the inverse of the latencies, 2.1 ms and 0.15 ms.
  EXPECT_LT(ShareOfFirst(&rig, 20 * kMs), 0.1);
  Finish(&rig, 2);
}

TEST(Paths, LatencyLeavesAPathThatSlowsDownAndComesBack) {
  PathRig rig(TwoPaths("latency"));
  rig.Start({});
  rig.Run(10 * kMs);
  EXPECT_NEAR(ShareOfFirst(&rig, 40 * kMs), 0.5, 0.15);
  rig.way(0).link->Set({2 * kMs, 0, 0, 0});
  rig.Run(10 * kMs);
  EXPECT_LT(ShareOfFirst(&rig, 80 * kMs), 0.2);
  rig.way(0).link->Set({10 * kUs, 0, 0, 0});
  rig.Run(20 * kMs);
  EXPECT_NEAR(ShareOfFirst(&rig, 40 * kMs), 0.5, 0.15);
  Finish(&rig, 2);
}

TEST(Paths, AWeakLinkLimitsItsPath) {
  PathRigParams params = TwoPaths("queue-depth");
  params.links[0].bandwidth_bytes_per_s = 40'000'000;
  PathRig rig(params);
  rig.Start({});
  rig.Run(50 * kMs);
  const double bytes = static_cast<double>(rig.way(0).path->stats.bytes);
  EXPECT_LT(bytes, 2 * 40e6 * 0.05);  // reads one way, writes the other
  EXPECT_GT(bytes, 40e6 * 0.05 * 0.8);
  Finish(&rig, 2);
}

TEST(Paths, APathIsLostWithIoInFlightAndTakesPartAgain) {
  PathRig rig(TwoPaths("round-robin"));
  rig.Start({});
  rig.Run(5 * kMs);
  rig.Down(0);
  EXPECT_EQ(ShareOfFirst(&rig, 5 * kMs), 0);
  EXPECT_GT(rig.way(0).path->stats.path_errors, 10u);
  EXPECT_EQ(rig.way(1).path->stats.path_errors, 0u);
  rig.Up(0);
  rig.Run(100 * kMs);  // bring-up
  EXPECT_NEAR(ShareOfFirst(&rig, 10 * kMs), 0.5, 0.01);
  Finish(&rig, 2);
}

TEST(Paths, AllPathsAreLostThenOneReturns) {
  PathRig rig(TwoPaths("queue-depth"));
  rig.Start({});
  rig.Run(5 * kMs);
  rig.Down(0);
  rig.Down(1);
  rig.Run(1 * kMs);
  rig.Take();
  rig.Run(50 * kMs);
  EXPECT_EQ(rig.Take().ios, 0);
  EXPECT_EQ(rig.head().requeue_count(), 64u);
  rig.Up(1);
  rig.Run(200 * kMs);
  EXPECT_GT(rig.Take().ios, 1000);
  Finish(&rig, 2);
}

TEST(Paths, ASilentLinkIsFoundByTheTimeout) {
  PathRigParams params = TwoPaths("round-robin");
  params.nvme.io_timeout = 1;
  PathRig rig(params);
  rig.Start({1, 4});
  rig.Run(1 * kMs);
  rig.way(0).link->Down();
  rig.Run(900 * kMs);
  rig.Take();
  rig.Run(50 * kMs);
  EXPECT_EQ(rig.Take().ios, 0);  // all four are on it
  rig.Run(200 * kMs);
  EXPECT_GT(rig.Take().ios, 100);
  EXPECT_EQ(rig.way(0).driver->stats().resets, 1u);
  Finish(&rig, 2);
}

TEST(Paths, TheChecksSeeWhatIsLeftOver) {
  PathRig rig(TwoPaths("numa"));
  rig.Start({1, 1});
  rig.Run(1 * kMs);
  rig.Down(0);
  rig.Down(1);
  rig.Run(1 * kMs);
  EXPECT_EQ(rig.Trouble(), "1 bios in flight");
  Finish(&rig, 2);
  ++rig.way(1).path->nr_active;
  EXPECT_EQ(rig.Trouble(), "1 active on p1");
}

/// Every scheduler under random faults. NVMEARB_FAULT_IOS sets the number of I/Os.
TEST(Paths, RandomFaultsLoseNothing) {
  const char* const wanted = std::getenv("NVMEARB_FAULT_IOS");
  const double least = wanted != nullptr ? std::strtod(wanted, nullptr) : 100'000;
  const char* const schedulers[] = {"none", "mq-deadline", "kyber", "bfq"};
  double ios = 0;
  std::uint64_t failovers = 0;
  std::uint64_t parked = 0;
  for (std::uint64_t seed = 1; ios < least; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    PathRigParams params = TwoPaths("numa");
    const auto ways = static_cast<std::size_t>(random.InRange(1, 4));
    params.links.assign(ways, {random.Below(50) * kUs, random.Below(50) * kUs, 0, 0});
    params.nvme.scheduler = schedulers[seed % 4];
    params.nvme.io_queue_depth = static_cast<unsigned>(random.InRange(4, 64));
    params.nvme.io_timeout = 1;
    params.drive.media.fetch_spacing_ps = 50 * kUs;  // more faults per I/O
    if (random.Below(2) == 0) params.nvme.wrr_high_queues = params.nvme.wrr_low_queues = 2;
    params.seed = seed;
    PathRig rig(params);
    rig.Start({});
    TimePs last = rig.Now();
    for (int step = 0; step < 60; ++step) {
      const auto way = static_cast<std::size_t>(random.Below(ways));
      switch (random.Below(8)) {
        case 0:
          rig.Down(way);
          break;
        case 1:
          rig.way(way).link->Down();  // silently
          break;
        case 2:
        case 3:
        case 4:
          for (std::size_t i = 0; i < ways; ++i) rig.Up(i);
          break;
        case 5:
          rig.head().SetPolicy(host::IoPolicyNames()[random.Below(4)], "random");
          break;
        case 6:
          rig.way(way).link->Set({random.Below(300) * kUs, 0, 0, 0});
          break;
        default:
          rig.head().SetAna(rig.way(way).path, static_cast<host::AnaState>(random.Below(5)));
      }
      rig.Run(random.Below(step % 20 == 19 ? 2500 : 4) * kMs + 1);
      ASSERT_GE(rig.Now(), last);
      last = rig.Now();
    }
    for (std::size_t i = 0; i < ways; ++i) {
      rig.head().SetAna(rig.way(i).path, host::AnaState::kOptimized);
    }
    rig.Stop();
    for (int i = 0; i < 3; ++i) {
      for (std::size_t w = 0; w < ways; ++w) rig.Up(w);
      rig.Run(3000 * kMs);
    }
    ASSERT_EQ(rig.Trouble(), "") << rig.head().Describe();
    ios += rig.Take().ios;
    failovers += rig.head().stats().failovers;
    parked += rig.head().stats().parked;
  }
  EXPECT_GT(failovers, 500u);
  EXPECT_GT(parked, 500u);
}

}  // namespace
}  // namespace nvmearb::system
