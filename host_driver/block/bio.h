// SPDX-License-Identifier: Apache-2.0
//
// Bio and BlockDevice: the seam between the workload (who asks for I/O) and the block layer
// (blk-mq, schedulers, drivers). Linux's words: bio, plug, ioprio.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_BIO_H_
#define NVMEARB_HOST_DRIVER_BLOCK_BIO_H_

#include <cstdint>

#include "host_driver/base/clock.h"

namespace nvmearb::host {

class Cgroup;  // host_driver/cgroup/cgroup.h

enum class BioOp : std::uint8_t { kRead, kWrite, kFlush, kDiscard };

/// IOPRIO_CLASS_* of Linux.
enum class IoprioClass : std::uint8_t { kNone = 0, kRealtime = 1, kBestEffort = 2, kIdle = 3 };

inline constexpr int kIoprioClassCount = 4;

/// One I/O as the file system or a direct-I/O reader sends it. Owned by the submitter, which keeps
/// it alive until `done` is called; the block layer neither copies nor frees it.
struct Bio {
  BioOp op = BioOp::kRead;
  IoprioClass ioprio_class = IoprioClass::kNone;
  std::uint8_t ioprio_level = 4;  ///< 0 highest .. 7
  bool sync = false;              ///< REQ_SYNC (reads count as sync anyway)
  bool polled = false;            ///< REQ_POLLED / hipri
  std::uint16_t cpu = 0;          ///< submitting CPU
  std::uint32_t task = 0;         ///< submitting process (its io_context)
  std::uint32_t bytes = 0;        ///< multiple of 512; 0 for a flush
  std::uint64_t offset = 0;       ///< bytes from the start of the device, multiple of 512
  Cgroup* cgroup = nullptr;       ///< never null once submitted; the root cgroup by default

  /// Called once, at the time the completion reached the submitter's CPU.
  Callback done;
  /// Called when the submitting task, which slept within Submit(), goes on (see `waits`). May stay
  /// empty: then nobody cares.
  Callback admitted;
  /// Set by Submit() when the task sleeps in there: no tag, or it is held back. A task does nothing
  /// else meanwhile. False again before `admitted` is called.
  bool waits = false;
  std::uint16_t status = 0;   ///< NVMe status field (SCT << 8 | SC), 0 = success; set before `done`
  TimePs issue_time = 0;      ///< set by the block layer at Submit()
  Bio* next = nullptr;        ///< free for the current owner's list
  double qos_charge = 0;      ///< of the policy that may hold it back (rq_qos.h)
  std::uint32_t pending = 0;  ///< block layer: requests this bio was split into, still open
};

class BlockDevice {
 public:
  virtual ~BlockDevice() = default;
  [[nodiscard]] virtual std::uint64_t CapacityBytes() const = 0;
  /// Takes the bio; always ends in exactly one `done`, never from within Submit().
  virtual void Submit(Bio* bio) = 0;
  /// blk_start_plug / blk_finish_plug around a batch of Submit() calls of one task. A plug is its
  /// task's: one that sleeps (Bio::waits) finishes it, and starts it again when it goes on, for
  /// other tasks use the CPU meanwhile.
  virtual void StartPlug(std::uint16_t cpu) = 0;
  virtual void FinishPlug(std::uint16_t cpu) = 0;
  /// CPU time that the block layer has used on `cpu` since the last call: for this task's
  /// submissions, and in interrupts and workers. The task on that CPU loses it.
  virtual TimePs TakeCpuTime(std::uint16_t cpu) {
    (void)cpu;
    return 0;
  }
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_BIO_H_
