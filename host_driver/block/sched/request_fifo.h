// SPDX-License-Identifier: Apache-2.0
//
// RequestFifo: requests in the order of their arrival, any of which can be taken out in O(1).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_REQUEST_FIFO_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_REQUEST_FIFO_H_

#include "host_driver/block/request.h"

namespace nvmearb::host {

/// Doubly linked through Request::sched; a request is in one RequestFifo at a time.
class RequestFifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == nullptr; }
  [[nodiscard]] Request* front() const { return head_; }
  [[nodiscard]] Request* back() const { return tail_; }

  void PushBack(Request* request) {
    request->sched.fifo_next = nullptr;
    request->sched.fifo_previous = tail_;
    (tail_ == nullptr ? head_ : tail_->sched.fifo_next) = request;
    tail_ = request;
  }
  void PushFront(Request* request) {
    request->sched.fifo_previous = nullptr;
    request->sched.fifo_next = head_;
    (head_ == nullptr ? tail_ : head_->sched.fifo_previous) = request;
    head_ = request;
  }
  void Remove(Request* request) {
    Request* const before = request->sched.fifo_previous;
    Request* const after = request->sched.fifo_next;
    (before == nullptr ? head_ : before->sched.fifo_next) = after;
    (after == nullptr ? tail_ : after->sched.fifo_previous) = before;
  }
  Request* PopFront() {
    Request* const request = head_;
    if (request != nullptr) Remove(request);
    return request;
  }
  /// Puts `request`, in no list, into the place of `place`, which leaves.
  void Replace(Request* place, Request* request) {
    request->sched.fifo_previous = place->sched.fifo_previous;
    request->sched.fifo_next = place->sched.fifo_next;
    (request->sched.fifo_previous == nullptr ? head_
                                             : request->sched.fifo_previous->sched.fifo_next) =
        request;
    (request->sched.fifo_next == nullptr ? tail_ : request->sched.fifo_next->sched.fifo_previous) =
        request;
  }
  /// Moves all of `other` behind this list.
  void Splice(RequestFifo& other) {
    if (other.head_ == nullptr) return;
    other.head_->sched.fifo_previous = tail_;
    (tail_ == nullptr ? head_ : tail_->sched.fifo_next) = other.head_;
    tail_ = other.tail_;
    other = RequestFifo();
  }

 private:
  Request* head_ = nullptr;
  Request* tail_ = nullptr;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_REQUEST_FIFO_H_
