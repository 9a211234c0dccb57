// SPDX-License-Identifier: Apache-2.0
//
// ModelFrontEnd, part 1: registers, doorbells, enable and reset. The rest is in model_fetch.cc.
#include "ssd/model_front_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::ssd {

using arbiter::DoorbellResult;
using arbiter::Event;
using arbiter::EventKind;

namespace {
constexpr std::size_t kFetchesAtStart = 64;
constexpr std::uint8_t kShutdownComplete =
    static_cast<std::uint8_t>(nvme::ShutdownStatus::kComplete);
}  // namespace

ModelFrontEnd::ModelFrontEnd(Kernel* kernel, const ModelFrontEndParams& params)
    : kernel_(kernel),
      params_(params),
      arbiter_(params.limits.sq_count),
      bases_(params.limits.sq_count),
      fetches_(kFetchesAtStart) {
  NVMEARB_CHECK(params.max_grant_count >= 1 && params.max_grant_count <= 8, "1..8 commands");
  NVMEARB_CHECK(params.clock_ps >= 1, "a clock has a period");
}

void ModelFrontEnd::Attach(FrontEndSink* sink, FrontEndDma* dma, arbiter::EventSink* events) {
  sink_ = sink;
  dma_ = dma;
  events_ = events;
}

/// The edge `cycles` clocks behind the first one at or after now.
TimePs ModelFrontEnd::EdgeAfter(std::uint32_t cycles) const {
  const TimePs edge = (kernel_->Now() + params_.clock_ps - 1) / params_.clock_ps;
  return (edge + cycles) * params_.clock_ps;
}

std::uint64_t ModelFrontEnd::MmioRead(std::uint32_t offset, unsigned bytes) {
  const std::uint64_t low = ReadDword(offset);
  return bytes == 8 ? low | (static_cast<std::uint64_t>(ReadDword(offset + 4)) << 32) : low;
}

void ModelFrontEnd::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  WriteDword(offset, static_cast<std::uint32_t>(value));
  if (bytes == 8) WriteDword(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

std::uint32_t ModelFrontEnd::ReadDword(std::uint32_t offset) const {
  if (offset < nvme::kRegDoorbells) return registers_.Read(offset);
  const auto doorbell = nvme::DecodeDoorbell(offset, params_.limits.dstrd);
  if (!doorbell) return 0;
  const std::uint16_t qid = doorbell->qid;
  if (doorbell->is_cq) return arbiter_.CqExists(qid) ? arbiter_.cq(qid).head() : 0;
  return arbiter_.SqExists(qid) ? arbiter_.sq(qid).tail() : 0;
}

void ModelFrontEnd::WriteDword(std::uint32_t offset, std::uint32_t value) {
  if (offset >= nvme::kRegDoorbells) {
    const auto doorbell = nvme::DecodeDoorbell(offset, params_.limits.dstrd);
    if (doorbell) WriteDoorbell(*doorbell, static_cast<std::uint16_t>(value));
    return;
  }
  const ControllerRegisters::CcChange change = registers_.Write(offset, value);
  if (change.shutdown) {
    UpdateHold();
    sink_->OnShutdown(change.shn);
  }
  if (change.disabled) BeginReset();
  if (change.enabled && state_ == State::kDisabled) Enable();
}

bool ModelFrontEnd::DoorbellsOpen(std::uint16_t qid) const {
  const nvme::Csts& csts = registers_.csts();
  return state_ == State::kEnabled && csts.rdy && csts.shst != kShutdownComplete &&
         (qid == 0 || registers_.cc().shn == 0);
}

void ModelFrontEnd::WriteDoorbell(const nvme::Doorbell& doorbell, std::uint16_t value) {
  if (!DoorbellsOpen(doorbell.qid)) return;
  const DoorbellResult result = doorbell.is_cq ? arbiter_.RingCqHead(doorbell.qid, value)
                                               : arbiter_.RingSqTail(doorbell.qid, value);
  if (result == DoorbellResult::kIgnored) return;
  Event event;
  event.kind = EventKind::kDoorbell;
  event.is_cq = doorbell.is_cq;
  event.sqid = doorbell.qid;
  event.tail = value;
  if (!doorbell.is_cq && arbiter_.SqExists(doorbell.qid)) {
    event.sq_class = arbiter_.ClassOf(doorbell.qid);
    event.head = static_cast<std::uint16_t>(arbiter_.sq(doorbell.qid).issue_head());
  }
  if (result == DoorbellResult::kAccepted) {
    Emit(event);
    ScheduleDecision();
    return;
  }
  event.kind = EventKind::kReject;
  event.error = result == DoorbellResult::kInvalidRegister
                    ? arbiter::DoorbellError::kInvalidRegister
                    : arbiter::DoorbellError::kInvalidValue;
  Emit(event);
  sink_->OnDoorbellError(event.error, doorbell.is_cq, doorbell.qid);
}

void ModelFrontEnd::UpdateHold() {
  const nvme::Csts& csts = registers_.csts();
  const bool all = state_ != State::kEnabled || csts.cfs || csts.shst == kShutdownComplete;
  arbiter_.Hold(registers_.cc().shn != 0 || csts.shst != 0, all);
}

void ModelFrontEnd::Enable() {
  registers_.csts().shst = 0;
  if (!registers_.CanEnable(params_.limits.queue_size_count)) {
    registers_.csts().cfs = true;
    return;
  }
  state_ = State::kEnabled;
  arbiter_.Reset(registers_.WeightedRoundRobin() ? arbiter::Mechanism::kWeightedRoundRobin
                                                 : arbiter::Mechanism::kRoundRobin,
                 {});
  Event reset;
  reset.kind = EventKind::kReset;
  Emit(reset);
  const nvme::Aqa aqa = registers_.aqa();
  arbiter_.CreateCq(0, aqa.cq_count);
  arbiter_.CreateSq({0, 0, aqa.sq_count, arbiter::SqClass::kAdmin});
  bases_[0] = registers_.asq();
  Event event;
  event.kind = EventKind::kCreate;
  event.count = aqa.sq_count;
  Emit(event);
  EmitConfig();
  UpdateHold();
  sink_->OnEnable({registers_.cc_raw(), registers_.aqa_raw(), registers_.asq(), registers_.acq()});
}

void ModelFrontEnd::BeginReset() {
  if (state_ == State::kResetting) return;
  if (state_ == State::kDisabled) {  // an enable that ended in CFS
    registers_.EndReset();
    return;
  }
  state_ = State::kResetting;
  UpdateHold();
  ContinueReset();
}

/// Goes on when nothing is on its way any more.
void ModelFrontEnd::ContinueReset() {
  if (state_ == State::kResetting && fetch_count_ == 0 && delete_waits_) {
    FinishConfig();  // it waited for a read that failed; comes back here
    return;
  }
  if (state_ != State::kResetting || fetch_count_ > 0 || !configs_.empty() || disable_told_) return;
  ++epoch_;
  decision_waiting_ = false;
  next_grant_ps_ = 0;
  arbiter_.Reset(arbiter::Mechanism::kRoundRobin, {});
  Event event;
  event.kind = EventKind::kReset;
  Emit(event);
  disable_told_ = true;
  sink_->OnDisable();
}

void ModelFrontEnd::SetReady(bool ready) {
  if (ready) {
    if (state_ == State::kEnabled) registers_.csts().rdy = true;
    return;
  }
  if (state_ != State::kResetting || !disable_told_) return;
  disable_told_ = false;
  registers_.EndReset();
  state_ = State::kDisabled;
  if (registers_.cc().en) Enable();  // enabled again meanwhile
}

void ModelFrontEnd::SetFatal() {
  registers_.csts().cfs = true;
  UpdateHold();
}

void ModelFrontEnd::SetShutdownStatus(std::uint8_t shst) {
  registers_.csts().shst = shst;
  UpdateHold();
}

std::string ModelFrontEnd::Describe() const {
  std::string text = fmt::format("arbiter: {} slots, {} grants being fetched, CSTS {:#x}\n",
                                 arbiter_.slot_count(), fetch_count_, registers_.csts().Encode());
  for (unsigned id = 0; id < arbiter_.sq_count(); ++id) {
    if (!arbiter_.SqExists(id)) continue;
    const auto sqid = static_cast<std::uint16_t>(id);
    const arbiter::SqRing& ring = arbiter_.sq(sqid);
    text += fmt::format(
        "SQ {}: head {} tail {} of {}, CQ {} room {}{}{}\n", id, ring.issue_head(), ring.tail(),
        ring.size_count(), arbiter_.CqOf(sqid), arbiter_.cq(arbiter_.CqOf(sqid)).room(),
        arbiter_.IsHalted(sqid) ? ", halted" : "", arbiter_.IsParked(sqid) ? ", parked" : "");
  }
  return text;
}

void ModelFrontEnd::Emit(Event event) {
  if (events_ == nullptr) return;
  event.time_ps = kernel_->Now();
  event.cycle = (event.time_ps + params_.clock_ps - 1) / params_.clock_ps;
  if (event.kind != EventKind::kConfig) event.credit = arbiter_.credit();
  events_->OnEvent(event);
}

void ModelFrontEnd::EmitConfig() {
  const arbiter::ArbitrationSettings& settings = arbiter_.settings();
  Event event;
  event.kind = EventKind::kConfig;
  event.mechanism = arbiter_.mechanism();
  event.count = settings.ab == 7 ? 0 : 1u << settings.ab;
  for (int level = 0; level < arbiter::kLevelCount; ++level) {
    event.credit[static_cast<std::size_t>(level)] =
        static_cast<std::uint16_t>(settings.WeightCount(level));
  }
  Emit(event);
}

}  // namespace nvmearb::ssd
