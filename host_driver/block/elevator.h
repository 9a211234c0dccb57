// SPDX-License-Identifier: Apache-2.0
//
// Elevator: what an I/O scheduler implements for blk-mq (struct elevator_mq_ops of Linux), and
// ElevatorHost: what blk-mq does for it. Implementations are in sched/, one folder entry each.
//
// A request with a scheduler: allocated (DepthFor) -> Insert -> Dispatch, where it gets a
// driver tag -> Completed; a bio that joins a queued request: BioMerge. Nothing of an Elevator is
// called from within another call of the same Elevator.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_ELEVATOR_H_
#define NVMEARB_HOST_DRIVER_BLOCK_ELEVATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/block/hctx.h"
#include "host_driver/block/request.h"

namespace nvmearb::host {

enum class MergeKind : std::uint8_t { kNone, kBack, kFront };

/// What blk-mq does for a scheduler.
class ElevatorHost {
 public:
  virtual ~ElevatorHost() = default;
  [[nodiscard]] virtual Clock& clock() = 0;
  [[nodiscard]] virtual unsigned hctx_count() const = 0;
  [[nodiscard]] virtual Hctx& hctx(unsigned index) = 0;
  [[nodiscard]] virtual unsigned cpu_count() const = 0;
  /// Number of the disk in the cgroup tree.
  [[nodiscard]] virtual unsigned disk_number() const = 0;
  /// Scheduler tags of one hardware queue.
  [[nodiscard]] virtual unsigned nr_requests() const = 0;

  /// Whether the bio may join the request, and at which end. Looks at operation, cgroup, priority,
  /// size limits.
  [[nodiscard]] virtual MergeKind MergeOf(const Request& request, const Bio& bio) const = 0;
  /// Joins them; offset or length of the request change.
  virtual void Merge(Request* request, Bio* bio, MergeKind kind) = 0;
  /// Whether `next` continues `request` and may join it.
  [[nodiscard]] virtual bool MayAbsorb(const Request& request, const Request& next) const = 0;
  /// Moves the bios of `next` to the end of `request` and frees `next`, which is in no list.
  virtual void Absorb(Request* request, Request* next) = 0;

  /// blk_mq_run_hw_queue: calls Dispatch() for this hardware queue after `delay`, never at once.
  virtual void RunLater(Hctx* hctx, TimePs delay) = 0;
  virtual void RunAllLater(TimePs delay) = 0;
};

/// Value of a Tunable, before Attach(), that nr_requests will decide.
inline constexpr std::int64_t kDerivedValue = -1;

/// One attribute below /sys/block/<disk>/queue/iosched/.
struct Tunable {
  const char* name;
  const char* unit;
  std::int64_t low;
  std::int64_t high;
  std::int64_t* value;
  const char* doc;
};

/// One instance per disk. Not thread safe. Owns no request.
class Elevator {
 public:
  virtual ~Elevator() = default;
  Elevator(const Elevator&) = delete;
  Elevator& operator=(const Elevator&) = delete;

  /// "mq-deadline"
  [[nodiscard]] const char* name() const { return name_; }
  /// Whether one lock of the whole disk guards insert, dispatch and completion.
  [[nodiscard]] virtual bool global_lock() const { return true; }

  /// Called once before anything else.
  virtual void Attach(ElevatorHost* host) { host_ = host; }

  /// Scheduler tags that an I/O like `bio` may take, of nr_requests (limit_depth).
  [[nodiscard]] virtual unsigned DepthFor(const Bio& bio) const {
    (void)bio;
    return host_->nr_requests();
  }
  /// Tries to join `bio`, of priority class `ioprio_class`, to a queued request.
  virtual bool BioMerge(Bio* bio, Hctx* hctx) = 0;
  /// Takes requests in their order. `at_head`: before everything else.
  virtual void Insert(Request* request, bool at_head) = 0;
  /// The next request for the driver, of this or (with one queue for all) of any hardware queue;
  /// null when there is none that may go now.
  virtual Request* Dispatch(Hctx* hctx) = 0;
  /// Whether Dispatch() is worth a call.
  [[nodiscard]] virtual bool HasWork(const Hctx* hctx) const = 0;
  /// It ends: the driver has ended it, or it will never get there. Called before its tags are free.
  virtual void Completed(Request* request) = 0;
  /// Moves everything queued to the end of `list`: the disk is gone. Each is then Completed().
  virtual void TakeAll(RequestList* list) = 0;
  /// A dispatched request comes back; Insert() at the head follows.
  virtual void Requeued(Request* request) { (void)request; }

  [[nodiscard]] const std::vector<Tunable>& tunables() const { return tunables_; }
  /// As a write to the attribute; takes effect for what comes next. Throws UserError that begins
  /// with `where` for an unknown name or a value out of range.
  void SetTunable(std::string_view tunable, std::int64_t value, const std::string& where);
  [[nodiscard]] std::int64_t GetTunable(std::string_view tunable) const;

 protected:
  explicit Elevator(const char* name) : name_(name) {}
  void AddTunable(const Tunable& tunable) { tunables_.push_back(tunable); }
  /// A tunable has another value.
  virtual void TunablesChanged() {}

  ElevatorHost* host_ = nullptr;

 private:
  const char* name_;
  std::vector<Tunable> tunables_;
};

/// "none" and the schedulers there are, as /sys/block/<disk>/queue/scheduler lists them.
const std::vector<std::string>& SchedulerNames();

/// A scheduler by name; null for "none". Throws UserError that begins with `where` for another
/// name.
std::unique_ptr<Elevator> MakeElevator(std::string_view name, const std::string& where);

using Iosched = std::vector<std::pair<std::string, std::int64_t>>;
/// Throws what a BlkMq with this scheduler and these tunables would throw.
void CheckScheduler(std::string_view name, const Iosched& iosched, const std::string& where);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_ELEVATOR_H_
