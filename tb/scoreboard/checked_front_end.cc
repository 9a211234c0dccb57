// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/checked_front_end.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "nvme/registers.h"
#include "scoreboard/event_names.h"

namespace nvmearb::tb {

namespace {

constexpr std::uint32_t kSqeBytes = 64;
constexpr std::uint8_t kShstComplete = 2;

std::size_t FirstDifference(const std::uint8_t* a, const std::uint8_t* b) {
  std::size_t i = 0;
  while (i < kSqeBytes && a[i] == b[i]) ++i;
  return i;
}

}  // namespace

CheckedFrontEnd::CheckedFrontEnd(ssd::FrontEnd* inner, MemoryPeek* memory)
    : inner_(inner),
      memory_(memory),
      judge_(inner->Limits().sq_count),
      sqs_(inner->Limits().sq_count) {}

void CheckedFrontEnd::Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma,
                             arbiter::EventSink* events) {
  sink_ = sink;
  events_ = events;
  inner_->Attach(this, dma, this);
}

void CheckedFrontEnd::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  // CC.EN = 0 stops all grants, long before OnDisable(); CC may be the upper half of a wide write.
  const bool is_cc = offset == nvme::kRegCc || (offset + 4 == nvme::kRegCc && bytes == 8);
  const std::uint64_t cc = offset == nvme::kRegCc ? value : value >> 32;
  if (is_cc && (cc & 1) == 0) judge_.OnHold(true, true, false);
  inner_->MmioWrite(offset, value, bytes);
}

void CheckedFrontEnd::CreateCq(const ssd::CqConfig& config) {
  judge_.OnCqCreated(config.cqid, config.size_count);
  calls_.push_back(arbiter::kNoSq);
  inner_->CreateCq(config);
}

void CheckedFrontEnd::DeleteCq(std::uint16_t cqid) {
  judge_.OnCqDeleted(cqid);
  calls_.push_back(arbiter::kNoSq);
  inner_->DeleteCq(cqid);
}

void CheckedFrontEnd::CreateSq(const ssd::SqConfig& config) {
  if (config.sqid < sqs_.size()) {
    sqs_[config.sqid] = {config.base, config.size_count, 0, config.cqid, config.sq_class};
  }
  calls_.push_back(arbiter::kNoSq);
  inner_->CreateSq(config);
}

void CheckedFrontEnd::DeleteSq(std::uint16_t sqid) {
  judge_.OnDeleteRequested(sqid);
  calls_.push_back(sqid);
  inner_->DeleteSq(sqid);
}

void CheckedFrontEnd::SetArbitration(const arbiter::ArbitrationSettings& settings) {
  calls_.push_back(arbiter::kNoSq);
  inner_->SetArbitration(settings);
}

void CheckedFrontEnd::OnConfigDone() {
  if (calls_.empty()) {
    judge_.log().Report(Rule::kQueue, 0, "a configuration call answered twice");
  } else {
    if (calls_.front() != arbiter::kNoSq) judge_.OnDeleteAnswered(calls_.front());
    calls_.pop_front();
  }
  sink_->OnConfigDone();
}

void CheckedFrontEnd::GiveSlots(unsigned count) {
  judge_.OnSlotsGiven(count);
  inner_->GiveSlots(count);
}

void CheckedFrontEnd::SetFatal() {
  judge_.OnHold(true, true);
  inner_->SetFatal();
}

void CheckedFrontEnd::SetShutdownStatus(std::uint8_t shst) {
  if (shst != 0) judge_.OnHold(true, shst == kShstComplete);
  inner_->SetShutdownStatus(shst);
}

void CheckedFrontEnd::OnEnable(const ssd::EnableConfig& config) {
  const std::uint32_t sq_size_count = (config.aqa & 0xfff) + 1;
  const std::uint32_t cq_size_count = ((config.aqa >> 16) & 0xfff) + 1;
  sqs_[0] = {config.asq, sq_size_count, 0, 0, arbiter::SqClass::kAdmin};
  judge_.OnHold(false, false);
  judge_.OnCqCreated(0, cq_size_count);
  sink_->OnEnable(config);
}

void CheckedFrontEnd::OnDisable() {
  calls_.clear();
  for (std::size_t i = 0; i < sqs_.size(); ++i) {
    sqs_[i] = {};
    judge_.OnCqDeleted(static_cast<std::uint16_t>(i));
  }
  sink_->OnDisable();
}

void CheckedFrontEnd::OnShutdown(std::uint8_t shn) {
  if (shn != 0) judge_.OnHold(true, false);
  sink_->OnShutdown(shn);
}

void CheckedFrontEnd::OnFetchError(std::uint16_t sqid) {
  judge_.OnHold(true, true);
  sink_->OnFetchError(sqid);
}

void CheckedFrontEnd::OnCommand(const ssd::FetchedCommand& command) {
  CheckCommand(command);
  sink_->OnCommand(command);
}

void CheckedFrontEnd::CheckCommand(const ssd::FetchedCommand& command) {
  judge_.OnDelivered(command.sqid, command.sqhd);
  if (command.sqid >= sqs_.size() || sqs_[command.sqid].size_count == 0) return;
  Sq& sq = sqs_[command.sqid];
  if (command.cqid != sq.cqid || command.sq_class != sq.sq_class) {
    judge_.log().Report(
        Rule::kDelivery, command.sqid,
        fmt::format("command of SQ {} says CQ {} and class {}, expected {} and {}", command.sqid,
                    command.cqid, ClassName(command.sq_class), sq.cqid, ClassName(sq.sq_class)));
  }
  const std::uint32_t slot = sq.next_slot;
  sq.next_slot = slot + 1 == sq.size_count ? 0 : slot + 1;
  if (memory_ == nullptr) return;
  std::array<std::uint8_t, kSqeBytes> expected;
  if (!memory_->Peek(sq.base + std::uint64_t{slot} * kSqeBytes, expected.data(), kSqeBytes)) {
    judge_.log().Report(
        Rule::kBytes, command.sqid,
        fmt::format("slot {} of SQ {} is not mapped in host memory", slot, command.sqid));
    return;
  }
  ++compared_count_;
  if (std::memcmp(expected.data(), command.sqe.data(), kSqeBytes) == 0) return;
  const std::size_t at = FirstDifference(expected.data(), command.sqe.data());
  judge_.log().Report(Rule::kBytes, command.sqid,
                      fmt::format("command from slot {} of SQ {} differs from host memory at byte "
                                  "{}: {:02x}h, expected {:02x}h",
                                  slot, command.sqid, at, command.sqe[at], expected[at]));
}

void CheckedFrontEnd::OnEvent(const arbiter::Event& event) {
  if (tamper_ != nullptr) {
    arbiter::Event changed = event;
    tamper_(tamper_context_, &changed);
    judge_.OnEvent(changed);
    if (events_ != nullptr) events_->OnEvent(changed);
    return;
  }
  judge_.OnEvent(event);
  if (events_ != nullptr) events_->OnEvent(event);
}

}  // namespace nvmearb::tb
