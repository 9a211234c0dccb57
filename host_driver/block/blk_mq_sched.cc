// SPDX-License-Identifier: Apache-2.0
//
// What blk-mq does when there is a scheduler or tags are given out late.
#include <algorithm>

#include "host_driver/block/blk_mq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr TimePs kBudgetDelay = 3 * kMs;  // BLK_MQ_BUDGET_DELAY

}  // namespace

// A critical section of the scheduler on `cpu`. With one lock for the disk it begins when the lock
// is free, and the CPU spins until then.
void BlkMq::SpendInElevator(unsigned cpu_index, std::uint32_t ns) {
  if (ns == 0) return;
  const TimePs time = ns * kNs;
  if (!elevator_->global_lock()) return Spend(cpu_index, time);
  const TimePs now = std::max(cpus_[cpu_index].busy_until, clock_.Now());
  const TimePs begin = std::max(now, elevator_free_from_);
  elevator_free_from_ = begin + time;
  Spend(cpu_index, begin - now + time);
}

void BlkMq::InsertIntoElevator(Request* request, bool at_head) {
  SpendInElevator(request->cpu, costs_.sched_insert_ns);
  elevator_->Insert(request, at_head);
}

// One run of the queue for each run of requests of one hardware queue. A flush does not wait behind
// a scheduler.
void BlkMq::FlushPlugIntoElevator(RequestList list) {
  Hctx* hctx = nullptr;
  while (!list.empty()) {
    Request* const request = list.PopFront();
    if (request->op == BioOp::kFlush) {
      IssueDirectly(request, true);
      continue;
    }
    if (hctx != nullptr && hctx != request->hctx) RunHwQueue(hctx);
    hctx = request->hctx;
    InsertIntoElevator(request, false);
  }
  if (hctx != nullptr) RunHwQueue(hctx);
}

// blk_mq_do_dispatch_sched(): as many as the scheduler gives and driver tags last, then again until
// it has nothing or the driver refuses. A busy queue takes one at a time.
void BlkMq::DispatchFromElevator(Hctx* hctx) {
  for (;;) {
    const unsigned most = hctx->dispatch_busy != 0 ? 1 : nr_requests_;
    RequestList list;
    unsigned count = 0;
    bool spans = false;
    while (count < most && elevator_->HasWork(hctx)) {
      if (!ops_.GetBudget(hctx)) {
        hctx->restart = true;  // a request that ends brings one back
        break;
      }
      SpendInElevator(running_cpu_, costs_.sched_dispatch_ns);
      Request* const request = elevator_->Dispatch(hctx);
      if (request == nullptr) {
        ops_.PutBudget(hctx);
        // It has something and gives nothing: nobody is bound to ask again, so look again later.
        if (count == 0) RunAllLater(kBudgetDelay);
        break;
      }
      list.PushBack(request);
      ++count;
      spans = spans || request->hctx != hctx;
      if (!TakeDriverTag(request)) break;
    }
    if (count == 0 || !SendToQueues(hctx, &list, spans, count)) return;
  }
}

// Requests of other hardware queues go to theirs. Returns false when some did not go.
bool BlkMq::SendToQueues(Hctx* hctx, RequestList* list, bool spans, unsigned budgets) {
  if (!spans) return DispatchList(hctx, list, budgets);
  bool all = true;
  while (!list->empty()) {
    Hctx* const target = list->front()->hctx;
    RequestList mine;
    RequestList others;
    unsigned count = 0;
    while (!list->empty()) {
      Request* const request = list->PopFront();
      const bool is_mine = request->hctx == target;
      (is_mine ? mine : others).PushBack(request);
      if (is_mine) ++count;
    }
    all = DispatchList(target, &mine, count) && all;
    *list = others;
  }
  return all;
}

bool BlkMq::TakeDriverTag(Request* request) {
  if (request->tag != kNoTag) return true;
  return request->hctx->driver_tags->Take(request);
}

void BlkMq::PutDriverTag(Request* request) {
  DriverTags* const tags = request->hctx->driver_tags.get();
  if (tags == nullptr || request->tag == kNoTag) return;
  tags->Put(request);
  // One whose requests have found tags by other ways meanwhile does not need this one.
  for (Hctx* waiter = tags->NextWaiter(); waiter != nullptr; waiter = tags->NextWaiter()) {
    RunLater(waiter, 0);
    if (!waiter->dispatch.empty()) return;
  }
}

void BlkMq::RunAllLater(TimePs delay) {
  for (auto& hctx : hctxs_) {
    if (delay == 0 && hctx->dispatch.empty() && !elevator_->HasWork(hctx.get())) continue;
    RunLater(hctx.get(), delay);
  }
}

}  // namespace nvmearb::host
