// SPDX-License-Identifier: Apache-2.0
#include "conformance/faulty_port.h"

#include <cstring>

#include "nvme/opcodes.h"

namespace nvmearb::conformance {

namespace {

constexpr std::uint64_t kReservedCapBit = std::uint64_t{1} << 20;

}  // namespace

std::uint64_t FaultyPort::MmioRead(std::uint32_t offset, unsigned bytes) {
  return FalsifiedRead(offset, bytes, device_->MmioRead(offset, bytes));
}

std::uint64_t FaultyPort::FalsifiedRead(std::uint32_t offset, unsigned bytes, std::uint64_t value) {
  const bool queue_register =
      offset == nvme::kRegAqa || offset == nvme::kRegAsq || offset == nvme::kRegAcq;
  switch (fault_) {
    case Fault::kCapReservedBit:
      return offset == nvme::kRegCap ? value | kReservedCapBit : value;
    case Fault::kVsWritable:
      return offset == nvme::kRegVs && written_.count(offset) ? written_[offset] : value;
    case Fault::kAqaAtPowerOn:
      return offset == nvme::kRegAqa && !written_.count(offset) ? 0x001f001f : value;
    case Fault::kReservedBitsStick:
      return queue_register && written_.count(offset) ? written_[offset] : value;
    case Fault::kUpperHalvesZero:
      return bytes == 4 && (offset == nvme::kRegCap + 4 || offset == nvme::kRegAsq + 4 ||
                            offset == nvme::kRegAcq + 4)
                 ? 0
                 : value;
    case Fault::kMaskSurvivesReset:
      return offset == nvme::kRegIntms || offset == nvme::kRegIntmc ? mask_ : value;
    case Fault::kDoorbellReadsZero:
      return offset >= nvme::kRegDoorbells ? 0 : value;
    default:
      return offset == nvme::kRegCsts ? FalsifiedStatus(value) : value;
  }
}

std::uint64_t FaultyPort::FalsifiedStatus(std::uint64_t value) {
  nvme::Csts csts = nvme::Csts::Decode(static_cast<std::uint32_t>(value));
  if (fault_ == Fault::kNoFatalStatus) csts.cfs = false;
  if (fault_ == Fault::kReadyDropsAtOnce && !cc_.en) csts.rdy = false;
  if (fault_ == Fault::kShutdownNotReported) csts.shst = 0;
  if (fault_ == Fault::kShutdownNotActedOn && cc_.shn != 0) csts.shst = 2;
  if (csts.shst == 2) complete_seen_ = true;
  if (fault_ == Fault::kShutdownSticks && complete_seen_) csts.shst = 2;
  ready_seen_ = csts.rdy;
  if (csts.rdy && fault_ == Fault::kEarlyDoorbellsKept) {
    for (const Posted& posted : early_) device_->MmioWrite(posted.offset, posted.value, 4);
    early_.clear();
  }
  if (csts.rdy && stale_due_ && fault_ == Fault::kStaleCompletion) {
    stale_due_ = false;
    static_cast<void>(host_->DmaWrite(acq_, &last_admin_cqe_, sizeof last_admin_cqe_));
    host_->Interrupt(0);
  }
  return csts.Encode();
}

void FaultyPort::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  if (dead_) return;
  written_[offset] = value;
  if (offset < nvme::kRegDoorbells) {
    if (!FalsifyProperty(offset, &value)) return;
  } else if (!FalsifyDoorbell(&offset, &value)) {
    return;
  }
  device_->MmioWrite(offset, value, bytes);
}

bool FaultyPort::FalsifyProperty(std::uint32_t offset, std::uint64_t* value) {
  const auto low = static_cast<std::uint32_t>(*value);
  switch (offset) {
    case nvme::kRegIntms:
      mask_ |= low;
      break;
    case nvme::kRegIntmc:
      if (fault_ == Fault::kIntmcIgnored) return false;
      mask_ &= ~low;
      break;
    case nvme::kRegAsq:
      if (cc_.en && fault_ == Fault::kAdminQueueMoves) moved_by_ = *value - asq_;
      break;
    case nvme::kRegCc: {
      WatchCc(*value);
      nvme::Cc cc = nvme::Cc::Decode(low);
      if (fault_ == Fault::kAlwaysRoundRobin) cc.ams = 0;
      if (fault_ == Fault::kAlwaysWeighted) cc.ams = 1;
      if (fault_ == Fault::kShutdownNotActedOn) cc.shn = 0;
      if (fault_ != Fault::kNone) *value = cc.Encode();
      break;
    }
    default:
      break;
  }
  return true;
}

void FaultyPort::WatchCc(std::uint64_t value) {
  const nvme::Cc cc = nvme::Cc::Decode(static_cast<std::uint32_t>(value));
  if (cc.en && !cc_.en) {
    asq_ = written_[nvme::kRegAsq];
    acq_ = written_[nvme::kRegAcq];
    aqa_ = static_cast<std::uint32_t>(written_[nvme::kRegAqa]);
    moved_by_ = 0;
    rings_.clear();
    stale_due_ = reset_count_ > 0;
    if (fault_ == Fault::kFetchesEarly) {
      nvme::Sqe sqe;
      static_cast<void>(host_->DmaRead(asq_, &sqe, sizeof sqe));
    }
  }
  if (!cc.en && cc_.en) {
    ++reset_count_;
    dead_ = fault_ == Fault::kDeadAfterTwoResets && reset_count_ >= 2;
  }
  cc_ = cc;
}

bool FaultyPort::FalsifyDoorbell(std::uint32_t* offset, std::uint64_t* value) {
  const std::uint32_t stride = 4u << dstrd_;
  const std::uint32_t index = (*offset - nvme::kRegDoorbells) / stride;
  const bool is_tail = index % 2 == 0;
  const std::uint32_t qid = index / 2;
  if (fault_ == Fault::kEarlyDoorbellsKept) {
    if (!ready_seen_) early_.push_back({*offset, *value});
    return ready_seen_;
  }
  if (fault_ == Fault::kDeadBeyondRange && qid >= sq_count_) dead_ = true;
  if (fault_ == Fault::kGapsAreDoorbells) *offset -= (*offset - nvme::kRegDoorbells) % stride;
  if (fault_ == Fault::kUpperBitsMatter && (*value >> 16) != 0) return false;
  if (!is_tail) {
    if (fault_ == Fault::kCqHeadLost && qid != 0) return false;
    if (fault_ == Fault::kCqHeadMovesSqTail) device_->MmioWrite(*offset - stride, *value, 4);
    return true;
  }
  switch (fault_) {
    case Fault::kDoorbellNeighbour:
      if (qid != 0) *offset += 2 * stride;
      break;
    case Fault::kTailOneMore:
      if (qid != 0) ++*value;
      break;
    case Fault::kTailOneLess:
      if (qid != 0 && *value > 0) --*value;
      break;
    case Fault::kSecondTailLost:
      return qid == 0 || ++rings_[*offset] != 2;
    case Fault::kBadTailIgnored:
      return *value != 0xffff;
    default:
      break;
  }
  return true;
}

bool FaultyPort::IsAdminSqe(std::uint64_t address) const {
  const std::uint64_t bytes = (std::uint64_t{aqa_ & 0xfff} + 1) * nvme::kSqeBytes;
  return address >= asq_ && address < asq_ + bytes;
}

bool FaultyPort::IsAdminCqe(std::uint64_t address) const {
  const std::uint64_t bytes = (std::uint64_t{(aqa_ >> 16) & 0xfff} + 1) * nvme::kCqeBytes;
  return address >= acq_ && address < acq_ + bytes;
}

bool FaultyPort::DmaRead(std::uint64_t address, void* destination, std::size_t bytes) {
  const bool is_admin = IsAdminSqe(address);
  if (is_admin) address += moved_by_;
  if (fault_ == Fault::kReadsTwice) static_cast<void>(host_->DmaRead(address, destination, bytes));
  if (!host_->DmaRead(address, destination, bytes)) return false;
  if (bytes != nvme::kSqeBytes) return true;
  if (fault_ == Fault::kReadsBeyondTail) {
    nvme::Sqe next;
    static_cast<void>(host_->DmaRead(address + nvme::kSqeBytes, &next, sizeof next));
  }
  nvme::Sqe sqe;
  std::memcpy(&sqe, destination, sizeof sqe);
  WatchSqe(&sqe, is_admin);
  std::memcpy(destination, &sqe, sizeof sqe);
  return true;
}

void FaultyPort::WatchSqe(nvme::Sqe* sqe, bool is_admin) {
  if (!is_admin) return;
  opcodes_[sqe->CommandId()] = sqe->Opcode();
  const bool log = sqe->Opcode() == static_cast<std::uint8_t>(nvme::AdminOpcode::kGetLogPage);
  if (log && fault_ == Fault::kRetainIgnored) sqe->cdw10 &= ~0x8000u;
}

bool FaultyPort::DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) {
  if (bytes != nvme::kCqeBytes || fault_ == Fault::kNone) {
    return host_->DmaWrite(address, source, bytes);
  }
  nvme::Cqe cqe;
  std::memcpy(&cqe, source, sizeof cqe);
  const bool is_admin = IsAdminCqe(address);
  lost_ = false;
  FalsifyCqe(&cqe, is_admin);
  if (is_admin) last_admin_cqe_ = cqe;
  return lost_ || host_->DmaWrite(address, &cqe, sizeof cqe);
}

void FaultyPort::FalsifyCqe(nvme::Cqe* cqe, bool is_admin) {
  const bool phase = cqe->Phase();
  if (fault_ == Fault::kSqhdOneMore) ++cqe->sqhd;
  if (!is_admin) {
    lost_ = fault_ == Fault::kCompletionsLost && ++io_cqe_count_ % 8 == 0;
    return;
  }
  const auto opcode = static_cast<nvme::AdminOpcode>(opcodes_[cqe->cid]);
  if (fault_ == Fault::kErrorsSucceed) cqe->SetStatusPhase(nvme::Status::kSuccess, false, phase);
  if (fault_ == Fault::kCreationFails && opcode == nvme::AdminOpcode::kCreateIoSq) {
    cqe->SetStatusPhase(nvme::Status::kInvalidField, true, phase);
  }
  if (fault_ == Fault::kFeatureOff && opcode == nvme::AdminOpcode::kGetFeatures) cqe->dw0 ^= 0x100;
  if (fault_ == Fault::kAbortClaims && opcode == nvme::AdminOpcode::kAbort) cqe->dw0 = 0;
}

}  // namespace nvmearb::conformance
