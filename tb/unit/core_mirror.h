// SPDX-License-Identifier: Apache-2.0
//
// CoreMirror: runs the golden arbiter beside nvmearb_core and compares every event with it.
//
// An engine decides in known moments (CoreOut::decided) and from known events (CoreTraits).
// Therefore the golden arbiter, called in that order, must decide the same grant, also with
// arrivals in any clock. This is stricter than rule 12 of the decision record.
//
// An SQ without CQ room is parked in the moment the core finds it so, which is not visible from
// outside; with exact = false grants are not compared in order, but everything else is.
#ifndef NVMEARB_TB_UNIT_CORE_MIRROR_H_
#define NVMEARB_TB_UNIT_CORE_MIRROR_H_

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "core_bench.h"

namespace nvmearb::tb {

class CoreMirror final : public CoreObserver {
 public:
  explicit CoreMirror(unsigned sq_count) : golden_(sq_count), was_halted_(sq_count) {}

  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* config) override;

  /// Applies what is left; call when the core is quiescent. Then nothing may be left to grant.
  void Finish();

  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }
  [[nodiscard]] const arbiter::Arbiter& golden() const { return golden_; }
  [[nodiscard]] std::uint64_t grant_count() const { return grant_count_; }
  [[nodiscard]] std::uint64_t command_count() const { return command_count_; }

 private:
  enum class Kind : std::uint8_t { kConfig, kDoorbell, kReject, kFetch, kComplete };
  struct Item {
    std::uint64_t cycle;
    Kind kind;
    CoreConfig config;
    CoreDoorbell doorbell;
    unsigned error = 0;
    unsigned sqid = 0, count = 0, head = 0;
    CoreCompletion completion;
  };

  void Collect(std::uint64_t cycle, const CoreIn& in, const CoreOut& out, const CoreConfig* config);
  /// Applies what a decision made in `cycle` knows.
  void ApplyBefore(std::uint64_t cycle);
  void Apply(const Item& item);
  void ApplyConfig(const CoreConfig& config);
  void ApplyDoorbell(const CoreDoorbell& doorbell, bool accepted, unsigned error);
  /// A doorbell of this SQ may have met it halted, in this life or the one before.
  [[nodiscard]] bool MayBeIgnored(unsigned sqid) const;
  /// Applies a doorbell of the very clock of the decision if the engine knows it.
  void ApplyOwnClock(std::uint64_t cycle, unsigned grant_class);
  void OnDecision(std::uint64_t cycle, const CoreIn& in, const CoreOut& out);
  void OnGrant(std::uint64_t cycle, const CoreOut& out);
  void Report(std::uint64_t cycle, const std::string& text);

  arbiter::Arbiter golden_;
  std::vector<bool> was_halted_;  // when it was deleted last
  struct Expected {
    arbiter::Grant grant;
    std::array<unsigned, 3> credit;
  };
  struct HoldChange {
    std::uint64_t cycle;
    bool io, all;
  };
  std::deque<Item> items_;
  std::deque<HoldChange> holds_;
  std::deque<Expected> expected_;   // decided, not read
  std::deque<CoreDoorbell> taken_;  // doorbells accepted at the port, outcome not seen yet
  std::deque<std::pair<std::uint64_t, unsigned>> slots_;
  bool hold_io_ = false, hold_all_ = false;
  bool wrr_ = false;
  arbiter::ArbitrationSettings settings_;
  std::uint64_t grant_count_ = 0;
  std::uint64_t command_count_ = 0;
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_MIRROR_H_
