// SPDX-License-Identifier: Apache-2.0
//
// CoreJudge: lets the Judge of tb/scoreboard watch the observation port of a bare nvmearb_core. Of
// the pipeline it knows one thing, when a grant was decided (CoreOut::decided): that is the clock
// at which it is judged, and before what happened until it was read. Else what counts is the order
// of the events and the 8 clocks that a decision may miss (rule 12).
#ifndef NVMEARB_TB_SOAK_CORE_JUDGE_H_
#define NVMEARB_TB_SOAK_CORE_JUDGE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core_bench.h"
#include "scoreboard/judge.h"

namespace nvmearb::tb {

class CoreJudge final : public CoreObserver {
 public:
  explicit CoreJudge(unsigned sq_count) : judge_(sq_count) {
    judge_.SetHoldBoundClocks(Traits().HoldClocks());
    judge_.SetClocksPerTurnedSq(Traits().clocks_per_turned_sq);
    judge_.SetClocksPerBlockedSq(Traits().clocks_per_look, Traits().clocks_per_let_go);
  }

  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* config) override;

  [[nodiscard]] Judge& judge() { return judge_; }
  [[nodiscard]] std::uint64_t grant_count() const { return grant_count_; }
  [[nodiscard]] std::uint64_t command_count() const { return command_count_; }
  /// Events are falsified so, once each `every` grants: shows that the judge is on.
  void FalsifyGrants(std::uint64_t every) { falsify_every_ = every; }

 private:
  void TellWhatThePortDoesNotCarry(std::uint64_t cycle, const CoreIn& in, const CoreOut& out);
  void Emit(arbiter::Event& event, std::uint64_t cycle, const std::array<unsigned, 3>& credit);
  /// Tells the judge all that happened before the first decision whose grant was not read.
  void TellWhatIsKnown();
  void EmitGrant(std::uint64_t cycle, const CoreOut& out);
  void EmitConfig(std::uint64_t cycle, const CoreOut& out, const CoreConfig& config);

  Judge judge_;
  arbiter::Mechanism mechanism_ = arbiter::Mechanism::kRoundRobin;
  arbiter::ArbitrationSettings settings_;
  std::array<unsigned, 3> credit_{};  // of the clock before
  bool hold_io_ = false, hold_all_ = false;
  struct Hold {
    bool io, all;
  };
  /// What happened, in order; a grant takes its place where it was decided.
  struct Entry {
    arbiter::Event event;
    bool known;                            // false: decided, not read
    std::optional<std::uint16_t> deleted;  // the answer to the deletion of that SQ
    std::optional<Hold> hold;              // it begins, changes or ends
  };
  std::deque<Entry> timeline_;
  decltype(arbiter::Event::credit) credit_then_{};
  std::uint64_t grant_count_ = 0;
  std::uint64_t command_count_ = 0;
  std::uint64_t falsify_every_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SOAK_CORE_JUDGE_H_
