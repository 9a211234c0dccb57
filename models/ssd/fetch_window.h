// SPDX-License-Identifier: Apache-2.0
//
// FetchWindow: admission of I/O commands to the media, and with it the supply of command slots
// to the arbiter. This is where a weighted arbiter gets its leverage: nothing else limits what
// enters the device.
//
//  1. At most `window_slots` I/O commands are between fetch and completion.
//  2. One dispatcher passes fetched commands to the media in order of arrival, at most one per
//     `fetch_spacing_ps`.
//  3. A write that finds the write buffer full stops the dispatcher until there is room, and so
//     everything behind it (head-of-line blocking).
//     The same for a write that makes the drive tidy up before it (random_write_share): one that
//     begins before the end of the last write of its queue or more than 64 KiB behind it may.
//  4. The arbiter holds one I/O slot at a time: the next one is given when a command has been
//     dispatched and the window has room. So while one command waits for its turn, at most one
//     decision is made ahead. In WRR one more slot, given at the enable, is for SQ 0; an admin
//     command returns its slot at once (in RR it takes and returns the one slot).
//
// Not thread safe; no allocation per command.
#ifndef NVMEARB_MODELS_SSD_FETCH_WINDOW_H_
#define NVMEARB_MODELS_SSD_FETCH_WINDOW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "nvme/base/random.h"
#include "ssd/front_end.h"
#include "ssd/io_command.h"
#include "ssd/kernel.h"
#include "ssd/media.h"
#include "ssd/ssd_params.h"
#include "ssd/statistics.h"

namespace nvmearb::ssd {

/// Receives every I/O command once, when it is ready for its CQE.
class IoCompletionSink {
 public:
  virtual ~IoCompletionSink() = default;
  /// IoCommand::status is final. The sink frees the command.
  virtual void OnIoComplete(std::uint32_t command) = 0;
};

class FetchWindow : public MediaSink {
 public:
  /// Nothing is owned. `media` is attached with Attach(), because the two know each other.
  FetchWindow(Kernel* kernel, const SsdParams& params, FrontEnd* front_end, IoCommandPool* pool,
              IoCompletionSink* sink, Statistics* statistics);
  void Attach(Media* media) { media_ = media; }

  /// The controller was enabled: gives the first slots, in WRR one of them for SQ 0.
  void Start(bool weighted_round_robin);
  /// The controller was reset: forgets everything.
  void Stop();

  /// A command arrived from the arbiter; it took the I/O slot.
  void Enqueue(std::uint32_t command);

  /// Takes a command out that has not been dispatched yet, and completes it with `status`. False
  /// when there is no such command.
  [[nodiscard]] bool AbortWaiting(std::uint16_t sqid, std::uint16_t cid, nvme::Status status);

  void OnMediaDone(std::uint32_t command) override { Complete(command); }
  void OnBufferSpace() override;

  /// Commands in the window.
  [[nodiscard]] std::uint32_t window_count() const { return window_count_; }
  [[nodiscard]] std::string Describe() const;
  /// Brings the time integrals of the statistics up to Now().
  void UpdateStatistics();

 private:
  void Dispatch();
  void DispatchTimer(std::uint64_t epoch);
  void FlushDone(std::uint64_t tag);
  [[nodiscard]] bool TryDispatch(std::uint32_t command);
  [[nodiscard]] TimePs TidyTime(const IoCommand& io);
  void GiveSlot();
  void Complete(std::uint32_t command);
  void SetWindowCount(std::uint32_t count);

  Kernel* kernel_;
  std::uint32_t slots_;
  TimePs spacing_ps_;
  TimePs flush_ps_;
  TimePs trim_ps_;
  FrontEnd* front_end_;
  IoCommandPool* pool_;
  IoCompletionSink* sink_;
  Statistics* statistics_;
  Media* media_ = nullptr;

  const double tidy_share_;
  const TimePs tidy_ps_;
  base::Random tidy_random_;
  const unsigned lba_shift_;
  std::vector<std::uint64_t> write_end_;  // by SQ: bytes on the drive, of its last write
  bool tidied_ = false;                   // for the write at the front

  IoCommandList waiting_;
  TimePs next_dispatch_ps_ = 0;
  TimePs stalled_since_ps_ = 0;
  TimePs window_since_ps_ = 0;
  std::uint32_t window_count_ = 0;
  std::uint32_t epoch_ = 0;
  bool running_ = false;
  bool io_slot_out_ = false;  // the arbiter holds the I/O slot
  bool timer_waiting_ = false;
  bool stalled_ = false;  // the front of waiting_ found the buffer full
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FETCH_WINDOW_H_
