// SPDX-License-Identifier: Apache-2.0
//
// ModelFrontEnd: the front end in pure C++, with the golden arbiter in place of the RTL. Does what
// nvmearb_top does at the level of commands, with its latencies as parameters, and emits the same
// stream of events, so that scoreboard, logs and reports do not care which of the two runs.
//
//  - Register writes take effect at once. A doorbell changes the arbiter at once and leads to a
//    decision `decide_cycles` clocks later, if a slot is usable by then.
//  - A grant reads its SQEs `fetch_cycles` clocks later (plus `beat_cycles` per command behind the
//  first),
//    in one read, fetches in order of the grants; another decision follows after `grant_cycles`.
//  - Configuration requests take `config_cycles` each, in order. Delete SQ is answered when nothing
//    granted of that SQ is waiting to be captured.
//  - CC.EN 1 -> 0: no grant any more; outstanding reads are awaited and dropped, configuration
//  requests
//    are answered, then everything is forgotten, OnDisable() is called, and the firmware clears
//    RDY. An EN = 1 that arrives before that is done starts the enable afterwards.
//  - Enable with queue sizes that cannot be: CSTS.CFS = 1, RDY stays 0 until EN is cleared.
//  - Doorbells outside EN & RDY, of I/O queues when CC.SHN is not 0, and all when SHST is complete,
//  are
//    ignored.
//
// Clock edges lie on the grid k * clock_ps; an event's cycle is the number of the first edge at or
// after its time. Not thread safe. No allocation per command.
#ifndef NVMEARB_MODELS_SSD_MODEL_FRONT_END_H_
#define NVMEARB_MODELS_SSD_MODEL_FRONT_END_H_

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "ssd/controller_registers.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::ssd {

/// Latencies in clocks, those of the RTL at its default parameters.
struct ModelFrontEndParams {
  FrontEndLimits limits{16, 65536, 0};
  TimePs clock_ps = 4'000;
  std::uint32_t decide_cycles = 6;   ///< doorbell or slot to grant, when idle
  std::uint32_t grant_cycles = 3;    ///< grant to grant
  std::uint32_t fetch_cycles = 104;  ///< grant to SQE, of which 100 are the host's memory
  std::uint32_t beat_cycles = 1;
  std::uint32_t config_cycles = 8;
  std::uint32_t max_grant_count = 8;  ///< commands of one grant, 1..8
};

class ModelFrontEnd : public FrontEnd {
 public:
  ModelFrontEnd(Kernel* kernel, const ModelFrontEndParams& params);

  void Attach(FrontEndSink* sink, FrontEndDma* dma, arbiter::EventSink* events) override;
  [[nodiscard]] FrontEndLimits Limits() const override { return params_.limits; }
  void SetStraps(std::uint64_t cap, std::uint32_t vs) override { registers_.SetStraps(cap, vs); }

  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override;
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;

  void CreateCq(const CqConfig& config) override;
  void DeleteCq(std::uint16_t cqid) override;
  void CreateSq(const SqConfig& config) override;
  void DeleteSq(std::uint16_t sqid) override;
  void SetArbitration(const arbiter::ArbitrationSettings& settings) override;
  void GiveSlots(unsigned count) override;
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override;
  void SetReady(bool ready) override;
  void SetFatal() override;
  void SetShutdownStatus(std::uint8_t shst) override;

  [[nodiscard]] std::string Describe() const override;
  [[nodiscard]] const arbiter::Arbiter& arbiter() const { return arbiter_; }

 private:
  enum class State : std::uint8_t { kDisabled, kEnabled, kResetting };
  enum class Op : std::uint8_t { kCreateCq, kDeleteCq, kCreateSq, kDeleteSq, kSetArbitration };
  struct Config {
    Op op;
    SqConfig queue;  // CQs use cqid and size_count
    arbiter::ArbitrationSettings settings;
  };
  struct Fetch {
    arbiter::Grant grant;
    std::uint32_t size_count = 0;
    std::uint64_t base = 0;
  };

  [[nodiscard]] TimePs EdgeAfter(std::uint32_t cycles) const;
  [[nodiscard]] bool DecisionPossible() const;
  void UpdateHold();

  std::uint32_t ReadDword(std::uint32_t offset) const;
  void WriteDword(std::uint32_t offset, std::uint32_t value);
  void WriteDoorbell(const nvme::Doorbell& doorbell, std::uint16_t value);
  [[nodiscard]] bool DoorbellsOpen(std::uint16_t qid) const;

  void Enable();
  void BeginReset();
  void ContinueReset();

  void ScheduleDecision();
  void DecideAtEdge(std::uint64_t epoch);
  void StartFetch(const arbiter::Grant& grant);
  void FetchDone(std::uint64_t argument);
  void Deliver(const Fetch& fetch);
  void FetchFailed(std::uint16_t sqid);

  void Queue(const Config& config);
  void ScheduleConfig();
  void ExecuteConfig(std::uint64_t argument);
  void FinishConfig();

  void Emit(arbiter::Event event);
  void EmitConfig();

  Kernel* kernel_;
  ModelFrontEndParams params_;
  FrontEndSink* sink_ = nullptr;
  FrontEndDma* dma_ = nullptr;
  arbiter::EventSink* events_ = nullptr;
  arbiter::Arbiter arbiter_;
  ControllerRegisters registers_;
  std::vector<std::uint64_t> bases_;  // by SQ id
  std::deque<Config> configs_;
  // Grants on their way to memory, a ring; as many as there may be slots in use at once.
  std::vector<Fetch> fetches_;
  std::size_t fetch_head_ = 0;
  std::size_t fetch_count_ = 0;
  TimePs last_fetch_ps_ = 0;
  TimePs next_grant_ps_ = 0;
  std::uint32_t epoch_ = 0;
  State state_ = State::kDisabled;
  bool decision_waiting_ = false;
  bool config_running_ = false;
  bool delete_waits_ = false;  // the delete at the front waits for fetches
  bool disable_told_ = false;  // OnDisable() was called, SetReady(false) is awaited
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_MODEL_FRONT_END_H_
