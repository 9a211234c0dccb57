// SPDX-License-Identifier: Apache-2.0
#include "ssd/testing/test_host.h"

#include <cstring>

#include "nvme/admin_commands.h"
#include "nvme/base/check.h"

namespace nvmearb::ssd {
namespace {
constexpr std::uint64_t kPageBytes = 4096;
constexpr TimePs kStepPs = 1'000'000;              // 1 us
constexpr TimePs kPatiencePs = 1'000'000'000'000;  // 1 s
constexpr std::size_t kMostInterrupts = 4096;
}  // namespace

TestHost::TestHost(Kernel* kernel, nvme::DevicePort* device, std::size_t memory_bytes)
    : kernel_(kernel), device_(device), memory_(memory_bytes), pairs_(1025) {
  device_->AttachHost(this);
}

bool TestHost::IsMapped(std::uint64_t address, std::size_t bytes) const {
  if (address < kMemoryBase || bytes > memory_.size()) return false;
  if (address - kMemoryBase > memory_.size() - bytes) return false;
  return hole_bytes_ == 0 || address + bytes <= hole_base_ || address >= hole_base_ + hole_bytes_;
}

bool TestHost::DmaRead(std::uint64_t address, void* destination, std::size_t bytes) {
  if (!IsMapped(address, bytes)) return false;
  std::memcpy(destination, At(address), bytes);
  return true;
}

bool TestHost::DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) {
  if (!IsMapped(address, bytes)) return false;
  std::memcpy(At(address), source, bytes);
  return true;
}

void TestHost::Interrupt(std::uint16_t vector) {
  if (interrupts_.size() < kMostInterrupts) interrupts_.push_back(vector);
  if (on_interrupt) on_interrupt(vector);
}

std::uint64_t TestHost::Allocate(std::size_t bytes) {
  const std::uint64_t address = next_free_;
  next_free_ += (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  NVMEARB_CHECK(next_free_ - kMemoryBase <= memory_.size(), "the test host has memory enough");
  std::memset(At(address), 0, bytes);
  return address;
}

void TestHost::OpenPair(std::uint16_t qid, std::uint32_t size_count) {
  Pair pair;
  pair.sq_base = Allocate(std::size_t{size_count} * nvme::kSqeBytes);
  pair.cq_base = Allocate(std::size_t{size_count} * nvme::kCqeBytes);
  pair.size_count = size_count;
  pairs_[qid] = pair;
}

void TestHost::Enable(std::uint8_t ams) {
  OpenPair(0, kAdminEntries);
  Write32(nvme::kRegAqa, nvme::Aqa{kAdminEntries, kAdminEntries}.Encode());
  device_->MmioWrite(nvme::kRegAsq, pairs_[0].sq_base, 8);
  device_->MmioWrite(nvme::kRegAcq, pairs_[0].cq_base, 8);
  nvme::Cc cc;
  cc.ams = ams;
  cc.iosqes = 6;
  cc.iocqes = 4;
  Write32(nvme::kRegCc, cc.Encode());
  cc.en = true;
  Write32(nvme::kRegCc, cc.Encode());
  for (TimePs waited = 0; waited < kPatiencePs; waited += kStepPs) {
    const nvme::Csts csts = nvme::Csts::Decode(Read32(nvme::kRegCsts));
    if (csts.rdy || csts.cfs) return;
    Run(kStepPs);
  }
}

void TestHost::Disable() {
  Write32(nvme::kRegCc, Read32(nvme::kRegCc) & ~1u);
  for (TimePs waited = 0; waited < kPatiencePs; waited += kStepPs) {
    if (!nvme::Csts::Decode(Read32(nvme::kRegCsts)).rdy) return;
    Run(kStepPs);
  }
}

void TestHost::Place(std::uint16_t qid, const nvme::Sqe& sqe) {
  Pair& p = pairs_[qid];
  std::memcpy(At(p.sq_base + std::uint64_t{p.tail} * nvme::kSqeBytes), &sqe, sizeof sqe);
  p.tail = p.tail + 1 == p.size_count ? 0 : p.tail + 1;
}

void TestHost::Ring(std::uint16_t qid) { Write32(nvme::SqTailDoorbell(qid, 0), pairs_[qid].tail); }

bool TestHost::Reap(std::uint16_t qid, nvme::Cqe* cqe) {
  Pair& p = pairs_[qid];
  std::memcpy(cqe, At(p.cq_base + std::uint64_t{p.head} * nvme::kCqeBytes), sizeof *cqe);
  if (cqe->Phase() != p.phase) return false;
  p.sqhd = cqe->sqhd;
  if (++p.head == p.size_count) {
    p.head = 0;
    p.phase = !p.phase;
  }
  return true;
}

void TestHost::RingHead(std::uint16_t qid) {
  Write32(nvme::CqHeadDoorbell(qid, 0), pairs_[qid].head);
}

nvme::Cqe TestHost::Admin(const nvme::Sqe& sqe) {
  Place(0, sqe);
  Ring(0);
  nvme::Cqe cqe;
  for (TimePs waited = 0; waited < kPatiencePs; waited += kStepPs) {
    Run(kStepPs);
    if (!Reap(0, &cqe)) continue;
    RingHead(0);
    return cqe;
  }
  NVMEARB_CHECK(false, "an admin command was not completed within 1 s");
  return cqe;
}

nvme::Status TestHost::CreatePair(std::uint16_t qid, std::uint32_t size_count, std::uint8_t qprio) {
  OpenPair(qid, size_count);
  nvme::CreateIoCq cq;
  cq.prp1 = pairs_[qid].cq_base;
  cq.qid = qid;
  cq.size_zb = static_cast<std::uint16_t>(size_count - 1);
  cq.vector = qid;
  cq.interrupts = true;
  const nvme::Status status = Admin(cq.Encode(NextCid())).GetStatus();
  if (status != nvme::Status::kSuccess) return status;
  nvme::CreateIoSq sq;
  sq.prp1 = pairs_[qid].sq_base;
  sq.qid = qid;
  sq.size_zb = cq.size_zb;
  sq.cqid = qid;
  sq.qprio = qprio;
  return Admin(sq.Encode(NextCid())).GetStatus();
}

}  // namespace nvmearb::ssd
