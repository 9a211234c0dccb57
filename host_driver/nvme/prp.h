// SPDX-License-Identifier: Apache-2.0
//
// PRPs: where a command's data lies in host memory (Base 2.1 section 4.3.1). Memory pages are 4
// KiB.
#ifndef NVMEARB_HOST_DRIVER_NVME_PRP_H_
#define NVMEARB_HOST_DRIVER_NVME_PRP_H_

#include <cstdint>

#include "host_driver/base/host_memory.h"
#include "nvme/sqe.h"

namespace nvmearb::host {

/// Space for the PRP list of one command. A list longer than a page is consecutive pages, the last
/// entry of each pointing to the next.
struct PrpList {
  std::uint64_t address = 0;  ///< bus address; 0 = none yet
  std::uint64_t* entries = nullptr;
};

/// Hands out PRP lists that are large enough for any command of `max_bytes`. They are carved out of
/// pages and never given back: a tag keeps its list. Memory belongs to `memory`.
class PrpPool {
 public:
  PrpPool(HostMemory& memory, std::uint32_t max_bytes);
  PrpList Take();
  /// Bytes of one list.
  [[nodiscard]] std::uint32_t list_bytes() const { return list_bytes_; }

 private:
  HostMemory& memory_;
  std::uint32_t list_bytes_;
  HostMemory::Region slab_;
  std::size_t used_ = 0;
};

/// Sets PRP1 and PRP2 of `sqe` for `bytes` > 0 contiguous bytes at `address` (4-byte aligned), and
/// writes `list` if more than two pages are touched.
void SetPrps(nvme::Sqe* sqe, std::uint64_t address, std::uint32_t bytes, const PrpList& list);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_PRP_H_
