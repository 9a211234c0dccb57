// SPDX-License-Identifier: Apache-2.0
#include "core_traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "arbiter/ring.h"

namespace nvmearb::tb {

using arbiter::RingAdvance;
using arbiter::RingDistance;
using arbiter::SqClass;

namespace {
// Doorbells that may wait at the port, and clocks after which one has certainly taken effect.
constexpr std::size_t kDoorbellBacklog = 4;
constexpr unsigned kSafeDelay = 200;
constexpr unsigned kMostCqs = 6;
}  // namespace

CoreTraffic::CoreTraffic(CoreBench* bench, const TrafficOptions& options)
    : bench_(bench),
      options_(options),
      random_(options.seed),
      sqs_(bench->dut().sq_count()),
      cqs_(bench->dut().sq_count()) {
  bench_->Observe(this);
  bench_->in().max_count = options_.max_count;
}

void CoreTraffic::Report(const std::string& text) {
  if (findings_.size() < 10) {
    findings_.push_back(fmt::format("seed {} cycle {}: {}", options_.seed, bench_->cycle(), text));
  }
}

void CoreTraffic::BringUp() {
  const auto count = static_cast<unsigned>(sqs_.size());
  std::fill(sqs_.begin(), sqs_.end(), Sq{});
  std::fill(cqs_.begin(), cqs_.end(), Cq{});
  live_.clear();
  granted_.clear();
  in_flight_.clear();
  slots_back_ = 0;
  winding_down_ = false;
  if (options_.resets_first) bench_->Configure(CoreConfig::Reset());
  bench_->RunUntilQuiescent();
  bench_->in().hold_io = bench_->in().hold_all = false;
  const bool sets_mech = !options_.plain_lives || reset_count_ % 2 == 0;
  const bool sets_arb = !options_.plain_lives || reset_count_ % 4 == 0;
  if (sets_mech) bench_->Configure(CoreConfig::SetMech(options_.wrr));
  arbiter::ArbitrationSettings settings;
  settings.ab = static_cast<std::uint8_t>(Pick(8));
  settings.hpw_zb = static_cast<std::uint8_t>(Pick(Percent(50) ? 4 : 256));
  settings.mpw_zb = static_cast<std::uint8_t>(Pick(Percent(50) ? 4 : 256));
  settings.lpw_zb = static_cast<std::uint8_t>(Pick(Percent(50) ? 4 : 256));
  if (sets_arb) bench_->Configure(CoreConfig::SetArb(settings));
  cq_count_ = 1 + Pick(std::min(count, kMostCqs));
  for (unsigned q = 0; q < cq_count_; ++q) {
    cqs_[q].exists = true;
    cqs_[q].size = options_.tight_cqs ? 2 + Pick(12) : 65536;
    bench_->Configure(CoreConfig::CreateCq(q, cqs_[q].size));
  }
  const unsigned wanted = std::min(count, 1 + Pick(24));
  for (unsigned i = 0; i < wanted; ++i) CreateSomeSq();
  bench_->RunUntilQuiescent();
  bench_->GiveSlots(options_.slot_count);
}

void CoreTraffic::CreateSomeSq() {
  const auto count = static_cast<unsigned>(sqs_.size());
  const unsigned sqid = live_.empty() ? 0 : Pick(count);
  Sq& sq = sqs_[sqid];
  if (sq.state != SqState::kAbsent || bench_->cycle() < sq.free_at) return;
  unsigned cqid = Pick(count);
  if (sqid == 0 || !cqs_[cqid].exists) cqid = 0;
  sq = Sq{};
  sq.state = SqState::kCreating;
  sq.cqid = cqid;
  sq.size = 2 + Pick(Percent(30) ? 5 : 200);
  bench_->Configure(CoreConfig::CreateSq(
      sqid, cqid, sq.size, sqid == 0 ? SqClass::kAdmin : static_cast<SqClass>(Pick(4))));
  if (std::find(live_.begin(), live_.end(), sqid) == live_.end()) live_.push_back(sqid);
}

void CoreTraffic::RingGood() {
  if (live_.empty()) return;
  const unsigned sqid = live_[Pick(static_cast<unsigned>(live_.size()))];
  Sq& sq = sqs_[sqid];
  if (sq.state != SqState::kLive || sq.halted || sq.uncertain) return;
  const unsigned free = sq.size - 1 - RingDistance(sq.tail, sq.fetched, sq.size);
  if (free == 0) return;
  const unsigned count = 1 + Pick(Percent(50) ? std::min(free, 3u) : free);
  sq.tail = RingAdvance(sq.tail, count, sq.size);
  sq.rung.push_back(false);
  bench_->Ring(false, sqid, sq.tail);
}

void CoreTraffic::RingBad() {
  const auto count = static_cast<unsigned>(sqs_.size());
  const unsigned id = Pick(Percent(80) ? count : 65536);
  switch (Pick(6)) {
    case 0:  // no such queue
      if (id >= count ||
          (sqs_[id].state == SqState::kAbsent && bench_->cycle() >= sqs_[id].free_at)) {
        bench_->Ring(false, id, Pick(65536));
        if (id < count) sqs_[id].free_at = bench_->cycle() + kSafeDelay;
      }
      break;
    case 1:
      if (id >= count || !cqs_[id].exists) bench_->Ring(true, id, Pick(65536));
      break;
    case 2:  // CQ: the same again, or beyond the ring
      if (id < count && cqs_[id].exists) {
        bench_->Ring(
            true, id,
            Percent(50) || cqs_[id].size > 60000 ? cqs_[id].head : cqs_[id].size + Pick(100));
      }
      break;
    case 3:  // CQ: past what was posted, whatever is posted meanwhile
      if (id < count && cqs_[id].exists &&
          cqs_[id].reserved + options_.slot_count + 1 < cqs_[id].size) {
        bench_->Ring(true, id, RingAdvance(cqs_[id].head, cqs_[id].size - 1, cqs_[id].size));
      }
      break;
    default: {  // SQ: the same again, beyond the ring, overfull; or to a halted one
      if (live_.empty()) return;
      const unsigned sqid = live_[Pick(static_cast<unsigned>(live_.size()))];
      Sq& sq = sqs_[sqid];
      if (sq.state != SqState::kLive || sq.uncertain) return;
      unsigned value = sq.tail;
      const unsigned used = RingDistance(sq.tail, sq.fetched, sq.size);
      if (Percent(5))
        value = sq.size + Pick(1000);
      else if (Percent(10) && used != 0)
        value = RingAdvance(sq.tail, sq.size - 1, sq.size);
      if (!sq.halted) {
        sq.uncertain = true;
        sq.rung.push_back(true);
      }
      bench_->Ring(false, sqid, value);
      break;
    }
  }
}

void CoreTraffic::ConsumeCq(bool all) {
  const unsigned first = Pick(cq_count_);
  for (unsigned i = 0; i < cq_count_; ++i) {
    const unsigned cqid = (first + i) % cq_count_;
    Cq& cq = cqs_[cqid];
    if (cq.posted == 0) continue;
    const unsigned count = all ? cq.posted : 1 + Pick(cq.posted);
    cq.posted -= count;
    cq.reserved -= count;
    cq.head = RingAdvance(cq.head, count, cq.size);
    bench_->Ring(true, cqid, cq.head);
    return;
  }
}

void CoreTraffic::Reconfigure() {
  switch (Pick(3)) {
    case 0: {
      arbiter::ArbitrationSettings settings;
      settings.ab = static_cast<std::uint8_t>(Pick(8));
      settings.hpw_zb = static_cast<std::uint8_t>(Pick(8));
      settings.mpw_zb = static_cast<std::uint8_t>(Pick(8));
      settings.lpw_zb = static_cast<std::uint8_t>(Pick(256));
      bench_->Configure(CoreConfig::SetArb(settings));
      break;
    }
    case 1:
      CreateSomeSq();
      break;
    default: {
      if (live_.empty()) return;
      const unsigned sqid = live_[Pick(static_cast<unsigned>(live_.size()))];
      if (sqid == 0 || sqs_[sqid].state != SqState::kLive || sqs_[sqid].uncertain) return;
      sqs_[sqid].state = SqState::kDeleting;
      bench_->Configure(CoreConfig::DeleteSq(sqid));
      break;
    }
  }
}

// In round robin a hold lets SQ 0 overtake: it is released only when SQ 0 has nothing that could.
bool CoreTraffic::MayReleaseHold() const {
  return !bench_->in().hold_io || options_.wrr ||
         (doorbells_open_ == 0 && !sqs_[0].uncertain &&
          (sqs_[0].halted || sqs_[0].tail == sqs_[0].head));
}

void CoreTraffic::Hold() {
  CoreIn& in = bench_->in();
  if (bench_->cycle() < hold_until_) return;
  hold_until_ = bench_->cycle() + 20 + Pick(100);
  if (!MayReleaseHold()) {
    in.hold_all = false;
    return;
  }
  in.hold_io = Percent(20);
  in.hold_all = Percent(10);
}

void CoreTraffic::CommitOne(std::uint64_t now) {
  if (granted_.empty() || granted_.front().at > now) return;
  Command& c = granted_.front();
  const unsigned part = Percent(50) ? c.count : 1 + Pick(c.count);
  bench_->Commit({c.sqid, part});
  for (unsigned i = 0; i < part; ++i)
    in_flight_.push_back({c.sqid, c.cqid, 1, bench_->cycle() + Pick(options_.complete_clocks)});
  c.count -= part;
  if (c.count == 0) granted_.pop_front();
}

void CoreTraffic::CompleteOne(std::uint64_t now) {
  if (in_flight_.empty()) return;
  const unsigned k = Pick(static_cast<unsigned>(std::min<std::size_t>(in_flight_.size(), 8)));
  const Command c = in_flight_[k];
  if (c.at + 4 > now || bench_->CommitWaits(c.sqid)) return;
  in_flight_.erase(in_flight_.begin() + k);
  bench_->Complete({c.sqid, c.cqid, !Percent(10)});
  ++slots_back_;
}

void CoreTraffic::RunDevice() {
  const std::uint64_t now = bench_->cycle();
  CommitOne(now);
  CompleteOne(now);
  CompleteOne(now);
  bench_->GiveSlots(slots_back_);
  slots_back_ = 0;
}

void CoreTraffic::StepOneAction() {
  constexpr std::uint64_t kAnyTime = ~std::uint64_t{0} - 100;
  switch (Pick(10)) {
    case 0:
    case 1:
    case 2:
      RingGood();
      break;
    case 3:
      ConsumeCq(false);
      break;
    case 4:
      CommitOne(kAnyTime);
      break;
    case 5:
    case 6:
      CompleteOne(kAnyTime);
      break;
    case 7:
      bench_->GiveSlots(std::min(slots_back_, 1u));
      slots_back_ -= std::min(slots_back_, 1u);
      break;
    case 8:
      if (options_.bad_doorbells && Percent(20)) RingBad();
      if (options_.holds && Percent(20)) {
        bench_->in().hold_io = Percent(20);
        bench_->in().hold_all = Percent(10);
      }
      break;
    default:
      if (options_.reconfigure && Percent(10)) Reconfigure();
      break;
  }
  if (!bench_->RunUntilQuiescent(5000)) Report("does not come to rest");
}

void CoreTraffic::Step() {
  if (options_.one_at_a_time && !winding_down_) {
    StepOneAction();
    return;
  }
  if (!winding_down_) {
    const bool backlog = bench_->doorbell_backlog() >= kDoorbellBacklog;
    if (Percent(options_.doorbell_percent) && !backlog) RingGood();
    if (options_.bad_doorbells && Percent(2)) RingBad();
    if (options_.reconfigure && random_.Below(400) == 0) Reconfigure();
    if (options_.holds) Hold();
  }
  if (Percent(winding_down_ ? 30 : 10)) ConsumeCq(winding_down_);
  RunDevice();
  bench_->in().grant_ready = Percent(options_.ready_percent);
  bench_->commit_gate = Percent(80);
  bench_->completion_gate = Percent(90);
  bench_->Step();
}

void CoreTraffic::OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
                          const CoreConfig* config) {
  if (in.db_valid && out.db_ready && !in.db_is_cq && in.db_qid == 0)
    doorbells_open_ = kSafeDelay;
  else if (doorbells_open_ != 0)
    --doorbells_open_;
  if (out.obs_cfg_valid && config != nullptr) {
    if (config->op == kCfgCreateSq) sqs_[config->id].state = SqState::kLive;
  }
  if (out.cfg_done && config != nullptr && config->op == kCfgDeleteSq) {
    Sq& sq = sqs_[config->id];
    if (sq.fetched != sq.head)
      Report(fmt::format("SQ {} deleted before its last fetch", config->id));
    sq = Sq{};
    sq.free_at = cycle + kSafeDelay;
    ++delete_count_;
  }
  if ((out.obs_db_valid || out.obs_db_reject) && !out.obs_db_is_cq &&
      out.obs_db_qid < sqs_.size()) {
    Sq& sq = sqs_[out.obs_db_qid];
    const bool bad = !sq.rung.empty() && sq.rung.front();
    if (!sq.rung.empty()) sq.rung.pop_front();
    if (bad) {
      sq.uncertain = false;
      if (out.obs_db_valid)
        sq.tail = out.obs_db_value;
      else if (out.obs_db_value != sq.tail)
        sq.halted = true;
    } else if (out.obs_db_reject && sq.state == SqState::kLive) {
      Report(fmt::format("good doorbell of SQ {} refused", out.obs_db_qid));
    }
  }
  if (out.obs_db_reject) ++reject_count_;
  if (out.obs_grant_valid) CheckGrant(cycle, out);
  if (out.obs_fetch_valid) sqs_[out.obs_fetch_sqid].fetched = out.obs_fetch_head;
  if (out.obs_complete_valid) {
    Cq& cq = cqs_[out.obs_complete_cqid];
    if (out.obs_complete_posted)
      ++cq.posted;
    else
      --cq.reserved;
  }
}

void CoreTraffic::CheckGrant(std::uint64_t cycle, const CoreOut& out) {
  Sq& sq = sqs_[out.grant_sqid];
  if (sq.state != SqState::kLive && sq.state != SqState::kDeleting) {
    Report(fmt::format("grant of SQ {} which does not exist", out.grant_sqid));
    return;
  }
  if (out.grant_head != sq.head) {
    Report(
        fmt::format("grant of SQ {} at {}, next is {}", out.grant_sqid, out.grant_head, sq.head));
  }
  const unsigned present = RingDistance(sq.tail, sq.head, sq.size);
  if (out.grant_count == 0 || out.grant_count > present || out.grant_count > options_.max_count ||
      out.grant_head + out.grant_count > sq.size) {
    Report(fmt::format("grant of SQ {} with count {}, {} present", out.grant_sqid, out.grant_count,
                       present));
  }
  sq.head = RingAdvance(sq.head, out.grant_count, sq.size);
  Cq& cq = cqs_[sq.cqid];
  cq.reserved += out.grant_count;
  if (cq.reserved > cq.size - 1) Report(fmt::format("CQ {} overbooked", sq.cqid));
  granted_.push_back(
      {out.grant_sqid, sq.cqid, out.grant_count, cycle + 2 + Pick(options_.fetch_clocks)});
  command_count_ += out.grant_count;
}

bool CoreTraffic::WindDown() {
  winding_down_ = true;
  bench_->in().hold_all = false;
  for (int i = 0; i < 100000 && !MayReleaseHold(); ++i) Step();
  bench_->in().hold_io = false;
  unsigned quiet = 0;
  for (unsigned i = 0; i < 2000000 && quiet < 100; ++i) {
    Step();
    const bool posted = std::any_of(cqs_.begin(), cqs_.begin() + cq_count_,
                                    [](const Cq& c) { return c.posted != 0; });
    quiet = granted_.empty() && in_flight_.empty() && bench_->Drained() && !posted ? quiet + 1 : 0;
  }
  bench_->in().grant_ready = true;
  if (quiet < 100 || !bench_->Step().quiescent) {
    Report("does not come to rest");
    return false;
  }
  for (unsigned id = 0; id < sqs_.size(); ++id) {
    const Sq& sq = sqs_[id];
    if (sq.state == SqState::kLive && !sq.halted && sq.head != sq.tail) {
      Report(fmt::format("SQ {} ends with head {} and tail {}", id, sq.head, sq.tail));
    }
  }
  return true;
}

void CoreTraffic::ResetUnderLoad() {
  bench_->in().hold_all = true;
  bench_->in().hold_io = false;
  bench_->in().grant_ready = true;
  bench_->commit_gate = bench_->completion_gate = true;
  // The device side ends what was granted, and forgets the rest.
  for (unsigned i = 0; i < 100000; ++i) {
    RunDevice();
    const bool ended = granted_.empty() && in_flight_.empty() && bench_->Drained();
    if (bench_->Step().quiescent && ended) {
      ++reset_count_;
      break;
    }
  }
  BringUp();
}

}  // namespace nvmearb::tb
