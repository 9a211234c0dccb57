// SPDX-License-Identifier: Apache-2.0
//
// queue-depth: the optimized path with the fewest active requests, otherwise the usable one with
// the fewest. Requests count from start to end at the driver, over all nodes, and only those
// started under this policy.
#include "host_driver/multipath/policy/policies.h"

namespace nvmearb::host {
namespace {

class QueueDepthPolicy final : public IoPolicy {
 public:
  using IoPolicy::IoPolicy;
  [[nodiscard]] const char* name() const override { return "queue-depth"; }
  [[nodiscard]] bool CountsRequests() const override { return true; }

  Path* Select(const PathList& paths, unsigned, TimePs) override {
    Path* best = nullptr;
    Path* fallback = nullptr;
    for (const auto& path : paths) {
      if (!path->Usable()) continue;
      Path*& which = path->ana == AnaState::kOptimized ? best : fallback;
      if (which == nullptr || path->nr_active < which->nr_active) which = path.get();
      if (best != nullptr && best->nr_active == 0) break;
    }
    return best != nullptr ? best : fallback;
  }
};

}  // namespace

std::unique_ptr<IoPolicy> MakeQueueDepthPolicy(unsigned node_count) {
  return std::make_unique<QueueDepthPolicy>(node_count);
}

}  // namespace nvmearb::host
