// SPDX-License-Identifier: Apache-2.0
//
// CompletionWriter: the completion queues as the controller sees them. Posts a CQE: phase, SQHD,
// SQID, tail, then the notice to the front end, then the interrupt vector (Base 2.1 sections 3.3.1,
// 4.2). Room is not checked: the front end grants a command only when its CQE has a place.
#ifndef NVMEARB_MODELS_SSD_COMPLETION_WRITER_H_
#define NVMEARB_MODELS_SSD_COMPLETION_WRITER_H_

#include <cstdint>
#include <vector>

#include "nvme/status.h"
#include "ssd/front_end.h"

namespace nvmearb::ssd {

/// Where interrupts go.
class InterruptSink {
 public:
  virtual ~InterruptSink() = default;
  virtual void Interrupt(std::uint16_t vector) = 0;
};

class CompletionWriter {
 public:
  struct Queue {
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;  ///< entries
    std::uint16_t vector = 0;
    bool interrupts = false;
  };
  /// What a CQE says.
  struct Result {
    std::uint16_t sqid = 0;
    std::uint16_t cqid = 0;
    std::uint16_t cid = 0;
    std::uint16_t sqhd = 0;
    nvme::Status status = nvme::Status::kSuccess;
    std::uint32_t dw0 = 0;
  };

  /// For CQ ids 0 .. cq_count-1. Nothing is owned.
  CompletionWriter(FrontEnd* front_end, FrontEndDma* dma, InterruptSink* interrupts,
                   unsigned cq_count);

  void Reset();
  void Open(std::uint16_t cqid, const Queue& queue);
  void Close(std::uint16_t cqid);

  /// Posts one CQE. When the host's memory does not take it, CSTS.CFS is set and nothing is posted.
  void Post(const Result& result);

  /// CQEs posted since the construction.
  [[nodiscard]] std::uint64_t posted_count() const { return posted_count_; }
  /// Tail of a CQ: the next entry to write.
  [[nodiscard]] std::uint32_t tail(std::uint16_t cqid) const { return states_[cqid].tail; }

 private:
  struct State {
    Queue queue;
    std::uint32_t tail = 0;
    bool phase = true;
    bool open = false;
  };

  FrontEnd* front_end_;
  FrontEndDma* dma_;
  InterruptSink* interrupts_;
  std::vector<State> states_;
  std::uint64_t posted_count_ = 0;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_COMPLETION_WRITER_H_
