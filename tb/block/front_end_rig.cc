// SPDX-License-Identifier: Apache-2.0
#include "block/front_end_rig.h"

#include <fmt/format.h>

#include <cstring>

namespace nvmearb::tb {
namespace {

// Rings lie at (id + 1) << 24, plus what a test asks for; 65,536 entries of 64 bytes are 4 MiB.
constexpr unsigned kRingShift = 24;
constexpr std::uint32_t kCc = 0x14, kCsts = 0x1c, kAqa = 0x24, kAsq = 0x28, kAcq = 0x30;

}  // namespace

ssd::Kernel& FreshKernel() {
  static auto* const kernel =
      new ssd::Kernel("kernel");  // SystemC objects live as long as the process
  kernel->Reset();
  return *kernel;
}

FrontEndRig::FrontEndRig(Maker maker, const Config& config)
    : kernel_(FreshKernel()), config_(config), rtl_(maker(&kernel_, config.rtl)) {
  const ssd::FrontEndLimits limits = rtl_->Limits();
  sqs_.resize(limits.sq_count);
  cqs_.resize(limits.sq_count);
  rings_.resize(limits.sq_count);
  rtl_->Attach(this, this, this);
  rtl_->SetStraps(config.cap | (std::uint64_t{limits.dstrd} << 32), config.vs);
}

void FrontEndRig::Run(ssd::TimePs ps) { kernel_.RunUntil(kernel_.Now() + ps); }

bool FrontEndRig::Enable(bool wrr, std::uint32_t admin_size_count) {
  Write(kAqa, ((admin_size_count - 1) << 16) | (admin_size_count - 1));
  rtl_->MmioWrite(kAsq, std::uint64_t{1} << kRingShift, 8);
  rtl_->MmioWrite(kAcq, 0x8000'0000, 8);
  for (Sq& sq : sqs_) sq = Sq{};
  for (Cq& cq : cqs_) cq = Cq{};
  sqs_[0].exists = true;
  sqs_[0].base = std::uint64_t{1} << kRingShift;
  sqs_[0].size_count = admin_size_count;
  rings_[0].assign(std::size_t{admin_size_count} * 64, 0);
  cqs_[0].size_count = admin_size_count;
  Write(kCc, 0x00460001 | (wrr ? 0x800 : 0));
  return RunUntil([this] { return (Read(kCsts) & 1) != 0; });
}

bool FrontEndRig::Disable() {
  Write(kCc, 0x00460000);
  return RunUntil([this] { return (Read(kCsts) & 1) == 0; });
}

bool FrontEndRig::Create(std::uint16_t id, std::uint32_t size_count, arbiter::SqClass sq_class,
                         std::uint64_t base) {
  Sq& sq = sqs_[id];
  sq = Sq{};
  sq.exists = true;
  sq.base = base != 0 ? base : (std::uint64_t{id} + 1) << kRingShift;
  sq.size_count = size_count;
  sq.cqid = id;
  rings_[id].assign(std::size_t{size_count} * 64, 0);
  cqs_[id] = Cq{};
  cqs_[id].size_count = size_count;
  const unsigned before = config_done_count_;
  rtl_->CreateCq({id, size_count});
  rtl_->CreateSq({id, id, size_count, sq_class, sq.base});
  return RunUntil([&] { return config_done_count_ == before + 2; });
}

bool FrontEndRig::SetArbitration(const arbiter::ArbitrationSettings& settings) {
  const unsigned before = config_done_count_;
  rtl_->SetArbitration(settings);
  return RunUntil([&] { return config_done_count_ == before + 1; });
}

std::uint32_t FrontEndRig::FreeEntries(unsigned id) const {
  const Sq& sq = sqs_[id];
  const auto present = static_cast<std::uint32_t>(sq.submitted_count - sq.received_count);
  return sq.size_count - 1 - present;
}

void FrontEndRig::Fill(std::uint8_t* sqe, unsigned id, std::uint32_t slot, std::uint64_t number) {
  const std::uint64_t flip = number % 2 != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t head = number ^ flip;
  const std::uint64_t place = ((std::uint64_t{id} << 32) | slot) ^ flip;
  std::memcpy(sqe, &head, 8);
  std::memcpy(sqe + 8, &place, 8);
  for (unsigned i = 16; i < 64; ++i) {
    sqe[i] = static_cast<std::uint8_t>(number * 31 + i * 7 + id);
  }
}

void FrontEndRig::Submit(unsigned id, std::uint32_t count) {
  Sq& sq = sqs_[id];
  for (std::uint32_t i = 0; i < count; ++i) {
    Fill(&rings_[id][std::size_t{sq.tail} * 64], id, sq.tail, sq.submitted_count++);
    sq.tail = sq.tail + 1 == sq.size_count ? 0 : sq.tail + 1;
  }
  Write(SqDoorbell(id), sq.tail);
}

void FrontEndRig::Consume(unsigned id) {
  Cq& cq = cqs_[id];
  if (cq.posted_count == 0) return;
  cq.head = (cq.head + cq.posted_count) % cq.size_count;
  cq.posted_count = 0;
  Write(CqDoorbell(id), cq.head);
}

void FrontEndRig::Record(std::string what) {
  if (keep_records_) calls_.push_back(fmt::format("{} {}", kernel_.Now(), what));
}

void FrontEndRig::Trouble(const std::string& what) {
  if (trouble_.empty()) trouble_ = fmt::format("at {} ps: {}", kernel_.Now(), what);
}

void FrontEndRig::OnEnable(const ssd::EnableConfig& config) {
  Record(fmt::format("enable {:x} {:x} {:x} {:x}", config.cc, config.aqa, config.asq, config.acq));
  ++enable_count_;
  ++life_;
  enable_config_ = config;
  rtl_->GiveSlots(config_.slot_count);
  kernel_.Call<&FrontEndRig::GetReady>(kernel_.Now() + config_.ready_delay_ps, this, life_);
}

void FrontEndRig::GetReady(std::uint64_t life) {
  if (life == life_) rtl_->SetReady(true);
}

void FrontEndRig::OnDisable() {
  Record("disable");
  ++disable_count_;
  ++life_;
  waiting_.clear();
  rtl_->SetReady(false);
}

void FrontEndRig::OnShutdown(std::uint8_t shn) {
  Record(fmt::format("shutdown {}", shn));
  rtl_->SetShutdownStatus(2);
}

void FrontEndRig::OnConfigDone() {
  Record("config done");
  ++config_done_count_;
}

void FrontEndRig::OnCommand(const ssd::FetchedCommand& command) {
  ++received_count_;
  if (command.sqid >= sqs_.size() || !sqs_[command.sqid].exists) {
    return Trouble(fmt::format("command of SQ {}", command.sqid));
  }
  Sq& sq = sqs_[command.sqid];
  std::uint8_t expected[64];
  Fill(expected, command.sqid, sq.next_slot, sq.received_count);
  if (std::memcmp(expected, command.sqe.data(), 64) != 0) {
    Trouble(fmt::format("SQ {} slot {}: wrong bytes", command.sqid, sq.next_slot));
  }
  if (sq.received_count >= sq.submitted_count) {
    Trouble(fmt::format("SQ {}: a command that was not submitted", command.sqid));
  }
  sq.next_slot = sq.next_slot + 1 == sq.size_count ? 0 : sq.next_slot + 1;
  ++sq.received_count;
  if (command.sqhd != sq.next_slot || command.cqid != sq.cqid) {
    Trouble(fmt::format("SQ {}: SQHD {} CQ {}, expected {} {}", command.sqid, command.sqhd,
                        command.cqid, sq.next_slot, sq.cqid));
  }
  if (keep_records_) {
    Record(fmt::format("command {} {} {}", command.sqid, command.sqhd,
                       static_cast<int>(command.sq_class)));
  }
  if (!config_.complete) return waiting_.push({command.sqid, command.cqid});
  if (config_.service_ps == 0) return Finish(command.sqid, command.cqid);
  kernel_.Call<&FrontEndRig::Serve>(
      kernel_.Now() + config_.service_ps, this,
      (life_ << 32) | (std::uint64_t{command.sqid} << 16) | command.cqid);
}

void FrontEndRig::Serve(std::uint64_t packed) {
  if (packed >> 32 != life_) return;  // of the time before a reset
  Finish(static_cast<std::uint16_t>(packed >> 16), static_cast<std::uint16_t>(packed));
}

void FrontEndRig::Finish(std::uint16_t sqid, std::uint16_t cqid) {
  ++cqs_[cqid].posted_count;
  rtl_->Complete(sqid, cqid, true);
  rtl_->GiveSlots(1);
  if (consume_at_once_) Consume(cqid);
}

void FrontEndRig::OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) {
  errors_.push_back(fmt::format("{} {} {}", is_cq ? "cq" : "sq", qid, static_cast<int>(error)));
  Record("doorbell error " + errors_.back());
}

void FrontEndRig::OnFetchError(std::uint16_t sqid) {
  ++fetch_error_count_;
  Record(fmt::format("fetch error {}", sqid));
}

bool FrontEndRig::Read(std::uint64_t address, void* destination, std::size_t bytes) {
  if (poison_ != 0 && address == poison_) return false;
  for (std::size_t id = 0; id < sqs_.size(); ++id) {
    const Sq& sq = sqs_[id];
    if (!sq.exists || address < sq.base || address + bytes > sq.base + rings_[id].size()) continue;
    std::memcpy(destination, &rings_[id][address - sq.base], bytes);
    return true;
  }
  Trouble(fmt::format("read of {:x}, where no ring is", address));
  return false;
}

bool FrontEndRig::Write(std::uint64_t, const void*, std::size_t) { return false; }

void FrontEndRig::OnEvent(const arbiter::Event& event) {
  if (keep_records_) events_.push_back(event);
}

}  // namespace nvmearb::tb
