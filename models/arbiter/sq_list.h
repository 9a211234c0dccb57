// SPDX-License-Identifier: Apache-2.0
//
// SqList: a FIFO of SQs whose links live in one array (SqListNodes), so that an SQ can be taken
// out of the middle in O(1). An SQ is in at most one list that shares the same nodes.
#ifndef NVMEARB_MODELS_ARBITER_SQ_LIST_H_
#define NVMEARB_MODELS_ARBITER_SQ_LIST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nvmearb::arbiter {

/// "No SQ": not a legal id (NVMe ids end at 65,534).
inline constexpr std::uint16_t kNoSq = 0xffff;

struct SqListNode {
  std::uint16_t next = kNoSq;
  std::uint16_t previous = kNoSq;
};
using SqListNodes = std::vector<SqListNode>;

class SqList {
 public:
  [[nodiscard]] bool IsEmpty() const { return front_ == kNoSq; }
  [[nodiscard]] std::uint16_t front() const { return front_; }

  void PushBack(SqListNodes& nodes, std::uint16_t sqid) {
    nodes[sqid] = {kNoSq, back_};
    (back_ == kNoSq ? front_ : nodes[back_].next) = sqid;
    back_ = sqid;
  }
  void PushFront(SqListNodes& nodes, std::uint16_t sqid) {
    nodes[sqid] = {front_, kNoSq};
    (front_ == kNoSq ? back_ : nodes[front_].previous) = sqid;
    front_ = sqid;
  }
  void Remove(SqListNodes& nodes, std::uint16_t sqid) {
    const SqListNode node = nodes[sqid];
    (node.previous == kNoSq ? front_ : nodes[node.previous].next) = node.next;
    (node.next == kNoSq ? back_ : nodes[node.next].previous) = node.previous;
  }

 private:
  std::uint16_t front_ = kNoSq;
  std::uint16_t back_ = kNoSq;
};

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_SQ_LIST_H_
