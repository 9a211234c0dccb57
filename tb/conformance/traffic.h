// SPDX-License-Identifier: Apache-2.0
//
// Random traffic of a host that keeps to the rules: SQs of any class, bursts of submissions, idle
// times, all from one seed.
#ifndef NVMEARB_TB_CONFORMANCE_TRAFFIC_H_
#define NVMEARB_TB_CONFORMANCE_TRAFFIC_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/host.h"
#include "nvme/base/random.h"

namespace nvmearb::conformance {

/// Creates `count` pairs of random class and small random sizes, 1 .. count; some share a CQ.
inline bool CreateRandomPairs(Host& host, std::uint16_t count, base::Random& random) {
  for (std::uint16_t id = 1; id <= count; ++id) {
    const auto size_count = [&] { return static_cast<std::uint32_t>(random.InRange(2, 40)); };
    if (host.CreateCq(id, size_count()) != nvme::Status::kSuccess) return false;
    const auto cqid = static_cast<std::uint16_t>(random.Below(4) == 0 ? random.InRange(1, id) : id);
    const auto qprio = static_cast<std::uint8_t>(random.Below(4));
    if (host.CreateSq(id, {size_count(), qprio, cqid}) != nvme::Status::kSuccess) return false;
  }
  return true;
}

/// Submits to SQs 0 .. sq_count until `read_count` commands were fetched, then lets everything
/// finish. Between two doorbells lie at least `least_clocks`. `before_ring` is called with the SQ
/// before each doorbell. True when all was done.
template <typename BeforeRing>
bool RunTraffic(Host& host, std::uint16_t sq_count, std::uint64_t read_count, base::Random& random,
                std::uint64_t least_clocks, BeforeRing before_ring) {
  const std::uint64_t end = host.reads().size() + read_count;
  const ssd::TimePs patience = host.Now() + read_count * 4 * kUs + Host::kPatiencePs;
  std::uint64_t most_clocks = 40;
  while (host.reads().size() < end && host.Now() < patience) {
    if (random.Below(200) == 0) most_clocks = std::uint64_t{1} << random.InRange(1, 10);
    const auto sqid = static_cast<std::uint16_t>(random.Below(sq_count + 1u));
    const std::uint32_t free_count = host.FreeSlots(sqid);
    if (free_count > 0 && (sqid != 0 || random.Below(4) == 0)) {
      const std::uint64_t most = random.Below(4) == 0 ? free_count : std::min(free_count, 3u);
      before_ring(sqid);
      host.Submit(sqid, static_cast<unsigned>(random.InRange(1, most)));
    }
    host.RunClocks(least_clocks + random.Below(most_clocks));
  }
  return host.RunUntilDone();
}

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_TRAFFIC_H_
