// SPDX-License-Identifier: Apache-2.0
//
// The judges of the core tests, shown events that were falsified on the way: each has to be
// reported.
#include "core_mirror.h"

#include <gtest/gtest.h>

#include <functional>

#include "core_bench.h"
#include "core_traffic.h"

namespace nvmearb::tb {
namespace {

/// Passes cycles on; lets a function change one kind of event once, after a while.
class Falsifier final : public CoreObserver {
 public:
  Falsifier(CoreObserver* next, std::function<bool(CoreOut*)> change)
      : next_(next), change_(std::move(change)) {}
  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* config) override {
    CoreOut seen = out;
    if (!done_ && cycle > 3000) done_ = change_(&seen);
    next_->OnCycle(cycle, in, seen, config);
  }
  [[nodiscard]] bool done() const { return done_; }

 private:
  CoreObserver* next_;
  std::function<bool(CoreOut*)> change_;
  bool done_ = false;
};

/// Findings of the mirror over a run in which `change` falsified one event.
std::size_t FindingsWith(const std::function<bool(CoreOut*)>& change) {
  TrafficOptions options;
  options.seed = 5;
  options.bad_doorbells = true;
  CoreBench bench(16);
  CoreMirror mirror(16);
  Falsifier falsifier(&mirror, change);
  bench.Observe(&falsifier);
  CoreTraffic traffic(&bench, options);
  traffic.BringUp();
  for (int i = 0; i < 8000; ++i) traffic.Step();
  EXPECT_TRUE(falsifier.done());
  return mirror.findings().size();
}

TEST(CoreMirror, IsContentWithWhatTheCoreDoes) {
  EXPECT_EQ(FindingsWith([](CoreOut*) { return true; }), 0u);
}
TEST(CoreMirror, ReportsAGrantOfAnotherSq) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              out->grant_sqid ^= 1;
              return out->obs_grant_valid;
            }),
            0u);
}
TEST(CoreMirror, ReportsAWrongHead) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              ++out->grant_head;
              return out->obs_grant_valid;
            }),
            0u);
}
TEST(CoreMirror, ReportsAWrongCount) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              ++out->grant_count;
              return out->obs_grant_valid;
            }),
            0u);
}
TEST(CoreMirror, ReportsWrongCredits) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              ++out->credit[1];
              return out->obs_grant_valid;
            }),
            0u);
}
TEST(CoreMirror, ReportsAWrongFetchedHead) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              ++out->obs_fetch_head;
              return out->obs_fetch_valid;
            }),
            0u);
}
TEST(CoreMirror, ReportsALostDoorbell) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              const bool lost = out->obs_db_valid && !out->obs_db_is_cq;
              if (lost) out->obs_db_valid = false;
              return lost;
            }),
            0u);
}
TEST(CoreMirror, ReportsARefusalThatShouldHaveBeenAccepted) {
  EXPECT_GT(FindingsWith([](CoreOut* out) {
              const bool wrong = out->obs_db_valid;
              if (wrong) {
                out->obs_db_valid = false;
                out->obs_db_reject = out->err_valid = true;
                out->obs_db_error = out->err_info = 1;
                out->err_qid = out->obs_db_qid;
                out->err_is_cq = out->obs_db_is_cq;
              }
              return wrong;
            }),
            0u);
}
TEST(CoreMirror, ReportsWhatIsNeverGranted) {
  CoreBench bench(16);
  CoreMirror mirror(16);
  bench.Observe(&mirror);
  bench.Configure(CoreConfig::CreateCq(0, 16));
  bench.Configure(CoreConfig::CreateSq(0, 0, 16, arbiter::SqClass::kAdmin));
  ASSERT_TRUE(bench.RunUntilQuiescent());
  bench.in().hold_all = true;  // kept from the mirror below
  bench.GiveSlots(4);
  bench.Ring(false, 0, 1);
  ASSERT_TRUE(bench.RunUntilQuiescent());
  CoreOut out;
  CoreIn in;
  mirror.OnCycle(bench.cycle(), in, out, nullptr);
  mirror.Finish();
  EXPECT_GT(mirror.findings().size(), 0u);
}

TEST(CoreTraffic, ReportsACommandGrantedTwice) {
  TrafficOptions options;
  options.seed = 5;
  CoreBench bench(16);
  CoreTraffic traffic(&bench, options);
  Falsifier falsifier(&traffic, [](CoreOut* out) {
    --out->grant_head;
    return out->obs_grant_valid;
  });
  traffic.BringUp();
  for (int i = 0; i < 4000; ++i) {
    traffic.Step();
    if (falsifier.done()) continue;
    // The same grant once more, through the falsifier.
    CoreOut again;
    again.obs_grant_valid = true;
    again.grant_count = 1;
    falsifier.OnCycle(4000, bench.in(), again, nullptr);
  }
  EXPECT_GT(traffic.findings().size(), 0u);
}

}  // namespace
}  // namespace nvmearb::tb
