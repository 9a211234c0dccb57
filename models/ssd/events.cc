// SPDX-License-Identifier: Apache-2.0
#include "ssd/events.h"

#include <algorithm>

#include "nvme/features.h"

namespace nvmearb::ssd {

EventReporter::EventReporter(std::uint8_t aerl_zb, std::uint8_t elpe_zb, AdminCompleter* completer)
    : request_limit_(aerl_zb + std::size_t{1}), completer_(completer), log_(elpe_zb + 1u) {}

void EventReporter::Reset() {
  requests_.clear();
  pending_.fill(false);
  masked_ = false;
}

void EventReporter::OnRequest(std::uint16_t cid) {
  if (requests_.size() >= request_limit_) {
    completer_->CompleteAdmin(cid, nvme::Status::kAerLimitExceeded, 0);
    return;
  }
  requests_.push_back(cid);
  Report();
}

bool EventReporter::AbortRequest(std::uint16_t cid) {
  const auto found = std::find(requests_.begin(), requests_.end(), cid);
  if (found == requests_.end()) return false;
  requests_.erase(found);
  completer_->CompleteAdmin(cid, nvme::Status::kAbortRequested, 0);
  return true;
}

void EventReporter::OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) {
  constexpr std::uint16_t kNoCommandId = 0xffff;
  nvme::ErrorLogEntry entry{};
  entry.error_count = ++error_count_;
  entry.sqid = qid;
  entry.cid = kNoCommandId;
  entry.parameter_location = 0xffff;
  entry.command_specific = is_cq ? 1 : 0;
  log_[(error_count_ - 1) % log_.size()] = entry;
  pending_[static_cast<std::size_t>(error)] = true;
  Report();
}

/// Completes one request for one kept event, if both are there and nothing is masked.
void EventReporter::Report() {
  if (masked_ || requests_.empty()) return;
  for (std::size_t info = 0; info < kInfoCount; ++info) {
    if (!pending_[info]) continue;
    pending_[info] = false;
    masked_ = true;
    const std::uint16_t cid = requests_.front();
    requests_.erase(requests_.begin());
    const nvme::AsyncEvent event{nvme::AsyncEvent::kTypeError, static_cast<std::uint8_t>(info),
                                 static_cast<std::uint8_t>(nvme::LogPage::kErrorInformation)};
    completer_->CompleteAdmin(cid, nvme::Status::kSuccess, event.Encode());
    return;
  }
}

void EventReporter::OnErrorLogRead() {
  pending_.fill(false);
  masked_ = false;
}

nvme::ErrorLogEntry EventReporter::LogEntry(std::size_t age) const {
  if (age >= log_.size() || age >= error_count_) return {};
  return log_[(error_count_ - 1 - age) % log_.size()];
}

}  // namespace nvmearb::ssd
