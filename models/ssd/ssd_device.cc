// SPDX-License-Identifier: Apache-2.0
#include "ssd/ssd_device.h"

#include <utility>

#include "nvme/base/check.h"

namespace nvmearb::ssd {

SsdDevice::SsdDevice(Platform* platform, std::size_t slot, const SsdParams& params,
                     std::unique_ptr<FrontEnd> front_end, arbiter::EventSink* events, Flash* flash)
    : SsdDevice(platform, slot, params, front_end.get(), events, flash) {
  owned_front_end_ = std::move(front_end);
}

SsdDevice::SsdDevice(Platform* platform, std::size_t slot, const SsdParams& params,
                     FrontEnd* front_end, arbiter::EventSink* events, Flash* flash)
    : slot_(&platform->slot(slot)), front_end_(front_end) {
  NVMEARB_CHECK(!slot_->sockets->IsPlugged(), "one drive per slot");
  firmware_ =
      std::make_unique<Firmware>(&platform->kernel(), params, front_end_, slot_->sockets.get(),
                                 static_cast<InterruptSink*>(this), flash);
  front_end_->Attach(firmware_.get(), slot_->sockets.get(), events);
  slot_->sockets->Plug(this);
}

SsdDevice::~SsdDevice() {
  slot_->sockets->Plug(nullptr);
  slot_->memory->AttachHost(nullptr);
}

void SsdDevice::AttachHost(nvme::HostPort* host) {
  host_ = host;
  slot_->memory->AttachHost(host);
}

void SsdDevice::Interrupt(std::uint16_t vector) {
  if (host_ != nullptr) host_->Interrupt(vector);
}

}  // namespace nvmearb::ssd
