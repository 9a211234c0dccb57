// SPDX-License-Identifier: Apache-2.0
//
// Cqe: one 16-byte completion queue entry (Base 2.1, section 4.2.1).
#ifndef NVMEARB_MODELS_NVME_CQE_H_
#define NVMEARB_MODELS_NVME_CQE_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "nvme/status.h"

namespace nvmearb::nvme {

struct Cqe {
  std::uint32_t dw0 = 0;  ///< command specific result
  std::uint32_t dw1 = 0;
  std::uint16_t sqhd = 0;  ///< SQ head when the entry was created
  std::uint16_t sqid = 0;
  std::uint16_t cid = 0;
  std::uint16_t status_phase = 0;  ///< DNR[15] M[14] CRD[13:12] SCT[11:9] SC[8:1] P[0]

  [[nodiscard]] constexpr bool Phase() const { return (status_phase & 1u) != 0; }
  [[nodiscard]] constexpr nvme::Status GetStatus() const {
    return static_cast<nvme::Status>((status_phase >> 1) & 0x7ffu);
  }
  /// Do Not Retry.
  [[nodiscard]] constexpr bool Dnr() const { return (status_phase & 0x8000u) != 0; }

  constexpr void SetStatusPhase(nvme::Status status, bool dnr, bool phase) {
    status_phase = static_cast<std::uint16_t>(
        (dnr ? 0x8000u : 0u) | (static_cast<unsigned>(status) << 1) | (phase ? 1u : 0u));
  }
};

inline constexpr std::size_t kCqeBytes = 16;
static_assert(sizeof(Cqe) == kCqeBytes);
static_assert(std::is_trivially_copyable_v<Cqe> && std::is_standard_layout_v<Cqe>);
static_assert(offsetof(Cqe, sqhd) == 8 && offsetof(Cqe, cid) == 12 &&
              offsetof(Cqe, status_phase) == 14);

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_CQE_H_
