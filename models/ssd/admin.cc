// SPDX-License-Identifier: Apache-2.0
#include "ssd/admin.h"

#include <cstring>

#include "nvme/admin_commands.h"
#include "ssd/log_data.h"
#include "ssd/prp.h"

namespace nvmearb::ssd {

using nvme::AdminOpcode;
using nvme::Status;

AdminExecutor::AdminExecutor(const Parts& parts)
    : parts_(parts),
      features_(parts.params->firmware.arbitration_default, parts.queues),
      events_(parts.params->firmware.aerl_zb, parts.params->firmware.elpe_zb, this),
      page_(std::make_unique<IdentifyPage>()) {}

void AdminExecutor::Reset() {
  ++epoch_;
  pending_.clear();
  state_ = State::kIdle;
  features_.Reset();
  events_.Reset();
}

void AdminExecutor::OnCommand(const FetchedCommand& command) {
  nvme::Sqe sqe;
  std::memcpy(&sqe, command.sqe.data(), sizeof sqe);
  pending_.push_back(sqe);
  if (state_ == State::kIdle) StartNext();
}

void AdminExecutor::StartNext() {
  state_ = State::kIdle;
  if (pending_.empty()) return;
  state_ = State::kExecuting;
  const TimePs when = parts_.kernel->Now() + parts_.params->firmware.admin_ps;
  parts_.kernel->Call<&AdminExecutor::Execute>(when, this, epoch_);
}

void AdminExecutor::Execute(std::uint64_t epoch) {
  if (epoch != epoch_) return;
  const nvme::Sqe sqe = pending_.front();
  if (sqe.FuseBits() != 0 || sqe.Psdt() != 0) {
    Finish(Status::kInvalidField);
    return;
  }
  switch (static_cast<AdminOpcode>(sqe.Opcode())) {
    case AdminOpcode::kDeleteIoSq:
      DeleteSq(sqe);
      return;
    case AdminOpcode::kCreateIoSq:
      CreateSq(sqe);
      return;
    case AdminOpcode::kGetLogPage:
      GetLogPage(sqe);
      return;
    case AdminOpcode::kDeleteIoCq:
      DeleteCq(sqe);
      return;
    case AdminOpcode::kCreateIoCq:
      CreateCq(sqe);
      return;
    case AdminOpcode::kIdentify:
      Identify(sqe);
      return;
    case AdminOpcode::kAbort:
      Abort(sqe);
      return;
    case AdminOpcode::kSetFeatures:
      SetFeatures(sqe);
      return;
    case AdminOpcode::kGetFeatures:
      GetFeatures(sqe);
      return;
    case AdminOpcode::kAsyncEventRequest:
      AsyncEventRequest(sqe);
      return;
  }
  Finish(Status::kInvalidOpcode);
}

void AdminExecutor::CompleteAdmin(std::uint16_t cid, Status status, std::uint32_t dw0) {
  parts_.completions->Post({0, 0, cid, parts_.queues->sq(0).fetched_head, status, dw0});
}

/// Ends the command at the front with a CQE and turns to the next one.
void AdminExecutor::Finish(Status status, std::uint32_t dw0) {
  const std::uint16_t cid = pending_.front().CommandId();
  pending_.pop_front();
  CompleteAdmin(cid, status, dw0);
  StartNext();
}

Status AdminExecutor::Transfer(const nvme::Sqe& sqe, const void* data, std::size_t bytes) {
  return WritePrp(parts_.dma, sqe.prp1, sqe.prp2, parts_.queues->page_bytes(), data, bytes);
}

void AdminExecutor::CreateCq(const nvme::Sqe& sqe) {
  const auto command = nvme::CreateIoCq::Decode(sqe);
  const Status status = parts_.queues->CheckCreateCq(command);
  if (status != Status::kSuccess) {
    Finish(status);
    return;
  }
  WaitForConfig();
  parts_.front_end->CreateCq({command.qid, command.size_zb + 1u});
}

void AdminExecutor::CreateSq(const nvme::Sqe& sqe) {
  const auto command = nvme::CreateIoSq::Decode(sqe);
  const Status status = parts_.queues->CheckCreateSq(command);
  if (status != Status::kSuccess) {
    Finish(status);
    return;
  }
  // In the table before the front end knows it: its first command may come with the acknowledge.
  parts_.queues->AddSq(command);
  WaitForConfig();
  parts_.front_end->CreateSq({command.qid, command.cqid, command.size_zb + 1u,
                              static_cast<arbiter::SqClass>(command.qprio), command.prp1});
}

void AdminExecutor::DeleteSq(const nvme::Sqe& sqe) {
  const auto command = nvme::DeleteIoSq::Decode(sqe);
  const Status status = parts_.queues->CheckDeleteSq(command);
  if (status != Status::kSuccess) {
    Finish(status);
    return;
  }
  WaitForConfig();
  parts_.front_end->DeleteSq(command.qid);
}

void AdminExecutor::DeleteCq(const nvme::Sqe& sqe) {
  const auto command = nvme::DeleteIoCq::Decode(sqe);
  const Status status = parts_.queues->CheckDeleteCq(command);
  if (status != Status::kSuccess) {
    Finish(status);
    return;
  }
  parts_.queues->RemoveCq(command.qid);
  parts_.completions->Close(command.qid);
  WaitForConfig();
  parts_.front_end->DeleteCq(command.qid);
}

void AdminExecutor::OnConfigDone() {
  if (state_ != State::kWaitConfig) return;  // of a command that a reset has dropped
  switch (static_cast<AdminOpcode>(pending_.front().Opcode())) {
    case AdminOpcode::kCreateIoCq:
      ConfigDoneCreateCq();
      return;
    case AdminOpcode::kDeleteIoSq:
      ConfigDoneDeleteSq();
      return;
    default:
      Finish(Status::kSuccess);
  }
}

void AdminExecutor::ConfigDoneCreateCq() {
  const auto command = nvme::CreateIoCq::Decode(pending_.front());
  parts_.queues->AddCq(command);
  parts_.completions->Open(
      command.qid, {command.prp1, command.size_zb + 1u, command.vector, command.interrupts});
  Finish(Status::kSuccess);
}

void AdminExecutor::ConfigDoneDeleteSq() {
  const std::uint16_t sqid = nvme::DeleteIoSq::Decode(pending_.front()).qid;
  if (parts_.queues->sq(sqid).in_flight > 0) {
    state_ = State::kWaitDrain;
    return;
  }
  FinishDeleteSq(sqid);
}

void AdminExecutor::OnSqIdle(std::uint16_t sqid) {
  if (state_ != State::kWaitDrain) return;
  if (nvme::DeleteIoSq::Decode(pending_.front()).qid == sqid) FinishDeleteSq(sqid);
}

void AdminExecutor::FinishDeleteSq(std::uint16_t sqid) {
  parts_.queues->RemoveSq(sqid);
  Finish(Status::kSuccess);
}

void AdminExecutor::Identify(const nvme::Sqe& sqe) {
  const Status status = BuildIdentify(*parts_.params, nvme::Identify::Decode(sqe), page_.get());
  Finish(status == Status::kSuccess ? Transfer(sqe, page_->data(), page_->size()) : status);
}

void AdminExecutor::GetLogPage(const nvme::Sqe& sqe) {
  const auto command = nvme::GetLogPage::Decode(sqe);
  Status status =
      BuildLogPage(command, parts_.params->MaxTransferBytes(), events_, *parts_.statistics, &log_);
  if (status == Status::kSuccess) status = Transfer(sqe, log_.data(), log_.size());
  const bool error_log = command.lid == static_cast<std::uint8_t>(nvme::LogPage::kErrorInformation);
  if (status == Status::kSuccess && error_log && !command.retain_event) events_.OnErrorLogRead();
  Finish(status);
}

void AdminExecutor::SetFeatures(const nvme::Sqe& sqe) {
  std::uint32_t dw0 = 0;
  bool arbitration_changed = false;
  const Status status = features_.Set(nvme::SetFeatures::Decode(sqe), &dw0, &arbitration_changed);
  if (status != Status::kSuccess || !arbitration_changed) {
    Finish(status, dw0);
    return;
  }
  const nvme::ArbitrationFeature& a = features_.arbitration();
  WaitForConfig();
  parts_.front_end->SetArbitration({a.ab, a.hpw_zb, a.mpw_zb, a.lpw_zb});
}

void AdminExecutor::GetFeatures(const nvme::Sqe& sqe) {
  std::uint32_t dw0 = 0;
  const Status status = features_.Get(nvme::GetFeatures::Decode(sqe), &dw0);
  Finish(status, dw0);
}

/// Best effort (Base 2.1 section 5.1.1): reaches I/O commands that wait for dispatch, and
/// Asynchronous Event Requests. DW0 bit 0 = 1 tells that the command was not aborted.
void AdminExecutor::Abort(const nvme::Sqe& sqe) {
  const auto command = nvme::Abort::Decode(sqe);
  const bool aborted =
      command.sqid == 0
          ? events_.AbortRequest(command.abort_cid)
          : parts_.window->AbortWaiting(command.sqid, command.abort_cid, Status::kAbortRequested);
  Finish(Status::kSuccess, aborted ? 0 : 1);
}

void AdminExecutor::AsyncEventRequest(const nvme::Sqe& sqe) {
  pending_.pop_front();
  events_.OnRequest(sqe.CommandId());
  StartNext();
}

}  // namespace nvmearb::ssd
