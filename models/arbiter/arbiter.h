// SPDX-License-Identifier: Apache-2.0
//
// Arbiter: the golden model of SQ arbitration. Untimed and pure: it does exactly what
// docs/decisions/0002-arbitration-rules.md says, one call per event; the numbers in the comments
// are the rules of that page.
//
// Cost: every call is O(1) (rings and parking places are intrusive lists; a CQ head doorbell moves
// each SQ parked there once). No allocation after construction. Not thread safe.
//
// Legality of the configuration calls (ids in range, in use, sizes) is the caller's duty, as it is
// the firmware's in a controller; a violation is a broken invariant and aborts.
#ifndef NVMEARB_MODELS_ARBITER_ARBITER_H_
#define NVMEARB_MODELS_ARBITER_ARBITER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "arbiter/ring.h"
#include "arbiter/sq_list.h"
#include "arbiter/types.h"

namespace nvmearb::arbiter {

/// What became of a doorbell write.
enum class DoorbellResult : std::uint8_t {
  kAccepted,
  kInvalidRegister,  ///< refused: no such queue (Error event, info 00h)
  kInvalidValue,     ///< refused: bad value (Error event, info 01h)
  kIgnored           ///< the SQ is halted: nothing happens, no event
};

/// An SQ to create. As ssd::SqConfig, without the address.
struct SqParameters {
  std::uint16_t sqid = 0;
  std::uint16_t cqid = 0;
  std::uint32_t size_count = 0;  ///< entries, 2..65,536
  SqClass sq_class = SqClass::kUrgent;
};

/// The rings; in round robin only kRingRoundRobin is used.
enum Ring : int {
  kRingUrgent = 0,
  kRingHigh = 1,
  kRingMedium = 2,
  kRingLow = 3,
  kRingAdmin = 4,
  kRingCount = 5,
  kRingRoundRobin = 0
};

/// The visit a ring is in: `sqid` may be granted `burst_left_count` more commands.
struct Visit {
  std::uint16_t sqid = kNoSq;
  std::uint32_t burst_left_count = 0;
};

class Arbiter {
 public:
  /// For SQ and CQ ids 0 .. sq_count-1; sq_count 1..65,535. Starts as after Reset(round robin, {}).
  explicit Arbiter(unsigned sq_count);

  /// Forgets every queue, slot and hold; credits full.
  void Reset(Mechanism mechanism, const ArbitrationSettings& settings);

  void CreateCq(std::uint16_t cqid, std::uint32_t size_count);
  /// No SQ may be mapped to it, and every command granted into it must have been completed.
  void DeleteCq(std::uint16_t cqid);
  /// The CQ must exist; the SQ must not, and must be IsDrained().
  void CreateSq(const SqParameters& parameters);
  /// Rule 10. From here on the SQ is never granted and its doorbell does not exist; commands
  /// already granted may still be captured with CommitFetch() until IsDrained().
  void DeleteSq(std::uint16_t sqid);
  /// Feature 01h, rule 9.
  void SetArbitration(const ArbitrationSettings& settings);

  /// SQ tail doorbell; `value` is bits 15:0 of the write. Rules 1 and 13.
  DoorbellResult RingSqTail(std::uint32_t sqid, std::uint16_t value);
  /// CQ head doorbell. Rules 7 and 13.
  DoorbellResult RingCqHead(std::uint32_t cqid, std::uint16_t value);

  /// Hands over `count` command slots (rule 8).
  void GiveSlots(std::uint32_t count) { slot_count_ += count; }
  /// Freezes grants of I/O SQs / of every SQ (rule 14).
  void Hold(bool io, bool all) {
    hold_io_ = io;
    hold_all_ = all;
  }

  /// Makes the next decision and commits it: a grant of at most `max_count` >= 1 commands, or
  /// nothing when no SQ is eligible or no slot is usable.
  std::optional<Grant> Decide(std::uint32_t max_count);

  /// `count` SQEs of `sqid` were captured, in grant order. Returns the fetched head after it.
  std::uint16_t CommitFetch(std::uint16_t sqid, std::uint32_t count);
  /// A granted command left the controller; `posted`: a CQE was written to `cqid`.
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted);

  // State, for tests, logs and judges.
  [[nodiscard]] unsigned sq_count() const { return static_cast<unsigned>(sqs_.size()); }
  [[nodiscard]] Mechanism mechanism() const { return mechanism_; }
  [[nodiscard]] const ArbitrationSettings& settings() const { return settings_; }
  [[nodiscard]] std::uint32_t slot_count() const { return slot_count_; }
  /// Credits H, M, L, each 0..256.
  [[nodiscard]] const std::array<std::uint16_t, kLevelCount>& credit() const { return credit_; }
  [[nodiscard]] const Visit& visit(Ring ring) const { return visits_[ring]; }
  /// The weighted level whose visit goes on (Level), or -1.
  [[nodiscard]] int current_level() const { return current_level_; }
  [[nodiscard]] bool SqExists(std::uint32_t sqid) const {
    return sqid < sqs_.size() && sqs_[sqid].exists;
  }
  [[nodiscard]] bool CqExists(std::uint32_t cqid) const {
    return cqid < cqs_.size() && cqs_[cqid].exists;
  }
  [[nodiscard]] const SqRing& sq(std::uint16_t sqid) const { return sqs_[sqid].ring; }
  [[nodiscard]] const CqRing& cq(std::uint16_t cqid) const { return cqs_[cqid].ring; }
  [[nodiscard]] std::uint16_t CqOf(std::uint16_t sqid) const { return sqs_[sqid].cqid; }
  [[nodiscard]] SqClass ClassOf(std::uint16_t sqid) const { return sqs_[sqid].sq_class; }
  [[nodiscard]] bool IsHalted(std::uint16_t sqid) const { return sqs_[sqid].halted; }
  [[nodiscard]] bool IsParked(std::uint16_t sqid) const {
    return sqs_[sqid].place == Place::kParked;
  }
  [[nodiscard]] bool IsActive(std::uint16_t sqid) const {
    return sqs_[sqid].place != Place::kInactive;
  }
  /// Nothing granted is waiting to be captured.
  [[nodiscard]] bool IsDrained(std::uint16_t sqid) const {
    return sqs_[sqid].ring.OutstandingCount() == 0;
  }

 private:
  enum class Place : std::uint8_t { kInactive, kWaiting, kVisited, kParked };
  struct Sq {
    SqRing ring;
    std::uint16_t cqid = 0;
    SqClass sq_class = SqClass::kUrgent;
    Place place = Place::kInactive;
    bool exists = false;
    bool halted = false;
  };
  struct Cq {
    CqRing ring;
    SqList parked;
    std::uint32_t sq_count = 0;
    bool exists = false;
  };

  [[nodiscard]] int RingOf(std::uint16_t sqid) const {
    if (mechanism_ == Mechanism::kRoundRobin) return kRingRoundRobin;
    return static_cast<int>(sqs_[sqid].sq_class);
  }
  [[nodiscard]] bool HasWork(int ring) const {
    return visits_[ring].sqid != kNoSq || !waiting_[ring].IsEmpty();
  }
  [[nodiscard]] bool IsOpen(int level) const {
    return credit_[level] > 0 && HasWork(kRingHigh + level);
  }

  [[nodiscard]] int PickRing(bool* replenish) const;
  [[nodiscard]] int PickRingWeighted(bool* replenish) const;
  [[nodiscard]] std::uint16_t NextSq(int ring) const;
  [[nodiscard]] std::uint32_t BurstCount(int ring, std::uint16_t sqid) const;
  void ReloadCredits();
  void Take(std::uint16_t sqid);
  void Requeue(std::uint16_t sqid);
  void Park(std::uint16_t sqid);
  void Unpark(Cq& cq);
  Grant Commit(int ring, std::uint16_t sqid, std::uint32_t max_count);

  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  SqListNodes nodes_;
  std::array<SqList, kRingCount> waiting_{};
  std::array<Visit, kRingCount> visits_{};
  std::array<std::uint16_t, kLevelCount> credit_{};
  int current_level_ = -1;
  Mechanism mechanism_ = Mechanism::kRoundRobin;
  ArbitrationSettings settings_;
  std::uint32_t slot_count_ = 0;
  bool hold_io_ = false;
  bool hold_all_ = false;
};

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_ARBITER_H_
