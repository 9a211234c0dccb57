// SPDX-License-Identifier: Apache-2.0
//
// Random operations on Arbiter and NaiveArbiter side by side, with grants of up to eight commands
// on one side (rule 11) and single commands on the other; and the invariants both must keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "arbiter/arbiter.h"
#include "arbiter/naive_arbiter.h"
#include "nvme/base/random.h"

namespace nvmearb::arbiter {
namespace {

DoorbellResult Translate(NaiveArbiter::Answer answer) {
  switch (answer) {
    case NaiveArbiter::Answer::kAccepted:
      return DoorbellResult::kAccepted;
    case NaiveArbiter::Answer::kNoQueue:
      return DoorbellResult::kInvalidRegister;
    case NaiveArbiter::Answer::kBadValue:
      return DoorbellResult::kInvalidValue;
    case NaiveArbiter::Answer::kNothing:
      return DoorbellResult::kIgnored;
  }
  return DoorbellResult::kIgnored;
}

std::uint64_t FirstSeed() {
  const char* text = std::getenv("NVMEARB_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
}

/// One random life of a controller; both implementations see the same calls.
class CrossCheck {
 public:
  explicit CrossCheck(std::uint64_t seed)
      : random_(seed),
        sq_count_(static_cast<unsigned>(random_.InRange(1, random_.Below(4) == 0 ? 40 : 9))),
        wrr_(random_.Below(4) != 0),
        settings_(RandomSettings()),
        arbiter_(sq_count_),
        naive_(wrr_, settings_.ab, Weights()) {
    arbiter_.Reset(wrr_ ? Mechanism::kWeightedRoundRobin : Mechanism::kRoundRobin, settings_);
    exists_.assign(sq_count_, false);
    cqid_.assign(sq_count_, 0);
    in_flight_.assign(sq_count_, {});
    const bool tight = random_.Below(2) == 0;
    for (std::uint16_t cqid = 0; cqid < sq_count_; ++cqid) {
      const auto size = static_cast<std::uint32_t>(random_.InRange(2, tight ? 6 : 300));
      arbiter_.CreateCq(cqid, size);
      naive_.CreateCq(cqid, size);
    }
    for (std::uint16_t sqid = 0; sqid < sq_count_; ++sqid) Create(sqid);
  }

  void Run(int step_count) {
    for (int i = 0; i < step_count && !testing::Test::HasFailure(); ++i) Step();
  }
  std::uint64_t granted_count() const { return granted_count_; }

 private:
  ArbitrationSettings RandomSettings() {
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
  std::vector<int> Weights() const {
    return {settings_.WeightCount(0), settings_.WeightCount(1), settings_.WeightCount(2)};
  }

  void Create(std::uint16_t sqid) {
    const auto size = static_cast<std::uint32_t>(random_.InRange(2, 60));
    const auto cqid =
        static_cast<std::uint16_t>(random_.Below(2) == 0 ? sqid : random_.Below(sq_count_));
    const SqClass sq_class = sqid == 0 ? SqClass::kAdmin : static_cast<SqClass>(random_.Below(4));
    arbiter_.CreateSq({sqid, cqid, size, sq_class});
    naive_.CreateSq(sqid, cqid, static_cast<long>(size), sq_class);
    exists_[sqid] = true;
    cqid_[sqid] = cqid;
  }

  void Step() {
    const auto sqid = static_cast<std::uint16_t>(random_.Below(sq_count_));
    switch (random_.Below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return RingSq(sqid);
      case 4:
      case 5:
        return RingCq(sqid);
      case 6:
        return FetchOne(sqid);
      case 7:
        return CompleteOne(sqid);
      case 8:
        return Slots();
      case 9:
        return Rare(sqid);
      default:
        return Decide();
    }
  }

  void RingSq(std::uint16_t sqid) {
    std::uint32_t value = static_cast<std::uint32_t>(random_.Below(64));  // may be anything
    if (exists_[sqid] && random_.Below(50) != 0) {
      const SqRing& ring = arbiter_.sq(sqid);
      if (ring.FreeCount() == 0) return;
      const auto count = static_cast<std::uint32_t>(random_.InRange(1, ring.FreeCount()));
      value = RingAdvance(ring.tail(), count, ring.size_count());
    }
    const auto word = static_cast<std::uint16_t>(value);
    EXPECT_EQ(arbiter_.RingSqTail(sqid, word), Translate(naive_.RingSq(sqid, word)));
  }

  void RingCq(std::uint16_t cqid) {
    const CqRing& ring = arbiter_.cq(cqid);
    std::uint32_t value = static_cast<std::uint32_t>(random_.Below(310));
    if (random_.Below(20) != 0) {
      if (ring.posted_count() == 0) return;
      const auto count = static_cast<std::uint32_t>(random_.InRange(1, ring.posted_count()));
      value = RingAdvance(ring.head(), count, ring.size_count());
    }
    const auto word = static_cast<std::uint16_t>(value);
    EXPECT_EQ(arbiter_.RingCqHead(cqid, word), Translate(naive_.RingCq(cqid, word)));
  }

  void FetchOne(std::uint16_t sqid) {
    if (!exists_[sqid] || arbiter_.IsDrained(sqid)) return;
    arbiter_.CommitFetch(sqid, 1);
    naive_.Fetch(sqid);
  }

  void CompleteOne(std::uint16_t sqid) {
    if (in_flight_[sqid].empty()) return;
    const std::uint16_t cqid = in_flight_[sqid].back();
    in_flight_[sqid].pop_back();
    const bool posted = random_.Below(8) != 0;
    arbiter_.Complete(sqid, cqid, posted);
    naive_.Complete(cqid, posted);
  }

  void Slots() {
    const auto count = static_cast<std::uint32_t>(random_.Below(24));
    arbiter_.GiveSlots(count);
    naive_.GiveSlots(count);
  }

  void Rare(std::uint16_t sqid) {
    switch (random_.Below(8)) {
      case 0:
        settings_ = RandomSettings();
        arbiter_.SetArbitration(settings_);
        naive_.SetArbitration(settings_.ab, Weights());
        break;
      case 1: {
        const bool io = random_.Below(2) == 0;
        const bool all = random_.Below(8) == 0;
        arbiter_.Hold(io, all);
        naive_.Hold(io, all);
        break;
      }
      case 2:
        arbiter_.Hold(false, false);
        naive_.Hold(false, false);
        break;
      default:
        if (!exists_[sqid]) {
          Create(sqid);
        } else if (random_.Below(4) == 0) {
          while (!arbiter_.IsDrained(sqid)) FetchOne(sqid);
          arbiter_.DeleteSq(sqid);
          naive_.DeleteSq(sqid);
          exists_[sqid] = false;
        }
    }
  }

  void Decide() {
    const auto max_count = static_cast<std::uint32_t>(random_.InRange(1, 8));
    const std::uint32_t slots_before = arbiter_.slot_count();
    const std::optional<Grant> grant = arbiter_.Decide(max_count);
    if (!grant) {
      EXPECT_FALSE(naive_.Decide().has_value());
      return;
    }
    EXPECT_LE(grant->count, max_count);
    EXPECT_EQ(arbiter_.slot_count() + grant->count, slots_before);
    for (unsigned i = 0; i < grant->count; ++i) {
      const auto step = naive_.Decide();
      ASSERT_TRUE(step.has_value());
      EXPECT_EQ(step->sqid, grant->sqid);
      EXPECT_EQ(step->head, static_cast<int>(grant->head + i));
      EXPECT_EQ(step->first, grant->first && i == 0);
      in_flight_[grant->sqid].push_back(cqid_[grant->sqid]);
    }
    for (std::size_t level = 0; level < kLevelCount; ++level) {
      EXPECT_EQ(static_cast<int>(arbiter_.credit()[level]), naive_.credit[level]);
      EXPECT_LE(static_cast<int>(arbiter_.credit()[level]),
                settings_.WeightCount(static_cast<int>(level)));
    }
    granted_count_ += grant->count;
  }

  base::Random random_;
  unsigned sq_count_;
  bool wrr_;
  ArbitrationSettings settings_;
  Arbiter arbiter_;
  NaiveArbiter naive_;
  std::vector<bool> exists_;
  std::vector<std::uint16_t> cqid_;
  std::vector<std::vector<std::uint16_t>> in_flight_;
  std::uint64_t granted_count_ = 0;
};

TEST(ArbiterCrossCheck, EqualsTheNaiveReadingOfTheRulesForRandomLives) {
  const std::uint64_t first_seed = FirstSeed();
  std::uint64_t granted_count = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 3000; ++seed) {
    SCOPED_TRACE("reproduce: NVMEARB_SEED=" + std::to_string(seed) +
                 " arbiter_random_cross_check_test");
    CrossCheck check(seed);
    check.Run(1500);
    if (HasFailure()) return;
    granted_count += check.granted_count();
  }
  EXPECT_GT(granted_count, 100'000u);  // else the stimulus has dried up
}

}  // namespace
}  // namespace nvmearb::arbiter
