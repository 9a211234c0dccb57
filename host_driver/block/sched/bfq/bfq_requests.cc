// SPDX-License-Identifier: Apache-2.0
//
// Insertion, merging, choice within a queue, completion.
#include <algorithm>

#include "host_driver/block/sched/bfq/bfq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr double kSectorBytes = 512;
constexpr std::uint64_t kSeekBytes = 8 * 100 * 512;  // BFQQ_SEEK_THR
constexpr std::uint32_t kSmallBytes = 2 * 32 * 512;  // BFQQ_SECT_THR_NONROT
constexpr double kAsyncCharge = 3;

TimePs Ms(std::int64_t value) { return static_cast<TimePs>(value) * kMs; }

std::uint64_t Distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

// What a request takes from a budget, in sectors. Asynchronous ones are dear unless guarantees are
// at stake anyway.
double Bfq::Cost(const Request& request) const {
  const double sectors = request.bytes / kSectorBytes;
  if (request.IsSync() || busy_queues_ == 0 || IsAsymmetric()) return sectors;
  return sectors * kAsyncCharge;
}

void Bfq::Insert(Request* request, bool at_head) {
  if (at_head) {
    at_head_.PushBack(request);
    return;
  }
  BfqQueue* const queue = QueueOf(*request->bio, request->ioprio_class);
  request->sched.owner = queue;
  // A request that continues another of its queue joins it.
  Request* const before = hash_.Find(request->offset, [&](Request* queued) {
    return Owner(queued) == queue && host_->MayAbsorb(*queued, *request);
  });
  if (before != nullptr) {
    hash_.Remove(before);
    host_->Absorb(before, request);
    hash_.Insert(before);
    return;
  }
  NoteSeek(*queue, *request);
  const TimePs now = host_->clock().Now();
  request->sched.expires_at = now + Ms(queue->sync ? fifo_expire_sync_ms_ : fifo_expire_async_ms_);
  queue->fifo.PushBack(request);
  request->sched.order = ++order_;
  queue->sorted.Insert(request);
  hash_.Insert(request);
  ++queue->queued;
  for (BfqGroup* group = queue->group; group->parent != nullptr; group = group->parent) {
    if (group->pending++ == 0) ++groups_pending_;
  }
  UpdateNext(*queue);
  if (!queue->entity.active) {
    Activate(queue);
    if (in_service_ != nullptr && in_service_ != queue &&
        queue->entity.io_class < in_service_->entity.io_class) {
      Expire(Reason::kPreempted);
    }
  }
  if (queue == in_service_ && idling_) {
    idling_ = false;
    if (SlotIsOver(*queue)) Expire(Reason::kTimeout);
  }
}

void Bfq::NoteSeek(BfqQueue& queue, const Request& request) {
  const bool far = Distance(queue.last_end, request.offset) > kSeekBytes;
  const bool seek = far && request.bytes < kSmallBytes;
  queue.seeks = (queue.seeks << 1) | (seek ? 1u : 0u);
  queue.last_end = request.End();
}

bool Bfq::BioMerge(Bio* bio, Hctx*) {
  BfqQueue* const queue = QueueOf(*bio, EffectiveClass(*bio));
  if (queue->queued == 0) return false;
  MergeKind kind = MergeKind::kBack;
  Request* request = hash_.Find(bio->offset, [&](Request* queued) {
    return Owner(queued) == queue && host_->MergeOf(*queued, *bio) == MergeKind::kBack;
  });
  if (request == nullptr) {
    kind = MergeKind::kFront;
    request = queue->sorted.AtOrAfter(bio->offset + bio->bytes);
    if (request == nullptr || host_->MergeOf(*request, *bio) != kind) return false;
  }
  hash_.Remove(request);
  if (kind == MergeKind::kFront) queue->sorted.Remove(request);
  host_->Merge(request, bio, kind);
  if (kind == MergeKind::kFront) queue->sorted.Insert(request);
  hash_.Insert(request);
  UpdateNext(*queue);
  return true;
}

// The request nearest to where the device is, forwards rather than backwards.
Request* Bfq::Nearest(const BfqQueue& queue) const {
  Request* const ahead = queue.sorted.AtOrAfter(last_position_);
  Request* const behind = queue.sorted.LastBefore(last_position_);
  if (ahead == nullptr || behind == nullptr) return ahead == nullptr ? behind : ahead;
  const std::uint64_t back = last_position_ - behind->offset;
  if (back > static_cast<std::uint64_t>(back_seek_max_kb_) * 1024) return ahead;
  const std::uint64_t forth = ahead->offset - last_position_;
  return back * static_cast<std::uint64_t>(back_seek_penalty_) < forth ? behind : ahead;
}

void Bfq::UpdateNext(BfqQueue& queue) { queue.next = Nearest(queue); }

void Bfq::Remove(Request* request) {
  BfqQueue* const queue = Owner(request);
  queue->fifo.Remove(request);
  queue->sorted.Remove(request);
  hash_.Remove(request);
  --queue->queued;
}

bool Bfq::HasWork(const Hctx*) const { return !at_head_.empty() || busy_queues_ > 0; }

Request* Bfq::Dispatch(Hctx*) {
  if (Request* const request = at_head_.PopFront(); request != nullptr) {
    request->sched.counted = true;
    ++in_driver_;
    if (BfqQueue* const queue = Owner(request); queue != nullptr) ++queue->dispatched;
    return request;
  }
  BfqQueue* const queue = SelectQueue();
  return queue == nullptr ? nullptr : TakeFrom(queue);
}

Request* Bfq::TakeFrom(BfqQueue* queue) {
  const TimePs now = host_->clock().Now();
  Request* request = queue->next;
  // Once per slot the oldest may go first.
  if (queue == in_service_ && !queue->fifo_checked) {
    queue->fifo_checked = true;
    if (queue->fifo.front()->sched.expires_at <= now) request = queue->fifo.front();
  }
  Serve(queue, Cost(*request));
  peak_rate_.Dispatched(now, request->bytes / kSectorBytes,
                        Distance(last_position_, request->offset) <= kSeekBytes);
  Remove(request);
  last_position_ = request->End();
  UpdateNext(*queue);
  request->sched.counted = true;
  ++in_driver_;
  ++queue->dispatched;
  if (queue == in_service_) {
    if (queue->entity.io_class == kBfqIdle && busy_queues_ > 1) Expire(Reason::kExhausted);
  } else if (queue->queued == 0) {
    Deactivate(queue);
  }
  return request;
}

void Bfq::Requeued(Request* request) {
  if (!request->sched.counted) return;
  request->sched.counted = false;
  --in_driver_;
  if (BfqQueue* const queue = Owner(request); queue != nullptr) --queue->dispatched;
}

void Bfq::Completed(Request* request) {
  BfqQueue* const queue = Owner(request);
  if (queue == nullptr) return;
  for (BfqGroup* group = queue->group; group->parent != nullptr; group = group->parent) {
    if (--group->pending == 0) --groups_pending_;
  }
  if (!request->sched.counted) return;  // never dispatched
  request->sched.counted = false;
  --in_driver_;
  --queue->dispatched;
  if (queue == in_service_) {
    const bool empty = queue->queued == 0;
    if (empty && BetterToIdle(*queue)) {
      if (queue->dispatched == 0) StartIdling();
      return;
    }
    if (SlotIsOver(*queue)) {
      Expire(Reason::kTimeout);
    } else if (empty) {
      Expire(Reason::kNoRequests);
    }
  }
  if (in_driver_ == 0 && busy_queues_ > 0) host_->RunAllLater(0);
}

void Bfq::TakeAll(RequestList* list) {
  while (Request* const request = at_head_.PopFront()) list->PushBack(request);
  for (const auto& queue : queues_) {
    while (!queue->fifo.empty()) {
      Request* const request = queue->fifo.front();
      Remove(request);
      list->PushBack(request);
    }
    queue->next = nullptr;
  }
  if (in_service_ != nullptr) Expire(Reason::kNoRequests);
  for (const auto& queue : queues_) {
    if (queue->entity.active) Deactivate(queue.get());
  }
}

}  // namespace nvmearb::host
