// SPDX-License-Identifier: Apache-2.0
#include "ssd/completion_writer.h"

#include <algorithm>

#include "nvme/base/check.h"
#include "nvme/cqe.h"

namespace nvmearb::ssd {
namespace {

/// Do Not Retry: the same command would fail again. Aborted commands may be sent again.
bool IsFinal(nvme::Status status) {
  return status != nvme::Status::kSuccess && status != nvme::Status::kAbortRequested &&
         status != nvme::Status::kAbortedSqDeletion && status != nvme::Status::kDataTransferError;
}

}  // namespace

CompletionWriter::CompletionWriter(FrontEnd* front_end, FrontEndDma* dma, InterruptSink* interrupts,
                                   unsigned cq_count)
    : front_end_(front_end), dma_(dma), interrupts_(interrupts), states_(cq_count) {}

void CompletionWriter::Reset() { std::fill(states_.begin(), states_.end(), State{}); }

void CompletionWriter::Open(std::uint16_t cqid, const Queue& queue) {
  State& state = states_[cqid];
  state = State{};
  state.queue = queue;
  state.open = true;
}

void CompletionWriter::Close(std::uint16_t cqid) { states_[cqid] = State{}; }

void CompletionWriter::Post(const Result& result) {
  State& state = states_[result.cqid];
  NVMEARB_CHECK(state.open, "a CQE for a completion queue that does not exist");
  nvme::Cqe cqe;
  cqe.dw0 = result.dw0;
  cqe.sqhd = result.sqhd;
  cqe.sqid = result.sqid;
  cqe.cid = result.cid;
  cqe.SetStatusPhase(result.status, IsFinal(result.status), state.phase);
  const std::uint64_t address = state.queue.base + std::uint64_t{state.tail} * nvme::kCqeBytes;
  if (!dma_->Write(address, &cqe, nvme::kCqeBytes)) {
    front_end_->SetFatal();
    front_end_->Complete(result.sqid, result.cqid, false);
    return;
  }
  if (++state.tail == state.queue.size_count) {
    state.tail = 0;
    state.phase = !state.phase;
  }
  ++posted_count_;
  front_end_->Complete(result.sqid, result.cqid, true);
  if (state.queue.interrupts) interrupts_->Interrupt(state.queue.vector);
}

}  // namespace nvmearb::ssd
