// SPDX-License-Identifier: Apache-2.0
//
// EventDecoder: observation port of the RTL (obs_t) to arbiter::Event.
#ifndef NVMEARB_TB_HARNESS_EVENT_DECODER_H_
#define NVMEARB_TB_HARNESS_EVENT_DECODER_H_

#include <array>
#include <cstdint>

#include "arbiter/types.h"

namespace nvmearb::tb {

/// Keeps the settings in force, which a kConfig event repeats in full, from the configuration
/// requests it has seen. A monitor: never drives anything. Not thread safe.
class EventDecoder {
 public:
  /// At most this many events in one clock.
  static constexpr unsigned kMaxEvents = 5;

  /// Decodes one clock of the port: `words` are obs_t as 32-bit words, lowest first. Writes the
  /// events in the order of the fields of obs_t to `events` and returns how many. Creation and
  /// deletion of a CQ are no events.
  unsigned Decode(const std::uint32_t* words, std::uint64_t cycle, std::uint64_t time_ps,
                  std::array<arbiter::Event, kMaxEvents>& events);

 private:
  bool DecodeConfig(const std::uint32_t* words, arbiter::Event& event);

  arbiter::Mechanism mechanism_ = arbiter::Mechanism::kRoundRobin;
  arbiter::ArbitrationSettings settings_;
  /// Credits after the last clock that had an event.
  std::array<std::uint16_t, arbiter::kLevelCount> credit_{};
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_EVENT_DECODER_H_
