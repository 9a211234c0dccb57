// SPDX-License-Identifier: Apache-2.0
//
// ForwardingFrontEnd: a front end that hands everything to another one; tests override one call.
#ifndef NVMEARB_TB_SYSTEM_FORWARDING_FRONT_END_H_
#define NVMEARB_TB_SYSTEM_FORWARDING_FRONT_END_H_

#include "ssd/front_end.h"

namespace nvmearb::system {

class ForwardingFrontEnd : public ssd::FrontEnd {
 public:
  explicit ForwardingFrontEnd(ssd::FrontEnd* inner) : inner_(inner) {}

  void Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma, arbiter::EventSink* events) override {
    inner_->Attach(sink, dma, events);
  }
  [[nodiscard]] ssd::FrontEndLimits Limits() const override { return inner_->Limits(); }
  void SetStraps(std::uint64_t cap, std::uint32_t vs) override { inner_->SetStraps(cap, vs); }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    return inner_->MmioRead(offset, bytes);
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    inner_->MmioWrite(offset, value, bytes);
  }
  void CreateCq(const ssd::CqConfig& config) override { inner_->CreateCq(config); }
  void DeleteCq(std::uint16_t cqid) override { inner_->DeleteCq(cqid); }
  void CreateSq(const ssd::SqConfig& config) override { inner_->CreateSq(config); }
  void DeleteSq(std::uint16_t sqid) override { inner_->DeleteSq(sqid); }
  void SetArbitration(const arbiter::ArbitrationSettings& settings) override {
    inner_->SetArbitration(settings);
  }
  void GiveSlots(unsigned count) override { inner_->GiveSlots(count); }
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override {
    inner_->Complete(sqid, cqid, posted);
  }
  void SetReady(bool ready) override { inner_->SetReady(ready); }
  void SetFatal() override { inner_->SetFatal(); }
  void SetShutdownStatus(std::uint8_t shst) override { inner_->SetShutdownStatus(shst); }
  [[nodiscard]] std::string Describe() const override { return inner_->Describe(); }

 private:
  ssd::FrontEnd* inner_;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_FORWARDING_FRONT_END_H_
