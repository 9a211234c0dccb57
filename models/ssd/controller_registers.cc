// SPDX-License-Identifier: Apache-2.0
#include "ssd/controller_registers.h"

namespace nvmearb::ssd {
namespace {

std::uint32_t Low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t High(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

void SetLow(std::uint64_t* word, std::uint32_t value) {
  *word = ((*word >> 32 << 32) | value) & nvme::kQueueBaseMask;
}
void SetHigh(std::uint64_t* word, std::uint32_t value) {
  *word = (*word & 0xffffffffu) | (static_cast<std::uint64_t>(value) << 32);
}

}  // namespace

std::uint32_t ControllerRegisters::Read(std::uint32_t offset) const {
  switch (offset) {
    case nvme::kRegCap:
      return Low(cap_);
    case nvme::kRegCap + 4:
      return High(cap_);
    case nvme::kRegVs:
      return vs_;
    case nvme::kRegIntms:
    case nvme::kRegIntmc:
      return interrupt_mask_;
    case nvme::kRegCc:
      return cc_;
    case nvme::kRegCsts:
      return csts_.Encode();
    case nvme::kRegAqa:
      return aqa_;
    case nvme::kRegAsq:
      return Low(asq_);
    case nvme::kRegAsq + 4:
      return High(asq_);
    case nvme::kRegAcq:
      return Low(acq_);
    case nvme::kRegAcq + 4:
      return High(acq_);
    default:
      return 0;
  }
}

ControllerRegisters::CcChange ControllerRegisters::Write(std::uint32_t offset,
                                                         std::uint32_t value) {
  switch (offset) {
    case nvme::kRegIntms:
      interrupt_mask_ |= value;
      break;
    case nvme::kRegIntmc:
      interrupt_mask_ &= ~value;
      break;
    case nvme::kRegCc:
      return WriteCc(value);
    case nvme::kRegAqa:
      aqa_ = value & nvme::Aqa::kWritableMask;
      break;
    case nvme::kRegAsq:
      SetLow(&asq_, value);
      break;
    case nvme::kRegAsq + 4:
      SetHigh(&asq_, value);
      break;
    case nvme::kRegAcq:
      SetLow(&acq_, value);
      break;
    case nvme::kRegAcq + 4:
      SetHigh(&acq_, value);
      break;
    default:
      break;
  }
  return {};
}

ControllerRegisters::CcChange ControllerRegisters::WriteCc(std::uint32_t value) {
  const nvme::Cc before = cc();
  cc_ = value & nvme::Cc::kWritableMask;
  const nvme::Cc after = cc();
  CcChange change;
  change.enabled = !before.en && after.en;
  change.disabled = before.en && !after.en;
  change.shutdown = after.shn != before.shn && (after.shn == 1 || after.shn == 2);
  if (change.disabled) {
    cc_ = 0;
    interrupt_mask_ = 0;
  }
  change.shn = after.shn;
  return change;
}

void ControllerRegisters::EndReset() {
  csts_.rdy = false;
  csts_.cfs = false;
}

bool ControllerRegisters::CanEnable(std::uint32_t queue_size_count) const {
  const auto legal = [queue_size_count](std::uint32_t count) {
    return count >= 2 && count <= queue_size_count;
  };
  return legal(aqa().sq_count) && legal(aqa().cq_count);
}

bool ControllerRegisters::WeightedRoundRobin() const {
  const bool asked = cc().ams == static_cast<std::uint8_t>(nvme::Ams::kWeightedRoundRobinUrgent);
  return asked && (nvme::Cap::Decode(cap_).ams & nvme::kCapAmsWeightedRoundRobin) != 0;
}

}  // namespace nvmearb::ssd
