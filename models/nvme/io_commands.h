// SPDX-License-Identifier: Apache-2.0
//
// NVM commands as typed views of an SQE: Read, Write, Flush. See admin_commands.h.
#ifndef NVMEARB_MODELS_NVME_IO_COMMANDS_H_
#define NVMEARB_MODELS_NVME_IO_COMMANDS_H_

#include <cstdint>

#include "nvme/base/bits.h"
#include "nvme/opcodes.h"
#include "nvme/sqe.h"

namespace nvmearb::nvme {

/// Read (02h) and Write (01h). The number of blocks is 0's based on the wire only.
struct ReadWrite {
  IoOpcode opcode = IoOpcode::kRead;
  std::uint32_t nsid = 1;
  std::uint64_t slba = 0;         ///< CDW11 : CDW10
  std::uint32_t block_count = 1;  ///< CDW12[15:0] + 1: 1..65,536
  bool fua = false;               ///< CDW12[30]
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;

  static constexpr ReadWrite Decode(const Sqe& sqe) {
    ReadWrite c;
    c.opcode = static_cast<IoOpcode>(sqe.Opcode());
    c.nsid = sqe.nsid;
    c.slba = (static_cast<std::uint64_t>(sqe.cdw11) << 32) | sqe.cdw10;
    c.block_count = static_cast<std::uint32_t>(base::Bits(sqe.cdw12, 15, 0)) + 1;
    c.fua = base::Bits(sqe.cdw12, 30, 30) != 0;
    c.prp1 = sqe.prp1;
    c.prp2 = sqe.prp2;
    return c;
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = Sqe::Make(static_cast<std::uint8_t>(opcode), cid);
    sqe.nsid = nsid;
    sqe.prp1 = prp1;
    sqe.prp2 = prp2;
    sqe.cdw10 = static_cast<std::uint32_t>(slba);
    sqe.cdw11 = static_cast<std::uint32_t>(slba >> 32);
    sqe.cdw12 = static_cast<std::uint32_t>(base::Place(fua, 30, 30) |
                                           base::Bits(std::uint64_t{block_count} - 1, 15, 0));
    return sqe;
  }
};

/// Flush (00h).
struct Flush {
  std::uint32_t nsid = 1;

  static constexpr Flush Decode(const Sqe& sqe) { return {sqe.nsid}; }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = Sqe::Make(static_cast<std::uint8_t>(IoOpcode::kFlush), cid);
    sqe.nsid = nsid;
    return sqe;
  }
};

/// Dataset Management (09h): `range_count` entries of DsmRange at PRP1.
struct DatasetManagement {
  std::uint32_t nsid = 1;
  std::uint32_t range_count = 1;  ///< CDW10[7:0] + 1: 1..256
  bool deallocate = true;         ///< CDW11[2], AD
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;

  static constexpr DatasetManagement Decode(const Sqe& sqe) {
    DatasetManagement c;
    c.nsid = sqe.nsid;
    c.range_count = static_cast<std::uint32_t>(base::Bits(sqe.cdw10, 7, 0)) + 1;
    c.deallocate = base::Bits(sqe.cdw11, 2, 2) != 0;
    c.prp1 = sqe.prp1;
    c.prp2 = sqe.prp2;
    return c;
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = Sqe::Make(static_cast<std::uint8_t>(IoOpcode::kDatasetManagement), cid);
    sqe.nsid = nsid;
    sqe.prp1 = prp1;
    sqe.prp2 = prp2;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Bits(range_count - 1, 7, 0));
    sqe.cdw11 = static_cast<std::uint32_t>(base::Place(deallocate, 2, 2));
    return sqe;
  }
};

/// One range of Dataset Management, as it lies in host memory.
struct DsmRange {
  std::uint32_t attributes = 0;
  std::uint32_t block_count = 0;  ///< not 0's based
  std::uint64_t slba = 0;
};
static_assert(sizeof(DsmRange) == 16);

/// Identify Controller ONCS: the controller has Dataset Management.
inline constexpr std::uint16_t kOncsDatasetManagement = 1u << 2;

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_IO_COMMANDS_H_
