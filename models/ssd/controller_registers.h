// SPDX-License-Identifier: Apache-2.0
//
// ControllerRegisters: the controller properties below the doorbells, as the host sees them
// (Base 2.1 section 3.1): what can be read and written, and which edge of CC a write was. What an
// edge does is the business of the owner.
#ifndef NVMEARB_MODELS_SSD_CONTROLLER_REGISTERS_H_
#define NVMEARB_MODELS_SSD_CONTROLLER_REGISTERS_H_

#include <cstdint>

#include "nvme/registers.h"

namespace nvmearb::ssd {

class ControllerRegisters {
 public:
  /// What a write of CC did.
  struct CcChange {
    bool enabled = false;   ///< EN 0 -> 1
    bool disabled = false;  ///< EN 1 -> 0
    bool shutdown = false;  ///< SHN became 01b or 10b
    std::uint8_t shn = 0;   ///< SHN of the write
  };

  void SetStraps(std::uint64_t cap, std::uint32_t vs) {
    cap_ = cap;
    vs_ = vs;
  }

  /// The dword at `offset`, a multiple of 4 below 1000h; 0 where there is no register.
  [[nodiscard]] std::uint32_t Read(std::uint32_t offset) const;
  /// Writes the dword at `offset`. Read-only and absent registers keep their value.
  CcChange Write(std::uint32_t offset, std::uint32_t value);

  /// A Controller Reset has ended: CSTS.RDY and CFS are 0. (CC and the interrupt mask are 0 since
  /// EN was cleared; AQA, ASQ and ACQ keep their values, and SHST its own until the next enable.)
  void EndReset();

  /// The queue sizes of AQA are ones that this controller can run; `queue_size_count` is its
  /// largest.
  [[nodiscard]] bool CanEnable(std::uint32_t queue_size_count) const;
  /// CC.AMS asks for weighted round robin, and CAP.AMS offers it.
  [[nodiscard]] bool WeightedRoundRobin() const;

  [[nodiscard]] nvme::Cc cc() const { return nvme::Cc::Decode(cc_); }
  [[nodiscard]] std::uint32_t cc_raw() const { return cc_; }
  [[nodiscard]] std::uint32_t aqa_raw() const { return aqa_; }
  [[nodiscard]] nvme::Aqa aqa() const { return nvme::Aqa::Decode(aqa_); }
  [[nodiscard]] std::uint64_t asq() const { return asq_; }
  [[nodiscard]] std::uint64_t acq() const { return acq_; }
  [[nodiscard]] nvme::Csts& csts() { return csts_; }
  [[nodiscard]] const nvme::Csts& csts() const { return csts_; }

 private:
  CcChange WriteCc(std::uint32_t value);

  std::uint64_t cap_ = 0;
  std::uint64_t asq_ = 0;
  std::uint64_t acq_ = 0;
  std::uint32_t vs_ = 0;
  std::uint32_t interrupt_mask_ = 0;
  std::uint32_t cc_ = 0;
  std::uint32_t aqa_ = 0;
  nvme::Csts csts_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_CONTROLLER_REGISTERS_H_
