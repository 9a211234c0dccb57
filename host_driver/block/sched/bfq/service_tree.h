// SPDX-License-Identifier: Apache-2.0
//
// BfqServiceTree: B-WF2Q+, the fair queueing of bfq: whose turn it is among queues and groups of
// one parent, by virtual times (host_algorithms 4.2).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_SERVICE_TREE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_SERVICE_TREE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace nvmearb::host {

struct BfqGroup;
struct BfqQueue;

/// Priority classes in the order in which they are served.
enum BfqClass : int { kBfqRealtime = 0, kBfqBestEffort = 1, kBfqIdle = 2 };
inline constexpr int kBfqClassCount = 3;

/// A queue or a group among its siblings. Amounts of service in sectors, virtual times in sectors
/// per weight.
struct BfqEntity {
  double start = 0;
  double finish = 0;
  double weight = 100;
  double budget = 0;
  double service = 0;  ///< received since it was chosen
  BfqClass io_class = kBfqBestEffort;
  bool active = false;
  BfqQueue* queue = nullptr;  ///< one of the two is set
  BfqGroup* group = nullptr;
};

/// The active entities are few (the jobs of a cgroup), so a plain array is searched, once per slot.
class BfqServiceTree {
 public:
  [[nodiscard]] bool empty() const {
    return std::all_of(classes_.begin(), classes_.end(),
                       [](const Class& c) { return c.active.empty(); });
  }
  [[nodiscard]] bool HasClass(BfqClass io_class) const {
    return !classes_[static_cast<std::size_t>(io_class)].active.empty();
  }

  /// It has something to do again. It does not get back what it missed, nor escapes what it used.
  void Activate(BfqEntity* entity) {
    Class& mine = ClassOf(entity);
    entity->active = true;
    entity->service = 0;
    entity->start = std::max(mine.now, entity->finish);
    entity->finish = entity->start + entity->budget / entity->weight;
    mine.active.push_back(entity);
    mine.weight += entity->weight;
  }

  void Serve(BfqEntity* entity, double sectors) {
    Class& mine = ClassOf(entity);
    entity->service += sectors;
    if (entity->active) mine.now += sectors / mine.weight;
  }

  /// It has been served: its time goes on by what it received. With `goes_on` it queues up again,
  /// for `budget`, otherwise it leaves.
  void Requeue(BfqEntity* entity, bool goes_on, double budget) {
    entity->finish = entity->start + entity->service / entity->weight;
    entity->service = 0;
    if (goes_on) {
      entity->start = entity->finish;
      entity->budget = budget;
      entity->finish = entity->start + budget / entity->weight;
    } else {
      Leave(entity);
    }
  }

  void Leave(BfqEntity* entity) {
    Class& mine = ClassOf(entity);
    entity->active = false;
    mine.weight -= entity->weight;
    mine.active.erase(std::find(mine.active.begin(), mine.active.end(), entity));
    if (mine.active.empty()) mine.weight = 0;  // no rounding error stays
  }

  /// Whose turn it is in this class: the earliest end among those that may begin. Null when empty.
  BfqEntity* Select(BfqClass io_class) {
    Class& mine = classes_[static_cast<std::size_t>(io_class)];
    if (mine.active.empty()) return nullptr;
    double first = mine.active.front()->start;
    for (const BfqEntity* entity : mine.active) first = std::min(first, entity->start);
    mine.now = std::max(mine.now, first);
    BfqEntity* best = nullptr;
    for (BfqEntity* entity : mine.active) {
      if (entity->start > mine.now) continue;
      if (best == nullptr || entity->finish < best->finish) best = entity;
    }
    return best;
  }

  /// Calls visit(entity) for every active one.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Class& one : classes_) {
      for (BfqEntity* entity : one.active) visit(entity);
    }
  }

 private:
  struct Class {
    double now = 0;  // virtual time
    double weight = 0;
    std::vector<BfqEntity*> active;  // in the order of their activation
  };
  Class& ClassOf(const BfqEntity* entity) {
    return classes_[static_cast<std::size_t>(entity->io_class)];
  }
  std::array<Class, kBfqClassCount> classes_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_SERVICE_TREE_H_
