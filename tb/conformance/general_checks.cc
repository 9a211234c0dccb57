// SPDX-License-Identifier: Apache-2.0
//
// fetch and completion in general.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/check.h"
#include "conformance/event_watch.h"
#include "conformance/order.h"
#include "conformance/traffic.h"
#include "nvme/identify.h"
#include "nvme/io_commands.h"

namespace nvmearb::conformance {
namespace {

using nvme::Status;

/// Random traffic on every build; what each check demands is looked at by `check` afterwards, or by
/// the host on the way (violations).
template <typename CheckAll>
void UnderRandomTraffic(std::uint64_t stream, CheckAll check) {
  FOR_BUILDS(2, 1024) {
    for (const unsigned window : {1u, 24u}) {
      base::Random random(build.sq_count + window, stream);
      DeviceOptions options;
      options.window = window;
      options.read_latency_clocks = window == 1 ? 2 : 60;
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(window == 1 ? kRoundRobin : kWeighted));
      const auto sq_count = static_cast<std::uint16_t>(std::min(build.sq_count - 1, 12u));
      ASSERT_TRUE(CreateRandomPairs(host, sq_count, random));
      ASSERT_TRUE(RunTraffic(host, sq_count, IsFullRun() ? 20'000 : 2'000, random, 0,
                             [](std::uint16_t) {}));
      check(host, sq_count);
    }
  }
}

CONFORMANCE_CHECK(X, 01, SqHeadNeverPassesACapturedSlotAndNeverGoesBack, kSqhdOneMore) {
  // The host demands it of every CQE: between the last SQHD of the SQ and the slots read so far.
  UnderRandomTraffic(1, [](Host& host, std::uint16_t sq_count) {
    EXPECT_EQ(host.violations(), "");
    for (std::uint16_t id = 0; id <= sq_count; ++id) {
      EXPECT_EQ(host.sq(id).consumed, host.sq(id).placed) << "the last SQHD of SQ " << id;
    }
  });
}

CONFORMANCE_CHECK(X, 02, FetchStaysWithinTheQueueAndBeforeItsTail, kReadsBeyondTail) {
  // The host demands it of every SQE read; see Host::RecordRead().
  UnderRandomTraffic(2, [](Host& host, std::uint16_t sq_count) {
    EXPECT_EQ(host.violations(), "");
    std::uint64_t fetched = 0;
    for (std::uint16_t id = 0; id <= sq_count; ++id) fetched += host.sq(id).fetched;
    EXPECT_EQ(host.reads().size(), fetched);
  });
}

CONFORMANCE_CHECK(X, 03, FullCqStallsItsOwnSqsOnly, kCqHeadLost) {
  FOR_BUILDS(7, 1024) {
    for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
      DeviceOptions options;
      options.window = 16;
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(ams));
      ASSERT_EQ(host.CreateCq(1, 4), Status::kSuccess);
      ASSERT_EQ(host.CreateSq(1, {64, kHigh, 1}), Status::kSuccess);
      ASSERT_EQ(host.CreateSq(2, {64, kUrgent, 1}), Status::kSuccess);
      ASSERT_TRUE(host.CreatePair(3, kLow));
      host.cq(1).gives_back = false;
      host.Mark();
      host.Submit(1, 8);
      host.Submit(2, 8);
      for (unsigned i = 0; i < 5; ++i) {
        host.Submit(3, 12);
        host.Run(20 * kUs);
      }
      EXPECT_EQ(host.ReadCount(1) + host.ReadCount(2), 3u) << "as many as CQ 1 has entries for";
      EXPECT_EQ(host.CompletionsOf(1).size(), 3u);
      EXPECT_EQ(host.ReadCount(3), 60u);
      EXPECT_EQ(host.CompletionsOf(3).size(), 60u);
      // One entry given back is one command more, and so on.
      host.Write32(host.HeadDoorbell(1), 1);
      host.Run(20 * kUs);
      EXPECT_EQ(host.ReadCount(1) + host.ReadCount(2), 4u);
      host.cq(1).gives_back = true;
      host.GiveBack(1);
      ASSERT_TRUE(host.RunUntilDone());
      EXPECT_EQ(host.ReadCount(1), 8u);
      EXPECT_EQ(host.ReadCount(2), 8u);
    }
  }
}

CONFORMANCE_CHECK(X, 04, AdminIsFetchedWhileAllIoIsBlocked, kCqHeadLost) {
  FOR_BUILDS(3, 1024) {
    for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
      // By full completion queues.
      DeviceOptions options;
      options.window = 16;
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(ams));
      for (std::uint16_t id = 1; id <= 2; ++id) {
        ASSERT_EQ(host.CreateCq(id, 2), Status::kSuccess);
        ASSERT_EQ(host.CreateSq(id, {64, kUrgent, 0}), Status::kSuccess);
        host.cq(id).gives_back = false;
        host.Submit(id, 30);
      }
      host.Run(50 * kUs);
      host.Mark();
      const nvme::Sqe probe = nvme::GetFeatures{1, 0, 0}.Encode(0);
      for (unsigned i = 0; i < 40; ++i) {
        ASSERT_EQ(host.Await(host.Send(probe), 20 * kUs).GetStatus(), Status::kSuccess);
      }
      EXPECT_EQ(host.Order(), "0x40");
      for (std::uint16_t id = 1; id <= 2; ++id) {
        host.cq(id).gives_back = true;
        host.GiveBack(id);
      }
      ASSERT_TRUE(host.RunUntilDone());
    }
    // By a full device: weighted, the slot kept for SQ 0 is there at once; round robin, where SQ 0
    // is a peer, as soon as a command has left (decision 0004).
    for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
      Bench bench(build);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(ams));
      ASSERT_TRUE(host.CreatePair(1));
      FillDevice(host, 1);
      host.Submit(1, 3, Work::kSlow);
      const nvme::Sqe probe = nvme::GetFeatures{1, 0, 0}.Encode(0);
      const ssd::TimePs limit = ams == kWeighted ? 5 * kUs : 50 * kUs;
      EXPECT_EQ(host.Await(host.Send(probe), limit).GetStatus(), Status::kSuccess);
      EXPECT_TRUE(host.RunUntilDone());
    }
  }
}

/// A Flush that is one half of a fused pair.
nvme::Sqe Fused(nvme::Fuse fuse, std::uint16_t cid) {
  nvme::Sqe sqe = nvme::Flush{}.Encode(cid);
  sqe.cdw0 |= static_cast<std::uint32_t>(fuse) << 8;
  return sqe;
}

CONFORMANCE_CHECK(X, 05, HalvesOfAPairStayNeighboursOfTheirSq, kReadsTwice) {
  // Fused operations are not offered (decision 0040): FUSES is 0, each half is refused. What a
  // controller that pairs behind the fetch needs holds: the halves come in slot order with nothing
  // of their SQ between them, across the wrap and across the end of a burst and of the credits.
  DeviceOptions options;
  Bench bench(BuildOf(16), options);
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  nvme::Identify identify;
  identify.cns = 1;
  identify.prp1 = host.Allocate(4096);
  ASSERT_EQ(host.Admin(identify.Encode(0)).GetStatus(), Status::kSuccess);
  constexpr std::size_t kFusesByte = 522;
  EXPECT_EQ(host.At(identify.prp1)[kFusesByte], 0) << "FUSES";
  ASSERT_TRUE(host.CreatePairs({kHigh, kHigh, kUrgent}, 8));
  ASSERT_TRUE(host.SetArbitration(1, 3, 1, 1));  // bursts of 2, credits of 3
  std::uint16_t cid = 0;
  std::vector<std::uint16_t> slots;
  for (unsigned lap = 0; lap < 8; ++lap) {
    FillDevice(host, 3);
    for (unsigned i = 0; i < 2; ++i) {  // a plain command in front: the pair begins mid-burst
      if (i == 0) host.Place(1, nvme::ReadWrite{}.Encode(cid++));
      host.Place(1, Fused(nvme::Fuse::kFirst, cid++));
      host.Place(1, Fused(nvme::Fuse::kSecond, cid++));
    }
    host.Ring(1);
    host.Submit(2, 5);
    ASSERT_TRUE(host.RunUntilDone());
    for (const SqeRead& read : host.ReadsSinceMark()) {
      if (read.sqid == 1) slots.push_back(static_cast<std::uint16_t>(read.slot));
    }
  }
  const std::vector<Completion> cqes = host.CompletionsOf(1);
  ASSERT_EQ(cqes.size(), cid);
  ASSERT_EQ(slots.size(), cid);
  for (std::uint16_t i = 0; i < cid; ++i) {
    EXPECT_EQ(slots[i], i % 8) << "in slot order, the wrap included";
    EXPECT_EQ(cqes[i].cqe.cid, i);
    EXPECT_EQ(cqes[i].cqe.GetStatus(), i % 5 == 0 ? Status::kSuccess : Status::kInvalidField);
  }
}

CONFORMANCE_CHECK(X, 06, HalvesInTwoDoorbellsDoNotHang, kCompletionsLost) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1, kUrgent, 8));
  for (std::uint16_t i = 0; i < 12; i = static_cast<std::uint16_t>(i + 2)) {
    host.Place(1, Fused(nvme::Fuse::kFirst, i));
    host.Ring(1);
    host.Run(i % 4 == 0 ? 0 : 30 * kUs);
    host.Place(1, Fused(nvme::Fuse::kSecond, static_cast<std::uint16_t>(i + 1)));
    host.Ring(1);
    ASSERT_TRUE(host.RunUntilDone());
  }
  const std::vector<Completion> cqes = host.CompletionsOf(1);
  ASSERT_EQ(cqes.size(), 12u) << "one CQE for each half";
  for (const Completion& completion : cqes) {
    const Status status = completion.cqe.GetStatus();
    EXPECT_TRUE(status == Status::kMissingFused || status == Status::kInvalidField);
  }
  host.Submit(1, 3);
  EXPECT_TRUE(host.RunUntilDone());
}

CONFORMANCE_CHECK(X, 07, AbortOfAnUnfetchedCommandDoesNothing, kAbortClaims) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePairs({kHigh, kHigh}));
  FillDevice(host, 2);
  host.Submit(1, 4);
  for (std::uint16_t cid = 0; cid < 4; ++cid) {
    const nvme::Cqe cqe = host.Admin(nvme::Abort{1, cid}.Encode(0));
    EXPECT_EQ(cqe.GetStatus(), Status::kSuccess);
    EXPECT_EQ(cqe.dw0 & 1, 1u) << "not aborted";
  }
  EXPECT_EQ(host.ReadCount(1), 0u) << "none was fetched for it";
  ASSERT_TRUE(host.RunUntilDone());
  const std::vector<Completion> cqes = host.CompletionsOf(1);
  ASSERT_EQ(cqes.size(), 4u);
  for (std::uint16_t cid = 0; cid < 4; ++cid) {
    EXPECT_EQ(cqes[cid].cqe.cid, cid);
    EXPECT_EQ(cqes[cid].cqe.GetStatus(), Status::kSuccess);
  }
}

CONFORMANCE_CHECK(X, 08, BackPressureDoesNotChangeTheOrder, kWeightsSwapped) {
  FOR_BUILDS(7, 1024) {
    for (const unsigned stall : {0u, 20u, 50u, 80u, 95u}) {
      for (const unsigned latency : {1u, 37u}) {
        DeviceOptions options;
        options.stall_percent = stall;
        options.read_latency_clocks = latency;
        Bench bench(build, options);
        Host& host = bench.host;
        ASSERT_TRUE(host.Enable(kWeighted));
        ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent, kHigh}));
        ASSERT_TRUE(host.SetArbitration(1, 4, 2, 1));
        EXPECT_EQ(OrderOf(host, {{1, 6}, {5, 6}, {2, 6}, {3, 3}}, 4), Repeat("1x2 5x2 2x2 3", 3))
            << stall << " % of the clocks stalled";
      }
    }
  }
}

CONFORMANCE_CHECK(X, 09, FullDeviceDecidesNothing, kOneSlotMore) {
  FOR_BUILDS(7, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePairs({kHigh, kMedium, kLow, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(7, 4, 2, 1));
    FillDevice(host, 4);
    host.Submit(3, 2, Work::kSlow);
    host.Run(10 * kUs);
    EXPECT_EQ(host.Order(), "") << "no command is fetched that cannot be taken";
    host.Submit(1, 8, Work::kSlow);
    host.Submit(2, 4, Work::kSlow);
    host.Run(5 * kUs);
    host.Submit(4, 1, Work::kSlow);
    ASSERT_TRUE(host.RunUntilDone());
    // Nothing was decided before the last doorbell, and no credit spent while nothing was.
    EXPECT_EQ(host.Order(), "4 " + Repeat("1x4 2x2 3", 2));
  }
}

CONFORMANCE_CHECK(X, 10, EveryCommandIsFetchedAndCompletedOnce, kCompletionsLost) {
  UnderRandomTraffic(10, [](Host& host, std::uint16_t sq_count) {
    // Reads by SQ, slot and lap.
    std::set<std::tuple<std::uint16_t, std::uint32_t, std::uint64_t>> seen;
    std::vector<std::uint64_t> count(sq_count + 1u, 0);
    for (const SqeRead& read : host.reads()) {
      const std::uint64_t number = count[read.sqid]++;
      const std::uint32_t size_count = host.sq(read.sqid).size_count;
      EXPECT_EQ(read.slot, number % size_count);
      EXPECT_TRUE(seen.insert({read.sqid, read.slot, number / size_count}).second);
    }
    std::vector<std::uint64_t> completed(sq_count + 1u, 0);
    for (const Completion& completion : host.completions()) ++completed[completion.cqe.sqid];
    for (std::uint16_t id = 0; id <= sq_count; ++id) {
      EXPECT_EQ(count[id], host.sq(id).placed) << "fetched, of SQ " << id;
      EXPECT_EQ(completed[id], host.sq(id).placed) << "completed, of SQ " << id;
    }
  });
}

}  // namespace
}  // namespace nvmearb::conformance
