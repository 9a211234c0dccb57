// SPDX-License-Identifier: Apache-2.0
#include "wait_bound.h"

#include <fmt/format.h>

#include <algorithm>

namespace nvmearb::tb {

using arbiter::SqClass;

namespace {
constexpr int LevelOf(SqClass ring) { return static_cast<int>(ring) - 1; }
constexpr bool IsLevel(SqClass ring) {
  return ring == SqClass::kHigh || ring == SqClass::kMedium || ring == SqClass::kLow;
}
}  // namespace

std::uint64_t LevelWaitBound(unsigned level, std::uint64_t strict, std::uint64_t before,
                             const arbiter::ArbitrationSettings& settings) {
  const auto weight = [&settings](unsigned l) {
    return static_cast<std::uint64_t>(settings.WeightCount(static_cast<int>(l)));
  };
  // Its command is in the last of `rounds` rounds that begin while it waits. What is left of the
  // round before goes to the other levels.
  const std::uint64_t rounds = (before + weight(level)) / weight(level);
  std::uint64_t others = 0, higher = 0;
  for (unsigned l = 0; l < 3; ++l) {
    if (l != level) others += weight(l);
    if (l < level) higher += weight(l);
  }
  return strict + before + rounds * others + higher;
}

void WaitBound::OnCycle(std::uint64_t cycle, const CoreIn& /*in*/, const CoreOut& out,
                        const CoreConfig* config) {
  if (out.obs_grant_valid) OnGrant(cycle, out.grant_sqid, out.grant_count);
  if (out.obs_cfg_valid && config != nullptr) OnConfig(*config);
  if (out.obs_db_valid && !out.obs_db_is_cq) OnTail(cycle, &sqs_[out.obs_db_qid], out.obs_db_value);
}

void WaitBound::OnConfig(const CoreConfig& config) {
  if (config.op == kCfgReset) {
    std::fill(sqs_.begin(), sqs_.end(), Sq{});
    wrr_ = false;
  } else if (config.op == kCfgSetMech) {
    wrr_ = config.wrr;
  } else if (config.op == kCfgSetArb) {
    settings_ = config.settings;
  } else if (config.op == kCfgCreateSq) {
    Sq& sq = sqs_[config.id];
    sq = Sq{};
    sq.ring = wrr_ ? static_cast<SqClass>(config.sq_class) : SqClass::kUrgent;
    sq.pointers = arbiter::SqRing(config.size_count);
  } else if (config.op == kCfgDeleteSq) {
    sqs_[config.id] = Sq{};
  }
}

std::uint64_t WaitBound::LongestVisit(const Sq& sq) const {
  const std::uint64_t burst =
      settings_.ab == 7 ? sq.pointers.size_count() - 1 : std::uint64_t{1} << settings_.ab;
  if (!IsLevel(sq.ring)) return burst;
  const auto weight = static_cast<std::uint64_t>(settings_.WeightCount(LevelOf(sq.ring)));
  return settings_.ab == 7 ? weight : std::min(burst, weight);
}

void WaitBound::OnTail(std::uint64_t cycle, Sq* sq, unsigned tail) {
  const bool was_idle = sq->pointers.PresentCount() == 0;
  sq->pointers.SetTail(tail);
  if (!was_idle) return;
  sq->waits = true;
  sq->from = cycle + kLateArrivalClocks;
  sq->commands = sq->strict = sq->before = 0;
  for (const Sq& other : sqs_) {
    const bool ahead = &other != sq && other.ring == sq->ring && other.pointers.PresentCount() != 0;
    if (ahead) sq->before += LongestVisit(other);
  }
}

void WaitBound::OnGrant(std::uint64_t cycle, unsigned sqid, unsigned count) {
  Sq& granted = sqs_[sqid];
  granted.pointers.Issue(count);
  if (granted.waits) Judge(cycle, sqid);
  for (Sq& sq : sqs_) {
    if (!sq.waits || cycle < sq.from) continue;
    sq.commands += count;
    const bool admin = granted.ring == SqClass::kAdmin;
    const bool urgent = wrr_ && granted.ring == SqClass::kUrgent;
    if (sq.ring != granted.ring && (admin || (urgent && IsLevel(sq.ring)))) sq.strict += count;
  }
}

void WaitBound::Judge(std::uint64_t cycle, unsigned sqid) {
  Sq& sq = sqs_[sqid];
  sq.waits = false;
  const std::uint64_t bound =
      IsLevel(sq.ring)
          ? LevelWaitBound(static_cast<unsigned>(LevelOf(sq.ring)), sq.strict, sq.before, settings_)
          : sq.strict + sq.before;
  Measure& measure = measured_[static_cast<std::size_t>(sq.ring)];
  ++measure.wait_count;
  if (sq.commands > measure.longest) {
    measure.longest = sq.commands;
    measure.its_bound = bound;
  }
  if (sq.commands > bound && findings_.size() < 10) {
    findings_.push_back(fmt::format(
        "cycle {}: SQ {} of class {} waited for {} commands, {} of them strict, bound {}", cycle,
        sqid, static_cast<int>(sq.ring), sq.commands, sq.strict, bound));
  }
}

}  // namespace nvmearb::tb
