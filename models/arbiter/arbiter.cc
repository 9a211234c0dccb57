// SPDX-License-Identifier: Apache-2.0
#include "arbiter/arbiter.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::arbiter {

namespace {

bool IsWeighted(int ring) { return ring >= kRingHigh && ring <= kRingLow; }

}  // namespace

Arbiter::Arbiter(unsigned sq_count) : sqs_(sq_count), cqs_(sq_count), nodes_(sq_count) {
  NVMEARB_CHECK(sq_count >= 1 && sq_count <= kNoSq, "1..65,535 SQs");
  Reset(Mechanism::kRoundRobin, {});
}

void Arbiter::Reset(Mechanism mechanism, const ArbitrationSettings& settings) {
  std::fill(sqs_.begin(), sqs_.end(), Sq{});
  std::fill(cqs_.begin(), cqs_.end(), Cq{});
  waiting_.fill({});
  visits_.fill({});
  mechanism_ = mechanism;
  slot_count_ = 0;
  hold_io_ = false;
  hold_all_ = false;
  SetArbitration(settings);
}

void Arbiter::CreateCq(std::uint16_t cqid, std::uint32_t size_count) {
  NVMEARB_CHECK(cqid < cqs_.size() && !cqs_[cqid].exists, "CQ id free and in range");
  NVMEARB_CHECK(size_count >= 2 && size_count <= 65536, "CQ size 2..65,536");
  cqs_[cqid] = Cq{};
  cqs_[cqid].ring = CqRing(size_count);
  cqs_[cqid].exists = true;
}

void Arbiter::DeleteCq(std::uint16_t cqid) {
  NVMEARB_CHECK(CqExists(cqid) && cqs_[cqid].sq_count == 0, "CQ exists and has no SQ");
  cqs_[cqid].exists = false;
}

void Arbiter::CreateSq(const SqParameters& parameters) {
  const std::uint16_t sqid = parameters.sqid;
  NVMEARB_CHECK(sqid < sqs_.size() && !sqs_[sqid].exists && IsDrained(sqid), "SQ id free");
  NVMEARB_CHECK(CqExists(parameters.cqid), "CQ exists");
  NVMEARB_CHECK(parameters.size_count >= 2 && parameters.size_count <= 65536, "size 2..65,536");
  NVMEARB_CHECK((sqid == 0) == (parameters.sq_class == SqClass::kAdmin), "SQ 0 alone is admin");
  Sq& sq = sqs_[sqid];
  sq = Sq{};
  sq.ring = SqRing(parameters.size_count);
  sq.cqid = parameters.cqid;
  sq.sq_class = parameters.sq_class;
  sq.exists = true;
  ++cqs_[parameters.cqid].sq_count;
}

void Arbiter::DeleteSq(std::uint16_t sqid) {
  NVMEARB_CHECK(SqExists(sqid), "SQ exists");
  Take(sqid);
  sqs_[sqid].exists = false;
  --cqs_[sqs_[sqid].cqid].sq_count;
}

void Arbiter::SetArbitration(const ArbitrationSettings& settings) {
  settings_ = settings;
  ReloadCredits();
  current_level_ = -1;
}

void Arbiter::ReloadCredits() {
  for (int level = 0; level < kLevelCount; ++level) {
    credit_[level] = static_cast<std::uint16_t>(settings_.WeightCount(level));
  }
}

DoorbellResult Arbiter::RingSqTail(std::uint32_t sqid, std::uint16_t value) {
  if (!SqExists(sqid)) return DoorbellResult::kInvalidRegister;
  Sq& sq = sqs_[sqid];
  if (sq.halted) return DoorbellResult::kIgnored;
  if (!sq.ring.IsLegalTail(value)) {
    if (value != sq.ring.tail()) {
      Take(static_cast<std::uint16_t>(sqid));
      sq.halted = true;
    }
    return DoorbellResult::kInvalidValue;
  }
  sq.ring.SetTail(value);
  if (sq.place == Place::kInactive) {
    const auto id = static_cast<std::uint16_t>(sqid);
    waiting_[RingOf(id)].PushBack(nodes_, id);
    sq.place = Place::kWaiting;
  }
  return DoorbellResult::kAccepted;
}

DoorbellResult Arbiter::RingCqHead(std::uint32_t cqid, std::uint16_t value) {
  if (!CqExists(cqid)) return DoorbellResult::kInvalidRegister;
  Cq& cq = cqs_[cqid];
  if (!cq.ring.IsLegalHead(value)) return DoorbellResult::kInvalidValue;
  cq.ring.SetHead(value);
  Unpark(cq);
  return DoorbellResult::kAccepted;
}

std::optional<Grant> Arbiter::Decide(std::uint32_t max_count) {
  NVMEARB_CHECK(max_count >= 1, "a grant carries at least one command");
  if (hold_all_ || slot_count_ == 0) return std::nullopt;
  // Each turn of the loop grants, gives up, ends a visit, or parks an SQ (unparking pays for it).
  while (true) {
    bool replenish = false;
    const int ring = PickRing(&replenish);
    if (ring < 0) return std::nullopt;
    const std::uint16_t sqid = NextSq(ring);
    if (cqs_[sqs_[sqid].cqid].ring.room() == 0) {
      if (sqs_[sqid].place == Place::kVisited) {
        Requeue(sqid);
      } else {
        Park(sqid);
      }
      continue;
    }
    if (replenish) ReloadCredits();
    return Commit(ring, sqid, max_count);
  }
}

/// The ring whose turn it is (rules 2, 3, 8, 14), or -1.
int Arbiter::PickRing(bool* replenish) const {
  if (mechanism_ == Mechanism::kRoundRobin) {
    if (hold_io_) {
      const bool admin = SqExists(0) && IsActive(0) && !IsParked(0);
      return admin ? int{kRingRoundRobin} : -1;
    }
    return HasWork(kRingRoundRobin) ? int{kRingRoundRobin} : -1;
  }
  if (HasWork(kRingAdmin)) return kRingAdmin;
  if (hold_io_ || slot_count_ < 2) return -1;
  if (HasWork(kRingUrgent)) return kRingUrgent;
  return PickRingWeighted(replenish);
}

int Arbiter::PickRingWeighted(bool* replenish) const {
  if (current_level_ >= 0 && IsOpen(current_level_)) return kRingHigh + current_level_;
  for (int level = 0; level < kLevelCount; ++level) {
    if (IsOpen(level)) return kRingHigh + level;
  }
  for (int level = 0; level < kLevelCount; ++level) {
    if (HasWork(kRingHigh + level)) {
      *replenish = true;
      return kRingHigh + level;
    }
  }
  return -1;
}

std::uint16_t Arbiter::NextSq(int ring) const {
  if (hold_io_) return 0;  // the only SQ that PickRing() lets through
  return visits_[ring].sqid != kNoSq ? visits_[ring].sqid : waiting_[ring].front();
}

/// Rule 4.
std::uint32_t Arbiter::BurstCount(int ring, std::uint16_t sqid) const {
  const bool no_limit = settings_.ab == 7;
  if (IsWeighted(ring)) {
    const auto weight = static_cast<std::uint32_t>(settings_.WeightCount(ring - kRingHigh));
    return no_limit ? weight : std::min(1u << settings_.ab, weight);
  }
  return no_limit ? sqs_[sqid].ring.PresentCount() : 1u << settings_.ab;
}

/// Takes an SQ out of wherever it is: ring, visit or parking place. It is inactive afterwards.
void Arbiter::Take(std::uint16_t sqid) {
  Sq& sq = sqs_[sqid];
  const int ring = RingOf(sqid);
  switch (sq.place) {
    case Place::kInactive:
      break;
    case Place::kWaiting:
      waiting_[ring].Remove(nodes_, sqid);
      break;
    case Place::kVisited:
      visits_[ring] = Visit{};
      if (mechanism_ == Mechanism::kWeightedRoundRobin && current_level_ == ring - kRingHigh) {
        current_level_ = -1;
      }
      break;
    case Place::kParked:
      cqs_[sq.cqid].parked.Remove(nodes_, sqid);
      break;
  }
  sq.place = Place::kInactive;
}

/// To the back of its ring; its visit, if any, has ended.
void Arbiter::Requeue(std::uint16_t sqid) {
  Take(sqid);
  waiting_[RingOf(sqid)].PushBack(nodes_, sqid);
  sqs_[sqid].place = Place::kWaiting;
}

void Arbiter::Park(std::uint16_t sqid) {
  Take(sqid);
  cqs_[sqs_[sqid].cqid].parked.PushBack(nodes_, sqid);
  sqs_[sqid].place = Place::kParked;
}

void Arbiter::Unpark(Cq& cq) {
  while (!cq.parked.IsEmpty()) {
    const std::uint16_t sqid = cq.parked.front();
    cq.parked.Remove(nodes_, sqid);
    waiting_[RingOf(sqid)].PushBack(nodes_, sqid);
    sqs_[sqid].place = Place::kWaiting;
  }
}

Grant Arbiter::Commit(int ring, std::uint16_t sqid, std::uint32_t max_count) {
  Sq& sq = sqs_[sqid];
  Visit& visit = visits_[ring];
  Grant grant;
  grant.sqid = sqid;
  grant.sq_class = sq.sq_class;
  grant.head = static_cast<std::uint16_t>(sq.ring.issue_head());
  grant.first = visit.sqid != sqid;
  if (grant.first) {
    if (visit.sqid != kNoSq) {  // only rule 14: a held I/O SQ gives its turn up
      Requeue(visit.sqid);
    }
    Take(sqid);
    visit = {sqid, BurstCount(ring, sqid)};
    sq.place = Place::kVisited;
  }

  // Rule 11.
  const bool keeps_one = mechanism_ == Mechanism::kWeightedRoundRobin && ring != kRingAdmin;
  std::uint32_t count = std::min(max_count, visit.burst_left_count);
  count = std::min({count, sq.ring.PresentCount(), sq.ring.CountToEnd()});
  count = std::min({count, cqs_[sq.cqid].ring.room(), slot_count_ - (keeps_one ? 1 : 0)});
  if (IsWeighted(ring) && mechanism_ == Mechanism::kWeightedRoundRobin) {
    const int level = ring - kRingHigh;
    count = std::min<std::uint32_t>(count, credit_[level]);
    credit_[level] = static_cast<std::uint16_t>(credit_[level] - count);
    current_level_ = credit_[level] == 0 ? -1 : level;
  }
  grant.count = static_cast<std::uint16_t>(count);
  sq.ring.Issue(count);
  visit.burst_left_count -= count;
  cqs_[sq.cqid].ring.Reserve(count);
  slot_count_ -= count;

  // Rule 6.
  if (sq.ring.PresentCount() == 0) {
    Take(sqid);
  } else if (visit.burst_left_count == 0) {
    Requeue(sqid);
  }
  return grant;
}

std::uint16_t Arbiter::CommitFetch(std::uint16_t sqid, std::uint32_t count) {
  NVMEARB_CHECK(sqid < sqs_.size() && count <= sqs_[sqid].ring.OutstandingCount(),
                "only granted commands are fetched");
  sqs_[sqid].ring.Fetch(count);
  return static_cast<std::uint16_t>(sqs_[sqid].ring.fetched_head());
}

void Arbiter::Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) {
  NVMEARB_CHECK(sqid < sqs_.size() && CqExists(cqid), "CQ exists");
  Cq& cq = cqs_[cqid];
  if (posted) {
    cq.ring.Post();
    return;
  }
  cq.ring.Release();
  NVMEARB_CHECK(cq.ring.room() < cq.ring.size_count(), "only granted commands are completed");
  Unpark(cq);
}

}  // namespace nvmearb::arbiter
