// SPDX-License-Identifier: Apache-2.0
//
// KyberThrottle: how many requests of each domain kyber lets the device have at once, decided from
// latencies. Two generations: NewEarlyThrottle() (Linux 4.12 to 4.17), NewThrottle() (from 4.20
// on).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_THROTTLE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_THROTTLE_H_

#include <cstdint>
#include <memory>

#include "host_driver/base/clock.h"
#include "host_driver/block/request.h"

namespace nvmearb::host {

inline constexpr int kMaxKyberDomains = 4;

/// Not thread safe. Decides at times of its own choice (timers on the clock).
class KyberThrottle {
 public:
  virtual ~KyberThrottle() = default;
  [[nodiscard]] virtual int domain_count() const = 0;
  [[nodiscard]] virtual int DomainOf(BioOp op, bool sync) const = 0;
  /// Requests in a row before another domain gets its turn.
  [[nodiscard]] virtual int BatchSize(int domain) const = 0;

  /// Once, before anything else. `on_more(context, domain)`: Depth(domain) has grown.
  void Attach(Clock* clock, Callback on_more) {
    clock_ = clock;
    on_more_ = on_more;
  }
  /// Requests of the domain that may be dispatched and not completed.
  [[nodiscard]] int Depth(int domain) const { return depth_[domain]; }
  /// A request of `domain` ended now. Times since its allocation and since the driver got it.
  virtual void Completed(int domain, TimePs total, TimePs device) = 0;

  // Tunables: targets in ns.
  std::int64_t read_lat_nsec = 2'000'000;
  std::int64_t write_lat_nsec = 10'000'000;

 protected:
  void SetDepth(int domain, int depth) {
    const bool more = depth > depth_[domain];
    depth_[domain] = depth;
    if (more) on_more_.function(on_more_.context, static_cast<std::uint64_t>(domain));
  }
  Clock* clock_ = nullptr;
  int depth_[kMaxKyberDomains] = {};

 private:
  Callback on_more_;
};

std::unique_ptr<KyberThrottle> NewEarlyThrottle();
std::unique_ptr<KyberThrottle> NewThrottle();

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_THROTTLE_H_
