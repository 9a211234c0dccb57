// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/random_distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

/// Sum of i^-theta for i = 1..n: the first terms one by one, the rest by the Euler-Maclaurin
/// formula (error far below 1e-9). theta != 1.
double Zeta(std::uint64_t n, double theta) {
  constexpr std::uint64_t kExactTerms = 4096;
  const std::uint64_t exact = std::min(n, kExactTerms);
  double sum = 0;
  for (std::uint64_t i = 1; i <= exact; ++i) sum += std::pow(static_cast<double>(i), -theta);
  if (exact == n) return sum;
  const double from = static_cast<double>(exact);
  const double to = static_cast<double>(n);
  return sum + (std::pow(to, 1 - theta) - std::pow(from, 1 - theta)) / (1 - theta) +
         (std::pow(to, -theta) - std::pow(from, -theta)) / 2;
}

/// A multiplier near the golden section of `count`, so that neighbours in rank lie far apart.
std::uint64_t StrideFor(std::uint64_t count, std::uint64_t seed) {
  if (count < 4) return 1;
  auto stride = static_cast<std::uint64_t>(
      (static_cast<unsigned __int128>(0x9e3779b97f4a7c15) * count) >> 64);
  stride = (stride + seed % 1024) % count;
  while (std::gcd(stride, count) != 1) stride = (stride + 1) % count;
  return stride;
}

}  // namespace

RandomDistribution::RandomDistribution(const DistributionSpec& spec, std::uint64_t count,
                                       std::uint32_t block_bytes, std::uint64_t seed)
    : kind_(spec.kind), count_(count) {
  NVMEARB_CHECK(count >= 1 && kind_ != DistributionKind::kUniform, "a distribution of blocks");
  const double n = static_cast<double>(count);
  if (spec.center >= 0) {
    shift_ = std::min(count - 1, static_cast<std::uint64_t>(spec.center * n));
  } else if (kind_ == DistributionKind::kNormal) {
    shift_ = count / 2;
  } else {
    scatter_ = true;
    stride_ = StrideFor(count, seed);
    shift_ = seed % count;
  }
  switch (kind_) {
    case DistributionKind::kZipf: {
      const double theta = spec.parameter;
      zeta_ = Zeta(count, theta);
      const double zeta2 = 1.0 + std::pow(0.5, theta);
      exponent_ = theta;
      alpha_ = 1.0 / (1.0 - theta);
      eta_ = (1.0 - std::pow(2.0 / n, 1.0 - theta)) / (1.0 - zeta2 / zeta_);
      break;
    }
    case DistributionKind::kPareto:
      exponent_ = std::log(spec.parameter) / std::log(1.0 - spec.parameter);
      break;
    case DistributionKind::kNormal:
      deviation_ = std::min(std::ceil(n * spec.parameter / 100.0), n / 2);
      break;
    case DistributionKind::kZoned:
    case DistributionKind::kZonedAbs: {
      std::uint32_t access = 0;
      std::uint64_t first = 0;
      for (const AccessZone& zone : spec.zones) {
        access += zone.access_percent;
        std::uint64_t size =
            kind_ == DistributionKind::kZoned
                ? static_cast<std::uint64_t>(static_cast<unsigned __int128>(count) *
                                             zone.size_percent / 100)
                : zone.size_bytes / block_bytes;
        // What the percents leave over by rounding, and what goes beyond the end.
        size = std::min(std::max<std::uint64_t>(size, 1), count - std::min(first, count - 1));
        zones_.push_back({access, std::min(first, count - 1), size});
        first += size;
      }
      break;
    }
    case DistributionKind::kUniform:
      break;
  }
}

std::uint64_t RandomDistribution::Zipf(double uniform) const {
  const double z = uniform * zeta_;
  if (z < 1.0 || count_ < 3) return z < 1.0 ? 0 : std::min<std::uint64_t>(1, count_ - 1);
  if (z < 1.0 + std::pow(0.5, exponent_)) return 1;
  const double rank = static_cast<double>(count_) * std::pow(eta_ * uniform - eta_ + 1.0, alpha_);
  return std::min(count_ - 1, static_cast<std::uint64_t>(rank));
}

std::uint64_t RandomDistribution::Normal(base::Random* random) const {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += random->Unit();
  const double n = static_cast<double>(count_);
  double at = std::fmod(static_cast<double>(shift_) + sum * deviation_, n);
  if (at < 0) at += n;
  return std::min(count_ - 1, static_cast<std::uint64_t>(at));
}

std::uint64_t RandomDistribution::Zoned(base::Random* random) const {
  const auto draw = static_cast<std::uint32_t>(random->Below(100));
  const Zone* zone = &zones_.back();
  for (const Zone& one : zones_) {
    if (draw < one.access_until) {
      zone = &one;
      break;
    }
  }
  return zone->first + random->Below(zone->count);
}

std::uint64_t RandomDistribution::Place(std::uint64_t rank) const {
  if (!scatter_) return (rank + shift_) % count_;
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(rank) * stride_ + shift_) %
                                    count_);
}

std::uint64_t RandomDistribution::Next(base::Random* random) const {
  switch (kind_) {
    case DistributionKind::kZipf:
      return Place(Zipf(random->Unit()));
    case DistributionKind::kPareto: {
      const double rank = static_cast<double>(count_ - 1) * std::pow(random->Unit(), exponent_);
      return Place(static_cast<std::uint64_t>(rank));
    }
    case DistributionKind::kNormal:
      return Normal(random);
    case DistributionKind::kZoned:
    case DistributionKind::kZonedAbs:
      return Zoned(random);
    case DistributionKind::kUniform:
      break;
  }
  return random->Below(count_);
}

}  // namespace nvmearb::host
