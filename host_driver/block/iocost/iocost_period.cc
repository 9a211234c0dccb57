// SPDX-License-Identifier: Apache-2.0
//
// The period timer: who lends what, and how fast the device's virtual time runs.
#include <algorithm>
#include <cstdlib>

#include "host_driver/block/iocost/iocost.h"
#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {
namespace {

constexpr double kMarginMin = 0.10;  // of a period
constexpr double kMarginLow = 0.20;
constexpr double kMarginTarget = 0.50;
constexpr double kTagWaitBusy = 0.05;  // of a period: the device is full
constexpr double kTagWaitFree = 0.03;  // ... is not
constexpr double kUnbusy = 0.75;       // of the allowed misses
constexpr int kMostBusy = 1000;
constexpr double kLaggingPeriods = 10;
constexpr double kBackIntoBounds = 0.04;
constexpr TimePs kStepAfter = 10 * kSec;
constexpr double kTooFast = 5;
constexpr double kTooSlow = 0.1;
constexpr double kSmallestShare = 1.0 / 65536;

double Seconds(TimePs time) { return static_cast<double>(time) / 1e12; }

// How much the rate changes at a busy level.
double StepOf(int level) {
  const int size = std::abs(level);
  if (size < 4) return 0;
  if (size < 16) return 0.01;
  if (size < 32) return 0.02;
  if (size < 40) return 0.04;
  return size < 48 ? 0.08 : 0.16;
}

}  // namespace

void Iocost::ApplyParams() {
  params_.UseDefaults(fast_);
  const auto coefficients = [](double bps, double seq_iops, double rand_iops) {
    Coefficients c{};
    c.page = 4096 / bps;
    c.seq = std::max(1 / seq_iops - c.page, 0.0);
    c.rand = std::max(1 / rand_iops - c.page, 0.0);
    return c;
  };
  model_[0] = coefficients(params_.read_bps, params_.read_seq_iops, params_.read_rand_iops);
  model_[1] = coefficients(params_.write_bps, params_.write_seq_iops, params_.write_rand_iops);
  const bool by_read = params_.read_lat_us >= params_.write_lat_us;
  const double latency = (by_read ? params_.read_lat_us : params_.write_lat_us) * 1e-6;
  const double percentile = by_read ? params_.read_pct : params_.write_pct;
  const double factor = percentile == 0 ? 2 : std::max((100 - percentile) / 5, 2.0);
  period_ = std::clamp(factor * latency, 1e-3, 1.0);
  base_rate_ = std::clamp(base_rate_, params_.min_pct / 100, params_.max_pct / 100);
  SetRate(base_rate_);
}

// The rate in force; the margins are times of the device.
void Iocost::SetRate(double rate) {
  v_start_ = VNow();
  t_start_ = clock_->Now();
  rate_ = rate;
  margin_min_ = period_ * kMarginMin * base_rate_;
  margin_low_ = period_ * kMarginLow * base_rate_;
  margin_target_ = period_ * kMarginTarget * base_rate_;
}

void Iocost::StartPeriod() {
  running_ = true;
  // What was thrown away comes back over the next period.
  const double change = std::clamp(-v_error_ / period_, -base_rate_ / 2, base_rate_);
  v_error_ += change * period_;
  v_error_ = std::clamp(v_error_, -period_ * base_rate_, period_ * base_rate_);
  SetRate(base_rate_ + change);
  ++period_count_;
  period_at_ = clock_->Now();
  period_at_v_ = VNow();
  clock_->At(period_at_ + static_cast<TimePs>(period_ * 1e12), Bind<&Iocost::PeriodTimer>(this));
}

void Iocost::PeriodTimer(std::uint64_t) {
  const double period_v = VNow() - period_at_v_;
  const double elapsed = Seconds(clock_->Now() - period_at_);
  int shortages = 0;
  int lagging = 0;
  bool any_lender = false;
  bool any_active = false;
  for (const auto& entry : groups_) {
    Group& group = *entry;
    if (!group.is_leaf_active) continue;
    if (group.first != nullptr || group.debt > 0) {
      KickWaiters(group);
    } else if (group.last_io_period + 1 < period_count_ && group.vdone >= group.vtime - 1e-12) {
      Retire(group);
      continue;
    }
  }
  for (const auto& entry : groups_) {
    Group& group = *entry;
    if (!group.is_leaf_active) continue;
    any_active = true;
    const bool has_targets = params_.read_pct > 0 || params_.write_pct > 0;
    const double now = VNow();
    if (has_targets && group.vtime > group.vdone &&
        group.vtime > now - kLaggingPeriods * period_v && group.vdone < now - period_v) {
      ++lagging;
    }
    if (Consider(group, elapsed)) {
      any_lender = any_lender || group.lends;
    } else {
      ++shortages;
    }
    group.usage = 0;
    group.saved_margin = VNow() - group.vtime;
  }
  if (any_lender && shortages > 0) Lend();
  Judge(shortages, lagging);
  if (any_active) {
    StartPeriod();
  } else {
    running_ = false;
    busy_level_ = 0;
    v_error_ = 0;
  }
}

// Nothing for a whole period. What it has above the target is given back to all.
void Iocost::Retire(Group& group) {
  const double excess = VNow() - group.vtime - margin_target_;
  if (excess > 0) v_error_ -= excess * ShareInUse(group);
  SetWeights(group, 0, 0);
  group.is_leaf_active = false;
}

// Decides what the group may lend. Returns false when it is short itself.
bool Iocost::Consider(Group& group, double elapsed) {
  const double now = VNow();
  group.lends = false;
  group.share = ShareActive(group);
  group.share_after = group.share;
  const double in_use = ShareInUse(group);
  const bool waits = group.first != nullptr || group.debt > 0;
  if (group.inuse >= group.weight && (waits || group.vtime > now - margin_low_)) return false;
  if (waits || group.vtime > now - margin_min_) {
    SetWeights(group, group.weight, group.weight);  // needs what it lent
    return true;
  }
  const double duration =
      std::max(std::min(elapsed, Seconds(clock_->Now() - group.active_since)), 1e-6);
  double usage = group.usage;
  if (group.vdone < group.vtime)
    usage = std::max(usage, (group.vtime - group.vdone) * in_use / base_rate_);
  const double used_share =
      std::clamp(usage / (duration * base_rate_), kSmallestShare, group.share);
  const double excess = now - group.vtime - margin_target_;
  if (excess > 0) {
    group.vtime += excess;
    group.vdone += excess;
    v_error_ -= excess * in_use;
  }
  // So much that the target is left at the end of the next period.
  const double period_v = std::max(now - period_at_v_, 1e-12);
  const double left = (now - group.vtime) / period_v;
  group.share_after =
      std::clamp(used_share / (1 - kMarginTarget + left), kSmallestShare, group.share);
  group.lends = group.share_after < group.share;
  if (!group.lends) SetWeights(group, group.weight, group.weight);
  return true;
}

// Shares of those that lend become what they need; the others grow in proportion.
void Iocost::Lend() {
  double lent_full = 0;
  double lent_after = 0;
  for (const auto& group : groups_) {
    if (!group->is_leaf_active || !group->lends) continue;
    lent_full += group->share;
    lent_after += group->share_after;
  }
  const double growth = lent_full < 1 ? (1 - lent_after) / (1 - lent_full) : 1;
  for (const auto& group : groups_) {
    if (!group->is_leaf_active) continue;
    if (!group->lends) group->share_after = group->share * growth;
  }
  SetInuseBelow(*groups_.front());
}

// Sets the inuse of everything below `node` so that the leaves get their share_after; returns their
// sum.
double Iocost::SetInuseBelow(Group& node) {
  if (node.is_leaf_active) return node.share_after;
  double sum = 0;
  for (Group* child : node.children) {
    if (child->weight == 0) continue;
    child->share_after = SetInuseBelow(*child);
    sum += child->share_after;
  }
  if (sum <= 0) return 0;
  // Only the ratios among siblings count; who does not lend keeps its weight as far as possible.
  double scale = 0;
  for (const Group* child : node.children) {
    if (child->weight > 0) scale = std::max(scale, child->share_after / child->weight);
  }
  node.children_inuse = 0;
  for (Group* child : node.children) {
    if (child->weight == 0) continue;
    child->inuse = child->share_after / scale;
    node.children_inuse += child->inuse;
  }
  return sum;
}

// Is the device full, or could it take more?
void Iocost::Judge(int shortages, int lagging) {
  const double tag_wait = Seconds(tag_wait_) / period_;
  bool missed = false;
  bool well_within = true;
  const double allowed[] = {1 - params_.read_pct / 100, 1 - params_.write_pct / 100};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto all = static_cast<double>(latency_[i].met + latency_[i].missed);
    const double share = all == 0 ? 0 : static_cast<double>(latency_[i].missed) / all;
    missed = missed || share > allowed[i];
    well_within = well_within && share <= allowed[i] * kUnbusy;
    latency_[i] = Direction();
  }
  tag_wait_ = 0;
  if (tag_wait > kTagWaitBusy || missed) {
    busy_level_ = std::max(busy_level_, 0) + 1;
  } else if (tag_wait <= kTagWaitFree && well_within) {
    if (shortages > 0) {
      busy_level_ = std::min(busy_level_, 0);
      if (lagging == 0) --busy_level_;
    } else {
      busy_level_ = 0;
    }
  } else {
    busy_level_ = 0;
  }
  busy_level_ = std::clamp(busy_level_, -kMostBusy, kMostBusy);
  AdjustRate(lagging);
}

void Iocost::AdjustRate(int lagging) {
  const double low = params_.min_pct / 100;
  const double high = params_.max_pct / 100;
  if (base_rate_ < low) {
    base_rate_ = std::min(base_rate_ * (1 + kBackIntoBounds), low);
  } else if (base_rate_ > high) {
    base_rate_ = std::max(base_rate_ * (1 - kBackIntoBounds), high);
  } else if (busy_level_ > 0 || (busy_level_ < 0 && lagging == 0)) {
    const double step = StepOf(busy_level_);
    base_rate_ = std::clamp(base_rate_ * (busy_level_ > 0 ? 1 - step : 1 + step), low, high);
  }
  StepDefaults();
}

// The built-in sets: the fast one once the rate stays far above 100 %, back when far below.
void Iocost::StepDefaults() {
  if (params_.user_qos && params_.user_model) return;
  const bool wants = fast_ ? base_rate_ <= kTooSlow : base_rate_ >= kTooFast;
  if (!wants) {
    step_since_ = 0;
    return;
  }
  if (step_since_ == 0) step_since_ = clock_->Now();
  if (clock_->Now() - step_since_ < kStepAfter) return;
  fast_ = !fast_;
  step_since_ = 0;
  base_rate_ = 1;
  ApplyParams();
}

}  // namespace nvmearb::host
