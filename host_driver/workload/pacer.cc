// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/pacer.h"

#include <cmath>

namespace nvmearb::host {

Pacer::Pacer(const JobSpec& spec, std::uint64_t seed, std::uint64_t stream)
    : random_(seed, stream), poisson_(spec.rate_poisson) {
  for (std::size_t d = 0; d < kDirCount; ++d) {
    const std::uint64_t block = spec.block_sizes[d].min_bytes;
    bytes_per_s_[d] =
        spec.rate_bytes_per_s[d] != 0 ? spec.rate_bytes_per_s[d] : spec.rate_iops[d] * block;
    if (bytes_per_s_[d] == 0) continue;
    active_ = true;
    mean_gap_ps_[d] = static_cast<double>(block) / static_cast<double>(bytes_per_s_[d]) *
                      static_cast<double>(kSec);
  }
}

void Pacer::Restart(TimePs now) {
  origin_ = now;
  issued_bytes_ = {};
  for (std::size_t d = 0; d < kDirCount; ++d) next_[d] = bytes_per_s_[d] == 0 ? 0 : now;
}

void Pacer::Delay(TimePs time) {
  origin_ += time;
  for (std::size_t d = 0; d < kDirCount; ++d) next_[d] += bytes_per_s_[d] == 0 ? 0 : time;
}

void Pacer::CountIssue(int direction, std::uint32_t bytes) {
  const auto d = static_cast<std::size_t>(direction);
  if (bytes_per_s_[d] == 0) return;
  if (poisson_) {
    // Exponential gaps; log() of a value of at most 53 bits above 0.
    const double gap = -std::log(1.0 - random_.Unit()) * mean_gap_ps_[d];
    next_[d] += static_cast<TimePs>(gap);
    return;
  }
  issued_bytes_[d] += bytes;
  next_[d] = origin_ + static_cast<TimePs>(static_cast<unsigned __int128>(issued_bytes_[d]) * kSec /
                                           bytes_per_s_[d]);
}

}  // namespace nvmearb::host
