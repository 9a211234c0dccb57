// SPDX-License-Identifier: Apache-2.0
//
// Request: one command's worth of I/O on its way from the block layer to a driver.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_REQUEST_H_
#define NVMEARB_HOST_DRIVER_BLOCK_REQUEST_H_

#include <cstdint>

#include "host_driver/block/bio.h"
#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {

struct Hctx;

/// Priority class of a bio after the policy of its cgroup.
[[nodiscard]] inline IoprioClass EffectiveClass(const Bio& bio) {
  const auto policy = static_cast<IoprioClass>(bio.cgroup->prio_policy());
  return policy > bio.ioprio_class ? policy : bio.ioprio_class;
}

enum class RequestState : std::uint8_t {
  kFree = 0,       ///< its tag is free
  kAllocated = 1,  ///< owned by the block layer
  kStarted = 2,    ///< owned by the driver, deadline running
  kDone = 3        ///< completed, on its way to the submitter's CPU
};

/// Request::tag of a request that has no driver tag yet.
inline constexpr std::uint16_t kNoTag = 0xffff;

/// Lives in its Hctx's table for as long as the disk: nothing is allocated per I/O.
/// Trivial, and all zeros is a free request, so that a table of untouched zero pages is valid.
struct Request {
  Bio* bio;       ///< first of a chain through Bio::next; one bio only if it was split
  Bio* bio_tail;  ///< last of the chain
  Request* next;  ///< list of the current owner
  Hctx* hctx;
  std::uint64_t offset;  ///< bytes on the device
  TimePs deadline;       ///< while kStarted: the driver's timeout
  std::uint32_t bytes;
  std::uint16_t index;  ///< in the table of its Hctx: the scheduler's tag, or the only one
  std::uint16_t tag;    ///< the driver's command id; kNoTag until the driver's tags are given out
  std::uint16_t cpu;    ///< submitting CPU
  std::uint16_t status;
  BioOp op;
  RequestState state;
  std::uint8_t retries;
  std::uint8_t bio_count;    ///< bios of the chain
  bool fragment;             ///< part of a split bio: takes no merge
  bool aborted;              ///< the driver asked the device to abort it
  bool limited;              ///< counts against the scheduler's depth for writes and async I/O
  bool path_counted;         ///< counts against its path's depth (multipath, queue-depth)
  IoprioClass ioprio_class;  ///< in force: the bio's own and the policy of its cgroup

  /// Of the scheduler. With scheduler "none" nothing below is read or written.
  struct Scheduling {
    TimePs queued_at;        ///< when the request was allocated
    TimePs started_at;       ///< when the driver got it
    TimePs expires_at;       ///< deadline of the scheduler's FIFO
    Request* fifo_previous;  ///< RequestFifo; its other link is fifo_next
    Request* fifo_next;
    Request* left;  ///< SortedRequests
    Request* right;
    Request* hash_next;   ///< MergeHash
    void* owner;          ///< the scheduler's queue that holds or served it
    std::uint64_t order;  ///< of insertion; tells requests of one offset apart
    std::uint8_t domain;  ///< kyber's domain, mq-deadline's priority
    bool counted;         ///< holds a token, or is counted as dispatched
  } sched;

  [[nodiscard]] bool IsRead() const { return op == BioOp::kRead; }
  [[nodiscard]] bool IsSync() const { return IsRead() || bio->sync; }
  [[nodiscard]] std::uint64_t End() const { return offset + bytes; }
};

/// Singly linked list of requests: FIFO with PushBack, LIFO with PushFront.
class RequestList {
 public:
  [[nodiscard]] bool empty() const { return head_ == nullptr; }
  [[nodiscard]] Request* front() const { return head_; }
  [[nodiscard]] Request* back() const { return head_ == nullptr ? nullptr : tail_; }

  void PushBack(Request* request) {
    request->next = nullptr;
    if (head_ == nullptr) {
      head_ = request;
    } else {
      tail_->next = request;
    }
    tail_ = request;
  }
  void PushFront(Request* request) {
    request->next = head_;
    if (head_ == nullptr) tail_ = request;
    head_ = request;
  }
  Request* PopFront() {
    Request* const request = head_;
    if (request != nullptr) head_ = request->next;
    return request;
  }
  /// Moves all of `other` to the end of this list.
  void Splice(RequestList& other) {
    if (other.head_ == nullptr) return;
    if (head_ == nullptr) {
      head_ = other.head_;
    } else {
      tail_->next = other.head_;
    }
    tail_ = other.tail_;
    other.head_ = nullptr;
  }

 private:
  Request* head_ = nullptr;
  Request* tail_ = nullptr;  // valid while head_ is not null
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_REQUEST_H_
