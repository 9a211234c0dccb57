// SPDX-License-Identifier: Apache-2.0
//
// ControllerWatcher: who wants to know what becomes of a controller and its requests: the multipath
// layer.
#ifndef NVMEARB_HOST_DRIVER_NVME_CONTROLLER_WATCHER_H_
#define NVMEARB_HOST_DRIVER_NVME_CONTROLLER_WATCHER_H_

#include "host_driver/block/request.h"

namespace nvmearb::host {

class ControllerWatcher {
 public:
  virtual ~ControllerWatcher() = default;
  /// The controller is live (again).
  virtual void OnLive() = 0;
  /// It is not, but may come back. Called before any of its requests ends for that reason.
  virtual void OnLost() = 0;
  /// It never will. Called before any of its requests ends for that reason.
  virtual void OnGone() = 0;
  /// Called when the driver hands `request` to the device.
  virtual void OnRequestStarted(Request* request) = 0;
  /// Called once for every request started: it was answered, or taken back.
  virtual void OnRequestEnded(Request* request) = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_CONTROLLER_WATCHER_H_
