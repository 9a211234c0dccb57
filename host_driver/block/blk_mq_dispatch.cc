// SPDX-License-Identifier: Apache-2.0
//
// How a request reaches the driver: plug, direct issue, per-CPU lists and runs of a hardware queue.
#include "host_driver/block/blk_mq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr std::uint32_t kPlugFlushBytes = 128 * 1024;  // BLK_PLUG_FLUSH_SIZE
constexpr TimePs kResourceDelay = 3 * kMs;             // BLK_MQ_RESOURCE_DELAY

unsigned PlugLimit(PlugStyle style) { return style == PlugStyle::kQueueRqs ? 32 : 16; }

bool IsSync(const Request& request) { return request.op == BioOp::kRead || request.bio->sync; }

}  // namespace

void BlkMq::Route(Request* request, bool plugged) {
  Hctx* const hctx = request->hctx;
  if (plugged) {
    AddToPlug(cpus_[request->cpu], request);
  } else if (hctx->dispatch_busy != 0 && (hctxs_.size() == 1 || !IsSync(*request))) {
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
  if (config_.plug_style == PlugStyle::kListPerRun) {
    FlushPlugRuns(list);
    return;
  }
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
    Insert(request);
    return QueueStatus::kBusy;
  }
  const QueueStatus status = ops_.QueueRq(hctx, request, last);
  switch (status) {
    case QueueStatus::kOk:
      UpdateBusy(hctx, false);
      break;
    case QueueStatus::kBusy:
      ++stats_.busy_returns;
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
    if (!DispatchList(hctx, &leftover)) return;
  }
  while (hctx->ctx_request_count > 0) {
    RequestList list = TakeFromCpus(hctx, hctx->dispatch_busy != 0);
    if (!DispatchList(hctx, &list)) return;
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

// Hands `list` to the driver in order. Returns false when the driver refused some; they are then on
// hctx->dispatch, and a completion or the resource delay runs the queue again.
bool BlkMq::DispatchList(Hctx* hctx, RequestList* list) {
  bool uncommitted = false;
  while (!list->empty()) {
    Request* const request = list->PopFront();
    const bool last = list->empty();
    const QueueStatus status = ops_.QueueRq(hctx, request, last);
    if (status == QueueStatus::kOk) {
      uncommitted = !last;
    } else if (status == QueueStatus::kError) {
      Finish(request);
      if (last && uncommitted) ops_.CommitRqs(hctx);
    } else {
      ++stats_.busy_returns;
      list->PushFront(request);
      if (uncommitted) ops_.CommitRqs(hctx);
      list->Splice(hctx->dispatch);  // what came meanwhile stays behind
      hctx->dispatch = *list;
      UpdateBusy(hctx, true);
      hctx->restart = true;
      RunLater(hctx, kResourceDelay);
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
