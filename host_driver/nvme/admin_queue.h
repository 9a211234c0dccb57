// SPDX-License-Identifier: Apache-2.0
//
// AdminQueue: queue pair 0 and the admin commands on it.
#ifndef NVMEARB_HOST_DRIVER_NVME_ADMIN_QUEUE_H_
#define NVMEARB_HOST_DRIVER_NVME_ADMIN_QUEUE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/nvme/nvme_queue.h"
#include "nvme/cqe.h"
#include "nvme/sqe.h"

namespace nvmearb::host {

/// Called with the completion of an admin command; trivially copyable, no allocation.
struct AdminHandler {
  void (*function)(void* context, std::uint64_t argument, const nvme::Cqe& cqe) = nullptr;
  void* context = nullptr;
  std::uint64_t argument = 0;
};

/// Makes an AdminHandler that calls `(object->*Method)(argument, cqe)`.
template <auto Method, typename T>
AdminHandler BindAdmin(T* object, std::uint64_t argument = 0) {
  return {[](void* context, std::uint64_t value, const nvme::Cqe& cqe) {
            (static_cast<T*>(context)->*Method)(value, cqe);
          },
          object, argument};
}

/// 32 entries (AQA 1F001Fh): 30 tags, command id 30 for the Asynchronous Event Request, and the gap
/// of a full ring. Commands beyond 30 wait in order. A command that is not answered within the
/// admin timeout is reported once through `on_timeout`; it stays outstanding until Reset().
class AdminQueue {
 public:
  static constexpr std::uint32_t kDepth = 32;
  static constexpr std::uint16_t kTagCount = 30;
  static constexpr std::uint16_t kAerCid = 30;
  /// Status of commands that a reset ended: Host Aborted Command (SCT 3h, SC 71h).
  static constexpr std::uint16_t kHostAborted = 0x371;

  AdminQueue(Clock& clock, HostMemory& memory, nvme::DevicePort& device, unsigned dstrd,
             TimePs timeout, Callback on_timeout);

  /// Sends `sqe` with a command id of its own, or queues it. `handler` is called exactly once.
  void Submit(const nvme::Sqe& sqe, AdminHandler handler);
  /// Sends the Asynchronous Event Request; at most one is outstanding.
  void SubmitAer(AdminHandler handler);
  /// Handles what the controller has completed.
  void Process();

  /// Every outstanding or waiting command ends with kHostAborted, the Asynchronous Event Request
  /// silently. Its answer, if it still comes, counts as an invalid command id.
  void EndAll();
  /// The controller was disabled: EndAll(), and the rings start anew.
  void Reset();

  [[nodiscard]] NvmeQueue& queue() { return queue_; }
  [[nodiscard]] const NvmeQueue& queue() const { return queue_; }
  [[nodiscard]] unsigned outstanding() const { return outstanding_; }
  [[nodiscard]] bool aer_outstanding() const { return aer_outstanding_; }
  /// CQEs with a command id that was not in use.
  [[nodiscard]] std::uint64_t invalid_cids() const { return invalid_cids_; }

 private:
  struct Tag {
    AdminHandler handler;
    TimePs deadline = 0;
    bool used = false;
    bool reported = false;
  };
  struct Waiting {
    nvme::Sqe sqe;
    AdminHandler handler;
  };
  void Send(const nvme::Sqe& sqe, std::uint16_t cid);
  void HandleCqe(const nvme::Cqe& cqe);
  void ArmTimer(TimePs when);
  void TimerEvent(std::uint64_t unused);

  Clock& clock_;
  NvmeQueue queue_;
  TimePs timeout_;
  Callback on_timeout_;
  std::array<Tag, kTagCount> tags_{};
  AdminHandler aer_handler_;
  bool aer_outstanding_ = false;
  unsigned outstanding_ = 0;
  std::vector<Waiting> waiting_;
  bool timer_armed_ = false;
  std::uint64_t invalid_cids_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_ADMIN_QUEUE_H_
