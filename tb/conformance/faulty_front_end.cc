// SPDX-License-Identifier: Apache-2.0
#include "conformance/faulty_front_end.h"

#include <utility>

#include "nvme/registers.h"

namespace nvmearb::conformance {

using arbiter::SqClass;

void FaultyFrontEnd::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  inner_->MmioWrite(offset, value, bytes);
  if (fault_ != Fault::kSpuriousEvents) return;
  const auto doorbell = nvme::DecodeDoorbell(offset, inner_->Limits().dstrd);
  if (!doorbell || doorbell->is_cq || size_count_.count(doorbell->qid) == 0) return;
  if (value + 1 != size_count_[doorbell->qid]) return;
  sink_->OnDoorbellError(arbiter::DoorbellError::kInvalidValue, false, doorbell->qid);
}

void FaultyFrontEnd::CreateSq(const ssd::SqConfig& config) {
  ssd::SqConfig changed = config;
  size_count_[config.sqid] = config.size_count;
  first_class_.emplace(config.sqid, config.sq_class);
  if (fault_ == Fault::kClassStale) changed.sq_class = first_class_[config.sqid];
  if (fault_ == Fault::kClassesSwapped) {
    if (config.sq_class == SqClass::kHigh) changed.sq_class = SqClass::kLow;
    if (config.sq_class == SqClass::kLow) changed.sq_class = SqClass::kHigh;
  }
  inner_->CreateSq(changed);
}

void FaultyFrontEnd::DeleteSq(std::uint16_t sqid) {
  if (fault_ == Fault::kDeletionHangs) return;
  if (fault_ == Fault::kDeletionIgnored) return sink_->OnConfigDone();
  inner_->DeleteSq(sqid);
}

void FaultyFrontEnd::SetArbitration(const arbiter::ArbitrationSettings& settings) {
  arbiter::ArbitrationSettings changed = settings;
  if (fault_ == Fault::kBurstOfOne) changed.ab = 0;
  if (fault_ == Fault::kBurstDoubled && changed.ab < 7) ++changed.ab;
  if (fault_ == Fault::kWeightsSwapped) std::swap(changed.hpw_zb, changed.lpw_zb);
  if (fault_ == Fault::kSettingsStale && settings_count_++ > 0) return sink_->OnConfigDone();
  inner_->SetArbitration(changed);
}

void FaultyFrontEnd::GiveSlots(unsigned count) {
  if (fault_ == Fault::kOneSlotMore && !slots_given_) ++count;
  slots_given_ = true;
  inner_->GiveSlots(count);
}

void FaultyFrontEnd::SetReady(bool ready) {
  inner_->SetReady(ready);
  if (!ready || fault_ != Fault::kEventsSurviveReset || !last_refusal_) return;
  sink_->OnDoorbellError(last_refusal_->error, last_refusal_->is_cq, last_refusal_->qid);
}

void FaultyFrontEnd::OnEnable(const ssd::EnableConfig& config) {
  settings_count_ = 0;
  slots_given_ = false;
  sink_->OnEnable(config);
}

void FaultyFrontEnd::OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) {
  last_refusal_ = Refusal{error, is_cq, qid};
  if (fault_ == Fault::kNoEvents) return;
  if (fault_ == Fault::kEventInfoSwapped) {
    error = error == arbiter::DoorbellError::kInvalidValue
                ? arbiter::DoorbellError::kInvalidRegister
                : arbiter::DoorbellError::kInvalidValue;
  }
  sink_->OnDoorbellError(error, is_cq, qid);
}

}  // namespace nvmearb::conformance
