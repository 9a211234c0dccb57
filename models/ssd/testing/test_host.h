// SPDX-License-Identifier: Apache-2.0
//
// TestHost: the least host that can use a drive through nvme::DevicePort, for the tests of
// models/ssd: memory, queues, admin commands one at a time. Not the driver of the product: that one
// is in host_driver, which models/ssd does not know.
#ifndef NVMEARB_MODELS_SSD_TESTING_TEST_HOST_H_
#define NVMEARB_MODELS_SSD_TESTING_TEST_HOST_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/registers.h"
#include "nvme/sqe.h"
#include "ssd/kernel.h"

namespace nvmearb::ssd {

class TestHost : public nvme::HostPort {
 public:
  static constexpr std::uint64_t kMemoryBase = 0x100000;
  static constexpr std::uint16_t kAdminEntries = 32;

  /// A queue pair as the host keeps it.
  struct Pair {
    std::uint64_t sq_base = 0;
    std::uint64_t cq_base = 0;
    std::uint32_t size_count = 0;
    std::uint32_t tail = 0;
    std::uint32_t head = 0;
    std::uint16_t sqhd = 0;  ///< of the last CQE
    bool phase = true;
  };

  /// Called for every interrupt, at the time of the interrupt.
  std::function<void(std::uint16_t vector)> on_interrupt;

  TestHost(Kernel* kernel, nvme::DevicePort* device, std::size_t memory_bytes = 8u << 20);

  // nvme::HostPort.
  [[nodiscard]] bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override;
  [[nodiscard]] bool DmaWrite(std::uint64_t address, const void* source,
                              std::size_t bytes) override;
  void Interrupt(std::uint16_t vector) override;

  /// `bytes` of memory, page aligned, zeroed; never freed.
  std::uint64_t Allocate(std::size_t bytes);
  [[nodiscard]] void* At(std::uint64_t address) { return memory_.data() + (address - kMemoryBase); }

  void Write32(std::uint32_t offset, std::uint32_t value) { device_->MmioWrite(offset, value, 4); }
  [[nodiscard]] std::uint32_t Read32(std::uint32_t offset) {
    return static_cast<std::uint32_t>(device_->MmioRead(offset, 4));
  }

  /// Sets up the admin queues and CC (`ams` as in CC.AMS) and runs until CSTS.RDY or CFS.
  void Enable(std::uint8_t ams);
  /// Clears CC.EN and runs until CSTS.RDY is 0.
  void Disable();
  /// Runs simulated time on.
  void Run(TimePs duration) { kernel_->RunUntil(kernel_->Now() + duration); }

  /// Puts `sqe` into SQ `qid` without a doorbell; Ring() then shows it to the device.
  void Place(std::uint16_t qid, const nvme::Sqe& sqe);
  void Ring(std::uint16_t qid);
  /// Takes the next CQE of CQ `qid` if there is one; RingHead() gives the entries back.
  [[nodiscard]] bool Reap(std::uint16_t qid, nvme::Cqe* cqe);
  void RingHead(std::uint16_t qid);

  /// Sends one admin command and runs until its completion, at most 1 s.
  nvme::Cqe Admin(const nvme::Sqe& sqe);
  /// The next command id for Admin().
  [[nodiscard]] std::uint16_t NextCid() { return next_cid_++; }
  /// Creates CQ and SQ `qid` of `size_count` entries. Returns the status of the first that failed.
  nvme::Status CreatePair(std::uint16_t qid, std::uint32_t size_count, std::uint8_t qprio);

  [[nodiscard]] Pair& pair(std::uint16_t qid) { return pairs_[qid]; }
  [[nodiscard]] const std::vector<std::uint16_t>& interrupts() const { return interrupts_; }
  /// Reads of these addresses fail from now on.
  void Unmap(std::uint64_t address, std::uint64_t bytes) {
    hole_base_ = address;
    hole_bytes_ = bytes;
  }

 private:
  [[nodiscard]] bool IsMapped(std::uint64_t address, std::size_t bytes) const;
  void OpenPair(std::uint16_t qid, std::uint32_t size_count);

  Kernel* kernel_;
  nvme::DevicePort* device_;
  std::vector<std::uint8_t> memory_;
  std::uint64_t next_free_ = kMemoryBase;
  std::uint64_t hole_base_ = 0;
  std::uint64_t hole_bytes_ = 0;
  std::vector<Pair> pairs_;
  std::vector<std::uint16_t> interrupts_;
  std::uint16_t next_cid_ = 1;
  bool keep_interrupts_ = true;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_TESTING_TEST_HOST_H_
