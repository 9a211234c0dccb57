// SPDX-License-Identifier: Apache-2.0
//
// MultipathHead: the disk that stands for a namespace with several paths (nvme_ns_head of Linux).
//
// Reading order: path.h (what a path is), io_policy.h and policy/ (which one an I/O takes),
// node_latency.h, then head.cc, and controller_path.h (who tells the head about its controllers).
//
// Life of a bio: Submit() -> the policy picks a path -> that path's disk, with its own scheduler,
// tags and queues -> done. It comes back with a path error (SCT 3h) when the controller was lost:
// then it goes to the requeue list, and out again at once on another path. Without a usable path it
// stays on that list as long as a controller may come back, and ends with a path error when none
// can.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_HEAD_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_HEAD_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/block/bio.h"
#include "host_driver/block/request.h"
#include "host_driver/multipath/io_policy.h"
#include "host_driver/multipath/path.h"

namespace nvmearb::host {

struct MultipathParams {
  std::string iopolicy = "numa";
  NodeLatencyParams nlat;
};

struct MultipathStats {
  std::uint64_t bios_submitted = 0;
  std::uint64_t bios_completed = 0;  ///< `done` called, whatever the status
  std::uint64_t bios_failed = 0;     ///< of these, with a status other than success
  std::uint64_t failovers = 0;       ///< times a bio came back with a path error
  std::uint64_t parked = 0;          ///< times a bio found no usable path and waited for one
  std::uint64_t policy_switches = 0;
};

/// Owns its paths' state, not their disks, which outlive it. All paths are added before the first
/// I/O. Not thread safe. Time base: `clock`.
class MultipathHead final : public BlockDevice {
 public:
  /// Throws UserError for an unknown policy.
  MultipathHead(Clock& clock, const CpuTopology& cpus, const MultipathParams& params);

  /// `disk` is the controller's own, which is live. `numa_node`: of the controller, or kNoNode.
  Path* AddPath(const std::string& name, BlockDevice* disk, unsigned numa_node, AnaState ana);

  /// Writes the subsystem's `iopolicy`, at any time. Throws UserError.
  void SetPolicy(std::string_view name, const std::string& where);
  /// What the controller's ANA log says from now on. (A command that the controller refuses with
  /// an ANA status changes it, too.)
  void SetAna(Path* path, AnaState ana);
  /// What became of the path's controller.
  void SetState(Path* path, PathState state);
  /// The path's driver started `request` / ended it (completion, failure, or taken back).
  void RequestStarted(Path* path, Request* request);
  void RequestEnded(Path* path, Request* request);

  // BlockDevice
  [[nodiscard]] std::uint64_t CapacityBytes() const override;
  void Submit(Bio* bio) override;
  void StartPlug(std::uint16_t cpu) override;
  void FinishPlug(std::uint16_t cpu) override;
  TimePs TakeCpuTime(std::uint16_t cpu) override;

  // For whoever watches.
  [[nodiscard]] const PathList& paths() const { return paths_; }
  [[nodiscard]] const IoPolicy& policy() const { return *policy_; }
  [[nodiscard]] const MultipathStats& stats() const { return stats_; }
  [[nodiscard]] std::uint64_t InFlight() const {
    return stats_.bios_submitted - stats_.bios_completed;
  }
  /// Bios on the requeue list.
  [[nodiscard]] std::size_t requeue_count() const { return requeue_.size(); }
  /// Policy, list and a line per path.
  [[nodiscard]] std::string Describe() const;

 private:
  // A bio on its way: the submitter's callbacks, which the head's own stand in front of.
  struct Journey {
    Bio* bio = nullptr;
    Callback done;
    Callback admitted;
    Path* path = nullptr;
  };

  void Send(std::uint32_t journey);
  void BioDone(std::uint64_t journey);
  void End(std::uint32_t journey);
  void FailEvent(std::uint64_t journey);
  void KickRequeueList();
  void RequeueWork(std::uint64_t unused);

  Clock& clock_;
  const CpuTopology cpus_;
  const MultipathParams params_;
  PathList paths_;
  std::unique_ptr<IoPolicy> policy_;
  std::deque<Journey> journeys_;  // addresses stay
  std::vector<std::uint32_t> free_journeys_;
  std::vector<std::uint32_t> requeue_;
  bool requeue_work_ = false;  // is scheduled
  MultipathStats stats_;
};

/// "optimized", "non-optimized", "inaccessible", "persistent-loss", "change", as sysfs prints them.
[[nodiscard]] const char* AnaStateName(AnaState ana);
/// "live", "connecting", "fail-fast", "gone".
[[nodiscard]] const char* PathStateName(PathState state);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_HEAD_H_
