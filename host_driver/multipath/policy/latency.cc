// SPDX-License-Identifier: Apache-2.0
//
// latency (source 003, posted and not merged): for every I/O the optimized path with the least
// latency as its node has measured it, in whole microseconds; otherwise the usable one with the
// least. A path without a value (0) comes first, so a new one is tried at once.
#include "host_driver/multipath/policy/policies.h"

namespace nvmearb::host {
namespace {

class LatencyPolicy final : public IoPolicy {
 public:
  using IoPolicy::IoPolicy;
  [[nodiscard]] const char* name() const override { return "latency"; }
  [[nodiscard]] bool MeasuresLatency() const override { return true; }

  Path* Select(const PathList& paths, unsigned node, TimePs now) override {
    return Nearest(paths, node,
                   [node, now](Path& path) { return path.latency.LatencyUs(now, node); });
  }
};

}  // namespace

std::unique_ptr<IoPolicy> MakeLatencyPolicy(unsigned node_count) {
  return std::make_unique<LatencyPolicy>(node_count);
}

}  // namespace nvmearb::host
