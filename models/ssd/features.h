// SPDX-License-Identifier: Apache-2.0
//
// FeatureStore: Set and Get Features (Base 2.1 section 5.1.25): 01h Arbitration, 07h Number of
// Queues and 0Bh Asynchronous Event Configuration. None can be saved (SV = 1 is refused, and the
// saved value is the default one), none belongs to a namespace. A Controller Reset brings back the
// defaults.
#ifndef NVMEARB_MODELS_SSD_FEATURES_H_
#define NVMEARB_MODELS_SSD_FEATURES_H_

#include <cstdint>

#include "nvme/admin_commands.h"
#include "nvme/features.h"
#include "nvme/status.h"
#include "ssd/queue_table.h"

namespace nvmearb::ssd {

class FeatureStore {
 public:
  /// `queues` holds what 07h allocates; not owned.
  FeatureStore(const nvme::ArbitrationFeature& arbitration_default, QueueTable* queues);

  void Reset();

  /// Checks and stores. `dw0` is that of the CQE. When `arbitration_changed` comes back true the
  /// arbiter has to acknowledge arbitration() before the CQE is posted.
  [[nodiscard]] nvme::Status Set(const nvme::SetFeatures& command, std::uint32_t* dw0,
                                 bool* arbitration_changed);
  [[nodiscard]] nvme::Status Get(const nvme::GetFeatures& command, std::uint32_t* dw0) const;

  [[nodiscard]] const nvme::ArbitrationFeature& arbitration() const { return arbitration_; }

 private:
  [[nodiscard]] nvme::Status SetNumberOfQueues(std::uint32_t value, std::uint32_t* dw0);
  [[nodiscard]] std::uint32_t Current(nvme::FeatureId id) const;
  [[nodiscard]] std::uint32_t Default(nvme::FeatureId id) const;

  nvme::ArbitrationFeature arbitration_default_;
  nvme::ArbitrationFeature arbitration_;
  std::uint32_t async_event_configuration_ = 0;
  QueueTable* queues_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FEATURES_H_
