// SPDX-License-Identifier: Apache-2.0
//
// EventWatch: keeps an Asynchronous Event Request outstanding and tells what it was completed with.
#ifndef NVMEARB_TB_CONFORMANCE_EVENT_WATCH_H_
#define NVMEARB_TB_CONFORMANCE_EVENT_WATCH_H_

#include <cstdint>

#include "conformance/host.h"

namespace nvmearb::conformance {

/// DW0 of the CQE of an Asynchronous Event Request: Error event, log 01h, and the information code
/// "Write to Invalid Doorbell Register" or "Invalid Doorbell Write Value".
inline constexpr std::uint32_t kInvalidRegister = 0x0001'0000, kInvalidValue = 0x0001'0100;
inline constexpr std::uint32_t kNoEvent = 0xffff'ffff;

class EventWatch {
 public:
  explicit EventWatch(Host* host) : host_(host), cid_(host->RequestEvent()) {}

  /// DW0 of the event reported since the last call, or kNoEvent after 20 us. A report is read from
  /// the log, which allows the next one, and a new request is sent.
  std::uint32_t Next() {
    host_->RunUntil([&] { return host_->Find(cid_) != nullptr; }, 20 * kUs);
    const Completion* const report = host_->Find(cid_);
    if (report == nullptr) return kNoEvent;
    const std::uint32_t dw0 = report->cqe.dw0;
    host_->ReadErrorLog();
    cid_ = host_->RequestEvent();
    return dw0;
  }

 private:
  Host* host_;
  std::uint16_t cid_;
};

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_EVENT_WATCH_H_
