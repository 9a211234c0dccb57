// SPDX-License-Identifier: Apache-2.0
//
// NvmeQueue: one submission queue and its completion queue, of one depth and one id, in host
// memory.
#ifndef NVMEARB_HOST_DRIVER_NVME_NVME_QUEUE_H_
#define NVMEARB_HOST_DRIVER_NVME_NVME_QUEUE_H_

#include <cstdint>
#include <string>

#include "host_driver/base/host_memory.h"
#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/sqe.h"

namespace nvmearb::host {

/// Rings, pointers and doorbells; knows nothing of requests. The memory belongs to `memory` and is
/// given back by the destructor; `memory` and `device` outlive the queue.
///
/// Submission: fill *Slot(), then Push(ring). The doorbell is written when `ring` is set, or when
/// the next entry would reach the value last written, so that a long batch cannot lap itself
/// (nvme_write_sq_db of Linux).
class NvmeQueue {
 public:
  /// `depth` entries, 2..65,536. `dstrd` is CAP.DSTRD.
  NvmeQueue(HostMemory& memory, nvme::DevicePort& device, std::uint16_t qid, std::uint32_t depth,
            unsigned dstrd);
  ~NvmeQueue();
  NvmeQueue(const NvmeQueue&) = delete;
  NvmeQueue& operator=(const NvmeQueue&) = delete;

  /// As before the device learned of it: pointers 0, phase 1, completion memory zero.
  void Reinit();
  /// The controller is being disabled: no doorbell is written any more, until Reinit().
  void Silence() { silent_ = true; }

  [[nodiscard]] std::uint16_t qid() const { return qid_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  [[nodiscard]] std::uint64_t sq_address() const { return sq_.address; }
  [[nodiscard]] std::uint64_t cq_address() const { return cq_.address; }

  /// Entry at the SQ tail.
  [[nodiscard]] nvme::Sqe* Slot() { return &sqes_[sq_tail_]; }
  void Push(bool ring) {
    sq_tail_ = Next(sq_tail_);
    if (ring || Next(sq_tail_) == rung_tail_) Ring();
  }
  /// Rings if anything was pushed since the last time.
  void Commit() {
    if (sq_tail_ != rung_tail_) Ring();
  }

  [[nodiscard]] bool CqePending() const { return cqes_[cq_head_].Phase() == phase_; }

  /// Calls handle(const Cqe&) for every new entry, then writes the CQ head doorbell once. Returns
  /// the number of entries.
  template <typename Handle>
  unsigned ProcessCq(Handle handle) {
    unsigned found = 0;
    while (CqePending()) {
      const nvme::Cqe cqe = cqes_[cq_head_];
      AdvanceCqHead();
      NoteSqHead(cqe.sqhd);
      ++found;
      handle(cqe);
    }
    if (found > 0 && !silent_) device_.MmioWrite(cq_doorbell_, cq_head_, 4);
    return found;
  }

  /// "SQ tail 5 (rung 5) head 3, CQ head 2 phase 1"
  [[nodiscard]] std::string Describe() const;
  [[nodiscard]] std::uint32_t sq_tail() const { return sq_tail_; }
  [[nodiscard]] std::uint32_t sq_head() const { return sq_head_; }
  [[nodiscard]] std::uint32_t rung_tail() const { return rung_tail_; }
  [[nodiscard]] std::uint32_t cq_head() const { return cq_head_; }
  [[nodiscard]] bool phase() const { return phase_; }
  /// SQ tail doorbells written.
  [[nodiscard]] std::uint64_t doorbells() const { return doorbells_; }
  /// CQEs whose SQHD lies outside [head, tail] of the SQ: a device error, or an SQHD older than one
  /// already seen (completions out of order).
  [[nodiscard]] std::uint64_t stale_sqhd() const { return stale_sqhd_; }

 private:
  [[nodiscard]] std::uint32_t Next(std::uint32_t index) const {
    return index + 1 == depth_ ? 0 : index + 1;
  }
  [[nodiscard]] std::uint32_t Distance(std::uint32_t from, std::uint32_t to) const {
    return to >= from ? to - from : to + depth_ - from;
  }
  void Ring() {
    if (silent_) return;
    ++doorbells_;
    rung_tail_ = sq_tail_;
    device_.MmioWrite(sq_doorbell_, sq_tail_, 4);
  }
  void AdvanceCqHead() {
    if (++cq_head_ == depth_) {
      cq_head_ = 0;
      phase_ = !phase_;
    }
  }
  // The driver needs no SQ head (it has fewer tags than entries); it is kept for whoever watches.
  void NoteSqHead(std::uint32_t sqhd) {
    if (sqhd < depth_ && Distance(sq_head_, sqhd) <= Distance(sq_head_, sq_tail_)) {
      sq_head_ = sqhd;
    } else {
      ++stale_sqhd_;
    }
  }

  HostMemory& memory_;
  nvme::DevicePort& device_;
  HostMemory::Region sq_;
  HostMemory::Region cq_;
  nvme::Sqe* sqes_;
  nvme::Cqe* cqes_;
  std::uint32_t depth_;
  std::uint32_t sq_doorbell_;
  std::uint32_t cq_doorbell_;
  std::uint32_t sq_tail_ = 0;
  std::uint32_t rung_tail_ = 0;
  std::uint32_t sq_head_ = 0;
  std::uint32_t cq_head_ = 0;
  std::uint16_t qid_;
  bool phase_ = true;
  bool silent_ = false;
  std::uint64_t doorbells_ = 0;
  std::uint64_t stale_sqhd_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_NVME_QUEUE_H_
