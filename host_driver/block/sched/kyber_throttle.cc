// SPDX-License-Identifier: Apache-2.0
//
// Linux 4.20 and later (host_algorithms 3.3): percentiles of histograms.
#include "host_driver/block/sched/kyber_throttle.h"

#include <algorithm>

namespace nvmearb::host {
namespace {

enum Domain : int { kRead = 0, kWrite = 1, kDiscard = 2, kOther = 3 };
constexpr int kDomains = 4;
constexpr int kCap[kDomains] = {256, 128, 64, 16};
constexpr int kBatch[kDomains] = {16, 8, 1, 1};
constexpr TimePs kDiscardTarget = 5 * kSec;
constexpr TimePs kPeriod = 100 * kMs;
constexpr TimePs kSamplesWait = kSec;
constexpr std::uint32_t kEnoughSamples = 500;
constexpr int kBuckets = 8;
constexpr int kGoodBuckets = 4;  // of a quarter of the target each
constexpr int kUnknown = -1;

struct Histogram {
  std::uint32_t count[kBuckets] = {};

  void Add(TimePs latency, TimePs target) {
    const TimePs width = std::max<TimePs>(target / kGoodBuckets, 1);
    const TimePs bucket = latency == 0 ? 0 : (latency - 1) / width;
    ++count[std::min<TimePs>(bucket, kBuckets - 1)];
  }
};

class Throttle final : public KyberThrottle {
 public:
  Throttle() { std::copy_n(kCap, kDomains, depth_); }

  [[nodiscard]] int domain_count() const override { return kDomains; }
  [[nodiscard]] int DomainOf(BioOp op, bool) const override {
    switch (op) {
      case BioOp::kRead:
        return kRead;
      case BioOp::kWrite:
        return kWrite;
      case BioOp::kDiscard:
        return kDiscard;
      case BioOp::kFlush:
        break;
    }
    return kOther;
  }
  [[nodiscard]] int BatchSize(int domain) const override { return kBatch[domain]; }

  void Completed(int domain, TimePs total, TimePs device) override {
    if (domain == kOther) return;
    total_[domain].Add(total, Target(domain));
    device_[domain].Add(device, Target(domain));
    if (armed_) return;
    armed_ = true;
    clock_->At(clock_->Now() + kPeriod, Bind<&Throttle::Decide>(this));
  }

 private:
  [[nodiscard]] TimePs Target(int domain) const {
    if (domain == kDiscard) return kDiscardTarget;
    return static_cast<TimePs>(domain == kRead ? read_lat_nsec : write_lat_nsec) * kNs;
  }

  // Bucket of a percentile; the histogram begins anew. Unknown until there are enough samples or
  // the domain has waited long enough for them. One wait per domain: whoever asks first ends it.
  int TakePercentile(int domain, Histogram& histogram, unsigned percent) {
    std::uint32_t samples = 0;
    for (const std::uint32_t count : histogram.count) samples += count;
    if (samples == 0) return kUnknown;
    TimePs& until = wait_until_[domain];
    if (until == 0) until = clock_->Now() + kSamplesWait;
    if (samples < kEnoughSamples && clock_->Now() < until) return kUnknown;
    until = 0;
    std::uint32_t left = (samples * percent + 99) / 100;
    int bucket = 0;
    while (bucket < kBuckets - 1 && histogram.count[bucket] < left) {
      left -= histogram.count[bucket++];
    }
    histogram = Histogram();
    return bucket;
  }

  // While the device is congested, domains within their target get less, those beyond it more.
  void Decide(std::uint64_t) {
    armed_ = false;
    bool congested = false;
    for (int domain = 0; domain < kOther; ++domain) {
      if (TakePercentile(domain, device_[domain], 90) >= kGoodBuckets) congested = true;
    }
    for (int domain = 0; domain < kOther; ++domain) {
      int p99 = TakePercentile(domain, total_[domain], 99);
      if (congested) {
        if (p99 == kUnknown) p99 = remembered_[domain];
        remembered_[domain] = kUnknown;
      } else if (p99 != kUnknown) {
        remembered_[domain] = p99;
      }
      if (p99 == kUnknown) continue;
      if (congested || p99 >= kGoodBuckets) {
        SetDepth(domain, std::clamp(depth_[domain] * (p99 + 1) / kGoodBuckets, 1, kCap[domain]));
      }
    }
  }

  Histogram total_[kDomains];
  Histogram device_[kDomains];
  TimePs wait_until_[kDomains] = {};
  int remembered_[kDomains] = {kUnknown, kUnknown, kUnknown, kUnknown};
  bool armed_ = false;
};

}  // namespace

std::unique_ptr<KyberThrottle> NewThrottle() { return std::make_unique<Throttle>(); }

}  // namespace nvmearb::host
