// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/prp.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr std::uint32_t kPage = HostMemory::kPageBytes;
constexpr std::uint32_t kEntriesPerPage = kPage / 8;
constexpr std::uint32_t kSmallList = 256;  // the kernel's "prp list 256" pool

std::uint32_t ListBytes(std::uint32_t max_bytes) {
  // Of up to max_bytes / 4 KiB + 1 pages (when the first is not aligned), all but one are in the
  // list.
  const std::uint32_t entries = (max_bytes + kPage - 1) / kPage;
  if (entries <= kEntriesPerPage) {
    std::uint32_t bytes = kSmallList;
    while (bytes < entries * 8) bytes *= 2;
    return bytes;
  }
  const std::uint32_t links = (entries - 2) / (kEntriesPerPage - 1);
  return (entries + links + kEntriesPerPage - 1) / kEntriesPerPage * kPage;
}

}  // namespace

PrpPool::PrpPool(HostMemory& memory, std::uint32_t max_bytes)
    : memory_(memory), list_bytes_(ListBytes(max_bytes)) {}

PrpList PrpPool::Take() {
  if (slab_.data == nullptr || used_ + list_bytes_ > slab_.bytes) {
    slab_ = memory_.Allocate(std::max<std::size_t>(list_bytes_, 16 * kPage));
    used_ = 0;
  }
  const PrpList list{slab_.address + used_, reinterpret_cast<std::uint64_t*>(slab_.data + used_)};
  used_ += list_bytes_;
  return list;
}

void SetPrps(nvme::Sqe* sqe, std::uint64_t address, std::uint32_t bytes, const PrpList& list) {
  sqe->prp1 = address;
  sqe->prp2 = 0;
  const std::uint32_t in_first = kPage - static_cast<std::uint32_t>(address % kPage);
  if (bytes <= in_first) return;
  std::uint64_t next = address + in_first;
  const std::uint32_t rest = bytes - in_first;
  if (rest <= kPage) {
    sqe->prp2 = next;
    return;
  }
  NVMEARB_CHECK(list.entries != nullptr, "more than two pages need a list");
  sqe->prp2 = list.address;
  const std::uint32_t pages = (rest + kPage - 1) / kPage;
  // Position of the list within its page: only lists of whole pages can reach a page's end.
  std::uint32_t at = 0;
  const bool paged = list.address % kPage == 0;
  for (std::uint32_t i = 0; i < pages; ++i) {
    if (paged && at % kEntriesPerPage == kEntriesPerPage - 1 && i + 1 < pages) {
      list.entries[at] = list.address + (at + 1) * 8u;
      ++at;
    }
    list.entries[at++] = next;
    next += kPage;
  }
}

}  // namespace nvmearb::host
