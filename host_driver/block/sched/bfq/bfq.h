// SPDX-License-Identifier: Apache-2.0
//
// Bfq: the budget fair queueing scheduler. One process's queue has the device for a slot; whose
// slot comes next is decided by weights.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_BFQ_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_BFQ_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "host_driver/block/elevator.h"
#include "host_driver/block/sched/bfq/peak_rate.h"
#include "host_driver/block/sched/bfq/service_tree.h"
#include "host_driver/block/sched/merge_hash.h"
#include "host_driver/block/sched/request_fifo.h"
#include "host_driver/block/sched/sorted_requests.h"

namespace nvmearb::host {

class Cgroup;

struct BfqGroup {
  BfqEntity entity;            ///< among the children of `parent`
  BfqGroup* parent = nullptr;  ///< null: the root group
  Cgroup* cgroup = nullptr;
  BfqServiceTree children;
  BfqQueue* async = nullptr;
  unsigned pending = 0;  ///< requests queued or with the driver, of all queues below
};

/// The requests of one process, or the asynchronous ones of a group.
struct BfqQueue {
  BfqEntity entity;
  BfqGroup* group = nullptr;
  std::uint32_t task = 0;
  bool sync = true;
  SortedRequests sorted;
  RequestFifo fifo;
  Request* next = nullptr;  ///< nearest to where the last one ended
  unsigned queued = 0;
  unsigned dispatched = 0;     ///< with the driver
  double next_budget = 0;      ///< of its next slot, in sectors
  TimePs slot_start = 0;       ///< of the current slot
  bool fifo_checked = false;   ///< in the current slot
  std::uint64_t last_end = 0;  ///< bytes: end of the last request that was inserted
  std::uint32_t seeks = 0;     ///< a bit for each of the last 32: far from the one before
};

/// What is modelled and what is not: docs/host.md. One lock for the whole disk.
class Bfq final : public Elevator {
 public:
  Bfq();

  void Attach(ElevatorHost* host) override;
  [[nodiscard]] unsigned DepthFor(const Bio& bio) const override;
  bool BioMerge(Bio* bio, Hctx* hctx) override;
  void Insert(Request* request, bool at_head) override;
  Request* Dispatch(Hctx* hctx) override;
  [[nodiscard]] bool HasWork(const Hctx* hctx) const override;
  void Completed(Request* request) override;
  void Requeued(Request* request) override;
  void TakeAll(RequestList* list) override;

  /// For whoever watches.
  [[nodiscard]] const BfqQueue* in_service() const { return in_service_; }
  [[nodiscard]] std::uint64_t slots() const { return slots_; }

 private:
  enum class Reason { kTimeout, kExhausted, kTooIdle, kNoRequests, kPreempted };

  // Who is who.
  BfqQueue* QueueOf(const Bio& bio, IoprioClass io_class);
  BfqGroup* GroupOf(Cgroup* cgroup);
  [[nodiscard]] BfqQueue* Owner(const Request* request) const {
    return static_cast<BfqQueue*>(request->sched.owner);
  }

  // Slots.
  BfqQueue* SelectQueue();
  BfqQueue* NextQueue();
  void BeginSlot(BfqQueue* queue);
  void Expire(Reason reason);
  void NextBudget(BfqQueue& queue, Reason reason);
  void Activate(BfqQueue* queue);
  void Deactivate(BfqQueue* queue);
  void Serve(BfqQueue* queue, double sectors);
  [[nodiscard]] double MaxBudget() const;
  [[nodiscard]] bool SlotIsOver(const BfqQueue& queue) const;

  // Idling.
  [[nodiscard]] bool IsSeeky(const BfqQueue& queue) const;
  [[nodiscard]] bool BetterToIdle(const BfqQueue& queue) const;
  [[nodiscard]] bool IsAsymmetric() const;
  void StartIdling();
  void IdleTimer(std::uint64_t ticket);
  BfqQueue* Injectable() const;

  // Requests.
  [[nodiscard]] double Cost(const Request& request) const;
  Request* TakeFrom(BfqQueue* queue);
  void AddSorted(BfqQueue& queue, Request* request);
  void Remove(Request* request);
  void UpdateNext(BfqQueue& queue);
  [[nodiscard]] Request* Nearest(const BfqQueue& queue) const;
  void NoteSeek(BfqQueue& queue, const Request& request);

  std::vector<std::unique_ptr<BfqGroup>> groups_;  // the root first
  std::vector<std::unique_ptr<BfqQueue>> queues_;
  std::vector<BfqQueue*> sync_by_task_;
  RequestFifo at_head_;
  MergeHash hash_;
  std::uint64_t order_ = 0;

  BfqQueue* in_service_ = nullptr;
  bool idling_ = false;
  std::uint64_t idle_ticket_ = 0;
  unsigned in_driver_ = 0;
  unsigned busy_queues_ = 0;
  unsigned groups_pending_ = 0;  // other than the root
  unsigned budgets_assigned_ = 0;
  std::uint64_t last_position_ = 0;  // bytes: end of the last request that was dispatched
  TimePs idle_class_served_ = 0;
  std::uint64_t slots_ = 0;
  BfqPeakRate peak_rate_;

  // Tunables.
  std::int64_t slice_idle_ms_ = 8;
  std::int64_t timeout_sync_ms_ = 125;
  std::int64_t max_budget_ = 0;
  std::int64_t strict_guarantees_ = 0;
  std::int64_t fifo_expire_sync_ms_ = 125;
  std::int64_t fifo_expire_async_ms_ = 250;
  std::int64_t back_seek_max_kb_ = 16 * 1024;
  std::int64_t back_seek_penalty_ = 2;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_BFQ_H_
