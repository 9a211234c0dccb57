// SPDX-License-Identifier: Apache-2.0
//
// WaitBound: does the first command of an SQ wait no longer than docs/interfaces.md promises?
//
// Counted in commands granted, from kLateArrivalClocks after the doorbell took effect (rule 12) to
// the grant of that command. The bound holds while queues and settings stay as they are, every CQ
// has room and grants are read at once.
#ifndef NVMEARB_TB_UNIT_WAIT_BOUND_H_
#define NVMEARB_TB_UNIT_WAIT_BOUND_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arbiter/ring.h"
#include "arbiter/types.h"
#include "core_bench.h"

namespace nvmearb::tb {

/// Most commands granted before the first one of an SQ of a level: 0 high, 1 medium, 2 low.
/// `strict`: those of higher strict classes meanwhile; `before`: most commands of the visits of the
/// SQs before it in its ring. Without levels the bound is the sum of these two.
std::uint64_t LevelWaitBound(unsigned level, std::uint64_t strict, std::uint64_t before,
                             const arbiter::ArbitrationSettings& settings);

class WaitBound final : public CoreObserver {
 public:
  explicit WaitBound(unsigned sq_count) : sqs_(sq_count) {}
  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* config) override;

  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }
  /// Waits that ended, and the longest of them, by class (round robin: all are kUrgent).
  struct Measure {
    std::uint64_t wait_count = 0;
    std::uint64_t longest = 0, its_bound = 0;
  };
  [[nodiscard]] const Measure& measured(arbiter::SqClass sq_class) const {
    return measured_[static_cast<std::size_t>(sq_class)];
  }

 private:
  struct Sq {
    arbiter::SqClass ring = arbiter::SqClass::kUrgent;
    arbiter::SqRing pointers;
    bool waits = false;
    std::uint64_t from = 0;                  // clock from which commands are counted
    std::uint64_t before = 0;                // LevelWaitBound
    std::uint64_t commands = 0, strict = 0;  // granted meanwhile
  };
  void OnConfig(const CoreConfig& config);
  void OnTail(std::uint64_t cycle, Sq* sq, unsigned tail);
  void OnGrant(std::uint64_t cycle, unsigned sqid, unsigned count);
  [[nodiscard]] std::uint64_t LongestVisit(const Sq& sq) const;
  void Judge(std::uint64_t cycle, unsigned sqid);

  bool wrr_ = false;
  arbiter::ArbitrationSettings settings_;
  std::vector<Sq> sqs_;
  std::array<Measure, 5> measured_{};
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_WAIT_BOUND_H_
