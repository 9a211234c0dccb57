// SPDX-License-Identifier: Apache-2.0
//
// CheckedFrontEnd: a FrontEnd in front of another, with the Judge in between. It sits in all three
// directions (calls of the firmware, callbacks to it, events), so that it can tell the Judge what
// the observation port does not carry, and it compares every command handed to the firmware with
// host memory: the 64 bytes of the next slot of that SQ, exactly once, in slot order, with the
// right SQHD.
//
//   firmware -> CheckedFrontEnd -> RtlFrontEnd | ModelFrontEnd
//            <-                 <-                              (FrontEndSink, EventSink)
//
// Findings are those of judge(). Not thread safe; owns nothing; no allocation on the hot path.
#ifndef NVMEARB_TB_SCOREBOARD_CHECKED_FRONT_END_H_
#define NVMEARB_TB_SCOREBOARD_CHECKED_FRONT_END_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "scoreboard/judge.h"
#include "ssd/front_end.h"

namespace nvmearb::tb {

/// Host memory as it is, read behind the device's back: takes no simulated time, counts nowhere.
/// Returns false where nothing is mapped.
class MemoryPeek {
 public:
  virtual ~MemoryPeek() = default;
  [[nodiscard]] virtual bool Peek(std::uint64_t address, void* destination, std::size_t bytes) = 0;
};

class CheckedFrontEnd : public ssd::FrontEnd,
                        private ssd::FrontEndSink,
                        private arbiter::EventSink {
 public:
  /// `inner` does the work. `memory` may be null: then bytes are not compared. May be changed
  /// before the first enable.
  CheckedFrontEnd(ssd::FrontEnd* inner, MemoryPeek* memory);
  void SetMemory(MemoryPeek* memory) { memory_ = memory; }

  [[nodiscard]] Judge& judge() { return judge_; }
  [[nodiscard]] const std::vector<Finding>& findings() const { return judge_.findings(); }
  /// Commands whose 64 bytes were compared.
  [[nodiscard]] std::uint64_t compared_count() const { return compared_count_; }
  /// Events pass through `tamper` first, which may change them: shows that the judge is on.
  using Tamper = void (*)(void* context, arbiter::Event* event);
  void SetTamper(Tamper tamper, void* context) {
    tamper_ = tamper;
    tamper_context_ = context;
  }

  // ssd::FrontEnd.
  void Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma, arbiter::EventSink* events) override;
  [[nodiscard]] ssd::FrontEndLimits Limits() const override { return inner_->Limits(); }
  void SetStraps(std::uint64_t cap, std::uint32_t vs) override { inner_->SetStraps(cap, vs); }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    judge_.OnRegisterRead();
    return inner_->MmioRead(offset, bytes);
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;
  void CreateCq(const ssd::CqConfig& config) override;
  void DeleteCq(std::uint16_t cqid) override;
  void CreateSq(const ssd::SqConfig& config) override;
  void DeleteSq(std::uint16_t sqid) override;
  void SetArbitration(const arbiter::ArbitrationSettings& settings) override;
  void GiveSlots(unsigned count) override;
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override {
    inner_->Complete(sqid, cqid, posted);
  }
  void SetReady(bool ready) override { inner_->SetReady(ready); }
  [[nodiscard]] std::string Describe() const override { return inner_->Describe(); }
  void SetFatal() override;
  void SetShutdownStatus(std::uint8_t shst) override;

 private:
  struct Sq {
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint32_t next_slot = 0;
    std::uint16_t cqid = 0;
    arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
  };

  // ssd::FrontEndSink.
  void OnEnable(const ssd::EnableConfig& config) override;
  void OnDisable() override;
  void OnShutdown(std::uint8_t shn) override;
  void OnConfigDone() override;
  void OnCommand(const ssd::FetchedCommand& command) override;
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override {
    sink_->OnDoorbellError(error, is_cq, qid);
  }
  void OnFetchError(std::uint16_t sqid) override;

  // arbiter::EventSink.
  void OnEvent(const arbiter::Event& event) override;

  void CheckCommand(const ssd::FetchedCommand& command);

  ssd::FrontEnd* inner_;
  MemoryPeek* memory_;
  ssd::FrontEndSink* sink_ = nullptr;
  arbiter::EventSink* events_ = nullptr;
  Judge judge_;
  std::vector<Sq> sqs_;
  std::deque<std::uint16_t> calls_;  // unanswered configuration calls: the SQ to delete, or kNoSq
  std::uint64_t compared_count_ = 0;
  Tamper tamper_ = nullptr;
  void* tamper_context_ = nullptr;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_CHECKED_FRONT_END_H_
