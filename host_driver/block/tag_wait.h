// SPDX-License-Identifier: Apache-2.0
//
// TagWait: who waits for a tag, and who is woken when (the wait side of Linux's sbitmap_queue).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_TAG_WAIT_H_
#define NVMEARB_HOST_DRIVER_BLOCK_TAG_WAIT_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host_driver/block/bio.h"

namespace nvmearb::host {

/// A bio that found no free tag, and how far it got.
struct TagWaiter {
  Bio* bio = nullptr;
  std::uint32_t bytes_done = 0;
  TimePs since = 0;
};

/// FIFO of waiters; allocates only when it grows beyond its largest size so far.
class TagWaitQueue {
 public:
  [[nodiscard]] bool empty() const { return first_ == waiters_.size(); }
  [[nodiscard]] std::size_t size() const { return waiters_.size() - first_; }
  void Push(const TagWaiter& waiter) { waiters_.push_back(waiter); }
  TagWaiter Pop() {
    const TagWaiter waiter = waiters_[first_++];
    if (first_ == waiters_.size()) {
      waiters_.clear();
      first_ = 0;
    } else if (first_ >= 1024 && first_ * 2 >= waiters_.size()) {
      waiters_.erase(waiters_.begin(), waiters_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return waiter;
  }

 private:
  std::vector<TagWaiter> waiters_;
  std::size_t first_ = 0;
};

/// Waiters are dealt to eight queues in turn. Every `batch` tags that come back wake up to `batch`
/// waiters of one queue, then it is the next queue's turn. A waiter that finds no tag waits anew;
/// who comes along while a tag is free takes it, waiters or not.
class TagWait {
 public:
  /// `depth`: tags that the most limited of the waiters may use.
  void SetDepth(unsigned depth) { batch_ = std::clamp(depth / kQueues, 1u, kMostBatch); }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  void Wait(const TagWaiter& waiter) {
    queues_[wait_at_].Push(waiter);
    wait_at_ = (wait_at_ + 1) % kQueues;
    ++count_;
  }

  /// A tag came back. Returns how many waiters to take with Pop() now, from the queue `*queue`.
  unsigned Freed(unsigned* queue) {
    if (count_ == 0) return 0;
    while (queues_[wake_at_].empty()) wake_at_ = (wake_at_ + 1) % kQueues;
    unsigned& left = left_[wake_at_];
    if (left == 0 || left > batch_) left = batch_;
    if (--left > 0) return 0;
    *queue = wake_at_;
    wake_at_ = (wake_at_ + 1) % kQueues;
    return static_cast<unsigned>(std::min<std::size_t>(batch_, queues_[*queue].size()));
  }
  TagWaiter Pop(unsigned queue) {
    --count_;
    return queues_[queue].Pop();
  }
  /// Any waiter; only while not empty().
  TagWaiter PopAny() {
    unsigned queue = wake_at_;
    while (queues_[queue].empty()) queue = (queue + 1) % kQueues;
    return Pop(queue);
  }

 private:
  static constexpr unsigned kQueues = 8;     // SBQ_WAIT_QUEUES
  static constexpr unsigned kMostBatch = 8;  // SBQ_WAKE_BATCH
  std::array<TagWaitQueue, kQueues> queues_;
  std::array<unsigned, kQueues> left_{};  // tags to come back before this queue is woken
  unsigned batch_ = 1;
  unsigned wait_at_ = 0;
  unsigned wake_at_ = 0;
  std::size_t count_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_TAG_WAIT_H_
