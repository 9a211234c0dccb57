// SPDX-License-Identifier: Apache-2.0
//
// Deferred: what came out of the RTL while a register read ran ahead of the kernel, to be handed on
// at its time.
#ifndef NVMEARB_TB_HARNESS_DEFERRED_H_
#define NVMEARB_TB_HARNESS_DEFERRED_H_

#include <cstdint>
#include <deque>

#include "arbiter/types.h"
#include "ssd/front_end.h"

namespace nvmearb::tb {

/// A call to the sink other than OnCommand().
struct Report {
  enum Kind : std::uint8_t {
    kConfigDone,
    kShutdown,
    kDoorbellError,
    kFetchError,
    kEnable,
    kDisable
  };
  Kind kind = kConfigDone;
  std::uint8_t info = 0;  ///< kShutdown: SHN; kDoorbellError: error information
  std::uint8_t is_cq = 0;
  std::uint16_t qid = 0;
};

struct Deferred {
  enum Kind : std::uint8_t { kEvent, kCommand, kReport };
  std::uint64_t edge = 0;
  Kind kind = kEvent;
  arbiter::Event event;
  ssd::FetchedCommand command;
  Report report;
};

using DeferredQueue = std::deque<Deferred>;

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_DEFERRED_H_
