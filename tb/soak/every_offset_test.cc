// SPDX-License-Identifier: Apache-2.0
//
// Deletion of an SQ, and a reset, at each clock offset of the visits of a small configuration:
// exhaustive over the offsets, both mechanisms, sizes of grants, back-pressure, fetch times and
// full CQs. Everything is judged; whoever is not deleted is served in full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <string>

#include "core_bench.h"
#include "core_judge.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

constexpr unsigned kSqCount = 3;  // 0 admin, 1 High, 2 Medium
constexpr unsigned kCommands[kSqCount] = {2, 6, 5};
constexpr unsigned kSize = 8;

struct Setup {
  unsigned core_size = 3;
  bool wrr = true;
  unsigned max_count = 1;
  unsigned ready_every = 1;  ///< a grant is read in each n-th clock
  unsigned fetch_clocks = 1;
  bool tight = false;  ///< CQ 1 has room for two
};

std::string Describe(const Setup& s) {
  return fmt::format("{} SQs {} max {} ready every {} fetch {} {}", s.core_size,
                     s.wrr ? "WRR" : "RR", s.max_count, s.ready_every, s.fetch_clocks,
                     s.tight ? "tight" : "roomy");
}

/// The device side: commits, completes, gives slots and entries back.
class Device final : public CoreObserver {
 public:
  Device(CoreBench* bench, const Setup& setup) : bench_(bench), setup_(setup) {
    bench_->Observe(this);
  }

  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* /*config*/) override {
    if (!out.grant_valid || !in.grant_ready) return;
    granted_.push_back(
        {out.grant_sqid, out.grant_cqid, out.grant_count, cycle + setup_.fetch_clocks});
    count[out.grant_sqid] += out.grant_count;
    for (unsigned i = 0; i < out.grant_count; ++i) {
      order += static_cast<char>('0' + static_cast<int>(out.grant_sqid));
    }
  }

  void Step() {
    bench_->in().grant_ready = is_draining || bench_->cycle() % setup_.ready_every == 0;
    if (!granted_.empty() && granted_.front().at <= bench_->cycle()) {
      const Granted g = granted_.front();
      granted_.pop_front();
      bench_->Commit({g.sqid, g.count});
      for (unsigned i = 0; i < g.count; ++i) bench_->Complete({g.sqid, g.cqid, true});
      posted_[g.cqid] += g.count;
      bench_->GiveSlots(g.count);
    }
    if (gives_back && bench_->cycle() % 8 == 0 && bench_->AllShown()) GiveBack();
    bench_->Step();
  }

  /// Steps until nothing is under way; false when that does not come.
  bool Finish() {
    for (unsigned quiet = 0, i = 0; i < 5000; ++i) {
      Step();
      const bool idle = granted_.empty() && bench_->Drained() &&
                        (!gives_back || (posted_[0] | posted_[1] | posted_[2]) == 0);
      quiet = idle ? quiet + 1 : 0;
      if (quiet > 40) return true;
    }
    return false;
  }

  void Forget() {
    granted_.clear();
    posted_ = {};
    head_ = {};
    count = {};
    order.clear();
  }

  std::array<unsigned, kSqCount> count{};  ///< commands granted, by SQ
  std::string order;
  bool gives_back = true;
  bool is_draining = false;

 private:
  struct Granted {
    unsigned sqid, cqid, count;
    std::uint64_t at;
  };

  void GiveBack() {
    for (unsigned cqid = 0; cqid < kSqCount; ++cqid) {
      if (posted_[cqid] == 0) continue;
      const unsigned size = CqSize(cqid);
      head_[cqid] = (head_[cqid] + posted_[cqid]) % size;
      posted_[cqid] = 0;
      bench_->Ring(true, cqid, head_[cqid]);
    }
  }

 public:
  [[nodiscard]] unsigned CqSize(unsigned cqid) const { return setup_.tight && cqid == 1 ? 3 : 64; }

 private:
  CoreBench* bench_;
  Setup setup_;
  std::deque<Granted> granted_;
  std::array<unsigned, kSqCount> posted_{}, head_{};
};

class EveryOffset : public ::testing::TestWithParam<Setup> {
 protected:
  EveryOffset()
      : bench_(GetParam().core_size), judge_(GetParam().core_size), device_(&bench_, GetParam()) {
    bench_.Observe(&judge_);
    bench_.in().max_count = GetParam().max_count;
  }

  void CreateSq(unsigned id) {
    constexpr SqClass kClasses[] = {SqClass::kAdmin, SqClass::kHigh, SqClass::kMedium};
    bench_.Configure(CoreConfig::CreateSq(id, id, kSize, kClasses[id]));
  }

  void BringUp() {
    device_.Forget();
    device_.gives_back = !GetParam().tight;
    device_.is_draining = false;
    bench_.Configure(CoreConfig::Reset());
    ASSERT_TRUE(bench_.RunUntilQuiescent());
    bench_.in().hold_all = false;
    bench_.Configure(CoreConfig::SetMech(GetParam().wrr));
    bench_.Configure(CoreConfig::SetArb({1, 1, 0, 0}));  // bursts of 2, weights 2:1:1
    for (unsigned id = 0; id < kSqCount; ++id) {
      bench_.Configure(CoreConfig::CreateCq(id, device_.CqSize(id)));
      CreateSq(id);
    }
    ASSERT_TRUE(bench_.RunUntilQuiescent());
    bench_.GiveSlots(6);
    for (unsigned i = 0; i < 10; ++i) bench_.Step();
  }

  void RingAll() {
    bench_.Ring(false, 1, kCommands[1]);
    bench_.Ring(false, 2, kCommands[2]);
    bench_.Ring(false, 0, kCommands[0]);
  }

  /// The order without any disturbance, and how many clocks it takes.
  std::string Undisturbed(unsigned* clocks) {
    BringUp();
    const std::uint64_t begin = bench_.cycle();
    RingAll();
    std::uint64_t last = begin;
    for (unsigned i = 0; i < 400; ++i) {
      const std::size_t before = device_.order.size();
      device_.Step();
      if (device_.order.size() != before) last = bench_.cycle();
    }
    *clocks = static_cast<unsigned>(last - begin) + 12;
    device_.gives_back = true;
    EXPECT_TRUE(device_.Finish());
    EXPECT_EQ(device_.order.size(), kCommands[0] + kCommands[1] + kCommands[2]);
    return device_.order;
  }

  void ExpectNothingFound() {
    judge_.judge().ExpectQuiet();
    ASSERT_TRUE(judge_.judge().findings().empty()) << Describe(judge_.judge().findings().front());
    ASSERT_FALSE(bench_.dut().AssertionFailed());
  }

  CoreBench bench_;
  CoreJudge judge_;
  Device device_;
};

TEST_P(EveryOffset, DeletionTakesOneSqAndLeavesTheOthers) {
  unsigned clocks = 0;
  Undisturbed(&clocks);
  ASSERT_GT(clocks, 20u);
  unsigned cut_short_count = 0;
  for (const unsigned deleted : {1u, 2u}) {
    const unsigned other = 3 - deleted;
    for (unsigned offset = 0; offset < clocks; ++offset) {
      SCOPED_TRACE(fmt::format("SQ {} deleted after {} clocks", deleted, offset));
      ASSERT_NO_FATAL_FAILURE(BringUp());
      RingAll();
      for (unsigned i = 0; i < offset; ++i) device_.Step();
      bench_.Configure(CoreConfig::DeleteSq(deleted));
      while (!bench_.Drained()) device_.Step();
      const unsigned granted = device_.count[deleted];
      if (granted != 0 && granted != kCommands[deleted]) ++cut_short_count;
      device_.gives_back = true;
      ASSERT_TRUE(device_.Finish());
      ASSERT_EQ(device_.count[deleted], granted) << "granted after its deletion";
      ASSERT_EQ(device_.count[other], kCommands[other]);
      ASSERT_EQ(device_.count[0], kCommands[0]);
      CreateSq(deleted);
      ASSERT_TRUE(device_.Finish());
      bench_.Ring(false, deleted, 3);
      ASSERT_TRUE(device_.Finish());
      ASSERT_EQ(device_.count[deleted], granted + 3) << "created anew";
      ASSERT_NO_FATAL_FAILURE(ExpectNothingFound());
    }
  }
  EXPECT_GT(cut_short_count, 4u) << "otherwise no deletion met a visit";
}

TEST_P(EveryOffset, ResetForgetsAllAndTheNextLifeIsAsTheFirst) {
  unsigned clocks = 0;
  const std::string undisturbed = Undisturbed(&clocks);
  unsigned cut_short_count = 0;
  for (unsigned offset = 0; offset < clocks; ++offset) {
    SCOPED_TRACE(fmt::format("reset after {} clocks", offset));
    ASSERT_NO_FATAL_FAILURE(BringUp());
    RingAll();
    for (unsigned i = 0; i < offset; ++i) device_.Step();
    bench_.in().hold_all = true;
    device_.is_draining = true;
    device_.gives_back = false;
    ASSERT_TRUE(device_.Finish());
    if (!device_.order.empty() && device_.order.size() < undisturbed.size()) ++cut_short_count;
    ASSERT_NO_FATAL_FAILURE(BringUp());
    RingAll();
    for (unsigned i = 0; i < 400; ++i) device_.Step();
    device_.gives_back = true;
    ASSERT_TRUE(device_.Finish());
    for (unsigned id = 0; id < kSqCount; ++id) ASSERT_EQ(device_.count[id], kCommands[id]);
    ASSERT_NO_FATAL_FAILURE(ExpectNothingFound());
  }
  EXPECT_GT(cut_short_count, 4u) << "otherwise no reset met a visit";
}

std::vector<Setup> Setups() {
  std::vector<Setup> setups;
  for (const unsigned core_size : {3u, 7u}) {
    if (core_size != 3 && Traits().fewer_runs > 1) continue;
    for (const bool wrr : {false, true}) {
      for (const unsigned max_count : {1u, 3u}) {
        if (max_count > Traits().most_per_grant) continue;
        for (const unsigned ready_every : {1u, 3u}) {
          for (const unsigned fetch_clocks : {1u, 9u}) {
            for (const bool tight : {false, true}) {
              setups.push_back({core_size, wrr, max_count, ready_every, fetch_clocks, tight});
            }
          }
        }
      }
    }
  }
  return setups;
}

INSTANTIATE_TEST_SUITE_P(Setups, EveryOffset, ::testing::ValuesIn(Setups()), [](const auto& setup) {
  std::string name = Describe(setup.param);
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace nvmearb::tb
