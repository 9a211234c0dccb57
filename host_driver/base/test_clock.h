// SPDX-License-Identifier: Apache-2.0
//
// TestClock: host time over a plain event queue, for unit tests and stand-alone runs of the host.
#ifndef NVMEARB_HOST_DRIVER_BASE_TEST_CLOCK_H_
#define NVMEARB_HOST_DRIVER_BASE_TEST_CLOCK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

/// A Clock whose time moves only inside Run...(). Not thread safe.
class TestClock : public Clock {
 public:
  [[nodiscard]] TimePs Now() const override { return now_; }

  void At(TimePs when, Callback callback) override {
    NVMEARB_CHECK(when >= now_, "a callback in the past");
    heap_.push_back({when, sequence_++, callback});
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }

  /// Makes the earliest call. Returns false when none is left.
  bool RunOne() {
    if (heap_.empty()) return false;
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    now_ = entry.when;
    entry.callback.function(entry.callback.context, entry.callback.argument);
    return true;
  }

  /// Makes every call due up to and including `end`, then sets the time to `end`.
  void RunUntil(TimePs end) {
    while (!heap_.empty() && heap_.front().when <= end) RunOne();
    now_ = std::max(now_, end);
  }

  /// Makes calls until none is left.
  void RunAll() {
    while (RunOne()) {
    }
  }

  [[nodiscard]] bool Idle() const { return heap_.empty(); }

 private:
  struct Entry {
    TimePs when;
    std::uint64_t sequence;
    Callback callback;
  };
  static bool Later(const Entry& a, const Entry& b) {
    return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
  }

  std::vector<Entry> heap_;
  std::uint64_t sequence_ = 0;
  TimePs now_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_TEST_CLOCK_H_
