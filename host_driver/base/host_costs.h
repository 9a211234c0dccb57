// SPDX-License-Identifier: Apache-2.0
//
// HostCosts: what the host's own work takes, in nanoseconds of simulated time.
#ifndef NVMEARB_HOST_DRIVER_BASE_HOST_COSTS_H_
#define NVMEARB_HOST_DRIVER_BASE_HOST_COSTS_H_

#include <cstdint>

namespace nvmearb::host {

/// With the workload's 1,500 ns of its task's time for each of submission and reaping
/// (workload/runner.h), the defaults are the 5 us host turn-around of the P4510 model.
struct HostCosts {
  /// From Submit() to the doorbell; the submissions of one CPU queue up behind each other. 0: the
  /// submitter accounts for that time itself before it calls Submit(), which then issues at once.
  std::uint32_t submit_ns = 0;
  /// From the interrupt message to the first instruction of the handler.
  std::uint32_t irq_latency_ns = 1000;
  /// From there to the submitter's wake-up. One amount per interrupt, not per CQE.
  std::uint32_t completion_ns = 1000;
  /// Added when the interrupt's CPU and the submitter's do not share a last-level cache.
  std::uint32_t ipi_ns = 500;
  /// CPU time of the submitter for each request that is made; a bio that joins one does not pay it.
  std::uint32_t request_ns = 0;
  /// CPU time of an interrupt for each request that ends. Serial per CPU; the request is done, and
  /// its tag free, behind it. The task on that CPU loses the time.
  std::uint32_t request_end_ns = 0;
  /// A scheduler's critical sections: per request inserted, per call for the next request, per
  /// completion. Serial over the whole disk where the scheduler has one lock: whoever finds it
  /// taken spins.
  std::uint32_t sched_insert_ns = 0;
  std::uint32_t sched_dispatch_ns = 0;
  std::uint32_t sched_end_ns = 0;
  /// rq_affinity of the queue: 1 = a request ends on the interrupt's CPU if that shares a cache
  /// with the submitter's, 2 = on the submitter's CPU.
  std::uint32_t rq_affinity = 1;
  /// Period at which a polled queue with commands in flight is looked at.
  std::uint32_t poll_ns = 500;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_HOST_COSTS_H_
