// SPDX-License-Identifier: Apache-2.0
//
// Commands per clock of nvmearb_core, pinned in every mix: queues with a long backlog, all grants
// read at once, slots for everything. The figures are exact.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core_bench.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

// SQs of the largest model: up to 129 are used. On a smaller one the larger mixes are left out.
unsigned Sqs() { return Traits().sizes.back(); }
constexpr unsigned kEntries = 65536;
constexpr unsigned kBacklog = 20000;  // commands per busy queue
constexpr unsigned kClocks = 1500;

struct Mix {
  std::string name;
  bool wrr;
  arbiter::ArbitrationSettings settings;
  std::vector<unsigned> busy;  // urgent, high, medium, low; round robin: the sum
  bool admin = false;
};

class Engine {
 public:
  explicit Engine(const Mix& mix) : bench_(Sqs()) {
    bench_.in().max_count = 1;
    bench_.Configure(CoreConfig::SetMech(mix.wrr));
    bench_.Configure(CoreConfig::SetArb(mix.settings));
    if (mix.admin) Create(0, SqClass::kAdmin);
    unsigned sqid = 1;
    for (unsigned c = 0; c < mix.busy.size(); ++c) {
      for (unsigned i = 0; i < mix.busy[c]; ++i) Create(sqid++, static_cast<SqClass>(c));
    }
    busy_end_ = sqid;
    EXPECT_TRUE(bench_.RunUntilQuiescent());
    for (unsigned q = mix.admin ? 0 : 1; q < sqid; ++q) bench_.Ring(false, q, kBacklog);
    EXPECT_TRUE(bench_.RunUntilQuiescent());
    bench_.slots_per_clock = 15;
    bench_.GiveSlots(500);
    for (int i = 0; i < 60; ++i) Step();
  }
  void Create(unsigned sqid, SqClass sq_class) {
    bench_.Configure(CoreConfig::CreateCq(sqid, kEntries));
    bench_.Configure(CoreConfig::CreateSq(sqid, sqid, kEntries, sq_class));
  }
  /// Returns the commands granted in this clock.
  unsigned Step() {
    const CoreOut& out = bench_.Step();
    cfg_done_ = out.cfg_done;
    const unsigned count = out.obs_grant_valid ? out.grant_count : 0;
    if (count != 0) bench_.GiveSlots(count);
    return count;
  }
  unsigned Run(unsigned clocks) {
    unsigned commands = 0;
    for (unsigned i = 0; i < clocks; ++i) commands += Step();
    return commands;
  }
  CoreBench& bench() { return bench_; }
  [[nodiscard]] bool cfg_done() const { return cfg_done_; }
  [[nodiscard]] unsigned busy_end() const { return busy_end_; }

 private:
  CoreBench bench_;
  unsigned busy_end_ = 1;
  bool cfg_done_ = false;
};

class CoreThroughput : public ::testing::TestWithParam<Mix> {};

TEST_P(CoreThroughput, IsOneCommandPerClock) {
  Engine engine(GetParam());
  EXPECT_EQ(engine.Run(kClocks), kClocks);
  EXPECT_FALSE(engine.bench().dut().AssertionFailed());
}

std::vector<Mix> Mixes() {
  std::vector<Mix> mixes;
  const char* const classes[] = {"Urgent", "High", "Medium", "Low"};
  for (unsigned queues : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 60}) {
    mixes.push_back({fmt::format("RoundRobin{}", queues), false, {0, 0, 0, 0}, {queues}, false});
  }
  for (unsigned c = 0; c < 4; ++c) {
    for (unsigned queues : {1, 2, 6, 30}) {
      std::vector<unsigned> busy(4);
      busy[c] = queues;
      mixes.push_back({fmt::format("{}{}", classes[c], queues), true, {0, 0, 0, 0}, busy, false});
    }
  }
  mixes.push_back({"Admin", true, {0, 0, 0, 0}, {0, 0, 0, 1}, true});
  struct Weights {
    std::uint8_t h, m, l;
  };
  for (const Weights w :
       {Weights{0, 0, 0}, Weights{3, 1, 0}, Weights{31, 15, 7}, Weights{255, 255, 255}}) {
    for (const std::uint8_t ab : std::initializer_list<std::uint8_t>{0, 1, 2, 7}) {
      for (unsigned queues : {1, 2, 5, 6, 30}) {
        mixes.push_back(
            {fmt::format("Weights{}x{}x{}Ab{}Queues{}", w.h + 1, w.m + 1, w.l + 1, ab, queues),
             true,
             {ab, w.h, w.m, w.l},
             {0, queues, queues, queues},
             false});
      }
    }
  }
  const auto is_too_large = [](const Mix& mix) {
    return std::accumulate(mix.busy.begin(), mix.busy.end(), 1u) > Sqs();
  };
  mixes.erase(std::remove_if(mixes.begin(), mixes.end(), is_too_large), mixes.end());
  return mixes;
}

INSTANTIATE_TEST_SUITE_P(Mixes, CoreThroughput, ::testing::ValuesIn(Mixes()),
                         [](const auto& mix) { return mix.param.name; });

// A doorbell in every clock, to queues that were idle before and to busy ones.
TEST(CoreThroughputUnderDoorbells, IsOneCommandPerClock) {
  for (const unsigned busy : {1u, 2u, 6u, 20u}) {
    if (busy + 1 >= Sqs()) continue;
    SCOPED_TRACE(busy);
    const unsigned others = std::min(100u, Sqs() - busy - 1);
    Engine engine({"", true, {0, 3, 1, 0}, {0, busy, 0, others}, false});
    unsigned commands = 0, doorbells = 0;
    std::vector<unsigned> tail(Sqs(), kBacklog);
    for (unsigned i = 0; i < kClocks; ++i) {
      if (engine.bench().doorbell_backlog() == 0) {
        const unsigned q = busy + 1 + i % others;
        engine.bench().Ring(false, q, ++tail[q]);
        ++doorbells;
      }
      commands += engine.Step();
    }
    EXPECT_EQ(commands, kClocks);
    EXPECT_GT(doorbells, kClocks * 9 / 10);
  }
}

// Idle queues that become active with one command each, at any time: every one is a visit.
TEST(CoreThroughputUnderDoorbells, IsOneCommandPerClockWithActivations) {
  for (const unsigned busy : {1u, 2u, 5u, 6u, 20u}) {
    if (busy + 1 >= Sqs()) continue;
    for (const bool same_class : {false, true}) {
      SCOPED_TRACE(fmt::format("{} busy, same class {}", busy, same_class));
      Engine engine({"", true, {0, 3, 1, 0}, {0, busy, 0, 0}, false});
      for (unsigned q = busy + 1; q < Sqs(); ++q) {
        engine.bench().Configure(CoreConfig::CreateCq(q, kEntries));
        engine.bench().Configure(
            CoreConfig::CreateSq(q, q, kEntries, same_class ? SqClass::kHigh : SqClass::kLow));
      }
      engine.Run(8000);
      std::vector<unsigned> tail(Sqs());
      unsigned next = 0;
      const auto run = [&](unsigned clocks) {
        unsigned commands = 0;
        for (unsigned i = 0; i < clocks; ++i) {
          const unsigned q = busy + 1 + next++ % (Sqs() - busy - 1);
          if (engine.bench().doorbell_backlog() == 0) engine.bench().Ring(false, q, ++tail[q]);
          commands += engine.Step();
        }
        return commands;
      };
      // One bubble at most when a ring outgrows its window.
      EXPECT_GE(run(60), 59u);
      EXPECT_EQ(run(kClocks), kClocks);
    }
  }
}

/// Clocks from the first to the last command of `last_sq` queues with one each, in three classes,
/// AB = 2: every visit ends early and its SQ leaves the ring.
unsigned ClocksToDrain(unsigned last_sq) {
  Engine engine({"", true, {2, 7, 7, 7}, {0, 0, 0, 0}, false});
  for (unsigned q = 1; q <= last_sq; ++q) engine.Create(q, static_cast<SqClass>(1 + q % 3));
  engine.Run(1500);
  engine.bench().in().hold_all = true;
  for (unsigned q = 1; q <= last_sq; ++q) engine.bench().Ring(false, q, 1);
  EXPECT_TRUE(engine.bench().RunUntilQuiescent());
  engine.bench().in().hold_all = false;
  unsigned first = 0, last = 0, commands = 0;
  for (unsigned i = 1; commands < last_sq && i < 500; ++i) {
    commands += engine.Step();
    if (commands != 0 && first == 0) first = i;
    last = i;
  }
  EXPECT_EQ(commands, last_sq);
  return last - first + 1;
}

TEST(CoreThroughputOfShortQueues, IsOneCommandPerClock) {
  // Rings that fit their windows, and rings that never fall into them but at the end of a round.
  for (unsigned last_sq = 1; last_sq <= 12; ++last_sq) {
    EXPECT_EQ(ClocksToDrain(last_sq), last_sq);
  }
  for (const unsigned last_sq : {31u, 36u, 55u, 60u}) {
    if (last_sq >= Sqs()) continue;
    EXPECT_EQ(ClocksToDrain(last_sq), last_sq);
  }
}

// A ring that shrinks into its window while all its visits end at once pauses twice, at most.
TEST(CoreThroughputOfShortQueues, LosesTwoClocksForEachRingThatRunsEmpty) {
  constexpr unsigned kRings = 3;
  for (unsigned last_sq = 13; last_sq <= std::min(64u, Sqs() - 1); ++last_sq) {
    EXPECT_LE(ClocksToDrain(last_sq), last_sq + 2 * kRings) << last_sq;
  }
}

// A CQ that was full is looked at again when the host has taken all of it: from then on as before.
TEST(CoreThroughputBehindAFullCq, IsOneCommandPerClockAgain) {
  constexpr unsigned kCqSize = 64, kRoom = kCqSize - 1;
  constexpr unsigned kNearlyFull = 7;  // with less room than that decisions are serial
  for (const unsigned sq_count : {1u, 2u, 6u}) {
    SCOPED_TRACE(sq_count);
    // The CQ is looked at twice, and each SQ that was parked there is let go.
    const unsigned to_restart = Traits().doorbell_to_grant + 2 * Traits().clocks_per_look +
                                Traits().clocks_per_let_go * sq_count;
    CoreBench bench(Sqs());
    bench.in().max_count = 1;
    bench.Configure(CoreConfig::SetMech(true));
    bench.Configure(CoreConfig::CreateCq(1, kCqSize));
    for (unsigned q = 1; q <= sq_count; ++q) {
      bench.Configure(CoreConfig::CreateSq(q, 1, kEntries, SqClass::kHigh));
    }
    ASSERT_TRUE(bench.RunUntilQuiescent());
    for (unsigned q = 1; q <= sq_count; ++q) bench.Ring(false, q, kBacklog);
    bench.GiveSlots(1000);
    unsigned head = 0;
    for (int round = 0; round < 4; ++round) {
      unsigned commands = 0, quick = 0;
      for (unsigned i = 0; i < 1000 && commands < kRoom; ++i) {
        const CoreOut& out = bench.Step();
        if (!out.obs_grant_valid) continue;
        ++commands;
        bench.Commit({out.grant_sqid, 1});
        bench.Complete({out.grant_sqid, 1, true});
        if (i < to_restart + kRoom - kNearlyFull) quick = commands;
      }
      ASSERT_EQ(commands, kRoom);
      EXPECT_GE(quick, kRoom - kNearlyFull) << "round " << round;
      ASSERT_TRUE(bench.RunUntilQuiescent());
      head = (head + kRoom) % kCqSize;
      bench.Ring(true, 1, head);
    }
    EXPECT_FALSE(bench.dut().AssertionFailed());
  }
}

// Creating an SQ costs no grant, deleting one without commands one clock without a decision.
TEST(CoreThroughputWhileQueuesComeAndGo, IsOneCommandPerClockButForTheDeletions) {
  const unsigned sqid = std::min(50u, Sqs() - 1);
  Engine engine({"", true, {0, 3, 1, 0}, {0, 2, 2, 2}, false});
  engine.Run(100);
  unsigned commands = 0, created = 0, deleted = 0;
  bool exists = false;
  engine.bench().Configure(CoreConfig::CreateSq(sqid, 1, 16, SqClass::kHigh));
  for (unsigned i = 0; i < kClocks; ++i) {
    commands += engine.Step();
    if (!engine.cfg_done()) continue;
    exists = !exists;
    ++(exists ? created : deleted);
    engine.bench().Configure(exists ? CoreConfig::DeleteSq(sqid)
                                    : CoreConfig::CreateSq(sqid, 1, 16, SqClass::kHigh));
  }
  EXPECT_GT(created, 50u);
  EXPECT_LE(kClocks - commands, deleted + 1);
}

}  // namespace
}  // namespace nvmearb::tb
