// SPDX-License-Identifier: Apache-2.0
//
// GoldenSystem: an observation port made by the golden Arbiter, for the tests of the judges. Each
// call is an operation at the present clock; it appears as an event at once, and reaches the
// arbiter up to `latest` clocks later, as in a pipeline. What comes out is a recording that can be
// replayed, whole or falsified.
#ifndef NVMEARB_TB_SCOREBOARD_GOLDEN_SYSTEM_H_
#define NVMEARB_TB_SCOREBOARD_GOLDEN_SYSTEM_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "arbiter/arbiter.h"
#include "arbiter/types.h"
#include "nvme/base/random.h"
#include "scoreboard/exact_order.h"
#include "scoreboard/judge.h"

namespace nvmearb::tb {

/// One thing the Judge is told: an event, or what the port does not carry.
struct Note {
  enum class Kind { kEvent, kCqCreated, kDeleteRequested, kDeleteAnswered, kSlots, kDelivered };
  Kind kind = Kind::kEvent;
  arbiter::Event event;
  std::uint16_t id = 0;
  std::uint32_t value = 0;
};
using Recording = std::vector<Note>;

void Replay(const Recording& recording, Judge* judge);
void Replay(const Recording& recording, ExactOrder* exact);
/// Indices of the events of one kind.
[[nodiscard]] std::vector<std::size_t> Find(const Recording& recording, arbiter::EventKind kind);

class GoldenSystem {
 public:
  /// Arrivals reach the arbiter 0..`latest_clocks` clocks after they are seen, in order.
  GoldenSystem(unsigned sq_count, arbiter::Mechanism mechanism,
               const arbiter::ArbitrationSettings& settings, std::uint64_t latest_clocks = 0,
               std::uint64_t seed = 1);

  void Advance(std::uint64_t clocks);
  void CreateCq(std::uint16_t cqid, std::uint32_t size_count);
  void CreateSq(std::uint16_t sqid, std::uint16_t cqid, std::uint32_t size_count,
                arbiter::SqClass sq_class);
  /// The deletion is seen when the SQ has drained; until then IsDeleting().
  void RequestDelete(std::uint16_t sqid);
  [[nodiscard]] bool IsDeleting(std::uint16_t sqid) const { return sqs_[sqid].is_deleting; }
  void SetArbitration(const arbiter::ArbitrationSettings& settings);
  /// `count` more commands; as many as are free at most.
  void Submit(std::uint16_t sqid, std::uint32_t count);
  /// A doorbell of any value; refused as rule 13 says. Nothing of this SQ may be on its way.
  void RingSq(std::uint16_t sqid, std::uint16_t value);
  /// The host consumes up to `count` entries.
  void Consume(std::uint16_t cqid, std::uint32_t count);
  void GiveSlots(std::uint32_t count);
  /// A decision in this clock. False when there was none.
  bool Grant(std::uint32_t max_count);
  /// The fetch of the oldest grant that waits; delivers its commands. False if there is none.
  bool Fetch();
  /// Completes the command that was delivered first. False if there is none.
  bool Complete(bool posted);

  /// Grants, fetches and completes until nothing is left, one grant a clock.
  void Drain(std::uint32_t max_count);

  [[nodiscard]] std::uint32_t FreeCount(std::uint16_t sqid) const;
  [[nodiscard]] bool HasArrivals() const { return !arrivals_.empty(); }
  [[nodiscard]] bool Exists(std::uint16_t sqid) const { return sqs_[sqid].exists; }
  [[nodiscard]] const Recording& recording() const { return recording_; }
  [[nodiscard]] std::uint64_t granted_count() const { return granted_count_; }
  [[nodiscard]] const arbiter::Arbiter& golden() const { return golden_; }

 private:
  struct Arrival {
    enum class Kind { kTail, kHead, kSlots, kDelete, kRelease, kPost };
    std::uint64_t cycle;
    Kind kind;
    std::uint16_t id;
    std::uint32_t value;
  };
  struct Sq {
    bool exists = false;
    bool is_deleting = false;
    bool is_removed = false;  ///< the arbiter has deleted it
    std::uint32_t tail = 0;   ///< as the host has rung it
    std::uint32_t size_count = 2;
    std::uint32_t sqhd = 0;
  };
  struct Command {
    std::uint16_t sqid;
    std::uint16_t cqid;
    std::uint32_t count;
  };

  void Arrive(Arrival::Kind kind, std::uint16_t id, std::uint32_t value);
  void Deliver(const Arrival& arrival);
  arbiter::Event Blank(arbiter::EventKind kind) const;
  void Emit(const arbiter::Event& event);
  void Tell(Note::Kind kind, std::uint16_t id, std::uint32_t value);
  void EmitConfig();
  void FinishDeletes();

  arbiter::Arbiter golden_;
  base::Random random_;
  std::uint64_t latest_clocks_;
  std::uint64_t cycle_ = 10;
  std::uint64_t granted_count_ = 0;
  std::vector<Sq> sqs_;
  std::vector<arbiter::CqRing> host_cqs_;  // what the host and the firmware know of each CQ
  std::deque<Arrival> arrivals_;
  std::deque<Command> to_fetch_;
  std::deque<Command> to_complete_;
  Recording recording_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_GOLDEN_SYSTEM_H_
