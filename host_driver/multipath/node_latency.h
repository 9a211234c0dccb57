// SPDX-License-Identifier: Apache-2.0
//
// NodeLatency: what the `latency` policy knows of one path: the latency that each NUMA node of the
// host sees on it (blk-nlatency of source 003).
//
// Time is cut into windows. At the end of a window a node with at least `lowat` samples takes their
// mean, whatever it had before; one with fewer has a stale value, which is multiplied by decay /
// 100, so that a path that nobody uses looks better and better until somebody tries it. The
// source's text calls `decay` the percentage by which the value shrinks; its code keeps that
// percentage, so 10 forgets faster than 50. Modelled is the code. It is no moving average.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_NODE_LATENCY_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_NODE_LATENCY_H_

#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"

namespace nvmearb::host {

/// Attributes of blk-nlatency by their names in debugfs.
struct NodeLatencyParams {
  unsigned win_usec = 2000;  ///< 1..10,000,000; the posted default for non-rotational disks
  unsigned lowat = 2;        ///< samples below which a window says nothing
  unsigned decay = 50;       ///< percent that stays of a stale value, 0..100
};

/// The windows are closed when somebody looks or adds, as many as have passed: the same values as
/// with a timer, without its events. Not thread safe.
class NodeLatency {
 public:
  NodeLatency(unsigned node_count, const NodeLatencyParams& params);

  /// Begins anew at `now`: values 0, first window open.
  void Enable(TimePs now);
  /// A request of `node` ended at `now`, `latency` after the driver started it.
  void Add(TimePs now, unsigned node, TimePs latency);
  /// Whole microseconds, as the policy compares them. 0: never sampled, or forgotten.
  [[nodiscard]] std::uint64_t LatencyUs(TimePs now, unsigned node);

  [[nodiscard]] const NodeLatencyParams& params() const { return params_; }

 private:
  struct Node {
    std::uint64_t latency_ns = 0;
    std::uint64_t sum_ns = 0;  // of the open window
    std::uint64_t samples = 0;
  };
  void CloseWindows(TimePs now);

  NodeLatencyParams params_;
  std::vector<Node> nodes_;
  TimePs window_end_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_NODE_LATENCY_H_
