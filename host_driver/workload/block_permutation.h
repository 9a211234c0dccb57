// SPDX-License-Identifier: Apache-2.0
//
// BlockPermutation: visits every block of a range exactly once per pass in a random order, with 32
// bytes of state where fio keeps a bitmap (its random map, on by default).
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_BLOCK_PERMUTATION_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_BLOCK_PERMUTATION_H_

#include <cstdint>

#include "nvme/base/random.h"

namespace nvmearb::host {

/// A keyed bijection on 2^k >= count values (odd multiplications and xor-shifts, each of which can
/// be undone), walked with a counter; values from `count` on are skipped, on average less than one
/// per call. A new pass takes a new key.
class BlockPermutation {
 public:
  BlockPermutation() = default;

  /// `count` 1..2^62 blocks.
  BlockPermutation(std::uint64_t count, std::uint64_t seed, std::uint64_t stream)
      : random_(seed, stream), count_(count) {
    unsigned bits = 1;
    while (bits < 63 && (std::uint64_t{1} << bits) < count) ++bits;
    mask_ = (std::uint64_t{1} << bits) - 1;
    shift_ = (bits + 1) / 2;
    NewPass();
  }

  /// Next block, 0..count-1.
  std::uint64_t Next() {
    for (;;) {
      if (counter_ > mask_) NewPass();
      const std::uint64_t value = Mix(counter_++);
      if (value < count_) return value;
    }
  }

 private:
  std::uint64_t Mix(std::uint64_t x) const {
    x = ((x ^ (key_[0] & mask_)) * (key_[1] | 1)) & mask_;
    x ^= x >> shift_;
    x = (x * (key_[2] | 1)) & mask_;
    x ^= x >> shift_;
    x = (x * ((key_[1] >> 32) | 1)) & mask_;
    x ^= x >> shift_;
    return x;
  }

  void NewPass() {
    counter_ = 0;
    for (auto& key : key_) key = random_.Next();
  }

  base::Random random_{0};
  std::uint64_t count_ = 1;
  std::uint64_t mask_ = 1;
  std::uint64_t counter_ = 0;
  std::uint64_t key_[3] = {};
  unsigned shift_ = 1;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_BLOCK_PERMUTATION_H_
