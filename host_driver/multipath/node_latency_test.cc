// SPDX-License-Identifier: Apache-2.0
//
// Windows, means and decay, worked by hand.
#include "host_driver/multipath/node_latency.h"

#include <gtest/gtest.h>

namespace nvmearb::host {
namespace {

constexpr TimePs kWindow = 2 * kMs;

class NodeLatencyTest : public ::testing::Test {
 protected:
  void Make(NodeLatencyParams params = {}) {
    latency_ = std::make_unique<NodeLatency>(2, params);
    latency_->Enable(0);
  }
  void Add(TimePs now, TimePs value, unsigned node = 0) { latency_->Add(now, node, value); }
  std::uint64_t At(TimePs now, unsigned node = 0) { return latency_->LatencyUs(now, node); }
  std::unique_ptr<NodeLatency> latency_;
};

TEST_F(NodeLatencyTest, AWindowCountsWhenItIsOver) {
  Make();
  Add(100 * kUs, 150 * kUs);
  Add(900 * kUs, 251 * kUs);
  EXPECT_EQ(At(kWindow - 1), 0u);
  EXPECT_EQ(At(kWindow), 200u);  // (150 + 251) / 2 = 200.5, whole microseconds
}

TEST_F(NodeLatencyTest, AFreshMeanReplacesTheOldOneWhole) {
  Make();
  Add(0, 1000 * kUs);
  Add(0, 1000 * kUs);
  Add(kWindow + 1, 100 * kUs);
  Add(kWindow + 2, 200 * kUs);
  EXPECT_EQ(At(kWindow + 2), 1000u);
  EXPECT_EQ(At(2 * kWindow), 150u);  // a moving average would lie between the two
}

TEST_F(NodeLatencyTest, AStaleValueKeepsDecayPercentPerWindow) {
  for (const unsigned decay : {50u, 10u}) {
    NodeLatencyParams params;
    params.decay = decay;
    Make(params);
    Add(0, 800 * kUs);
    Add(0, 800 * kUs);
    EXPECT_EQ(At(kWindow), 800u);
    EXPECT_EQ(At(2 * kWindow), decay == 50 ? 400u : 80u);
    EXPECT_EQ(At(3 * kWindow), decay == 50 ? 200u : 8u);
    EXPECT_EQ(At(4 * kWindow), decay == 50 ? 100u : 0u);  // 0.8 us
  }
}

TEST_F(NodeLatencyTest, FewerSamplesThanLowatAreStaleAndThrownAway) {
  Make();
  Add(0, 400 * kUs);
  Add(0, 400 * kUs);
  Add(kWindow, 5000 * kUs);  // one sample in the second window
  EXPECT_EQ(At(2 * kWindow), 200u);
  Add(2 * kWindow, 600 * kUs);
  Add(2 * kWindow, 600 * kUs);
  EXPECT_EQ(At(3 * kWindow), 600u);  // without the 5000
}

TEST_F(NodeLatencyTest, ArithmeticIsWholeNanosecondsRoundedDown) {
  Make();
  Add(0, 1001 * kNs);
  Add(0, 1002 * kNs);
  EXPECT_EQ(At(kWindow), 1u);                                    // 1001 ns
  for (int w = 2; w <= 11; ++w) EXPECT_EQ(At(w * kWindow), 0u);  // 500, 250, 125, 62, 31, ...
}

TEST_F(NodeLatencyTest, NodesAreIndependent) {
  Make();
  Add(0, 100 * kUs, 0);
  Add(0, 100 * kUs, 0);
  Add(0, 900 * kUs, 1);
  Add(0, 900 * kUs, 1);
  EXPECT_EQ(At(kWindow, 0), 100u);
  EXPECT_EQ(At(kWindow, 1), 900u);
}

TEST_F(NodeLatencyTest, ManyWindowsAtOnceAreThoseOneByOne) {
  NodeLatencyParams params;
  params.decay = 90;
  Make(params);
  Add(0, 70'000 * kUs);
  Add(0, 70'000 * kUs);
  NodeLatency stepwise = *latency_;
  for (int w = 1; w <= 200; ++w) static_cast<void>(stepwise.LatencyUs(w * kWindow, 0));
  EXPECT_EQ(At(200 * kWindow), stepwise.LatencyUs(200 * kWindow, 0));
  // The next window has the same borders, although years were skipped at a stroke.
  const TimePs far = TimePs{5'000'000'000} * kWindow;
  EXPECT_EQ(At(far), 0u);
  Add(far + 1, 50 * kUs);
  Add(far + 1, 50 * kUs);
  EXPECT_EQ(At(far + kWindow - 1), 0u);
  EXPECT_EQ(At(far + kWindow), 50u);
}

TEST_F(NodeLatencyTest, DecayOfAHundredNeverForgets) {
  NodeLatencyParams params;
  params.decay = 100;
  Make(params);
  Add(0, 300 * kUs);
  Add(0, 300 * kUs);
  EXPECT_EQ(At(1'000'000 * kWindow), 300u);
}

TEST_F(NodeLatencyTest, EnableForgetsEverything) {
  Make();
  Add(0, 300 * kUs);
  Add(0, 300 * kUs);
  latency_->Enable(kWindow / 2);
  EXPECT_EQ(At(kWindow), 0u);
  Add(kWindow, 40 * kUs);
  Add(kWindow, 40 * kUs);
  EXPECT_EQ(At(kWindow + kWindow / 2), 40u);  // windows count from Enable()
}

}  // namespace
}  // namespace nvmearb::host
