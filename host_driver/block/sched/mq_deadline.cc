// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/sched/mq_deadline.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

TimePs Ms(std::int64_t value) { return static_cast<TimePs>(value) * kMs; }

}  // namespace

MqDeadline::MqDeadline(Form form)
    : Elevator(form == Form::kMerged ? "mq-deadline" : "mq-deadline-posted"), form_(form) {
  AddTunable({"read_expire", "ms", 0, kDayMs, &read_expire_ms_, "deadline of a read"});
  AddTunable({"write_expire", "ms", 0, kDayMs, &write_expire_ms_, "deadline of a write"});
  AddTunable({"writes_starved", "batches", 0, 1'000'000, &writes_starved_,
              "batches of reads that may pass waiting writes"});
  AddTunable({"front_merges", "", 0, 1, &front_merges_, "1: bios may join the front of a request"});
  AddTunable({"fifo_batch", "requests", 0, 1'000'000, &fifo_batch_,
              "requests in sorted order before deadlines are looked at again"});
  AddTunable({form == Form::kMerged ? "prio_aging_expire" : "aging_expire", "ms", 0, kDayMs,
              &aging_expire_ms_, "age at which a request of lower priority goes first"});
  AddTunable({"async_depth", "tags", 1, 1'000'000, &async_depth_,
              "tags for writes; derived: 3/4 of nr_requests"});
}

void MqDeadline::Attach(ElevatorHost* host) {
  Elevator::Attach(host);
  async_depth_ = std::max<std::int64_t>(1, std::int64_t{3} * host->nr_requests() / 4);
}

unsigned MqDeadline::DepthFor(const Bio& bio) const {
  if (bio.op == BioOp::kRead) return host_->nr_requests();
  return static_cast<unsigned>(std::min<std::int64_t>(async_depth_, host_->nr_requests()));
}

int MqDeadline::PrioOf(IoprioClass ioprio_class) {
  switch (ioprio_class) {
    case IoprioClass::kRealtime:
      return 0;
    case IoprioClass::kIdle:
      return 2;
    case IoprioClass::kNone:
    case IoprioClass::kBestEffort:
      break;
  }
  return 1;
}

TimePs MqDeadline::Expire(Direction direction) const {
  return Ms(direction == kRead ? read_expire_ms_ : write_expire_ms_);
}

TimePs MqDeadline::StartOf(const Request* request) const {
  if (form_ == Form::kPosted) return request->sched.queued_at;
  const TimePs expire = Expire(DirectionOf(request));
  const TimePs deadline = request->sched.expires_at;
  return deadline > expire ? deadline - expire : 0;
}

// ---- insertion and merging

void MqDeadline::Insert(Request* request, bool at_head) {
  const int prio_index = PrioOf(request->ioprio_class);
  PerPrio& prio = prios_[static_cast<std::size_t>(prio_index)];
  request->sched.domain = static_cast<std::uint8_t>(prio_index);
  if (!request->sched.counted) {  // a request that comes back is counted already
    request->sched.counted = true;
    ++prio.inserted;
  }
  const TimePs now = host_->clock().Now();
  if (at_head) {
    request->sched.expires_at = now;
    prio.at_head.PushBack(request);
    return;
  }
  if (MergeWithQueued(request)) return;
  request->sched.expires_at = now + Expire(DirectionOf(request));
  prio.fifo[DirectionOf(request)].PushBack(request);
  AddSorted(request);
  hash_.Insert(request);
  last_merge_ = request;
}

// A new request may continue a queued one, which may then meet the one before it.
bool MqDeadline::MergeWithQueued(Request* request) {
  bool merged = false;
  for (;;) {
    Request* const before = hash_.Find(
        request->offset, [&](Request* queued) { return host_->MayAbsorb(*queued, *request); });
    if (before == nullptr) return merged;
    if (merged) {
      AbsorbNext(before, request);
    } else {
      Completed(request);
      hash_.Remove(before);
      host_->Absorb(before, request);
      hash_.Insert(before);
    }
    merged = true;
    request = before;
  }
}

bool MqDeadline::BioMerge(Bio* bio, Hctx*) {
  Request* request = nullptr;
  MergeKind kind = MergeKind::kNone;
  const auto fits = [&](Request* queued, MergeKind wanted) {
    return host_->MergeOf(*queued, *bio) == wanted;
  };
  if (last_merge_ != nullptr) kind = host_->MergeOf(*last_merge_, *bio);
  if (kind != MergeKind::kNone) {
    request = last_merge_;
  } else {
    kind = MergeKind::kBack;
    request =
        hash_.Find(bio->offset, [&](Request* queued) { return fits(queued, MergeKind::kBack); });
    if (request == nullptr && front_merges_ != 0) {
      PerPrio& prio = prios_[static_cast<std::size_t>(PrioOf(EffectiveClass(*bio)))];
      const Direction direction = bio->op == BioOp::kRead ? kRead : kWrite;
      request = prio.sorted[direction].AtOrAfter(bio->offset + bio->bytes);
      kind = MergeKind::kFront;
      if (request != nullptr && !fits(request, MergeKind::kFront)) request = nullptr;
    }
  }
  if (request == nullptr) return false;
  hash_.Remove(request);
  if (kind == MergeKind::kFront) RemoveSorted(request);
  host_->Merge(request, bio, kind);
  if (kind == MergeKind::kFront) AddSorted(request);
  hash_.Insert(request);
  last_merge_ = request;

  SortedRequests& sorted = prios_[request->sched.domain].sorted[DirectionOf(request)];
  if (kind == MergeKind::kBack) {
    Request* const next = sorted.After(request);
    if (next != nullptr && host_->MayAbsorb(*request, *next)) AbsorbNext(request, next);
  } else {
    Request* const before = sorted.LastBefore(request->offset);
    if (before != nullptr && host_->MayAbsorb(*before, *request)) AbsorbNext(before, request);
  }
  return true;
}

// The survivor takes the earlier of the two places in the FIFO.
void MqDeadline::AbsorbNext(Request* request, Request* next) {
  RequestFifo& fifo = prios_[request->sched.domain].fifo[DirectionOf(request)];
  if (next->sched.expires_at < request->sched.expires_at) {
    fifo.Remove(request);
    fifo.Replace(next, request);
    request->sched.expires_at = next->sched.expires_at;
  } else {
    fifo.Remove(next);
  }
  RemoveSorted(next);
  hash_.Remove(next);
  hash_.Remove(request);
  Completed(next);
  host_->Absorb(request, next);
  hash_.Insert(request);
  last_merge_ = request;
}

void MqDeadline::AddSorted(Request* request) {
  request->sched.order = ++order_;
  prios_[request->sched.domain].sorted[DirectionOf(request)].Insert(request);
}

void MqDeadline::RemoveSorted(Request* request) {
  PerPrio& prio = prios_[request->sched.domain];
  const Direction direction = DirectionOf(request);
  if (prio.next[direction] == request) {
    prio.next[direction] = prio.sorted[direction].After(request);
  }
  prio.sorted[direction].Remove(request);
}

void MqDeadline::Remove(Request* request) {
  prios_[request->sched.domain].fifo[DirectionOf(request)].Remove(request);
  RemoveSorted(request);
  hash_.Remove(request);
  if (last_merge_ == request) last_merge_ = nullptr;
}

// ---- dispatch

bool MqDeadline::HasWork(const Hctx*) const {
  return std::any_of(prios_.begin(), prios_.end(), [](const PerPrio& prio) {
    return !prio.at_head.empty() || !prio.fifo[kRead].empty() || !prio.fifo[kWrite].empty();
  });
}

Request* MqDeadline::Dispatch(Hctx*) {
  const TimePs now = host_->clock().Now();
  if (Request* const aged = PickAged(now); aged != nullptr) return aged;
  for (PerPrio& prio : prios_) {
    Request* const request = Pick(prio, now, now);
    if (request != nullptr || prio.Busy()) return request;
  }
  return nullptr;
}

// Requests of lower priority that have waited too long, whatever the higher ones have.
Request* MqDeadline::PickAged(TimePs now) {
  if (form_ == Form::kMerged) {
    const auto busy = std::count_if(prios_.begin(), prios_.end(),
                                    [](const PerPrio& prio) { return prio.Busy(); });
    if (busy < 2) return nullptr;
  }
  const TimePs age = Ms(aging_expire_ms_);
  if (now < age) return nullptr;
  for (std::size_t i = 1; i < kPrioCount; ++i) {
    Request* const request = Pick(prios_[i], now - age, now);
    if (request != nullptr) return request;
  }
  return nullptr;
}

// The request of one priority that goes next, if it started no later than `latest_start`.
Request* MqDeadline::Pick(PerPrio& prio, TimePs latest_start, TimePs now) {
  if (!prio.at_head.empty()) {
    if (StartOf(prio.at_head.front()) > latest_start) return nullptr;
    return prio.at_head.PopFront();
  }
  const auto take_if_old = [&](Request* request) {
    return StartOf(request) > latest_start ? nullptr : Take(prio, request);
  };
  Request* request = prio.next[last_dir_];
  if (request != nullptr && batching_ < fifo_batch_) return take_if_old(request);

  const bool reads = !prio.fifo[kRead].empty();
  const bool writes = !prio.fifo[kWrite].empty();
  if (!reads && !writes) return nullptr;
  const bool writes_turn = writes && (!reads || starved_++ >= writes_starved_);
  const Direction direction = writes_turn ? kWrite : kRead;
  if (writes_turn) starved_ = 0;
  Request* const oldest = prio.fifo[direction].front();
  const bool expired = oldest->sched.expires_at <= now;
  request = prio.next[direction];
  if (expired || request == nullptr) request = oldest;
  last_dir_ = direction;
  batching_ = 0;
  return take_if_old(request);
}

Request* MqDeadline::Take(PerPrio& prio, Request* request) {
  ++batching_;
  const Direction direction = DirectionOf(request);
  prio.next[direction] = prio.sorted[direction].After(request);
  Remove(request);
  return request;
}

void MqDeadline::Completed(Request* request) {
  if (!request->sched.counted) return;
  request->sched.counted = false;
  ++prios_[request->sched.domain].ended;
}

void MqDeadline::TakeAll(RequestList* list) {
  for (PerPrio& prio : prios_) {
    while (Request* const request = prio.at_head.PopFront()) list->PushBack(request);
    for (RequestFifo& fifo : prio.fifo) {
      while (!fifo.empty()) {
        Request* const request = fifo.front();
        Remove(request);
        list->PushBack(request);
      }
    }
  }
}

}  // namespace nvmearb::host
