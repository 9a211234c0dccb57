// SPDX-License-Identifier: Apache-2.0
//
// The Judge accepts what the golden arbiter does, whatever arrives when, as long as nothing is seen
// more than eight clocks late.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "scoreboard/golden_system.h"

namespace nvmearb::tb {
namespace {

using arbiter::ArbitrationSettings;
using arbiter::Mechanism;
using arbiter::SqClass;

std::uint64_t FirstSeed() {
  const char* text = std::getenv("NVMEARB_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
}

/// A random controller life with every kind of operation.
class RandomLife {
 public:
  RandomLife(std::uint64_t seed, std::uint64_t latest_clocks, bool roomy = false)
      : random_(seed),
        sq_count_(static_cast<unsigned>(random_.InRange(1, random_.Below(4) == 0 ? 30 : 7))),
        max_count_(static_cast<std::uint32_t>(random_.InRange(1, 8))),
        busy_(random_.InRange(2, 40)),
        system_(sq_count_,
                random_.Below(3) == 0 ? Mechanism::kRoundRobin : Mechanism::kWeightedRoundRobin,
                Settings(), latest_clocks, seed) {
    const bool tight = random_.Below(3) == 0;
    for (std::uint16_t i = 0; i < sq_count_; ++i) {
      system_.CreateCq(
          i, static_cast<std::uint32_t>(roomy ? 65536 : random_.InRange(2, tight ? 8 : 400)));
    }
    for (std::uint16_t i = 0; i < sq_count_; ++i) Create(i);
  }

  void Run(int clock_count) {
    for (int i = 0; i < clock_count; ++i) {
      Clock();
      system_.Advance(random_.Below(200) == 0 ? random_.InRange(1, 40) : 1);
    }
    system_.GiveSlots(1'000'000);
    system_.Advance(20);
    system_.Drain(max_count_);
  }
  const GoldenSystem& system() const { return system_; }

 private:
  ArbitrationSettings Settings() {
    auto weight = [&] {
      return static_cast<std::uint8_t>(random_.Below(random_.Below(8) == 0 ? 256 : 6));
    };
    ArbitrationSettings settings;
    settings.ab = static_cast<std::uint8_t>(random_.Below(8));
    settings.hpw_zb = weight();
    settings.mpw_zb = weight();
    settings.lpw_zb = weight();
    return settings;
  }
  void Create(std::uint16_t sqid) {
    const auto cqid =
        static_cast<std::uint16_t>(random_.Below(3) == 0 ? random_.Below(sq_count_) : sqid);
    system_.CreateSq(sqid, cqid, static_cast<std::uint32_t>(random_.InRange(2, 70)),
                     sqid == 0 ? SqClass::kAdmin : static_cast<SqClass>(random_.Below(4)));
  }
  std::uint16_t AnyQueue() { return static_cast<std::uint16_t>(random_.Below(sq_count_)); }

  void Clock() {
    if (random_.Below(busy_) < 4) {
      const std::uint16_t sqid = AnyQueue();
      if (system_.Exists(sqid)) {
        system_.Submit(sqid, static_cast<std::uint32_t>(random_.InRange(1, 12)));
      }
    }
    if (random_.Below(4) == 0)
      system_.Consume(AnyQueue(), 1 + static_cast<std::uint32_t>(random_.Below(4)));
    if (random_.Below(3) == 0) system_.GiveSlots(1 + static_cast<std::uint32_t>(random_.Below(4)));
    if (random_.Below(2) == 0) system_.Fetch();
    if (random_.Below(2) == 0) system_.Complete(random_.Below(10) != 0);
    if (random_.Below(3) != 0) system_.Grant(max_count_);
    if (random_.Below(300) == 0) system_.SetArbitration(Settings());
    if (random_.Below(400) == 0) Rare(AnyQueue());
  }
  void Rare(std::uint16_t sqid) {
    if (!system_.Exists(sqid)) {
      if (system_.golden().IsDrained(sqid)) Create(sqid);
    } else if (system_.HasArrivals() || system_.IsDeleting(sqid)) {
      return;
    } else if (random_.Below(2) == 0) {
      system_.RingSq(sqid, static_cast<std::uint16_t>(random_.Below(90)));
    } else {
      system_.RequestDelete(sqid);
    }
  }

  base::Random random_;
  unsigned sq_count_;
  std::uint32_t max_count_;
  std::uint64_t busy_;
  GoldenSystem system_;
};

class JudgeRandom : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(LatestClocks, JudgeRandom, testing::Values(0u, 3u, 8u));

TEST_P(JudgeRandom, AcceptsGoldenRunsWithArrivalsWithinTheTolerance) {
  const std::uint64_t first_seed = FirstSeed();
  std::uint64_t granted_count = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 700; ++seed) {
    RandomLife life(seed, GetParam());
    life.Run(1200);
    Judge judge(life.system().golden().sq_count());
    Replay(life.system().recording(), &judge);
    granted_count += judge.granted_count();
    ASSERT_EQ(judge.log().finding_count(), 0u)
        << "reproduce: NVMEARB_SEED=" << seed << " scoreboard_judge_random_test\n"
        << Describe(judge.findings().front());
  }
  EXPECT_GT(granted_count, 100'000u);
}

TEST(ExactOrderRandom, AcceptsGoldenRunsWithoutLatencyAndWithRoomInTheCqs) {
  const std::uint64_t first_seed = FirstSeed();
  std::uint64_t compared_count = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 700; ++seed) {
    RandomLife life(seed, 0, true);
    life.Run(600);
    ExactOrder exact(life.system().golden().sq_count());
    Replay(life.system().recording(), &exact);
    compared_count += exact.compared_count();
    ASSERT_TRUE(exact.findings().empty())
        << "reproduce: NVMEARB_SEED=" << seed << " scoreboard_judge_random_test\n"
        << Describe(exact.findings().front());
  }
  EXPECT_GT(compared_count, 50'000u);
}

TEST(JudgeRandomLate, ReportsRunsWhoseArrivalsAreSeenTooLate) {
  // Not every late arrival changes an order; over many runs a good part does.
  int reported_count = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomLife life(seed, 60);
    life.Run(1200);
    Judge judge(life.system().golden().sq_count());
    Replay(life.system().recording(), &judge);
    if (judge.log().finding_count() > 0) ++reported_count;
  }
  EXPECT_GT(reported_count, 100);
}

}  // namespace
}  // namespace nvmearb::tb
