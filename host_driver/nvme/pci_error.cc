// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous events, timeouts and controller resets.
#include <fmt/format.h>

#include "host_driver/nvme/pci.h"
#include "nvme/admin_commands.h"
#include "nvme/features.h"
#include "nvme/log_pages.h"

namespace nvmearb::host {

void NvmePci::Notice(std::string text) {
  notices_.push_back(fmt::format("nvme{}: {}", params_.instance, text));
}

// Stands in the controller until an event occurs.
void NvmePci::RequestAsyncEvent() {
  if (!admin_->aer_outstanding()) {
    admin_->SubmitAer(BindAdmin<&NvmePci::OnAsyncEvent>(this));
  }
}

void NvmePci::OnAsyncEvent(std::uint64_t, const nvme::Cqe& cqe) {
  const nvme::Status status = cqe.GetStatus();
  if (status != nvme::Status::kSuccess) {
    Notice(fmt::format("Asynchronous Event Request failed: {}", nvme::Name(status)));
    return;  // asking again would fail again
  }
  ++stats_.async_events;
  const auto event = nvme::AsyncEvent::Decode(cqe.dw0);
  if (event.type == nvme::AsyncEvent::kTypeError) {
    const bool value = event.info == nvme::AsyncEvent::kInfoInvalidDoorbellValue;
    if (value || event.info == nvme::AsyncEvent::kInfoInvalidDoorbellRegister) {
      ++stats_.doorbell_events;
      Notice(value ? "the controller refused a doorbell: invalid value"
                   : "the controller refused a doorbell: no such queue");
    } else {
      Notice(fmt::format("error event, info {:#x}", event.info));
    }
    // Further events of this type are masked until the log is read with RAE = 0.
    nvme::GetLogPage command;
    command.lid = static_cast<std::uint8_t>(nvme::LogPage::kErrorInformation);
    command.dword_count = sizeof(nvme::ErrorLogEntry) / 4;
    command.prp1 = admin_buffer_.address;
    admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnErrorLog>(this));
    return;
  }
  Notice(fmt::format("asynchronous event, type {}, info {:#x}", event.type, event.info));
  RequestAsyncEvent();
}

void NvmePci::OnErrorLog(std::uint64_t, const nvme::Cqe& cqe) {
  if (state_ != State::kLive && state_ != State::kConnecting) return;
  if (cqe.GetStatus() != nvme::Status::kSuccess) {
    Notice(fmt::format("Get Log Page 01h failed: {}", nvme::Name(cqe.GetStatus())));
  }
  RequestAsyncEvent();
}

// nvme_timeout() of Linux.
TimeoutAction NvmePci::Timeout(Request* request) {
  IoQueue& queue = *static_cast<IoQueue*>(request->hctx->driver_data);
  if (state_ != State::kLive) return TimeoutAction::kResetTimer;
  const auto raw = static_cast<std::uint32_t>(device_.MmioRead(nvme::kRegCsts, 4));
  if (nvme::Csts::Decode(raw).cfs) {
    Reset(raw == ~std::uint32_t{0} ? "the controller does not answer"
                                   : "the controller reports a fatal status");
    return TimeoutAction::kDone;
  }
  const std::uint16_t tag = request->tag;
  ProcessQueue(queue);  // was only the interrupt lost?
  if (request->state != RequestState::kStarted || request->deadline > clock_.Now()) {
    Notice(
        fmt::format("queue {} tag {}: timeout, the completion was there", queue.ring.qid(), tag));
    return TimeoutAction::kDone;
  }
  if (request->aborted) {
    Reset(fmt::format("queue {} tag {}: timeout after an abort", queue.ring.qid(), tag));
    return TimeoutAction::kDone;
  }
  if (abort_budget_ == 0) return TimeoutAction::kResetTimer;
  --abort_budget_;
  ++stats_.aborts;
  request->aborted = true;
  nvme::Abort command;
  command.sqid = queue.ring.qid();
  command.abort_cid = tag;
  Notice(fmt::format("queue {} tag {}: timeout, aborting", queue.ring.qid(), tag));
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnAborted>(this));
  return TimeoutAction::kResetTimer;
}

void NvmePci::OnAborted(std::uint64_t, const nvme::Cqe&) { ++abort_budget_; }

void NvmePci::OnAdminTimeout(std::uint64_t) {
  if (state_ == State::kLive) {
    Reset("an admin command was not answered");
  } else if (state_ == State::kConnecting) {  // a reset under way ends every command anyway
    Die("an admin command was not answered during bring-up");
  }
}

// nvme_dev_disable and nvme_reset_work: disable, give every command back, bring up again.
void NvmePci::Reset(const std::string& why) {
  if (state_ != State::kLive) return;
  ++stats_.resets;
  Notice("resetting: " + why);
  state_ = State::kResetting;
  if (watcher_ != nullptr) watcher_->OnLost();
  block_->Quiesce();
  for (const auto& queue : queues_) queue->ring.Silence();
  admin_->queue().Silence();
  if (params_.fabrics) {
    lost_at_ = clock_.Now();
    attempts_ = 0;
    clock_.At(clock_.Now(), Bind<&NvmePci::TearDown>(this));  // not from within Timeout()
    return;
  }
  nvme::Cc cc = nvme::Cc::Decode(cc_);
  cc.en = false;
  cc_ = cc.Encode();
  device_.MmioWrite(nvme::kRegCc, cc_, 4);
  WaitReady(false, &NvmePci::OnDisabled);
}

void NvmePci::OnDisabled() {
  // What the controller completed before it stopped counts.
  for (unsigned i = 0; i < block_->hctx_count(); ++i) ProcessQueue(*queues_[i]);
  CancelAll();
  admin_->Reset();
  state_ = State::kConnecting;
  ConfigureAdminQueue();
}

void NvmePci::CancelAll() {
  block_->ForEachStarted([this](Request* request) {
    ++stats_.cancelled;
    if (watcher_ != nullptr) watcher_->OnRequestEnded(request);
    if (state_ != State::kDead && !params_.fabrics && request->retries < params_.max_retries) {
      block_->Requeue(request);
    } else {
      block_->Complete(request, state_ == State::kDead ? kHostPathError : kHostAborted,
                       request->cpu);
    }
  });
}

}  // namespace nvmearb::host
