// SPDX-License-Identifier: Apache-2.0
//
// SQs that share a CQ which gets less room than a burst have their turns one after the other
// (decision 0120), on the engine as on the golden arbiter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "core_bench.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

struct Share {
  bool wrr;
  SqClass sq_class;
  unsigned sq_count;
  unsigned room;  ///< of the CQ, given back as a whole; a burst is 4
};

std::string Name(const Share& share) {
  const char* ring = !share.wrr                           ? "RoundRobin"
                     : share.sq_class == SqClass::kUrgent ? "Urgent"
                     : share.sq_class == SqClass::kHigh   ? "High"
                                                          : "Low";
  return fmt::format("{}{}SqsRoom{}", ring, share.sq_count, share.room);
}
void PrintTo(const Share& share, std::ostream* out) { *out << Name(share); }

class CoreRoom : public ::testing::TestWithParam<Share> {
 protected:
  static constexpr unsigned kSize = 64;
  static unsigned SmallestModelFor(unsigned sq_count) {
    const std::vector<unsigned> sizes = Traits().sizes;
    return *std::find_if(sizes.begin(), sizes.end(), [=](unsigned n) { return n > sq_count; });
  }
};

TEST_P(CoreRoom, EachSqHasItsTurnWhenTheRoomIsLessThanABurst) {
  const Share share = GetParam();
  CoreBench bench(SmallestModelFor(share.sq_count));
  bench.Configure(CoreConfig::SetMech(share.wrr));
  bench.Configure(CoreConfig::SetArb({2, 7, 7, 7}));
  bench.Configure(CoreConfig::CreateCq(1, share.room + 1));
  for (unsigned q = 1; q <= share.sq_count; ++q) {
    bench.Configure(CoreConfig::CreateSq(q, 1, kSize, share.sq_class));
  }
  ASSERT_TRUE(bench.RunUntilQuiescent());
  for (unsigned q = 1; q <= share.sq_count; ++q) bench.Ring(false, q, kSize - 1);
  ASSERT_TRUE(bench.RunUntilQuiescent());
  bench.GiveSlots(400);

  unsigned head = 0;
  for (unsigned turn = 0; turn < 5 * share.sq_count; ++turn) {
    std::vector<unsigned> granted;
    bool quiescent = false;
    for (int i = 0; i < 1000 && !quiescent; ++i) {
      const bool shown = bench.AllShown();
      const CoreOut& out = bench.Step();
      if (out.obs_grant_valid) granted.insert(granted.end(), out.grant_count, out.grant_sqid);
      quiescent = shown && out.quiescent;
    }
    ASSERT_TRUE(quiescent);
    const unsigned expected = 1 + turn % share.sq_count;
    ASSERT_EQ(granted, std::vector<unsigned>(share.room, expected)) << "turn " << turn;
    bench.Commit({expected, share.room});
    ASSERT_TRUE(bench.RunUntilQuiescent());
    for (unsigned i = 0; i < share.room; ++i) bench.Complete({expected, 1, true});
    ASSERT_TRUE(bench.RunUntilQuiescent());
    head = (head + share.room) % (share.room + 1);
    bench.Ring(true, 1, head);
  }
  EXPECT_FALSE(bench.dut().AssertionFailed());
}

std::vector<Share> Shares() {
  std::vector<Share> shares;
  for (const unsigned sq_count : {2u, 3u}) {
    for (const unsigned room : {1u, 3u}) {
      shares.push_back({false, SqClass::kLow, sq_count, room});
      shares.push_back({true, SqClass::kUrgent, sq_count, room});
      shares.push_back({true, SqClass::kHigh, sq_count, room});
      shares.push_back({true, SqClass::kLow, sq_count, room});
    }
  }
  return shares;
}

INSTANTIATE_TEST_SUITE_P(Shares, CoreRoom, ::testing::ValuesIn(Shares()),
                         [](const auto& share) { return Name(share.param); });

}  // namespace
}  // namespace nvmearb::tb
