// SPDX-License-Identifier: Apache-2.0
//
// CoreBench: owns the clock of one nvmearb_core and feeds its pins from queues.
//
// Roles in one place because the core is small: driver (queues of requests, shown until taken),
// responder (commits granted commands after a while) and monitor (hands each settled cycle to the
// observers). What the numbers mean is judged by CoreMirror.
#ifndef NVMEARB_TB_UNIT_CORE_BENCH_H_
#define NVMEARB_TB_UNIT_CORE_BENCH_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "arbiter/types.h"
#include "core_dut.h"

namespace nvmearb::tb {

struct CoreConfig {
  unsigned op = kCfgReset, id = 0, cqid = 0, size_count = 2, sq_class = 0;
  bool wrr = false;
  arbiter::ArbitrationSettings settings;

  static CoreConfig Reset() { return {}; }
  static CoreConfig SetMech(bool wrr) {
    CoreConfig c;
    c.op = kCfgSetMech;
    c.wrr = wrr;
    return c;
  }
  static CoreConfig SetArb(const arbiter::ArbitrationSettings& settings) {
    CoreConfig c;
    c.op = kCfgSetArb;
    c.settings = settings;
    return c;
  }
  static CoreConfig CreateCq(unsigned cqid, unsigned size_count) {
    CoreConfig c;
    c.op = kCfgCreateCq;
    c.id = cqid;
    c.size_count = size_count;
    return c;
  }
  static CoreConfig DeleteCq(unsigned cqid) {
    CoreConfig c;
    c.op = kCfgDeleteCq;
    c.id = cqid;
    return c;
  }
  static CoreConfig CreateSq(unsigned sqid, unsigned cqid, unsigned size_count,
                             arbiter::SqClass sq_class) {
    CoreConfig c;
    c.op = kCfgCreateSq;
    c.id = sqid;
    c.cqid = cqid;
    c.size_count = size_count;
    c.sq_class = static_cast<unsigned>(sq_class);
    return c;
  }
  static CoreConfig DeleteSq(unsigned sqid) {
    CoreConfig c;
    c.op = kCfgDeleteSq;
    c.id = sqid;
    return c;
  }
};

struct CoreDoorbell {
  bool is_cq = false;
  unsigned qid = 0, value = 0;
};

struct CoreCompletion {
  unsigned sqid = 0, cqid = 0;
  bool posted = true;
};

struct CoreCommit {
  unsigned sqid = 0, count = 0;
};

/// Sees every cycle after Settle() and before the edge.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  /// `config` is the request in hand, if any.
  virtual void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
                       const CoreConfig* config) = 0;
};

class CoreBench {
 public:
  explicit CoreBench(unsigned sq_count) : dut_(MakeCore(sq_count)) {}
  explicit CoreBench(std::unique_ptr<CoreDut> dut) : dut_(std::move(dut)) {}

  void Observe(CoreObserver* observer) { observers_.push_back(observer); }

  void Configure(const CoreConfig& config) { configs_.push_back(config); }
  void Ring(bool is_cq, unsigned qid, unsigned value) { doorbells_.push_back({is_cq, qid, value}); }
  void Complete(const CoreCompletion& completion) { completions_.push_back(completion); }
  void Commit(const CoreCommit& commit) { commits_.push_back(commit); }
  /// A commit of that SQ was not shown yet: its commands cannot complete.
  [[nodiscard]] bool CommitWaits(unsigned sqid) const {
    return std::any_of(commits_.begin(), commits_.end(),
                       [sqid](const CoreCommit& commit) { return commit.sqid == sqid; });
  }
  void GiveSlots(unsigned count) { slot_count_ += count; }

  /// One clock. Returns the outputs before the edge.
  const CoreOut& Step();
  /// Steps until nothing can be shown and the core is quiescent. A deletion may still wait for a
  /// fetch. False after `limit` clocks without that.
  bool RunUntilQuiescent(unsigned limit = 100000);
  /// Nothing waits to be shown or answered.
  [[nodiscard]] bool Drained() const { return configs_.empty() && !configuring_ && AllShown(); }
  /// As Drained(), but requests may wait for the answer to an earlier one.
  [[nodiscard]] bool AllShown() const {
    return (configs_.empty() || configuring_) && doorbells_.empty() && completions_.empty() &&
           commits_.empty() && slot_count_ == 0;
  }

  /// Doorbells not taken yet.
  [[nodiscard]] std::size_t doorbell_backlog() const { return doorbells_.size(); }

  /// Pins that tests set directly: grant_ready, holds, max_count.
  CoreIn& in() { return dut_->in; }
  CoreDut& dut() { return *dut_; }
  /// The core as it is now; the bench is of no use any more.
  std::unique_ptr<CoreDut> Release() { return std::move(dut_); }
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }

  /// Gates: an item is not shown in this clock when its gate is shut.
  bool doorbell_gate = true, config_gate = true, completion_gate = true, commit_gate = true;
  unsigned slots_per_clock = 15;
  /// Leaves out the edge when the core is quiescent and no input is valid, as a simulator may.
  bool skip_quiescent = false;
  [[nodiscard]] std::uint64_t skipped_count() const { return skipped_count_; }

 private:
  void Drive();
  void Sample(const CoreOut& out);

  std::unique_ptr<CoreDut> dut_;
  std::vector<CoreObserver*> observers_;
  std::deque<CoreConfig> configs_;
  std::deque<CoreDoorbell> doorbells_;
  std::deque<CoreCompletion> completions_;
  std::deque<CoreCommit> commits_;
  CoreConfig config_;
  bool configuring_ = false;
  unsigned slot_count_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t skipped_count_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_BENCH_H_
