// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/nvme_queue.h"

#include <fmt/format.h>

#include <cstring>

#include "nvme/base/check.h"
#include "nvme/registers.h"

namespace nvmearb::host {

NvmeQueue::NvmeQueue(HostMemory& memory, nvme::DevicePort& device, std::uint16_t qid,
                     std::uint32_t depth, unsigned dstrd)
    : memory_(memory),
      device_(device),
      sq_(memory.Allocate(depth * nvme::kSqeBytes)),
      cq_(memory.Allocate(depth * nvme::kCqeBytes)),
      sqes_(reinterpret_cast<nvme::Sqe*>(sq_.data)),
      cqes_(reinterpret_cast<nvme::Cqe*>(cq_.data)),
      depth_(depth),
      sq_doorbell_(nvme::SqTailDoorbell(qid, dstrd)),
      cq_doorbell_(nvme::CqHeadDoorbell(qid, dstrd)),
      qid_(qid) {
  NVMEARB_CHECK(depth >= 2 && depth <= 65536, "entries of a queue");
}

NvmeQueue::~NvmeQueue() {
  memory_.Free(sq_);
  memory_.Free(cq_);
}

void NvmeQueue::Reinit() {
  std::memset(cq_.data, 0, cq_.bytes);
  sq_tail_ = rung_tail_ = sq_head_ = cq_head_ = 0;
  phase_ = true;
  silent_ = false;
}

std::string NvmeQueue::Describe() const {
  return fmt::format("SQ tail {} (rung {}) head {}, CQ head {} phase {}", sq_tail_, rung_tail_,
                     sq_head_, cq_head_, phase_ ? 1 : 0);
}

}  // namespace nvmearb::host
