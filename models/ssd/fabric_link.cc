// SPDX-License-Identifier: Apache-2.0
#include "ssd/fabric_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "nvme/admin_commands.h"
#include "nvme/base/check.h"
#include "nvme/io_commands.h"
#include "nvme/registers.h"

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kPsPerSecond = 1'000'000'000'000;
constexpr unsigned kBlockShift = 9;  // every preset has blocks of 512 bytes

}  // namespace

FabricLink::FabricLink(Kernel* kernel, nvme::DevicePort* device, const FabricLinkParams& params,
                       std::uint64_t seed, std::uint64_t stream)
    : kernel_(kernel), device_(device), params_(params), random_(seed, stream) {
  pairs_.resize(1);
}

void FabricLink::AttachHost(nvme::HostPort* host) {
  host_ = host;
  device_->AttachHost(this);
  dstrd_ = nvme::Cap::Decode(device_->MmioRead(nvme::kRegCap, 8)).dstrd;
}

std::uint64_t FabricLink::MmioRead(std::uint32_t offset, unsigned bytes) {
  return up_ ? device_->MmioRead(offset, bytes) : ~std::uint64_t{0} >> (64 - 8 * bytes);
}

void FabricLink::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  if (!up_) return;
  const auto doorbell = nvme::DecodeDoorbell(offset, dstrd_);
  if (!doorbell.has_value()) return Property(offset, value, bytes);
  const auto word = static_cast<std::uint32_t>(value);
  if (!doorbell->is_cq) return SendCommands(doorbell->qid, offset, word);
  Pair& pair = PairAt(doorbell->qid);
  pair.out_until = std::max(pair.out_until, kernel_->Now() + params_.latency_ps);
  Send(pair.out_until, Kind::kDoorbell, offset, word, nullptr, 0);
}

void FabricLink::Property(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  if (offset == nvme::kRegCc) {
    const bool enable = nvme::Cc::Decode(static_cast<std::uint32_t>(value)).en;
    if (!enable) Drop();
    if (enable) pairs_[0].sq_tail = 0;
  } else if (offset == nvme::kRegAqa) {
    const auto aqa = nvme::Aqa::Decode(static_cast<std::uint32_t>(value));
    pairs_[0].sq_size = aqa.sq_count;
    pairs_[0].cq_end = pairs_[0].cq_base + aqa.cq_count * nvme::kCqeBytes;
  } else if (offset == nvme::kRegAsq) {
    pairs_[0].sq_base = value & nvme::kQueueBaseMask;
  } else if (offset == nvme::kRegAcq) {
    Pair& admin = pairs_[0];
    admin.cq_end = (value & nvme::kQueueBaseMask) + (admin.cq_end - admin.cq_base);
    admin.cq_base = value & nvme::kQueueBaseMask;
  }
  device_->MmioWrite(offset, value, bytes);
}

/// One message per entry between the old tail and the new one. A doorbell that makes no sense goes
/// through as it is: the controller judges it.
void FabricLink::SendCommands(std::uint16_t qid, std::uint32_t offset, std::uint32_t tail) {
  Pair& pair = PairAt(qid);
  if (tail >= pair.sq_size || host_ == nullptr) {
    Send(kernel_->Now() + params_.latency_ps, Kind::kDoorbell, offset, tail, nullptr, 0);
    return;
  }
  while (pair.sq_tail != tail) {
    nvme::Sqe sqe;
    const bool read = host_->DmaRead(pair.sq_base + std::uint64_t{pair.sq_tail} * nvme::kSqeBytes,
                                     &sqe, nvme::kSqeBytes);
    const std::uint64_t data = read ? NoteCommand(qid, sqe) : 0;
    pair.sq_tail = pair.sq_tail + 1 == pair.sq_size ? 0 : pair.sq_tail + 1;
    ++statistics_.commands;
    statistics_.bytes_out += nvme::kSqeBytes + data;
    TimePs when = Occupy(&out_free_ps_, nvme::kSqeBytes + data) + params_.latency_ps;
    if (qid != 0 && params_.jitter_ps != 0) when += random_.Below(params_.jitter_ps + 1);
    pair.out_until = std::max(pair.out_until, when);
    Send(pair.out_until, Kind::kDoorbell, offset, pair.sq_tail, nullptr, 0);
  }
}

/// Bytes that travel with the command; remembers those that come back with its completion.
std::uint64_t FabricLink::NoteCommand(std::uint16_t qid, const nvme::Sqe& sqe) {
  if (qid == 0) {
    NoteAdmin(sqe);
    return 0;
  }
  Pair& pair = pairs_[qid];
  const std::uint16_t cid = sqe.CommandId();
  if (cid >= pair.read_bytes.size()) pair.read_bytes.resize(cid + 1u);
  const auto opcode = static_cast<nvme::IoOpcode>(sqe.Opcode());
  pair.read_bytes[cid] = 0;
  if (opcode != nvme::IoOpcode::kRead && opcode != nvme::IoOpcode::kWrite) return 0;
  const std::uint32_t bytes = nvme::ReadWrite::Decode(sqe).block_count << kBlockShift;
  if (opcode == nvme::IoOpcode::kWrite) return bytes;
  pair.read_bytes[cid] = bytes;
  return 0;
}

void FabricLink::NoteAdmin(const nvme::Sqe& sqe) {
  if (sqe.Opcode() == static_cast<std::uint8_t>(nvme::AdminOpcode::kCreateIoSq)) {
    const auto command = nvme::CreateIoSq::Decode(sqe);
    Pair& pair = PairAt(command.qid);
    pair.sq_base = command.prp1;
    pair.sq_size = command.size_zb + 1u;
    pair.sq_tail = 0;
  } else if (sqe.Opcode() == static_cast<std::uint8_t>(nvme::AdminOpcode::kCreateIoCq)) {
    const auto command = nvme::CreateIoCq::Decode(sqe);
    Pair& pair = PairAt(command.qid);
    pair.cq_base = command.prp1;
    pair.cq_end = command.prp1 + (command.size_zb + 1u) * nvme::kCqeBytes;
  }
}

FabricLink::Pair& FabricLink::PairAt(std::uint16_t qid) {
  if (qid >= pairs_.size()) pairs_.resize(qid + 1u);
  return pairs_[qid];
}

FabricLink::Pair* FabricLink::PairOfCq(std::uint64_t address) {
  for (Pair& pair : pairs_) {
    if (address >= pair.cq_base && address < pair.cq_end) return &pair;
  }
  return nullptr;
}

bool FabricLink::DmaRead(std::uint64_t address, void* destination, std::size_t bytes) {
  // The entries came with their messages.
  return host_ != nullptr && host_->DmaRead(address, destination, bytes);
}

bool FabricLink::DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) {
  if (!up_) {
    ++statistics_.dropped;
    return true;  // the controller does not learn of it
  }
  nvme::Cqe cqe;
  Pair* pair = nullptr;
  if (bytes == nvme::kCqeBytes) {
    std::memcpy(&cqe, source, sizeof cqe);
    // The completion queue of a pair has its submission queue's id in this host's driver.
    Pair* const likely = cqe.sqid < pairs_.size() ? &pairs_[cqe.sqid] : nullptr;
    const bool right = likely != nullptr && address >= likely->cq_base && address < likely->cq_end;
    pair = right ? likely : PairOfCq(address);
  }
  std::uint64_t travels = bytes;
  if (pair != nullptr) {
    ++statistics_.completions;
    if (cqe.cid < pair->read_bytes.size()) travels += pair->read_bytes[cqe.cid];
  }
  Pair& order = pair != nullptr ? *pair : pairs_[0];
  statistics_.bytes_in += travels;
  order.in_until = std::max(order.in_until, Occupy(&in_free_ps_, travels) + params_.latency_ps);
  last_in_ps_ = order.in_until;
  Send(order.in_until, Kind::kMemory, address, 0, source, bytes);
  return true;
}

void FabricLink::Interrupt(std::uint16_t vector) {
  if (!up_) return;
  Send(std::max(last_in_ps_, kernel_->Now()), Kind::kInterrupt, vector, 0, nullptr, 0);
}

/// The direction is busy with the message until the time returned.
TimePs FabricLink::Occupy(TimePs* free_from, std::uint64_t bytes) {
  TimePs time = params_.command_ps;
  if (params_.bandwidth_bytes_per_s != 0) {
    time += bytes * kPsPerSecond / params_.bandwidth_bytes_per_s;
  }
  *free_from = std::max(*free_from, kernel_->Now()) + time;
  return *free_from;
}

void FabricLink::Send(TimePs when, Kind kind, std::uint64_t where, std::uint32_t value,
                      const void* data, std::size_t bytes) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  Message& message = messages_[index];
  message.kind = kind;
  message.epoch = epoch_;
  message.where = where;
  message.value = value;
  const auto* const first = static_cast<const std::uint8_t*>(data);
  message.data.assign(first, first + bytes);
  ++waiting_;
  kernel_->Call<&FabricLink::Arrive>(when, this, index);
}

void FabricLink::Arrive(std::uint64_t index) {
  const Message& message = messages_[index];
  if (message.epoch == epoch_) {
    --waiting_;
    Deliver(message);
  }
  free_.push_back(static_cast<std::uint32_t>(index));
}

void FabricLink::Deliver(const Message& message) {
  switch (message.kind) {
    case Kind::kDoorbell:
      device_->MmioWrite(static_cast<std::uint32_t>(message.where), message.value, 4);
      break;
    case Kind::kMemory:
      // A host that has unmapped the buffer meanwhile gets nothing.
      static_cast<void>(host_->DmaWrite(message.where, message.data.data(), message.data.size()));
      break;
    case Kind::kInterrupt:
      host_->Interrupt(static_cast<std::uint16_t>(message.where));
      break;
  }
}

void FabricLink::Drop() {
  ++epoch_;
  statistics_.dropped += waiting_;
  waiting_ = 0;
  out_free_ps_ = in_free_ps_ = last_in_ps_ = 0;
  for (Pair& pair : pairs_) pair.out_until = pair.in_until = 0;
}

void FabricLink::Down() {
  up_ = false;
  Drop();
}

std::string FabricLink::Describe() const {
  return fmt::format(
      "link {}, {} messages on their way, {} commands sent, {} completions came, {} "
      "dropped\n",
      up_ ? "up" : "down", waiting_, statistics_.commands, statistics_.completions,
      statistics_.dropped);
}

}  // namespace nvmearb::ssd
