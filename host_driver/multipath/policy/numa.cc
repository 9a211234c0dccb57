// SPDX-License-Identifier: Apache-2.0
//
// numa: the node's current path while it is optimized; otherwise the optimized path whose
// controller is nearest to the node, otherwise the nearest usable one.
#include "host_driver/multipath/policy/policies.h"

namespace nvmearb::host {
namespace {

class NumaPolicy final : public IoPolicy {
 public:
  using IoPolicy::IoPolicy;
  [[nodiscard]] const char* name() const override { return "numa"; }

  Path* Select(const PathList& paths, unsigned node, TimePs) override {
    Path* const current = current_[node];
    if (current != nullptr && current->Optimized()) return current;
    return Nearest(paths, node, [node](const Path& path) {
      const bool near = path.numa_node == node || path.numa_node == kNoNode;
      return near ? kLocalDistance : kRemoteDistance;
    });
  }
};

}  // namespace

std::unique_ptr<IoPolicy> MakeNumaPolicy(unsigned node_count) {
  return std::make_unique<NumaPolicy>(node_count);
}

}  // namespace nvmearb::host
