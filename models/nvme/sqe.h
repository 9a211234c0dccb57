// SPDX-License-Identifier: Apache-2.0
//
// Sqe: one 64-byte submission queue entry, common part (Base 2.1, section 4.1.1). The fields that
// depend on the command are in admin_commands.h and io_commands.h.
#ifndef NVMEARB_MODELS_NVME_SQE_H_
#define NVMEARB_MODELS_NVME_SQE_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "nvme/base/bits.h"
#include "nvme/opcodes.h"

namespace nvmearb::nvme {

struct Sqe {
  std::uint32_t cdw0 = 0;  ///< CID[31:16] PSDT[15:14] FUSE[9:8] OPC[7:0]
  std::uint32_t nsid = 0;
  std::uint32_t cdw2 = 0;
  std::uint32_t cdw3 = 0;
  std::uint64_t mptr = 0;
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;
  std::uint32_t cdw10 = 0;
  std::uint32_t cdw11 = 0;
  std::uint32_t cdw12 = 0;
  std::uint32_t cdw13 = 0;
  std::uint32_t cdw14 = 0;
  std::uint32_t cdw15 = 0;

  [[nodiscard]] constexpr std::uint8_t Opcode() const {
    return static_cast<std::uint8_t>(base::Bits(cdw0, 7, 0));
  }
  [[nodiscard]] constexpr std::uint8_t FuseBits() const {
    return static_cast<std::uint8_t>(base::Bits(cdw0, 9, 8));
  }
  /// PRP or SGL for data transfer; 0 = PRP.
  [[nodiscard]] constexpr std::uint8_t Psdt() const {
    return static_cast<std::uint8_t>(base::Bits(cdw0, 15, 14));
  }
  [[nodiscard]] constexpr std::uint16_t CommandId() const {
    return static_cast<std::uint16_t>(base::Bits(cdw0, 31, 16));
  }
  constexpr void SetCommandId(std::uint16_t cid) {
    cdw0 = (cdw0 & 0xffffu) | (static_cast<std::uint32_t>(cid) << 16);
  }

  /// An entry with `opcode` and `cid`, not fused, PRPs, everything else zero.
  static constexpr Sqe Make(std::uint8_t opcode, std::uint16_t cid) {
    Sqe sqe;
    sqe.cdw0 = static_cast<std::uint32_t>(opcode) | (static_cast<std::uint32_t>(cid) << 16);
    return sqe;
  }
};

inline constexpr std::size_t kSqeBytes = 64;
static_assert(sizeof(Sqe) == kSqeBytes);
static_assert(std::is_trivially_copyable_v<Sqe> && std::is_standard_layout_v<Sqe>);
static_assert(offsetof(Sqe, nsid) == 4 && offsetof(Sqe, mptr) == 16 && offsetof(Sqe, prp1) == 24);
static_assert(offsetof(Sqe, prp2) == 32 && offsetof(Sqe, cdw10) == 40 &&
              offsetof(Sqe, cdw15) == 60);

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_SQE_H_
