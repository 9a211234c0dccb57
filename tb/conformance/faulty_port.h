// SPDX-License-Identifier: Apache-2.0
//
// FaultyPort: stands between a host and a device and falsifies what passes, as one Fault says.
// With Fault::kNone it changes nothing.
#ifndef NVMEARB_TB_CONFORMANCE_FAULTY_PORT_H_
#define NVMEARB_TB_CONFORMANCE_FAULTY_PORT_H_

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "conformance/fault.h"
#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/registers.h"
#include "nvme/sqe.h"

namespace nvmearb::conformance {

class FaultyPort : public nvme::DevicePort, private nvme::HostPort {
 public:
  /// Nothing is owned. `sq_count`, `dstrd`: of the device.
  FaultyPort(nvme::DevicePort* device, Fault fault, unsigned sq_count, unsigned dstrd)
      : device_(device), fault_(fault), sq_count_(sq_count), dstrd_(dstrd) {}

  void AttachHost(nvme::HostPort* host) override {
    host_ = host;
    device_->AttachHost(this);
  }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override;
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;

 private:
  struct Posted {
    std::uint32_t offset;
    std::uint64_t value;
  };

  [[nodiscard]] bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override;
  [[nodiscard]] bool DmaWrite(std::uint64_t address, const void* source,
                              std::size_t bytes) override;
  void Interrupt(std::uint16_t vector) override { host_->Interrupt(vector); }

  [[nodiscard]] std::uint64_t FalsifiedRead(std::uint32_t offset, unsigned bytes,
                                            std::uint64_t value);
  [[nodiscard]] std::uint64_t FalsifiedStatus(std::uint64_t value);
  /// Returns false when the write is lost.
  [[nodiscard]] bool FalsifyProperty(std::uint32_t offset, std::uint64_t* value);
  [[nodiscard]] bool FalsifyDoorbell(std::uint32_t* offset, std::uint64_t* value);
  void WatchCc(std::uint64_t value);
  [[nodiscard]] bool IsAdminSqe(std::uint64_t address) const;
  [[nodiscard]] bool IsAdminCqe(std::uint64_t address) const;
  void WatchSqe(nvme::Sqe* sqe, bool is_admin);
  void FalsifyCqe(nvme::Cqe* cqe, bool is_admin);

  nvme::DevicePort* device_;
  nvme::HostPort* host_ = nullptr;
  Fault fault_;
  unsigned sq_count_;
  unsigned dstrd_;

  std::map<std::uint32_t, std::uint64_t> written_;  // by offset, as the host wrote it
  nvme::Cc cc_;
  std::uint64_t asq_ = 0, acq_ = 0, moved_by_ = 0;  // of the running queues
  std::uint32_t aqa_ = 0;
  std::map<std::uint32_t, unsigned> rings_;  // tail doorbells since the enable, by offset
  std::vector<Posted> early_;
  std::map<std::uint16_t, std::uint8_t> opcodes_;  // of admin commands, by CID
  std::uint32_t mask_ = 0;
  unsigned reset_count_ = 0;
  unsigned io_cqe_count_ = 0;
  nvme::Cqe last_admin_cqe_;
  bool dead_ = false;
  bool stale_due_ = false;
  bool complete_seen_ = false;
  bool ready_seen_ = false;
  bool lost_ = false;
};

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_FAULTY_PORT_H_
