// SPDX-License-Identifier: Apache-2.0
//
// Playground: in which order would these queues be served? The engine behind `nvmearb arbitrate`.
//
// It is a whole little host and device around any FrontEnd: queues with real SQEs in memory of its
// own, properties and doorbells through MMIO, and a firmware that creates the queues and completes
// every command at once. All doorbells are rung before the first command slot is given; then slots
// are given so that one command is granted at a time, and the simulation comes to rest in between.
#ifndef NVMEARB_TB_SCOREBOARD_PLAYGROUND_H_
#define NVMEARB_TB_SCOREBOARD_PLAYGROUND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "scoreboard/checked_front_end.h"
#include "scoreboard/playground_options.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::tb {

/// SQ ids in the order in which their commands were granted.
using GrantOrder = std::vector<std::uint16_t>;

/// Runs of one SQ as "<id>x<commands>", a run of one as "<id>": "1x4 2x2 3".
[[nodiscard]] std::string FormatOrder(const GrantOrder& order);

class Playground : private ssd::FrontEndSink,
                   private ssd::FrontEndDma,
                   private arbiter::EventSink,
                   private MemoryPeek {
 public:
  /// Attaches itself to `front_end`; neither is owned. `events` gets every event too and may be
  /// null.
  Playground(ssd::FrontEnd* front_end, ssd::Kernel* kernel, arbiter::EventSink* events = nullptr);

  /// Enables the controller, serves everything, disables it again. May be called any number of
  /// times. `options` as from ParseArbitrateOptions(). Aborts when the front end does not come to
  /// rest or fetches something else than what was granted.
  GrantOrder Run(const ArbitrateOptions& options);

  /// The queues, for a CheckedFrontEnd around the front end.
  [[nodiscard]] MemoryPeek* memory() { return this; }

 private:
  struct Queue {
    std::uint32_t size_count = 0;
    std::uint32_t tail = 0;
    std::uint32_t fetched_count = 0;
    std::uint32_t submitted_count = 0;
    std::vector<std::uint8_t> entries;  ///< size_count SQEs
  };

  // ssd::FrontEndSink.
  void OnEnable(const ssd::EnableConfig& config) override;
  void OnDisable() override;
  void OnShutdown(std::uint8_t shn) override;
  void OnConfigDone() override { ++config_done_count_; }
  void OnCommand(const ssd::FetchedCommand& command) override;
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override;
  void OnFetchError(std::uint16_t sqid) override;
  // ssd::FrontEndDma, MemoryPeek.
  bool Read(std::uint64_t address, void* destination, std::size_t bytes) override;
  bool Write(std::uint64_t address, const void* source, std::size_t bytes) override;
  bool Peek(std::uint64_t address, void* destination, std::size_t bytes) override {
    return Read(address, destination, bytes);
  }
  // arbiter::EventSink.
  void OnEvent(const arbiter::Event& event) override;

  void BringUp(const ArbitrateOptions& options);
  void Prepare(std::uint16_t sqid, std::uint64_t count);
  void CreateQueues(const ArbitrateOptions& options);
  void Submit(std::uint16_t sqid, std::uint32_t count);
  void RingDue(const ArbitrateOptions& options);
  void Settle();
  [[nodiscard]] std::uint64_t BaseOf(std::uint16_t sqid) const;

  ssd::FrontEnd* front_end_;
  ssd::Kernel* kernel_;
  arbiter::EventSink* events_;
  ssd::FrontEndLimits limits_;
  std::vector<Queue> queues_;
  std::vector<bool> is_rung_;  ///< of options.afters
  GrantOrder order_;
  std::uint64_t command_count_ = 0;
  std::uint32_t held_slot_count_ = 0;
  std::uint32_t admin_granted_count_ = 0;
  std::uint32_t config_done_count_ = 0;
  bool is_enabled_ = false;
};

/// A Playground for one question.
[[nodiscard]] GrantOrder Arbitrate(const ArbitrateOptions& options, ssd::FrontEnd* front_end,
                                   ssd::Kernel* kernel);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_PLAYGROUND_H_
