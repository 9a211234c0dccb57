// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the arbiter's tests: set-ups in one line, orders as text ("1x4 2x2 3").
#ifndef NVMEARB_MODELS_ARBITER_ARBITER_TESTING_H_
#define NVMEARB_MODELS_ARBITER_ARBITER_TESTING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"

namespace nvmearb::arbiter {

/// Writes runs of grants of one SQ as "<sqid>x<count>", a run of one as "<sqid>".
class OrderText {
 public:
  void Add(unsigned sqid, unsigned count) {
    if (run_count_ > 0 && sqid != run_sqid_) Flush();
    run_sqid_ = sqid;
    run_count_ += count;
  }
  std::string Take() {
    if (run_count_ > 0) Flush();
    std::string result;
    result.swap(text_);
    return result;
  }

 private:
  void Flush() {
    if (!text_.empty()) text_ += ' ';
    text_ += std::to_string(run_sqid_);
    if (run_count_ > 1) text_ += "x" + std::to_string(run_count_);
    run_count_ = 0;
  }
  std::string text_;
  unsigned run_sqid_ = 0;
  unsigned run_count_ = 0;
};

/// `text` `times` times, separated by blanks.
inline std::string Times(int times, const std::string& text) {
  std::string result = text;
  for (int i = 1; i < times; ++i) result += " " + text;
  return result;
}

struct Backlog {
  std::uint16_t sqid;
  SqClass sq_class;
  std::uint32_t count;
};

/// An arbiter with one large CQ, large queues and plenty of slots.
class Bench {
 public:
  static constexpr std::uint32_t kSizeCount = 4096;

  Bench(Mechanism mechanism, const ArbitrationSettings& settings, unsigned sq_count = 8)
      : arbiter(sq_count) {
    arbiter.Reset(mechanism, settings);
    arbiter.CreateCq(0, 65536);
    arbiter.GiveSlots(1u << 30);
  }
  Bench& Create(std::uint16_t sqid, SqClass sq_class, std::uint32_t size_count = kSizeCount,
                std::uint16_t cqid = 0) {
    arbiter.CreateSq({sqid, cqid, size_count, sq_class});
    return *this;
  }
  /// Submits `count` more commands with one doorbell.
  DoorbellResult Submit(std::uint16_t sqid, std::uint32_t count) {
    const SqRing& ring = arbiter.sq(sqid);
    return arbiter.RingSqTail(
        sqid, static_cast<std::uint16_t>(RingAdvance(ring.tail(), count, ring.size_count())));
  }
  Bench& Load(const std::vector<Backlog>& backlogs) {
    for (const Backlog& b : backlogs) Create(b.sqid, b.sq_class);
    for (const Backlog& b : backlogs) Submit(b.sqid, b.count);
    return *this;
  }
  /// Takes up to `grant_count` decisions of at most `max_count` commands; fetches at once.
  std::string Run(int grant_count = 1 << 30, std::uint32_t max_count = 1) {
    OrderText order;
    for (int i = 0; i < grant_count; ++i) {
      const std::optional<Grant> grant = arbiter.Decide(max_count);
      if (!grant) break;
      arbiter.CommitFetch(grant->sqid, grant->count);
      order.Add(grant->sqid, grant->count);
    }
    return order.Take();
  }

  Arbiter arbiter;
};

inline constexpr Mechanism kRr = Mechanism::kRoundRobin;
inline constexpr Mechanism kWrr = Mechanism::kWeightedRoundRobin;
inline constexpr SqClass kA = SqClass::kAdmin;
inline constexpr SqClass kU = SqClass::kUrgent;
inline constexpr SqClass kH = SqClass::kHigh;
inline constexpr SqClass kM = SqClass::kMedium;
inline constexpr SqClass kL = SqClass::kLow;

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_ARBITER_TESTING_H_
