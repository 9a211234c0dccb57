// SPDX-License-Identifier: Apache-2.0
//
// NvmePci: the nvme-pci driver of one controller, with the WRR series on top.
//
// Reading order: params.h and queue_plan.h (what is asked for), nvme_queue.h and admin_queue.h
// (the rings), prp.h (data), then pci_probe.cc (bring-up), pci_io.cc (the I/O path), pci_error.cc
// (events, timeouts, resets), pci_fabrics.cc (a controller behind a link: lost and connected again)
// and pci_report.cc (registers, queues).
#ifndef NVMEARB_HOST_DRIVER_NVME_PCI_H_
#define NVMEARB_HOST_DRIVER_NVME_PCI_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_costs.h"
#include "host_driver/base/host_memory.h"
#include "host_driver/block/blk_mq.h"
#include "host_driver/block/queue_ops.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/nvme/admin_queue.h"
#include "host_driver/nvme/controller_watcher.h"
#include "host_driver/nvme/nvme_queue.h"
#include "host_driver/nvme/params.h"
#include "host_driver/nvme/prp.h"
#include "host_driver/nvme/queue_plan.h"
#include "nvme/device_port.h"
#include "nvme/identify.h"
#include "nvme/registers.h"

namespace nvmearb::host {

/// What the controller said of itself.
struct NvmeIdentity {
  nvme::Cap cap;
  std::uint64_t cap_raw = 0;
  std::uint32_t version = 0;
  std::string model;
  std::string serial;
  std::string firmware;
  std::uint64_t blocks = 0;
  std::uint32_t block_bytes = 512;
};

/// One controller property as read through MMIO; names as nvme-cli's show-regs prints them.
struct RegisterValue {
  const char* name;
  std::uint32_t offset;
  unsigned bytes;
  std::uint64_t value;
};

struct NvmeStats {
  std::uint64_t submitted = 0;         ///< I/O commands handed to the device
  std::uint64_t completed = 0;         ///< ... answered, whatever the status
  std::uint64_t cancelled = 0;         ///< ... taken back by a reset, unanswered
  std::uint64_t failed = 0;            ///< ... answered with a status other than success
  std::uint64_t interrupts = 0;        ///< messages received
  std::uint64_t interrupt_runs = 0;    ///< handler runs
  std::uint64_t empty_interrupts = 0;  ///< ... that found nothing
  std::uint64_t invalid_cids = 0;      ///< CQEs of commands that were not outstanding
  std::uint64_t aborts = 0;
  std::uint64_t resets = 0;
  std::uint64_t async_events = 0;
  std::uint64_t doorbell_events = 0;  ///< async events that report a refused doorbell
};

/// Driver of the controller behind `device`. Holds the host's side of the door: DMA goes to
/// `memory`, Interrupt() runs the handler of a vector after the host's latency.
///
/// All arguments of the constructor outlive the driver, which has to outlive every callback it left
/// in the clock. Not thread safe. What the device does wrong ends in a bio's status, in notices(),
/// or, if the controller cannot be used, in failure(); it never throws.
class NvmePci final : public nvme::HostPort, private QueueOps {
 public:
  enum class State : std::uint8_t {
    kNew,
    kConnecting,  ///< bring-up
    kLive,
    kResetting,
    kLost,  ///< fabrics: no connection; waits for the next attempt
    kDead   ///< given up; failure() says why
  };

  /// Throws UserError for parameters out of range.
  NvmePci(Clock& clock, nvme::DevicePort& device, HostMemory& memory, const CpuTopology& cpus,
          const NvmeParams& params, const HostCosts& costs);
  /// `module`: parameters that several controllers share, as the module's globals; only with
  /// posted_bugs does one controller change them for the others.
  NvmePci(Clock& clock, nvme::DevicePort& device, HostMemory& memory, const CpuTopology& cpus,
          std::shared_ptr<NvmeParams> module, const HostCosts& costs);

  /// Brings the controller up, through MMIO and admin commands only; takes simulated time. `ready`
  /// is called once, when state() has become kLive or kDead.
  void Probe(Callback ready);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool live() const { return state_ == State::kLive; }
  /// Why the controller is kDead; one line.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// What the user should know: fewer queues than asked for, WRR not available, resets. One line
  /// each.
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  /// The disk; only once state() has been kLive.
  [[nodiscard]] BlockDevice& disk() { return *block_; }
  /// Writes queue/iosched/<name> of the disk; BlkMq::SetTunable().
  void SetTunable(std::string_view name, std::int64_t value, const std::string& where) {
    block_->SetTunable(name, value, where);
  }
  [[nodiscard]] const BlkMq& block() const { return *block_; }
  [[nodiscard]] bool has_disk() const { return block_ != nullptr; }
  /// Name and numbers for CgroupTree::AddDisk().
  [[nodiscard]] static DiskId disk_id() { return {"nvme0n1", 259, 0, 0}; }

  [[nodiscard]] const NvmeIdentity& identity() const { return identity_; }
  [[nodiscard]] const QueuePlan& plan() const { return plan_; }
  [[nodiscard]] bool wrr_enabled() const { return wrr_enabled_; }
  /// "24/0/0/24/24/24/0 default/read/poll/low/medium/high/urgent queues"
  [[nodiscard]] std::string QueueSummary() const { return plan_.Summary(); }
  [[nodiscard]] const NvmeStats& stats() const { return stats_; }
  [[nodiscard]] const NvmeQueue& io_queue(unsigned qid) const { return queues_[qid - 1]->ring; }

  /// Before Probe(). Not owned; may be null.
  void SetWatcher(ControllerWatcher* watcher) { watcher_ = watcher; }
  /// Fabrics: the transport reports that the link to the controller is down / up again. Down ends
  /// everything on it with a path error; up connects again at once.
  void LinkDown();
  void LinkUp();

  /// Writes the controller's `reset_controller`: a reset that somebody asks for. Without effect
  /// unless it is live.
  void ResetController() { Reset("asked for"); }

  /// Set Features 01h at run time; `done` gets the CQE, or kHostAborted when the controller is
  /// reset or given up first.
  void SetArbitration(std::uint32_t value, AdminHandler done);
  /// Any admin command without data, or whose PRPs the caller has set. Once Probe() has enabled the
  /// controller; not when it is kDead.
  void AdminCommand(const nvme::Sqe& sqe, AdminHandler done);

  /// All controller properties, read now.
  [[nodiscard]] std::vector<RegisterValue> ReadRegisters();

  /// Heads, tails, tags and waiters of every queue that has something outstanding, for the message
  /// of a simulation that makes no progress.
  [[nodiscard]] std::string DescribeQueues() const;

  // nvme::HostPort
  [[nodiscard]] bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override {
    return memory_.Read(address, destination, bytes);
  }
  [[nodiscard]] bool DmaWrite(std::uint64_t address, const void* source,
                              std::size_t bytes) override {
    return memory_.Write(address, source, bytes);
  }
  void Interrupt(std::uint16_t vector) override;

 private:
  // Status of commands that this host gave up.
  static constexpr auto kHostPathError = static_cast<std::uint16_t>(nvme::Status::kHostPathError);
  static constexpr std::uint16_t kHostAborted = AdminQueue::kHostAborted;
  static constexpr unsigned kDataSlotCount = 64;  // a power of two; see FillSqe()

  struct IoQueue {
    IoQueue(HostMemory& memory, nvme::DevicePort& device, std::uint16_t qid, std::uint32_t depth,
            unsigned dstrd)
        : ring(memory, device, qid, depth, dstrd), prps(depth) {}
    NvmeQueue ring;
    std::vector<PrpList> prps;  // by tag
    Hctx* hctx = nullptr;
    std::uint16_t irq_cpu = 0;
    bool polled = false;
    bool poll_armed = false;
  };
  using Step = void (NvmePci::*)();

  // pci_probe.cc: bring-up, in this order
  void Connect();
  void ConfigureAdminQueue();
  void Enable();
  std::uint8_t GetAms();
  void IdentifyController();
  void OnIdentifyController(std::uint64_t, const nvme::Cqe& cqe);
  void SetPowerOnArbitration();
  void OnArbitration(std::uint64_t, const nvme::Cqe& cqe);
  void AskForQueues();
  void OnNumberOfQueues(std::uint64_t, const nvme::Cqe& cqe);
  void SetupQueues();
  void CreateCq();
  void OnCqCreated(std::uint64_t, const nvme::Cqe& cqe);
  void OnSqCreated(std::uint64_t, const nvme::Cqe& cqe);
  void DeleteQueues();
  void OnSqDeleted(std::uint64_t, const nvme::Cqe& cqe);
  void OnCqDeleted(std::uint64_t, const nvme::Cqe& cqe);
  void QueuesReady();
  void OnIdentifyNamespace(std::uint64_t, const nvme::Cqe& cqe);
  void MakeDisk();
  void GoLive();
  void WaitReady(bool ready, Step next);
  void WaitReadyEvent(std::uint64_t unused);
  void Die(const std::string& why);
  [[nodiscard]] bool Failed(const nvme::Cqe& cqe, const char* what);
  void NoteMissingQueues();

  // pci_io.cc
  QueueStatus QueueRq(Hctx* hctx, Request* request, bool last) override;
  void CommitRqs(Hctx* hctx) override;
  void QueueRqs(RequestList* list) override;
  [[nodiscard]] bool HasQueueRqs() const override { return true; }
  void FillSqe(IoQueue& queue, Request* request);
  void InterruptEvent(std::uint64_t vector);
  unsigned ProcessQueue(IoQueue& queue);
  void HandleCqe(IoQueue& queue, const nvme::Cqe& cqe);
  void ArmPoll(IoQueue& queue);
  void PollEvent(std::uint64_t index);

  // pci_error.cc
  TimeoutAction Timeout(Request* request) override;
  void OnAborted(std::uint64_t, const nvme::Cqe& cqe);
  void OnAdminTimeout(std::uint64_t);
  void RequestAsyncEvent();
  void OnAsyncEvent(std::uint64_t, const nvme::Cqe& cqe);
  void OnErrorLog(std::uint64_t, const nvme::Cqe& cqe);
  void Reset(const std::string& why);
  void OnDisabled();
  void CancelAll();
  void Notice(std::string text);
  [[nodiscard]] bool GivenUp() const { return state_ == State::kDead || state_ == State::kLost; }

  // pci_fabrics.cc
  void TearDown(std::uint64_t unused);
  bool ReconnectLater(const std::string& why);
  void ReconnectEvent(std::uint64_t epoch);

  Clock& clock_;
  nvme::DevicePort& device_;
  HostMemory& memory_;
  const CpuTopology cpus_;
  const HostCosts costs_;
  std::shared_ptr<NvmeParams> module_;  // shared only with posted_bugs in mind
  NvmeParams params_;                   // in force for this controller

  State state_ = State::kNew;
  Callback ready_;
  ControllerWatcher* watcher_ = nullptr;
  std::string failure_;
  std::vector<std::string> notices_;
  NvmeIdentity identity_;
  NvmeStats stats_;

  std::unique_ptr<AdminQueue> admin_;
  std::vector<std::unique_ptr<IoQueue>> queues_;  // by qid - 1
  std::unique_ptr<BlkMq> block_;
  std::unique_ptr<PrpPool> prp_pool_;
  HostMemory::Region admin_buffer_;        // data of Identify and Get Log Page
  HostMemory::Region data_;                // where commands' data goes, see FillSqe()
  std::vector<std::uint8_t> irq_pending_;  // by vector: a handler run is on its way

  QueuePlan plan_;
  QueueLimits limits_;
  bool wrr_enabled_ = false;
  std::uint32_t cc_ = 0;
  unsigned asked_ = 0;     // I/O queues asked for
  unsigned nr_io_ = 0;     // ... to be had
  unsigned created_ = 0;   // ... created so far
  unsigned deleting_ = 0;  // qid being deleted
  std::uint32_t io_depth_ = 0;
  unsigned block_shift_ = 9;
  unsigned data_slot_shift_ = 0;
  unsigned abort_budget_ = 1;
  bool want_ready_ = false;
  TimePs ready_deadline_ = 0;
  Step after_ready_ = nullptr;
  // Fabrics. Waits and attempts of before the last change of state are ignored.
  std::uint64_t epoch_ = 0;
  TimePs lost_at_ = 0;
  unsigned attempts_ = 0;  // since then
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_PCI_H_
