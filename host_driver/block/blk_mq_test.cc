// SPDX-License-Identifier: Apache-2.0
//
// The block layer against a scripted driver.
#include "host_driver/block/blk_mq.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "nvme/status.h"

namespace nvmearb::host {
namespace {

constexpr std::uint16_t kInvalidOpcode = 0x001;
constexpr std::uint16_t kInvalidField = 0x002;
constexpr std::uint16_t kLbaOutOfRange = 0x080;

// Keeps what it is given until told to complete it.
class FakeOps : public QueueOps {
 public:
  QueueStatus QueueRq(Hctx* hctx, Request* request, bool last) override {
    if (accept_first > 0) {
      --accept_first;
    } else if (refuse > 0) {
      --refuse;
      return QueueStatus::kBusy;
    }
    if (fail_status != 0) {
      request->status = fail_status;
      return QueueStatus::kError;
    }
    mq->Start(request);
    held.push_back(request);
    log += std::to_string(hctx->index) + ":" + std::to_string(request->offset / 4096) + "+" +
           std::to_string(request->bytes / 4096) + (last ? "! " : " ");
    return QueueStatus::kOk;
  }
  void CommitRqs(Hctx* hctx) override { log += "commit" + std::to_string(hctx->index) + " "; }
  void QueueRqs(RequestList* list) override {
    log += "batch[ ";
    int taken = 0;
    while (!list->empty() && (take_of_batch < 0 || taken++ < take_of_batch)) {
      Request* const request = list->PopFront();
      QueueRq(request->hctx, request, false);
    }
    log += "] ";
  }
  bool HasQueueRqs() const override { return batches; }
  TimeoutAction Timeout(Request* request) override {
    timeouts.push_back(request->tag);
    if (!complete_on_timeout) return TimeoutAction::kResetTimer;
    Take(request);
    mq->Complete(request, 0, request->cpu);
    return TimeoutAction::kDone;
  }

  void Take(Request* request) {
    for (auto at = held.begin(); at != held.end(); ++at) {
      if (*at == request) {
        held.erase(at);
        return;
      }
    }
  }
  // Completes the oldest request.
  void Complete(std::uint16_t status = 0, int irq_cpu = -1) {
    Request* const request = held.front();
    held.pop_front();
    mq->Complete(request, status, irq_cpu < 0 ? request->cpu : static_cast<unsigned>(irq_cpu));
  }
  void CompleteAll() {
    while (!held.empty()) Complete();
  }

  BlkMq* mq = nullptr;
  std::deque<Request*> held;
  std::string log;
  int accept_first = 0;  // requests taken before `refuse` counts
  int refuse = 0;
  std::uint16_t fail_status = 0;
  bool batches = true;
  int take_of_batch = -1;
  bool complete_on_timeout = false;
  std::vector<std::uint16_t> timeouts;
};

class BlkMqTest : public ::testing::Test {
 public:
  void Done(std::uint64_t index) {
    EXPECT_FALSE(inside_) << "done from within Submit()";
    done_ += std::to_string(index) + " ";
  }

 protected:
  BlkMqTest() {
    config_.limits.capacity_bytes = 1 << 30;
    config_.depth = 4;
  }
  void Make() {
    mq_ = std::make_unique<BlkMq>(clock_, cpus_, costs_, ops_, config_);
    ops_.mq = mq_.get();
  }
  // Submits `blocks` of 4 KiB at block `at`.
  Bio* Io(std::uint64_t at, std::uint32_t blocks = 1, BioOp op = BioOp::kRead,
          std::uint16_t cpu = 0) {
    Bio& bio = bios_.emplace_back();
    bio.op = op;
    bio.offset = at * 4096;
    bio.bytes = blocks * 4096;
    bio.cpu = cpu;
    bio.cgroup = group_ != nullptr ? group_ : tree_.root();
    bio.sync = sync_;
    bio.polled = polled_;
    bio.done = Bind<&BlkMqTest::Done>(this, bios_.size() - 1);
    mq_->Submit(&bio);
    return &bio;
  }
  std::string TakeLog() {
    std::string log;
    log.swap(ops_.log);
    return log;
  }
  unsigned HctxOf(std::uint16_t cpu, BioOp op = BioOp::kRead) {
    Io(0, 1, op, cpu);
    const unsigned index = ops_.held.back()->hctx->index;
    ops_.CompleteAll();
    ops_.log.clear();
    return index;
  }

  TestClock clock_;
  CpuTopology cpus_{2, 2, 1};  // CPUs 0, 1 on node 0; 2, 3 on node 1
  HostCosts costs_;
  BlkMqConfig config_;
  FakeOps ops_;
  std::unique_ptr<BlkMq> mq_;
  CgroupTree tree_;
  Cgroup* group_ = nullptr;
  bool sync_ = true;
  bool polled_ = false;
  bool inside_ = false;
  std::deque<Bio> bios_;
  std::string done_;
};

TEST_F(BlkMqTest, DirectIssueTellsTheDriverItIsTheLast) {
  Make();
  Io(7);
  EXPECT_EQ(TakeLog(), "0:7+1! ");
  EXPECT_EQ(done_, "");
  ops_.Complete();
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST_F(BlkMqTest, ClassDecidesTheHardwareQueueOfACpu) {
  config_.queue_count = {1, 1, 1, 1, 1, 1, 1};
  Make();
  const unsigned disk = tree_.AddDisk({"nvme0n1", 259, 0, 0});
  EXPECT_EQ(HctxOf(0, BioOp::kWrite), 0u);
  EXPECT_EQ(HctxOf(0, BioOp::kRead), 1u);
  group_ = tree_.Mkdir("/g");
  const WrrLevel levels[] = {WrrLevel::kLow, WrrLevel::kMedium, WrrLevel::kHigh, WrrLevel::kUrgent};
  for (unsigned i = 0; i < 4; ++i) {
    group_->SetLevel(disk, levels[i]);
    EXPECT_EQ(HctxOf(0, BioOp::kWrite), 2 + i);
    EXPECT_EQ(HctxOf(0, BioOp::kRead), 2 + i);  // reads and writes alike
  }
  polled_ = true;
  EXPECT_EQ(HctxOf(0, BioOp::kRead), 6u);  // whatever the cgroup says
}

TEST_F(BlkMqTest, ClassWithoutQueuesUsesTheDefaultQueueOfTheCpu) {
  config_.queue_count = {4, 0, 0, 0, 1, 0, 0};
  Make();
  const unsigned disk = tree_.AddDisk({"nvme0n1", 259, 0, 0});
  EXPECT_EQ(HctxOf(2), 2u);
  group_ = tree_.Mkdir("/g");
  group_->SetLevel(disk, WrrLevel::kLow);
  EXPECT_EQ(HctxOf(3), 3u);
  group_->SetLevel(disk, WrrLevel::kHigh);
  EXPECT_EQ(HctxOf(3), 4u);
}

TEST_F(BlkMqTest, FlushCountsAsLevelNoneAndNeedsAWriteCache) {
  config_.queue_count = {1, 0, 0, 0, 1, 0, 0};
  Make();
  group_ = tree_.Mkdir("/g");
  group_->SetLevel(0, WrrLevel::kHigh);
  Io(0, 0, BioOp::kFlush);
  EXPECT_EQ(TakeLog(), "");  // nothing to flush
  EXPECT_EQ(done_, "");      // not from within Submit()
  clock_.RunUntil(clock_.Now());
  EXPECT_EQ(done_, "0 ");
  config_.limits.write_cache = true;
  Make();
  Io(0, 0, BioOp::kFlush);
  EXPECT_EQ(TakeLog(), "0:0+0! ");
}

TEST_F(BlkMqTest, LargeBioIsCutToTheLimitAndEndsOnce) {
  Make();
  Io(0, 128);  // 512 KiB
  EXPECT_EQ(TakeLog(), "0:0+32! 0:32+32! 0:64+32! 0:96+32! ");
  for (int i = 0; i < 3; ++i) ops_.Complete(i == 1 ? 0x281 : 0);
  EXPECT_EQ(done_, "");
  ops_.Complete(0x282);
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(bios_[0].status, 0x281);  // the first error is reported
  EXPECT_EQ(mq_->stats().bios_failed, 1u);
  EXPECT_EQ(mq_->stats().splits, 1u);
}

TEST_F(BlkMqTest, NoRequestCrossesAChunk) {
  config_.limits.chunk_bytes = 64 * 1024;
  Make();
  Io(10, 30);
  EXPECT_EQ(TakeLog(), "0:10+6! 0:16+16! 0:32+8! ");
}

TEST_F(BlkMqTest, TagsRunOutAndWaitersGoOnInOrder) {
  Make();
  for (std::uint64_t i = 0; i < 7; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 4u);
  EXPECT_EQ(mq_->hctx(0).waiters.size(), 3u);
  EXPECT_EQ(mq_->stats().tag_waits, 3u);
  TakeLog();
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:40+1! ");
  ops_.Complete();
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:50+1! 0:60+1! ");
  ops_.CompleteAll();
  EXPECT_EQ(done_, "0 1 2 3 4 5 6 ");
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

TEST_F(BlkMqTest, BioThatIsHalfCutWaitsForTagsAndThenGoesOn) {
  config_.depth = 3;
  Make();
  Io(0, 32 * 8);  // eight requests on three tags
  EXPECT_EQ(ops_.held.size(), 3u);
  Io(1000);
  for (int i = 0; i < 8; ++i) ops_.Complete();
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(TakeLog(),
            "0:0+32! 0:32+32! 0:64+32! 0:96+32! 0:128+32! 0:160+32! 0:192+32! 0:224+32! "
            "0:1000+1! ");
  ops_.CompleteAll();
  EXPECT_EQ(done_, "0 1 ");
}

TEST_F(BlkMqTest, EveryTagIsUsedOnceAtATime) {
  config_.depth = 1023;
  Make();
  for (std::uint64_t i = 0; i < 2000; ++i) Io(i * 10);
  ASSERT_EQ(ops_.held.size(), 1023u);
  std::vector<bool> seen(1023);
  for (const Request* request : ops_.held) {
    ASSERT_FALSE(seen[request->tag]);
    seen[request->tag] = true;
  }
  ops_.CompleteAll();
  EXPECT_EQ(mq_->stats().bios_completed, 2000u);
}

TEST_F(BlkMqTest, PlugGoesToTheDriverNewestFirstInOneBatch) {
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  EXPECT_EQ(TakeLog(), "");
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:20+1 0:10+1 0:0+1 ] ");
}

TEST_F(BlkMqTest, OlderKernelIssuesAPlugOldestFirstWithLastOnlyOnTheLast) {
  config_.plug_style = PlugStyle::kListPerRun;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 0:20+1! ");
}

TEST_F(BlkMqTest, RunsOfTwoHardwareQueuesAreCommittedWhereTheQueueChanges) {
  config_.queue_count = {1, 1, 0, 0, 0, 0, 0};
  ops_.batches = false;
  Make();
  mq_->StartPlug(0);
  Io(0, 1, BioOp::kWrite);
  Io(10, 1, BioOp::kWrite);
  Io(20, 1, BioOp::kRead);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "1:20+1 commit1 0:10+1 0:0+1! ");
}

TEST_F(BlkMqTest, WhatABatchLeavesIsIssuedDirectly) {
  ops_.take_of_batch = 1;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:20+1 ] 0:10+1 0:0+1! ");
}

TEST_F(BlkMqTest, FullPlugIsFlushedBeforeTheNextRequestIsAdded) {
  config_.depth = 100;
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 33; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 32u);
  mq_->FinishPlug(0);
  EXPECT_EQ(ops_.held.size(), 33u);
}

TEST_F(BlkMqTest, LargeRequestFlushesThePlugWhenTheNextComes) {
  Make();
  mq_->StartPlug(0);
  Io(0, 32);
  Io(1000, 1);
  EXPECT_EQ(TakeLog(), "batch[ 0:0+32 ] ");
  mq_->FinishPlug(0);
}

TEST_F(BlkMqTest, NestedPlugsFlushAtTheOutermostEnd) {
  Make();
  mq_->StartPlug(0);
  mq_->StartPlug(0);
  Io(0);
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "");
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:0+1 ] ");
}

TEST_F(BlkMqTest, NeighboursMergeWithTheNewestRequestOfThePlug) {
  Make();
  mq_->StartPlug(0);
  Io(10);
  Io(11);  // back merge
  Io(9);   // front merge
  Io(20);  // a new request
  Io(12);  // fits the first one, but only the newest is looked at
  mq_->FinishPlug(0);
  EXPECT_EQ(TakeLog(), "batch[ 0:12+1 0:20+1 0:9+3 ] ");
  EXPECT_EQ(mq_->stats().merges, 2u);
  ops_.CompleteAll();
  EXPECT_EQ(done_, "4 3 2 0 1 ");
  EXPECT_EQ(mq_->InFlight(), 0u);
}

TEST_F(BlkMqTest, NothingMergesAcrossDirectionCgroupPriorityOrTheSizeLimit) {
  config_.depth = 100;
  Make();
  mq_->StartPlug(0);
  Io(0);
  Io(1, 1, BioOp::kWrite);
  group_ = tree_.Mkdir("/g");
  Io(2, 1, BioOp::kWrite);
  Io(3, 31, BioOp::kWrite);
  Io(34, 1, BioOp::kWrite);  // 33 blocks would be too many
  mq_->FinishPlug(0);
  EXPECT_EQ(mq_->stats().merges, 1u);  // 2 and 3..33
  EXPECT_EQ(ops_.held.size(), 4u);
}

TEST_F(BlkMqTest, FullTagsLetGoOfThePlugBeforeTheBioWaits) {
  Make();
  mq_->StartPlug(0);
  for (std::uint64_t i = 0; i < 6; ++i) Io(i * 10);
  EXPECT_EQ(ops_.held.size(), 4u);  // otherwise nobody would ever free a tag
  mq_->FinishPlug(0);
  ops_.CompleteAll();
  EXPECT_EQ(mq_->stats().bios_completed, 6u);
}

TEST_F(BlkMqTest, RefusedRequestGoesOutFirstWhenOneCompletes) {
  Make();
  Io(0);
  ops_.refuse = 3;
  Io(10);  // refused by the direct issue and by the run that follows it
  Io(20);  // a busy single queue: to the CPU's list, and an asynchronous run that is refused, too
  clock_.RunUntil(0);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
  EXPECT_EQ(mq_->stats().busy_returns, 3u);
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:10+1! 0:20+1! ");
}

TEST_F(BlkMqTest, RefusedRequestIsTriedAgainAfterTheResourceDelay) {
  Make();
  ops_.refuse = 2;
  Io(0);
  clock_.RunUntil(3 * kMs - 1);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(3 * kMs);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
}

TEST_F(BlkMqTest, DispatchBusyIsTheKernelsAverage) {
  Make();
  ops_.refuse = 1;
  Io(0);  // refused once: 16 / 8 = 2; the run that follows succeeds: 14 / 8 = 1
  EXPECT_EQ(mq_->hctx(0).dispatch_busy, 1u);
  Io(10);
  clock_.RunUntil(0);
  EXPECT_EQ(mq_->hctx(0).dispatch_busy, 0u);
}

TEST_F(BlkMqTest, BusySingleQueueTakesRequestsFromTheCpusInTurn) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint16_t cpu = 0; cpu < 3; ++cpu) {
    for (std::uint64_t i = 0; i < 2; ++i) Io(cpu * 100u + i * 10, 1, BioOp::kRead, cpu);
  }
  mq_->hctx(0).dispatch_busy = 100;  // stays above 0 for this test
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1! 0:100+1! 0:200+1! 0:10+1! 0:110+1! 0:210+1! ");
}

TEST_F(BlkMqTest, QuietQueueTakesAllListsAtOnce) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint16_t cpu = 0; cpu < 2; ++cpu) {
    for (std::uint64_t i = 0; i < 2; ++i) Io(cpu * 100u + i * 10, 1, BioOp::kRead, cpu);
  }
  EXPECT_EQ(TakeLog(), "");
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 0:100+1 0:110+1! ");
}

TEST_F(BlkMqTest, RefusalInTheMiddleOfABatchCommitsWhatWentBefore) {
  config_.depth = 100;
  Make();
  mq_->Quiesce();
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  ops_.accept_first = 2;
  ops_.refuse = 1;
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+1 0:10+1 commit0 ");
  ops_.Complete();
  EXPECT_EQ(TakeLog(), "0:20+1! ");
}

TEST_F(BlkMqTest, WaitingRequestsOfACpuTakeMerges) {
  Make();
  mq_->Quiesce();
  Io(0);
  Io(10);
  Io(11);
  Io(1);
  mq_->Unquiesce();
  EXPECT_EQ(TakeLog(), "0:0+2 0:10+2! ");
}

TEST_F(BlkMqTest, CompletionReachesAnotherSocketAfterAnIpi) {
  Make();
  Io(0, 1, BioOp::kRead, 0);
  Io(10, 1, BioOp::kRead, 3);
  ops_.Complete(0, 1);  // CPU 1 shares the cache of CPU 0
  EXPECT_EQ(done_, "0 ");
  ops_.Complete(0, 0);  // CPU 0 and CPU 3 do not share
  EXPECT_EQ(done_, "0 ");
  clock_.RunUntil(500 * kNs);
  EXPECT_EQ(done_, "0 1 ");
}

TEST_F(BlkMqTest, SubmissionsOfOneCpuQueueForItsTime) {
  costs_.submit_ns = 1500;
  Make();
  Io(0);
  Io(10);
  Io(20, 1, BioOp::kRead, 1);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(1500 * kNs);
  EXPECT_EQ(TakeLog(), "0:0+1! 0:20+1! ");
  clock_.RunUntil(3000 * kNs);
  EXPECT_EQ(TakeLog(), "0:10+1! ");
}

TEST_F(BlkMqTest, PlugEndsWhenTheCpuHasReachedItsLastBio) {
  costs_.submit_ns = 1000;
  Make();
  mq_->StartPlug(0);
  Io(0);
  Io(10);
  mq_->FinishPlug(0);
  Io(20);
  clock_.RunUntil(1000 * kNs);
  EXPECT_EQ(TakeLog(), "");
  clock_.RunUntil(2000 * kNs);
  EXPECT_EQ(TakeLog(), "batch[ 0:10+1 0:0+1 ] ");
  clock_.RunUntil(3000 * kNs);
  EXPECT_EQ(TakeLog(), "0:20+1! ");
}

TEST_F(BlkMqTest, RefusesWhatTheDiskCannotDo) {
  config_.limits.logical_block_bytes = 4096;
  config_.limits.capacity_bytes = 100 * 4096;
  Make();
  inside_ = true;
  Io(99, 2);
  Io(~std::uint64_t{0} / 4096, 1);
  Io(0, 0);
  Io(0, 1, BioOp::kDiscard);
  Bio& odd = bios_.emplace_back();
  odd.offset = 512;
  odd.bytes = 4096;
  odd.cgroup = tree_.root();
  odd.done = Bind<&BlkMqTest::Done>(this, 4);
  mq_->Submit(&odd);
  inside_ = false;
  clock_.RunUntil(0);
  EXPECT_EQ(done_, "0 1 2 3 4 ");
  EXPECT_EQ(bios_[0].status, kLbaOutOfRange);
  EXPECT_EQ(bios_[1].status, kLbaOutOfRange);
  EXPECT_EQ(bios_[2].status, kInvalidField);
  EXPECT_EQ(bios_[3].status, kInvalidOpcode);
  EXPECT_EQ(bios_[4].status, kInvalidField);
  EXPECT_EQ(TakeLog(), "");
}

TEST_F(BlkMqTest, DriversErrorEndsTheBioLater) {
  Make();
  ops_.fail_status = 0x370;
  inside_ = true;
  Io(0, 64);
  inside_ = false;
  clock_.RunUntil(0);
  EXPECT_EQ(done_, "0 ");
  EXPECT_EQ(bios_[0].status, 0x370);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

TEST_F(BlkMqTest, TimerFiresPerRequestAndRestartsItsTime) {
  config_.io_timeout = 10 * kSec;
  Make();
  Io(0);
  clock_.RunUntil(4 * kSec);
  Io(10);
  clock_.RunUntil(10 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 1u);
  clock_.RunUntil(14 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 2u);
  ops_.Complete();  // the first one
  ops_.complete_on_timeout = true;
  clock_.RunUntil(24 * kSec);
  EXPECT_EQ(ops_.timeouts.size(), 3u);
  EXPECT_EQ(done_, "0 1 ");
  clock_.RunAll();  // nothing in flight: the timer has stopped
  EXPECT_LE(clock_.Now(), 34 * kSec);
}

TEST_F(BlkMqTest, RequeuedRequestGoesOutAgain) {
  Make();
  Io(0);
  Request* const request = ops_.held.front();
  ops_.held.clear();
  TakeLog();
  mq_->Requeue(request);
  clock_.RunUntil(0);
  EXPECT_EQ(TakeLog(), "0:0+1! ");
  EXPECT_EQ(request->retries, 1);
  ops_.Complete();
  EXPECT_EQ(done_, "0 ");
}

TEST_F(BlkMqTest, KilledDiskEndsEverythingThatWaitsAndRefusesTheRest) {
  config_.depth = 6;
  Make();
  mq_->Quiesce();
  for (std::uint64_t i = 0; i < 4; ++i) Io(i * 10);  // on the CPU's list
  Io(1000, 32 * 4);                                  // two of four pieces have a tag
  Io(5000);                                          // waits
  mq_->StartPlug(1);
  EXPECT_EQ(ops_.held.size(), 0u);
  mq_->Kill(0x370);
  mq_->FinishPlug(1);
  Io(6000);
  clock_.RunUntil(0);
  EXPECT_EQ(mq_->stats().bios_completed, 7u);
  EXPECT_EQ(mq_->stats().bios_failed, 7u);
  for (const Bio& bio : bios_) EXPECT_EQ(bio.status, 0x370);
  EXPECT_EQ(mq_->hctx(0).tags.used(), 0u);
}

}  // namespace
}  // namespace nvmearb::host
