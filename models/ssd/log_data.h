// SPDX-License-Identifier: Apache-2.0
//
// Log pages of a drive (Base 2.1 section 5.1.12): 01h Error Information and 02h SMART / Health.
#ifndef NVMEARB_MODELS_SSD_LOG_DATA_H_
#define NVMEARB_MODELS_SSD_LOG_DATA_H_

#include <cstdint>
#include <vector>

#include "nvme/admin_commands.h"
#include "nvme/status.h"
#include "ssd/events.h"
#include "ssd/statistics.h"

namespace nvmearb::ssd {

/// Fills `data` with what `command` asks for; bytes behind the end of the page are 0. Returns
/// kInvalidLogPage for an unknown page, kInvalidField for an offset that is behind the page or no
/// multiple of 4, or for more than `max_bytes` (MDTS).
[[nodiscard]] nvme::Status BuildLogPage(const nvme::GetLogPage& command, std::uint64_t max_bytes,
                                        const EventReporter& events, const Statistics& statistics,
                                        std::vector<std::uint8_t>* data);

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_LOG_DATA_H_
