// SPDX-License-Identifier: Apache-2.0
//
// Runs a RandomSetup on a machine of its own and says what was wrong with it.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_RUN_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_RUN_H_

#include <cstdint>
#include <string>

#include "random_setup.h"
#include "sim/simulation/engines.h"

namespace nvmearb::system {

/// Tests of the checks: what is done to a run.
enum class Sabotage : std::uint8_t {
  kNone,
  kLoseBio,       ///< a completion never reaches the submitter
  kDoubleBio,     ///< one reaches it twice
  kFailBio,       ///< one carries an error
  kTurnBackTime,  ///< the clock shows an earlier time once
  kLeakTag,       ///< a request is not given back
  kLeakDriverTag,
  kLeakActive  ///< a path goes on counting a request
};

struct SoakCounts {
  std::uint64_t setups = 0;
  std::uint64_t bios = 0;
  std::uint64_t failed = 0;  ///< only of set-ups that may
  std::uint64_t faults = 0;
  std::uint64_t resets = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t aborts = 0;
  std::uint64_t failovers = 0;
  std::uint64_t tag_waits = 0;
  std::uint64_t merges = 0;
  std::uint64_t lost_messages = 0;  ///< completions and interrupts
  std::uint64_t judged_grants = 0;
  SoakCounts& operator+=(const SoakCounts& other);
};

struct SoakResult {
  SoakCounts counts;
  std::string finding;  ///< empty: nothing was wrong
};

/// Takes the process's one Kernel. Runs are independent of each other.
[[nodiscard]] SoakResult RunSetup(const RandomSetup& setup, sim::Engine engine,
                                  Sabotage sabotage = Sabotage::kNone);

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_RUN_H_
