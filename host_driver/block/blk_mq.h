// SPDX-License-Identifier: Apache-2.0
//
// BlkMq: the multi-queue block layer of one disk, with a scheduler or "none".
//
// Reading order: bio.h (what comes in), hctx_type.h and cpu_map.h (which queue), request.h and
// hctx.h (what is kept), queue_ops.h (what goes out), elevator.h (who orders), then blk_mq.cc
// (submit), blk_mq_merge.cc, blk_mq_dispatch.cc (issue), blk_mq_sched.cc (the scheduler's side) and
// blk_mq_complete.cc (completion, timeouts).
//
// Path of one bio: Submit -> CPU time -> class and hardware queue -> merge with the plug's last
// request, or with one of the CPU's waiting ones or one that the scheduler knows -> cut to the
// device's limits -> a tag for each piece -> plug, or scheduler, or direct issue, or the CPU's list
// and a run of the hardware queue -> QueueOps.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_BLK_MQ_H_
#define NVMEARB_HOST_DRIVER_BLOCK_BLK_MQ_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_costs.h"
#include "host_driver/block/bio.h"
#include "host_driver/block/elevator.h"
#include "host_driver/block/hctx.h"
#include "host_driver/block/hctx_type.h"
#include "host_driver/block/iocost/params.h"
#include "host_driver/block/queue_ops.h"
#include "host_driver/block/rq_qos.h"

namespace nvmearb::host {

/// What one command of the disk may be.
struct QueueLimits {
  std::uint64_t capacity_bytes = 0;
  std::uint32_t logical_block_bytes = 512;
  std::uint32_t max_bytes = 128 * 1024;  ///< largest request (max_sectors)
  std::uint32_t chunk_bytes = 0;         ///< no request crosses a multiple of this; 0 = no limit
  std::uint32_t max_segments = 127;      ///< bios that may merge into one request
  bool write_cache = false;              ///< volatile: a flush has to reach the device
  bool discard = false;                  ///< takes discards, each as one command of any length
};

/// How a plug list reaches the driver (host_algorithms 6.2).
enum class PlugStyle : std::uint8_t {
  kQueueRqs,   ///< Linux 5.17: the whole list to QueueRqs(), newest request first; plug of 32
  kListPerRun  ///< Linux 5.11: direct issue, oldest first, per run of one hctx; plug of 16
};

struct BlkMqConfig {
  std::string name = "nvme0n1";
  unsigned disk_number = 0;                                     ///< of CgroupTree::AddDisk()
  PerHctxType<std::uint16_t> queue_count{1, 0, 0, 0, 0, 0, 0};  ///< default >= 1
  bool spread = true;     ///< map CPUs by interrupt affinity; false with a single vector
  unsigned depth = 1023;  ///< tags per hardware queue, 1..10,240
  TimePs io_timeout = 30 * kSec;
  PlugStyle plug_style = PlugStyle::kQueueRqs;
  QueueLimits limits;
  std::string scheduler = "none";  ///< one of SchedulerNames()
  /// Its tunables by their sysfs names, set at the start.
  Iosched iosched;
  unsigned nr_requests = 0;  ///< scheduler tags per hardware queue; 0 = 2 * min(depth, 128)
  IocostParams iocost;       ///< in force if it is enabled
  bool nomerges = false;     ///< queue/nomerges = 2: no I/O joins another
  bool shared_tags = false;  ///< `depth` driver tags for all hardware queues together
};

struct BlkMqStats {
  std::uint64_t bios_submitted = 0;
  std::uint64_t bios_completed = 0;  ///< `done` called, whatever the status
  std::uint64_t bios_failed = 0;     ///< of these, with a status other than success
  std::uint64_t requests = 0;        ///< tags allocated
  std::uint64_t splits = 0;          ///< bios cut into more than one request
  std::uint64_t merges = 0;          ///< bios that joined an existing request
  std::uint64_t absorbed = 0;        ///< requests that joined another
  std::uint64_t tag_waits = 0;       ///< times a bio found no free tag
  std::uint64_t busy_returns = 0;    ///< QueueStatus::kBusy seen
  std::uint64_t timeouts = 0;
  std::uint64_t requeues = 0;
};

/// Owns its hardware queues and requests; the driver behind `ops`, clock and topology outlive it.
/// Not thread safe. Time base: `clock`.
class BlkMq final : public BlockDevice, private ElevatorHost, private RqQosHost {
 public:
  /// Throws UserError for an unknown scheduler or tunable.
  BlkMq(Clock& clock, const CpuTopology& cpus, const HostCosts& costs, QueueOps& ops,
        const BlkMqConfig& config);
  BlkMq(const BlkMq&) = delete;
  BlkMq& operator=(const BlkMq&) = delete;

  // BlockDevice. A bio beyond the end of the disk ends with LBA Out of Range, one that is no
  // multiple of the logical block with Invalid Field, a discard that the device does not take with
  // Invalid Opcode. Discards do not merge.
  [[nodiscard]] std::uint64_t CapacityBytes() const override {
    return config_.limits.capacity_bytes;
  }
  void Submit(Bio* bio) override;
  void StartPlug(std::uint16_t cpu) override;
  void FinishPlug(std::uint16_t cpu) override;
  TimePs TakeCpuTime(std::uint16_t cpu) override;

  /// Writes an attribute of the scheduler, at any time. Throws UserError (Elevator::SetTunable;
  /// with "none" there is none).
  void SetTunable(std::string_view tunable, std::int64_t value, const std::string& where);
  /// Null without iocost.
  [[nodiscard]] const RqQos* qos() const { return qos_.get(); }
  /// Null with scheduler "none".
  [[nodiscard]] const Elevator* elevator() const { return elevator_.get(); }

  // For the driver.
  [[nodiscard]] unsigned hctx_count() const override {
    return static_cast<unsigned>(hctxs_.size());
  }
  [[nodiscard]] Hctx& hctx(unsigned index) override { return *hctxs_[index]; }
  [[nodiscard]] const Hctx& hctx(unsigned index) const { return *hctxs_[index]; }
  /// Hardware queue that an I/O of this class from this CPU uses.
  [[nodiscard]] Hctx* HctxFor(HctxType type, unsigned cpu) const {
    return cpus_[cpu].hctx[static_cast<std::size_t>(type)];
  }

  /// blk_mq_start_request: the driver owns it from here, its deadline runs.
  void Start(Request* request);
  /// blk_mq_complete_request, by a handler on `irq_cpu`: ends the request's bios with `status` (SCT
  /// << 8 | SC), at once or after an IPI to the submitter's CPU.
  void Complete(Request* request, std::uint16_t status, unsigned irq_cpu);
  /// blk_mq_requeue_request: the request goes out again.
  void Requeue(Request* request);
  /// Nothing reaches the driver between Quiesce() and Unquiesce().
  void Quiesce() { quiesced_ = true; }
  void Unquiesce();
  /// The disk is gone: everything that waits and everything submitted from now on fails with
  /// `status`. Requests the driver owns remain its own to complete.
  void Kill(std::uint16_t status);
  /// Calls visit(Request*) for every request the driver owns; it may complete or requeue it.
  template <typename Visit>
  void ForEachStarted(Visit visit) {
    for (auto& hctx : hctxs_) {
      for (unsigned tag = 0; tag < hctx->tags.touched(); ++tag) {
        Request* const request = hctx->tags.Find(tag);
        if (request->state == RequestState::kStarted) visit(request);
      }
    }
  }

  // For whoever watches.
  [[nodiscard]] const BlkMqConfig& config() const { return config_; }
  [[nodiscard]] const BlkMqStats& stats() const { return stats_; }
  /// Bios submitted and not done yet.
  [[nodiscard]] std::uint64_t InFlight() const {
    return stats_.bios_submitted - stats_.bios_completed;
  }

 private:
  // A CPU: the submissions that wait for its time, the plug of its task, its software queues.
  struct Cpu {
    Bio* first = nullptr;
    Bio* last = nullptr;
    bool busy = false;
    unsigned plug_depth = 0;
    RequestList plug;
    unsigned plug_count = 0;
    unsigned node = 0;
    TimePs irq_free_from = 0;  // its interrupts are served one after the other
    TimePs busy_until = 0;     // with what `spent` holds
    TimePs spent = 0;          // not taken by the task yet
    PerHctxType<RequestList> lists{};
    PerHctxType<Hctx*> hctx{};
  };

  // blk_mq.cc
  void BuildQueues(const CpuTopology& cpus);
  void CpuStep(std::uint64_t cpu);
  void Process(Cpu& cpu, Bio* bio, bool plugged);
  [[nodiscard]] std::uint16_t RefusalOf(const Bio& bio) const;
  [[nodiscard]] std::uint32_t PieceBytes(std::uint64_t offset, std::uint32_t rest) const;
  [[nodiscard]] Hctx* HctxOf(const Cpu& cpu, const Bio& bio) const;
  bool MakeRequests(Cpu& cpu, Hctx* hctx, Bio* bio, bool plugged);
  void Resume(Bio* bio) override;
  void ResumeEvent(std::uint64_t bio);
  Request* AllocateFor(Hctx* hctx, const Bio& bio);
  bool Cut(Hctx* hctx, Bio* bio, std::uint32_t* bytes_done, bool plugged);
  void WaitForTag(Hctx* hctx, const TagWaiter& waiter);
  void WakeWaiters(Hctx* hctx);
  void Admit(Bio* bio);
  void Spend(unsigned cpu, TimePs time);

  // blk_mq_merge.cc
  bool TryMerge(Cpu& cpu, Hctx* hctx, Bio* bio);
  bool MergeInto(Request* request, Bio* bio);
  [[nodiscard]] MergeKind MergeOf(const Request& request, const Bio& bio) const override;
  void Merge(Request* request, Bio* bio, MergeKind kind) override;
  [[nodiscard]] bool MayAbsorb(const Request& request, const Request& next) const override;
  void Absorb(Request* request, Request* next) override;

  // blk_mq_dispatch.cc
  void Route(Request* request, bool plugged);
  void AddToPlug(Cpu& cpu, Request* request);
  void FlushPlug(Cpu& cpu);
  void FlushPlugRuns(RequestList list);
  void IssueList(RequestList list);
  QueueStatus IssueDirectly(Request* request, bool last);
  void Insert(Request* request);
  void RunHwQueue(Hctx* hctx);
  void RunLater(Hctx* hctx, TimePs delay) override;
  void RunEvent(std::uint64_t index);
  bool DispatchList(Hctx* hctx, RequestList* list, unsigned budgets);
  RequestList TakeFromCpus(Hctx* hctx, bool one);
  void UpdateBusy(Hctx* hctx, bool busy);

  // blk_mq_sched.cc
  void InsertIntoElevator(Request* request, bool at_head);
  void FlushPlugIntoElevator(RequestList list);
  void DispatchFromElevator(Hctx* hctx);
  bool SendToQueues(Hctx* hctx, RequestList* list, bool spans, unsigned budgets);
  bool TakeDriverTag(Request* request);
  void PutDriverTag(Request* request);
  void RunAllLater(TimePs delay) override;
  void SpendInElevator(unsigned cpu, std::uint32_t ns);
  [[nodiscard]] Clock& clock() override { return clock_; }
  [[nodiscard]] unsigned cpu_count() const override { return static_cast<unsigned>(cpus_.size()); }
  [[nodiscard]] unsigned disk_number() const override { return config_.disk_number; }
  [[nodiscard]] unsigned nr_requests() const override { return nr_requests_; }

  // blk_mq_complete.cc
  void Finish(Request* request);
  void FinishEvent(std::uint64_t request);
  void EndPiece(Bio* bio, std::uint16_t status);
  void Fail(RequestList list, std::uint16_t status);
  void TimerEvent(std::uint64_t unused);

  Clock& clock_;
  QueueOps& ops_;
  const HostCosts costs_;
  const BlkMqConfig config_;
  std::vector<Cpu> cpus_;
  std::vector<std::unique_ptr<Hctx>> hctxs_;
  std::unique_ptr<Elevator> elevator_;
  std::unique_ptr<RqQos> qos_;
  unsigned nr_requests_;           // requests per hardware queue
  TimePs elevator_free_from_ = 0;  // its lock
  unsigned running_cpu_ = 0;       // who pays for what is done now
  bool quiesced_ = false;
  bool dead_ = false;
  bool waking_ = false;
  unsigned in_caller_ = 0;  // depth of Submit() and FinishPlug()
  bool timer_armed_ = false;
  std::uint16_t dead_status_ = 0;
  BlkMqStats stats_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_BLK_MQ_H_
