// SPDX-License-Identifier: Apache-2.0
//
// RandomDistribution: which block of a region a random I/O goes to, for random_distribution= other
// than random: zipf, pareto, normal, zoned, zoned_abs.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_RANDOM_DISTRIBUTION_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_RANDOM_DISTRIBUTION_H_

#include <cstdint>
#include <vector>

#include "nvme/base/random.h"

namespace nvmearb::host {

enum class DistributionKind : std::uint8_t { kUniform, kZipf, kPareto, kNormal, kZoned, kZonedAbs };

/// One zone of zoned and zoned_abs: `access_percent` of the I/Os go to the next `size_percent` of
/// the region, or `size_bytes`.
struct AccessZone {
  std::uint32_t access_percent = 0;
  std::uint32_t size_percent = 0;
  std::uint64_t size_bytes = 0;
};

struct DistributionSpec {
  DistributionKind kind = DistributionKind::kUniform;
  /// zipf: theta > 0, not 1. pareto: h, 0 < h < 1. normal: deviation in percent of the region,
  /// 0..100.
  double parameter = 0;
  /// Where the most frequent block is, 0..1 of the region; below 0: zipf and pareto scatter their
  /// blocks over the region, normal has its middle.
  double center = -1;
  std::vector<AccessZone> zones;  ///< access percents add up to 100
};

/// Draws blocks 0..count-1.
/// - zipf: the i-th most frequent block has a probability in proportion to 1 / i^theta; by the
///   approximation of Gray et al. (SIGMOD 1994) that fio uses, too.
/// - pareto (80/20 rule): the self-similar distribution of the same paper: h of the blocks take 1-h
///   of the I/Os.
/// - normal: mean in the middle; the sum of twelve uniform numbers; what falls outside wraps.
/// Constant time and memory, whatever the number of blocks.
class RandomDistribution {
 public:
  RandomDistribution() = default;
  /// `count` >= 1 blocks of `block_bytes`. `kUniform` is not for here.
  RandomDistribution(const DistributionSpec& spec, std::uint64_t count, std::uint32_t block_bytes,
                     std::uint64_t seed);

  [[nodiscard]] std::uint64_t Next(base::Random* random) const;

 private:
  struct Zone {
    std::uint32_t access_until = 0;  // percent, cumulative
    std::uint64_t first = 0;
    std::uint64_t count = 1;
  };
  [[nodiscard]] std::uint64_t Zipf(double uniform) const;
  [[nodiscard]] std::uint64_t Normal(base::Random* random) const;
  [[nodiscard]] std::uint64_t Zoned(base::Random* random) const;
  [[nodiscard]] std::uint64_t Place(std::uint64_t rank) const;

  DistributionKind kind_ = DistributionKind::kUniform;
  std::uint64_t count_ = 1;
  std::uint64_t shift_ = 0;  // of rank 0, or of the middle
  bool scatter_ = false;
  std::uint64_t stride_ = 1;  // odd and without a common factor with count_: scatters ranks
  double exponent_ = 0;       // zipf: theta; pareto: log h / log (1 - h)
  double zeta_ = 0;
  double eta_ = 0;
  double alpha_ = 0;
  double deviation_ = 0;  // blocks
  std::vector<Zone> zones_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_RANDOM_DISTRIBUTION_H_
