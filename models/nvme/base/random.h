// SPDX-License-Identifier: Apache-2.0
//
// Random: the one seeded engine of the project (xoshiro256**, seeded through splitmix64), with
// our own range functions: those of the standard library differ between implementations, and the
// same seed has to give the same bytes everywhere.
#ifndef NVMEARB_MODELS_NVME_BASE_RANDOM_H_
#define NVMEARB_MODELS_NVME_BASE_RANDOM_H_

#include <cstdint>

namespace nvmearb::base {

class Random {
 public:
  /// `seed` selects the run, `stream` an independent sequence within it (one per job, die set,
  /// ...).
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t x = seed ^ (stream * 0x9e3779b97f4a7c15u);
    for (auto& word : state_) word = SplitMix(x);
  }

  /// Uniform over all 64-bit values.
  std::uint64_t Next() {
    const std::uint64_t result = Rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = Rotl(state_[3], 45);
    return result;
  }

  /// Uniform over [0, bound); 0 when bound is 0. Bias below bound / 2^64.
  std::uint64_t Below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(Next()) * bound) >> 64);
  }

  /// Uniform over [low, high], low <= high.
  std::uint64_t InRange(std::uint64_t low, std::uint64_t high) {
    return low + Below(high - low + 1);
  }

  /// Uniform over [0, 1) with 53 bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t Rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static std::uint64_t SplitMix(std::uint64_t& x) {
    std::uint64_t z = (x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_[4];
};

}  // namespace nvmearb::base

#endif  // NVMEARB_MODELS_NVME_BASE_RANDOM_H_
