// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/stress_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "nvme/base/check.h"
#include "nvme/registers.h"

namespace nvmearb::tb {

using arbiter::SqClass;

namespace {

constexpr std::uint32_t kSqeBytes = 64;
constexpr std::uint64_t kQueueStrideBytes = 1u << 20;
constexpr std::uint64_t kFinishClocks = 20'000;
constexpr unsigned kFinishSlots = 64;
constexpr std::uint32_t kAdminSizeCount = 32;

}  // namespace

StressHost::StressHost(CheckedFrontEnd* front_end, ssd::Kernel* kernel,
                       const StressParameters& parameters)
    : front_end_(front_end),
      kernel_(kernel),
      parameters_(parameters),
      random_(parameters.seed, 99),
      limits_(front_end->Limits()),
      sqs_(limits_.sq_count),
      cqs_(limits_.sq_count),
      lives_(limits_.sq_count, 0) {
  front_end_->Attach(this, this, nullptr);
  front_end_->SetMemory(this);
  nvme::Cap cap;
  cap.mqes_zb = static_cast<std::uint16_t>(limits_.queue_size_count - 1);
  cap.cqr = true;
  cap.ams = nvme::kCapAmsWeightedRoundRobin;
  cap.timeout_500ms = 1;
  cap.dstrd = static_cast<std::uint8_t>(limits_.dstrd);
  cap.css = 1;
  front_end_->SetStraps(cap.Encode(), nvme::MakeVersion(1, 4, 0));
}

void StressHost::Run() {
  Enable();
  kernel_->Call<&StressHost::Operate>(kernel_->Now(), this);
  while (operation_count_ < parameters_.operation_count) RunFor(100'000);
  front_end_->GiveSlots(kFinishSlots);
  std::uint64_t before = 0;
  do {  // Operate() goes on with completions alone
    before = command_count_;
    RunFor(kFinishClocks);
  } while (command_count_ != before);
  is_finished_ = true;
  RunFor(kFinishClocks);
  front_end_->judge().ExpectQuiet();
  for (std::size_t i = 0; i < sqs_.size(); ++i) {
    const Sq& sq = sqs_[i];
    if (!sq.exists || sq.is_deleting || sq.is_halted || state_ != State::kOn) continue;
    if (sq.delivered_count == sq.submitted_count) continue;
    front_end_->judge().log().Report(Rule::kDelivery, static_cast<std::uint16_t>(i),
                                     fmt::format("{} commands of SQ {} submitted, {} handed on",
                                                 sq.submitted_count, i, sq.delivered_count));
  }
}

void StressHost::RunFor(std::uint64_t clocks) {
  kernel_->RunUntil(kernel_->Now() + clocks * parameters_.clock_ps);
}

arbiter::ArbitrationSettings StressHost::RandomSettings() {
  auto weight = [&] {
    return static_cast<std::uint8_t>(random_.Below(random_.Below(6) == 0 ? 256 : 7));
  };
  arbiter::ArbitrationSettings settings;
  settings.ab = static_cast<std::uint8_t>(random_.Below(8));
  settings.hpw_zb = weight();
  settings.mpw_zb = weight();
  settings.lpw_zb = weight();
  return settings;
}

void StressHost::Enable() {
  state_ = State::kStarting;
  busy_ = 1 + random_.Below(30);
  most_size_count_ = random_.Below(3) == 0 ? 6 : 64;
  std::fill(sqs_.begin(), sqs_.end(), Sq{});
  sqs_[0].exists = true;
  sqs_[0].size_count = kAdminSizeCount;
  sqs_[0].entries.resize(std::size_t{kAdminSizeCount} * kSqeBytes);
  std::fill(cqs_.begin(), cqs_.end(), Cq{});
  cqs_[0].size_count = kAdminSizeCount;
  const std::uint32_t size_zb = kAdminSizeCount - 1;
  front_end_->MmioWrite(nvme::kRegAqa, (size_zb << 16) | size_zb, 4);
  front_end_->MmioWrite(nvme::kRegAsq, kQueueStrideBytes, 8);
  front_end_->MmioWrite(nvme::kRegAcq, 0, 8);
  nvme::Cc cc;
  cc.en = true;
  cc.ams = random_.Below(3) == 0 ? 0 : 1;
  cc.iosqes = 6;
  cc.iocqes = 4;
  front_end_->MmioWrite(nvme::kRegCc, cc.Encode(), 4);
}

void StressHost::OnEnable(const ssd::EnableConfig& /*config*/) {
  state_ = State::kCreating;
  front_end_->SetReady(true);
  front_end_->SetArbitration(RandomSettings());
  calls_.push_back({Call::Kind::kOther, 0});
  for (std::uint16_t cqid = 1; cqid < cqs_.size(); ++cqid) {
    cqs_[cqid].size_count = static_cast<std::uint32_t>(
        random_.InRange(2, random_.Below(2) == 0 ? 5 : most_size_count_));
    front_end_->CreateCq({cqid, cqs_[cqid].size_count});
    calls_.push_back({Call::Kind::kOther, 0});
  }
  for (std::uint16_t sqid = 1; sqid < sqs_.size(); ++sqid) CreateSq(sqid);
  front_end_->GiveSlots(static_cast<unsigned>(random_.InRange(2, 40)));
}

void StressHost::CreateSq(std::uint16_t sqid) {
  Sq& sq = sqs_[sqid];
  sq = {};
  sq.cqid = random_.Below(2) == 0 ? sqid : AnyQueue();
  if (sq.cqid == 0) sq.cqid = sqid;
  sq.size_count = static_cast<std::uint32_t>(random_.InRange(2, most_size_count_));
  sq.entries.resize(std::size_t{sq.size_count} * kSqeBytes);
  ++lives_[sqid];
  front_end_->CreateSq({sqid, sq.cqid, sq.size_count, static_cast<SqClass>(random_.Below(4)),
                        kQueueStrideBytes * (std::uint64_t{sqid} + 1)});
  calls_.push_back({Call::Kind::kCreate, sqid});
}

void StressHost::OnConfigDone() {
  NVMEARB_CHECK(!calls_.empty(), "one answer per call");
  const Call call = calls_.front();
  calls_.erase(calls_.begin());
  if (call.kind == Call::Kind::kCreate) sqs_[call.sqid].exists = true;
  if (call.kind == Call::Kind::kDelete) {
    // Its memory stays: a command already captured may still be on its way here.
    sqs_[call.sqid].exists = false;
    sqs_[call.sqid].is_deleting = false;
  }
  if (calls_.empty() && state_ == State::kCreating) state_ = State::kOn;
}

void StressHost::OnDisable() {
  ++reset_count_;
  state_ = State::kOff;
  commands_.clear();
  calls_.clear();
  front_end_->SetReady(false);
}

void StressHost::OnCommand(const ssd::FetchedCommand& command) {
  ++command_count_;
  const std::uint64_t number = ++sqs_[command.sqid].delivered_count;
  commands_.push_back({command.sqid, command.cqid, lives_[command.sqid], number});
}

void StressHost::OnDoorbellError(arbiter::DoorbellError /*error*/, bool /*is_cq*/,
                                 std::uint16_t /*qid*/) {}

void StressHost::OnFetchError(std::uint16_t sqid) {
  front_end_->judge().log().Report(Rule::kBytes, sqid, "a fetch failed, but every slot is mapped");
}

bool StressHost::Read(std::uint64_t address, void* destination, std::size_t bytes) {
  const std::uint64_t number = address / kQueueStrideBytes;
  const std::uint64_t offset = address % kQueueStrideBytes;
  if (number == 0 || number > sqs_.size()) return false;
  const Sq& sq = sqs_[number - 1];
  if (offset + bytes > sq.entries.size()) return false;
  std::memcpy(destination, sq.entries.data() + offset, bytes);
  return true;
}

void StressHost::Ring(bool is_cq, std::uint16_t qid, std::uint32_t value) {
  const std::uint32_t index = 2u * qid + (is_cq ? 1 : 0);
  const auto garbage = static_cast<std::uint32_t>(random_.Below(2) == 0 ? random_.Below(65536) : 0);
  front_end_->MmioWrite(nvme::kRegDoorbells + index * (4u << limits_.dstrd),
                        (garbage << 16) | value, 4);
}

void StressHost::Submit(std::uint16_t sqid) {
  Sq& sq = sqs_[sqid];
  if (!sq.exists || sq.is_deleting || sq.is_halted) return;
  const auto free_count =
      static_cast<std::uint32_t>(sq.size_count - 1 - (sq.submitted_count - sq.consumed_count));
  if (free_count == 0) return;
  const std::uint64_t most = random_.Below(3) == 0 ? free_count : std::min(free_count, 3u);
  const auto count = static_cast<std::uint32_t>(random_.InRange(1, most));
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint8_t* sqe = sq.entries.data() + std::size_t{sq.tail} * kSqeBytes;
    for (std::uint32_t byte = 0; byte < kSqeBytes; byte += 8) {
      const std::uint64_t word = random_.Next();
      std::memcpy(sqe + byte, &word, 8);
    }
    sq.tail = arbiter::RingAdvance(sq.tail, 1, sq.size_count);
  }
  sq.submitted_count += count;
  Ring(false, sqid, sq.tail);
}

void StressHost::CompleteOne() {
  if (commands_.empty()) return;
  const std::size_t which = random_.Below(3) == 0 ? random_.Below(commands_.size()) : 0;
  const Command command = commands_[which];
  commands_.erase(commands_.begin() + static_cast<long>(which));
  const bool posted = random_.Below(12) != 0;
  front_end_->Complete(command.sqid, command.cqid, posted);
  if (posted) ++cqs_[command.cqid].posted_count;
  Sq& sq = sqs_[command.sqid];
  if (sq.exists && command.life == lives_[command.sqid]) {
    // CQEs may come in any order; the head only ever moves on.
    sq.consumed_count = std::max(sq.consumed_count, command.number);
  }
  front_end_->GiveSlots(1);
}

void StressHost::Consume(std::uint16_t cqid) {
  Cq& cq = cqs_[cqid];
  if (cq.posted_count == 0) return;
  const auto count = static_cast<std::uint32_t>(random_.InRange(1, cq.posted_count));
  cq.posted_count -= count;
  cq.head = arbiter::RingAdvance(cq.head, count, cq.size_count);
  Ring(true, cqid, cq.head);
}

void StressHost::OperateRarely() {
  const std::uint16_t qid = AnyQueue();
  Sq& sq = sqs_[qid];
  switch (random_.Below(8)) {
    case 0:
      if (calls_.empty()) {
        front_end_->SetArbitration(RandomSettings());
        calls_.push_back({Call::Kind::kOther, 0});
      }
      break;
    case 1:  // beyond the ring: halts
      if (sq.exists && !sq.is_deleting && qid != 0) {
        Ring(false, qid, sq.size_count + static_cast<std::uint32_t>(random_.Below(5)));
        sq.is_halted = true;
      }
      break;
    case 2:  // the same again: an event, no halt
      if (sq.exists && !sq.is_deleting) Ring(false, qid, sq.tail);
      break;
    case 3:
      Ring(true, qid, cqs_[qid].head);
      break;
    case 4:  // no such queue, inside or outside the range
      Ring(false, static_cast<std::uint16_t>(limits_.sq_count + random_.Below(3)), 1);
      break;
    case 5:
    case 6:
      if (qid == 0) break;
      if (sq.exists && !sq.is_deleting) {
        sq.is_deleting = true;
        front_end_->DeleteSq(qid);
        calls_.push_back({Call::Kind::kDelete, qid});
      } else if (!sq.exists && calls_.empty()) {
        CreateSq(qid);
      }
      break;
    default:
      if (random_.Below(20) == 0) {
        state_ = State::kStopping;
        front_end_->MmioWrite(nvme::kRegCc, 0, 4);
      }
      break;
  }
}

void StressHost::Operate(std::uint64_t /*argument*/) {
  const bool is_over = operation_count_ >= parameters_.operation_count;
  ++operation_count_;
  if (state_ == State::kOff && !is_over) {
    Enable();
  } else if (state_ == State::kOn) {
    if (is_over) {
      while (!commands_.empty()) CompleteOne();
      for (std::uint16_t cqid = 0; cqid < cqs_.size(); ++cqid) Consume(cqid);
    } else {
      const std::uint64_t choice = random_.Below(100);
      if (choice < 40) Submit(AnyQueue());
      if (choice >= 35 && choice < 75) CompleteOne();
      if (choice >= 70 && choice < 99) Consume(AnyQueue());
      if (choice == 99 && parameters_.rare_operations) OperateRarely();
    }
  }
  if (is_finished_) return;
  const std::uint64_t wait_ps =
      is_over ? 30 * parameters_.clock_ps : random_.Below(busy_ * parameters_.clock_ps);
  kernel_->Call<&StressHost::Operate>(kernel_->Now() + wait_ps, this);
}

}  // namespace nvmearb::tb
