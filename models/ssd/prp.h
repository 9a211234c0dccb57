// SPDX-License-Identifier: Apache-2.0
//
// PRP data transfers of admin commands (Base 2.1 section 4.3.1): PRP1 may point into a page, PRP2
// is the second page or, when more is needed, a PRP list, chained from page to page.
#ifndef NVMEARB_MODELS_SSD_PRP_H_
#define NVMEARB_MODELS_SSD_PRP_H_

#include <cstddef>
#include <cstdint>

#include "nvme/status.h"
#include "ssd/front_end.h"

namespace nvmearb::ssd {

/// Writes `bytes` bytes of `source` to the pages of PRP1 and PRP2. `page_bytes` is that of CC.MPS.
/// Returns kPrpOffsetInvalid for entries that are not aligned as they have to be,
/// kDataTransferError when the host's memory does not answer; pages before the bad one have been
/// written then.
[[nodiscard]] nvme::Status WritePrp(FrontEndDma* dma, std::uint64_t prp1, std::uint64_t prp2,
                                    std::uint64_t page_bytes, const void* source,
                                    std::size_t bytes);

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_PRP_H_
