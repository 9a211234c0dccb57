// SPDX-License-Identifier: Apache-2.0
//
// Fifo: queue of the harness's agents; a ring that doubles when it is full and never shrinks, so
// that the hot path does not allocate.
#ifndef NVMEARB_TB_HARNESS_FIFO_H_
#define NVMEARB_TB_HARNESS_FIFO_H_

#include <cstddef>
#include <vector>

namespace nvmearb::tb {

template <typename T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const { return tail_ - head_; }
  [[nodiscard]] T& front() { return items_[head_ & mask_]; }
  [[nodiscard]] const T& front() const { return items_[head_ & mask_]; }
  void pop() { ++head_; }
  void clear() { head_ = tail_; }

  /// A place at the back, to be filled by the caller; what it holds is left over from before.
  T& push() {
    if (size() == items_.size()) Grow();
    return items_[tail_++ & mask_];
  }
  void push(const T& item) { push() = item; }

 private:
  void Grow() {
    std::vector<T> bigger(items_.size() * 2);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) bigger[i] = items_[(head_ + i) & mask_];
    items_.swap(bigger);
    mask_ = items_.size() - 1;
    head_ = 0;
    tail_ = count;
  }

  std::vector<T> items_ = std::vector<T>(16);
  std::size_t mask_ = 15;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_FIFO_H_
