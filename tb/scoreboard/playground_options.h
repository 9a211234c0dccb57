// SPDX-License-Identifier: Apache-2.0
//
// What `nvmearb arbitrate` is asked: which queues, how many commands, under which settings.
#ifndef NVMEARB_TB_SCOREBOARD_PLAYGROUND_OPTIONS_H_
#define NVMEARB_TB_SCOREBOARD_PLAYGROUND_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arbiter/types.h"
#include "ssd/front_end.h"

namespace nvmearb::tb {

struct ArbitrateOptions {
  struct Queue {
    std::uint16_t sqid = 0;
    arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
    std::uint32_t count = 0;  ///< commands rung before the first decision
  };
  struct After {
    std::uint64_t granted_count = 0;  ///< rung once exactly so many commands were granted
    std::uint16_t sqid = 0;
    std::uint32_t count = 0;
  };

  arbiter::Mechanism mechanism = arbiter::Mechanism::kRoundRobin;
  arbiter::ArbitrationSettings settings;
  std::vector<Queue> queues;  ///< rung in this order
  std::vector<After> afters;
};

/// The same as the command line has it.
struct ArbitrateArguments {
  std::string ams = "rr";
  int ab = 0;
  std::string weights;              ///< "H,M,L", 0's based; empty: 0,0,0
  std::vector<std::string> sqs;     ///< "ID:CLASS:COUNT"
  std::vector<std::string> afters;  ///< "GRANTS:ID:COUNT"
};

/// Commands of one SQ that the playground can take, initial and later ones together: one queue
/// full.
[[nodiscard]] std::uint32_t MostCommandsOf(std::uint16_t sqid, const ssd::FrontEndLimits& limits);

/// Parses and checks. Throws host::UserError that names the option, what is wrong, and what is
/// allowed.
[[nodiscard]] ArbitrateOptions ParseArbitrateOptions(const ArbitrateArguments& arguments,
                                                     const ssd::FrontEndLimits& limits);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_PLAYGROUND_OPTIONS_H_
