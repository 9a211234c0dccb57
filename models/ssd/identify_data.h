// SPDX-License-Identifier: Apache-2.0
//
// The Identify pages of a drive (Base 2.1 section 5.1.13), filled from its parameters. The drive
// has one namespace, NSID 1, of its whole capacity.
#ifndef NVMEARB_MODELS_SSD_IDENTIFY_DATA_H_
#define NVMEARB_MODELS_SSD_IDENTIFY_DATA_H_

#include <array>
#include <cstdint>

#include "nvme/admin_commands.h"
#include "nvme/identify.h"
#include "nvme/status.h"
#include "ssd/ssd_params.h"

namespace nvmearb::ssd {

inline constexpr std::uint32_t kOnlyNsid = 1;

using IdentifyPage = std::array<std::uint8_t, nvme::kIdentifyBytes>;

/// Fills `page` with what `command` asks for. Returns kInvalidField for a CNS that the drive does
/// not know and kInvalidNamespace for a namespace that is not there.
[[nodiscard]] nvme::Status BuildIdentify(const SsdParams& params, const nvme::Identify& command,
                                         IdentifyPage* page);

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_IDENTIFY_DATA_H_
