// SPDX-License-Identifier: Apache-2.0
//
// EventReporter: Asynchronous Event Requests, error events and the error log (Base 2.1
// sections 5.1.2, 5.1.12.1.2).
//
//  1. A refused doorbell is an Error event (info 00h or 01h) and an entry of log 01h.
//  2. With a request outstanding it completes at once; else one event per info code is kept for the
//  next
//     request.
//  3. Once an Error event was reported, further ones wait (masked) until the host reads log 01h
//  with
//     Retain Asynchronous Event = 0. That read also drops the events kept.
//  4. A Controller Reset drops requests and events without a completion. The log's count goes on.
#ifndef NVMEARB_MODELS_SSD_EVENTS_H_
#define NVMEARB_MODELS_SSD_EVENTS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter/types.h"
#include "nvme/log_pages.h"
#include "nvme/status.h"

namespace nvmearb::ssd {

/// Posts the CQE of an admin command.
class AdminCompleter {
 public:
  virtual ~AdminCompleter() = default;
  virtual void CompleteAdmin(std::uint16_t cid, nvme::Status status, std::uint32_t dw0) = 0;
};

class EventReporter {
 public:
  /// `aerl_zb`: outstanding requests - 1; `elpe_zb`: log entries - 1. `completer` is not owned.
  EventReporter(std::uint8_t aerl_zb, std::uint8_t elpe_zb, AdminCompleter* completer);

  void Reset();

  /// An Asynchronous Event Request; answered now, later, or with kAerLimitExceeded.
  void OnRequest(std::uint16_t cid);
  /// Completes an outstanding request with kAbortRequested; false when there is none of that id.
  [[nodiscard]] bool AbortRequest(std::uint16_t cid);

  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid);
  /// The host has read log 01h with RAE = 0.
  void OnErrorLogRead();

  /// Entry `age` of log 01h, 0 = newest; error_count 0 where there is none.
  [[nodiscard]] nvme::ErrorLogEntry LogEntry(std::size_t age) const;
  [[nodiscard]] std::size_t log_entry_count() const { return log_.size(); }
  [[nodiscard]] std::uint64_t error_count() const { return error_count_; }
  [[nodiscard]] std::size_t outstanding_count() const { return requests_.size(); }

 private:
  static constexpr std::size_t kInfoCount = 2;

  void Report();

  std::size_t request_limit_;
  AdminCompleter* completer_;
  std::vector<std::uint16_t> requests_;  // command ids, oldest first
  std::vector<nvme::ErrorLogEntry> log_;
  std::uint64_t error_count_ = 0;
  std::array<bool, kInfoCount> pending_{};
  bool masked_ = false;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_EVENTS_H_
