// SPDX-License-Identifier: Apache-2.0
//
// IoPolicy: which path an I/O takes; the subsystem's attribute `iopolicy`. One class per policy in
// policy/. numa and round-robin remember a path per NUMA node of the host (current_path); the head
// makes them forget it when a path or the policy changes.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_IO_POLICY_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_IO_POLICY_H_

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_driver/multipath/path.h"

namespace nvmearb::host {

/// Distances of NUMA nodes (ACPI SLIT): the same node, another one.
inline constexpr unsigned kLocalDistance = 10;
inline constexpr unsigned kRemoteDistance = 20;

class IoPolicy {
 public:
  explicit IoPolicy(unsigned node_count) : current_(node_count, nullptr) {}
  virtual ~IoPolicy() = default;
  IoPolicy(const IoPolicy&) = delete;
  IoPolicy& operator=(const IoPolicy&) = delete;

  [[nodiscard]] virtual const char* name() const = 0;
  /// The path for an I/O that a CPU of `node` submits at `now`; null when none is usable. With
  /// equals, the first in the list.
  virtual Path* Select(const PathList& paths, unsigned node, TimePs now) = 0;
  /// Requests started under it count in Path::nr_active.
  [[nodiscard]] virtual bool CountsRequests() const { return false; }
  /// Path::latency is kept.
  [[nodiscard]] virtual bool MeasuresLatency() const { return false; }

  /// Forgets the current path of every node.
  void Forget() { std::fill(current_.begin(), current_.end(), nullptr); }
  /// Forgets `path` where it is current.
  void Forget(Path* path) {
    std::replace(current_.begin(), current_.end(), path, static_cast<Path*>(nullptr));
  }

 protected:
  /// The nearest optimized path by `distance(const Path&)`, else the nearest usable one; becomes
  /// the node's current path (__nvme_find_path).
  template <typename Distance>
  Path* Nearest(const PathList& paths, unsigned node, Distance distance) {
    Path* found = nullptr;
    Path* fallback = nullptr;
    std::uint64_t found_distance = ~std::uint64_t{0};
    std::uint64_t fallback_distance = ~std::uint64_t{0};
    for (const auto& path : paths) {
      if (!path->Usable()) continue;
      const std::uint64_t its = distance(*path);
      if (path->ana == AnaState::kOptimized) {
        if (its >= found_distance) continue;
        found_distance = its;
        found = path.get();
      } else if (its < fallback_distance) {
        fallback_distance = its;
        fallback = path.get();
      }
    }
    if (found == nullptr) found = fallback;
    if (found != nullptr) current_[node] = found;
    return found;
  }

  std::vector<Path*> current_;  // by node
};

/// "numa", "round-robin", "queue-depth", "latency".
[[nodiscard]] const std::vector<std::string>& IoPolicyNames();

/// Throws UserError for a name that is none; `where` is the place of it.
[[nodiscard]] std::unique_ptr<IoPolicy> MakeIoPolicy(std::string_view name, unsigned node_count,
                                                     const std::string& where);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_IO_POLICY_H_
