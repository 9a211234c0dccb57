// SPDX-License-Identifier: Apache-2.0
//
// Each policy against choices worked by hand.
#include "host_driver/multipath/io_policy.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr auto kOpt = AnaState::kOptimized;
constexpr auto kNon = AnaState::kNonOptimized;
constexpr auto kOff = AnaState::kInaccessible;

class IoPolicyTest : public ::testing::Test {
 protected:
  Path* Add(AnaState ana, unsigned node = kNoNode) {
    const std::string name(1, static_cast<char>('a' + paths_.size()));
    paths_.push_back(std::make_unique<Path>(name, nullptr, node, ana, 2, NodeLatencyParams()));
    paths_.back()->latency.Enable(0);
    return paths_.back().get();
  }
  void Use(const char* name) { policy_ = MakeIoPolicy(name, 2, "test"); }
  // Names of the paths of the next `count` I/Os of `node`; "-" for none.
  std::string Picks(int count, unsigned node = 0, TimePs now = 0) {
    std::string names;
    for (int i = 0; i < count; ++i) {
      const Path* const path = policy_->Select(paths_, node, now);
      names += path == nullptr ? "-" : path->name;
    }
    return names;
  }
  PathList paths_;
  std::unique_ptr<IoPolicy> policy_;
};

TEST_F(IoPolicyTest, AnUnknownNameIsAnErrorThatNamesTheFour) {
  try {
    const auto policy = MakeIoPolicy("service-time", 1, "scenario.toml:5");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "scenario.toml:5: no I/O policy \"service-time\"; one of numa, round-robin, "
                 "queue-depth, latency");
  }
  for (const std::string& name : IoPolicyNames()) {
    EXPECT_EQ(MakeIoPolicy(name, 1, "")->name(), name);
  }
}

TEST_F(IoPolicyTest, EveryPolicyPrefersOptimizedAndFindsNoneWhereNoneIsUsable) {
  for (const std::string& name : IoPolicyNames()) {
    paths_.clear();
    Use(name.c_str());
    Path* const a = Add(kNon);
    Path* const b = Add(kOpt);
    Add(kOff);
    Add(AnaState::kChange);
    EXPECT_EQ(Picks(3), "bbb") << name;
    b->state = PathState::kConnecting;
    policy_->Forget(b);
    EXPECT_EQ(Picks(3), "aaa") << name;
    a->state = PathState::kGone;
    policy_->Forget(a);
    EXPECT_EQ(Picks(2), "--") << name;
    b->state = PathState::kLive;
    EXPECT_EQ(Picks(2), "bb") << name;
  }
}

// numa

TEST_F(IoPolicyTest, NumaTakesTheControllerOfTheSubmittersNode) {
  Use("numa");
  Add(kOpt, 0);
  Add(kOpt, 1);
  EXPECT_EQ(Picks(3, 0), "aaa");
  EXPECT_EQ(Picks(3, 1), "bbb");
}

TEST_F(IoPolicyTest, NumaWithEqualDistancesTakesTheFirst) {
  Use("numa");
  Add(kOpt, 1);
  Add(kOpt, 1);
  EXPECT_EQ(Picks(2, 0) + Picks(2, 1), "aaaa");
}

TEST_F(IoPolicyTest, NumaCountsAnUnknownNodeAsNear) {
  Use("numa");
  Add(kOpt, 1);
  Add(kOpt, kNoNode);
  EXPECT_EQ(Picks(1, 0), "b");  // 10 against 20
  EXPECT_EQ(Picks(1, 1), "a");  // 10 and 10: the first
}

TEST_F(IoPolicyTest, NumaOptimizedFarAwayBeatsNonOptimizedNear) {
  Use("numa");
  Add(kNon, 0);
  Add(kOpt, 1);
  EXPECT_EQ(Picks(1, 0), "b");
}

TEST_F(IoPolicyTest, NumaStaysOnItsPathUntilItIsForgotten) {
  Use("numa");
  Path* const a = Add(kOpt, 0);
  Add(kOpt, 1);
  a->state = PathState::kConnecting;
  EXPECT_EQ(Picks(1, 0), "b");
  a->state = PathState::kLive;
  EXPECT_EQ(Picks(1, 0), "b");  // optimized and cached
  policy_->Forget();            // what the head does when a controller comes back
  EXPECT_EQ(Picks(1, 0), "a");
}

TEST_F(IoPolicyTest, NumaLooksAnewOnEveryIoWhileItsPathIsNotOptimized) {
  Use("numa");
  Add(kNon, 0);
  Path* const b = Add(kOff, 1);
  EXPECT_EQ(Picks(2, 0), "aa");
  b->ana = kOpt;
  EXPECT_EQ(Picks(1, 0), "b");  // without being told
}

// round-robin

TEST_F(IoPolicyTest, RoundRobinTakesThemInTurnPerNode) {
  Use("round-robin");
  Add(kOpt);
  Add(kOpt);
  Add(kOpt);
  EXPECT_EQ(Picks(4, 0), "abca");
  EXPECT_EQ(Picks(2, 1), "ab");  // a node of its own
  EXPECT_EQ(Picks(2, 0), "bc");
}

TEST_F(IoPolicyTest, RoundRobinPassesOverNonOptimizedAndLostOnes) {
  Use("round-robin");
  Add(kOpt);
  Add(kNon);
  Path* const c = Add(kOpt);
  Add(kOpt)->state = PathState::kConnecting;
  EXPECT_EQ(Picks(4), "acac");
  c->ana = kNon;
  EXPECT_EQ(Picks(3), "aaa");  // the only optimized one stays
}

TEST_F(IoPolicyTest, RoundRobinOverNonOptimizedTakesTheLastBehindTheCurrentOne) {
  Use("round-robin");
  Add(kNon);
  Add(kNon);
  Add(kNon);
  // From a: b, then c, the last seen. From c: a, then b. From b: c, then a.
  EXPECT_EQ(Picks(6), "acbacb");
}

TEST_F(IoPolicyTest, RoundRobinBetweenTwoNonOptimizedAlternates) {
  Use("round-robin");
  Add(kNon);
  Add(kNon);
  EXPECT_EQ(Picks(4), "abab");
}

TEST_F(IoPolicyTest, RoundRobinWithOnePath) {
  Use("round-robin");
  Path* const a = Add(kNon);
  EXPECT_EQ(Picks(2), "aa");
  a->ana = kOff;
  EXPECT_EQ(Picks(1), "-");
}

TEST_F(IoPolicyTest, RoundRobinGoesOnBehindALostPath) {
  Use("round-robin");
  Add(kOpt);
  Path* const b = Add(kOpt);
  Add(kOpt);
  EXPECT_EQ(Picks(2), "ab");
  b->state = PathState::kConnecting;  // and still current
  EXPECT_EQ(Picks(2), "ca");
}

// queue-depth

TEST_F(IoPolicyTest, QueueDepthTakesTheFewestAndTheFirstOfEquals) {
  Use("queue-depth");
  Path* const a = Add(kOpt);
  Path* const b = Add(kOpt);
  Path* const c = Add(kOpt);
  a->nr_active = 3;
  b->nr_active = 2;
  c->nr_active = 2;
  EXPECT_EQ(Picks(2), "bb");  // it counts requests, not its own choices
  b->nr_active = 3;
  EXPECT_EQ(Picks(1), "c");
  c->nr_active = 3;
  EXPECT_EQ(Picks(1), "a");
  EXPECT_TRUE(policy_->CountsRequests());
}

TEST_F(IoPolicyTest, QueueDepthLeavesAnIdleNonOptimizedPathIdle) {
  Use("queue-depth");
  Add(kNon);
  Path* const b = Add(kOpt);
  b->nr_active = 1000;
  EXPECT_EQ(Picks(1), "b");
  b->ana = kOff;
  EXPECT_EQ(Picks(1), "a");
}

// latency

TEST_F(IoPolicyTest, LatencyTriesWhatItDoesNotKnowAndThenTakesTheFastestPerNode) {
  Use("latency");
  Path* const a = Add(kOpt);
  Path* const b = Add(kOpt);
  const TimePs window = 2 * kMs;
  EXPECT_EQ(Picks(2), "aa");  // both 0
  for (int i = 0; i < 2; ++i) a->latency.Add(0, 0, 200 * kUs);
  EXPECT_EQ(Picks(1, 0, window), "b");  // 200 against 0: never tried
  for (int i = 0; i < 2; ++i) b->latency.Add(window, 0, 300 * kUs);
  // a was idle for a window: 100. b has 300.
  EXPECT_EQ(Picks(1, 0, 2 * window), "a");
  EXPECT_EQ(Picks(1, 1, 2 * window), "a");  // node 1 has seen neither
}

TEST_F(IoPolicyTest, LatencyComesBackToASlowPathWhenItHasDecayed) {
  Use("latency");
  Path* const a = Add(kOpt);
  Path* const b = Add(kOpt);
  const TimePs window = 2 * kMs;
  std::string picks;
  for (int i = 0; i < 2; ++i) a->latency.Add(0, 0, 1000 * kUs);
  for (TimePs w = 0; w < 6; ++w) {
    for (int i = 0; i < 2; ++i) b->latency.Add(w * window, 0, 100 * kUs);
    picks += Picks(1, 0, (w + 1) * window);
  }
  // a: 1000, 500, 250, 125, 62, 31
  EXPECT_EQ(picks, "bbbbaa");
}

TEST_F(IoPolicyTest, LatencyComparesWholeMicroseconds) {
  Use("latency");
  Path* const a = Add(kOpt);
  Path* const b = Add(kOpt);
  for (int i = 0; i < 2; ++i) a->latency.Add(0, 0, 100'900 * kNs);
  for (int i = 0; i < 2; ++i) b->latency.Add(0, 0, 100'100 * kNs);
  EXPECT_EQ(Picks(1, 0, 2 * kMs), "a");  // 100 and 100: the first
}

}  // namespace
}  // namespace nvmearb::host
