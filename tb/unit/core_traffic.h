// SPDX-License-Identifier: Apache-2.0
//
// CoreTraffic: random host and device around one CoreBench.
//
// The host rings SQ tails and CQ heads, good and bad; the device commits and completes what is
// granted, gives slots back, creates, deletes and reconfigures queues, holds and resets. Every
// command granted is checked on the way: next slot of its SQ, submitted, exactly once. All choices
// come from one seed.
#ifndef NVMEARB_TB_UNIT_CORE_TRAFFIC_H_
#define NVMEARB_TB_UNIT_CORE_TRAFFIC_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "arbiter/types.h"
#include "core_bench.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {

struct TrafficOptions {
  std::uint64_t seed = 1;
  bool wrr = true;
  bool resets_first = true;  ///< the first request of BringUp() is CfgReset
  bool plain_lives = false;  ///< after some resets mechanism or settings stay as those left them
  bool tight_cqs = false;    ///< CQs small enough to run full
  bool bad_doorbells = false;
  bool reconfigure = false;  ///< create, delete, settings
  bool holds = false;
  bool one_at_a_time = false;  ///< one action, then until quiescent
  unsigned max_count = 8;
  unsigned ready_percent = 100;    ///< of clocks in which a grant is read
  unsigned doorbell_percent = 30;  ///< of clocks with a new doorbell
  unsigned slot_count = 64;
  unsigned fetch_clocks = 30;     ///< of a grant until it is captured: at random, less than this
  unsigned complete_clocks = 60;  ///< and of a command after that
};

class CoreTraffic final : public CoreObserver {
 public:
  CoreTraffic(CoreBench* bench, const TrafficOptions& options);

  /// Reset, mechanism, settings and a random set of queues; slots at the end.
  void BringUp();
  /// Random actions, then one clock; or one action and all that follows from it.
  void Step();
  /// No more submissions and changes; runs until all is granted, completed and consumed. Returns
  /// false when that does not happen.
  bool WindDown();
  /// Stops in the middle: holds, lets the last fetches end, forgets all, brings up anew.
  void ResetUnderLoad();

  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* config) override;

  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }
  [[nodiscard]] std::uint64_t command_count() const { return command_count_; }
  [[nodiscard]] std::uint64_t reset_count() const { return reset_count_; }
  [[nodiscard]] std::uint64_t delete_count() const { return delete_count_; }
  [[nodiscard]] std::uint64_t reject_count() const { return reject_count_; }

 private:
  enum class SqState : std::uint8_t { kAbsent, kCreating, kLive, kDeleting };
  struct Sq {
    SqState state = SqState::kAbsent;
    bool halted = false;
    bool uncertain = false;  // a bad doorbell is on its way
    std::deque<bool> rung;   // doorbells whose outcome was not seen yet: is it a bad one?
    unsigned size = 2, cqid = 0;
    unsigned tail = 0, head = 0, fetched = 0;  // as the port has shown them; tail: as rung
    std::uint64_t free_at = 0;                 // absent: cycle from which it may be created
  };
  struct Cq {
    bool exists = false;
    unsigned size = 2;
    unsigned head = 0;
    unsigned posted = 0;    // entries the host has not consumed
    unsigned reserved = 0;  // granted and not freed
  };
  struct Command {
    unsigned sqid, cqid, count;
    std::uint64_t at;
  };

  void CreateSomeSq();
  void RingGood();
  void RingBad();
  void ConsumeCq(bool all);
  void Reconfigure();
  void Hold();
  [[nodiscard]] bool MayReleaseHold() const;
  void RunDevice();
  void CommitOne(std::uint64_t now);
  void CompleteOne(std::uint64_t now);
  void StepOneAction();
  void CheckGrant(std::uint64_t cycle, const CoreOut& out);
  [[nodiscard]] bool Percent(unsigned percent) { return random_.Below(100) < percent; }
  [[nodiscard]] unsigned Pick(unsigned bound) {
    return static_cast<unsigned>(random_.Below(bound));
  }
  void Report(const std::string& text);

  CoreBench* bench_;
  TrafficOptions options_;
  base::Random random_;
  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  unsigned cq_count_ = 1;          // CQs 0 .. cq_count_ - 1 exist
  std::vector<unsigned> live_;     // SQ ids that were created at least once in this life
  std::deque<Command> granted_;    // not committed
  std::deque<Command> in_flight_;  // committed, not completed; one entry per command
  std::uint64_t hold_until_ = 0;
  unsigned slots_back_ = 0;  // of completed commands, not given yet
  bool winding_down_ = false;
  unsigned doorbells_open_ = 0;  // clocks until a doorbell of SQ 0 has certainly taken effect
  std::uint64_t command_count_ = 0, reset_count_ = 0, delete_count_ = 0, reject_count_ = 0;
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_TRAFFIC_H_
