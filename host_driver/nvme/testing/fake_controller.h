// SPDX-License-Identifier: Apache-2.0
//
// FakeController: a small scripted NVMe controller for the driver's unit tests.
#ifndef NVMEARB_HOST_DRIVER_NVME_TESTING_FAKE_CONTROLLER_H_
#define NVMEARB_HOST_DRIVER_NVME_TESTING_FAKE_CONTROLLER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "nvme/admin_commands.h"
#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/io_commands.h"
#include "nvme/registers.h"
#include "nvme/sqe.h"
#include "nvme/status.h"

namespace nvmearb::host {

struct FakeConfig {
  std::uint64_t cap = 0x2078030fff;  ///< the P4510's
  std::uint32_t version = 0x10200;
  TimePs ready_delay = 3 * kMs;  ///< from CC.EN to CSTS.RDY, both ways
  bool never_ready = false;
  unsigned granted_queues = 127;  ///< Set Features 07h
  unsigned creatable_sqs = 1024;  ///< Create I/O SQ fails for a higher id
  unsigned creatable_cqs = 1024;
  TimePs admin_latency = 10 * kUs;
  TimePs io_latency = 80 * kUs;
  std::uint8_t mdts = 5;  ///< 128 KiB
  std::uint8_t lbads = 9;
  std::uint16_t noiob = 0;
  std::uint8_t vwc = 0;
  std::uint8_t acl = 3;
  std::uint32_t nn = 1;
  std::uint64_t blocks = 3907029168;  ///< 2 TB
  bool strict = true;  ///< record commands and check PRPs; off for speed measurements
};

/// Honours properties, doorbells, rings, phase and interrupts. Fetches every SQE at its doorbell,
/// in the doorbell's order; completes an I/O after a fixed time unless told to hold. Whatever a
/// host must not do is written to errors(), which every test expects to be empty.
class FakeController : public nvme::DevicePort {
 public:
  struct IoCommand {
    std::uint16_t sqid;
    nvme::Sqe sqe;
    TimePs when;
    std::vector<std::uint64_t> pages;  ///< data pages its PRPs name
  };
  struct DoorbellWrite {
    bool is_cq;
    std::uint16_t qid;
    std::uint32_t value;
    TimePs when;
  };
  struct Cq {
    std::uint64_t base = 0;
    std::uint32_t size = 0;
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    bool phase = true;
    bool interrupts = false;
    std::uint16_t vector = 0;
  };
  struct Sq {
    std::uint64_t base = 0;
    std::uint32_t size = 0;
    std::uint32_t head = 0;
    std::uint16_t cqid = 0;
    std::uint8_t qprio = 0;
    std::set<std::uint16_t> outstanding;
  };

  FakeController(Clock& clock, const FakeConfig& config) : clock_(clock), config_(config) {}

  // nvme::DevicePort
  void AttachHost(nvme::HostPort* host) override { host_ = host; }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override;
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;

  // The script.
  FakeConfig& config() { return config_; }
  /// While true, I/O commands are kept and not completed.
  void Hold(bool hold) { hold_ = hold; }
  /// Completes held command number `index` (in order of arrival) now.
  void CompleteHeld(std::size_t index, nvme::Status status = nvme::Status::kSuccess,
                    bool dnr = true);
  void CompleteAllHeld();
  [[nodiscard]] std::size_t held() const { return held_.size(); }
  /// Status of the I/O commands that arrive from now on.
  void FailIo(nvme::Status status, bool dnr) {
    io_status_ = status;
    io_dnr_ = dnr;
  }
  /// Status of admin commands with this opcode from now on.
  void FailAdmin(nvme::AdminOpcode opcode, nvme::Status status) { admin_status_[opcode] = status; }
  /// Admin commands with this opcode are never answered.
  void IgnoreAdmin(nvme::AdminOpcode opcode) { ignored_.insert(opcode); }
  /// An interrupt in every `n` is lost; 0 = none.
  void LoseInterrupts(bool lose) { lose_interrupts_ = lose; }
  void SetFatal() { csts_ |= 2u; }
  /// A refused doorbell; answers the AER or is kept for the next one.
  void RaiseDoorbellError(std::uint8_t info);
  /// Posts a CQE that answers no command.
  void PostStray(std::uint16_t sqid, std::uint16_t cid) {
    Post(sqid, cid, nvme::Status::kSuccess, true, 0);
  }

  // What happened.
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<IoCommand>& io() const { return io_; }
  [[nodiscard]] const std::vector<DoorbellWrite>& doorbells() const { return doorbells_; }
  [[nodiscard]] const std::vector<nvme::Sqe>& admin() const { return admin_; }
  [[nodiscard]] const std::map<unsigned, Sq>& sqs() const { return sqs_; }
  [[nodiscard]] const std::map<unsigned, Cq>& cqs() const { return cqs_; }
  [[nodiscard]] std::uint64_t io_count() const { return io_count_; }
  [[nodiscard]] std::uint32_t arbitration() const { return arbitration_; }
  void ForgetHistory() {
    io_.clear();
    doorbells_.clear();
    admin_.clear();
  }

 private:
  struct Held {
    std::uint16_t sqid;
    std::uint16_t cid;
  };
  void WriteCc(std::uint32_t value);
  void ReadyEvent(std::uint64_t generation);
  void Doorbell(const nvme::Doorbell& doorbell, std::uint32_t value);
  void Fetch(std::uint16_t sqid, std::uint32_t tail);
  void Admin(const nvme::Sqe& sqe);
  nvme::Status Execute(const nvme::Sqe& sqe, std::uint32_t* dw0, bool* answer);
  nvme::Status Identify(const nvme::Identify& command);
  void Io(std::uint16_t sqid, const nvme::Sqe& sqe);
  void IoEvent(std::uint64_t packed);
  void AdminEvent(std::uint64_t packed);
  void Post(std::uint16_t sqid, std::uint16_t cid, nvme::Status status, bool dnr,
            std::uint32_t dw0);
  void ReadPages(const nvme::ReadWrite& command, std::vector<std::uint64_t>* pages);
  void AnswerAer();
  void Error(std::string text) { errors_.push_back(std::move(text)); }

  Clock& clock_;
  FakeConfig config_;
  nvme::HostPort* host_ = nullptr;
  std::uint32_t cc_ = 0;
  std::uint32_t csts_ = 0;
  std::uint32_t aqa_ = 0;
  std::uint64_t asq_ = 0;
  std::uint64_t acq_ = 0;
  std::uint64_t generation_ = 0;  // of enables and disables
  std::map<unsigned, Sq> sqs_;
  std::map<unsigned, Cq> cqs_;
  std::vector<Sq*> sq_by_id_;
  std::vector<Cq*> cq_by_id_;
  std::vector<Held> held_;
  bool hold_ = false;
  bool lose_interrupts_ = false;
  nvme::Status io_status_ = nvme::Status::kSuccess;
  bool io_dnr_ = true;
  std::map<nvme::AdminOpcode, nvme::Status> admin_status_;
  std::set<nvme::AdminOpcode> ignored_;
  std::uint32_t arbitration_ = 0;
  bool aer_outstanding_ = false;
  std::uint16_t aer_cid_ = 0;
  bool event_masked_ = false;
  std::vector<std::uint32_t> events_;
  std::vector<std::string> errors_;
  std::vector<IoCommand> io_;
  std::vector<DoorbellWrite> doorbells_;
  std::vector<nvme::Sqe> admin_;
  std::uint64_t io_count_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_TESTING_FAKE_CONTROLLER_H_
