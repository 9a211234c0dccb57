// SPDX-License-Identifier: Apache-2.0
//
// The path of a bio: cost, share, charge, wait.
#include "host_driver/block/iocost/iocost.h"

#include <algorithm>
#include <cmath>

#include "host_driver/cgroup/cgroup.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

constexpr std::uint64_t kSeekBytes = 16u << 20;
constexpr double kRaiseStep = 0.25;  // of the full weight

double Seconds(TimePs time) { return static_cast<double>(time) / 1e12; }

}  // namespace

Iocost::Iocost(Clock* clock, RqQosHost* host, const IocostParams& params)
    : clock_(clock), host_(host), params_(params) {
  groups_.push_back(std::make_unique<Group>());  // the root
  ApplyParams();
}

double Iocost::VNow() const { return v_start_ + Seconds(clock_->Now() - t_start_) * rate_; }

// ---- groups and shares

const Iocost::Group* Iocost::Find(const Cgroup* cgroup) const {
  for (const auto& group : groups_) {
    if (group->cgroup == cgroup) return group.get();
  }
  return nullptr;
}

Iocost::Group* Iocost::GroupOf(Cgroup* cgroup) {
  if (cgroup->is_root()) return groups_.front().get();
  for (const auto& group : groups_) {
    if (group->cgroup == cgroup) return group.get();
  }
  Group* const parent = GroupOf(cgroup->parent());
  Group* const group = groups_.emplace_back(std::make_unique<Group>()).get();
  group->cgroup = cgroup;
  group->parent = parent;
  parent->children.push_back(group);
  return group;
}

double Iocost::ShareInUse(const Group& group) const {
  double share = 1;
  for (const Group* g = &group; g->parent != nullptr; g = g->parent) {
    share *= g->inuse / g->parent->children_inuse;
  }
  return share;
}

double Iocost::ShareActive(const Group& group) const {
  double share = 1;
  for (const Group* g = &group; g->parent != nullptr; g = g->parent) {
    share *= g->weight / g->parent->children_weight;
  }
  return share;
}

double Iocost::Share(const Cgroup* cgroup) const {
  const Group* const group = Find(cgroup);
  return group == nullptr || group->weight == 0 ? 0 : ShareInUse(*group);
}

double Iocost::FullShare(const Cgroup* cgroup) const {
  const Group* const group = Find(cgroup);
  return group == nullptr || group->weight == 0 ? 0 : ShareActive(*group);
}

// Weight in force and in use of a group that issues I/O; what is above follows. A group above is in
// force while something below it is, and lends what its children lend.
void Iocost::SetWeights(Group& group, double weight, double inuse) {
  for (Group* g = &group;;) {
    Group* const parent = g->parent;
    parent->children_weight += weight - g->weight;
    parent->children_inuse += inuse - g->inuse;
    g->weight = weight;
    g->inuse = inuse;
    if (parent->parent == nullptr) return;
    const bool any = std::any_of(parent->children.begin(), parent->children.end(),
                                 [](const Group* child) { return child->weight > 0; });
    weight = any ? parent->cgroup->io_weight() : 0;
    inuse = any ? weight * parent->children_inuse / parent->children_weight : 0;
    g = parent;
  }
}

void Iocost::Activate(Group& group) {
  group.last_io_period = period_count_;
  if (group.is_leaf_active) return;
  group.is_leaf_active = true;
  group.active_since = clock_->Now();
  if (!running_) StartPeriod();
  // It begins with the budget that is aimed at, whatever it left behind.
  const double begin = VNow() - margin_target_;
  group.vdone += begin - group.vtime;
  group.vtime = begin;
  const double weight = group.cgroup->io_weight();
  SetWeights(group, weight, weight);
}

// ---- cost

double Iocost::CostOf(bool read, std::uint32_t bytes, bool far, bool merged) const {
  const Coefficients& c = model_[read ? 0 : 1];
  const double pages = std::max(1.0, std::floor(bytes / 4096.0));
  return pages * c.page + (merged ? 0 : far ? c.rand : c.seq);
}

double Iocost::Cost(Group& group, const Bio& bio, bool merged) const {
  if (bio.op != BioOp::kRead && bio.op != BioOp::kWrite) return 0;
  const std::uint64_t distance =
      bio.offset > group.cursor ? bio.offset - group.cursor : group.cursor - bio.offset;
  const bool far = group.cursor != 0 && distance > kSeekBytes;
  return CostOf(bio.op == BioOp::kRead, bio.bytes, far, merged);
}

// ---- bios

bool Iocost::Throttle(Bio* bio) {
  bio->qos_charge = 0;
  if (bio->cgroup->is_root()) return true;
  Group& group = *GroupOf(bio->cgroup);
  const double cost = Cost(group, *bio, false);
  if (cost == 0) return true;
  Activate(group);
  group.cursor = bio->offset + bio->bytes;
  double charge = cost / ShareInUse(group);
  charge = RaiseShare(group, cost, charge);
  if (group.first == nullptr && group.debt == 0 && group.vtime + charge <= VNow()) {
    Commit(group, bio, cost, charge);
    return true;
  }
  if (group.inuse != group.weight) SetWeights(group, group.weight, group.weight);
  bio->qos_charge = cost;  // until it goes on: the cost
  bio->next = nullptr;
  (group.first == nullptr ? group.first : group.last->next) = bio;
  group.last = bio;
  KickWaiters(group);
  return false;
}

void Iocost::Commit(Group& group, Bio* bio, double cost, double charge) {
  group.vtime += charge;
  group.usage += cost;
  bio->qos_charge = charge;
}

// Within a period a group that lends takes back in steps what it turns out to need.
double Iocost::RaiseShare(Group& group, double cost, double charge) {
  const double now = VNow();
  const double margin = now - group.vtime - charge;
  if (group.debt > 0 || margin >= group.saved_margin || margin >= margin_low_ ||
      group.inuse == group.weight) {
    return charge;
  }
  double inuse = group.inuse;
  do {
    inuse = std::min(group.weight, inuse + group.weight * kRaiseStep);
    SetWeights(group, group.weight, inuse);
    charge = cost / ShareInUse(group);
  } while (group.vtime + charge > now && group.inuse != group.weight);
  return charge;
}

// A bio that joined a request is charged; what it cannot pay now it owes.
void Iocost::Merged(Bio* bio) {
  bio->qos_charge = 0;
  if (bio->cgroup->is_root()) return;
  Group& group = *GroupOf(bio->cgroup);
  const double cost = Cost(group, *bio, true);
  if (cost == 0 || !group.is_leaf_active) return;
  group.last_io_period = period_count_;
  group.cursor = bio->offset + bio->bytes;
  const double charge = cost / ShareInUse(group);
  if (group.first == nullptr && group.debt == 0 && group.vtime + charge < VNow()) {
    Commit(group, bio, cost, charge);
    return;
  }
  group.debt += cost;
  group.usage += cost;
}

void Iocost::Done(const Bio& bio) {
  if (bio.qos_charge == 0) return;
  GroupOf(bio.cgroup)->vdone += bio.qos_charge;
}

void Iocost::RequestDone(const Request& request, TimePs age) {
  if (request.op != BioOp::kRead && request.op != BioOp::kWrite) return;
  const bool read = request.op == BioOp::kRead;
  const double size_cost = request.bytes / 4096.0 * model_[read ? 0 : 1].page;
  const double limit = (read ? params_.read_lat_us : params_.write_lat_us) * 1e-6;
  Direction& mine = latency_[read ? 0 : 1];
  ++(Seconds(age) - size_cost <= limit ? mine.met : mine.missed);
}

void Iocost::PayDebt(Group& group) {
  const double budget = VNow() - group.vtime;
  if (group.debt <= 0 || budget <= 0) return;
  const double share = ShareInUse(group);
  const double paid = std::min(group.debt, budget * share);
  group.debt -= paid;
  if (group.debt < 1e-12) group.debt = 0;
  group.vtime += paid / share;
  group.vdone += paid / share;
}

// Lets go of whom the budget lets go, and looks again when the next one can.
void Iocost::KickWaiters(Group& group) {
  PayDebt(group);
  const double share = ShareInUse(group);
  const double now = VNow();
  while (group.first != nullptr && group.debt == 0) {
    Bio* const bio = group.first;
    const double charge = bio->qos_charge / share;
    if (group.vtime + charge > now) break;
    group.first = bio->next;
    Commit(group, bio, bio->qos_charge, charge);
    host_->Resume(bio);
  }
  if (group.first == nullptr) return;
  const double shortage = group.vtime + group.debt / share + group.first->qos_charge / share - now;
  const auto wait = static_cast<TimePs>(std::ceil(std::max(shortage, 0.0) / rate_ * 1e12)) + 1;
  const TimePs when = clock_->Now() + wait;
  const bool is_armed = group.timer_at > clock_->Now();
  if (is_armed && group.timer_at <= when) return;
  group.timer_at = when;
  const auto at = std::find_if(groups_.begin(), groups_.end(),
                               [&](const auto& g) { return g.get() == &group; });
  clock_->At(when,
             Bind<&Iocost::WaitTimer>(this, static_cast<std::uint64_t>(at - groups_.begin())));
}

void Iocost::WaitTimer(std::uint64_t index) {
  Group& group = *groups_[index];
  if (group.timer_at != clock_->Now()) return;  // replaced by an earlier one
  if (group.first != nullptr) KickWaiters(group);
}

}  // namespace nvmearb::host
