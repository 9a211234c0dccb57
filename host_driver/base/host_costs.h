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
  /// Period at which a polled queue with commands in flight is looked at.
  std::uint32_t poll_ns = 500;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_HOST_COSTS_H_
