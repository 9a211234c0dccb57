// SPDX-License-Identifier: Apache-2.0
//
// What the checks of doorbells share.
#ifndef NVMEARB_TB_CONFORMANCE_DOORBELL_HELP_H_
#define NVMEARB_TB_CONFORMANCE_DOORBELL_HELP_H_

#include <cstdint>
#include <string>

#include "conformance/host.h"

namespace nvmearb::conformance {

inline DeviceOptions Window(unsigned commands) {
  DeviceOptions options;
  options.window = commands;
  return options;
}

/// Slots of SQ `sqid` read since Mark(), as "7 0".
inline std::string Slots(const Host& host, std::uint16_t sqid) {
  std::string text;
  for (const SqeRead& read : host.ReadsSinceMark()) {
    if (read.sqid == sqid) text += (text.empty() ? "" : " ") + std::to_string(read.slot);
  }
  return text;
}

/// "first first+1 ..." over `count` slots of a ring of `size_count`.
inline std::string SlotRange(std::uint32_t first, std::uint32_t count, std::uint32_t size_count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : " ") + std::to_string((first + i) % size_count);
  }
  return text;
}

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_DOORBELL_HELP_H_
