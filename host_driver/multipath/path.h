// SPDX-License-Identifier: Apache-2.0
//
// Path: one way to a namespace, as the head and its policies see it: a controller and that
// controller's own disk (struct nvme_ns and nvme_ctrl of Linux).
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_PATH_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_PATH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/block/bio.h"
#include "host_driver/multipath/node_latency.h"

namespace nvmearb::host {

/// Asymmetric Namespace Access state of the namespace on that controller (Base 2.1, 8.1.1).
enum class AnaState : std::uint8_t {
  kOptimized,
  kNonOptimized,
  kInaccessible,
  kPersistentLoss,
  kChange
};

/// What the controller can do now.
enum class PathState : std::uint8_t {
  kLive,
  kConnecting,  ///< resetting or connecting: it may come back
  kFailFast,    ///< still connecting, but I/O does not wait for it any more (fast_io_fail_tmo)
  kGone         ///< given up
};

/// NUMA node of a controller that is near to none.
inline constexpr unsigned kNoNode = ~0u;

struct PathStats {
  std::uint64_t bios = 0;         ///< sent this way
  std::uint64_t completed = 0;    ///< ... and done, whatever the status, but for path errors
  std::uint64_t path_errors = 0;  ///< ... and come back with a path error
  std::uint64_t bytes = 0;        ///< of those done
  std::uint64_t requests = 0;     ///< ended by the driver
  TimePs latency_sum = 0;         ///< of those requests, from start to end at the driver
  unsigned in_flight = 0;         ///< requests with the driver
  unsigned in_flight_peak = 0;
  std::uint64_t losses = 0;  ///< times it ceased to be live
};

/// Plain state; the head owns and changes it.
struct Path {
  Path(std::string its_name, BlockDevice* its_disk, unsigned node, AnaState its_ana,
       unsigned node_count, const NodeLatencyParams& nlat)
      : name(std::move(its_name)),
        disk(its_disk),
        numa_node(node),
        ana(its_ana),
        latency(node_count, nlat) {}

  std::string name;
  BlockDevice* disk;
  unsigned numa_node;  ///< of the controller
  AnaState ana;
  PathState state = PathState::kLive;
  /// Requests with the driver that count for queue-depth: those started under that policy.
  unsigned nr_active = 0;
  NodeLatency latency;
  PathStats stats;

  /// An I/O may go this way (not nvme_path_is_disabled).
  [[nodiscard]] bool Usable() const {
    return state == PathState::kLive &&
           (ana == AnaState::kOptimized || ana == AnaState::kNonOptimized);
  }
  [[nodiscard]] bool Optimized() const {
    return state == PathState::kLive && ana == AnaState::kOptimized;
  }
  /// I/O without a usable path may wait for this one (nvme_available_path).
  [[nodiscard]] bool MayReturn() const {
    return state == PathState::kLive || state == PathState::kConnecting;
  }
};

/// In the order in which the controllers were found.
using PathList = std::vector<std::unique_ptr<Path>>;

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_PATH_H_
