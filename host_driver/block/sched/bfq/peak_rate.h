// SPDX-License-Identifier: Apache-2.0
//
// BfqPeakRate: what bfq believes the device can do, from which it takes its largest budget.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_PEAK_RATE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_PEAK_RATE_H_

#include <algorithm>
#include <cstdint>

#include "host_driver/base/clock.h"

namespace nvmearb::host {

/// Low-pass over windows of a second of dispatches. Random load can raise the estimate only.
class BfqPeakRate {
 public:
  /// A request of `sectors` goes to the device; `sequential`: near the one before it.
  void Dispatched(TimePs now, double sectors, bool sequential) {
    if (samples_ == 0 || now - last_ > kLongestGap) {
      Restart(now);
    } else {
      ++samples_;
      if (sequential) ++sequential_;
      sectors_ += sectors;
    }
    last_ = now;
    if (samples_ >= kFewestSamples && now - begin_ >= kWindow) Update(now);
  }

  /// Sectors per us.
  [[nodiscard]] double rate() const { return rate_; }

 private:
  static constexpr TimePs kWindow = kSec;
  static constexpr TimePs kLongestGap = 100 * kMs;
  static constexpr unsigned kFewestSamples = 32;
  static constexpr double kFlashStart = 33000.0 * 2 / 3 / 65536;  // reference rate of a flash drive

  void Restart(TimePs now) {
    begin_ = now;
    samples_ = 1;
    sequential_ = 0;
    sectors_ = 0;
  }

  void Update(TimePs now) {
    const double measured = sectors_ / (static_cast<double>(now - begin_) / 1e6);
    const bool mostly_random = sequential_ < samples_ * 3 / 4;
    if (measured > rate_ || !mostly_random) {
      const unsigned weight = std::min(8u, 9 * sequential_ / samples_);
      const double divisor = 10 - weight;
      rate_ += (measured - rate_) / divisor;
    }
    Restart(now);
  }

  double rate_ = kFlashStart;
  TimePs begin_ = 0;
  TimePs last_ = 0;
  unsigned samples_ = 0;
  unsigned sequential_ = 0;
  double sectors_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_BFQ_PEAK_RATE_H_
