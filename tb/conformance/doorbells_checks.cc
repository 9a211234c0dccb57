// SPDX-License-Identifier: Apache-2.0
//
// DB-01 to DB-12: doorbells, where they lead and which values they take.
#include <string>
#include <vector>

#include "conformance/check.h"
#include "conformance/doorbell_help.h"
#include "conformance/event_watch.h"

namespace nvmearb::conformance {
namespace {

using nvme::Status;

/// All I/O SQs of a small build, the edges of a large one.
std::vector<std::uint16_t> SomeSqs(const Build& build) {
  std::vector<std::uint16_t> ids;
  for (unsigned id = 1; id < build.sq_count; ++id) {
    if (build.sq_count <= 65 || id <= 2 || id + 2 >= build.sq_count || (id & (id - 1)) == 0) {
      ids.push_back(static_cast<std::uint16_t>(id));
    }
  }
  return ids;
}

CONFORMANCE_CHECK(DB, 01, AddressFormulaSelectsTheQueue, kDoorbellNeighbour) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    const std::vector<std::uint16_t> ids = SomeSqs(build);
    for (const std::uint16_t id : ids) ASSERT_TRUE(host.CreatePair(id));
    for (const std::uint16_t id : ids) {
      host.Mark();
      host.Place(id, 1);
      ++host.sq(id).rung;
      const std::uint32_t address = 0x1000 + (2u * id) * (4u << build.dstrd);
      host.Write32(address, host.sq(id).tail);
      host.Run(5 * kUs);
      EXPECT_EQ(host.Order(), std::to_string(id));
      EXPECT_EQ(host.Read32(address), host.sq(id).tail);
    }
    EXPECT_TRUE(host.RunUntilDone());
  }
}

CONFORMANCE_CHECK(DB, 02, GapsBetweenDoorbellsDoNothing, kGapsAreDoorbells) {
  for (const unsigned sq_count : {7u, 16u}) {
    for (const Build& build : BuildsBetween(sq_count, sq_count)) {
      if (build.dstrd == 0) continue;
      Bench bench(build, Window(16));
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable());
      for (std::uint16_t id = 1; id < build.sq_count; ++id) ASSERT_TRUE(host.CreatePair(id));
      EventWatch events(&host);
      host.Mark();
      const std::uint32_t stride = 4u << build.dstrd;
      const std::uint32_t end = 0x1000 + 2 * build.sq_count * stride;
      for (std::uint32_t offset = 0x1000; offset < end; offset += 4) {
        if ((offset - 0x1000) % stride == 0) continue;
        host.Write32(offset, 1);
      }
      EXPECT_EQ(events.Next(), kNoEvent);
      EXPECT_EQ(host.Order(), "");
      for (std::uint16_t id = 1; id < build.sq_count; ++id) {
        EXPECT_EQ(host.Read32(host.TailDoorbell(id)), 0u);
        host.Submit(id, 1);
      }
      EXPECT_TRUE(host.RunUntilDone(1));
    }
  }
}

CONFORMANCE_CHECK(DB, 03, TailOfOneFetchesSlotZero, kTailOneMore) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    const auto last = static_cast<std::uint16_t>(build.sq_count - 1);
    ASSERT_TRUE(host.CreatePair(last));
    host.Mark();
    host.Place(last, 3);  // three are there, one is shown
    host.sq(last).rung = 1;
    host.Write32(host.TailDoorbell(last), 1);
    host.Run(20 * kUs);
    EXPECT_EQ(host.Order(), std::to_string(last));
    EXPECT_EQ(Slots(host, last), "0");
    ASSERT_EQ(host.CompletionsOf(last).size(), 1u);
    EXPECT_EQ(host.CompletionsOf(last)[0].cqe.sqhd, 1);
  }
}

CONFORMANCE_CHECK(DB, 04, EachBatchIsFetchedWholeAndInOrder, kTailOneLess) {
  Bench bench(BuildOf(16), Window(64));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  std::uint16_t id = 1;
  for (const std::uint32_t size_count : {2u, 3u, 8u, 33u}) {
    ASSERT_TRUE(host.CreatePair(id, kUrgent, size_count));
    std::uint32_t slot = 0;
    for (std::uint32_t count = 1; count < size_count; ++count) {
      host.Mark();
      host.Submit(id, count);
      EXPECT_TRUE(host.RunUntilDone());
      ASSERT_EQ(Slots(host, id), SlotRange(slot, count, size_count)) << "of " << size_count;
      slot = (slot + count) % size_count;
    }
    ++id;
  }
}

CONFORMANCE_CHECK(DB, 05, WrapFetchesTheLastSlotThenTheFirst, kTailOneLess) {
  Bench bench(BuildOf(16), Window(64));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  // SQ and CQ of one size, and of two.
  for (const std::uint32_t cq_size_count : {8u, 5u}) {
    const auto id = static_cast<std::uint16_t>(cq_size_count);
    ASSERT_EQ(host.CreateCq(id, cq_size_count), Status::kSuccess);
    ASSERT_EQ(host.CreateSq(id, {8, kUrgent, 0}), Status::kSuccess);
    for (unsigned lap = 0; lap < 3; ++lap) {
      host.Submit(id, (7 + 8 - host.sq(id).tail) % 8);
      ASSERT_TRUE(host.RunUntilDone());
      host.Mark();
      host.Submit(id, 2);
      ASSERT_TRUE(host.RunUntilDone());
      EXPECT_EQ(host.Read32(host.TailDoorbell(id)), 1u);
      EXPECT_EQ(Slots(host, id), "7 0");
      EXPECT_EQ(host.CompletionsOf(id).back().cqe.sqhd, 1);
    }
  }
  for (unsigned lap = 0; lap < 2; ++lap) {  // the admin queue
    host.Submit(0, (Host::kAdminSizeCount - 1 + Host::kAdminSizeCount - host.sq(0).tail) %
                       Host::kAdminSizeCount);
    ASSERT_TRUE(host.RunUntilDone());
    host.Mark();
    host.Submit(0, 2);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(Slots(host, 0), std::to_string(Host::kAdminSizeCount - 1) + " 0");
  }
}

CONFORMANCE_CHECK(DB, 06, QueueOfTwoHoldsOneAtATime, kSecondTailLost) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1, kUrgent, 2));
  for (unsigned i = 0; i < 6; ++i) {
    host.Mark();
    host.Submit(1, 1);
    ASSERT_TRUE(host.RunUntilDone());
    EXPECT_EQ(Slots(host, 1), i % 2 == 0 ? "0" : "1");
  }
}

CONFORMANCE_CHECK(DB, 07, LargestQueueWrapsAtItsSize, kTailOneLess) {
  DeviceOptions options = Window(64);
  options.mqes_zb = IsFullRun() ? 0xffff : 4095;
  Bench bench(BuildOf(16), options);
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const std::uint32_t size_count = options.mqes_zb + 1u;
  ASSERT_EQ(host.CreateCq(1, 256), Status::kSuccess);
  ASSERT_EQ(host.CreateSq(1, {size_count, kUrgent, 0}), Status::kSuccess);
  const std::uint32_t batch = (size_count - 1) / 15;
  for (unsigned i = 0; i < 15; ++i) {
    host.Submit(1, batch);
    ASSERT_TRUE(host.RunUntilDone());
  }
  ASSERT_EQ(host.sq(1).tail, options.mqes_zb);
  host.Mark();
  host.Submit(1, 3);
  ASSERT_TRUE(host.RunUntilDone());
  EXPECT_EQ(Slots(host, 1), std::to_string(options.mqes_zb) + " 0 1");
  EXPECT_EQ(host.CompletionsOf(1).size(), size_count + 2);
}

CONFORMANCE_CHECK(DB, 08, UpperBitsAreIgnored, kUpperBitsMatter) {
  FOR_BUILDS(2, 64) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    EventWatch events(&host);
    host.Mark();
    for (const std::uint32_t upper : {0x0001'0000u, 0x8000'0000u, 0xffff'0000u}) {
      host.Place(1, 2);
      host.sq(1).rung += 2;
      host.Write32(host.TailDoorbell(1), upper | host.sq(1).tail);
      ASSERT_TRUE(host.RunUntilDone(1));
    }
    EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 6u);
    EXPECT_EQ(events.Next(), kNoEvent);
    EXPECT_EQ(host.ReadCount(1), 6u);
  }
}

CONFORMANCE_CHECK(DB, 09, TailBeyondTheRingIsRefusedAndHaltsThatSq, kNoEvents) {
  FOR_BUILDS(3, 64) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1, kUrgent, 16));
    ASSERT_TRUE(host.CreatePair(2));
    EventWatch events(&host);
    for (const std::uint32_t bad : {16u, 17u, 0xffffu}) {
      host.Submit(1, 2);
      ASSERT_TRUE(host.RunUntilDone(1));
      host.Mark();
      host.Write32(host.TailDoorbell(1), bad);
      EXPECT_EQ(events.Next(), kInvalidValue) << "tail " << bad;
      EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 2u) << "not the new tail";
      host.Write32(host.TailDoorbell(1), 3);
      host.Submit(2, 5);
      ASSERT_TRUE(host.RunUntilDone(1));
      host.Run(20 * kUs);
      EXPECT_EQ(host.ReadCount(1), 0u) << "halted";
      EXPECT_EQ(host.ReadCount(2), 5u) << "not halted";
      ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
      ASSERT_EQ(host.CreateSq(1, {16, kUrgent, 0}), Status::kSuccess);
    }
  }
}

/// A device whose only command slot SQ 2 has taken, so that what SQ 1 is given stays unfetched.
/// Weighted, so that admin commands go on.
void BlockFetch(Host& host, std::uint32_t size_count) {
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePair(1, kHigh, size_count));
  ASSERT_TRUE(host.CreatePair(2, kHigh));
  host.Submit(2, 1, Work::kSlow);
  ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(2) == 1; }));
}

CONFORMANCE_CHECK(DB, 10, OverfillIsRefusedAndHalts, kNoEvents) {
  constexpr std::uint32_t kSize = 8;
  DeviceOptions options = Window(1);
  options.flush_ps = 1000 * kUs;
  // With the head at 0 and `present` entries, tails 0 .. present - 1 add more than is free: 0 one
  // more. In a full queue that is every other value.
  for (std::uint32_t present = 1; present < kSize; ++present) {
    for (std::uint32_t bad = 0; bad < present; ++bad) {
      SCOPED_TRACE(std::to_string(present) + " present, tail " + std::to_string(bad));
      Bench bench(BuildOf(16), options);
      Host& host = bench.host;
      ASSERT_NO_FATAL_FAILURE(BlockFetch(host, kSize));
      EventWatch events(&host);
      host.Submit(1, present);
      host.Write32(host.TailDoorbell(1), bad);
      EXPECT_EQ(events.Next(), kInvalidValue);
      EXPECT_EQ(host.Read32(host.TailDoorbell(1)), present);
      host.sq(1).rung = 0;  // from here on a read of SQ 1 is a violation
      host.Run(2 * options.flush_ps);
      EXPECT_EQ(host.ReadCount(1), 0u) << "halted";
    }
  }
}

CONFORMANCE_CHECK(DB, 11, FullQueueIsLegal, kSpuriousEvents) {
  for (const std::uint32_t size_count : {2u, 3u, 16u}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_NO_FATAL_FAILURE(BlockFetch(host, size_count));
    EventWatch events(&host);
    host.Submit(1, size_count - 1);
    EXPECT_EQ(events.Next(), kNoEvent);
    ASSERT_TRUE(host.RunUntilDone(1));
    EXPECT_EQ(host.ReadCount(1), size_count - 1);
    host.Submit(0, host.FreeSlots(0));
    EXPECT_TRUE(host.RunUntilDone(1)) << "the admin queue, as full as it may be";
  }
}

CONFORMANCE_CHECK(DB, 12, SameTailAgainIsReportedAndDoesNotHalt, kNoEvents) {
  FOR_BUILDS(2, 64) {
    Bench bench(build, Window(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    EventWatch events(&host);
    host.Submit(1, 3);
    ASSERT_TRUE(host.RunUntilDone(1));
    host.Mark();
    host.Write32(host.TailDoorbell(1), 3);
    EXPECT_EQ(events.Next(), kInvalidValue);
    EXPECT_EQ(host.ReadCount(1), 0u);
    host.Submit(1, 2);
    ASSERT_TRUE(host.RunUntilDone(1));
    EXPECT_EQ(Slots(host, 1), "3 4");
  }
}

}  // namespace
}  // namespace nvmearb::conformance
