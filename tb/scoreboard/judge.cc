// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "scoreboard/event_names.h"

namespace nvmearb::tb {

using arbiter::DoorbellError;
using arbiter::EventKind;
using arbiter::Mechanism;
using arbiter::RingAdvance;
using arbiter::RingDistance;
using arbiter::SqClass;

namespace {

/// Half of all cycles, so that a bound can be added.
constexpr std::uint64_t kHoldNotInForce = ~std::uint64_t{0} / 2;

}  // namespace

Judge::Judge(unsigned sq_count, std::uint32_t max_grant_count)
    : max_grant_count_(max_grant_count),
      sqs_(sq_count),
      cqs_(sq_count),
      ring_nodes_(sq_count),
      cq_nodes_(sq_count) {}

void Judge::OnEvent(const Event& event) {
  log_.Record(event);
  if (event.cycle < cycle_) {
    log_.Report(Rule::kEvents, event.sqid,
                fmt::format("cycle {} follows cycle {}", event.cycle, cycle_));
  }
  cycle_ = event.cycle;
  if (reads_before_next_event_ != 0) {
    ahead_until_cycle_ = event.cycle + reads_before_next_event_ * kReadBoundClocks;
    reads_before_next_event_ = 0;
  }
  if (hold_begins_at_next_event_) {
    hold_begins_at_next_event_ = false;
    hold_cycle_ = event.cycle;
  }
  CheckIdle(event.cycle);
  if (event.sqid >= sqs_.size() && event.kind != EventKind::kReject) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("queue id {}, but only 0..{} exist", event.sqid, sqs_.size() - 1));
    return;
  }
  switch (event.kind) {
    case EventKind::kCreate:
      Create(event);
      break;
    case EventKind::kDelete:
      Delete(event);
      break;
    case EventKind::kConfig:
      Configure(event);
      break;
    case EventKind::kDoorbell:
      Doorbell(event);
      break;
    case EventKind::kReject:
      Reject(event);
      break;
    case EventKind::kGrant:
      Grant(event);
      break;
    case EventKind::kFetch:
      Fetch(event);
      return;  // does not change who may be granted
    case EventKind::kComplete:
      Complete(event);
      break;
    case EventKind::kReset:
      Reset(event);
      break;
  }
  UpdateGrantable(event.cycle);
}

void Judge::Reset(const Event& event) {
  std::fill(sqs_.begin(), sqs_.end(), SqShadow{});
  for (CqShadow& cq : cqs_) {
    // Sizes are told when the host side asks, which may be before the reset is seen; keep them.
    const CqShadow old = cq;
    cq = CqShadow{};
    cq.exists = old.exists;
    cq.size_count = old.size_count;
  }
  rings_.fill({});
  mechanism_ = event.mechanism;
  burst_limit_count_ = 1;
  weight_count_ = event.credit;
  credit_ = event.credit;
  current_level_ = -1;
  outstanding_fetch_count_ = 0;
  deleting_count_ = 0;
  eligible_count_ = 0;
  blocked_count_ = most_blocked_count_ = turned_count_ = 0;
  slot_count_ = 0;
  hold_io_ = false;
  hold_all_ = false;
}

void Judge::Create(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  ReportUnfetched(event.sqid, "created anew");
  if (sq.exists) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("SQ {} created although it exists", event.sqid));
    LeaveRing(event.sqid);
    if (sq.is_eligible) --eligible_count_;
    SetBlocked(sq, false);
    cqs_[sq.cqid].sqs.Remove(cq_nodes_, event.sqid);
  }
  if ((event.sqid == 0) != (event.sq_class == SqClass::kAdmin)) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("SQ {} created with class {}", event.sqid, ClassName(event.sq_class)));
  }
  if (event.count < 2 || event.count > 65536 || event.cqid >= cqs_.size()) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("SQ {} created with {} entries and CQ {}", event.sqid, event.count,
                            event.cqid));
    return;
  }
  // Commands of a deleted queue of this id may still be on the way to their completion.
  const std::uint64_t in_flight_count = sq.fetched.Total() - sq.completed_count;
  sq = SqShadow{};
  sq.exists = true;
  sq.sq_class = event.sq_class;
  sq.cqid = event.cqid;
  sq.size_count = event.count;
  sq.fetched.Add(in_flight_count, event.cycle);
  sq.issued_count = in_flight_count;
  sq.submitted.Add(in_flight_count, event.cycle);
  sq.delivered_count = in_flight_count;
  cqs_[sq.cqid].sqs.PushBack(cq_nodes_, event.sqid);
}

void Judge::Delete(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  if (!sq.exists) {
    log_.Report(Rule::kQueue, event.sqid,
                fmt::format("SQ {} deleted, but it does not exist", event.sqid));
    return;
  }
  LeaveRing(event.sqid);
  if (sq.is_eligible) --eligible_count_;
  SetBlocked(sq, false);
  if (sq.is_deleting) --deleting_count_;
  grantable_since_ = event.cycle;
  sq.is_eligible = false;
  sq.is_deleting = false;
  sq.exists = false;
  cqs_[sq.cqid].sqs.Remove(cq_nodes_, event.sqid);
}

void Judge::Configure(const Event& event) {
  mechanism_ = event.mechanism;
  burst_limit_count_ = event.count;
  weight_count_ = event.credit;
  credit_ = event.credit;
  current_level_ = -1;
  for (const std::uint16_t weight : weight_count_) {
    if (weight < 1 || weight > 256) {
      log_.Report(Rule::kCredit, 0, fmt::format("weight {} outside 1..256", weight));
    }
  }
}

void Judge::Doorbell(const Event& event) {
  if (event.is_cq) return CqDoorbell(event);
  SqShadow& sq = sqs_[event.sqid];
  if (!sq.exists) {
    log_.Report(
        Rule::kDoorbell, event.sqid,
        fmt::format("doorbell of SQ {} accepted, but the queue does not exist", event.sqid));
    return;
  }
  const std::uint32_t value = event.tail;
  const std::uint32_t added_count =
      value < sq.size_count ? RingDistance(value, sq.tail, sq.size_count) : 0;
  const std::uint32_t free_count =
      sq.size_count - 1 - RingDistance(sq.tail, sq.fetched_head, sq.size_count);
  if (sq.is_halted || added_count == 0 || added_count > free_count) {
    log_.Report(
        Rule::kDoorbell, event.sqid,
        fmt::format("doorbell of SQ {} accepted with value {}, expected a refusal: tail {}, "
                    "{} entries, {} free{}",
                    event.sqid, value, sq.tail, sq.size_count, free_count,
                    sq.is_halted ? ", halted" : ""));
    if (value >= sq.size_count) return;
  }
  const bool was_empty = sq.PresentCount() == 0;
  sq.tail = value;
  sq.submitted.Add(added_count, event.cycle);
  Refresh(event.sqid, event.cycle, was_empty);
}

void Judge::CqDoorbell(const Event& event) {
  CqShadow& cq = cqs_[event.sqid];
  if (!cq.exists) return;
  const std::uint32_t value = event.tail;
  const std::uint32_t freed_count =
      value < cq.size_count ? RingDistance(value, cq.head, cq.size_count) : 0;
  const std::uint64_t posted_count = cq.posted.Total() - cq.consumed_count;
  if (freed_count == 0 || freed_count > posted_count) {
    log_.Report(
        Rule::kDoorbell, event.sqid,
        fmt::format("doorbell of CQ {} accepted with value {}, expected a refusal: head {}, "
                    "{} entries, {} posted",
                    event.sqid, value, cq.head, cq.size_count, posted_count));
    return;
  }
  cq.head = value;
  cq.consumed_count += freed_count;
  const bool was_full = cq.RoomCount() == 0;
  cq.freed.Add(freed_count, event.cycle);
  if (was_full) RoomChanged(event.sqid, event.cycle);
}

void Judge::Reject(const Event& event) {
  const bool in_range = event.sqid < sqs_.size();
  if (!event.is_cq) {
    if (in_range) return RejectSq(event);
  } else if (in_range && cqs_[event.sqid].exists) {
    const CqShadow& cq = cqs_[event.sqid];
    const std::uint32_t freed_count =
        event.tail < cq.size_count ? RingDistance(event.tail, cq.head, cq.size_count) : 0;
    const std::uint64_t settled = cq.posted.Settled(event.cycle);
    const std::uint64_t posted_count =
        settled > cq.consumed_count ? settled - cq.consumed_count : 0;
    if (freed_count != 0 && freed_count <= posted_count) {
      log_.Report(Rule::kDoorbell, event.sqid,
                  fmt::format("legal doorbell of CQ {} refused: value {}, head {}, {} posted",
                              event.sqid, event.tail, cq.head, posted_count));
    }
    return;
  } else {
    return;  // a CQ nobody told of
  }
  if (event.error != DoorbellError::kInvalidRegister) {
    log_.Report(Rule::kDoorbell, event.sqid,
                fmt::format("doorbell of SQ {}, which cannot exist, refused with info {:02x}h "
                            "instead of 00h",
                            event.sqid, static_cast<unsigned>(event.error)));
  }
}

void Judge::RejectSq(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  if (sq.is_deleting) return;  // either answer, until the deletion is acknowledged
  const bool says_absent = event.error == DoorbellError::kInvalidRegister;
  if (says_absent != !sq.exists) {
    log_.Report(
        Rule::kDoorbell, event.sqid,
        fmt::format("doorbell of SQ {} refused with info {:02x}h, but the queue {}", event.sqid,
                    static_cast<unsigned>(event.error), sq.exists ? "exists" : "does not exist"));
    return;
  }
  if (!sq.exists) return;
  if (sq.is_halted) {
    log_.Report(Rule::kDoorbell, event.sqid,
                fmt::format("SQ {} is halted: its doorbell raises no further event", event.sqid));
    return;
  }
  const std::uint32_t value = event.tail;
  const std::uint32_t added_count =
      value < sq.size_count ? RingDistance(value, sq.tail, sq.size_count) : 0;
  const std::uint64_t late_fetch_count = sq.fetched.Total() - sq.fetched.Settled(event.cycle);
  const std::uint64_t used_count =
      RingDistance(sq.tail, sq.fetched_head, sq.size_count) + late_fetch_count;
  if (added_count != 0 && used_count + added_count <= sq.size_count - 1) {
    log_.Report(
        Rule::kDoorbell, event.sqid,
        fmt::format("legal doorbell of SQ {} refused: value {}, tail {}, {} entries, {} used",
                    event.sqid, value, sq.tail, sq.size_count, used_count));
  }
  if (value == sq.tail) return;  // an event, but no halt
  turned_count_ += eligible_count_;
  turned_cycle_ = event.cycle;
  sq.is_halted = true;
  sq.halt_cycle = event.cycle;
  Refresh(event.sqid, event.cycle, false);
}

void Judge::Fetch(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  const std::uint64_t outstanding_count = sq.issued_count - sq.fetched.Total();
  if (event.count == 0 || event.count > outstanding_count) {
    log_.Report(Rule::kFetch, event.sqid,
                fmt::format("{} commands of SQ {} fetched, but {} were granted and not fetched",
                            event.count, event.sqid, outstanding_count));
  }
  const std::uint64_t count = std::min<std::uint64_t>(event.count, outstanding_count);
  sq.fetched.Add(count, event.cycle);
  outstanding_fetch_count_ -= count;
  sq.fetched_head = RingAdvance(sq.fetched_head, static_cast<std::uint32_t>(count), sq.size_count);
  if (event.head != sq.fetched_head) {
    log_.Report(Rule::kFetch, event.sqid,
                fmt::format("fetched head of SQ {} is {}, expected {}", event.sqid, event.head,
                            sq.fetched_head));
  }
  grantable_since_ = event.cycle;
}

void Judge::OnDelivered(std::uint16_t sqid, std::uint16_t sqhd) {
  if (sqid >= sqs_.size()) {
    log_.Report(Rule::kDelivery, sqid, fmt::format("command of SQ {}, which cannot exist", sqid));
    return;
  }
  knows_deliveries_ = true;
  SqShadow& sq = sqs_[sqid];
  if (sq.delivered_count >= sq.issued_count) {
    log_.Report(Rule::kDelivery, sqid,
                fmt::format("command of SQ {} handed on, but all {} granted ones were before", sqid,
                            sq.delivered_count));
    return;
  }
  ++sq.delivered_count;
  const auto behind_count = static_cast<std::uint32_t>(sq.issued_count - sq.delivered_count);
  const std::uint32_t expected =
      RingDistance(sq.issue_head, behind_count < sq.size_count ? behind_count : 0, sq.size_count);
  if (sqhd != expected) {
    log_.Report(Rule::kSqhd, sqid,
                fmt::format("command of SQ {} says SQHD {}, expected {}", sqid, sqhd, expected));
  }
}

void Judge::Complete(const Event& event) {
  SqShadow& sq = sqs_[event.sqid];
  if (sq.completed_count >= sq.fetched.Total()) {
    log_.Report(Rule::kComplete, event.sqid,
                fmt::format("a command of SQ {} completed, but only {} were fetched", event.sqid,
                            sq.fetched.Total()));
  } else {
    ++sq.completed_count;
  }
  if (event.cqid >= cqs_.size() || !cqs_[event.cqid].exists) return;
  CqShadow& cq = cqs_[event.cqid];
  if (event.posted) {
    cq.posted.Add(1, event.cycle);
    return;
  }
  const bool was_full = cq.RoomCount() == 0;
  cq.freed.Add(1, event.cycle);
  if (was_full) RoomChanged(event.cqid, event.cycle);
}

void Judge::OnCqCreated(std::uint16_t cqid, std::uint32_t size_count) {
  if (cqid >= cqs_.size()) return;
  const arbiter::SqList sqs = cqs_[cqid].sqs;
  cqs_[cqid] = CqShadow{};
  cqs_[cqid].sqs = sqs;
  cqs_[cqid].exists = true;
  cqs_[cqid].size_count = size_count;
}

void Judge::OnCqDeleted(std::uint16_t cqid) {
  if (cqid < cqs_.size()) cqs_[cqid].exists = false;
}

void Judge::OnDeleteRequested(std::uint16_t sqid) {
  if (sqid >= sqs_.size() || !sqs_[sqid].exists || sqs_[sqid].is_deleting) return;
  sqs_[sqid].is_deleting = true;
  ++deleting_count_;
  Refresh(sqid, cycle_, false);
  UpdateGrantable(cycle_);
}

void Judge::OnDeleteAnswered(std::uint16_t sqid) {
  if (sqid >= sqs_.size()) return;
  if (sqs_[sqid].exists) {
    log_.Report(Rule::kQueue, sqid,
                fmt::format("deletion of SQ {} answered before it took effect", sqid));
  }
  ReportUnfetched(sqid, "answered to be deleted");
}

void Judge::ReportUnfetched(std::uint16_t sqid, const char* what) {
  SqShadow& sq = sqs_[sqid];
  const std::uint64_t count = sq.issued_count - sq.fetched.Total();
  if (count == 0) return;
  log_.Report(Rule::kFetch, sqid,
              fmt::format("SQ {} {} with {} granted commands not fetched", sqid, what, count));
  outstanding_fetch_count_ -= count;
  sq.issued_count -= count;
}

void Judge::OnSlotsGiven(std::uint32_t count) {
  knows_slots_ = true;
  slot_count_ += count;
  const bool was_grantable = is_grantable_;
  UpdateGrantable(cycle_);
  if (!was_grantable && is_grantable_) grantable_since_next_event_ = true;
}

void Judge::OnHold(bool io, bool all, bool in_force) {
  hold_io_ = io;
  hold_all_ = all;
  hold_begins_at_next_event_ = in_force && (io || all);
  hold_cycle_ = kHoldNotInForce;
  const bool was_grantable = is_grantable_;
  UpdateGrantable(cycle_);
  // The last event may lie long before the end of a hold.
  if (!was_grantable && is_grantable_) grantable_since_next_event_ = true;
}

void Judge::OnHoldAt(std::uint64_t cycle, bool io, bool all) {
  OnHold(io, all);
  if (!hold_begins_at_next_event_) return;
  hold_begins_at_next_event_ = false;
  hold_cycle_ = cycle;
}

void Judge::UpdateGrantable(std::uint64_t cycle) {
  const std::uint32_t admin_count = sqs_[0].is_eligible ? 1 : 0;
  const bool is_rr = mechanism_ == Mechanism::kRoundRobin;
  const bool admin = slot_count_ >= 1 && admin_count == 1 && !hold_all_;
  const bool io =
      slot_count_ >= (is_rr ? 1u : 2u) && eligible_count_ > admin_count && !hold_io_ && !hold_all_;
  if (!is_grantable_ && (admin || io)) grantable_since_ = cycle;
  is_grantable_ = knows_slots_ && (admin || io);
}

void Judge::CheckIdle(std::uint64_t cycle) {
  if (!is_grantable_) return;
  if (grantable_since_next_event_) {
    grantable_since_next_event_ = false;
    grantable_since_ = cycle;
  }
  const std::uint64_t ring_count =
      mechanism_ == Mechanism::kRoundRobin ? 1 : std::uint64_t{arbiter::kSqClassCount};
  const std::uint64_t look_count =
      most_blocked_count_ + std::min<std::uint64_t>(most_blocked_count_, ring_count);
  const std::uint64_t bound = kIdleBoundClocks + clocks_per_look_ * look_count +
                              clocks_per_let_go_ * most_blocked_count_ +
                              clocks_per_turned_sq_ * turned_count_;
  if (outstanding_fetch_count_ != 0 || deleting_count_ != 0 ||
      cycle <= std::max(grantable_since_, ahead_until_cycle_) + bound) {
    return;
  }
  log_.Report(
      Rule::kIdle, 0,
      fmt::format("no grant from cycle {} to {} although {} SQs are eligible and {} slots "
                  "are at hand; {} more SQs had no CQ room",
                  grantable_since_, cycle, eligible_count_, slot_count_, most_blocked_count_));
  grantable_since_ = cycle;
  most_blocked_count_ = blocked_count_;
  turned_count_ = 0;
}

void Judge::ExpectQuiet() {
  for (std::size_t i = 0; i < sqs_.size(); ++i) {
    const SqShadow& sq = sqs_[i];
    const auto sqid = static_cast<std::uint16_t>(i);
    if (sq.issued_count != sq.fetched.Total()) {
      log_.Report(Rule::kFetch, sqid,
                  fmt::format("{} granted commands of SQ {} were never fetched",
                              sq.issued_count - sq.fetched.Total(), sqid));
    }
    if (knows_deliveries_ && sq.delivered_count != sq.fetched.Total()) {
      log_.Report(Rule::kDelivery, sqid,
                  fmt::format("{} fetched commands of SQ {} were never handed on",
                              sq.fetched.Total() - sq.delivered_count, sqid));
    }
  }
  if (is_grantable_) {
    log_.Report(Rule::kIdle, 0,
                fmt::format("at rest although {} SQs are eligible and {} slots are at hand",
                            eligible_count_, slot_count_));
  }
}

}  // namespace nvmearb::tb
