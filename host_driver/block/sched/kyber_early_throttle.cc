// SPDX-License-Identifier: Apache-2.0
//
// Linux 4.12 to 4.17 (host_algorithms 3.2): means of the device's latency over a window that a
// missed target opens.
#include <algorithm>

#include "host_driver/block/sched/kyber_throttle.h"

namespace nvmearb::host {
namespace {

enum Domain : int { kRead = 0, kSyncWrite = 1, kOther = 2 };
constexpr int kDomains = 3;
constexpr int kCap[kDomains] = {256, 128, 64};
constexpr int kBatch[kDomains] = {16, 8, 8};
constexpr TimePs kFirstWindow = 10 * kMs;
constexpr TimePs kNextWindow = 100 * kMs;

/// Of a domain against its target; the order is the order of merit.
enum Status : int { kAwful = -2, kBad = -1, kNothing = 0, kGood = 1, kGreat = 2 };

class EarlyThrottle final : public KyberThrottle {
 public:
  EarlyThrottle() { std::copy_n(kCap, kDomains, depth_); }

  [[nodiscard]] int domain_count() const override { return kDomains; }
  [[nodiscard]] int DomainOf(BioOp op, bool sync) const override {
    if (op == BioOp::kRead) return kRead;
    return op == BioOp::kWrite && sync ? kSyncWrite : kOther;
  }
  [[nodiscard]] int BatchSize(int domain) const override { return kBatch[domain]; }

  void Completed(int domain, TimePs, TimePs device) override {
    if (window_open_) {
      ++count_[domain];
      sum_[domain] += device;
      return;
    }
    if (domain != kOther && device > Target(domain)) OpenWindow(kFirstWindow);
  }

 private:
  [[nodiscard]] TimePs Target(int domain) const {
    return static_cast<TimePs>(domain == kRead ? read_lat_nsec : write_lat_nsec) * kNs;
  }

  void OpenWindow(TimePs length) {
    window_open_ = true;
    std::fill_n(count_, kDomains, 0);
    std::fill_n(sum_, kDomains, 0);
    clock_->At(clock_->Now() + length, Bind<&EarlyThrottle::CloseWindow>(this));
  }

  void CloseWindow(std::uint64_t) {
    window_open_ = false;
    const Status read = StatusOf(kRead);
    const Status write = StatusOf(kSyncWrite);
    Adjust(kRead, read, write);
    Adjust(kSyncWrite, write, read);
    AdjustOther(read, write);
    if (read < 0 || write < 0 || depth_[kOther] < kCap[kOther]) OpenWindow(kNextWindow);
  }

  [[nodiscard]] Status StatusOf(int domain) const {
    if (count_[domain] == 0) return kNothing;
    const TimePs mean = sum_[domain] / count_[domain];
    const TimePs target = Target(domain);
    if (mean >= 2 * target) return kAwful;
    if (mean > target) return kBad;
    return mean <= target / 2 ? kGreat : kGood;
  }

  // A domain that is better than it has to be makes room for one that is not.
  void Adjust(int domain, Status mine, Status other) {
    const bool alike = (mine > 0 && other > 0) || (mine < 0 && other < 0);
    if (mine == kNothing || alike) return;
    int depth = depth_[domain];
    if (other == kNothing) {
      depth += 1;
    } else if (mine == kGood) {
      depth -= std::max(depth / (other == kAwful ? 4 : 8), 1);
    } else if (mine == kGreat) {
      depth -= other == kAwful ? depth - depth / 2 : std::max(depth / 4, 1);
    } else {
      depth += mine == kAwful && other == kGreat ? 2 : 1;
    }
    SetDepth(domain, std::clamp(depth, 1, kCap[domain]));
  }

  void AdjustOther(Status read, Status write) {
    int depth = depth_[kOther];
    if (read == kNothing && write == kNothing) {
      depth += 2;
    } else {
      if (count_[kOther] == 0) return;
      Status status = std::max(read, write);
      if (read == kNothing) status = write;
      if (write == kNothing) status = read;
      if (status == kGreat) depth += 2;
      if (status == kGood) depth += 1;
      if (status == kBad) depth -= std::max(depth / 4, 1);
      if (status == kAwful) depth /= 2;
    }
    SetDepth(kOther, std::clamp(depth, 1, kCap[kOther]));
  }

  bool window_open_ = false;
  std::uint64_t count_[kDomains] = {};
  TimePs sum_[kDomains] = {};
};

}  // namespace

std::unique_ptr<KyberThrottle> NewEarlyThrottle() { return std::make_unique<EarlyThrottle>(); }

}  // namespace nvmearb::host
