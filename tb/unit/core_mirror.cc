// SPDX-License-Identifier: Apache-2.0
#include "core_mirror.h"

#include <fmt/format.h>

#include <algorithm>

namespace nvmearb::tb {

using arbiter::DoorbellResult;

void CoreMirror::Report(std::uint64_t cycle, const std::string& text) {
  if (findings_.size() < 10) findings_.push_back(fmt::format("cycle {}: {}", cycle, text));
}

void CoreMirror::OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
                         const CoreConfig* config) {
  if (!findings_.empty()) return;  // after the first difference the two states have parted
  if (out.decided) OnDecision(cycle, in, out);
  if (out.obs_grant_valid) OnGrant(cycle, out);
  Collect(cycle, in, out, config);
  // No decision that is still to be shown was made before this clock.
  if (cycle >= Traits().decided_ago) ApplyBefore(cycle - Traits().decided_ago + 1);
}

void CoreMirror::Collect(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
                         const CoreConfig* config) {
  Item item{};
  item.cycle = cycle;
  if (in.slot_give != 0) slots_.emplace_back(cycle, in.slot_give);
  if (out.obs_cfg_valid) {
    if (config == nullptr || config->op != out.obs_cfg_op || config->id != out.obs_cfg_id) {
      Report(cycle, "configuration took effect that was not asked for");
    } else {
      item.kind = Kind::kConfig;
      item.config = *config;
      items_.push_back(item);
    }
  }
  if (out.obs_db_valid || out.obs_db_reject) {
    item.kind = out.obs_db_valid ? Kind::kDoorbell : Kind::kReject;
    item.doorbell = {out.obs_db_is_cq, out.obs_db_qid, out.obs_db_value};
    item.error = out.obs_db_error;
    items_.push_back(item);
    if (out.obs_db_reject != out.err_valid ||
        (out.err_valid && (out.err_info != out.obs_db_error || out.err_qid != out.obs_db_qid ||
                           out.err_is_cq != out.obs_db_is_cq))) {
      Report(cycle, "the error port and the observation port differ");
    }
  }
  if (in.db_valid && out.db_ready) taken_.push_back({in.db_is_cq, in.db_qid, in.db_value});
  if (out.obs_fetch_valid) {
    item.kind = Kind::kFetch;
    item.sqid = out.obs_fetch_sqid;
    item.count = out.obs_fetch_count;
    item.head = out.obs_fetch_head;
    items_.push_back(item);
  }
  if (out.obs_complete_valid) {
    item.kind = Kind::kComplete;
    item.completion = {0, out.obs_complete_cqid, out.obs_complete_posted};
    items_.push_back(item);
  }
  if (in.hold_io != hold_io_ || in.hold_all != hold_all_) {
    hold_io_ = in.hold_io;
    hold_all_ = in.hold_all;
    holds_.push_back({cycle, hold_io_, hold_all_});
  }
}

void CoreMirror::ApplyBefore(std::uint64_t cycle) {
  // No engine decides between the events before a configuration and where it takes effect.
  const unsigned delay = Traits().event_to_decision;
  std::size_t known = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool config = items_[i].kind == Kind::kConfig && items_[i].cycle < cycle;
    if (config || items_[i].cycle + delay <= cycle) known = i + 1;
  }
  for (; known != 0; --known) {
    Apply(items_.front());
    items_.pop_front();
  }
  while (!holds_.empty() && holds_.front().cycle + delay <= cycle) {
    golden_.Hold(holds_.front().io, holds_.front().all);
    holds_.pop_front();
  }
  while (!slots_.empty() && slots_.front().first < cycle + Traits().slots_until) {
    golden_.GiveSlots(slots_.front().second);
    slots_.pop_front();
  }
}

void CoreMirror::Apply(const Item& item) {
  switch (item.kind) {
    case Kind::kConfig:
      ApplyConfig(item.config);
      break;
    case Kind::kDoorbell:
      ApplyDoorbell(item.doorbell, true, 0);
      break;
    case Kind::kReject:
      ApplyDoorbell(item.doorbell, false, item.error);
      break;
    case Kind::kFetch: {
      const unsigned head = golden_.CommitFetch(static_cast<std::uint16_t>(item.sqid), item.count);
      if (head != item.head) {
        Report(item.cycle,
               fmt::format("fetched head {} of SQ {}, expected {}", item.head, item.sqid, head));
      }
      break;
    }
    case Kind::kComplete:
      golden_.Complete(0, static_cast<std::uint16_t>(item.completion.cqid), item.completion.posted);
      break;
  }
}

void CoreMirror::ApplyConfig(const CoreConfig& config) {
  const auto id = static_cast<std::uint16_t>(config.id);
  switch (config.op) {
    case kCfgReset:
      for (unsigned sq = 0; sq < golden_.sq_count(); ++sq) {
        was_halted_[sq] = MayBeIgnored(sq);
      }
      wrr_ = false;
      settings_ = {};
      golden_.Reset(arbiter::Mechanism::kRoundRobin, settings_);
      holds_.clear();
      golden_.Hold(hold_io_, hold_all_);
      break;
    case kCfgCreateCq:
      golden_.CreateCq(id, config.size_count);
      break;
    case kCfgDeleteCq:
      golden_.DeleteCq(id);
      break;
    case kCfgCreateSq:
      golden_.CreateSq({id, static_cast<std::uint16_t>(config.cqid), config.size_count,
                        static_cast<arbiter::SqClass>(config.sq_class)});
      break;
    case kCfgDeleteSq:
      was_halted_[id] = golden_.IsHalted(id);
      golden_.DeleteSq(id);
      break;
    case kCfgSetArb:
      settings_ = config.settings;
      golden_.SetArbitration(settings_);
      break;
    case kCfgSetMech: {
      // Legal only while nothing was created.
      wrr_ = config.wrr;
      const std::uint32_t slots = golden_.slot_count();
      holds_.clear();
      golden_.Reset(
          wrr_ ? arbiter::Mechanism::kWeightedRoundRobin : arbiter::Mechanism::kRoundRobin,
          settings_);
      golden_.GiveSlots(slots);
      golden_.Hold(hold_io_, hold_all_);
      break;
    }
    default:
      break;
  }
}

bool CoreMirror::MayBeIgnored(unsigned sqid) const {
  return sqid < was_halted_.size() &&
         (was_halted_[sqid] ||
          (golden_.SqExists(sqid) && golden_.IsHalted(static_cast<std::uint16_t>(sqid))));
}

void CoreMirror::ApplyDoorbell(const CoreDoorbell& doorbell, bool accepted, unsigned error) {
  const auto ring = [this](const CoreDoorbell& d) {
    const auto value = static_cast<std::uint16_t>(d.value);
    return d.is_cq ? golden_.RingCqHead(d.qid, value) : golden_.RingSqTail(d.qid, value);
  };
  while (!taken_.empty()) {
    const CoreDoorbell front = taken_.front();
    taken_.pop_front();
    if (front.is_cq == doorbell.is_cq && front.qid == doorbell.qid &&
        front.value == doorbell.value &&
        (front.is_cq || !MayBeIgnored(front.qid) || !golden_.SqExists(front.qid) ||
         !golden_.IsHalted(static_cast<std::uint16_t>(front.qid)))) {
      break;
    }
    if (front.is_cq || !MayBeIgnored(front.qid)) {
      Report(0, fmt::format("doorbell of {} {} with {} had no effect", front.is_cq ? "CQ" : "SQ",
                            front.qid, front.value));
    }
  }
  const DoorbellResult result = ring(doorbell);
  const DoorbellResult expected =
      accepted ? DoorbellResult::kAccepted
               : (error == 0 ? DoorbellResult::kInvalidRegister : DoorbellResult::kInvalidValue);
  if (result != expected) {
    Report(0, fmt::format("doorbell of {} {} with {}: outcome {}, expected {}",
                          doorbell.is_cq ? "CQ" : "SQ", doorbell.qid, doorbell.value,
                          static_cast<int>(expected), static_cast<int>(result)));
  }
}

void CoreMirror::ApplyOwnClock(std::uint64_t cycle, unsigned grant_class) {
  if (items_.empty() || items_.front().cycle != cycle) return;
  const Item item = items_.front();
  const bool doorbell = item.kind == Kind::kDoorbell || item.kind == Kind::kReject;
  if (!doorbell || item.doorbell.is_cq || !golden_.SqExists(item.doorbell.qid)) return;
  const auto sqid = static_cast<std::uint16_t>(item.doorbell.qid);
  if (golden_.IsActive(sqid) || !wrr_ ||
      static_cast<unsigned>(golden_.ClassOf(sqid)) == grant_class) {
    Apply(item);
    items_.pop_front();
  }
}

void CoreMirror::OnDecision(std::uint64_t cycle, const CoreIn& in, const CoreOut& out) {
  const std::uint64_t made = cycle - Traits().decided_ago;
  ApplyBefore(made);
  if (Traits().knows_its_own_clock) ApplyOwnClock(made, out.grant_class);
  const auto grant = golden_.Decide(std::min(in.max_count, Traits().most_per_grant));
  if (!grant) {
    Report(cycle, "decided, nothing expected");
    return;
  }
  Expected expected{*grant, {}};
  for (std::size_t l = 0; l < 3; ++l) expected.credit[l] = golden_.credit()[l];
  expected_.push_back(expected);
}

void CoreMirror::OnGrant(std::uint64_t cycle, const CoreOut& out) {
  ++grant_count_;
  command_count_ += out.grant_count;
  if (expected_.empty()) {
    Report(cycle, fmt::format("SQ {} granted, nothing decided", out.grant_sqid));
    return;
  }
  const arbiter::Grant* grant = &expected_.front().grant;
  if (grant->sqid != out.grant_sqid || grant->head != out.grant_head ||
      grant->count != out.grant_count || grant->first != out.grant_first ||
      static_cast<unsigned>(grant->sq_class) != out.grant_class) {
    Report(cycle,
           fmt::format("granted SQ {} head {} count {} class {} first {}, expected SQ {} head {} "
                       "count {} class {} first {}",
                       out.grant_sqid, out.grant_head, out.grant_count, out.grant_class,
                       out.grant_first, grant->sqid, grant->head, grant->count,
                       static_cast<int>(grant->sq_class), grant->first));
  } else if (golden_.CqOf(grant->sqid) != out.grant_cqid ||
             golden_.sq(grant->sqid).size_count() != out.grant_size_zb + 1) {
    Report(cycle, "grant with a wrong CQ or size");
  }
  const std::array<unsigned, 3>& credit = expected_.front().credit;
  if (out.credit != credit) {
    Report(cycle, fmt::format("credits {}:{}:{}, expected {}:{}:{}", out.credit[0], out.credit[1],
                              out.credit[2], credit[0], credit[1], credit[2]));
  }
  expected_.pop_front();
}

void CoreMirror::Finish() {
  if (!findings_.empty()) return;
  ApplyBefore(~std::uint64_t{0} / 2);
  if (const auto grant = golden_.Decide(1)) {
    Report(0, fmt::format("SQ {} was never granted its command at {}", grant->sqid, grant->head));
  }
  for (const CoreDoorbell& d : taken_) {
    if (d.is_cq || !MayBeIgnored(d.qid)) {
      Report(0, fmt::format("doorbell of {} {} had no effect", d.is_cq ? "CQ" : "SQ", d.qid));
    }
  }
  taken_.clear();
}

}  // namespace nvmearb::tb
