// SPDX-License-Identifier: Apache-2.0
//
// RST-01 to RST-12: reset, shutdown, fatal errors.
#include <algorithm>
#include <vector>

#include "conformance/check.h"
#include "conformance/event_watch.h"
#include "conformance/order.h"

namespace nvmearb::conformance {
namespace {

using nvme::Cc;
using nvme::Status;

constexpr std::uint8_t kNormalShutdown = 1, kAbruptShutdown = 2;
constexpr std::uint8_t kShstOccurring = 1, kShstComplete = 2;

void NotifyShutdown(Host& host, std::uint8_t shn, std::uint8_t ams) {
  Cc cc = Cc::Decode(Host::CcValue(ams));
  cc.shn = shn;
  host.Write32(nvme::kRegCc, cc.Encode());
}

DeviceOptions SlowMemory(unsigned latency_clocks) {
  DeviceOptions options;
  options.window = 64;
  options.read_latency_clocks = latency_clocks;
  return options;
}

Status Probe(Host& host) { return host.Admin(nvme::GetFeatures{1, 0, 0}.Encode(0)).GetStatus(); }

CONFORMANCE_CHECK(RST, 01, ResetUnderLoadEndsInSilence, kReadyDropsAtOnce) {
  FOR_BUILDS(3, 1024) {
    for (unsigned offset = 0; offset < 400; offset += CurrentFault() == Fault::kNone ? 9 : 90) {
      Bench bench(build, SlowMemory(150));
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(offset % 2 == 0 ? kRoundRobin : kWeighted));
      ASSERT_TRUE(host.CreatePairs({kHigh, kLow}, 64));
      host.Submit(0, 5);
      host.Submit(1, 40);
      host.Submit(2, 40);
      host.RunClocks(offset);
      host.Write32(nvme::kRegCc, 0);
      ASSERT_TRUE(host.RunUntil([&] { return !host.Csts().rdy; }, Host::kPatiencePs, kClockPs));
      // RDY = 0 acknowledges: reads that were under way have ended, and nothing follows.
      const std::size_t read_count = host.reads().size();
      const std::size_t cqe_count = host.completions().size();
      host.ForgetQueues();
      host.Run(100 * kUs);
      ASSERT_EQ(host.reads().size(), read_count) << offset << " clocks";
      ASSERT_EQ(host.completions().size(), cqe_count) << offset << " clocks";
    }
  }
}

CONFORMANCE_CHECK(RST, 02, ResetClearsAllButTheAdminQueueProperties, kMaskSurvivesReset) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build, SlowMemory(2));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable(kWeighted));
    ASSERT_TRUE(host.CreatePair(1));
    const std::uint32_t aqa = host.Read32(nvme::kRegAqa);
    const std::uint64_t asq = host.Read64(nvme::kRegAsq), acq = host.Read64(nvme::kRegAcq);
    host.Write32(nvme::kRegIntms, 0xa5);
    host.Submit(1, 7);
    ASSERT_TRUE(host.RunUntilDone());
    ASSERT_EQ(host.Read32(host.TailDoorbell(1)), 7u);
    ASSERT_TRUE(host.Disable());
    EXPECT_EQ(host.Read32(nvme::kRegCc), 0u);
    EXPECT_EQ(host.Read32(nvme::kRegCsts), 0u);
    EXPECT_EQ(host.Read32(nvme::kRegIntms), 0u);
    EXPECT_EQ(host.Read32(nvme::kRegIntmc), 0u);
    EXPECT_EQ(host.Read32(nvme::kRegAqa), aqa);
    EXPECT_EQ(host.Read64(nvme::kRegAsq), asq);
    EXPECT_EQ(host.Read64(nvme::kRegAcq), acq);
    for (const std::uint16_t id : {std::uint16_t{0}, std::uint16_t{1}}) {
      EXPECT_EQ(host.Read32(host.TailDoorbell(id)), 0u);
      EXPECT_EQ(host.Read32(host.HeadDoorbell(id)), 0u);
    }
  }
}

CONFORMANCE_CHECK(RST, 03, AfterAResetEverythingBeginsAnew, kErrorsSucceed) {
  FOR_BUILDS(2, 1024) {
    Bench bench(build, SlowMemory(2));
    Host& host = bench.host;
    for (unsigned life = 0; life < 3; ++life) {
      ASSERT_TRUE(host.Enable());
      host.Mark();
      ASSERT_EQ(Probe(host), Status::kSuccess);
      ASSERT_FALSE(host.ReadsSinceMark().empty());
      EXPECT_EQ(host.ReadsSinceMark()[0].slot, 0u) << "admin SQ, from slot 0";
      EXPECT_EQ(host.DeleteSq(1), Status::kInvalidQueueIdentifier) << "no I/O queue is left";
      ASSERT_TRUE(host.CreatePair(1, kUrgent, 8)) << "and its identifier is free";
      host.Mark();
      host.Submit(1, 5);
      ASSERT_TRUE(host.RunUntilDone());
      EXPECT_EQ(host.ReadsSinceMark()[0].slot, 0u);
      ASSERT_TRUE(host.Disable());
    }
  }
}

CONFORMANCE_CHECK(RST, 04, DataOfReadsBeforeAResetAreDropped, kStaleCompletion) {
  for (unsigned offset = 0; offset < 500; offset += CurrentFault() == Fault::kNone ? 7 : 70) {
    Bench bench(BuildOf(16), SlowMemory(200));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    host.Submit(0, 8);  // in the memory of the next life lie other commands
    host.RunClocks(offset);
    ASSERT_TRUE(host.Disable());
    const std::size_t cqe_count = host.completions().size();
    ASSERT_TRUE(host.Enable());
    host.Run(10 * kUs);
    ASSERT_EQ(host.completions().size(), cqe_count) << "a command of the life before, " << offset;
    const std::uint16_t cid = host.Send(nvme::GetFeatures{1, 0, 0}.Encode(0));
    ASSERT_EQ(host.Await(cid).GetStatus(), Status::kSuccess);
    ASSERT_EQ(host.completions().size(), cqe_count + 1);
    ASSERT_EQ(host.completions().back().cqe.sqhd, 1);
  }
}

CONFORMANCE_CHECK(RST, 05, FastTogglesOfEnEndInTheLastValue, kDeadAfterTwoResets) {
  FOR_BUILDS(2, 1024) {
    for (unsigned gap = 0; gap < 60; gap += CurrentFault() == Fault::kNone ? 6 : 60) {
      Bench bench(build, SlowMemory(30));
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable());
      for (unsigned i = 0; i < 4; ++i) {
        host.Write32(nvme::kRegCc, 0);
        host.RunClocks(gap);
        host.ForgetQueues();
        host.PrepareAdminQueue();
        host.Write32(nvme::kRegCc, Host::CcValue(kRoundRobin));
        host.RunClocks(gap);
      }
      host.Run(100 * kUs);
      ASSERT_TRUE(host.Csts().rdy) << gap << " clocks between the writes";
      ASSERT_EQ(Probe(host), Status::kSuccess);
      ASSERT_TRUE(host.Disable());
    }
  }
}

CONFORMANCE_CHECK(RST, 06, ShutdownStopsIoAtOnceAndAllWhenComplete, kShutdownNotActedOn) {
  for (const std::uint8_t shn : {kNormalShutdown, kAbruptShutdown}) {
    for (const std::uint8_t ams : {kRoundRobin, kWeighted}) {
      Bench bench(BuildOf(16));
      Host& host = bench.host;
      ASSERT_TRUE(host.Enable(ams));
      ASSERT_TRUE(host.CreatePairs({kHigh, kLow}));
      FillDevice(host, 1);  // busy: one command in the device
      host.Submit(1, 5, Work::kSlow);
      host.Submit(2, 5, Work::kSlow);
      NotifyShutdown(host, shn, ams);
      host.RunClocks(30);
      EXPECT_EQ(host.Csts().shst, kShstOccurring);
      EXPECT_TRUE(host.RunUntil([&] { return host.Csts().shst == kShstComplete; }));
      EXPECT_EQ(host.CompletionsOf(1).size(), 1u) << "what was in the device has ended";
      host.Submit(0, 1);
      host.Run(200 * kUs);
      EXPECT_EQ(host.Order(), "") << "no I/O after the notice, nothing at all when complete";
      bench.ends_quiet = false;
    }
  }
  Bench idle(BuildOf(16));
  ASSERT_TRUE(idle.host.Enable());
  NotifyShutdown(idle.host, kNormalShutdown, kRoundRobin);
  EXPECT_TRUE(idle.host.RunUntil([&] { return idle.host.Csts().shst == kShstComplete; }));
  EXPECT_TRUE(idle.host.Csts().rdy);
}

CONFORMANCE_CHECK(RST, 07, DoorbellsAfterShutdownAreIgnored, kShutdownNotActedOn) {
  FOR_BUILDS(2, 64) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    NotifyShutdown(host, kNormalShutdown, kRoundRobin);
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().shst == kShstComplete; }));
    const std::uint32_t admin_tail = host.Read32(host.TailDoorbell(0));
    host.Mark();
    host.Submit(1, 2);
    host.Submit(0, 1);
    host.Run(50 * kUs);
    EXPECT_EQ(host.Order(), "");
    EXPECT_EQ(host.Read32(host.TailDoorbell(1)), 0u);
    EXPECT_EQ(host.Read32(host.TailDoorbell(0)), admin_tail);
    // Nothing of it comes later.
    ASSERT_TRUE(host.Disable());
    ASSERT_TRUE(host.Enable());
    host.Mark();
    host.Run(50 * kUs);
    EXPECT_EQ(host.Order(), "");
  }
}

CONFORMANCE_CHECK(RST, 08, OneWriteMayResetAndShutDown, kShutdownNotReported) {
  for (const bool busy : {false, true}) {
    Bench bench(BuildOf(16));
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    if (busy) host.Submit(1, 5, Work::kSlow);
    host.RunClocks(40);
    Cc cc;
    cc.shn = kNormalShutdown;
    host.Write32(nvme::kRegCc, cc.Encode());
    EXPECT_TRUE(
        host.RunUntil([&] { return !host.Csts().rdy && host.Csts().shst == kShstComplete; }));
    EXPECT_EQ(host.Read32(nvme::kRegCc), 0u);
    host.ForgetQueues();
    const std::size_t read_count = host.reads().size();
    host.Run(100 * kUs);
    EXPECT_EQ(host.reads().size(), read_count);
  }
}

CONFORMANCE_CHECK(RST, 09, EnableAfterShutdownRunsAgain, kShutdownSticks) {
  FOR_BUILDS(2, 64) {
    Bench bench(build);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    NotifyShutdown(host, kNormalShutdown, kRoundRobin);
    ASSERT_TRUE(host.RunUntil([&] { return host.Csts().shst == kShstComplete; }));
    ASSERT_TRUE(host.Disable());
    ASSERT_TRUE(host.Enable());
    EXPECT_EQ(host.Csts().shst, 0);
    ASSERT_TRUE(host.CreatePair(1));
    host.Submit(1, 3);
    EXPECT_TRUE(host.RunUntilDone());
  }
}

CONFORMANCE_CHECK(RST, 10, FatalStatusStopsFetchingUntilAReset, kNoFatalStatus) {
  Bench bench(BuildOf(16));
  Host& host = bench.host;
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePairs({kHigh, kLow}));
  // A CQE that cannot be written.
  host.Poison(host.cq(1).base);
  FillDevice(host, 1);
  host.Submit(2, 5);
  host.RunUntil([&] { return host.Csts().cfs; });
  EXPECT_TRUE(host.Csts().cfs);
  // The command of the slot that became free at the very time may have been decided already.
  host.Run(5 * kUs);
  const std::size_t read_count = host.reads().size();
  EXPECT_LE(host.ReadsSinceMark().size(), 1u);
  host.Submit(0, 1);
  host.Run(200 * kUs);
  EXPECT_EQ(host.reads().size(), read_count);
  host.Heal();
  ASSERT_TRUE(host.Disable());
  EXPECT_FALSE(host.Csts().cfs);
  ASSERT_TRUE(host.Enable());
  ASSERT_TRUE(host.CreatePair(1));
  host.Submit(1, 3);
  EXPECT_TRUE(host.RunUntilDone());
}

CONFORMANCE_CHECK(RST, 12, FailedSqeReadIsFatalAndMovesNoHead, kNoFatalStatus) {
  FOR_BUILDS(2, 1024) {
    DeviceOptions options = SlowMemory(40);
    Bench bench(build, options);
    Host& host = bench.host;
    ASSERT_TRUE(host.Enable());
    ASSERT_TRUE(host.CreatePair(1));
    host.Submit(1, 3);
    ASSERT_TRUE(host.RunUntilDone());
    host.Poison(host.sq(1).base + 5 * nvme::kSqeBytes);
    host.Mark();
    host.Submit(1, 6);  // slots 3 .. 8, and slot 5 cannot be read
    host.Run(50 * kUs);
    EXPECT_TRUE(host.Csts().cfs);
    for (const Completion& completion : host.CompletionsOf(1)) {
      EXPECT_LE(completion.cqe.sqhd, 5) << "SQHD stands before the slot that was not captured";
    }
    const std::size_t read_count = host.reads().size();
    host.Submit(0, 1);
    host.Run(50 * kUs);
    EXPECT_EQ(host.reads().size(), read_count) << "stopped";
    host.Heal();
    ASSERT_TRUE(host.Disable());
    ASSERT_TRUE(host.Enable());
    EXPECT_FALSE(host.Csts().cfs);
    EXPECT_EQ(Probe(host), Status::kSuccess);
  }
}

}  // namespace
}  // namespace nvmearb::conformance
