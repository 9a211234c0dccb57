// SPDX-License-Identifier: Apache-2.0
//
// FaultyFrontEnd: stands between the firmware and the judged front end and falsifies what passes,
// as one Fault says. The judge, further in, sees a device that does what it is told; so what is
// found is found by the check. With Fault::kNone it changes nothing.
#ifndef NVMEARB_TB_CONFORMANCE_FAULTY_FRONT_END_H_
#define NVMEARB_TB_CONFORMANCE_FAULTY_FRONT_END_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "conformance/fault.h"
#include "ssd/front_end.h"

namespace nvmearb::conformance {

class FaultyFrontEnd : public ssd::FrontEnd, private ssd::FrontEndSink {
 public:
  /// `inner` is not owned.
  FaultyFrontEnd(ssd::FrontEnd* inner, Fault fault) : inner_(inner), fault_(fault) {}

  void Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma, arbiter::EventSink* events) override {
    sink_ = sink;
    inner_->Attach(this, dma, events);
  }
  [[nodiscard]] ssd::FrontEndLimits Limits() const override { return inner_->Limits(); }
  void SetStraps(std::uint64_t cap, std::uint32_t vs) override { inner_->SetStraps(cap, vs); }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    return inner_->MmioRead(offset, bytes);
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;
  void CreateCq(const ssd::CqConfig& config) override { inner_->CreateCq(config); }
  void DeleteCq(std::uint16_t cqid) override { inner_->DeleteCq(cqid); }
  void CreateSq(const ssd::SqConfig& config) override;
  void DeleteSq(std::uint16_t sqid) override;
  void SetArbitration(const arbiter::ArbitrationSettings& settings) override;
  void GiveSlots(unsigned count) override;
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override {
    inner_->Complete(sqid, cqid, posted);
  }
  void SetReady(bool ready) override;
  void SetFatal() override { inner_->SetFatal(); }
  void SetShutdownStatus(std::uint8_t shst) override { inner_->SetShutdownStatus(shst); }
  [[nodiscard]] std::string Describe() const override { return inner_->Describe(); }

 private:
  struct Refusal {
    arbiter::DoorbellError error;
    bool is_cq;
    std::uint16_t qid;
  };

  void OnEnable(const ssd::EnableConfig& config) override;
  void OnDisable() override { sink_->OnDisable(); }
  void OnShutdown(std::uint8_t shn) override { sink_->OnShutdown(shn); }
  void OnConfigDone() override { sink_->OnConfigDone(); }
  void OnCommand(const ssd::FetchedCommand& command) override { sink_->OnCommand(command); }
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override;
  void OnFetchError(std::uint16_t sqid) override { sink_->OnFetchError(sqid); }

  ssd::FrontEnd* inner_;
  Fault fault_;
  ssd::FrontEndSink* sink_ = nullptr;
  std::map<std::uint16_t, arbiter::SqClass> first_class_;
  std::map<std::uint16_t, std::uint32_t> size_count_;
  std::optional<Refusal> last_refusal_;
  unsigned settings_count_ = 0;
  bool slots_given_ = false;
};

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_FAULTY_FRONT_END_H_
