// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/task_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

namespace nvmearb::host {
namespace {

std::vector<std::uint16_t> Cpus(unsigned count) {
  std::vector<std::uint16_t> cpus(count);
  std::iota(cpus.begin(), cpus.end(), std::uint16_t{0});
  return cpus;
}

/// `count` tasks on `cpus` CPUs.
struct Host {
  Host(unsigned cpus, unsigned count, TimePs mean_stay) : tasks(cpus, 0) {
    for (unsigned i = 0; i < count; ++i) {
      places.push_back(std::make_unique<TaskPlace>(static_cast<std::uint16_t>(i % cpus), Cpus(cpus),
                                                   mean_stay, base::Random(1, i), &tasks));
    }
  }
  TasksPerCpu tasks;
  std::vector<std::unique_ptr<TaskPlace>> places;
};

TEST(TaskPlace, StaysWithoutAMeanStay) {
  Host host(8, 3, 0);
  for (TimePs now = 0; now < kSec; now += kMs) {
    for (auto& place : host.places) place->MayMove(now);
  }
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(host.places[i]->cpu(), i);
}

TEST(TaskPlace, MovesAmongIdleCpusAsOftenAsAsked) {
  Host host(8, 6, 10 * kMs);
  std::set<unsigned> seen;
  unsigned moves = 0;
  for (TimePs now = 0; now < 10 * kSec; now += kMs / 10) {
    TaskPlace& first = *host.places[0];
    const unsigned before = first.cpu();
    for (auto& place : host.places) place->MayMove(now);
    seen.insert(first.cpu());
    moves += first.cpu() != before ? 1 : 0;
    EXPECT_EQ(*std::max_element(host.tasks.begin(), host.tasks.end()), 1u) << "two idle ones left";
    EXPECT_EQ(std::accumulate(host.tasks.begin(), host.tasks.end(), 0u), 6u);
  }
  EXPECT_EQ(seen.size(), 8u);
  // A thousand stays; one of three idle CPUs is its own.
  EXPECT_NEAR(moves, 1000 * 2 / 3, 70);
}

TEST(TaskPlace, SharesACpuWhereNoneIsIdle) {
  Host host(2, 5, 10 * kMs);
  for (TimePs now = 0; now < kSec; now += kMs) {
    for (auto& place : host.places) place->MayMove(now);
  }
  EXPECT_EQ(host.tasks[0] + host.tasks[1], 5u);
}

}  // namespace
}  // namespace nvmearb::host
