// SPDX-License-Identifier: Apache-2.0
//
// RqQos: a policy that may hold bios back before they get a request (struct rq_qos_ops of Linux).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_RQ_QOS_H_
#define NVMEARB_HOST_DRIVER_BLOCK_RQ_QOS_H_

#include "host_driver/block/bio.h"
#include "host_driver/block/request.h"

namespace nvmearb::host {

/// What blk-mq does for a policy.
class RqQosHost {
 public:
  virtual ~RqQosHost() = default;
  /// The bio that was held back goes on, now or later, but not within this call.
  virtual void Resume(Bio* bio) = 0;
};

class RqQos {
 public:
  virtual ~RqQos() = default;
  /// Asked once per bio that joins no request. True: it goes on; false: it belongs to the policy
  /// until RqQosHost::Resume().
  virtual bool Throttle(Bio* bio) = 0;
  /// The bio joined a request.
  virtual void Merged(Bio* bio) = 0;
  /// All of the bio is done.
  virtual void Done(const Bio& bio) = 0;
  /// A request ended `age` after it was made.
  virtual void RequestDone(const Request& request, TimePs age) = 0;
  /// A bio had to wait so long for a tag.
  virtual void WaitedForTag(TimePs time) = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_RQ_QOS_H_
