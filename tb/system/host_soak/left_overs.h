// SPDX-License-Identifier: Apache-2.0
//
// What is still in use in a machine that has nothing to do.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_LEFT_OVERS_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_LEFT_OVERS_H_

#include <string>

#include "sim/simulation/machine.h"

namespace nvmearb::system {

/// Tags, requests, waiters, counts, and the judges' findings; empty when nothing is left.
[[nodiscard]] std::string LeftOvers(sim::Machine* machine);

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_LEFT_OVERS_H_
