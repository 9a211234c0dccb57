// SPDX-License-Identifier: Apache-2.0
//
// FindingLog: what the scoreboard found wrong, each with the events that led to it. A checker
// records and goes on; whoever runs it asks at the end.
#ifndef NVMEARB_TB_SCOREBOARD_FINDING_LOG_H_
#define NVMEARB_TB_SCOREBOARD_FINDING_LOG_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::tb {

/// What a finding is about. Numbers are the rules of docs/decisions/0002-arbitration-rules.md.
enum class Rule : std::uint8_t {
  kClassOrder,  ///< 2: admin, urgent, weighted
  kLevelOrder,  ///< 3: the level whose turn it is
  kReplenish,   ///< 3: credits reloaded while a level was open
  kCredit,      ///< 5: reported credits
  kBurst,       ///< 4: more commands than the visit may have
  kVisit,       ///< 6: a visit begun, continued or cut short when it must not
  kRingOrder,   ///< 6: a queue of the ring was passed over
  kHead,        ///< slots are granted in order
  kPastTail,    ///< never past the tail
  kCount,       ///< 11: 1..limit, not across the ring end
  kQueue,       ///< grant, create or delete of a queue that may not have it
  kHalted,      ///< 13: grant to a halted SQ
  kCqRoom,      ///< 7
  kSlots,       ///< 8
  kHold,        ///< 14
  kDoorbell,    ///< 13: accepted or refused wrongly
  kFetch,       ///< fetched = granted, in order
  kDelivery,    ///< commands handed on = fetched, in order
  kBytes,       ///< the 64 bytes
  kSqhd,        ///< SQHD of a command
  kComplete,    ///< completed = delivered, once
  kIdle,        ///< work, slot, and no grant
  kExactOrder,  ///< differs from the golden order
  kEvents       ///< the stream itself: time runs backwards, unknown event
};
[[nodiscard]] std::string_view Name(Rule rule);

struct Finding {
  Rule rule = Rule::kEvents;
  std::uint64_t cycle = 0;
  std::uint16_t sqid = 0;
  std::string text;                    ///< one sentence: what, expected, found
  std::vector<arbiter::Event> events;  ///< the last events, the offending one at the end
};

/// One event as one line, for people.
[[nodiscard]] std::string Describe(const arbiter::Event& event);
/// A finding with its events, several lines.
[[nodiscard]] std::string Describe(const Finding& finding);

/// Not thread safe. Record() is on the hot path and does not allocate; Report() does.
class FindingLog {
 public:
  /// Findings beyond this many are counted and not kept.
  static constexpr std::size_t kKeptCount = 100;
  static constexpr std::size_t kEventCount = 32;

  void Record(const arbiter::Event& event) { last_[event_count_++ % kEventCount] = event; }
  void Report(Rule rule, std::uint16_t sqid, std::string text);

  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  /// Every finding, kept or not.
  [[nodiscard]] std::uint64_t finding_count() const { return finding_count_; }
  [[nodiscard]] std::uint64_t event_count() const { return event_count_; }

 private:
  std::array<arbiter::Event, kEventCount> last_{};
  std::uint64_t event_count_ = 0;
  std::uint64_t finding_count_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_FINDING_LOG_H_
