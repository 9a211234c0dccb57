// SPDX-License-Identifier: Apache-2.0
//
// SqRing: the arithmetic of one submission queue (Base 2.1 3.3.1.2, 3.3.1.4, 3.3.1.5).
//
// Two heads: the *issue head* moves when commands are granted, the *fetched head* when their 64
// bytes are captured. The fetched head is what SQHD reports and what an overfill is measured
// against: the host's view of it is never ahead, so a correct host cannot be refused.
#ifndef NVMEARB_MODELS_ARBITER_RING_H_
#define NVMEARB_MODELS_ARBITER_RING_H_

#include <cstdint>

namespace nvmearb::arbiter {

/// (a - b) modulo `size_count`; a and b in 0..size_count-1, size_count 2..65,536.
[[nodiscard]] constexpr std::uint32_t RingDistance(std::uint32_t a, std::uint32_t b,
                                                   std::uint32_t size_count) {
  return a >= b ? a - b : a + size_count - b;
}

/// (index + count) modulo `size_count`; index in 0..size_count-1, count 0..size_count.
[[nodiscard]] constexpr std::uint32_t RingAdvance(std::uint32_t index, std::uint32_t count,
                                                  std::uint32_t size_count) {
  const std::uint32_t sum = index + count;
  return sum >= size_count ? sum - size_count : sum;
}

/// Pointers of one SQ. Plain value; not thread safe.
class SqRing {
 public:
  SqRing() = default;
  /// An empty ring of `size_count` entries, 2..65,536.
  explicit SqRing(std::uint32_t size_count) : size_count_(size_count) {}

  [[nodiscard]] std::uint32_t size_count() const { return size_count_; }
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  [[nodiscard]] std::uint32_t issue_head() const { return issue_head_; }
  [[nodiscard]] std::uint32_t fetched_head() const { return fetched_head_; }

  /// Commands submitted and not granted, 0..size_count-1.
  [[nodiscard]] std::uint32_t PresentCount() const {
    return RingDistance(tail_, issue_head_, size_count_);
  }
  /// Commands granted and not captured.
  [[nodiscard]] std::uint32_t OutstandingCount() const {
    return RingDistance(issue_head_, fetched_head_, size_count_);
  }
  /// Entries the host may still add.
  [[nodiscard]] std::uint32_t FreeCount() const {
    return size_count_ - 1 - RingDistance(tail_, fetched_head_, size_count_);
  }
  /// Entries from the issue head to the last slot, both included.
  [[nodiscard]] std::uint32_t CountToEnd() const { return size_count_ - issue_head_; }

  /// What a tail doorbell of `value` would be: within the ring, a change, and no overfill.
  [[nodiscard]] bool IsLegalTail(std::uint32_t value) const {
    if (value >= size_count_ || value == tail_) return false;
    return RingDistance(value, tail_, size_count_) <= FreeCount();
  }
  void SetTail(std::uint32_t value) { tail_ = value; }
  /// Grants `count` <= PresentCount() commands.
  void Issue(std::uint32_t count) { issue_head_ = RingAdvance(issue_head_, count, size_count_); }
  /// Captures `count` <= OutstandingCount() commands.
  void Fetch(std::uint32_t count) {
    fetched_head_ = RingAdvance(fetched_head_, count, size_count_);
  }

 private:
  std::uint32_t size_count_ = 2;
  std::uint32_t tail_ = 0;
  std::uint32_t issue_head_ = 0;
  std::uint32_t fetched_head_ = 0;
};

/// What a CQ knows of itself here: its head, what was posted into it, and the room left for
/// commands not yet granted. Plain value; not thread safe.
class CqRing {
 public:
  CqRing() = default;
  explicit CqRing(std::uint32_t size_count) : size_count_(size_count), room_(size_count - 1) {}

  [[nodiscard]] std::uint32_t size_count() const { return size_count_; }
  [[nodiscard]] std::uint32_t head() const { return head_; }
  /// Entries posted and not yet consumed by the host.
  [[nodiscard]] std::uint32_t posted_count() const { return posted_count_; }
  /// Commands that may still be granted into this CQ, 0..size_count-1.
  [[nodiscard]] std::uint32_t room() const { return room_; }

  /// Within the ring, a change, and not past the CQ tail.
  [[nodiscard]] bool IsLegalHead(std::uint32_t value) const {
    if (value >= size_count_ || value == head_) return false;
    return RingDistance(value, head_, size_count_) <= posted_count_;
  }
  void SetHead(std::uint32_t value) {
    const std::uint32_t freed_count = RingDistance(value, head_, size_count_);
    head_ = value;
    posted_count_ -= freed_count;
    room_ += freed_count;
  }
  void Reserve(std::uint32_t count) { room_ -= count; }
  void Post() { ++posted_count_; }
  /// Gives a reserved entry back; no entry was posted.
  void Release() { ++room_; }

 private:
  std::uint32_t size_count_ = 2;
  std::uint32_t head_ = 0;
  std::uint32_t posted_count_ = 0;
  std::uint32_t room_ = 1;
};

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_RING_H_
