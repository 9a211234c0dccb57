// SPDX-License-Identifier: Apache-2.0
//
// MqDeadline: the mq-deadline scheduler with I/O priorities and their ageing.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_MQ_DEADLINE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_MQ_DEADLINE_H_

#include <array>
#include <cstdint>

#include "host_driver/block/elevator.h"
#include "host_driver/block/sched/merge_hash.h"
#include "host_driver/block/sched/request_fifo.h"
#include "host_driver/block/sched/sorted_requests.h"

namespace nvmearb::host {

/// Three priorities, each with a sorted list and a FIFO with deadlines per direction; one instance
/// for all hardware queues (host_algorithms 2).
///
/// A priority gets nothing while a higher one has a request queued *or with the driver*, unless its
/// own request is older than the ageing time. Two forms of that rule:
///  - posted: the patch as its author sent it; ages are tested on every dispatch and count from
///    the request's allocation; attribute aging_expire;
///  - merged (Linux 5.17): ages are tested when at least two priorities have requests, and count
///    from insertion; attribute prio_aging_expire.
class MqDeadline final : public Elevator {
 public:
  enum class Form : std::uint8_t { kMerged, kPosted };
  explicit MqDeadline(Form form);

  void Attach(ElevatorHost* host) override;
  [[nodiscard]] unsigned DepthFor(const Bio& bio) const override;
  bool BioMerge(Bio* bio, Hctx* hctx) override;
  void Insert(Request* request, bool at_head) override;
  Request* Dispatch(Hctx* hctx) override;
  [[nodiscard]] bool HasWork(const Hctx* hctx) const override;
  void Completed(Request* request) override;
  void TakeAll(RequestList* list) override;

 private:
  static constexpr int kPrioCount = 3;  // RT, BE, IDLE
  enum Direction : int { kRead = 0, kWrite = 1 };

  struct PerPrio {
    RequestFifo at_head;
    std::array<SortedRequests, 2> sorted;
    std::array<RequestFifo, 2> fifo;
    std::array<Request*, 2> next{};  // in sorted order behind the last one dispatched
    std::uint64_t inserted = 0;
    std::uint64_t ended = 0;
    /// Queued or with the driver.
    [[nodiscard]] bool Busy() const { return inserted != ended; }
  };

  static int PrioOf(IoprioClass ioprio_class);
  static Direction DirectionOf(const Request* request) {
    return request->IsRead() ? kRead : kWrite;
  }
  [[nodiscard]] TimePs Expire(Direction direction) const;
  [[nodiscard]] TimePs StartOf(const Request* request) const;
  Request* PickAged(TimePs now);
  Request* Pick(PerPrio& prio, TimePs latest_start, TimePs now);
  Request* Take(PerPrio& prio, Request* request);
  void AddSorted(Request* request);
  void RemoveSorted(Request* request);
  void Remove(Request* request);
  bool MergeWithQueued(Request* request);
  void AbsorbNext(Request* request, Request* next);

  Form form_;
  std::array<PerPrio, kPrioCount> prios_;
  MergeHash hash_;
  Request* last_merge_ = nullptr;
  std::uint64_t order_ = 0;
  Direction last_dir_ = kWrite;
  std::int64_t batching_ = 0;
  std::int64_t starved_ = 0;

  // Tunables, in the attributes' units.
  std::int64_t read_expire_ms_ = 500;
  std::int64_t write_expire_ms_ = 5000;
  std::int64_t writes_starved_ = 2;
  std::int64_t front_merges_ = 1;
  std::int64_t fifo_batch_ = 16;
  std::int64_t aging_expire_ms_ = 10'000;
  std::int64_t async_depth_ = kDerivedValue;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_MQ_DEADLINE_H_
