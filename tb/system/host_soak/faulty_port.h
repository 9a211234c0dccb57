// SPDX-License-Identifier: Apache-2.0
//
// FaultyPort: the door of a drive that loses completions or interrupts, or whose controller fails.
// What it does ends with the next CC.EN = 0, as a reset ends it.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_FAULTY_PORT_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_FAULTY_PORT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/registers.h"

namespace nvmearb::system {

class FaultyPort : public nvme::DevicePort, private nvme::HostPort {
 public:
  explicit FaultyPort(nvme::DevicePort* drive) : drive_(drive) {}

  /// The next `count` completions of I/O commands never reach the host's memory: their queue stands
  /// still, for the host waits at the place of the first.
  void LoseCompletions(unsigned count) { completions_to_lose_ = count; }
  void LoseInterrupts(unsigned count) { interrupts_to_lose_ = count; }
  /// CSTS.CFS reads 1; doorbells have no effect, no interrupt comes.
  void Fail() { failed_ = true; }
  void Mend() {
    completions_to_lose_ = interrupts_to_lose_ = 0;
    failed_ = false;
  }
  /// Completions and interrupts that were lost so far.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

  void AttachHost(nvme::HostPort* host) override {
    host_ = host;
    drive_->AttachHost(this);
  }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    const std::uint64_t value = drive_->MmioRead(offset, bytes);
    constexpr std::uint64_t kCfs = 2;
    return failed_ && offset == nvme::kRegCsts ? value | kCfs : value;
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    constexpr std::uint64_t kEn = 1;
    if (offset == nvme::kRegCc && (value & kEn) == 0) Mend();
    if (failed_ && offset >= nvme::kRegDoorbells) return;
    drive_->MmioWrite(offset, value, bytes);
  }

 private:
  bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override {
    return host_->DmaRead(address, destination, bytes);
  }
  bool DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) override {
    if (completions_to_lose_ > 0 && bytes == sizeof(nvme::Cqe)) {
      nvme::Cqe cqe;
      std::memcpy(&cqe, source, sizeof(cqe));
      if (cqe.sqid != 0) {
        --completions_to_lose_;
        ++lost_;
        return true;
      }
    }
    return host_->DmaWrite(address, source, bytes);
  }
  void Interrupt(std::uint16_t vector) override {
    if (failed_) return;
    if (interrupts_to_lose_ > 0) {
      --interrupts_to_lose_;
      ++lost_;
      return;
    }
    host_->Interrupt(vector);
  }

  nvme::DevicePort* drive_;
  nvme::HostPort* host_ = nullptr;
  unsigned completions_to_lose_ = 0;
  unsigned interrupts_to_lose_ = 0;
  bool failed_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_FAULTY_PORT_H_
