// SPDX-License-Identifier: Apache-2.0
//
// Queues, groups and slots. What happens to single requests is in bfq_requests.cc.
#include "host_driver/block/sched/bfq/bfq.h"

#include <algorithm>

#include "host_driver/cgroup/cgroup.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr double kDefaultMaxBudget = 16 * 1024;  // sectors, until enough slots were given
constexpr unsigned kEnoughBudgets = 194;         // of a low-pass that ends at 256
constexpr TimePs kSeekyIdle = 2 * kMs;           // BFQ_MIN_TT
constexpr TimePs kSlowTime = 20 * kMs;
constexpr TimePs kIdleClassTurn = 200 * kMs;

TimePs Ms(std::int64_t value) { return static_cast<TimePs>(value) * kMs; }

BfqClass ClassOf(IoprioClass io_class) {
  switch (io_class) {
    case IoprioClass::kRealtime:
      return kBfqRealtime;
    case IoprioClass::kIdle:
      return kBfqIdle;
    case IoprioClass::kNone:
    case IoprioClass::kBestEffort:
      break;
  }
  return kBfqBestEffort;
}

// Of a queue: 40 at the default level 4.
double WeightOfLevel(unsigned level) { return (8.0 - level) * 10; }

}  // namespace

Bfq::Bfq() : Elevator("bfq") {
  constexpr std::int64_t kMinuteMs = 60'000;
  AddTunable({"slice_idle", "ms", 0, kMinuteMs, &slice_idle_ms_,
              "time to wait for the next request of the process that has the slot; 0: never"});
  AddTunable({"timeout_sync", "ms", 1, kMinuteMs, &timeout_sync_ms_, "length of a slot"});
  AddTunable({"max_budget", "sectors", 0, 2'000'000'000, &max_budget_,
              "largest budget of a slot; 0: what the estimated peak rate gives in a slot"});
  AddTunable({"strict_guarantees", "", 0, 1, &strict_guarantees_, "1: always wait (slice_idle)"});
  AddTunable({"fifo_expire_sync", "ms", 0, kMinuteMs, &fifo_expire_sync_ms_,
              "deadline of a synchronous request within its queue"});
  AddTunable({"fifo_expire_async", "ms", 0, kMinuteMs, &fifo_expire_async_ms_,
              "deadline of an asynchronous request within its queue"});
  AddTunable({"back_seek_max", "KiB", 0, 1 << 30, &back_seek_max_kb_,
              "farthest that a request behind the last one may be to go next"});
  AddTunable({"back_seek_penalty", "", 1, 1000, &back_seek_penalty_,
              "how much farther than forwards that counts"});
  groups_.push_back(std::make_unique<BfqGroup>());
}

void Bfq::Attach(ElevatorHost* host) { Elevator::Attach(host); }

// Reads are not limited. The depths of kernels from 5.17 on, without raised queues.
unsigned Bfq::DepthFor(const Bio& bio) const {
  const unsigned all = host_->nr_requests();
  if (bio.op == BioOp::kRead) return all;
  return std::max(1u, bio.sync ? all * 3 / 4 : all / 2);
}

// ---- who is who

BfqGroup* Bfq::GroupOf(Cgroup* cgroup) {
  if (cgroup->is_root()) return groups_.front().get();
  for (const auto& group : groups_) {
    if (group->cgroup == cgroup) return group.get();
  }
  BfqGroup* const parent = GroupOf(cgroup->parent());
  BfqGroup* const group = groups_.emplace_back(std::make_unique<BfqGroup>()).get();
  group->cgroup = cgroup;
  group->parent = parent;
  group->entity.group = group;
  group->entity.weight = cgroup->bfq_weight();
  return group;
}

BfqQueue* Bfq::QueueOf(const Bio& bio, IoprioClass io_class) {
  const bool sync = bio.op == BioOp::kRead || bio.sync;
  BfqQueue** slot = nullptr;
  if (sync) {
    if (bio.task >= sync_by_task_.size()) sync_by_task_.resize(bio.task + 1);
    slot = &sync_by_task_[bio.task];
    const auto fits = [&](const BfqQueue* queue) {
      return queue->sync && queue->task == bio.task &&
             (bio.cgroup->is_root() ? queue->group->parent == nullptr
                                    : queue->group->cgroup == bio.cgroup);
    };
    if (*slot != nullptr && fits(*slot)) return *slot;
    // The process is in another cgroup now, or again.
    for (const auto& queue : queues_) {
      if (fits(queue.get())) return *slot = queue.get();
    }
  } else {
    slot = &GroupOf(bio.cgroup)->async;
    if (*slot != nullptr) return *slot;
  }
  BfqQueue* const queue = queues_.emplace_back(std::make_unique<BfqQueue>()).get();
  queue->group = GroupOf(bio.cgroup);
  queue->task = bio.task;
  queue->sync = sync;
  queue->entity.queue = queue;
  queue->entity.weight = WeightOfLevel(bio.ioprio_level);
  queue->entity.io_class = ClassOf(io_class);
  queue->next_budget = sync ? MaxBudget() * 2 / 3 : MaxBudget();
  *slot = queue;
  return queue;
}

// ---- slots

double Bfq::MaxBudget() const {
  if (max_budget_ > 0) return static_cast<double>(max_budget_);
  if (budgets_assigned_ < kEnoughBudgets) return kDefaultMaxBudget;
  return peak_rate_.rate() * static_cast<double>(timeout_sync_ms_) * 1000;
}

bool Bfq::SlotIsOver(const BfqQueue& queue) const {
  return host_->clock().Now() >= queue.slot_start + Ms(timeout_sync_ms_);
}

void Bfq::Activate(BfqQueue* queue) {
  ++busy_queues_;
  queue->entity.budget = std::max(queue->next_budget, Cost(*queue->next));
  double budget = queue->entity.budget;
  BfqGroup* group = queue->group;
  group->children.Activate(&queue->entity);
  while (group->parent != nullptr && !group->entity.active) {
    group->entity.weight = group->cgroup->bfq_weight();
    group->entity.budget = budget;
    group->parent->children.Activate(&group->entity);
    group = group->parent;
  }
}

// A queue that is not in service has nothing left (its last request was injected or merged away).
void Bfq::Deactivate(BfqQueue* queue) {
  --busy_queues_;
  queue->group->children.Requeue(&queue->entity, false, 0);
  for (BfqGroup* group = queue->group; group->parent != nullptr; group = group->parent) {
    const bool goes_on = !group->children.empty();
    group->parent->children.Requeue(&group->entity, goes_on, group->entity.budget);
    if (goes_on) break;
  }
}

void Bfq::Serve(BfqQueue* queue, double sectors) {
  queue->group->children.Serve(&queue->entity, sectors);
  for (BfqGroup* group = queue->group; group->parent != nullptr; group = group->parent) {
    group->parent->children.Serve(&group->entity, sectors);
  }
}

// The next queue by class and fair queueing, from the root down.
BfqQueue* Bfq::NextQueue() {
  BfqGroup* group = groups_.front().get();
  for (;;) {
    BfqServiceTree& tree = group->children;
    BfqEntity* entity = nullptr;
    const TimePs now = host_->clock().Now();
    if (now >= idle_class_served_ + kIdleClassTurn && tree.HasClass(kBfqIdle)) {
      entity = tree.Select(kBfqIdle);
      idle_class_served_ = now;
    }
    for (int io_class = 0; entity == nullptr && io_class < kBfqClassCount; ++io_class) {
      entity = tree.Select(static_cast<BfqClass>(io_class));
      if (entity != nullptr && io_class == kBfqIdle) idle_class_served_ = now;
    }
    if (entity == nullptr || entity->queue != nullptr) {
      return entity == nullptr ? nullptr : entity->queue;
    }
    group = entity->group;
  }
}

void Bfq::BeginSlot(BfqQueue* queue) {
  in_service_ = queue;
  idling_ = false;
  queue->slot_start = host_->clock().Now();
  queue->fifo_checked = false;
  budgets_assigned_ = (budgets_assigned_ * 7 + 256) / 8;
  ++slots_;
}

BfqQueue* Bfq::SelectQueue() {
  for (;;) {
    BfqQueue* const queue = in_service_;
    if (queue == nullptr) {
      BfqQueue* const next = NextQueue();
      if (next == nullptr) return nullptr;
      BeginSlot(next);
      continue;
    }
    const bool must_idle = queue->queued == 0 && BetterToIdle(*queue);
    if (SlotIsOver(*queue) && !must_idle) {
      Expire(Reason::kTimeout);
      continue;
    }
    if (queue->next != nullptr) {
      if (queue->entity.service + Cost(*queue->next) <= queue->entity.budget) {
        idling_ = false;
        return queue;
      }
      Expire(Reason::kExhausted);
      continue;
    }
    if (idling_ || (queue->dispatched > 0 && BetterToIdle(*queue))) return Injectable();
    Expire(Reason::kNoRequests);
  }
}

// The slot of the queue in service ends.
void Bfq::Expire(Reason reason) {
  BfqQueue& queue = *in_service_;
  in_service_ = nullptr;
  idling_ = false;
  const TimePs used = host_->clock().Now() - queue.slot_start;
  // Who got little for its time is charged the time.
  const double most = MaxBudget();
  const bool slow = queue.sync && used > kSlowTime && queue.entity.service < most / 2;
  const bool wasted = reason == Reason::kTimeout &&
                      queue.entity.budget - queue.entity.service >= queue.entity.budget / 3;
  if (slow || wasted) {
    const double share =
        std::min(1.0, static_cast<double>(used) / static_cast<double>(Ms(timeout_sync_ms_)));
    const double by_time = most * share;
    if (by_time > queue.entity.service) Serve(&queue, by_time - queue.entity.service);
  }
  NextBudget(queue, reason);
  const bool goes_on = queue.queued > 0;
  const double budget =
      goes_on ? std::max(queue.next_budget, Cost(*queue.next)) : queue.next_budget;
  queue.group->children.Requeue(&queue.entity, goes_on, budget);
  if (!goes_on) --busy_queues_;
  for (BfqGroup* group = queue.group; group->parent != nullptr; group = group->parent) {
    group->entity.weight =
        group->entity.active ? group->entity.weight : group->cgroup->bfq_weight();
    group->parent->children.Requeue(&group->entity, !group->children.empty(), budget);
  }
  if (busy_queues_ > 0) host_->RunAllLater(0);
}

void Bfq::NextBudget(BfqQueue& queue, Reason reason) {
  const double most = MaxBudget();
  const double least = most / 32;
  double budget = queue.next_budget;
  if (!queue.sync) {
    queue.next_budget = most;
    return;
  }
  switch (reason) {
    case Reason::kTimeout:
      budget = std::min(budget * 2, most);
      break;
    case Reason::kExhausted:
      budget = std::min(budget * 4, most);
      break;
    case Reason::kTooIdle:
      budget =
          queue.dispatched > 0 ? std::min(budget * 2, most) : std::max(budget - 4 * least, least);
      break;
    case Reason::kNoRequests:
      budget = std::max(queue.entity.service, least);
      break;
    case Reason::kPreempted:
      break;
  }
  queue.next_budget = std::min(budget, most);
}

// ---- idling

bool Bfq::IsSeeky(const BfqQueue& queue) const { return __builtin_popcount(queue.seeks) > 19; }

// Whether shares would suffer if the device took others' requests while the queue has none.
bool Bfq::IsAsymmetric() const {
  if (groups_pending_ > 0) return true;
  const BfqServiceTree& tree = groups_.front()->children;
  int classes = 0;
  for (int c = 0; c < kBfqClassCount; ++c) classes += tree.HasClass(static_cast<BfqClass>(c));
  if (classes > 1) return true;
  double weight = 0;
  bool differ = false;
  tree.ForEach([&](const BfqEntity* entity) {
    differ = differ || (weight != 0 && entity->weight != weight);
    weight = entity->weight;
  });
  return differ;
}

// On a drive that queues, idling never raises throughput: only guarantees ask for it.
bool Bfq::BetterToIdle(const BfqQueue& queue) const {
  if (strict_guarantees_ != 0) return true;
  if (slice_idle_ms_ == 0 || !queue.sync || queue.entity.io_class == kBfqIdle) return false;
  return busy_queues_ == 1 || IsAsymmetric();
}

void Bfq::StartIdling() {
  idling_ = true;
  TimePs wait = Ms(slice_idle_ms_);
  if (IsSeeky(*in_service_) && !IsAsymmetric()) wait = std::min(wait, kSeekyIdle);
  host_->clock().At(host_->clock().Now() + wait, Bind<&Bfq::IdleTimer>(this, ++idle_ticket_));
}

void Bfq::IdleTimer(std::uint64_t ticket) {
  if (ticket != idle_ticket_ || !idling_ || in_service_ == nullptr) return;
  idling_ = false;
  if (SlotIsOver(*in_service_)) {
    Expire(Reason::kTimeout);
  } else if (in_service_->queued == 0) {
    Expire(Reason::kTooIdle);
  }
  host_->RunAllLater(0);
}

// Another queue's request may use the device while the one in service has none, as long as nothing
// is in the device: injection limit 1.
BfqQueue* Bfq::Injectable() const {
  if (in_driver_ > 0) return nullptr;
  for (const auto& queue : queues_) {
    if (queue.get() == in_service_ || queue->next == nullptr) continue;
    const double left = queue->entity.budget - queue->entity.service;
    if (Cost(*queue->next) <= left) return queue.get();
  }
  return nullptr;
}

}  // namespace nvmearb::host
