// SPDX-License-Identifier: Apache-2.0
#include "ssd/prp.h"

#include <algorithm>

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kEntryBytes = 8;

/// Walks a PRP list; the last entry of a full page points to the next page of the list.
class PrpList {
 public:
  PrpList(FrontEndDma* dma, std::uint64_t address, std::uint64_t page_bytes)
      : dma_(dma), address_(address), page_mask_(page_bytes - 1) {}

  /// The next page address. `more` tells that pages follow it, so that it may be a chain pointer.
  nvme::Status Next(bool more, std::uint64_t* page) {
    if (!dma_->Read(address_, page, kEntryBytes)) return nvme::Status::kDataTransferError;
    const bool last_in_page = ((address_ + kEntryBytes) & page_mask_) == 0;
    if (last_in_page && more) {
      if ((*page & page_mask_) != 0) return nvme::Status::kPrpOffsetInvalid;
      address_ = *page;
      if (!dma_->Read(address_, page, kEntryBytes)) return nvme::Status::kDataTransferError;
    }
    address_ += kEntryBytes;
    return nvme::Status::kSuccess;
  }

 private:
  FrontEndDma* dma_;
  std::uint64_t address_;
  std::uint64_t page_mask_;
};

}  // namespace

nvme::Status WritePrp(FrontEndDma* dma, std::uint64_t prp1, std::uint64_t prp2,
                      std::uint64_t page_bytes, const void* source, std::size_t bytes) {
  const auto* data = static_cast<const std::uint8_t*>(source);
  const std::uint64_t mask = page_bytes - 1;
  if ((prp1 & 3) != 0) return nvme::Status::kPrpOffsetInvalid;

  const std::size_t first = std::min<std::size_t>(bytes, page_bytes - (prp1 & mask));
  if (!dma->Write(prp1, data, first)) return nvme::Status::kDataTransferError;
  std::size_t done = first;
  if (done == bytes) return nvme::Status::kSuccess;

  if (bytes - done <= page_bytes) {
    if ((prp2 & mask) != 0) return nvme::Status::kPrpOffsetInvalid;
    return dma->Write(prp2, data + done, bytes - done) ? nvme::Status::kSuccess
                                                       : nvme::Status::kDataTransferError;
  }
  if ((prp2 & (kEntryBytes - 1)) != 0) return nvme::Status::kPrpOffsetInvalid;
  PrpList list(dma, prp2, page_bytes);
  while (done < bytes) {
    const std::size_t chunk = std::min<std::size_t>(bytes - done, page_bytes);
    std::uint64_t page = 0;
    const nvme::Status status = list.Next(bytes - done > chunk, &page);
    if (status != nvme::Status::kSuccess) return status;
    if ((page & mask) != 0) return nvme::Status::kPrpOffsetInvalid;
    if (!dma->Write(page, data + done, chunk)) return nvme::Status::kDataTransferError;
    done += chunk;
  }
  return nvme::Status::kSuccess;
}

}  // namespace nvmearb::ssd
