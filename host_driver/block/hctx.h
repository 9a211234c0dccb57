// SPDX-License-Identifier: Apache-2.0
//
// Hctx: one hardware queue of a disk as blk-mq sees it: its tags, its requests, and what waits.
//
// Without a scheduler the place of a request in the table is its tag. With one, or with tags that
// the queues share, the table holds what the scheduler may queue, and DriverTags what the driver
// may have.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_
#define NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "host_driver/block/hctx_type.h"
#include "host_driver/block/request.h"
#include "host_driver/block/tag_wait.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

/// The requests of one hardware queue. The one freed last is given out first, so that a lightly
/// used deep queue stays in the processor's cache.
class TagSet {
 public:
  explicit TagSet(unsigned depth)
      : requests_(static_cast<Request*>(std::calloc(depth, sizeof(Request)))), free_(depth) {
    NVMEARB_CHECK(requests_ != nullptr, "out of memory");
    for (unsigned i = 0; i < depth; ++i) free_[i] = static_cast<std::uint16_t>(depth - 1 - i);
    free_count_ = depth;
  }

  /// A request in state kAllocated with index and tag set, or null when all are in use.
  Request* Allocate() {
    if (free_count_ == 0) return nullptr;
    const std::uint16_t index = free_[--free_count_];
    if (index >= touched_) touched_ = index + 1u;
    Request* const request = &requests_.get()[index];
    NVMEARB_CHECK(request->state == RequestState::kFree, "a free tag has a free request");
    request->index = index;
    request->tag = index;
    request->state = RequestState::kAllocated;
    return request;
  }

  void Free(Request* request) {
    NVMEARB_CHECK(request->state != RequestState::kFree, "a tag is freed once");
    request->state = RequestState::kFree;
    free_[free_count_++] = request->index;
  }

  /// Request number `index`, or null if that is out of range. It may be free.
  [[nodiscard]] Request* Find(unsigned index) const {
    return index < free_.size() ? &requests_.get()[index] : nullptr;
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

struct Hctx;

/// The driver's tags, given out when a request is dispatched. Of one hardware queue, or of all.
class DriverTags {
 public:
  explicit DriverTags(unsigned depth) : requests_(depth), free_(depth) {
    for (unsigned i = 0; i < depth; ++i) free_[i] = static_cast<std::uint16_t>(depth - 1 - i);
    free_count_ = depth;
  }
  /// Gives `request` a tag; false when none is free.
  bool Take(Request* request) {
    if (free_count_ == 0) return false;
    request->tag = free_[--free_count_];
    requests_[request->tag] = request;
    return true;
  }
  void Put(Request* request) {
    NVMEARB_CHECK(requests_[request->tag] == request, "a driver tag is freed once");
    requests_[request->tag] = nullptr;
    free_[free_count_++] = request->tag;
    request->tag = kNoTag;
  }
  /// The request that has `tag`, or null.
  [[nodiscard]] Request* Find(unsigned tag) const {
    return tag < requests_.size() ? requests_[tag] : nullptr;
  }
  [[nodiscard]] unsigned depth() const { return static_cast<unsigned>(free_.size()); }
  [[nodiscard]] unsigned used() const { return depth() - free_count_; }

  /// Hardware queues that found no tag, longest wait first; each is in here once.
  void Wait(Hctx* hctx);
  /// Takes the first out; null when none waits.
  Hctx* NextWaiter();

 private:
  std::vector<Request*> requests_;   // by tag
  std::vector<std::uint16_t> free_;  // stack of free tags
  unsigned free_count_ = 0;
  Hctx* first_ = nullptr;
  Hctx* last_ = nullptr;
};

struct Hctx {
  Hctx(std::uint16_t index_in, HctxType type_in, unsigned depth)
      : index(index_in), type(type_in), tags(depth) {}

  /// The request that the driver's `tag` stands for, or null. It may be free.
  [[nodiscard]] Request* FindByTag(unsigned tag) const {
    if (driver_tags == nullptr) return tags.Find(tag);
    Request* const request = driver_tags->Find(tag);
    return request != nullptr && request->hctx == this ? request : nullptr;
  }

  std::uint16_t index;  ///< 0-based over all hardware queues of the disk
  HctxType type;
  std::vector<std::uint16_t> cpus;  ///< CPUs that use this queue, ascending
  TagSet tags;
  std::shared_ptr<DriverTags> driver_tags;  ///< null: the place in `tags` is the driver's tag
  TagWait waiters;
  unsigned limited_count = 0;      ///< requests of bios that may not take every tag (DepthFor)
  unsigned silent_frees = 0;       ///< requests that became free and nobody was woken for
  RequestList dispatch;            ///< refused by the driver; goes out before anything else
  unsigned ctx_request_count = 0;  ///< requests on per-CPU lists for this queue
  unsigned next_cpu = 0;           ///< round robin over `cpus`
  unsigned next_worker = 0;        ///< round robin over `cpus`: who does an asynchronous run
  unsigned dispatch_busy = 0;      ///< EWMA of refusals: (7x + (busy ? 16 : 0)) / 8
  unsigned started_count = 0;      ///< requests the driver owns
  TimePs run_at = ~TimePs{0};      ///< time of the asynchronous run on its way, if any
  bool restart = false;            ///< run again at the next completion
  bool waits_for_tag = false;      ///< in the list of its DriverTags
  Hctx* next_waiter = nullptr;
  void* driver_data = nullptr;
};

inline void DriverTags::Wait(Hctx* hctx) {
  if (hctx->waits_for_tag) return;
  hctx->waits_for_tag = true;
  hctx->next_waiter = nullptr;
  (last_ == nullptr ? first_ : last_->next_waiter) = hctx;
  last_ = hctx;
}

inline Hctx* DriverTags::NextWaiter() {
  Hctx* const hctx = first_;
  if (hctx == nullptr) return nullptr;
  hctx->waits_for_tag = false;
  first_ = hctx->next_waiter;
  if (first_ == nullptr) last_ = nullptr;
  return hctx;
}

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_HCTX_H_
