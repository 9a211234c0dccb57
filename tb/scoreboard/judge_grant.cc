// SPDX-License-Identifier: Apache-2.0
//
// Judge: the rules of a grant.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scoreboard/event_names.h"
#include "scoreboard/judge.h"

namespace nvmearb::tb {

using arbiter::kLevelCount;
using arbiter::kNoSq;
using arbiter::Mechanism;
using arbiter::RingAdvance;
using arbiter::SqClass;

namespace {

using Credits = std::array<std::uint16_t, kLevelCount>;

/// operator== of arrays is a call of memcmp.
bool IsSame(const Credits& a, const Credits& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

}  // namespace

void Judge::Grant(const Event& event) {
  granted_count_ += event.count;
  if (!CheckQueue(event)) return;
  CheckResources(event);
  if (mechanism_ == Mechanism::kWeightedRoundRobin) CheckClass(event);
  CheckCredit(event);
  CheckVisit(event);
  ApplyGrant(event);
}

/// The SQ, its slots and its commands. False when there is nothing sensible to go on with.
bool Judge::CheckQueue(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  if (!sq.exists) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("grant to SQ {}, which does not exist", event.sqid));
    return false;
  }
  if (event.sq_class != sq.sq_class) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("grant says SQ {} is {}, it was created {}", event.sqid,
                            ClassName(event.sq_class), ClassName(sq.sq_class)));
  }
  if (sq.is_halted && HasSettled(sq.halt_cycle, event.cycle)) {
    log_.Report(Rule::kHalted, event.sqid,
                fmt::format("grant to SQ {}, halted since cycle {}", event.sqid, sq.halt_cycle));
  }
  if (event.head != sq.issue_head) {
    log_.Report(Rule::kHead, event.sqid,
                fmt::format("grant of SQ {} begins at slot {}, expected {}", event.sqid, event.head,
                            sq.issue_head));
  }
  if (event.count < 1 || event.count > max_grant_count_ ||
      event.head + event.count > sq.size_count) {
    log_.Report(Rule::kCount, event.sqid,
                fmt::format("grant of {} commands from slot {} of {}; a grant has 1..{} and stays "
                            "within the ring",
                            event.count, event.head, sq.size_count, max_grant_count_));
  }
  if (event.count > sq.PresentCount()) {
    log_.Report(Rule::kPastTail, event.sqid,
                fmt::format("grant of {} commands of SQ {}, but {} are present (tail {})",
                            event.count, event.sqid, sq.PresentCount(), sq.tail));
    if (sq.PresentCount() == 0) return false;
  }
  return true;
}

/// CQ room, slots, holds.
void Judge::CheckResources(const Event& event) {
  const SqShadow& sq = sqs_[event.sqid];
  const CqShadow& cq = cqs_[sq.cqid];
  if (cq.exists && event.count > cq.RoomCount()) {
    log_.Report(Rule::kCqRoom, event.sqid,
                fmt::format("grant of {} commands of SQ {}, but CQ {} has room for {}", event.count,
                            event.sqid, sq.cqid, cq.RoomCount()));
  }
  const bool keeps_one =
      mechanism_ == Mechanism::kWeightedRoundRobin && sq.sq_class != SqClass::kAdmin;
  if (knows_slots_ && event.count + (keeps_one ? 1 : 0) > slot_count_) {
    log_.Report(Rule::kSlots, event.sqid,
                fmt::format("grant of {} commands of SQ {} with {} slots{}", event.count,
                            event.sqid, slot_count_, keeps_one ? ", one of them for SQ 0" : ""));
  }
  const bool is_held = hold_all_ || (hold_io_ && event.sqid != 0);
  if (is_held && event.cycle > hold_cycle_ + hold_bound_clocks_) {
    log_.Report(Rule::kHold, event.sqid,
                fmt::format("grant to SQ {}, held since cycle {}", event.sqid, hold_cycle_));
  }
}

/// Rule 2.
void Judge::CheckClass(const Event& event) {
  for (const SqClass above : {SqClass::kAdmin, SqClass::kUrgent}) {
    if (event.sq_class == above) return;
    const RingShadow& ring = rings_[static_cast<std::size_t>(above)];
    if (!HasSurelyEligible(ring, event.cycle)) continue;
    log_.Report(Rule::kClassOrder, event.sqid,
                fmt::format("grant to SQ {} ({}) although an SQ of class {} has been eligible for "
                            "more than {} clocks",
                            event.sqid, ClassName(event.sq_class), ClassName(above),
                            kArrivalToleranceClocks));
    return;
  }
}

/// Rule 5: credits after the grant; finds out whether they were reloaded (rule 3).
void Judge::CheckCredit(const Event& event) {
  auto after = credit_;
  if (IsWeighted(sqs_[event.sqid].sq_class)) {
    const int level = LevelOf(sqs_[event.sqid].sq_class);
    const auto index = static_cast<std::size_t>(level);
    auto reloaded = weight_count_;
    const bool can_reload = reloaded[index] >= event.count;
    if (can_reload) reloaded[index] = static_cast<std::uint16_t>(reloaded[index] - event.count);
    const bool can_pay = after[index] >= event.count;
    if (can_pay) after[index] = static_cast<std::uint16_t>(after[index] - event.count);
    const bool replenished =
        !can_pay || (!IsSame(event.credit, after) && IsSame(event.credit, reloaded));
    if (replenished) after = reloaded;
    if (!can_pay && !can_reload) {
      log_.Report(Rule::kCredit, event.sqid,
                  fmt::format("grant of {} commands, but the level has a weight of {}", event.count,
                              weight_count_[index]));
      after[index] = 0;
    }
    CheckLevel(event, level, replenished);
  }
  if (!IsSame(event.credit, after)) {
    log_.Report(Rule::kCredit, event.sqid,
                fmt::format("credits H/M/L are {}/{}/{} after the grant, expected {}/{}/{}",
                            event.credit[0], event.credit[1], event.credit[2], after[0], after[1],
                            after[2]));
  }
  credit_ = event.credit;
}

/// Rule 3. `credit_` is still the state before the grant.
void Judge::CheckLevel(const Event& event, int level, bool replenished) {
  auto ring_of = [&](int i) -> const RingShadow& {
    return rings_[static_cast<std::size_t>(SqClass::kHigh) + static_cast<std::size_t>(i)];
  };
  if (replenished) {
    for (int i = 0; i < kLevelCount; ++i) {
      if (credit_[static_cast<std::size_t>(i)] == 0 ||
          !HasSurelyEligible(ring_of(i), event.cycle)) {
        continue;
      }
      log_.Report(Rule::kReplenish, event.sqid,
                  fmt::format("credits reloaded although level {} has {} left and an eligible SQ",
                              kClassNames[static_cast<std::size_t>(i) + 1],
                              credit_[static_cast<std::size_t>(i)]));
      break;
    }
  }
  if (level == current_level_ && !event.first) return;  // CheckVisit() looks whether it may go on
  if (current_level_ >= 0 && current_level_ != level &&
      credit_[static_cast<std::size_t>(current_level_)] > 0 &&
      VisitSurelyGoesOn(ring_of(current_level_).visit)) {
    log_.Report(Rule::kLevelOrder, event.sqid,
                fmt::format("grant to level {} in the middle of the visit to SQ {} of level {}",
                            ClassName(event.sq_class), ring_of(current_level_).visit.sqid,
                            kClassNames[static_cast<std::size_t>(current_level_) + 1]));
    return;
  }
  for (int i = 0; i < level; ++i) {
    const bool has_credit = replenished || credit_[static_cast<std::size_t>(i)] > 0;
    if (!has_credit || !HasSurelyEligible(ring_of(i), event.cycle)) continue;
    log_.Report(Rule::kLevelOrder, event.sqid,
                fmt::format("grant to level {} although level {} has {} credits and an eligible SQ",
                            ClassName(event.sq_class), kClassNames[static_cast<std::size_t>(i) + 1],
                            replenished ? weight_count_[static_cast<std::size_t>(i)]
                                        : credit_[static_cast<std::size_t>(i)]));
    return;
  }
}

bool Judge::VisitSurelyGoesOn(const VisitShadow& visit) const {
  return visit.sqid != kNoSq && !visit.may_have_ended && visit.burst_least_count > 0 &&
         sqs_[visit.sqid].is_eligible;
}

/// Rules 4 and 6: begins, continues or ends the visit of the ring as the grant claims.
void Judge::CheckVisit(const Event& event) {
  const SqShadow& sq = sqs_[event.sqid];
  RingShadow& ring = RingOf(sq);
  const VisitShadow& visit = ring.visit;
  if (!event.first) {
    if (visit.sqid != event.sqid) {
      log_.Report(
          Rule::kVisit, event.sqid,
          fmt::format("grant goes on with a visit to SQ {}, but {}", event.sqid,
                      visit.sqid == kNoSq ? "no visit is under way in its ring"
                                          : fmt::format("SQ {} is being visited", visit.sqid)));
      BeginVisit(event);
    }
    return;
  }
  const bool is_held_turn = hold_io_ && event.sqid == 0;  // rule 14
  if (VisitSurelyGoesOn(visit) && !is_held_turn) {
    log_.Report(Rule::kVisit, event.sqid,
                fmt::format("a visit to SQ {} begins although SQ {} may have {} more commands",
                            event.sqid, visit.sqid, visit.burst_least_count));
  }
  if (visit.sqid != kNoSq) FinishVisit(ring);
  if (sq.is_eligible && !is_held_turn) {
    const std::uint16_t passed = PassedOver(ring, event.sqid);
    if (passed != kNoSq) {
      log_.Report(
          Rule::kRingOrder, event.sqid,
          fmt::format("a visit to SQ {} begins although SQ {} waits longer (since cycle {})",
                      event.sqid, passed, sqs_[passed].latest.cycle));
    }
  }
  BeginVisit(event);
}

/// The visit of `ring` is over, though the events did not say so at its last grant.
void Judge::FinishVisit(RingShadow& ring) {
  const std::uint16_t sqid = ring.visit.sqid;
  SqShadow& sq = sqs_[sqid];
  const VisitShadow ended = ring.visit;
  const int level = current_level_;
  LeaveRing(sqid);
  current_level_ = level;  // the grant under way decides
  if (!sq.is_eligible) return;
  sq.earliest = ended.last_grant;
  if (ended.may_have_ended) {
    sq.earliest.exact = false;
    sq.latest = {sq.since, 0, false};
    PushArrived(sqid);
  } else {
    sq.latest = ended.last_grant;
    PushRevolved(sqid);
  }
}

/// Rule 4.
void Judge::BeginVisit(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  RingShadow& ring = RingOf(sq);
  if (ring.visit.sqid != kNoSq) FinishVisit(ring);
  LeaveRing(event.sqid);
  VisitShadow visit;
  visit.sqid = event.sqid;
  if (IsWeighted(sq.sq_class)) {
    const std::uint64_t weight = weight_count_[static_cast<std::size_t>(LevelOf(sq.sq_class))];
    visit.burst_most_count =
        burst_limit_count_ == 0 ? weight : std::min<std::uint64_t>(burst_limit_count_, weight);
    visit.burst_least_count = visit.burst_most_count;
  } else if (burst_limit_count_ == 0) {
    visit.burst_most_count = sq.PresentCount();
    visit.burst_least_count = sq.SettledPresentCount(event.cycle);
  } else {
    visit.burst_most_count = burst_limit_count_;
    visit.burst_least_count = burst_limit_count_;
  }
  ring.visit = visit;
  sq.place = Place::kVisited;
}

void Judge::ApplyGrant(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  RingShadow& ring = RingOf(sq);
  VisitShadow& visit = ring.visit;
  const std::uint64_t settled_count = sq.SettledPresentCount(event.cycle);
  const std::uint64_t count = std::min<std::uint64_t>(event.count, sq.PresentCount());

  if (visit.burst_most_count < count) {
    log_.Report(Rule::kBurst, event.sqid,
                fmt::format("grant of {} commands to SQ {}, whose visit has {} left", event.count,
                            event.sqid, visit.burst_most_count));
    visit.burst_most_count = count;
  }
  visit.burst_most_count -= count;
  visit.burst_least_count -= std::min(visit.burst_least_count, count);
  visit.last_grant = {event.cycle, granted_count_, true};
  visit.may_have_ended = false;

  sq.issued_count += count;
  sq.issue_head = RingAdvance(event.head < sq.size_count ? event.head : 0,
                              static_cast<std::uint32_t>(count), sq.size_count);
  outstanding_fetch_count_ += count;
  slot_count_ -= std::min<std::uint64_t>(slot_count_, count);
  grantable_since_ = event.cycle;
  most_blocked_count_ = blocked_count_;
  // Not by one that was decided before the halt and read later.
  if (event.cycle > turned_cycle_ + kIdleBoundClocks) turned_count_ = 0;
  grantable_since_next_event_ = false;
  if (IsWeighted(sq.sq_class)) {
    const int level = LevelOf(sq.sq_class);
    current_level_ = credit_[static_cast<std::size_t>(level)] == 0 ? -1 : level;
  }

  const bool surely_present = settled_count > count;
  if (visit.burst_most_count == 0 && sq.PresentCount() > 0) {
    // Rule 6: to the back of the ring, in the order of the visits; unless it was seen empty, in
    // which case a doorbell put it there.
    sq.earliest = visit.last_grant;
    sq.latest = visit.last_grant;
    LeaveRing(event.sqid);
    if (sq.is_eligible) PushRevolved(event.sqid);
  }
  Refresh(event.sqid, event.cycle, false);
  if (!surely_present) Doubt(event.sqid, sq.submitted.last());

  CqShadow& cq = cqs_[sq.cqid];
  if (!cq.exists) return;
  cq.granted_count += count;
  if (cq.RoomCount() == 0) {
    RoomChanged(sq.cqid, event.cycle);
  } else if (cq.SettledRoomCount(event.cycle) == 0) {
    DoubtRoom(cq, cq.freed.last());
  }
}

}  // namespace nvmearb::tb
