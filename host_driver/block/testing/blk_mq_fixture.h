// SPDX-License-Identifier: Apache-2.0
//
// The block layer of one disk with a scripted driver behind it, for unit tests.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_TESTING_BLK_MQ_FIXTURE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_TESTING_BLK_MQ_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/block/blk_mq.h"

namespace nvmearb::host {

/// Keeps what it is given until told to complete it, and writes down what it was called for.
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
  bool GetBudget(Hctx*) override {
    if (budget == 0) return false;
    --budget;
    return true;
  }
  void PutBudget(Hctx*) override { ++budget; }
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
  int budget = 1'000'000;  // requests that would be taken; the test gives back what ended
  int accept_first = 0;    // requests taken before `refuse` counts
  int refuse = 0;
  std::uint16_t fail_status = 0;
  bool batches = true;
  int take_of_batch = -1;
  bool complete_on_timeout = false;
  std::vector<std::uint16_t> timeouts;
};

/// Two sockets of two CPUs, a disk of 1 GiB, 4 tags a queue.
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
    bio.task = task_;
    bio.ioprio_class = ioprio_;
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

  /// Of random runs: the drive ends one of the requests it holds, or, one time in 50, gives it
  /// back. below(n): a number of 0 .. n - 1.
  template <typename Below>
  void EndOneHeld(const Below& below) {
    if (ops_.held.empty()) return;
    Request* const request = ops_.held[below(static_cast<std::uint32_t>(ops_.held.size()))];
    ops_.Take(request);
    if (below(50) == 0) {
      mq_->Requeue(request);
    } else {
      mq_->Complete(request, 0, request->cpu);
    }
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
  std::uint32_t task_ = 0;
  IoprioClass ioprio_ = IoprioClass::kNone;
  bool polled_ = false;
  bool inside_ = false;
  std::deque<Bio> bios_;
  std::string done_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_TESTING_BLK_MQ_FIXTURE_H_
