// SPDX-License-Identifier: Apache-2.0
#include "ssd/features.h"

namespace nvmearb::ssd {

using nvme::FeatureId;
using nvme::Status;

namespace {

bool IsKnown(std::uint8_t fid) {
  switch (static_cast<FeatureId>(fid)) {
    case FeatureId::kArbitration:
    case FeatureId::kNumberOfQueues:
    case FeatureId::kAsyncEventConfiguration:
      return true;
    default:
      return false;
  }
}

}  // namespace

FeatureStore::FeatureStore(const nvme::ArbitrationFeature& arbitration_default, QueueTable* queues)
    : arbitration_default_(arbitration_default), queues_(queues) {
  Reset();
}

void FeatureStore::Reset() {
  arbitration_ = arbitration_default_;
  async_event_configuration_ = 0;
}

Status FeatureStore::Set(const nvme::SetFeatures& command, std::uint32_t* dw0,
                         bool* arbitration_changed) {
  *dw0 = 0;
  *arbitration_changed = false;
  if (!IsKnown(command.fid)) return Status::kInvalidField;
  if (command.save) return Status::kFeatureNotSaveable;
  switch (static_cast<FeatureId>(command.fid)) {
    case FeatureId::kArbitration:
      arbitration_ = nvme::ArbitrationFeature::Decode(command.cdw11);
      *arbitration_changed = true;
      return Status::kSuccess;
    case FeatureId::kNumberOfQueues:
      return SetNumberOfQueues(command.cdw11, dw0);
    default:
      async_event_configuration_ = command.cdw11;
      return Status::kSuccess;
  }
}

Status FeatureStore::SetNumberOfQueues(std::uint32_t value, std::uint32_t* dw0) {
  constexpr std::uint32_t kIllegalCount = 65536;  // FFFFh on the wire
  const auto asked = nvme::NumberOfQueuesFeature::Decode(value);
  if (queues_->io_queue_was_created()) return Status::kCommandSequenceError;
  if (asked.sq_count == kIllegalCount || asked.cq_count == kIllegalCount) {
    return Status::kInvalidField;
  }
  queues_->Allocate(asked.sq_count, asked.cq_count);
  *dw0 = Current(FeatureId::kNumberOfQueues);
  return Status::kSuccess;
}

std::uint32_t FeatureStore::Current(FeatureId id) const {
  switch (id) {
    case FeatureId::kArbitration:
      return arbitration_.Encode();
    case FeatureId::kNumberOfQueues:
      return nvme::NumberOfQueuesFeature{queues_->allocated_sq_count(),
                                         queues_->allocated_cq_count()}
          .Encode();
    default:
      return async_event_configuration_;
  }
}

std::uint32_t FeatureStore::Default(FeatureId id) const {
  switch (id) {
    case FeatureId::kArbitration:
      return arbitration_default_.Encode();
    case FeatureId::kNumberOfQueues: {
      const std::uint32_t most = queues_->queue_count() - 1;
      return nvme::NumberOfQueuesFeature{most, most}.Encode();
    }
    default:
      return 0;
  }
}

Status FeatureStore::Get(const nvme::GetFeatures& command, std::uint32_t* dw0) const {
  *dw0 = 0;
  if (!IsKnown(command.fid)) return Status::kInvalidField;
  const auto id = static_cast<FeatureId>(command.fid);
  switch (static_cast<nvme::FeatureSelect>(command.sel)) {
    case nvme::FeatureSelect::kCurrent:
      *dw0 = Current(id);
      return Status::kSuccess;
    case nvme::FeatureSelect::kDefault:
    case nvme::FeatureSelect::kSaved:
      *dw0 = Default(id);
      return Status::kSuccess;
    case nvme::FeatureSelect::kCapabilities:
      *dw0 = nvme::FeatureCapabilities{false, false, true}.Encode();
      return Status::kSuccess;
  }
  return Status::kInvalidField;  // reserved SEL
}

}  // namespace nvmearb::ssd
