// SPDX-License-Identifier: Apache-2.0
//
// Judge: who is eligible since when, and since when each SQ has its place in its ring.
#include <algorithm>

#include "scoreboard/judge.h"

namespace nvmearb::tb {

using arbiter::kNoSq;

bool Judge::HasWork(const SqShadow& sq) const {
  return sq.exists && !sq.is_deleting && !sq.is_halted && sq.PresentCount() > 0;
}

bool Judge::HasRoom(const SqShadow& sq) const {
  const CqShadow& cq = cqs_[sq.cqid];
  return !cq.exists || cq.RoomCount() > 0;
}

void Judge::SetBlocked(SqShadow& sq, bool is_blocked) {
  if (sq.is_blocked == is_blocked) return;
  sq.is_blocked = is_blocked;
  if (is_blocked) {
    most_blocked_count_ = std::max(most_blocked_count_, ++blocked_count_);
  } else {
    --blocked_count_;
  }
}

void Judge::PushArrived(std::uint16_t sqid) {
  RingOf(sqs_[sqid]).arrived.PushBack(ring_nodes_, sqid);
  sqs_[sqid].place = Place::kArrived;
}

void Judge::PushRevolved(std::uint16_t sqid) {
  RingOf(sqs_[sqid]).revolved.PushBack(ring_nodes_, sqid);
  sqs_[sqid].place = Place::kRevolved;
}

/// Takes an SQ out of its ring or visit.
void Judge::LeaveRing(std::uint16_t sqid) {
  SqShadow& sq = sqs_[sqid];
  RingShadow& ring = RingOf(sq);
  switch (sq.place) {
    case Place::kNone:
      return;
    case Place::kArrived:
      ring.arrived.Remove(ring_nodes_, sqid);
      break;
    case Place::kRevolved:
      ring.revolved.Remove(ring_nodes_, sqid);
      break;
    case Place::kVisited:
      ring.visit = VisitShadow{};
      if (IsWeighted(sq.sq_class) && current_level_ == LevelOf(sq.sq_class)) current_level_ = -1;
      break;
  }
  sq.place = Place::kNone;
}

/// Brings eligibility up to date after something arrived or went away. `was_empty`: the SQ had no
/// command before, so that it has just been activated (rule 1).
void Judge::Refresh(std::uint16_t sqid, std::uint64_t cycle, bool was_empty) {
  SqShadow& sq = sqs_[sqid];
  const bool has_room = HasRoom(sq);
  const bool now = HasWork(sq) && has_room;
  SetBlocked(sq, HasWork(sq) && !has_room);
  if (now == sq.is_eligible) return;
  sq.is_eligible = now;
  RingShadow& ring = RingOf(sq);
  if (!now) {
    --eligible_count_;
    if (sq.place == Place::kVisited) {
      ring.visit.may_have_ended = true;
    } else {
      LeaveRing(sqid);
    }
    return;
  }
  ++eligible_count_;
  sq.since = cycle;
  sq.latest = {cycle, 0, false};
  if (sq.place == Place::kVisited) {
    // It ran empty, or its CQ full, in the middle of a visit. Command and doorbell may have
    // crossed: then the visit goes on. Otherwise it is over, and this is a new activation.
    const std::uint64_t ended = ring.visit.last_grant.cycle;
    if (!was_empty || !HasSettled(ended, cycle)) return;
    LeaveRing(sqid);
  }
  if (was_empty) sq.earliest = {cycle, 0, false};
  PushArrived(sqid);
}

/// The SQ may have been seen without work or room until `cycle`: it may have lost its place.
void Judge::Doubt(std::uint16_t sqid, std::uint64_t cycle) {
  SqShadow& sq = sqs_[sqid];
  if (!sq.is_eligible) return;
  if (cycle > sq.since) sq.since = cycle;
  sq.latest = {sq.since, 0, false};
  sq.earliest.exact = false;
  if (sq.place == Place::kVisited) {
    RingOf(sq).visit.may_have_ended = true;
  } else {
    LeaveRing(sqid);
    PushArrived(sqid);
  }
}

/// A CQ went from no room to some, or the other way round.
void Judge::RoomChanged(std::uint16_t cqid, std::uint64_t cycle) {
  for (std::uint16_t i = cqs_[cqid].sqs.front(); i != kNoSq; i = cq_nodes_[i].next) {
    Refresh(i, cycle, false);
  }
}

/// The room that is left may not have been seen: every SQ of the CQ may have been parked.
void Judge::DoubtRoom(CqShadow& cq, std::uint64_t cycle) {
  for (std::uint16_t i = cq.sqs.front(); i != kNoSq; i = cq_nodes_[i].next) Doubt(i, cycle);
}

/// An SQ that took its place in the ring before `sqid` beyond doubt and has not had its visit;
/// kNoSq if there is none. The front of each list is the one that has waited longest.
std::uint16_t Judge::PassedOver(const RingShadow& ring, std::uint16_t sqid) const {
  const Moment& place = sqs_[sqid].earliest;
  for (const arbiter::SqList* list : {&ring.revolved, &ring.arrived}) {
    std::uint16_t other = list->front();
    if (other == sqid) other = ring_nodes_[other].next;
    if (other != kNoSq && IsSurelyBefore(sqs_[other].latest, place)) return other;
  }
  return kNoSq;
}

}  // namespace nvmearb::tb
