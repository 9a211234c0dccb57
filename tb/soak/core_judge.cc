// SPDX-License-Identifier: Apache-2.0
#include "core_judge.h"

namespace nvmearb::tb {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

namespace {

std::uint16_t U16(unsigned value) { return static_cast<std::uint16_t>(value); }

}  // namespace

void CoreJudge::TellWhatThePortDoesNotCarry(std::uint64_t cycle, const CoreIn& in,
                                            const CoreOut& out) {
  if (in.hold_io != hold_io_ || in.hold_all != hold_all_) {
    hold_io_ = in.hold_io;
    hold_all_ = in.hold_all;
    // Not before what is still kept back until the grant in front of it is read.
    Event event;
    event.cycle = cycle;
    timeline_.push_back({event, true, std::nullopt, Hold{hold_io_, hold_all_}});
  }
  if (in.slot_give != 0) judge_.OnSlotsGiven(in.slot_give);
  if (!in.cfg_valid || !out.cfg_ready) return;
  const std::uint16_t id = U16(in.cfg_id);
  switch (in.cfg_op) {
    case kCfgCreateCq:
      judge_.OnCqCreated(id, in.cfg_size_zb + 1);
      break;
    case kCfgDeleteCq:
      judge_.OnCqDeleted(id);
      break;
    case kCfgDeleteSq:
      judge_.OnDeleteRequested(id);
      break;
    default:
      break;
  }
}

void CoreJudge::Emit(Event& event, std::uint64_t cycle, const std::array<unsigned, 3>& credit) {
  event.cycle = cycle;
  for (std::size_t level = 0; level < credit.size(); ++level) {
    event.credit[level] = U16(credit[level]);
  }
  timeline_.push_back({event, true, std::nullopt, std::nullopt});
}

void CoreJudge::TellWhatIsKnown() {
  while (!timeline_.empty() && timeline_.front().known) {
    Entry entry = timeline_.front();
    timeline_.pop_front();
    if (entry.deleted) {
      judge_.OnDeleteAnswered(*entry.deleted);
      continue;
    }
    if (entry.hold) {
      judge_.OnHoldAt(entry.event.cycle, entry.hold->io, entry.hold->all);
      continue;
    }
    // The port shows the credits as of the last grant that was read.
    if (entry.event.kind == EventKind::kGrant || entry.event.kind == EventKind::kConfig ||
        entry.event.kind == EventKind::kReset) {
      credit_then_ = entry.event.credit;
    } else {
      entry.event.credit = credit_then_;
    }
    judge_.OnEvent(entry.event);
  }
}

void CoreJudge::EmitGrant(std::uint64_t cycle, const CoreOut& out) {
  Event event;
  event.kind = EventKind::kGrant;
  event.sqid = U16(out.grant_sqid);
  event.cqid = U16(out.grant_cqid);
  event.head = U16(out.grant_head);
  event.count = out.grant_count;
  event.sq_class = static_cast<SqClass>(out.grant_class);
  event.first = out.grant_first;
  ++grant_count_;
  command_count_ += out.grant_count;
  if (falsify_every_ != 0 && grant_count_ % falsify_every_ == 0) ++event.count;
  for (std::size_t level = 0; level < out.credit.size(); ++level) {
    event.credit[level] = U16(out.credit[level]);
  }
  for (Entry& entry : timeline_) {
    if (entry.known) continue;
    event.cycle = entry.event.cycle;
    entry.event = event;
    entry.known = true;
    return;
  }
  Emit(event, cycle, out.credit);  // nobody decided it: a finding
}

void CoreJudge::EmitConfig(std::uint64_t cycle, const CoreOut& out, const CoreConfig& config) {
  Event event;
  event.sqid = U16(config.id);
  std::array<unsigned, 3> credit = out.credit;
  switch (config.op) {
    case kCfgReset:
      mechanism_ = arbiter::Mechanism::kRoundRobin;
      settings_ = {};
      event.kind = EventKind::kReset;
      event.sqid = 0;
      break;
    case kCfgCreateSq:
      event.kind = EventKind::kCreate;
      event.cqid = U16(config.cqid);
      event.sq_class = static_cast<SqClass>(config.sq_class);
      event.count = config.size_count;
      break;
    case kCfgDeleteSq:
      event.kind = EventKind::kDelete;
      break;
    case kCfgSetArb:
    case kCfgSetMech:
      if (config.op == kCfgSetArb) settings_ = config.settings;
      if (config.op == kCfgSetMech) {
        mechanism_ =
            config.wrr ? arbiter::Mechanism::kWeightedRoundRobin : arbiter::Mechanism::kRoundRobin;
      }
      event.kind = EventKind::kConfig;
      event.sqid = 0;
      event.mechanism = mechanism_;
      event.count = settings_.ab == 7 ? 0u : 1u << settings_.ab;
      for (int level = 0; level < arbiter::kLevelCount; ++level) {
        credit[static_cast<std::size_t>(level)] =
            static_cast<unsigned>(settings_.WeightCount(level));
      }
      break;
    default:
      return;
  }
  Emit(event, cycle, credit);
}

void CoreJudge::OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
                        const CoreConfig* config) {
  TellWhatThePortDoesNotCarry(cycle, in, out);
  // The port shows the credits after the grant of a clock; a doorbell comes before it.
  const std::array<unsigned, 3> before =
      out.obs_grant_valid && !out.obs_cfg_valid ? credit_ : out.credit;
  credit_ = out.credit;
  if (out.obs_cfg_valid && config != nullptr) EmitConfig(cycle, out, *config);
  if (out.obs_db_valid || out.obs_db_reject) {
    Event event;
    event.kind = out.obs_db_valid ? EventKind::kDoorbell : EventKind::kReject;
    event.sqid = U16(out.obs_db_qid);
    event.is_cq = out.obs_db_is_cq;
    event.tail = U16(out.obs_db_value);
    if (out.obs_db_reject) event.error = static_cast<arbiter::DoorbellError>(out.obs_db_error);
    Emit(event, cycle, before);
  }
  if (out.decided) {
    Event decision;
    decision.cycle = cycle;
    timeline_.push_back({decision, false, std::nullopt, std::nullopt});
  }
  if (out.obs_grant_valid) EmitGrant(cycle, out);
  if (out.obs_fetch_valid) {
    Event event;
    event.kind = EventKind::kFetch;
    event.sqid = U16(out.obs_fetch_sqid);
    event.head = U16(out.obs_fetch_head);
    event.count = out.obs_fetch_count;
    Emit(event, cycle, out.credit);
  }
  if (out.obs_complete_valid) {
    Event event;
    event.kind = EventKind::kComplete;
    event.sqid = U16(out.obs_complete_sqid);
    event.cqid = U16(out.obs_complete_cqid);
    event.posted = out.obs_complete_posted;
    Emit(event, cycle, out.credit);
  }
  if (out.cfg_done && config != nullptr && config->op == kCfgDeleteSq) {
    timeline_.push_back({Event{}, true, U16(config->id), std::nullopt});
  }
  TellWhatIsKnown();
}

}  // namespace nvmearb::tb
