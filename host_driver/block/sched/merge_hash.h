// SPDX-License-Identifier: Apache-2.0
//
// MergeHash: finds the queued request that ends where a bio begins (back merge).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_MERGE_HASH_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_MERGE_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "host_driver/block/request.h"

namespace nvmearb::host {

/// Chains through Request::sched, by the request's end. The end of a request changes only between
/// Remove() and Insert(). The request inserted last is found first.
class MergeHash {
 public:
  void Insert(Request* request) {
    Request** const bucket = Bucket(request->End());
    request->sched.hash_next = *bucket;
    *bucket = request;
  }

  /// `request` has to be in here.
  void Remove(Request* request) {
    Request** link = Bucket(request->End());
    while (*link != request) link = &(*link)->sched.hash_next;
    *link = request->sched.hash_next;
  }

  /// Calls fits(Request*) for the requests that end at `end` until one says yes; that one, or null.
  template <typename Fits>
  Request* Find(std::uint64_t end, Fits fits) {
    for (Request* at = *Bucket(end); at != nullptr; at = at->sched.hash_next) {
      if (at->End() == end && fits(at)) return at;
    }
    return nullptr;
  }

 private:
  Request** Bucket(std::uint64_t end) {
    return &buckets_[((end >> 9) * 0x9e3779b97f4a7c15) >> (64 - kBits)];
  }
  static constexpr unsigned kBits = 8;
  std::array<Request*, std::size_t{1} << kBits> buckets_{};
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_MERGE_HASH_H_
