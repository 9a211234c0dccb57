// SPDX-License-Identifier: Apache-2.0
//
// creation and deletion of queues.
#include <algorithm>
#include <vector>

#include "conformance/check.h"
#include "conformance/event_watch.h"
#include "nvme/base/random.h"

namespace nvmearb::conformance {
namespace {

using nvme::Status;

/// Fields of a Create command that a check may spoil.
struct Creation {
  std::uint16_t qid = 1;
  std::uint16_t cqid = 1;
  std::uint16_t size_zb = 15;
  bool contiguous = true;
  std::uint64_t offset = 0;  ///< of PRP1 in its page
};

Status TryCreateSq(Host& host, const Creation& c) {
  nvme::CreateIoSq command;
  command.qid = c.qid;
  command.cqid = c.cqid;
  command.size_zb = c.size_zb;
  command.contiguous = c.contiguous;
  command.prp1 = host.Allocate(8192) + c.offset;
  return host.Admin(command.Encode(0)).GetStatus();
}

Status TryCreateCq(Host& host, const Creation& c) {
  nvme::CreateIoCq command;
  command.qid = c.qid;
  command.size_zb = c.size_zb;
  command.contiguous = c.contiguous;
  command.prp1 = host.Allocate(8192) + c.offset;
  return host.Admin(command.Encode(0)).GetStatus();
}

Creation Sized(std::uint32_t size_zb) {
  Creation c;
  c.size_zb = static_cast<std::uint16_t>(size_zb);
  return c;
}
Creation Named(unsigned qid, unsigned cqid = 1) {
  Creation c;
  c.qid = static_cast<std::uint16_t>(qid);
  c.cqid = static_cast<std::uint16_t>(cqid);
  return c;
}

CONFORMANCE_CHECK(Q, 01, EveryPriorityIsAccepted, kCreationFails) {
  for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(ams));
    for (const std::uint8_t qprio : {kUrgent, kHigh, kMedium, kLow}) {
      const auto id = static_cast<std::uint16_t>(qprio + 1);
      ASSERT_EQ(host.CreateCq(id), Status::kSuccess);
      EXPECT_EQ(host.CreateSq(id, {16, qprio, 0}), Status::kSuccess);
      host.Submit(id, 3);
      EXPECT_TRUE(host.RunUntilDone());
    }
  }
}

CONFORMANCE_CHECK(Q, 02, QidHasToBeFreeAndInRange, kErrorsSucceed) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    for (const unsigned qid : {0u, 1u, build.sq_count, 0xffffu}) {
      EXPECT_EQ(TryCreateCq(host, Named(qid)), Status::kInvalidQueueIdentifier) << "CQ " << qid;
      EXPECT_EQ(TryCreateSq(host, Named(qid)), Status::kInvalidQueueIdentifier) << "SQ " << qid;
    }
  }
  // Allocated by feature 07h, and not what the hardware could have.
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const nvme::SetFeatures three{7, false, nvme::NumberOfQueuesFeature{3, 3}.Encode(), 0};
  const nvme::Cqe cqe = host.Admin(three.Encode(0));
  ASSERT_EQ(cqe.GetStatus(), Status::kSuccess);
  ASSERT_EQ(nvme::NumberOfQueuesFeature::Decode(cqe.dw0).sq_count, 3u);
  ASSERT_TRUE(host.CreatePair(3));
  EXPECT_EQ(TryCreateCq(host, Named(4)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(TryCreateSq(host, Named(4, 3)), Status::kInvalidQueueIdentifier);
}

CONFORMANCE_CHECK(Q, 03, SizeHasToBeTwoToTheMaximum, kErrorsSucceed) {
  for (const std::uint16_t mqes_zb : {std::uint16_t{63}, std::uint16_t{4095}}) {
    DeviceOptions options;
    options.mqes_zb = mqes_zb;
    Bench bench(BuildOf(16), options);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_EQ(host.CreateCq(1), Status::kSuccess);
    for (const std::uint32_t bad : {0u, mqes_zb + 1u, 0xffffu}) {
      Creation cq = Sized(bad);
      cq.qid = 2;
      EXPECT_EQ(TryCreateCq(host, cq), Status::kInvalidQueueSize) << bad;
      EXPECT_EQ(TryCreateSq(host, Sized(bad)), Status::kInvalidQueueSize) << bad;
    }
    EXPECT_EQ(host.CreateCq(2, mqes_zb + 1u), Status::kSuccess);
    EXPECT_EQ(host.CreateSq(2, {mqes_zb + 1u, kUrgent, 0}), Status::kSuccess);
    EXPECT_EQ(host.CreateSq(1, {2, kUrgent, 0}), Status::kSuccess);
  }
}

CONFORMANCE_CHECK(Q, 04, CqidZeroOrOutOfRangeIsAnInvalidIdentifier, kErrorsSucceed) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    ASSERT_TRUE(bench.host.Enable());
    for (const unsigned cqid : {0u, build.sq_count, 0xffffu}) {
      EXPECT_EQ(TryCreateSq(bench.host, Named(1, cqid)), Status::kInvalidQueueIdentifier) << cqid;
    }
  }
}

CONFORMANCE_CHECK(Q, 05, AbsentCqIsAnInvalidCompletionQueue, kErrorsSucceed) {
  FOR_BUILDS(2, 64) {
    Bench bench(build);
    ASSERT_TRUE(bench.host.Enable());
    const unsigned last = build.sq_count - 1;
    EXPECT_EQ(TryCreateSq(bench.host, Named(1, last)), Status::kCompletionQueueInvalid);
    ASSERT_EQ(bench.host.CreateCq(1), Status::kSuccess);
    ASSERT_EQ(bench.host.DeleteCq(1), Status::kSuccess);
    EXPECT_EQ(TryCreateSq(bench.host, Named(1, 1)), Status::kCompletionQueueInvalid);
  }
}

CONFORMANCE_CHECK(Q, 06, QueuesHaveToBeContiguous, kErrorsSucceed) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(nvme::Cap::Decode(host.Read64(nvme::kRegCap)).cqr);
  ASSERT_TRUE(host.Enable());
  ASSERT_EQ(host.CreateCq(1), Status::kSuccess);
  Creation scattered = Named(2);
  scattered.contiguous = false;
  EXPECT_EQ(TryCreateCq(host, scattered), Status::kInvalidField);
  EXPECT_EQ(TryCreateSq(host, scattered), Status::kInvalidField);
}

CONFORMANCE_CHECK(Q, 07, QueuesBeginAtAPage, kErrorsSucceed) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_EQ(host.CreateCq(1), Status::kSuccess);
  for (const std::uint64_t offset : {4u, 64u, 2048u, 4092u}) {
    Creation shifted = Named(2);
    shifted.offset = offset;
    EXPECT_EQ(TryCreateCq(host, shifted), Status::kPrpOffsetInvalid) << offset;
    EXPECT_EQ(TryCreateSq(host, shifted), Status::kPrpOffsetInvalid) << offset;
  }
}

CONFORMANCE_CHECK(Q, 08, EntrySizesHaveToBeSet, kErrorsSucceed) {
  for (const bool sq : {true, false}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    host.PrepareAdminQueue();
    nvme::Cc cc = nvme::Cc::Decode(Host::CcValue(kRoundRobin));
    (sq ? cc.iosqes : cc.iocqes) = 0;
    host.Write32(nvme::kRegCc, cc.Encode());
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().rdy; }));
    if (sq) {
      EXPECT_EQ(host.CreateCq(1), Status::kSuccess) << "IOCQES is set";
      EXPECT_EQ(TryCreateSq(host, Named(1)), Status::kInvalidQueueSize);
    } else {
      EXPECT_EQ(TryCreateCq(host, Named(1)), Status::kInvalidQueueSize);
    }
  }
}

CONFORMANCE_CHECK(Q, 09, FailedCreationLeavesNoQueue, kNoEvents) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_EQ(host.CreateCq(1), Status::kSuccess);
  EventWatch events(&host);
  Creation scattered;
  scattered.contiguous = false;
  Creation shifted;
  shifted.offset = 64;
  for (const Creation& bad : {Sized(0), Named(1, 2), Named(1, 0), scattered, shifted}) {
    EXPECT_NE(TryCreateSq(host, bad), Status::kSuccess);
    host.Mark();
    host.Write32(host.TailDoorbell(1), 1);
    EXPECT_EQ(events.Next(), kInvalidRegister);
    EXPECT_EQ(host.ReadCount(1), 0u);
  }
  EXPECT_EQ(host.CreateSq(1, {}), Status::kSuccess) << "the identifier is free still";
}

CONFORMANCE_CHECK(Q, 10, QueueCreatedAnewHasItsNewAttributes, kClassStale) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.SetArbitration(0, 4, 4, 4));
  ASSERT_TRUE(host.CreatePair(1, kHigh, 16));
  ASSERT_TRUE(host.CreatePair(2, kMedium));
  host.Submit(1, 5);
  ASSERT_TRUE(host.RunUntilDone());
  ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
  ASSERT_EQ(host.CreateSq(1, {4, kLow, 0}), Status::kSuccess);
  EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 0u);
  host.Submit(2, 1, Work::kSlow);
  host.RunClocks(200);
  host.Mark();
  host.Submit(1, 2);
  host.Submit(2, 2);
  ASSERT_TRUE(host.RunUntilDone());
  EXPECT_EQ(host.Order(), "2x2 1x2") << "Medium before Low";
  std::vector<SqeRead> reads = host.ReadsSinceMark();
  EXPECT_EQ(reads[2].slot, 0u);
  const std::vector<Completion> cqes = host.CompletionsOf(1);
  ASSERT_EQ(cqes.size(), 7u);
  EXPECT_EQ(cqes[5].cqe.sqhd, 1) << "SQHD begins again";
  host.Mark();
  host.Submit(1, 3);
  ASSERT_TRUE(host.RunUntilDone());
  reads = host.ReadsSinceMark();
  ASSERT_EQ(reads.size(), 3u);
  EXPECT_EQ(reads[1].slot, 3u);
  EXPECT_EQ(reads[2].slot, 0u) << "the new size";
}

CONFORMANCE_CHECK(Q, 11, OnlyAnExistingIoSqIsDeleted, kErrorsSucceed) {
  FOR_BUILDS(3, 64) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    for (const unsigned qid : {0u, 2u, build.sq_count, 0xffffu}) {
      const auto id = static_cast<std::uint16_t>(qid);
      EXPECT_EQ(host.DeleteSq(id), Status::kInvalidQueueIdentifier) << "SQ " << qid;
      EXPECT_EQ(host.DeleteCq(id), Status::kInvalidQueueIdentifier) << "CQ " << qid;
    }
    EXPECT_EQ(host.DeleteSq(1), Status::kSuccess);
    EXPECT_EQ(host.DeleteSq(1), Status::kInvalidQueueIdentifier) << "twice";
  }
}

CONFORMANCE_CHECK(Q, 12, DeletionDropsWhatIsNotFetchedAndWaitsForTheRest, kDeletionIgnored) {
  FOR_BUILDS(3, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePair(1, kHigh));
    ASSERT_TRUE(host.CreatePair(2, kHigh));
    host.Mark();
    host.Submit(1, 9, Work::kSlow);  // one in the device, 8 wait
    host.Submit(2, 2, Work::kSlow);
    ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 1; }));
    ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
    const std::vector<Completion> cqes = host.CompletionsOf(1);
    ASSERT_EQ(cqes.size(), 1u) << "the fetched one is completed first";
    EXPECT_LE(cqes[0].time, host.Now());
    ASSERT_TRUE(host.RunUntilDone());
    host.Run(200 * kUs);
    EXPECT_EQ(host.ReadCount(1), 1u) << "none of the others was fetched";
    EXPECT_EQ(host.ReadCount(2), 2u);
    EXPECT_EQ(host.CompletionsOf(1).size(), 1u);
  }
}

CONFORMANCE_CHECK(Q, 13, DeletionWithReadsUnderWay, kDeletionIgnored) {
  DeviceOptions options;
  options.window = 64;
  options.read_latency_clocks = 120;
  Bench bench(BuildOf(16), options);
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.CreatePair(1, kHigh));
  unsigned cut_short_count = 0;
  for (unsigned offset = 0; offset < 300; offset += 3) {
    const std::size_t cqes_before = host.CompletionsOf(1).size();
    host.Mark();
    host.Submit(1, 12);
    host.RunClocks(offset);
    ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
    const std::uint64_t read_count = host.ReadCount(1);
    EXPECT_EQ(host.CompletionsOf(1).size() - cqes_before, read_count);
    host.Run(10 * kUs);
    ASSERT_EQ(host.ReadCount(1), read_count) << "a read after the Delete CQE, " << offset;
    ASSERT_EQ(host.CompletionsOf(1).size() - cqes_before, read_count);
    if (read_count > 0 && read_count < 12) ++cut_short_count;
    ASSERT_EQ(host.CreateSq(1, {64, kHigh, 0}), Status::kSuccess);
  }
  EXPECT_GT(cut_short_count, 5u) << "otherwise no deletion met reads under way";
}

CONFORMANCE_CHECK(Q, 14, DeletionWithinABurstLeavesTheLevelItsCredits, kDeletionIgnored) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable(kWeighted));
  ASSERT_TRUE(host.SetArbitration(7, 8, 2, 1));
  ASSERT_TRUE(host.CreatePair(1, kHigh));
  ASSERT_TRUE(host.CreatePair(2, kHigh));
  ASSERT_TRUE(host.CreatePair(3, kMedium));
  host.Submit(3, 1, Work::kSlow);
  ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(3) == 1; }));
  // SQ 3 took one of Medium's two credits: a new setting begins a new round.
  ASSERT_TRUE(host.SetArbitration(7, 8, 2, 1));
  host.Mark();
  host.Submit(1, 20, Work::kSlow);
  host.Submit(2, 20, Work::kSlow);
  host.Submit(3, 4, Work::kSlow);
  ASSERT_TRUE(host.RunUntil([&] { return host.ReadCount(1) == 3; }));
  ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
  ASSERT_TRUE(host.RunUntilDone());
  EXPECT_EQ(host.IoOrder(), "1x3 2x5 3x2 2x8 3x2 2x7") << "8 of High in each round, 2 of Medium";
}

CONFORMANCE_CHECK(Q, 15, DeletionWithTheCqFull, kDeletionHangs) {
  FOR_BUILDS(2, 64) {
    for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
      DeviceOptions options;
      options.window = 16;
      Bench bench(build, options);
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(ams));
      ASSERT_EQ(host.CreateCq(1, 4), Status::kSuccess);
      ASSERT_EQ(host.CreateSq(1, {16, kLow, 0}), Status::kSuccess);
      host.cq(1).gives_back = false;
      host.Submit(1, 8);
      host.Run(50 * kUs);
      ASSERT_EQ(host.CompletionsOf(1).size(), 3u) << "the CQ is full";
      ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
      host.GiveBack(1);
      host.Run(50 * kUs);
      EXPECT_EQ(host.CompletionsOf(1).size(), 3u);
      ASSERT_EQ(host.CreateSq(1, {16, kLow, 0}), Status::kSuccess);
      host.cq(1).gives_back = true;
      host.Submit(1, 8);
      EXPECT_TRUE(host.RunUntilDone());
    }
  }
}

CONFORMANCE_CHECK(Q, 16, CqInUseIsNotDeleted, kErrorsSucceed) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1));
  ASSERT_EQ(host.CreateSq(2, {16, kUrgent, 1}), Status::kSuccess);
  EXPECT_EQ(host.DeleteCq(1), Status::kInvalidQueueDeletion);
  ASSERT_EQ(host.DeleteSq(1), Status::kSuccess);
  EXPECT_EQ(host.DeleteCq(1), Status::kInvalidQueueDeletion) << "SQ 2 is left";
  host.Submit(2, 2);
  EXPECT_TRUE(host.RunUntilDone()) << "and works";
  ASSERT_EQ(host.DeleteSq(2), Status::kSuccess);
  EXPECT_EQ(host.DeleteCq(1), Status::kSuccess);
}

CONFORMANCE_CHECK(Q, 17, SqsThatShareACqAreToldApart, kSqhdOneMore) {
  FOR_BUILDS(16, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    const auto cqid = static_cast<std::uint16_t>(build.sq_count - 1);
    ASSERT_EQ(host.CreateCq(cqid, 16), Status::kSuccess);
    constexpr std::uint16_t kSqCount = 7;
    for (std::uint16_t id = 1; id <= kSqCount; ++id) {
      ASSERT_EQ(host.CreateSq(id, {id + 4u, kUrgent, cqid}), Status::kSuccess);
    }
    for (unsigned lap = 0; lap < 4; ++lap) {
      for (std::uint16_t id = 1; id <= kSqCount; ++id) host.Submit(id, 1 + (id + lap) % 4);
      ASSERT_TRUE(host.RunUntilDone());
    }
    std::vector<std::uint32_t> next(kSqCount + 1, 0);
    std::vector<std::uint16_t> cid(kSqCount + 1, 0);
    for (const Completion& completion : host.CompletionsOf(cqid)) {
      const std::uint16_t id = completion.cqe.sqid;
      ASSERT_TRUE(id >= 1 && id <= kSqCount);
      next[id] = (next[id] + 1) % (id + 4u);
      // One command at a time in the device: SQHD is one on from completion to completion.
      EXPECT_EQ(completion.cqe.sqhd, next[id]) << "SQ " << id;
      EXPECT_EQ(completion.cqe.cid, cid[id]++);
    }
  }
}

CONFORMANCE_CHECK(Q, 18, EveryQueueWorksInAnyOrderOfCreation, kDoorbellNeighbour) {
  FOR_BUILDS(2, 1024) {
    DeviceOptions options;
    options.window = 64;
    Bench bench(build, options);
    Host& host = bench.host;
    base::Random random(build.sq_count, 18);
    ASSERT_TRUE(host.Enable(random.Below(2) == 0 ? kRoundRobin : kWeighted));
    std::vector<std::uint16_t> ids;
    for (unsigned id = 1; id < build.sq_count; ++id) ids.push_back(static_cast<std::uint16_t>(id));
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.Below(i)]);
    for (const std::uint16_t id : ids) {
      ASSERT_EQ(host.CreateCq(id, static_cast<std::uint32_t>(random.InRange(2, 9))),
                Status::kSuccess);
      ASSERT_EQ(host.CreateSq(id, {static_cast<std::uint32_t>(random.InRange(2, 9)),
                                   static_cast<std::uint8_t>(random.Below(4)), 0}),
                Status::kSuccess);
    }
    host.Mark();
    for (unsigned lap = 0; lap < (IsFullRun() ? 8u : 2u); ++lap) {
      for (const std::uint16_t id : ids) {
        host.Submit(id, static_cast<unsigned>(random.InRange(1, host.FreeSlots(id))));
      }
      ASSERT_TRUE(host.RunUntilDone());
    }
    for (const std::uint16_t id : ids) ASSERT_GE(host.ReadCount(id), 2u) << "SQ " << id;
  }
}

CONFORMANCE_CHECK(Q, 19, NumberOfQueuesIsFixedOnceOneExists, kErrorsSucceed) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  const nvme::Sqe set =
      nvme::SetFeatures{7, false, nvme::NumberOfQueuesFeature{4, 4}.Encode(), 0}.Encode(0);
  EXPECT_EQ(host.Admin(set).GetStatus(), Status::kSuccess);
  ASSERT_TRUE(host.CreatePair(1));
  EXPECT_EQ(host.Admin(set).GetStatus(), Status::kCommandSequenceError);
}

CONFORMANCE_CHECK(Q, 20, SqMayBeRungAsSoonAsItsCreationIsCompleted, kDoorbellNeighbour) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_EQ(host.CreateCq(1), Status::kSuccess);
    EventWatch events(&host);
    const std::uint16_t cid = host.Send(host.PrepareSq(1, {}).Encode(0));
    bool rung = false;
    host.on_completion = [&](const Completion& completion) {
      if (completion.cqid != 0 || completion.cqe.cid != cid) return;
      rung = true;
      host.AdoptSq(1);
      host.Submit(1, 2);  // at the time of the interrupt, before any clock
    };
    ASSERT_EQ(host.Await(cid).GetStatus(), Status::kSuccess);
    ASSERT_TRUE(rung);
    ASSERT_TRUE(host.RunUntilDone(1));
    EXPECT_EQ(host.ReadCount(1), 2u);
    EXPECT_EQ(events.Next(), kNoEvent);
  }
}

}  // namespace
}  // namespace nvmearb::conformance
