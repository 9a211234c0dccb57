// SPDX-License-Identifier: Apache-2.0
//
// ControllerPath: tells the head what its controller says: lost, back, given up, and every
// request's start and end. Keeps the time after which I/O no longer waits for a controller
// (fast_io_fail_tmo).
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_CONTROLLER_PATH_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_CONTROLLER_PATH_H_

#include <cstdint>

#include "host_driver/base/clock.h"
#include "host_driver/multipath/head.h"
#include "host_driver/nvme/controller_watcher.h"

namespace nvmearb::host {

/// Nothing is owned. Set as the controller's watcher before its Probe(); Attach() once the
/// controller is live and the head has the path.
class ControllerPath final : public ControllerWatcher {
 public:
  /// `fast_io_fail_tmo`: 0 = I/O waits for as long as the driver tries to connect.
  ControllerPath(Clock& clock, TimePs fast_io_fail_tmo)
      : clock_(clock), fast_io_fail_tmo_(fast_io_fail_tmo) {}
  void Attach(MultipathHead* head, Path* path) {
    head_ = head;
    path_ = path;
  }
  [[nodiscard]] Path* path() const { return path_; }

  void OnLive() override {
    ++epoch_;
    if (head_ != nullptr) head_->SetState(path_, PathState::kLive);
  }
  void OnLost() override {
    ++epoch_;
    if (head_ == nullptr) return;
    head_->SetState(path_, PathState::kConnecting);
    if (fast_io_fail_tmo_ == 0) return;
    clock_.At(clock_.Now() + fast_io_fail_tmo_, Bind<&ControllerPath::FailFastEvent>(this, epoch_));
  }
  void OnGone() override {
    ++epoch_;
    if (head_ != nullptr) head_->SetState(path_, PathState::kGone);
  }
  void OnRequestStarted(Request* request) override {
    if (head_ != nullptr) head_->RequestStarted(path_, request);
  }
  void OnRequestEnded(Request* request) override {
    if (head_ != nullptr) head_->RequestEnded(path_, request);
  }

 private:
  void FailFastEvent(std::uint64_t epoch) {
    if (epoch == epoch_) head_->SetState(path_, PathState::kFailFast);
  }

  Clock& clock_;
  TimePs fast_io_fail_tmo_;
  MultipathHead* head_ = nullptr;
  Path* path_ = nullptr;
  std::uint64_t epoch_ = 0;  // of the controller's state
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_CONTROLLER_PATH_H_
