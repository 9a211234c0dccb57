// SPDX-License-Identifier: Apache-2.0
//
// Completion, requeue, timeouts, and the end of a disk.
#include <algorithm>

#include "host_driver/block/blk_mq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

void BlkMq::Start(Request* request) {
  NVMEARB_CHECK(request->state == RequestState::kAllocated, "a request is started once");
  request->state = RequestState::kStarted;
  request->deadline = clock_.Now() + config_.io_timeout;
  if (elevator_ != nullptr) request->sched.started_at = clock_.Now();
  ++request->hctx->started_count;
  if (!timer_armed_) {
    timer_armed_ = true;
    clock_.At(request->deadline, Bind<&BlkMq::TimerEvent>(this));
  }
}

void BlkMq::Complete(Request* request, std::uint16_t status, unsigned irq_cpu) {
  NVMEARB_CHECK(request->state == RequestState::kStarted, "a driver completes what it owns");
  request->state = RequestState::kDone;
  request->status = status;
  --request->hctx->started_count;
  const bool far = cpus_[irq_cpu].node != cpus_[request->cpu].node;
  const bool moves = far || (costs_.rq_affinity == 2 && irq_cpu != request->cpu);
  TimePs when = clock_.Now() + (far ? costs_.ipi_ns * kNs : 0);
  if (costs_.request_end_ns != 0) {
    const TimePs cost = costs_.request_end_ns * kNs;
    Cpu& cpu = cpus_[moves ? request->cpu : irq_cpu];
    when = std::max(when, cpu.irq_free_from) + cost;
    cpu.irq_free_from = when;
    cpu.spent += cost;
  }
  if (when != clock_.Now()) {
    // The request's address as the argument: it lives in its queue's table.
    clock_.At(when, Bind<&BlkMq::FinishEvent>(this, reinterpret_cast<std::uintptr_t>(request)));
  } else {
    Finish(request);
  }
}

void BlkMq::FinishEvent(std::uint64_t request) {
  Finish(reinterpret_cast<Request*>(static_cast<std::uintptr_t>(request)));
}

void BlkMq::Finish(Request* request) {
  Hctx* const hctx = request->hctx;
  Bio* bio = request->bio;
  const bool fragment = request->fragment;
  const std::uint16_t status = request->status;
  running_cpu_ = request->cpu;
  if (elevator_ != nullptr && request->op != BioOp::kFlush) {
    SpendInElevator(request->cpu, costs_.sched_end_ns);
    elevator_->Completed(request);
  }
  if (qos_ != nullptr) qos_->RequestDone(*request, clock_.Now() - request->sched.queued_at);
  PutDriverTag(request);
  if (request->limited) {
    --hctx->limited_count;
    request->limited = false;
  }
  hctx->tags.Free(request);
  if (fragment) {
    EndPiece(bio, status);
  } else {
    while (bio != nullptr) {
      Bio* const next = bio->next;  // the submitter may reuse the bio at once
      EndPiece(bio, status);
      bio = next;
    }
  }
  if (!hctx->waiters.empty()) WakeWaiters(hctx);
  if (hctx->restart) {
    hctx->restart = false;
    RunHwQueue(hctx);
  }
}

void BlkMq::EndPiece(Bio* bio, std::uint16_t status) {
  if (status != 0 && bio->status == 0) bio->status = status;
  if (--bio->pending > 0) return;
  ++stats_.bios_completed;
  if (qos_ != nullptr) qos_->Done(*bio);
  if (bio->status != 0) ++stats_.bios_failed;
  if (in_caller_ > 0) {
    clock_.At(clock_.Now(), bio->done);  // never from within Submit() or FinishPlug()
  } else {
    bio->done.function(bio->done.context, bio->done.argument);
  }
}

void BlkMq::Requeue(Request* request) {
  NVMEARB_CHECK(request->state == RequestState::kStarted, "a driver requeues what it owns");
  Hctx* const hctx = request->hctx;
  request->state = RequestState::kAllocated;
  --hctx->started_count;
  ++request->retries;
  ++stats_.requeues;
  request->aborted = false;
  if (dead_) {
    request->status = dead_status_;
    Finish(request);
    return;
  }
  PutDriverTag(request);
  if (elevator_ != nullptr && request->op != BioOp::kFlush) {
    elevator_->Requeued(request);
    InsertIntoElevator(request, true);
  } else {
    hctx->dispatch.PushBack(request);
  }
  RunLater(hctx, 0);
}

void BlkMq::TimerEvent(std::uint64_t) {
  const TimePs now = clock_.Now();
  ForEachStarted([&](Request* request) {
    if (request->deadline > now) return;
    ++stats_.timeouts;
    if (ops_.Timeout(request) == TimeoutAction::kResetTimer) {
      request->deadline = now + config_.io_timeout;
    }
  });
  // Timeout() may have ended or started others: look again for the next deadline.
  TimePs next = ~TimePs{0};
  ForEachStarted([&](Request* request) { next = std::min(next, request->deadline); });
  timer_armed_ = next != ~TimePs{0};
  if (timer_armed_) clock_.At(std::max(next, now), Bind<&BlkMq::TimerEvent>(this));
}

void BlkMq::Fail(RequestList list, std::uint16_t status) {
  while (!list.empty()) {
    Request* const request = list.PopFront();
    request->status = status;
    Finish(request);
  }
}

void BlkMq::Kill(std::uint16_t status) {
  dead_ = true;
  dead_status_ = status;
  quiesced_ = true;  // nothing may reach the driver while the lists are emptied
  for (auto& hctx : hctxs_) {
    while (!hctx->waiters.empty()) {
      const TagWaiter waiter = hctx->waiters.PopAny();
      if (waiter.bytes_done == 0) waiter.bio->pending = 1;  // else: the hold of its pieces
      Admit(waiter.bio);
      EndPiece(waiter.bio, status);
    }
    RequestList list = hctx->dispatch;
    hctx->dispatch = RequestList();
    if (elevator_ == nullptr) {
      RequestList inserted = TakeFromCpus(hctx.get(), false);
      list.Splice(inserted);
    }
    Fail(list, status);
  }
  for (Cpu& cpu : cpus_) {
    RequestList plug = cpu.plug;
    cpu.plug = RequestList();
    cpu.plug_count = 0;
    Fail(plug, status);
  }
  if (elevator_ == nullptr) return;
  RequestList queued;
  elevator_->TakeAll(&queued);
  Fail(queued, status);
}

}  // namespace nvmearb::host
