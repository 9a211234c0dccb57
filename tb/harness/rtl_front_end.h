// SPDX-License-Identifier: Apache-2.0
//
// RtlFrontEnd: ssd::FrontEnd over the Verilated nvmearb_top. The one owner of the RTL clock.
//
// Time. Clock edges lie on the grid k * clock_period_ps of the kernel's time. An edge runs in
// Kernel::Phase::kClockEdge, so it samples everything that happened up to and including its own
// time. While the RTL says that it is quiescent and no input waits, edges are skipped: they would
// change nothing. With free_running every edge is run; commands, events and their times are the
// same to the byte.
//
// A call from the sink or the host is an input of the first edge that has not run yet and is not
// earlier than the call. Outputs of an edge (events, commands, reports) are handed on at the time
// of the edge, events first.
//
// MmioRead() has to answer at once. It runs edges ahead of the kernel until the value is there, a
// few clocks; what comes out in these clocks is kept and handed on when the kernel gets to their
// times, and inputs that come meanwhile meet the first edge after them. A read thus costs the host
// no time, orders behind all earlier writes, and means the same in both clock modes.
//
// Configuration requests that still wait when the controller is disabled are answered before
// OnDisable() without reaching the RTL, which has forgotten its queues anyway; slots and
// completions that it has not taken yet are dropped.
//
// Ownership: nothing is owned but the model. Not thread safe. No allocation per command.
#ifndef NVMEARB_TB_HARNESS_RTL_FRONT_END_H_
#define NVMEARB_TB_HARNESS_RTL_FRONT_END_H_

#include <cstdint>
#include <memory>

#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::tb {

struct TraceRequest;

struct RtlOptions {
  ssd::TimePs clock_period_ps = 4000;  ///< 1 or more
  bool free_running = false;           ///< run every edge
  unsigned read_latency_clocks = 100;  ///< AR handshake to first R beat, host memory; 1 or more
  unsigned max_count = 1;              ///< largest count of a grant, 1..8
  /// Tests: each AXI channel that the harness answers stalls in this share of the clocks, 0..99 %,
  /// decided by the edge's number and the seed, so that both clock modes see the same stalls.
  unsigned stall_percent = 0;
  std::uint64_t stall_seed = 1;
  /// Waves, in the one build that can write them (RtlCanTrace()); read by the constructor only.
  const TraceRequest* trace = nullptr;
};

/// What the RTL did, for benchmarks and tests.
struct RtlStatistics {
  std::uint64_t tick_count = 0;     ///< clock edges run
  std::uint64_t wake_count = 0;     ///< times the kernel woke the clock
  std::uint64_t command_count = 0;  ///< SQEs handed to the sink
  std::uint64_t event_count = 0;
};

class RtlFrontEnd : public ssd::FrontEnd {
 public:
  [[nodiscard]] virtual const RtlStatistics& Statistics() const = 0;
  /// True once an assertion of the RTL has failed (Verilator printed which).
  [[nodiscard]] virtual bool AssertionFailed() const = 0;
  /// INTMS/INTMC: vectors that are masked.
  [[nodiscard]] virtual std::uint32_t InterruptMask() const = 0;
  /// Test access: lets one beat of read data come without having been asked for, which violates an
  /// assertion of the RTL.
  virtual void ViolateAssertion() = 0;
};

/// The default build: NVMEARB_SIM_SQS queues, doorbell stride 4, 512-bit data. `kernel` must
/// outlive it and must have been Reset() before.
std::unique_ptr<RtlFrontEnd> MakeRtlFrontEnd(ssd::Kernel* kernel, const RtlOptions& options);

/// Whether the default build that is linked in writes waves.
[[nodiscard]] bool RtlCanTrace();

/// A build with `Sqs` queues; link nvmearb_rtl_<Sqs> (or nvmearb_rtl_<Sqs>_d<Dstrd>_w<DataW>).
template <unsigned Sqs, unsigned Dstrd = 0, unsigned DataW = 512>
std::unique_ptr<RtlFrontEnd> MakeRtlFrontEndOf(ssd::Kernel* kernel, const RtlOptions& options);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_RTL_FRONT_END_H_
