// SPDX-License-Identifier: Apache-2.0
//
// What the Judge keeps about queues, rings and time. Its own bookkeeping: nothing here comes from
// the design or from the golden Arbiter.
#ifndef NVMEARB_TB_SCOREBOARD_JUDGE_STATE_H_
#define NVMEARB_TB_SCOREBOARD_JUDGE_STATE_H_

#include <cstdint>

#include "arbiter/ring.h"
#include "arbiter/sq_list.h"
#include "arbiter/types.h"

namespace nvmearb::tb {

/// Rule 12: a decision may miss what arrived in the last 8 clocks, no more.
inline constexpr std::uint64_t kArrivalToleranceClocks = 8;

/// True when what arrived in `arrival_cycle` must be known to a decision seen in `cycle`.
[[nodiscard]] constexpr bool HasSettled(std::uint64_t arrival_cycle, std::uint64_t cycle) {
  return cycle > arrival_cycle + kArrivalToleranceClocks;
}

/// A count that arrivals increase. A decision sees anything between Settled() and Total().
/// Two buckets of at least the tolerance each hold the latest arrivals, so that Settled() is never
/// too high, and too low by less than two tolerances.
class ArrivalCount {
 public:
  void Add(std::uint64_t count, std::uint64_t cycle) {
    if (HasSettled(current_start_, cycle)) {
      previous_ = HasSettled(last_, cycle) ? 0 : current_;
      current_ = 0;
      current_start_ = cycle;
    }
    current_ += count;
    total_ += count;
    last_ = cycle;
  }
  [[nodiscard]] std::uint64_t Total() const { return total_; }
  [[nodiscard]] std::uint64_t Settled(std::uint64_t cycle) const {
    if (HasSettled(last_, cycle)) return total_;
    return total_ - current_ - (HasSettled(current_start_, cycle) ? 0 : previous_);
  }
  /// Cycle of the last arrival.
  [[nodiscard]] std::uint64_t last() const { return last_; }

 private:
  std::uint64_t total_ = 0;
  std::uint64_t current_ = 0;
  std::uint64_t previous_ = 0;
  std::uint64_t current_start_ = 0;
  std::uint64_t last_ = 0;
};

/// A moment at which an SQ took its place in a ring: either an arrival (known to the clock, plus
/// tolerance) or the end of a visit, whose order among visits is exact.
struct Moment {
  std::uint64_t cycle = 0;
  std::uint64_t order = 0;  ///< number of the grant, where exact
  bool exact = false;
};

/// True when `a` came before `b` beyond doubt.
[[nodiscard]] constexpr bool IsSurelyBefore(const Moment& a, const Moment& b) {
  return a.exact && b.exact ? a.order < b.order : HasSettled(a.cycle, b.cycle);
}

enum class Place : std::uint8_t { kNone, kArrived, kRevolved, kVisited };

struct SqShadow {
  bool exists = false;
  bool is_deleting = false;  ///< deletion asked for and not yet acknowledged
  bool is_halted = false;
  bool is_eligible = false;
  bool is_blocked = false;  ///< nothing but the CQ's want of room keeps it from being eligible
  Place place = Place::kNone;
  arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
  std::uint16_t cqid = 0;
  std::uint32_t size_count = 2;
  std::uint32_t tail = 0;
  std::uint32_t issue_head = 0;
  std::uint32_t fetched_head = 0;
  std::uint64_t halt_cycle = 0;
  std::uint64_t since = 0;  ///< eligible beyond doubt from `since` + tolerance on
  Moment earliest;          ///< it took its place in the ring not before this
  Moment latest;            ///< and not after this
  ArrivalCount submitted;
  ArrivalCount fetched;
  std::uint64_t issued_count = 0;
  std::uint64_t delivered_count = 0;
  std::uint64_t completed_count = 0;

  [[nodiscard]] std::uint64_t PresentCount() const { return submitted.Total() - issued_count; }
  /// Commands present beyond doubt in `cycle`.
  [[nodiscard]] std::uint64_t SettledPresentCount(std::uint64_t cycle) const {
    const std::uint64_t settled = submitted.Settled(cycle);
    return settled > issued_count ? settled - issued_count : 0;
  }
};

struct CqShadow {
  bool exists = false;  ///< its size is known; otherwise room is not judged
  std::uint32_t size_count = 2;
  std::uint32_t head = 0;
  std::uint64_t consumed_count = 0;
  std::uint64_t granted_count = 0;
  ArrivalCount posted;
  ArrivalCount freed;
  arbiter::SqList sqs;  ///< mapped to it

  [[nodiscard]] std::uint64_t RoomCount() const {
    const std::uint64_t capacity = size_count - 1 + freed.Total();
    return capacity > granted_count ? capacity - granted_count : 0;
  }
  [[nodiscard]] std::uint64_t SettledRoomCount(std::uint64_t cycle) const {
    const std::uint64_t capacity = size_count - 1 + freed.Settled(cycle);
    return capacity > granted_count ? capacity - granted_count : 0;
  }
};

/// The visit of a ring, as far as the events tell.
struct VisitShadow {
  std::uint16_t sqid = arbiter::kNoSq;
  std::uint64_t burst_least_count = 0;  ///< commands it may still have, at least
  std::uint64_t burst_most_count = 0;   ///< and at most
  bool may_have_ended = false;          ///< the SQ may have been seen empty or without CQ room
  Moment last_grant;
};

struct RingShadow {
  arbiter::SqList arrived;   ///< eligible, not visited since; by latest.cycle
  arbiter::SqList revolved;  ///< eligible ever since their last visit ended; by latest.order
  VisitShadow visit;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_JUDGE_STATE_H_
