// SPDX-License-Identifier: Apache-2.0
//
// A controller behind a link: what a lost connection does to its requests, and how it comes back
// (nvme_fc_delete_association and nvmf's reconnect work of Linux). Only with params.fabrics.
#include <fmt/format.h>

#include "host_driver/nvme/pci.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

void NvmePci::LinkDown() {
  NVMEARB_CHECK(params_.fabrics, "only a fabric has links");
  if (state_ == State::kLive) Reset("the link is down");
  if (state_ == State::kConnecting) Die("the link is down");
}

void NvmePci::LinkUp() {
  NVMEARB_CHECK(params_.fabrics, "only a fabric has links");
  if (state_ != State::kLost) return;
  ++epoch_;
  clock_.At(clock_.Now(), Bind<&NvmePci::ReconnectEvent>(this, epoch_));
}

// Everything on the connection ends here, whether or not the controller can be told.
void NvmePci::TearDown(std::uint64_t) {
  nvme::Cc cc = nvme::Cc::Decode(cc_);
  cc.en = false;
  cc_ = cc.Encode();
  device_.MmioWrite(nvme::kRegCc, cc_, 4);
  state_ = State::kLost;
  ++epoch_;
  admin_->EndAll();
  CancelAll();
  block_->Unquiesce();  // what waits for the driver meets QueueRq(), which fails it
  clock_.At(clock_.Now(), Bind<&NvmePci::ReconnectEvent>(this, epoch_));
}

// An attempt failed. False when the controller is not, or no longer, worth another one.
bool NvmePci::ReconnectLater(const std::string& why) {
  if (!params_.fabrics || block_ == nullptr) return false;
  if (state_ == State::kLost) return true;
  if (clock_.Now() >= lost_at_ + params_.ctrl_loss_tmo) {
    Notice(fmt::format("given up after {} attempts: {}", attempts_, why));
    return false;
  }
  state_ = State::kLost;
  ++epoch_;
  admin_->EndAll();
  clock_.At(clock_.Now() + params_.reconnect_delay, Bind<&NvmePci::ReconnectEvent>(this, epoch_));
  return true;
}

void NvmePci::ReconnectEvent(std::uint64_t epoch) {
  if (epoch != epoch_ || state_ != State::kLost) return;
  state_ = State::kConnecting;
  ++attempts_;
  admin_->Reset();
  Connect();
}

}  // namespace nvmearb::host
