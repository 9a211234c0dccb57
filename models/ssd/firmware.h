// SPDX-License-Identifier: Apache-2.0
//
// Firmware: the controller behind the front end. Receives what the front end tells (enable, reset,
// shutdown, fetched commands, refused doorbells) and passes it to the parts: AdminExecutor for SQ
// 0, the checks below and FetchWindow and Media for I/O, CompletionWriter for every CQE.
//
// Enable: features take their defaults, the arbiter is programmed, the first slots are given, and
// `ready_ps` later CSTS.RDY is set; a page size or command set in CC that CAP does not offer is
// CSTS.CFS. Shutdown: CSTS.SHST is "occurring" until no I/O command is in the device, then
// "complete".
//
// Owns its parts. Not thread safe. Time base: Kernel.
#ifndef NVMEARB_MODELS_SSD_FIRMWARE_H_
#define NVMEARB_MODELS_SSD_FIRMWARE_H_

#include <cstdint>
#include <string>

#include "nvme/sqe.h"
#include "ssd/admin.h"
#include "ssd/completion_writer.h"
#include "ssd/fetch_window.h"
#include "ssd/front_end.h"
#include "ssd/io_command.h"
#include "ssd/kernel.h"
#include "ssd/media.h"
#include "ssd/queue_table.h"
#include "ssd/ssd_params.h"
#include "ssd/statistics.h"

namespace nvmearb::ssd {

class Firmware : public FrontEndSink, public IoCompletionSink {
 public:
  /// Nothing is owned; `front_end` must not call before the constructor has returned. `flash`: that
  /// of a drive with several controllers; null: its own.
  Firmware(Kernel* kernel, const SsdParams& params, FrontEnd* front_end, FrontEndDma* dma,
           InterruptSink* interrupts, Flash* flash = nullptr);

  void OnEnable(const EnableConfig& config) override;
  void OnDisable() override;
  void OnShutdown(std::uint8_t shn) override;
  void OnConfigDone() override;
  void OnCommand(const FetchedCommand& command) override;
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override;
  void OnFetchError(std::uint16_t sqid) override;

  void OnIoComplete(std::uint32_t command) override;

  /// Counters up to Now().
  [[nodiscard]] const Statistics& UpdatedStatistics();
  /// Queues, window and media in a few lines, for messages about a simulation that stands still.
  [[nodiscard]] std::string Describe() const;

  [[nodiscard]] const AdminExecutor& admin() const { return admin_; }
  [[nodiscard]] const QueueTable& queues() const { return queues_; }
  [[nodiscard]] std::uint64_t fetch_error_count() const { return fetch_error_count_; }

 private:
  void SetReady(std::uint64_t epoch);
  [[nodiscard]] nvme::Status CheckIo(const nvme::Sqe& sqe, IoCommand* io) const;
  [[nodiscard]] nvme::Status CheckTrim(const nvme::Sqe& sqe) const;
  void OnIoCommand(const FetchedCommand& command);
  void ContinueShutdown();

  Kernel* kernel_;
  FrontEndDma* dma_;
  SsdParams params_;
  FrontEnd* front_end_;
  nvme::Cap cap_;
  Statistics statistics_;
  QueueTable queues_;
  CompletionWriter completions_;
  IoCommandPool pool_;
  FetchWindow window_;
  Media media_;
  AdminExecutor admin_;
  std::uint64_t fetch_error_count_ = 0;
  std::uint32_t epoch_ = 0;
  bool enabling_ = false;  // waits for the arbiter's acknowledge
  bool shutting_down_ = false;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FIRMWARE_H_
