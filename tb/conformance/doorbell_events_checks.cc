// SPDX-License-Identifier: Apache-2.0
//
// DB-13 to DB-26: doorbells of queues that are not there, events, and doorbells at any time.

#include "conformance/check.h"
#include "conformance/doorbell_help.h"
#include "conformance/event_watch.h"

namespace nvmearb::conformance {
namespace {

using nvme::Status;

CONFORMANCE_CHECK(DB, 13, TailOfAnAbsentSqIsReported, kEventInfoSwapped) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    EventWatch events(&host);
    const auto last = static_cast<std::uint16_t>(build.sq_count - 1);
    for (const std::uint16_t id : {std::uint16_t{1}, last}) {
      host.Mark();
      host.Write32(host.TailDoorbell(id), 1);
      EXPECT_EQ(events.Next(), kInvalidRegister) << "SQ " << id;
      EXPECT_EQ(host.ReadCount(id), 0u);
    }
  }
}

CONFORMANCE_CHECK(DB, 14, DoorbellsBeyondTheLastQueueDoNoHarm, kDeadBeyondRange) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    EventWatch events(&host);
    const std::uint32_t stride = 4u << build.dstrd;
    std::uint32_t bar_bytes = 0x1000;
    while (bar_bytes < 0x1000 + 2 * build.sq_count * stride) bar_bytes *= 2;
    for (const std::uint32_t offset :
         {0x1000 + 2 * build.sq_count * stride, 0x1000 + (2 * build.sq_count + 1) * stride,
          bar_bytes - stride, bar_bytes}) {
      host.Write32(offset, 1);
      const std::uint32_t event = events.Next();
      EXPECT_TRUE(event == kInvalidRegister || event == kNoEvent) << std::hex << event;
      EXPECT_EQ(host.Admin(nvme::GetFeatures{1, 0, 0}.Encode(0)).GetStatus(), Status::kSuccess);
    }
  }
}

CONFORMANCE_CHECK(DB, 15, TailOfADeletedSqIsReported, kDeletionIgnored) {
  FOR_BUILDS(2, 64) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    host.Submit(1, 2);
    ASSERT_TRUE(host.RunUntilDone());
    ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
    EventWatch events(&host);
    host.Mark();
    host.Write32(host.TailDoorbell(1), 3);
    EXPECT_EQ(events.Next(), kInvalidRegister);
    host.Run(20 * kUs);
    EXPECT_EQ(host.ReadCount(1), 0u);
  }
}

CONFORMANCE_CHECK(DB, 16, EventWaitsForARequest, kNoEvents) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  host.Write32(host.TailDoorbell(5), 1);
  host.Run(100 * kUs);
  const std::uint16_t cid = host.RequestEvent();  // returns 5 us later
  const Completion* const report = host.Find(cid);
  ASSERT_NE(report, nullptr) << "completes at once";
  EXPECT_EQ(report->cqe.GetStatus(), Status::kSuccess);
  EXPECT_EQ(report->cqe.dw0, kInvalidRegister);
}

CONFORMANCE_CHECK(DB, 17, OneReportUntilTheLogIsRead, kRetainIgnored) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const std::uint16_t cids[] = {host.RequestEvent(), host.RequestEvent(), host.RequestEvent()};
  const auto reported = [&] {
    host.Run(20 * kUs);
    unsigned count = 0;
    for (const std::uint16_t cid : cids) count += host.Find(cid) != nullptr ? 1 : 0;
    return count;
  };
  for (std::uint16_t id = 1; id <= 5; ++id) host.Write32(host.TailDoorbell(id), 1);
  EXPECT_EQ(reported(), 1u);
  host.Write32(host.TailDoorbell(1), 1);
  EXPECT_EQ(reported(), 1u) << "masked";
  ASSERT_EQ(host.ReadErrorLog(true), Status::kSuccess);
  host.Write32(host.TailDoorbell(1), 1);
  EXPECT_EQ(reported(), 1u) << "Retain Asynchronous Event: still masked";
  ASSERT_EQ(host.ReadErrorLog(false), Status::kSuccess);
  EXPECT_EQ(reported(), 1u);
  host.Write32(host.TailDoorbell(1), 1);
  host.Write32(host.TailDoorbell(2), 1);
  EXPECT_EQ(reported(), 2u) << "once more, and once only";
}

CONFORMANCE_CHECK(DB, 18, ResetForgetsEventsAndRequests, kEventsSurviveReset) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  host.Write32(host.TailDoorbell(5), 1);  // no request is there
  host.Run(20 * kUs);
  ASSERT_TRUE(host.Disable());
  ASSERT_TRUE(host.Enable());
  const std::uint16_t cid = host.RequestEvent();
  host.Run(100 * kUs);
  EXPECT_EQ(host.Find(cid), nullptr) << "the event of before the reset";
  const std::size_t before = host.completions().size();
  ASSERT_TRUE(host.Disable());
  host.Run(100 * kUs);
  EXPECT_EQ(host.completions().size(), before) << "no CQE for the request";
}

CONFORMANCE_CHECK(DB, 19, DoorbellsBeforeReadyAreIgnored, kEarlyDoorbellsKept) {
  FOR_BUILDS(2, 64) {
    Bench bench(build);
    Host& host = bench.host;
    host.PrepareAdminQueue();
    host.Write32(host.TailDoorbell(0), 1);  // EN = 0
    host.Write32(host.TailDoorbell(1), 1);
    host.Run(5 * kUs);
    host.Write32(nvme::kRegCc, Host::CcValue(kRoundRobin));
    host.RunClocks(100);
    ASSERT_FALSE(host.Csts().rdy);
    host.Write32(host.TailDoorbell(0), 1);  // EN = 1, RDY = 0
    host.Write32(host.TailDoorbell(1), 1);
    host.Write32(host.HeadDoorbell(0), 1);
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().rdy; }));
    host.Run(50 * kUs);
    EXPECT_EQ(host.reads().size(), 0u);
    EXPECT_EQ(host.Read32(host.TailDoorbell(0)), 0u);
    EventWatch events(&host);
    EXPECT_EQ(events.Next(), kNoEvent);
    EXPECT_TRUE(host.CreatePair(1));
    host.Submit(1, 1);
    EXPECT_TRUE(host.RunUntilDone(1));
  }
}

CONFORMANCE_CHECK(DB, 20, HaltedSqNeedsToBeCreatedAnew, kBadTailIgnored) {
  Bench bench(BuildOf(16), Window(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1, kUrgent, 16));
  host.Submit(1, 2);
  ASSERT_TRUE(host.RunUntilDone());
  host.Write32(host.TailDoorbell(1), 0xffff);
  host.Run(5 * kUs);
  host.Mark();
  host.Write32(host.TailDoorbell(1), 4);
  host.Run(20 * kUs);
  EXPECT_EQ(host.ReadCount(1), 0u);
  ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
  ASSERT_EQ(host.CreateSq(1, {16, kUrgent, 0}), Status::kSuccess);
  host.Mark();
  host.Submit(1, 3);
  ASSERT_TRUE(host.RunUntilDone());
  EXPECT_EQ(Slots(host, 1), "0 1 2");
}

CONFORMANCE_CHECK(DB, 21, DoorbellReadsTheLastAcceptedValue, kDoorbellReadsZero) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    const auto last = static_cast<std::uint16_t>(build.sq_count - 1);
    ASSERT_TRUE(host.CreatePair(last, kUrgent, 16));
    host.Submit(last, 5);
    EXPECT_EQ(host.Read32(host.TailDoorbell(last)), 5u);
    ASSERT_TRUE(host.RunUntilDone());
    host.RunClocks(50);
    EXPECT_EQ(host.Read32(host.HeadDoorbell(last)), 5u);
    host.Write32(host.TailDoorbell(last), 99);
    host.Write32(host.HeadDoorbell(last), 99);
    host.RunClocks(50);
    EXPECT_EQ(host.Read32(host.TailDoorbell(last)), 5u) << "refused values do not show";
    EXPECT_EQ(host.Read32(host.HeadDoorbell(last)), 5u);
    ASSERT_EQ(host.DeleteSq(last), Status::kSuccess);
    ASSERT_EQ(host.CreateSq(last, {16, kUrgent, 0}), Status::kSuccess);
    EXPECT_EQ(host.Read32(host.TailDoorbell(last)), 0u) << "created anew";
    host.Submit(last, 3);
    ASSERT_TRUE(host.RunUntilDone());
    ASSERT_TRUE(host.Disable());
    EXPECT_EQ(host.Read32(host.TailDoorbell(last)), 0u) << "reset";
    EXPECT_EQ(host.Read32(host.HeadDoorbell(last)), 0u);
    EXPECT_EQ(host.Read32(host.TailDoorbell(0)), 0u);
  }
}

CONFORMANCE_CHECK(DB, 22, BadCqHeadsAreReportedAndHaveNoEffect, kNoEvents) {
  Bench bench(BuildOf(16), Window(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1, kUrgent, 8));
  host.cq(1).gives_back = false;
  EventWatch events(&host);
  host.Write32(host.HeadDoorbell(1), 0);
  EXPECT_EQ(events.Next(), kInvalidValue) << "the present head, CQ empty";
  host.Submit(1, 3);
  ASSERT_TRUE(host.RunUntilDone(1));
  for (const std::uint32_t bad : {8u, 9u, 0xffffu, 4u, 7u, 0u}) {
    host.Write32(host.HeadDoorbell(1), bad);
    EXPECT_EQ(events.Next(), kInvalidValue) << "head " << bad << ", 3 entries are there";
    EXPECT_EQ(host.Read32(host.HeadDoorbell(1)), 0u);
  }
  host.Submit(1, 4);
  ASSERT_TRUE(host.RunUntilDone(1)) << "its SQ is not halted";
  host.GiveBack(1);
  EXPECT_EQ(events.Next(), kNoEvent);
  EXPECT_EQ(host.Read32(host.HeadDoorbell(1)), 7u);
  host.Submit(1, 5);
  EXPECT_TRUE(host.RunUntilDone(1));
}

CONFORMANCE_CHECK(DB, 23, RingsInEveryClockCountExactly, kTailOneLess) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build, Window(64));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    ASSERT_TRUE(host.CreatePair(2));
    host.Mark();
    // One clock each, in all less than the judge's bound for an idle arbiter (64 clocks).
    for (unsigned i = 0; i < 24; ++i) host.Submit(1, 1);
    for (unsigned i = 0; i < 15; ++i) {
      host.Submit(1, 1);
      host.Submit(2, 2);
    }
    EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 39u);
    EXPECT_EQ(host.Read32(host.TailDoorbell(2)), 30u);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.ReadCount(1), 39u);
    EXPECT_EQ(host.ReadCount(2), 30u);
  }
}

CONFORMANCE_CHECK(DB, 24, RingAtAnyClockOfAVisitLosesNothing, kReadsTwice) {
  FOR_BUILDS(2, 16) {
    for (const unsigned latency : {2u, 23u}) {
      DeviceOptions options = Window(16);
      options.read_latency_clocks = latency;
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable());
      ASSERT_TRUE(host.CreatePair(1));
      for (unsigned offset = 0; offset < 64; ++offset) {
        host.Mark();
        host.Submit(1, 1);
        host.RunClocks(offset);
        host.Submit(1, 1);
        ASSERT_TRUE(host.RunUntilDone()) << offset << " clocks";
        ASSERT_EQ(host.ReadCount(1), 2u) << offset << " clocks";
      }
    }
  }
}

CONFORMANCE_CHECK(DB, 25, SqAndCqDoorbellsAreApart, kCqHeadMovesSqTail) {
  FOR_BUILDS(2, 64) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1, kUrgent, 16));
    host.cq(1).gives_back = false;
    EventWatch events(&host);
    host.Submit(1, 5);
    ASSERT_TRUE(host.RunUntilDone(1));
    EXPECT_EQ(host.Read32(host.HeadDoorbell(1)), 0u);
    host.Mark();
    host.Write32(host.HeadDoorbell(1), 3);
    EXPECT_EQ(host.Read32(host.HeadDoorbell(1)), 3u);
    EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 5u);
    EXPECT_EQ(events.Next(), kNoEvent);
    EXPECT_EQ(host.ReadCount(1), 0u);
    host.Submit(1, 2);
    ASSERT_TRUE(host.RunUntilDone(1));
    EXPECT_EQ(host.Read32(host.HeadDoorbell(1)), 3u);
    EXPECT_EQ(Slots(host, 1), "5 6");
  }
}

CONFORMANCE_CHECK(DB, 26, BadRingDoesNotTouchABurstElsewhere, kBurstOfOne) {
  for (const bool absent : {false, true}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePairs({kUrgent, kUrgent, kUrgent}));
    ASSERT_TRUE(host.SetArbitration(2));
    host.Submit(3, 1, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(3) == 1; }));
    host.Mark();
    host.Submit(1, 8, Work::kSlow);
    host.Submit(2, 8, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 2; }));
    host.Write32(host.TailDoorbell(absent ? 4 : 3), 0xffff);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(host.Order(), "1x4 2x4 1x4 2x4");
  }
}

}  // namespace
}  // namespace nvmearb::conformance
