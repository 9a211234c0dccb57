// SPDX-License-Identifier: Apache-2.0
//
// How many queues of which class a controller gets: the arithmetic of nvme_setup_io_queues() with
// the WRR series (v4/v5), as pure functions. host_algorithms 1.5 and 1.7.
#ifndef NVMEARB_HOST_DRIVER_NVME_QUEUE_PLAN_H_
#define NVMEARB_HOST_DRIVER_NVME_QUEUE_PLAN_H_

#include <cstdint>
#include <string>

#include "host_driver/block/hctx_type.h"
#include "host_driver/nvme/params.h"

namespace nvmearb::host {

struct QueuePlan {
  PerHctxType<std::uint16_t>
      count{};              ///< queues per class; ids are handed out in this order from 1
  unsigned vectors = 1;     ///< interrupt vectors in use, the admin queue's included
  unsigned irq_queues = 0;  ///< I/O queues with an interrupt

  /// I/O queues in all = highest queue id.
  [[nodiscard]] unsigned Total() const;
  [[nodiscard]] unsigned WrrTotal() const;
  /// Class of queue `qid`, 1..Total().
  [[nodiscard]] HctxType TypeOfQueue(unsigned qid) const;
  /// Interrupt vector of queue `qid`; meaningless for a polled one.
  [[nodiscard]] std::uint16_t VectorOf(unsigned qid) const {
    return static_cast<std::uint16_t>(vectors == 1 ? 0 : qid);
  }
  /// The driver's log line: "24/0/0/24/24/24/0 default/read/poll/low/medium/high/urgent queues".
  [[nodiscard]] std::string Summary() const;
};

/// I/O queues to ask the controller for: CPUs + read + poll. WRR queues come out of the CPU count.
[[nodiscard]] unsigned QueuesToAskFor(const NvmeParams& params, unsigned cpu_count);

/// What Set Features 07h granted, cut to what was asked for and to what the doorbell BAR holds.
/// `granted_sq`, `granted_cq`: counts; `dstrd` = CAP.DSTRD.
[[nodiscard]] unsigned QueuesGranted(const NvmeParams& params, unsigned asked, unsigned granted_sq,
                                     unsigned granted_cq, unsigned dstrd);

/// Splits `nr_io` >= 1 I/O queues into classes, in the order read, low, medium, high, urgent;
/// DEFAULT gets one first and the rest at the end. `params` holds the counts in force (zero WRR
/// without WRR).
[[nodiscard]] QueuePlan PlanQueues(const NvmeParams& params, unsigned nr_io);

/// QPRIO of Create I/O SQ (0 urgent, 1 high, 2 medium, 3 low) for a queue of this class.
[[nodiscard]] std::uint8_t QprioOf(const NvmeParams& params, const QueuePlan& plan,
                                   bool wrr_enabled, HctxType type);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_QUEUE_PLAN_H_
