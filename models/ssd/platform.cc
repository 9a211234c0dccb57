// SPDX-License-Identifier: Apache-2.0
#include "ssd/platform.h"

#include <string>

#include "nvme/base/check.h"

namespace nvmearb::ssd {

Platform& Platform::Instance() {
  // Not destroyed: SystemC's own static objects may be gone by then.
  static Platform* const platform = new Platform;
  return *platform;
}

Platform::Platform() : kernel_(std::make_unique<Kernel>("kernel")) {
  for (std::size_t i = 0; i < kSlotCount; ++i) {
    const std::string index = std::to_string(i);
    slots_[i].sockets = std::make_unique<SsdSockets>(("ssd" + index).c_str(), kernel_.get());
    slots_[i].memory = std::make_unique<HostMemoryTarget>(("memory" + index).c_str());
    slots_[i].sockets->dma.bind(slots_[i].memory->socket);
  }
}

void Platform::Reset() {
  for (Slot& slot : slots_) {
    NVMEARB_CHECK(!slot.sockets->IsPlugged(), "a run ends when its drives are gone");
    slot.memory->AttachHost(nullptr);
  }
  kernel_->Reset();
}

}  // namespace nvmearb::ssd
