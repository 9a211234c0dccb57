// SPDX-License-Identifier: Apache-2.0
//
// SortedRequests: requests by their place on the disk (the "sort list" of the elevators).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_SORTED_REQUESTS_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_SORTED_REQUESTS_H_

#include <cstdint>

#include "host_driver/block/request.h"

namespace nvmearb::host {

/// A treap through Request::sched: sorted by (offset, order), its shape by a hash of the order,
/// which makes every operation O(log n) whatever the sequence, and the same in every run.
/// A request's offset and order do not change while it is in here.
class SortedRequests {
 public:
  [[nodiscard]] bool empty() const { return root_ == nullptr; }

  void Insert(Request* request) {
    Request** link = &root_;
    const std::uint64_t rank = Rank(request);
    while (*link != nullptr && Rank(*link) >= rank) {
      link = Before(request, *link) ? &(*link)->sched.left : &(*link)->sched.right;
    }
    Split(*link, request, &request->sched.left, &request->sched.right);
    *link = request;
  }

  /// `request` has to be in here.
  void Remove(Request* request) {
    Request** link = &root_;
    while (*link != request) {
      link = Before(request, *link) ? &(*link)->sched.left : &(*link)->sched.right;
    }
    *link = Join(request->sched.left, request->sched.right);
  }

  /// The first request at or behind `offset`, or null.
  [[nodiscard]] Request* AtOrAfter(std::uint64_t offset) const {
    Request* best = nullptr;
    for (Request* at = root_; at != nullptr;) {
      if (at->offset >= offset) {
        best = at;
        at = at->sched.left;
      } else {
        at = at->sched.right;
      }
    }
    return best;
  }

  /// The request behind `request`, which need not be in here, or null.
  [[nodiscard]] Request* After(const Request* request) const {
    Request* best = nullptr;
    for (Request* at = root_; at != nullptr;) {
      if (Before(request, at)) {
        best = at;
        at = at->sched.left;
      } else {
        at = at->sched.right;
      }
    }
    return best;
  }

  /// The last request before `offset`, or null.
  [[nodiscard]] Request* LastBefore(std::uint64_t offset) const {
    Request* best = nullptr;
    for (Request* at = root_; at != nullptr;) {
      if (at->offset < offset) {
        best = at;
        at = at->sched.right;
      } else {
        at = at->sched.left;
      }
    }
    return best;
  }

 private:
  static bool Before(const Request* a, const Request* b) {
    return a->offset != b->offset ? a->offset < b->offset : a->sched.order < b->sched.order;
  }
  static std::uint64_t Rank(const Request* request) {
    return request->sched.order * 0x9e3779b97f4a7c15;
  }
  static void Split(Request* tree, const Request* at, Request** before, Request** after) {
    while (tree != nullptr) {
      if (Before(tree, at)) {
        *before = tree;
        before = &tree->sched.right;
        tree = *before;
      } else {
        *after = tree;
        after = &tree->sched.left;
        tree = *after;
      }
    }
    *before = nullptr;
    *after = nullptr;
  }
  static Request* Join(Request* before, Request* after) {
    Request* root = nullptr;
    Request** link = &root;
    while (before != nullptr && after != nullptr) {
      if (Rank(before) >= Rank(after)) {
        *link = before;
        link = &before->sched.right;
        before = *link;
      } else {
        *link = after;
        link = &after->sched.left;
        after = *link;
      }
    }
    *link = before != nullptr ? before : after;
    return root;
  }

  Request* root_ = nullptr;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_SORTED_REQUESTS_H_
