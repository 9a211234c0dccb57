// SPDX-License-Identifier: Apache-2.0
//
// QueueOps: what a block driver implements for blk-mq (struct blk_mq_ops of Linux).
#ifndef NVMEARB_HOST_DRIVER_BLOCK_QUEUE_OPS_H_
#define NVMEARB_HOST_DRIVER_BLOCK_QUEUE_OPS_H_

#include <cstdint>

#include "host_driver/block/request.h"

namespace nvmearb::host {

enum class QueueStatus : std::uint8_t {
  kOk,    ///< the driver owns the request and will complete it
  kBusy,  ///< BLK_STS_RESOURCE: nothing happened, try again later
  kError  ///< the request cannot be done; request->status says why
};

enum class TimeoutAction : std::uint8_t {
  kDone,       ///< the request was completed or taken away meanwhile
  kResetTimer  ///< give it another timeout
};

/// A driver starts a request with BlkMq::Start() before the device can see it, and ends it with
/// BlkMq::Complete() or BlkMq::Requeue().
class QueueOps {
 public:
  virtual ~QueueOps() = default;

  /// Hands over one request. `last`: no other of this batch follows, so the device must be told;
  /// without it the driver may wait for the next one or for CommitRqs().
  virtual QueueStatus QueueRq(Hctx* hctx, Request* request, bool last) = 0;

  /// Tells the device about requests that were queued with last = false.
  virtual void CommitRqs(Hctx* hctx) = 0;

  /// Takes a whole plug list at once, telling the device once per run of the same hctx; leaves in
  /// `list` what it could not take. Called only if HasQueueRqs().
  virtual void QueueRqs(RequestList* list) = 0;
  [[nodiscard]] virtual bool HasQueueRqs() const = 0;

  /// Whether the driver could take another request now (a SCSI device's queue depth). Asked before
  /// a request is taken from the scheduler and before QueueRq(); given back by PutBudget() when the
  /// request does not get that far, by the driver itself otherwise. NVMe has none beyond its tags.
  virtual bool GetBudget(Hctx* hctx) {
    (void)hctx;
    return true;
  }
  virtual void PutBudget(Hctx* hctx) { (void)hctx; }

  /// `request` has been started for longer than the timeout.
  virtual TimeoutAction Timeout(Request* request) = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_QUEUE_OPS_H_
