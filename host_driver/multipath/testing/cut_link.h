// SPDX-License-Identifier: Apache-2.0
//
// CutLink: a cable between driver and controller that can be cut: nothing gets through then, and
// reads give all ones.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_CUT_LINK_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_CUT_LINK_H_

#include "nvme/device_port.h"

namespace nvmearb::host {

class CutLink : public nvme::DevicePort, private nvme::HostPort {
 public:
  explicit CutLink(nvme::DevicePort* device) : device_(device) {}
  void Cut(bool cut) { cut_ = cut; }
  [[nodiscard]] bool is_cut() const { return cut_; }

  void AttachHost(nvme::HostPort* host) override {
    host_ = host;
    device_->AttachHost(this);
  }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    return cut_ ? ~std::uint64_t{0} >> (64 - 8 * bytes) : device_->MmioRead(offset, bytes);
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    if (!cut_) device_->MmioWrite(offset, value, bytes);
  }

 private:
  bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override {
    return host_->DmaRead(address, destination, bytes);
  }
  bool DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) override {
    return cut_ || host_->DmaWrite(address, source, bytes);
  }
  void Interrupt(std::uint16_t vector) override {
    if (!cut_) host_->Interrupt(vector);
  }

  nvme::DevicePort* device_;
  nvme::HostPort* host_ = nullptr;
  bool cut_ = false;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_CUT_LINK_H_
