// SPDX-License-Identifier: Apache-2.0
//
// RR-01 to RR-09: the order of service under round robin.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/check.h"
#include "conformance/order.h"
#include "conformance/traffic.h"

namespace nvmearb::conformance {
namespace {

CONFORMANCE_CHECK(RR, 01, GoldenOrders, kBurstDoubled) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kLow, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(0));
    EXPECT_EQ(OrderOf(host, {{0, 3}, {1, 3}, {2, 3}}, 2), Repeat("0 1 2", 3)) << "G1";
    ASSERT_TRUE(host.SetArbitration(2));
    EXPECT_EQ(OrderOf(host, {{0, 6}, {1, 6}, {2, 6}}, 2), "0x4 1x4 2x4 0x2 1x2 2x2") << "G13";
    if (build.sq_count < 4) continue;
    ASSERT_TRUE(host.CreatePair(3, kHigh));
    ASSERT_TRUE(host.SetArbitration(1));
    EXPECT_EQ(OrderOf(host, {{1, 5}, {2, 1}, {3, 3}}, 3), "1x2 2 3x2 1x2 3 1") << "G2";
  }
}

CONFORMANCE_CHECK(RR, 02, RunsAreExactlyOneBurst, kBurstOfOne) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent}));
    for (std::uint8_t ab = 0; ab <= 6; ++ab) {
      ASSERT_TRUE(host.SetArbitration(ab));
      const unsigned burst = 1u << ab;
      const std::string run = burst == 1 ? "" : "x" + std::to_string(burst);
      EXPECT_EQ(OrderOf(host, {{1, 3 * burst}, {2, 3 * burst}}, 2),
                Repeat("1" + run + " 2" + run, 3))
          << "AB = " << int{ab};
    }
  }
}

CONFORMANCE_CHECK(RR, 03, NoLimitServesWhatWasThereAtTheBeginningOfTheVisit, kBurstOfOne) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(7));
    EXPECT_EQ(OrderOf(host, {{1, 20}, {2, 2}}, 2), "1x20 2x2") << "G11";
    FillDevice(host, 2);
    host.Submit(1, 10, Work::kSlow);
    host.Submit(2, 2, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 4; }));
    host.Submit(1, 7, Work::kSlow);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x10 2x2 1x7") << "later ones wait for the next visit";
  }
}

CONFORMANCE_CHECK(RR, 04, AdminIsAPeer, kAlwaysWeighted) {
  FOR_BUILDS(16, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs(std::vector<std::uint8_t>(8, kLow)));
    FillDevice(host, 8);
    for (std::uint16_t id = 0; id <= 8; ++id) host.Submit(id, 20);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), Repeat("0 1 2 3 4 5 6 7 8", 20)) << "one ninth, in its turn";
  }
}

CONFORMANCE_CHECK(RR, 05, PriorityHasNoInfluence, kAlwaysWeighted) {
  std::vector<std::uint8_t> qprios = {kUrgent, kHigh, kMedium, kLow};
  do {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs(qprios));
    ASSERT_TRUE(host.SetArbitration(1, 7, 3, 1));
    ASSERT_EQ(OrderOf(host, {{1, 4}, {2, 4}, {3, 4}, {4, 4}}, 4), Repeat("1x2 2x2 3x2 4x2", 2));
  } while (std::next_permutation(qprios.begin(), qprios.end()) && CurrentFault() == Fault::kNone);
}

CONFORMANCE_CHECK(RR, 06, AdminCommandsDoNotRestartTheIoRing, kAlwaysWeighted) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kLow, kMedium, kHigh}));
    FillDevice(host, 3);
    for (std::uint16_t id = 1; id <= 3; ++id) host.Submit(id, 9, Work::kSlow);
    unsigned admin_count = 0;
    while (host.ReadsSinceMark().size() < 27 + admin_count && admin_count < 20) {
      const std::size_t before = host.reads().size();
      host.Submit(0, 1);
      ++admin_count;
      ASSERT_TRUE(host.RunUntil([&] { return host.reads().size() >= before + 2; }));
    }
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.IoOrder(), Repeat("1 2 3", 9));
    EXPECT_EQ(host.ReadCount(0), admin_count);
    unsigned between = 0;
    unsigned longest = 0;
    for (const SqeRead& read : host.ReadsSinceMark()) {
      longest = std::max(longest, between);
      between = read.sqid == 0 ? 0 : between + 1;
    }
    EXPECT_LE(longest, 4u) << "and SQ 0 waits for one turn of each";
  }
}

/// How many commands of others are served while an SQ with work is not.
class WaitMeter {
 public:
  WaitMeter(Host* host, std::uint16_t sq_count) : host_(host), waits_(sq_count + 1u) {}

  /// Call before the doorbell.
  void OnRing(std::uint16_t sqid) {
    const Host::Sq& sq = host_->sq(sqid);
    if (sq.fetched == sq.rung) waits_[sqid].count = 0;
    // What is left may have been granted already: then the SQ is empty for the arbiter.
    if (sq.rung - sq.fetched <= 1) waits_[sqid].since = host_->Now() + kUnderWayClocks * kClockPs;
  }
  void OnRead(const SqeRead& read) {
    for (std::size_t id = 0; id < waits_.size(); ++id) {
      const Host::Sq& sq = host_->sq(static_cast<std::uint16_t>(id));
      const bool waits = id != read.sqid && sq.fetched < sq.rung;
      if (waits && read.time > waits_[id].since) ++waits_[id].count;
    }
    longest_ = std::max(longest_, waits_[read.sqid].count);
    waits_[read.sqid].count = 0;
  }
  [[nodiscard]] unsigned longest() const { return longest_; }

 private:
  // Register write to doorbell, the clocks in which a decision may miss it (rule 12), and grant to
  // read: what is read before was decided without the doorbell.
  static constexpr std::uint64_t kUnderWayClocks = 24;
  struct Wait {
    unsigned count = 0;
    ssd::TimePs since = 0;
  };

  Host* host_;
  std::vector<Wait> waits_;
  unsigned longest_ = 0;
};

CONFORMANCE_CHECK(RR, 07, NobodyWaitsLongerThanTheBurstsOfTheOthers, kAlwaysWeighted) {
  FOR_BUILDS(2, 1024) {
    for (const std::uint8_t ab : {std::uint8_t{0}, std::uint8_t{2}}) {
      DeviceOptions options;
      options.admin_ps = kClockPs;  // CQ 0 is never full
      Bench bench(build, options);
      Host& host = bench.host;
      base::Random random(build.sq_count, ab);
      ASSERT_TRUE(host.Enable());
      const auto sq_count = static_cast<std::uint16_t>(std::min(build.sq_count - 1, 20u));
      for (std::uint16_t id = 1; id <= sq_count; ++id) {
        ASSERT_TRUE(host.CreatePair(id, id == 1 ? kLow : kUrgent, 32));
      }
      ASSERT_TRUE(host.SetArbitration(ab));
      WaitMeter meter(&host, sq_count);
      host.on_read = [&](const SqeRead& read) { meter.OnRead(read); };
      const std::uint64_t read_count = IsFullRun() ? 100'000 : 10'000;
      // Doorbells slower than the bus, so that none waits there.
      ASSERT_TRUE(RunTraffic(host, sq_count, read_count, random, 6,
                             [&](std::uint16_t sqid) { meter.OnRing(sqid); }));
      EXPECT_LE(meter.longest(), sq_count * (1u << ab)) << "others are SQ 0 and all but one";
      EXPECT_GT(meter.longest(), sq_count / 2u) << "otherwise nobody had to wait";
    }
  }
}

CONFORMANCE_CHECK(RR, 08, SqThatRanEmptyBeginsANewBurst, kBurstDoubled) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(2));
    FillDevice(host, 2);
    host.Submit(1, 2, Work::kSlow);
    host.Submit(2, 8, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 2; }));
    host.Submit(1, 6, Work::kSlow);  // it is empty: to the back
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x2 2x4 1x4 2x4 1x2");
    FillDevice(host, 2);
    host.Submit(1, 2, Work::kSlow);
    host.Submit(2, 8, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 1; }));
    host.Submit(1, 6, Work::kSlow);  // it is not: its visit goes on
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x4 2x4 1x4 2x4");
  }
}

CONFORMANCE_CHECK(RR, 09, NoRunIsLongerThanABurstWhileAnotherSqWaits, kBurstDoubled) {
  for (const std::uint8_t ab : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
    DeviceOptions options;
    options.flush_ps = 4 * kUs;
    Bench bench(BuildOf(16), options);
    Host& host = bench.host;
    base::Random random(9, ab);
    constexpr std::uint16_t kSqCount = 4;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs(std::vector<std::uint8_t>(kSqCount, kUrgent), 64));
    ASSERT_TRUE(host.SetArbitration(ab));
    // Doorbells come right behind a read, far from the next decision: who waits is certain.
    unsigned longest = 0;
    unsigned others_served[kSqCount + 1] = {};  // since this SQ has been waiting, in a row
    std::uint16_t last = 0;
    host.on_read = [&](const SqeRead& read) {
      for (std::uint16_t id = 1; id <= kSqCount; ++id) {
        const Host::Sq& sq = host.sq(id);
        const bool waits = id != read.sqid && sq.fetched < sq.rung;
        others_served[id] = !waits ? 0 : read.sqid == last ? others_served[id] + 1 : 1;
        longest = std::max(longest, others_served[id]);
      }
      last = read.sqid;
    };
    const unsigned read_count = IsFullRun() ? 20'000 : 2'000;
    while (host.reads().size() < read_count) {
      const std::size_t before = host.reads().size();
      for (unsigned i = 0; i < 2; ++i) {
        const auto id = static_cast<std::uint16_t>(random.InRange(1, kSqCount));
        const auto count = static_cast<unsigned>(random.InRange(1, 8));
        if (host.FreeSlots(id) >= count) host.Submit(id, count, Work::kSlow);
      }
      // At least one SQ has work: a command is fetched when the one in the device has ended.
      ASSERT_TRUE(host.RunUntil([&] { return host.reads().size() > before; }));
    }
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_LE(longest, 1u << ab);
  }
}

}  // namespace
}  // namespace nvmearb::conformance
