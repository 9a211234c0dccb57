// SPDX-License-Identifier: Apache-2.0
//
// The I/O path: request -> SQE -> doorbell, interrupt -> CQE -> request.
#include <cstring>

#include "host_driver/nvme/pci.h"
#include "nvme/base/check.h"
#include "nvme/io_commands.h"

namespace nvmearb::host {
namespace {

constexpr std::uint32_t kNamespace = 1;
constexpr std::uint32_t kTwoPages = 2 * HostMemory::kPageBytes;

nvme::IoOpcode OpcodeOf(BioOp op) {
  switch (op) {
    case BioOp::kRead:
      return nvme::IoOpcode::kRead;
    case BioOp::kWrite:
      return nvme::IoOpcode::kWrite;
    default:
      return nvme::IoOpcode::kFlush;
  }
}

}  // namespace

// A bio carries no data, so a command's buffer is a slot of a shared window: real, mapped,
// page-aligned addresses, whose contents nobody looks at.
void NvmePci::FillSqe(IoQueue& queue, Request* request) {
  nvme::Sqe* const slot = queue.ring.Slot();
  if (request->op == BioOp::kFlush) {
    *slot = nvme::Flush{kNamespace}.Encode(request->tag);
    return;
  }
  PrpList& list = queue.prps[request->tag];
  if (request->op == BioOp::kDiscard) {
    // The range lies where the PRP list of a long read of this tag would.
    if (list.entries == nullptr) list = prp_pool_->Take();
    nvme::DsmRange range;
    range.block_count = request->bytes >> block_shift_;
    range.slba = request->offset >> block_shift_;
    std::memcpy(list.entries, &range, sizeof range);
    nvme::DatasetManagement command;
    command.nsid = kNamespace;
    command.prp1 = list.address;
    *slot = command.Encode(request->tag);
    return;
  }
  nvme::ReadWrite command;
  command.opcode = OpcodeOf(request->op);
  command.nsid = kNamespace;
  command.slba = request->offset >> block_shift_;
  command.block_count = request->bytes >> block_shift_;
  *slot = command.Encode(request->tag);
  if (request->bytes > kTwoPages && list.entries == nullptr) list = prp_pool_->Take();
  const std::uint64_t data_slot = (queue.ring.qid() + request->tag) & (kDataSlotCount - 1);
  SetPrps(slot, data_.address + (data_slot << data_slot_shift_), request->bytes, list);
}

QueueStatus NvmePci::QueueRq(Hctx* hctx, Request* request, bool last) {
  if (state_ != State::kLive) {
    if (!params_.fabrics) return QueueStatus::kBusy;
    request->status = kHostPathError;  // nvme_fail_nonready_command
    return QueueStatus::kError;
  }
  IoQueue& queue = *static_cast<IoQueue*>(hctx->driver_data);
  FillSqe(queue, request);
  block_->Start(request);
  ++stats_.submitted;
  if (watcher_ != nullptr) watcher_->OnRequestStarted(request);
  queue.ring.Push(last);
  if (queue.polled) ArmPoll(queue);
  return QueueStatus::kOk;
}

void NvmePci::CommitRqs(Hctx* hctx) { static_cast<IoQueue*>(hctx->driver_data)->ring.Commit(); }

// nvme_queue_rqs of 5.17: one doorbell for each run of requests of the same hardware queue.
void NvmePci::QueueRqs(RequestList* list) {
  if (state_ != State::kLive) return;
  while (!list->empty()) {
    Request* const request = list->PopFront();
    Hctx* const hctx = request->hctx;
    const bool last = list->empty() || list->front()->hctx != hctx;
    QueueRq(hctx, request, last);
  }
}

void NvmePci::Interrupt(std::uint16_t vector) {
  ++stats_.interrupts;
  if (vector >= irq_pending_.size() || irq_pending_[vector] != 0) return;
  irq_pending_[vector] = 1;
  clock_.At(clock_.Now() + (costs_.irq_latency_ns + costs_.completion_ns) * kNs,
            Bind<&NvmePci::InterruptEvent>(this, vector));
}

void NvmePci::InterruptEvent(std::uint64_t vector) {
  if (vector >= irq_pending_.size()) return;  // vectors were given back meanwhile
  irq_pending_[vector] = 0;
  ++stats_.interrupt_runs;
  unsigned found = 0;
  if (vector == 0) {
    found = admin_->queue().CqePending() ? 1 : 0;
    admin_->Process();
    if (plan_.vectors != 1 || queues_.empty()) {
      if (found == 0) ++stats_.empty_interrupts;
      return;
    }
  }
  if (params_.fabrics && state_ != State::kLive) return;  // what a lost connection still delivers
  // One vector per queue, or everything on vector 0.
  IoQueue& queue = *queues_[vector == 0 ? 0 : vector - 1];
  if (queue.hctx != nullptr) found += ProcessQueue(queue);
  if (found == 0) ++stats_.empty_interrupts;
}

unsigned NvmePci::ProcessQueue(IoQueue& queue) {
  return queue.ring.ProcessCq([&](const nvme::Cqe& cqe) { HandleCqe(queue, cqe); });
}

void NvmePci::HandleCqe(IoQueue& queue, const nvme::Cqe& cqe) {
  Request* const request = queue.hctx->FindByTag(cqe.cid);
  if (request == nullptr || request->state != RequestState::kStarted) {
    if (stats_.invalid_cids++ == 0) {
      Notice("queue " + std::to_string(queue.ring.qid()) + " completed command id " +
             std::to_string(cqe.cid) + ", which was not outstanding");
    }
    return;
  }
  ++stats_.completed;
  if (watcher_ != nullptr) watcher_->OnRequestEnded(request);
  const auto status = static_cast<std::uint16_t>(cqe.GetStatus());
  if (status != 0) {
    ++stats_.failed;
    const bool fails_over = params_.fabrics && nvme::IsPathError(status);
    if (!cqe.Dnr() && !fails_over && request->retries < params_.max_retries) {
      block_->Requeue(request);
      return;
    }
  }
  block_->Complete(request, status, queue.polled ? request->cpu : queue.irq_cpu);
}

void NvmePci::ArmPoll(IoQueue& queue) {
  if (queue.poll_armed) return;
  queue.poll_armed = true;
  clock_.At(clock_.Now() + std::uint64_t{costs_.poll_ns} * kNs,
            Bind<&NvmePci::PollEvent>(this, queue.ring.qid()));
}

void NvmePci::PollEvent(std::uint64_t qid) {
  IoQueue& queue = *queues_[qid - 1];
  queue.poll_armed = false;
  if (params_.fabrics && state_ != State::kLive) return;  // as for interrupts
  ProcessQueue(queue);
  if (queue.hctx->started_count > 0) ArmPoll(queue);
}

}  // namespace nvmearb::host
