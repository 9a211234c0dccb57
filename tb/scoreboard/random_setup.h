// SPDX-License-Identifier: Apache-2.0
//
// Random questions to the playground, as command lines; for tests.
#ifndef NVMEARB_TB_SCOREBOARD_RANDOM_SETUP_H_
#define NVMEARB_TB_SCOREBOARD_RANDOM_SETUP_H_

#include <string>

#include "scoreboard/playground_options.h"

namespace nvmearb::tb {

/// The question of `seed`: any mechanism, burst, weights; 1 to `sq_count` queues in any order, some
/// of them empty at first; up to 6 later arrivals, each of which is reached.
[[nodiscard]] ArbitrateArguments RandomSetup(std::uint64_t seed, unsigned sq_count);

/// The command that asks the same.
[[nodiscard]] std::string CommandLine(const ArbitrateArguments& arguments);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_RANDOM_SETUP_H_
