// SPDX-License-Identifier: Apache-2.0
//
// ModelFrontEnd, part 2: decisions, fetches and configuration requests.
#include <algorithm>

#include "nvme/base/check.h"
#include "nvme/sqe.h"
#include "ssd/model_front_end.h"

namespace nvmearb::ssd {

using arbiter::Event;
using arbiter::EventKind;

/// A slot is usable: in WRR the last one is for SQ 0.
bool ModelFrontEnd::DecisionPossible() const {
  const std::uint32_t slots = arbiter_.slot_count();
  if (arbiter_.mechanism() == arbiter::Mechanism::kRoundRobin) return slots >= 1;
  return slots >= 2 || (slots == 1 && arbiter_.IsActive(0));
}

void ModelFrontEnd::ScheduleDecision() {
  if (decision_waiting_ || state_ != State::kEnabled || !DecisionPossible()) return;
  decision_waiting_ = true;
  const TimePs when = std::max(EdgeAfter(params_.decide_cycles), next_grant_ps_);
  kernel_->Call<&ModelFrontEnd::DecideAtEdge>(when, this, epoch_, Kernel::Phase::kClockEdge);
}

void ModelFrontEnd::DecideAtEdge(std::uint64_t epoch) {
  if (epoch != epoch_) return;
  decision_waiting_ = false;
  const auto grant = arbiter_.Decide(params_.max_grant_count);
  if (!grant) return;  // the next doorbell, slot or completion asks again
  Event event;
  event.kind = EventKind::kGrant;
  event.sqid = grant->sqid;
  event.cqid = arbiter_.CqOf(grant->sqid);
  event.sq_class = grant->sq_class;
  event.head = grant->head;
  event.tail = static_cast<std::uint16_t>(arbiter_.sq(grant->sqid).tail());
  event.count = grant->count;
  event.first = grant->first;
  Emit(event);
  StartFetch(*grant);
  if (DecisionPossible()) {
    decision_waiting_ = true;
    next_grant_ps_ = EdgeAfter(params_.grant_cycles);
    kernel_->Call<&ModelFrontEnd::DecideAtEdge>(next_grant_ps_, this, epoch_,
                                                Kernel::Phase::kClockEdge);
  }
}

void ModelFrontEnd::StartFetch(const arbiter::Grant& grant) {
  if (fetch_count_ == fetches_.size()) {
    std::rotate(fetches_.begin(), fetches_.begin() + static_cast<std::ptrdiff_t>(fetch_head_),
                fetches_.end());
    fetch_head_ = 0;
    fetches_.resize(fetches_.size() * 2);
  }
  fetches_[(fetch_head_ + fetch_count_) % fetches_.size()] = {
      grant, arbiter_.sq(grant.sqid).size_count(), bases_[grant.sqid]};
  ++fetch_count_;
  const TimePs beats = TimePs{params_.beat_cycles} * (grant.count - 1u) * params_.clock_ps;
  last_fetch_ps_ = std::max(last_fetch_ps_, EdgeAfter(params_.fetch_cycles)) + beats;
  kernel_->Call<&ModelFrontEnd::FetchDone>(last_fetch_ps_, this, 0, Kernel::Phase::kClockEdge);
}

void ModelFrontEnd::FetchDone(std::uint64_t /*argument*/) {
  const Fetch fetch = fetches_[fetch_head_];
  fetch_head_ = (fetch_head_ + 1) % fetches_.size();
  --fetch_count_;
  Deliver(fetch);
  if (delete_waits_ && arbiter_.IsDrained(configs_.front().queue.sqid)) FinishConfig();
  ContinueReset();
}

/// Captures the SQEs of one grant and hands them on.
void ModelFrontEnd::Deliver(const Fetch& fetch) {
  const arbiter::Grant& grant = fetch.grant;
  constexpr std::size_t kMostCount = 8;
  std::array<std::uint8_t, nvme::kSqeBytes * kMostCount> data;
  const bool read = dma_->Read(fetch.base + std::uint64_t{grant.head} * nvme::kSqeBytes,
                               data.data(), grant.count * nvme::kSqeBytes);
  if (!read && state_ == State::kEnabled) {
    FetchFailed(grant.sqid);
    return;
  }
  Event event;
  event.kind = EventKind::kFetch;
  event.sqid = grant.sqid;
  event.sq_class = grant.sq_class;
  event.count = grant.count;
  event.head = arbiter_.CommitFetch(grant.sqid, grant.count);
  Emit(event);
  if (state_ != State::kEnabled) return;  // dropped by a reset

  FetchedCommand command;
  command.sqid = grant.sqid;
  command.cqid = arbiter_.CqOf(grant.sqid);
  command.sq_class = grant.sq_class;
  for (std::uint32_t i = 0; i < grant.count; ++i) {
    std::copy_n(data.data() + i * nvme::kSqeBytes, nvme::kSqeBytes, command.sqe.data());
    command.sqhd =
        static_cast<std::uint16_t>(arbiter::RingAdvance(grant.head, i + 1, fetch.size_count));
    sink_->OnCommand(command);
  }
}

/// A read of the host's memory failed: fatal, no grant any more, SQHD stays.
void ModelFrontEnd::FetchFailed(std::uint16_t sqid) {
  SetFatal();
  sink_->OnFetchError(sqid);
}

void ModelFrontEnd::GiveSlots(unsigned count) {
  arbiter_.GiveSlots(count);
  ScheduleDecision();
}

void ModelFrontEnd::Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) {
  arbiter_.Complete(sqid, cqid, posted);
  Event event;
  event.kind = EventKind::kComplete;
  event.sqid = sqid;
  event.cqid = cqid;
  event.posted = posted;
  Emit(event);
  if (!posted) ScheduleDecision();  // its CQ has room again
}

void ModelFrontEnd::CreateCq(const CqConfig& config) {
  SqConfig queue;
  queue.cqid = config.cqid;
  queue.size_count = config.size_count;
  Queue({Op::kCreateCq, queue, {}});
}

void ModelFrontEnd::DeleteCq(std::uint16_t cqid) {
  SqConfig queue;
  queue.cqid = cqid;
  Queue({Op::kDeleteCq, queue, {}});
}

void ModelFrontEnd::CreateSq(const SqConfig& config) { Queue({Op::kCreateSq, config, {}}); }

void ModelFrontEnd::DeleteSq(std::uint16_t sqid) {
  SqConfig queue;
  queue.sqid = sqid;
  Queue({Op::kDeleteSq, queue, {}});
}

void ModelFrontEnd::SetArbitration(const arbiter::ArbitrationSettings& settings) {
  Queue({Op::kSetArbitration, {}, settings});
}

void ModelFrontEnd::Queue(const Config& config) {
  configs_.push_back(config);
  ScheduleConfig();
}

void ModelFrontEnd::ScheduleConfig() {
  if (config_running_ || configs_.empty()) return;
  config_running_ = true;
  kernel_->Call<&ModelFrontEnd::ExecuteConfig>(EdgeAfter(params_.config_cycles), this, 0,
                                               Kernel::Phase::kClockEdge);
}

void ModelFrontEnd::ExecuteConfig(std::uint64_t /*argument*/) {
  const Config config = configs_.front();
  const SqConfig& queue = config.queue;
  Event event;
  event.sqid = queue.sqid;
  event.cqid = queue.cqid;
  switch (config.op) {
    case Op::kCreateCq:
      arbiter_.CreateCq(queue.cqid, queue.size_count);
      break;
    case Op::kDeleteCq:
      arbiter_.DeleteCq(queue.cqid);
      break;
    case Op::kCreateSq:
      arbiter_.CreateSq({queue.sqid, queue.cqid, queue.size_count, queue.sq_class});
      bases_[queue.sqid] = queue.base;
      event.kind = EventKind::kCreate;
      event.sq_class = queue.sq_class;
      event.count = queue.size_count;
      Emit(event);
      break;
    case Op::kDeleteSq:
      arbiter_.DeleteSq(queue.sqid);
      if (!arbiter_.IsDrained(queue.sqid)) {
        delete_waits_ = true;
        return;
      }
      break;
    case Op::kSetArbitration:
      arbiter_.SetArbitration(config.settings);
      EmitConfig();
      ScheduleDecision();
      break;
  }
  FinishConfig();
}

/// Answers the request at the front and turns to the next one.
void ModelFrontEnd::FinishConfig() {
  if (configs_.front().op == Op::kDeleteSq) {
    Event event;
    event.kind = EventKind::kDelete;
    event.sqid = configs_.front().queue.sqid;
    Emit(event);
  }
  configs_.pop_front();
  config_running_ = delete_waits_ = false;
  sink_->OnConfigDone();
  ScheduleConfig();
  ContinueReset();
}

}  // namespace nvmearb::ssd
