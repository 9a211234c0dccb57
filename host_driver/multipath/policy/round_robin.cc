// SPDX-License-Identifier: Apache-2.0
//
// round-robin: per node, the next optimized path behind the current one. Without another optimized
// one the current stays if it is optimized; otherwise the last usable one behind it in the list,
// and the current one only when there is no other.
#include "host_driver/multipath/policy/policies.h"

namespace nvmearb::host {
namespace {

class RoundRobinPolicy final : public IoPolicy {
 public:
  using IoPolicy::IoPolicy;
  [[nodiscard]] const char* name() const override { return "round-robin"; }

  Path* Select(const PathList& paths, unsigned node, TimePs) override {
    Path* const old = current_[node];
    if (old == nullptr) {
      return Nearest(paths, node, [](const Path&) { return kLocalDistance; });
    }
    if (paths.size() == 1) return old->Usable() ? old : nullptr;
    Path* const found = NextBehind(paths, old);
    if (old->Usable() && (old->Optimized() || found == nullptr) &&
        (found == nullptr || !found->Optimized())) {
      return old;
    }
    if (found != nullptr) current_[node] = found;
    return found;
  }

 private:
  // The first optimized path behind `old`, or else the last usable one.
  static Path* NextBehind(const PathList& paths, const Path* old) {
    const auto at = std::find_if(paths.begin(), paths.end(),
                                 [old](const auto& path) { return path.get() == old; });
    const auto start = static_cast<std::size_t>(at - paths.begin());
    Path* found = nullptr;
    for (std::size_t i = 1; i < paths.size(); ++i) {
      Path* const path = paths[(start + i) % paths.size()].get();
      if (!path->Usable()) continue;
      found = path;
      if (path->Optimized()) break;
    }
    return found;
  }
};

}  // namespace

std::unique_ptr<IoPolicy> MakeRoundRobinPolicy(unsigned node_count) {
  return std::make_unique<RoundRobinPolicy>(node_count);
}

}  // namespace nvmearb::host
