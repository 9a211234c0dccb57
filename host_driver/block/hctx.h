// SPDX-License-Identifier: Apache-2.0
//
// Hctx: one hardware queue of a disk as blk-mq sees it: its tags, its requests, and what waits.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_
#define NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "host_driver/block/hctx_type.h"
#include "host_driver/block/request.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

/// The tags of one hardware queue and the request that belongs to each. The tag freed last is given
/// out first, so that a lightly used deep queue stays in the processor's cache.
class TagSet {
 public:
  explicit TagSet(unsigned depth)
      : requests_(static_cast<Request*>(std::calloc(depth, sizeof(Request)))), free_(depth) {
    NVMEARB_CHECK(requests_ != nullptr, "out of memory");
    for (unsigned i = 0; i < depth; ++i) free_[i] = static_cast<std::uint16_t>(depth - 1 - i);
    free_count_ = depth;
  }

  /// A request in state kAllocated with its tag set, or null when all tags are in use.
  Request* Allocate() {
    if (free_count_ == 0) return nullptr;
    const std::uint16_t tag = free_[--free_count_];
    if (tag >= touched_) touched_ = tag + 1u;
    Request* const request = &requests_.get()[tag];
    NVMEARB_CHECK(request->state == RequestState::kFree, "a free tag has a free request");
    request->tag = tag;
    request->state = RequestState::kAllocated;
    return request;
  }

  void Free(Request* request) {
    NVMEARB_CHECK(request->state != RequestState::kFree, "a tag is freed once");
    request->state = RequestState::kFree;
    free_[free_count_++] = request->tag;
  }

  /// Request of `tag`, or null if the tag is out of range. It may be free.
  [[nodiscard]] Request* Find(unsigned tag) const {
    return tag < free_.size() ? &requests_.get()[tag] : nullptr;
  }

  [[nodiscard]] unsigned depth() const { return static_cast<unsigned>(free_.size()); }
  [[nodiscard]] unsigned used() const { return depth() - free_count_; }
  /// All tags ever used are below this.
  [[nodiscard]] unsigned touched() const { return touched_; }

 private:
  struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<Request, FreeDeleter> requests_;  // table of depth() zeroed requests
  std::vector<std::uint16_t> free_;                 // stack of free tags
  unsigned free_count_ = 0;
  unsigned touched_ = 0;
};

/// A bio that found no free tag, and how far it got.
struct TagWaiter {
  Bio* bio = nullptr;
  std::uint32_t bytes_done = 0;
};

/// FIFO of waiters; allocates only when it grows beyond its largest size so far.
class TagWaitQueue {
 public:
  [[nodiscard]] bool empty() const { return first_ == waiters_.size(); }
  [[nodiscard]] std::size_t size() const { return waiters_.size() - first_; }
  [[nodiscard]] TagWaiter& front() { return waiters_[first_]; }
  void Push(const TagWaiter& waiter) { waiters_.push_back(waiter); }
  void Pop() {
    if (++first_ == waiters_.size()) {
      waiters_.clear();
      first_ = 0;
    } else if (first_ >= 1024 && first_ * 2 >= waiters_.size()) {
      waiters_.erase(waiters_.begin(), waiters_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

 private:
  std::vector<TagWaiter> waiters_;
  std::size_t first_ = 0;
};

struct Hctx {
  Hctx(std::uint16_t index_in, HctxType type_in, unsigned depth)
      : index(index_in), type(type_in), tags(depth) {}

  std::uint16_t index;  ///< 0-based over all hardware queues of the disk
  HctxType type;
  std::vector<std::uint16_t> cpus;  ///< CPUs that use this queue, ascending
  TagSet tags;
  TagWaitQueue waiters;
  RequestList dispatch;            ///< refused by the driver; goes out before anything else
  unsigned ctx_request_count = 0;  ///< requests on per-CPU lists for this queue
  unsigned next_cpu = 0;           ///< round robin over `cpus`
  unsigned dispatch_busy = 0;      ///< EWMA of refusals: (7x + (busy ? 16 : 0)) / 8
  unsigned started_count = 0;      ///< requests the driver owns
  TimePs run_at = ~TimePs{0};      ///< time of the asynchronous run on its way, if any
  bool restart = false;            ///< run again at the next completion
  void* driver_data = nullptr;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_
