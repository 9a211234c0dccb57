// SPDX-License-Identifier: Apache-2.0
#include "host_driver/multipath/node_latency.h"

#include "nvme/base/check.h"

namespace nvmearb::host {

NodeLatency::NodeLatency(unsigned node_count, const NodeLatencyParams& params)
    : params_(params), nodes_(node_count) {
  NVMEARB_CHECK(params.win_usec > 0 && params.decay <= 100, "a window, and a share that stays");
}

void NodeLatency::Enable(TimePs now) {
  nodes_.assign(nodes_.size(), Node{});
  window_end_ = now + params_.win_usec * kUs;
}

void NodeLatency::Add(TimePs now, unsigned node, TimePs latency) {
  CloseWindows(now);
  nodes_[node].sum_ns += latency / kNs;
  ++nodes_[node].samples;
}

std::uint64_t NodeLatency::LatencyUs(TimePs now, unsigned node) {
  CloseWindows(now);
  return nodes_[node].latency_ns / 1000;
}

void NodeLatency::CloseWindows(TimePs now) {
  while (now >= window_end_) {
    bool settled = true;  // another empty window changes nothing
    for (Node& node : nodes_) {
      const std::uint64_t before = node.latency_ns;
      if (node.samples < params_.lowat) {
        node.latency_ns = node.latency_ns * params_.decay / 100;
      } else {
        node.latency_ns = node.sum_ns / node.samples;
      }
      settled = settled && node.samples == 0 && node.latency_ns == before;
      node.sum_ns = node.samples = 0;
    }
    const TimePs window = params_.win_usec * kUs;
    window_end_ += settled ? (now - window_end_) / window * window + window : window;
  }
}

}  // namespace nvmearb::host
