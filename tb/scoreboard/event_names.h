// SPDX-License-Identifier: Apache-2.0
//
// The names that the --events file and the findings use for events, classes and mechanisms.
#ifndef NVMEARB_TB_SCOREBOARD_EVENT_NAMES_H_
#define NVMEARB_TB_SCOREBOARD_EVENT_NAMES_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "arbiter/types.h"

namespace nvmearb::tb {

/// In the order of arbiter::EventKind.
inline constexpr std::array<std::string_view, 9> kEventNames = {
    "create", "delete", "config", "doorbell", "reject", "grant", "fetch", "complete", "reset"};
/// In the order of arbiter::SqClass.
inline constexpr std::array<std::string_view, arbiter::kSqClassCount> kClassNames = {
    "urgent", "high", "medium", "low", "admin"};

constexpr std::string_view EventName(arbiter::EventKind kind) {
  return kEventNames[static_cast<std::size_t>(kind)];
}
constexpr std::string_view ClassName(arbiter::SqClass sq_class) {
  return kClassNames[static_cast<std::size_t>(sq_class)];
}
constexpr std::string_view MechanismName(arbiter::Mechanism mechanism) {
  return mechanism == arbiter::Mechanism::kRoundRobin ? "rr" : "wrr";
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_EVENT_NAMES_H_
