// SPDX-License-Identifier: Apache-2.0
#include "conformance/host.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "nvme/base/check.h"
#include "nvme/io_commands.h"
#include "nvme/log_pages.h"
#include "ssd/platform.h"

namespace nvmearb::conformance {

namespace {

constexpr std::uint64_t kPageBytes = 4096;
/// No status that a controller gives.
constexpr auto kNoAnswer = static_cast<nvme::Status>(0x7ff);

}  // namespace

Host::Host(Device* device)
    : device_(device),
      port_(&device->port()),
      kernel_(&ssd::Platform::Instance().kernel()),
      dstrd_(device->build().dstrd),
      memory_(static_cast<std::uint8_t*>(std::calloc(kMemoryBytes, 1))),
      sqs_(device->build().sq_count),
      cqs_(device->build().sq_count),
      lives_(device->build().sq_count) {
  NVMEARB_CHECK(memory_ != nullptr, "host memory");
  port_->AttachHost(this);
  device->checked().SetMemory(this);
}

Host::~Host() { device_->checked().SetMemory(nullptr); }

// --- Life of the controller ---------------------------------------------------------------------

void Host::PrepareAdminQueue(std::uint32_t sq_size_count, std::uint32_t cq_size_count) {
  OpenSq(0, {sq_size_count, 0, 0});
  sqs_[0].exists = true;
  cqs_[0] = Cq{};
  cqs_[0].base = Allocate(std::size_t{cq_size_count} * nvme::kCqeBytes);
  cqs_[0].size_count = cq_size_count;
  Write32(nvme::kRegAqa, nvme::Aqa{sq_size_count, cq_size_count}.Encode());
  Write64(nvme::kRegAsq, sqs_[0].base);
  Write64(nvme::kRegAcq, cqs_[0].base);
}

std::uint32_t Host::CcValue(std::uint8_t ams, bool en) {
  nvme::Cc cc;
  cc.en = en;
  cc.ams = ams;
  cc.iosqes = 6;
  cc.iocqes = 4;
  return cc.Encode();
}

bool Host::Enable(std::uint8_t ams) {
  PrepareAdminQueue();
  Write32(nvme::kRegCc, CcValue(ams));
  return RunUntil([this] { return Csts().rdy; });
}

bool Host::Disable() {
  Write32(nvme::kRegCc, 0);
  const bool down = RunUntil([this] { return !Csts().rdy; });
  ForgetQueues();
  return down;
}

void Host::ForgetQueues() {
  for (Sq& sq : sqs_) sq = Sq{};
  for (Cq& cq : cqs_) cq = Cq{};
  admin_done_.clear();
  deletions_.clear();
}

// --- Admin commands -----------------------------------------------------------------------------

std::uint16_t Host::Send(nvme::Sqe sqe) {
  const std::uint16_t cid = next_cid_++;
  sqe.SetCommandId(cid);
  Place(0, sqe);
  Ring(0);
  return cid;
}

nvme::Cqe Host::Await(std::uint16_t cid, ssd::TimePs limit) {
  RunUntil([&] { return Find(cid) != nullptr; }, limit);
  if (const Completion* const completion = Find(cid)) return completion->cqe;
  nvme::Cqe none;
  none.SetStatusPhase(kNoAnswer, false, false);
  return none;
}

nvme::Status Host::CreateCq(std::uint16_t cqid, std::uint32_t size_count) {
  Cq& cq = cqs_[cqid];
  cq = Cq{};
  cq.base = Allocate(std::size_t{size_count} * nvme::kCqeBytes);
  cq.size_count = size_count;
  nvme::CreateIoCq command;
  command.prp1 = cq.base;
  command.qid = cqid;
  command.size_zb = static_cast<std::uint16_t>(size_count - 1);
  command.vector = cqid;
  command.interrupts = true;
  return Admin(command.Encode(0)).GetStatus();
}

void Host::OpenSq(std::uint16_t sqid, const SqOptions& options) {
  Sq& sq = sqs_[sqid];
  sq = Sq{};
  sq.base = Allocate(std::size_t{options.size_count} * nvme::kSqeBytes);
  sq.size_count = options.size_count;
  sq.cqid = options.cqid == 0 ? sqid : options.cqid;
  const std::uint64_t end = sq.base + std::uint64_t{options.size_count} * nvme::kSqeBytes;
  rings_[sq.base] = {end, sqid, ++lives_[sqid]};
}

nvme::CreateIoSq Host::PrepareSq(std::uint16_t sqid, const SqOptions& options) {
  OpenSq(sqid, options);
  nvme::CreateIoSq command;
  command.prp1 = sqs_[sqid].base;
  command.qid = sqid;
  command.size_zb = static_cast<std::uint16_t>(options.size_count - 1);
  command.cqid = sqs_[sqid].cqid;
  command.qprio = options.qprio;
  return command;
}

nvme::Status Host::CreateSq(std::uint16_t sqid, const SqOptions& options) {
  const nvme::Status status = Admin(PrepareSq(sqid, options).Encode(0)).GetStatus();
  sqs_[sqid].exists = status == nvme::Status::kSuccess;
  return status;
}

nvme::Status Host::DeleteSq(std::uint16_t sqid) {
  const std::uint16_t cid = Send(nvme::DeleteIoSq{sqid}.Encode(0));
  if (sqid != 0 && sqid < sqs_.size()) deletions_[cid] = sqid;
  return Await(cid).GetStatus();
}

nvme::Status Host::DeleteCq(std::uint16_t cqid) {
  return Admin(nvme::DeleteIoCq{cqid}.Encode(0)).GetStatus();
}

bool Host::CreatePair(std::uint16_t sqid, std::uint8_t qprio, std::uint32_t size_count) {
  return CreateCq(sqid, size_count) == nvme::Status::kSuccess &&
         CreateSq(sqid, {size_count, qprio, 0}) == nvme::Status::kSuccess;
}

bool Host::CreatePairs(const std::vector<std::uint8_t>& qprios, std::uint32_t size_count) {
  for (std::size_t i = 0; i < qprios.size(); ++i) {
    if (!CreatePair(static_cast<std::uint16_t>(i + 1), qprios[i], size_count)) return false;
  }
  return true;
}

bool Host::SetArbitration(std::uint8_t ab, unsigned high, unsigned medium, unsigned low) {
  const std::uint32_t value = nvme::ArbitrationFeature::FromCounts(ab, high, medium, low).Encode();
  const nvme::SetFeatures command{static_cast<std::uint8_t>(nvme::FeatureId::kArbitration), false,
                                  value, 0};
  return Admin(command.Encode(0)).GetStatus() == nvme::Status::kSuccess;
}

std::uint16_t Host::RequestEvent() {
  const std::uint16_t cid = Send(nvme::AsyncEventRequest::Encode(0));
  Run(5 * kUs);
  return cid;
}

const Completion* Host::Find(std::uint16_t cid) const {
  const auto found = admin_done_.find(cid);
  return found == admin_done_.end() ? nullptr : &completions_[found->second];
}

nvme::Status Host::ReadErrorLog(bool retain_event) {
  nvme::GetLogPage command;
  command.lid = static_cast<std::uint8_t>(nvme::LogPage::kErrorInformation);
  command.retain_event = retain_event;
  command.dword_count = sizeof(nvme::ErrorLogEntry) / 4;
  command.prp1 = Allocate(kPageBytes);
  return Admin(command.Encode(0)).GetStatus();
}

// --- I/O ----------------------------------------------------------------------------------------

void Host::Place(std::uint16_t sqid, const nvme::Sqe& sqe) {
  Sq& sq = sqs_[sqid];
  std::memcpy(At(sq.base + std::uint64_t{sq.tail} * nvme::kSqeBytes), &sqe, sizeof sqe);
  sq.tail = sq.tail + 1 == sq.size_count ? 0 : sq.tail + 1;
  ++sq.placed;
}

void Host::Place(std::uint16_t sqid, unsigned count, Work work) {
  for (unsigned i = 0; i < count; ++i) {
    const auto cid = static_cast<std::uint16_t>(sqs_[sqid].placed);
    if (sqid == 0) {
      Place(0, nvme::GetFeatures{1, 0, 0}.Encode(next_cid_++));
    } else {
      Place(sqid, work == Work::kSlow ? nvme::Flush{}.Encode(cid) : nvme::ReadWrite{}.Encode(cid));
    }
  }
}

void Host::Ring(std::uint16_t sqid) {
  Sq& sq = sqs_[sqid];
  sq.rung = sq.placed;
  Write32(TailDoorbell(sqid), sq.tail);
}

std::uint32_t Host::FreeSlots(std::uint16_t sqid) const {
  const Sq& sq = sqs_[sqid];
  return static_cast<std::uint32_t>(sq.size_count - 1 - (sq.placed - sq.consumed));
}

void Host::GiveBack(std::uint16_t cqid) {
  cqs_[cqid].unreported = 0;
  Write32(HeadDoorbell(cqid), cqs_[cqid].head);
}

bool Host::RunUntilDone(unsigned open) {
  return RunUntil([&] {
    std::uint64_t left = 0;
    for (const Sq& sq : sqs_) {
      if (!sq.exists) continue;
      if (sq.fetched != sq.rung) return false;
      left += sq.rung - sq.completed;
    }
    return left <= open;
  });
}

// --- Memory -------------------------------------------------------------------------------------

std::uint64_t Host::Allocate(std::size_t bytes) {
  const std::uint64_t address = next_free_;
  next_free_ += (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  NVMEARB_CHECK(next_free_ <= kMemoryBase + kMemoryBytes, "a check needs more host memory");
  return address;
}

bool Host::IsMemory(std::uint64_t address, std::size_t bytes) const {
  return address >= kMemoryBase && bytes <= kMemoryBytes &&
         address - kMemoryBase <= kMemoryBytes - bytes;
}

bool Host::Peek(std::uint64_t address, void* destination, std::size_t bytes) {
  if (!IsMemory(address, bytes)) return false;
  std::memcpy(destination, At(address), bytes);
  return true;
}

bool Host::DmaRead(std::uint64_t address, void* destination, std::size_t bytes) {
  if (poison_.count(address) != 0 || !IsMemory(address, bytes)) return false;
  std::memcpy(destination, At(address), bytes);
  if (bytes == nvme::kSqeBytes) RecordRead(address);
  return true;
}

bool Host::DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) {
  if (poison_.count(address) != 0 || !IsMemory(address, bytes)) return false;
  std::memcpy(At(address), source, bytes);
  return true;
}

void Host::Violation(const std::string& text) {
  if (violations_.size() < 2000) violations_ += fmt::format("at {} ps: {}\n", Now(), text);
}

void Host::RecordRead(std::uint64_t address) {
  auto found = rings_.upper_bound(address);
  if (found == rings_.begin()) return Violation(fmt::format("a read at {:x}h, no queue", address));
  const auto& [base, extent] = *--found;
  if (address >= extent.end || (address - base) % nvme::kSqeBytes != 0) {
    return Violation(fmt::format("a read at {:x}h, in no slot of a queue", address));
  }
  const auto slot = static_cast<std::uint32_t>((address - base) / nvme::kSqeBytes);
  const SqeRead read{extent.sqid, slot, Now()};
  Sq& sq = sqs_[read.sqid];
  if (!sq.exists || extent.life != lives_[read.sqid]) {
    Violation(fmt::format("slot {} of SQ {} read, which does not exist", slot, read.sqid));
  } else if (sq.fetched == sq.rung) {
    Violation(fmt::format("slot {} of SQ {} read, at or past its tail", slot, read.sqid));
  } else if (slot != sq.fetched % sq.size_count) {
    Violation(fmt::format("slot {} of SQ {} read, {} was next", slot, read.sqid,
                          sq.fetched % sq.size_count));
  }
  ++sq.fetched;
  reads_.push_back(read);
  if (on_read) on_read(read);
}

void Host::Interrupt(std::uint16_t vector) {
  Cq& cq = cqs_[vector];
  while (cq.size_count != 0) {
    nvme::Cqe cqe;
    std::memcpy(&cqe, At(cq.base + std::uint64_t{cq.head} * nvme::kCqeBytes), sizeof cqe);
    if (cqe.Phase() != cq.phase) return;
    if (++cq.head == cq.size_count) {
      cq.head = 0;
      cq.phase = !cq.phase;
    }
    ++cq.unreported;
    RecordCompletion(vector, cqe);
    if (cq.gives_back) GiveBack(vector);
  }
}

void Host::RecordCompletion(std::uint16_t cqid, const nvme::Cqe& cqe) {
  const Completion completion{cqid, cqe, Now()};
  if (cqid == 0) admin_done_[cqe.cid] = completions_.size();
  const auto deletion = deletions_.find(cqe.cid);
  if (cqid == 0 && deletion != deletions_.end()) {
    if (cqe.GetStatus() == nvme::Status::kSuccess) sqs_[deletion->second] = Sq{};
    deletions_.erase(deletion);
  }
  completions_.push_back(completion);
  if (cqe.sqid >= sqs_.size() || !sqs_[cqe.sqid].exists || sqs_[cqe.sqid].cqid != cqid) {
    Violation(fmt::format("a CQE in CQ {} for SQ {}, which is not mapped to it", cqid, cqe.sqid));
  } else {
    Sq& sq = sqs_[cqe.sqid];
    const std::uint64_t passed =
        (cqe.sqhd + sq.size_count - sq.consumed % sq.size_count) % sq.size_count;
    if (cqe.sqhd >= sq.size_count || sq.consumed + passed > sq.fetched) {
      Violation(fmt::format("SQ {}: SQHD {} is ahead of slot {}, which is not read yet", cqe.sqid,
                            cqe.sqhd, sq.fetched % sq.size_count));
    } else {
      sq.consumed += passed;
    }
    if (++sq.completed > sq.fetched) {
      Violation(fmt::format("SQ {}: more CQEs than commands", cqe.sqid));
    }
  }
  if (on_completion) on_completion(completion);
}

// --- What was seen ------------------------------------------------------------------------------

std::vector<Completion> Host::CompletionsOf(std::uint16_t cqid) const {
  std::vector<Completion> some;
  for (const Completion& completion : completions_) {
    if (completion.cqid == cqid) some.push_back(completion);
  }
  return some;
}

std::string Host::OrderFrom(std::uint16_t least_sqid) const {
  std::string text;
  unsigned run = 0;
  const SqeRead* last = nullptr;
  const auto end_run = [&] {
    if (run > 1) text += 'x' + std::to_string(run);
  };
  for (std::size_t i = mark_; i < reads_.size(); ++i) {
    if (reads_[i].sqid < least_sqid) continue;
    if (last != nullptr && last->sqid == reads_[i].sqid) {
      ++run;
      continue;
    }
    end_run();
    text += (text.empty() ? "" : " ") + std::to_string(reads_[i].sqid);
    run = 1;
    last = &reads_[i];
  }
  end_run();
  return text;
}

std::uint64_t Host::ReadCount(std::uint16_t sqid) const {
  std::uint64_t count = 0;
  for (std::size_t i = mark_; i < reads_.size(); ++i) count += reads_[i].sqid == sqid ? 1 : 0;
  return count;
}

Bench::Bench(const Build& build, const DeviceOptions& options)
    : device(build, options), host(&device) {}

Bench::~Bench() {
  EXPECT_EQ(host.violations(), "");
  EXPECT_EQ(device.Findings(ends_quiet), "");
}

}  // namespace nvmearb::conformance
