// SPDX-License-Identifier: Apache-2.0
//
// How a request reaches the driver: plug, direct issue, per-CPU lists and runs of a hardware queue.
// What a scheduler changes about it is in blk_mq_sched.cc.
#include "host_driver/block/blk_mq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr std::uint32_t kPlugFlushBytes = 128 * 1024;  // BLK_PLUG_FLUSH_SIZE
constexpr TimePs kResourceDelay = 3 * kMs;             // BLK_MQ_RESOURCE_DELAY

unsigned PlugLimit(PlugStyle style) { return style == PlugStyle::kQueueRqs ? 32 : 16; }

}  // namespace

void BlkMq::Route(Request* request, bool plugged) {
  Hctx* const hctx = request->hctx;
  if (plugged) {
    AddToPlug(cpus_[request->cpu], request);
  } else if (elevator_ != nullptr && request->op != BioOp::kFlush) {
    InsertIntoElevator(request, false);
    RunLater(hctx, 0);
  } else if (elevator_ == nullptr && hctx->dispatch_busy != 0 &&
             (hctxs_.size() == 1 || !request->IsSync())) {
    Insert(request);
    RunLater(hctx, 0);
  } else {
    IssueDirectly(request, true);
  }
}

void BlkMq::AddToPlug(Cpu& cpu, Request* request) {
  const bool lifo = config_.plug_style == PlugStyle::kQueueRqs;
  const Request* const newest = lifo ? cpu.plug.front() : cpu.plug.back();
  if (newest != nullptr &&
      (cpu.plug_count >= PlugLimit(config_.plug_style) || newest->bytes >= kPlugFlushBytes)) {
    FlushPlug(cpu);
  }
  if (lifo) {
    cpu.plug.PushFront(request);
  } else {
    cpu.plug.PushBack(request);
  }
  ++cpu.plug_count;
}

void BlkMq::FlushPlug(Cpu& cpu) {
  if (cpu.plug.empty()) return;
  RequestList list = cpu.plug;
  cpu.plug = RequestList();
  cpu.plug_count = 0;
  if (elevator_ != nullptr) {
    FlushPlugIntoElevator(list);
    return;
  }
  if (config_.plug_style == PlugStyle::kListPerRun) {
    FlushPlugRuns(list);
    return;
  }
  if (config_.shared_tags) return IssueList(list);
  if (ops_.HasQueueRqs() && !quiesced_) ops_.QueueRqs(&list);
  IssueList(list);
}

// 5.11: a run is consecutive requests of one hardware queue (all are of one CPU here).
void BlkMq::FlushPlugRuns(RequestList list) {
  while (!list.empty()) {
    RequestList run;
    Hctx* const hctx = list.front()->hctx;
    while (!list.empty() && list.front()->hctx == hctx) run.PushBack(list.PopFront());
    if (hctx->dispatch_busy == 0) {
      IssueList(run);
      continue;
    }
    while (!run.empty()) Insert(run.PopFront());
    RunHwQueue(hctx);
  }
}

// blk_mq_plug_issue_direct(): one at a time, commit where the hardware queue changes.
void BlkMq::IssueList(RequestList list) {
  Hctx* hctx = nullptr;
  bool uncommitted = false;
  while (!list.empty()) {
    Request* const request = list.PopFront();
    if (hctx != request->hctx) {
      if (uncommitted) ops_.CommitRqs(hctx);
      hctx = request->hctx;
      uncommitted = false;
    }
    const bool last = list.empty();
    const QueueStatus status = IssueDirectly(request, last);
    if (status == QueueStatus::kOk) {
      uncommitted = !last;
    } else if (uncommitted) {
      ops_.CommitRqs(hctx);
      uncommitted = false;
    }
  }
}

QueueStatus BlkMq::IssueDirectly(Request* request, bool last) {
  Hctx* const hctx = request->hctx;
  if (quiesced_) {
    if (elevator_ == nullptr) {
      Insert(request);
    } else {
      hctx->dispatch.PushBack(request);  // a flush: nothing else is issued directly
    }
    return QueueStatus::kBusy;
  }
  const bool has_budget = ops_.GetBudget(hctx);
  if (!has_budget || !TakeDriverTag(request)) {
    UpdateBusy(hctx, true);
    hctx->dispatch.PushBack(request);
    hctx->restart = true;
    if (has_budget) {
      ops_.PutBudget(hctx);
      hctx->driver_tags->Wait(hctx);
    } else {
      RunLater(hctx, kResourceDelay);
    }
    return QueueStatus::kBusy;
  }
  const QueueStatus status = ops_.QueueRq(hctx, request, last);
  switch (status) {
    case QueueStatus::kOk:
      UpdateBusy(hctx, false);
      break;
    case QueueStatus::kBusy:
      ++stats_.busy_returns;
      ops_.PutBudget(hctx);
      UpdateBusy(hctx, true);
      hctx->dispatch.PushBack(request);
      RunHwQueue(hctx);
      break;
    case QueueStatus::kError:
      UpdateBusy(hctx, false);
      Finish(request);
      break;
  }
  return status;
}

// Onto the submitting CPU's list for this class.
void BlkMq::Insert(Request* request) {
  Hctx* const hctx = request->hctx;
  cpus_[request->cpu].lists[static_cast<std::size_t>(hctx->type)].PushBack(request);
  ++hctx->ctx_request_count;
}

void BlkMq::RunHwQueue(Hctx* hctx) {
  if (quiesced_) return;
  if (!hctx->dispatch.empty()) {
    RequestList leftover = hctx->dispatch;
    hctx->dispatch = RequestList();
    if (!DispatchList(hctx, &leftover, 0)) return;
  }
  if (elevator_ != nullptr) return DispatchFromElevator(hctx);
  while (hctx->ctx_request_count > 0) {
    RequestList list = TakeFromCpus(hctx, hctx->dispatch_busy != 0);
    if (!DispatchList(hctx, &list, 0)) return;
  }
}

// `one`: the oldest request of the next CPU in turn. Otherwise all, CPU by CPU.
RequestList BlkMq::TakeFromCpus(Hctx* hctx, bool one) {
  RequestList list;
  const std::size_t type = static_cast<std::size_t>(hctx->type);
  const auto count = static_cast<unsigned>(hctx->cpus.size());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = one ? (hctx->next_cpu + i) % count : i;
    RequestList& mine = cpus_[hctx->cpus[at]].lists[type];
    if (mine.empty()) continue;
    if (one) {
      list.PushBack(mine.PopFront());
      --hctx->ctx_request_count;
      hctx->next_cpu = (at + 1) % count;
      return list;
    }
    list.Splice(mine);
  }
  hctx->ctx_request_count = 0;
  return list;
}

// Hands `list` to the driver in order; the first `budgets` of it have their budget. Returns false
// when some did not go; they are then on hctx->dispatch, and a completion or a delay runs the queue
// again.
bool BlkMq::DispatchList(Hctx* hctx, RequestList* list, unsigned budgets) {
  bool uncommitted = false;
  while (!list->empty()) {
    Request* const request = list->PopFront();
    const bool last = list->empty();
    const bool has_budget = budgets > 0 || ops_.GetBudget(hctx);
    if (budgets > 0) --budgets;
    QueueStatus status = QueueStatus::kBusy;
    const bool has_tag = has_budget && TakeDriverTag(request);
    if (has_tag) status = ops_.QueueRq(hctx, request, last);
    if (status == QueueStatus::kOk) {
      uncommitted = !last;
    } else if (status == QueueStatus::kError) {
      ops_.PutBudget(hctx);
      Finish(request);
      if (last && uncommitted) ops_.CommitRqs(hctx);
    } else {
      if (has_budget) ++budgets;
      while (budgets-- > 0) ops_.PutBudget(hctx);
      if (has_tag) ++stats_.busy_returns;
      list->PushFront(request);
      if (uncommitted) ops_.CommitRqs(hctx);
      list->Splice(hctx->dispatch);  // what came meanwhile stays behind
      hctx->dispatch = *list;
      UpdateBusy(hctx, true);
      hctx->restart = true;
      if (has_budget && !has_tag) {
        hctx->driver_tags->Wait(hctx);  // goes on when a tag is free, however long that takes
      } else {
        RunLater(hctx, kResourceDelay);
      }
      return false;
    }
  }
  UpdateBusy(hctx, false);
  return true;
}

// A run that is due sooner replaces the one on its way (mod_delayed_work of Linux).
void BlkMq::RunLater(Hctx* hctx, TimePs delay) {
  const TimePs when = clock_.Now() + delay;
  if (hctx->run_at <= when) return;
  hctx->run_at = when;
  clock_.At(when, Bind<&BlkMq::RunEvent>(this, hctx->index));
}

void BlkMq::RunEvent(std::uint64_t index) {
  Hctx* const hctx = hctxs_[index].get();
  if (hctx->run_at != clock_.Now()) return;  // replaced
  hctx->run_at = ~TimePs{0};
  if (!hctx->cpus.empty()) {
    running_cpu_ = hctx->cpus[hctx->next_worker++ % hctx->cpus.size()];
  }
  if (hctx->silent_frees > 0) {
    --hctx->silent_frees;
    WakeWaiters(hctx);
  }
  RunHwQueue(hctx);
}

// blk_mq_update_dispatch_busy(): weight 8, factor 4.
void BlkMq::UpdateBusy(Hctx* hctx, bool busy) {
  if (hctx->dispatch_busy == 0 && !busy) return;
  hctx->dispatch_busy = (hctx->dispatch_busy * 7 + (busy ? 16 : 0)) / 8;
}

void BlkMq::Unquiesce() {
  quiesced_ = false;
  for (auto& hctx : hctxs_) RunHwQueue(hctx.get());
}

}  // namespace nvmearb::host
