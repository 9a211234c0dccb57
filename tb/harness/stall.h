// SPDX-License-Identifier: Apache-2.0
//
// Stall: whether a channel stalls at an edge. A pure function of seed, channel and edge number, so
// that skipping idle edges does not change what the others see.
#ifndef NVMEARB_TB_HARNESS_STALL_H_
#define NVMEARB_TB_HARNESS_STALL_H_

#include <cstdint>

namespace nvmearb::tb {

class Stall {
 public:
  enum Channel : std::uint64_t { kAw = 1, kW, kB, kAr, kHostAr, kHostR, kR, kStream, kComplete };

  Stall(std::uint64_t seed, unsigned percent) : seed_(seed), percent_(percent) {}

  /// Some channel may stall at some edge.
  [[nodiscard]] bool Any() const { return percent_ != 0; }

  [[nodiscard]] bool operator()(Channel channel, std::uint64_t edge) const {
    if (percent_ == 0) return false;
    std::uint64_t z = (edge + seed_ * 0x9e3779b97f4a7c15u) ^ (channel << 56);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % 100 < percent_;
  }

 private:
  std::uint64_t seed_;
  unsigned percent_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_STALL_H_
