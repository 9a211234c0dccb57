// SPDX-License-Identifier: Apache-2.0
//
// Judge: compares every event of an observation port with the arbitration rules
// (docs/decisions/0002-arbitration-rules.md), whichever engine the events come from.
//
// A pipelined design may miss what arrived in the last 8 clocks (rule 12). The Judge therefore
// keeps, for everything that arrivals change, what a decision *may* have seen and what it *must*
// have seen, and reports a grant only when no admissible view makes it right. What arrivals do not
// change (credits, bursts, order of visits, slots of a ring) is compared exactly.
//
// It sees only events. Four things that the observation port does not carry may be told by
// whoever knows them (CheckedFrontEnd): CQ sizes, slots given, deletions asked for, holds. What was
// not told is not judged.
//
// On a difference it records a finding, takes the observed event for true and goes on.
// Cost: O(1) per event, except that a CQ running full or getting room again costs one step per SQ
// mapped to it. No allocation unless it finds something. Not thread safe.
#ifndef NVMEARB_TB_SCOREBOARD_JUDGE_H_
#define NVMEARB_TB_SCOREBOARD_JUDGE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter/types.h"
#include "scoreboard/finding_log.h"
#include "scoreboard/judge_state.h"

namespace nvmearb::tb {

/// Clocks that may pass without a grant although a decision is possible. Does not count while a
/// fetch is under way (the fetch side may be full) or an SQ is being taken out of its ring.
inline constexpr std::uint64_t kIdleBoundClocks = 64;
/// Clocks after a hold in which an I/O grant may still be seen, unless SetHoldBoundClocks() says
/// otherwise: from the register write to the arbiter, and a grant that waits to be read.
inline constexpr std::uint64_t kHoldBoundClocks = 64;

/// Clocks that a register read takes at most. What the device side gives after it in the same
/// instant reaches the RTL that much later (decision 0017).
inline constexpr std::uint64_t kReadBoundClocks = 16;

class Judge : public arbiter::EventSink {
 public:
  /// For SQ and CQ ids 0 .. sq_count-1 and grants of at most `max_grant_count` commands.
  explicit Judge(unsigned sq_count, std::uint32_t max_grant_count = 8);

  void OnEvent(const arbiter::Event& event) override;

  /// Of the engine: clocks that an SQ with commands may cost it while its CQ has no room: to look
  /// at it in vain and park it, and to let it go again. Each such SQ adds both to kIdleBoundClocks,
  /// and one in each ring, that was visited, another look (rule 7). Unless told, none.
  void SetClocksPerBlockedSq(std::uint64_t look, std::uint64_t let_go) {
    clocks_per_look_ = look;
    clocks_per_let_go_ = let_go;
  }

  /// And clocks per SQ of a ring that it turns once to take a halted SQ out. Unless told, none.
  void SetClocksPerTurnedSq(std::uint64_t clocks) { clocks_per_turned_sq_ = clocks; }

  /// Of the engine, where grants carry the clock of their decision: clocks after OnHoldAt() in
  /// which one may still be decided.
  void SetHoldBoundClocks(std::uint64_t clocks) { hold_bound_clocks_ = clocks; }

  // What the port does not carry; all optional, in order with the events.
  void OnCqCreated(std::uint16_t cqid, std::uint32_t size_count);
  void OnCqDeleted(std::uint16_t cqid);
  void OnDeleteRequested(std::uint16_t sqid);
  /// The firmware was told that the SQ is gone: nothing of it may be granted or fetched any more.
  void OnDeleteAnswered(std::uint16_t sqid);
  void OnSlotsGiven(std::uint32_t count);
  void OnRegisterRead() { ++reads_before_next_event_; }
  /// Grants of I/O SQs / of all SQs are being held. `in_force`: the controller has said so;
  /// otherwise it was only asked to, and grants may still be seen for as long as the write is on
  /// its way.
  void OnHold(bool io, bool all, bool in_force = true);
  /// The same, in force, from this cycle on.
  void OnHoldAt(std::uint64_t cycle, bool io, bool all);
  /// A command was handed on with this SQHD.
  void OnDelivered(std::uint16_t sqid, std::uint16_t sqhd);

  /// Call when the run has come to rest: nothing may be granted and not fetched, fetched and not
  /// handed on, or eligible with a slot at hand.
  void ExpectQuiet();

  [[nodiscard]] const std::vector<Finding>& findings() const { return log_.findings(); }
  [[nodiscard]] FindingLog& log() { return log_; }
  [[nodiscard]] std::uint64_t granted_count() const { return granted_count_; }

 private:
  using Event = arbiter::Event;

  // judge.cc: queues, doorbells, fetches, completions.
  void Reset(const Event& event);
  void Create(const Event& event);
  void Delete(const Event& event);
  void Configure(const Event& event);
  void Doorbell(const Event& event);
  void CqDoorbell(const Event& event);
  void Reject(const Event& event);
  void RejectSq(const Event& event);
  void Fetch(const Event& event);
  void ReportUnfetched(std::uint16_t sqid, const char* what);
  void Complete(const Event& event);
  void CheckIdle(std::uint64_t cycle);
  void UpdateGrantable(std::uint64_t cycle);

  // judge_rings.cc: who is eligible since when, and his place in the ring.
  [[nodiscard]] RingShadow& RingOf(const SqShadow& sq) {
    return rings_[mechanism_ == arbiter::Mechanism::kRoundRobin
                      ? 0
                      : static_cast<std::size_t>(sq.sq_class)];
  }
  [[nodiscard]] bool HasWork(const SqShadow& sq) const;
  [[nodiscard]] bool HasRoom(const SqShadow& sq) const;
  void SetBlocked(SqShadow& sq, bool is_blocked);
  void Refresh(std::uint16_t sqid, std::uint64_t cycle, bool was_empty);
  void LeaveRing(std::uint16_t sqid);
  void PushArrived(std::uint16_t sqid);
  void PushRevolved(std::uint16_t sqid);
  void Doubt(std::uint16_t sqid, std::uint64_t cycle);
  void RoomChanged(std::uint16_t cqid, std::uint64_t cycle);
  void DoubtRoom(CqShadow& cq, std::uint64_t cycle);
  /// Some SQ of the ring must be known to be eligible by a decision seen in `cycle`.
  [[nodiscard]] bool HasSurelyEligible(const RingShadow& ring, std::uint64_t cycle) const {
    return IsSurelyEligible(ring.revolved.front(), cycle) ||
           IsSurelyEligible(ring.arrived.front(), cycle) ||
           IsSurelyEligible(ring.visit.sqid, cycle);
  }
  [[nodiscard]] bool IsSurelyEligible(std::uint16_t sqid, std::uint64_t cycle) const {
    return sqid != arbiter::kNoSq && sqs_[sqid].is_eligible && HasSettled(sqs_[sqid].since, cycle);
  }
  [[nodiscard]] std::uint16_t PassedOver(const RingShadow& ring, std::uint16_t sqid) const;

  // judge_grant.cc: the rules of a grant.
  void Grant(const Event& event);
  bool CheckQueue(const Event& event);
  void CheckResources(const Event& event);
  void CheckClass(const Event& event);
  void CheckCredit(const Event& event);
  void CheckLevel(const Event& event, int level, bool replenished);
  void CheckVisit(const Event& event);
  void BeginVisit(const Event& event);
  void FinishVisit(RingShadow& ring);
  void ApplyGrant(const Event& event);
  [[nodiscard]] bool VisitSurelyGoesOn(const VisitShadow& visit) const;
  [[nodiscard]] static int LevelOf(arbiter::SqClass sq_class) {
    return static_cast<int>(sq_class) - static_cast<int>(arbiter::SqClass::kHigh);
  }
  [[nodiscard]] bool IsWeighted(arbiter::SqClass sq_class) const {
    return mechanism_ == arbiter::Mechanism::kWeightedRoundRobin &&
           sq_class != arbiter::SqClass::kAdmin && sq_class != arbiter::SqClass::kUrgent;
  }

  FindingLog log_;
  std::uint32_t max_grant_count_;
  std::vector<SqShadow> sqs_;
  std::vector<CqShadow> cqs_;
  arbiter::SqListNodes ring_nodes_;
  arbiter::SqListNodes cq_nodes_;
  std::array<RingShadow, arbiter::kSqClassCount> rings_;

  arbiter::Mechanism mechanism_ = arbiter::Mechanism::kRoundRobin;
  std::uint32_t burst_limit_count_ = 1;  ///< 0: none
  std::array<std::uint16_t, arbiter::kLevelCount> weight_count_{1, 1, 1};
  std::array<std::uint16_t, arbiter::kLevelCount> credit_{1, 1, 1};
  int current_level_ = -1;

  std::uint64_t cycle_ = 0;
  std::uint64_t granted_count_ = 0;
  std::uint64_t outstanding_fetch_count_ = 0;
  std::uint32_t deleting_count_ = 0;

  bool knows_deliveries_ = false;
  bool knows_slots_ = false;
  std::uint64_t slot_count_ = 0;
  std::uint32_t eligible_count_ = 0;
  bool is_grantable_ = false;
  bool grantable_since_next_event_ = false;
  std::uint64_t grantable_since_ = 0;
  std::uint64_t reads_before_next_event_ = 0;
  std::uint64_t ahead_until_cycle_ = 0;
  std::uint64_t clocks_per_look_ = 0, clocks_per_let_go_ = 0;
  std::uint64_t clocks_per_turned_sq_ = 0;
  std::uint64_t turned_count_ = 0;  ///< since the last grant
  std::uint64_t turned_cycle_ = 0;  ///< of the last halt
  std::uint64_t blocked_count_ = 0;
  std::uint64_t most_blocked_count_ = 0;  ///< since the last grant

  bool hold_io_ = false;
  bool hold_all_ = false;
  bool hold_begins_at_next_event_ = false;
  std::uint64_t hold_cycle_ = 0;
  std::uint64_t hold_bound_clocks_ = kHoldBoundClocks;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_JUDGE_H_
