// SPDX-License-Identifier: Apache-2.0
#include "arbiter/naive_arbiter.h"

#include <algorithm>
#include <utility>

namespace nvmearb::arbiter {

namespace {
constexpr int kAdminRing = static_cast<int>(SqClass::kAdmin);
constexpr int kUrgentRing = static_cast<int>(SqClass::kUrgent);
constexpr int kFirstLevelRing = static_cast<int>(SqClass::kHigh);
}  // namespace

NaiveArbiter::NaiveArbiter(bool wrr, int ab, std::vector<int> weight_counts)
    : credit(weight_counts), wrr_(wrr), ab_(ab), weights_(std::move(weight_counts)) {
  for (int ring = 0; ring < kSqClassCount; ++ring) rings_[ring] = {};
}

void NaiveArbiter::CreateCq(int cqid, long size) { cqs_[cqid] = {size, 0, 0, size - 1, {}}; }

void NaiveArbiter::CreateSq(int sqid, int cqid, long size, SqClass sq_class) {
  sqs_[sqid] = {cqid, size, sq_class};
}

void NaiveArbiter::DeleteSq(int sqid) {
  Leave(sqid);
  sqs_.erase(sqid);
}

void NaiveArbiter::SetArbitration(int ab, std::vector<int> weight_counts) {
  ab_ = ab;
  weights_ = std::move(weight_counts);
  credit = weights_;
  current_level_ = -1;
}

bool NaiveArbiter::IsInRing(int ring, int sqid) const {
  const Ring& r = rings_.at(ring);
  return r.visited == sqid ||
         std::find(r.waiting.begin(), r.waiting.end(), sqid) != r.waiting.end();
}

/// SQs of a ring in the order in which they would have their turn.
std::vector<int> NaiveArbiter::Candidates(int ring) const {
  std::vector<int> result;
  const Ring& r = rings_.at(ring);
  if (r.visited >= 0) result.push_back(r.visited);
  result.insert(result.end(), r.waiting.begin(), r.waiting.end());
  return result;
}

void NaiveArbiter::EndVisit(int ring) {
  rings_[ring].visited = -1;
  if (wrr_ && current_level_ >= 0 && ring == kFirstLevelRing + current_level_) current_level_ = -1;
}

void NaiveArbiter::Leave(int sqid) {
  const int ring = RingOf(sqid);
  if (rings_[ring].visited == sqid) EndVisit(ring);
  auto drop = [&](std::deque<int>& list) {
    list.erase(std::remove(list.begin(), list.end(), sqid), list.end());
  };
  drop(rings_[ring].waiting);
  drop(cqs_.at(sqs_.at(sqid).cqid).parked);
}

NaiveArbiter::Answer NaiveArbiter::RingSq(int sqid, long value) {
  if (sqs_.count(sqid) == 0) return Answer::kNoQueue;
  Sq& sq = sqs_[sqid];
  if (sq.halted) return Answer::kNothing;
  const long old_slot = sq.tail % sq.size;
  if (value == old_slot) return Answer::kBadValue;
  const long added = ((value - old_slot) % sq.size + sq.size) % sq.size;
  if (value >= sq.size || sq.tail + added - sq.fetched > sq.size - 1) {
    Leave(sqid);
    sq.halted = true;
    return Answer::kBadValue;
  }
  sq.tail += added;
  const auto& parked = cqs_.at(sq.cqid).parked;
  const bool is_parked = std::find(parked.begin(), parked.end(), sqid) != parked.end();
  if (!IsInRing(RingOf(sqid), sqid) && !is_parked) rings_[RingOf(sqid)].waiting.push_back(sqid);
  return Answer::kAccepted;
}

NaiveArbiter::Answer NaiveArbiter::RingCq(int cqid, long value) {
  if (cqs_.count(cqid) == 0) return Answer::kNoQueue;
  Cq& cq = cqs_[cqid];
  const long old_slot = cq.consumed % cq.size;
  if (value >= cq.size || value == old_slot) return Answer::kBadValue;
  const long freed = ((value - old_slot) % cq.size + cq.size) % cq.size;
  if (cq.consumed + freed > cq.posted) return Answer::kBadValue;
  cq.consumed += freed;
  cq.room += freed;
  for (int sqid : std::exchange(cq.parked, {})) rings_[RingOf(sqid)].waiting.push_back(sqid);
  return Answer::kAccepted;
}

void NaiveArbiter::Complete(int cqid, bool posted) {
  Cq& cq = cqs_.at(cqid);
  if (posted) {
    ++cq.posted;
    return;
  }
  ++cq.room;
  for (int sqid : std::exchange(cq.parked, {})) rings_[RingOf(sqid)].waiting.push_back(sqid);
}

std::optional<int> NaiveArbiter::ChooseRing(bool* reload) {
  *reload = false;
  auto has = [&](int ring) { return !Candidates(ring).empty(); };
  if (!wrr_) return has(0) ? std::optional<int>(0) : std::nullopt;
  if (has(kAdminRing)) return kAdminRing;
  if (slots_ < 2 || hold_io_) return std::nullopt;
  if (has(kUrgentRing)) return kUrgentRing;
  auto open = [&](int level) { return credit[level] > 0 && has(kFirstLevelRing + level); };
  if (current_level_ >= 0 && open(current_level_)) return kFirstLevelRing + current_level_;
  for (int pass = 0; pass < 2; ++pass) {
    for (int level = 0; level < kLevelCount; ++level) {
      const bool with_reload = pass == 1;
      if (with_reload ? has(kFirstLevelRing + level) : open(level)) {
        *reload = with_reload;
        return kFirstLevelRing + level;
      }
    }
  }
  return std::nullopt;
}

std::optional<NaiveArbiter::Step> NaiveArbiter::Decide() {
  if (slots_ < 1 || hold_all_) return std::nullopt;
  while (true) {
    bool reload = false;
    const std::optional<int> chosen = ChooseRing(&reload);
    if (!chosen) return std::nullopt;
    const int ring = *chosen;
    int sqid = Candidates(ring).front();
    if (hold_io_ && !wrr_) {
      if (!IsInRing(ring, 0)) return std::nullopt;
      sqid = 0;
    }
    Ring& r = rings_[ring];
    if (!HasRoom(sqid)) {
      auto& next = r.visited == sqid ? r.waiting : cqs_.at(sqs_[sqid].cqid).parked;
      Leave(sqid);
      next.push_back(sqid);
      continue;
    }
    if (reload) credit = weights_;
    Sq& sq = sqs_[sqid];
    const bool weighted = wrr_ && ring >= kFirstLevelRing && ring != kAdminRing;
    const bool first = r.visited != sqid;
    if (first) {
      if (r.visited >= 0) {
        r.waiting.push_back(r.visited);
        EndVisit(ring);
      }
      Leave(sqid);
      r.visited = sqid;
      r.left = ab_ == 7 ? sq.tail - sq.issued : 1L << ab_;
      if (weighted) {
        const long weight = weights_[ring - kFirstLevelRing];
        r.left = ab_ == 7 ? weight : std::min(1L << ab_, weight);
      }
    }
    const Step step{sqid, static_cast<int>(sq.issued % sq.size), first};
    ++sq.issued;
    --r.left;
    --cqs_.at(sq.cqid).room;
    --slots_;
    if (weighted) {
      current_level_ = ring - kFirstLevelRing;
      if (--credit[current_level_] == 0) current_level_ = -1;
    }
    if (sq.issued == sq.tail) {
      EndVisit(ring);
    } else if (r.left == 0) {
      EndVisit(ring);
      r.waiting.push_back(sqid);
    }
    return step;
  }
}

}  // namespace nvmearb::arbiter
