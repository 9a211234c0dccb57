// SPDX-License-Identifier: Apache-2.0
//
// FrontEnd: the part of an NVMe controller that nvmearb_top is: controller properties, doorbells,
// queue state, arbitration and SQE fetch. Two implementations: ModelFrontEnd (pure C++, golden
// arbiter, models/ssd) and RtlFrontEnd (Verilated nvmearb_top, tb/harness).
//
// The rest of the controller (firmware and media) sits behind it as a FrontEndSink. Life of one
// command: MmioWrite(doorbell) -> the front end arbitrates when it holds a slot -> fetches 64 bytes
// through FrontEndDma -> Sink::OnCommand -> firmware/media -> CQE written by the firmware ->
// Complete() (moves the CQ tail) and, when the command slot is free again, GiveSlots(1).
//
// Slots: the front end may have granted at most as many commands as it was given slots for, so a
// decision is made only when it can be taken ("not hoarded"). One slot is kept for SQ 0 in
// WRR. In RR admin is a peer and waits for a slot like everybody.
//
// CQ room: size - 1 at creation, -1 per granted command, +n when a CQ head doorbell frees n
// entries, +1 on Complete(posted = false). An SQ whose CQ has no room is not eligible.
//
// Configuration calls are queued, executed in order, each answered by exactly one OnConfigDone();
// all that are outstanding when the host clears CC.EN are answered before OnDisable(). Legality
// (ids in range, in use, sizes) is checked by the firmware before the call.
#ifndef NVMEARB_MODELS_SSD_FRONT_END_H_
#define NVMEARB_MODELS_SSD_FRONT_END_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "arbiter/types.h"

namespace nvmearb::ssd {

/// Host memory as the front end and the firmware reach it (TLM-2.0 behind it).
class FrontEndDma {
 public:
  virtual ~FrontEndDma() = default;
  [[nodiscard]] virtual bool Read(std::uint64_t address, void* destination, std::size_t bytes) = 0;
  [[nodiscard]] virtual bool Write(std::uint64_t address, const void* source,
                                   std::size_t bytes) = 0;
};

/// One fetched SQE (m_axis_sqe of nvmearb_top).
struct FetchedCommand {
  std::array<std::uint8_t, 64> sqe{};
  std::uint16_t sqid = 0;
  std::uint16_t cqid = 0;
  std::uint16_t sqhd = 0;  ///< fetched head after this command: what its CQE reports as SQHD
  arbiter::SqClass sq_class = arbiter::SqClass::kAdmin;
};

/// Controller properties at the moment of an enable.
struct EnableConfig {
  std::uint32_t cc = 0;
  std::uint32_t aqa = 0;
  std::uint64_t asq = 0;
  std::uint64_t acq = 0;
};

/// Implemented by the firmware. Called at the simulated time of the event.
class FrontEndSink {
 public:
  virtual ~FrontEndSink() = default;
  /// CC.EN went 0 -> 1; admin SQ/CQ exist already. The firmware answers with SetReady(true).
  virtual void OnEnable(const EnableConfig& config) = 0;
  /// CC.EN went 1 -> 0: forget everything. Fetches are drained, no OnCommand follows until the
  /// next OnEnable. The firmware answers with SetReady(false).
  virtual void OnDisable() = 0;
  /// CC.SHN became `shn` (01b normal, 10b abrupt). The firmware answers with SetShutdownStatus().
  virtual void OnShutdown(std::uint8_t shn) = 0;
  virtual void OnConfigDone() = 0;
  virtual void OnCommand(const FetchedCommand& command) = 0;
  /// A refused doorbell; becomes an Error event of AER (info 00h or 01h).
  virtual void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) = 0;
  /// An SQE read ended with a bus error; CSTS.CFS is set.
  virtual void OnFetchError(std::uint16_t sqid) = 0;
};

struct SqConfig {
  std::uint16_t sqid = 0;
  std::uint16_t cqid = 0;
  std::uint32_t size_count = 0;                           ///< entries, 2..65,536
  arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;  ///< from QPRIO; kAdmin for SQ 0
  std::uint64_t base = 0;                                 ///< bus address, page aligned
};

struct CqConfig {
  std::uint16_t cqid = 0;
  std::uint32_t size_count = 0;
};

/// What a build of the front end can do.
struct FrontEndLimits {
  unsigned sq_count = 0;               ///< SQs including SQ 0 (ids 0 .. sq_count-1); as many CQs
  std::uint32_t queue_size_count = 0;  ///< largest queue, entries
  unsigned dstrd = 0;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  /// Must be called once before anything else. `events` may be null. Nothing is owned.
  virtual void Attach(FrontEndSink* sink, FrontEndDma* dma, arbiter::EventSink* events) = 0;
  [[nodiscard]] virtual FrontEndLimits Limits() const = 0;

  /// Straps: what CAP and VS read. CAP.DSTRD must equal Limits().dstrd.
  virtual void SetStraps(std::uint64_t cap, std::uint32_t vs) = 0;

  // Host side; see nvme::DevicePort.
  virtual std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) = 0;
  virtual void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) = 0;

  // Firmware side.
  virtual void CreateCq(const CqConfig& config) = 0;
  virtual void DeleteCq(std::uint16_t cqid) = 0;
  virtual void CreateSq(const SqConfig& config) = 0;
  /// Answered when no grant of this SQ can follow and no fetch of it is outstanding.
  virtual void DeleteSq(std::uint16_t sqid) = 0;
  virtual void SetArbitration(const arbiter::ArbitrationSettings& settings) = 0;
  virtual void GiveSlots(unsigned count) = 0;
  /// A granted command has left: posted = a CQE was written to `cqid`.
  virtual void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) = 0;
  virtual void SetReady(bool ready) = 0;
  virtual void SetFatal() = 0;                            ///< CSTS.CFS
  virtual void SetShutdownStatus(std::uint8_t shst) = 0;  ///< CSTS.SHST, 2 bits

  /// Queues (heads, tails, room) in lines of text, for messages about a simulation that stands
  /// still.
  [[nodiscard]] virtual std::string Describe() const { return {}; }
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FRONT_END_H_
