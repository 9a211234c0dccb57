// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/blk_mq.h"

#include <algorithm>
#include <utility>

#include "host_driver/block/cpu_map.h"
#include "host_driver/block/iocost/iocost.h"
#include "nvme/base/check.h"
#include "nvme/status.h"

namespace nvmearb::host {
namespace {

// Bio::pending between Submit() and the CPU's turn.
constexpr std::uint32_t kPlugged = 1;
constexpr std::uint32_t kUnplugAfter = 2;

// BLKDEV_DEFAULT_RQ: without nr_requests a scheduler gets twice as many tags as the driver, up to
// twice this.
constexpr unsigned kDefaultRequests = 128;

std::uint16_t Raw(nvme::Status status) { return static_cast<std::uint16_t>(status); }

}  // namespace

BlkMq::BlkMq(Clock& clock, const CpuTopology& cpus, const HostCosts& costs, QueueOps& ops,
             const BlkMqConfig& config)
    : clock_(clock),
      ops_(ops),
      costs_(costs),
      config_(config),
      elevator_(MakeElevator(config.scheduler, config.name + ": scheduler")),
      nr_requests_(config.depth) {
  NVMEARB_CHECK(config.queue_count[0] >= 1, "a disk has a default queue");
  NVMEARB_CHECK(config.depth >= 1 && config.depth <= 10240, "tags per queue");
  const std::uint32_t block = config.limits.logical_block_bytes;
  NVMEARB_CHECK(block != 0 && (block & (block - 1)) == 0, "blocks are a power of two");
  NVMEARB_CHECK(config.limits.max_bytes >= block, "request size limit");
  if (elevator_ != nullptr) {
    nr_requests_ =
        config.nr_requests != 0 ? config.nr_requests : 2 * std::min(config.depth, kDefaultRequests);
  }
  BuildQueues(cpus);
  if (elevator_ != nullptr) elevator_->Attach(this);
  if (config.iocost.enable) {
    RqQosHost* const self = this;
    qos_ = std::make_unique<Iocost>(&clock, self, config.iocost);
  }
  for (const auto& [tunable, value] : config.iosched) SetTunable(tunable, value, config.name);
}

void BlkMq::SetTunable(std::string_view tunable, std::int64_t value, const std::string& where) {
  if (elevator_ == nullptr) CheckScheduler("none", {{std::string(tunable), value}}, where);
  elevator_->SetTunable(tunable, value, where);
}

void BlkMq::BuildQueues(const CpuTopology& cpus) {
  const bool late_tags = elevator_ != nullptr || config_.shared_tags;
  std::shared_ptr<DriverTags> driver_tags;
  cpus_.resize(cpus.cpu_count());
  for (unsigned cpu = 0; cpu < cpus.cpu_count(); ++cpu) cpus_[cpu].node = cpus.NodeOf(cpu);
  for (std::size_t t = 0; t < kHctxTypeCount; ++t) {
    const auto type = static_cast<HctxType>(t);
    const unsigned count = config_.queue_count[t];
    const std::size_t first = hctxs_.size();
    for (unsigned i = 0; i < count; ++i) {
      hctxs_.push_back(
          std::make_unique<Hctx>(static_cast<std::uint16_t>(first + i), type, nr_requests_));
      if (!late_tags) continue;
      if (driver_tags == nullptr || !config_.shared_tags) {
        driver_tags = std::make_shared<DriverTags>(config_.depth);
      }
      hctxs_.back()->driver_tags = driver_tags;
    }
    if (count == 0) {
      // A class without queues is served by the default queue of the same CPU.
      for (Cpu& cpu : cpus_) cpu.hctx[t] = cpu.hctx[0];
      continue;
    }
    const bool spread = config_.spread && type != HctxType::kPoll;
    const auto map = spread ? MapByAffinity(cpus, count) : MapPlainly(cpus, count);
    for (unsigned cpu = 0; cpu < cpus.cpu_count(); ++cpu) {
      Hctx* const hctx = hctxs_[first + map[cpu]].get();
      cpus_[cpu].hctx[t] = hctx;
      hctx->cpus.push_back(static_cast<std::uint16_t>(cpu));
    }
  }
}

void BlkMq::StartPlug(std::uint16_t cpu) { ++cpus_[cpu].plug_depth; }

void BlkMq::FinishPlug(std::uint16_t cpu_index) {
  Cpu& cpu = cpus_[cpu_index];
  NVMEARB_CHECK(cpu.plug_depth > 0, "a plug is finished once");
  if (--cpu.plug_depth > 0) return;
  if (cpu.first != nullptr && (cpu.last->pending & kPlugged) != 0) {
    cpu.last->pending |= kUnplugAfter;
  } else {
    ++in_caller_;
    running_cpu_ = cpu_index;
    FlushPlug(cpu);
    --in_caller_;
  }
}

TimePs BlkMq::TakeCpuTime(std::uint16_t cpu) { return std::exchange(cpus_[cpu].spent, 0); }

// CPU time of whoever runs on `cpu`, behind what was spent there before.
void BlkMq::Spend(unsigned cpu_index, TimePs time) {
  Cpu& cpu = cpus_[cpu_index];
  cpu.busy_until = std::max(cpu.busy_until, clock_.Now()) + time;
  cpu.spent += time;
}

void BlkMq::Submit(Bio* bio) {
  NVMEARB_CHECK(bio->cpu < cpus_.size(), "a bio comes from a CPU of this host");
  NVMEARB_CHECK(bio->cgroup != nullptr, "a bio has a cgroup");
  ++stats_.bios_submitted;
  Cpu& cpu = cpus_[bio->cpu];
  bio->issue_time = clock_.Now();
  bio->status = 0;
  bio->waits = false;
  bio->qos_charge = 0;
  bio->next = nullptr;
  if (costs_.submit_ns == 0) {
    ++in_caller_;
    Process(cpu, bio, cpu.plug_depth > 0);
    --in_caller_;
    return;
  }
  bio->pending = cpu.plug_depth > 0 ? kPlugged : 0;
  if (cpu.first == nullptr) {
    cpu.first = bio;
  } else {
    cpu.last->next = bio;
  }
  cpu.last = bio;
  if (!cpu.busy) {
    cpu.busy = true;
    clock_.At(clock_.Now() + costs_.submit_ns * kNs, Bind<&BlkMq::CpuStep>(this, bio->cpu));
  }
}

// The CPU has spent its time on the bio in front.
void BlkMq::CpuStep(std::uint64_t cpu_index) {
  Cpu& cpu = cpus_[cpu_index];
  Bio* const bio = cpu.first;
  const std::uint32_t flags = bio->pending;
  cpu.first = bio->next;
  Process(cpu, bio, (flags & kPlugged) != 0);
  if ((flags & kUnplugAfter) != 0) FlushPlug(cpu);
  if (cpu.first != nullptr) {
    clock_.At(clock_.Now() + costs_.submit_ns * kNs, Bind<&BlkMq::CpuStep>(this, cpu_index));
  } else {
    cpu.busy = false;
  }
}

std::uint16_t BlkMq::RefusalOf(const Bio& bio) const {
  if (dead_) return dead_status_;
  if (bio.op == BioOp::kFlush) return 0;
  if (bio.op == BioOp::kDiscard && !config_.limits.discard)
    return Raw(nvme::Status::kInvalidOpcode);
  const std::uint64_t within_block = config_.limits.logical_block_bytes - 1;  // a power of two
  if (bio.bytes == 0 || ((bio.bytes | bio.offset) & within_block) != 0) {
    return Raw(nvme::Status::kInvalidField);
  }
  const std::uint64_t capacity = config_.limits.capacity_bytes;
  if (bio.bytes > capacity || bio.offset > capacity - bio.bytes) {
    return Raw(nvme::Status::kLbaOutOfRange);
  }
  return 0;
}

void BlkMq::Process(Cpu& cpu, Bio* bio, bool plugged) {
  const std::uint16_t refusal = RefusalOf(*bio);
  const bool needless_flush = bio->op == BioOp::kFlush && !config_.limits.write_cache;
  if (refusal != 0 || needless_flush) {
    bio->pending = 1;
    EndPiece(bio, refusal);
    return;
  }
  Hctx* const hctx = HctxOf(cpu, *bio);
  running_cpu_ = bio->cpu;
  const bool may_merge = !cpu.plug.empty() || elevator_ != nullptr || hctx->ctx_request_count > 0;
  if (!config_.nomerges && may_merge && TryMerge(cpu, hctx, bio)) {
    ++stats_.merges;
    if (qos_ != nullptr) qos_->Merged(bio);
    return;
  }
  const bool held = qos_ != nullptr && !qos_->Throttle(bio);
  const bool sleeps = held || !MakeRequests(cpu, hctx, bio, plugged);
  bio->waits = sleeps && in_caller_ > 0;  // else its task is not in Submit() any more (submit_ns)
  if (held) FlushPlug(cpu);
}

// The hardware queue of the bio's class on its CPU.
Hctx* BlkMq::HctxOf(const Cpu& cpu, const Bio& bio) const {
  const WrrLevel level =
      bio.op == BioOp::kFlush ? WrrLevel::kNone : bio.cgroup->LevelForIo(config_.disk_number);
  return cpu.hctx[static_cast<std::size_t>(TypeOf(bio.op, bio.polled, level))];
}

// Returns false when the bio has to wait for a tag; it goes on by itself.
bool BlkMq::MakeRequests(Cpu& cpu, Hctx* hctx, Bio* bio, bool plugged) {
  std::uint32_t bytes_done = 0;
  if (Cut(hctx, bio, &bytes_done, plugged)) return true;
  // No tag: as a task that goes to sleep does, let go of the plug, try again, then wait.
  ++stats_.tag_waits;
  FlushPlug(cpu);
  RunHwQueue(hctx);
  if (Cut(hctx, bio, &bytes_done, false)) return true;
  WaitForTag(hctx, {bio, bytes_done, clock_.Now()});
  return false;
}

// The policy lets the bio go.
void BlkMq::Resume(Bio* bio) {
  clock_.At(clock_.Now(), Bind<&BlkMq::ResumeEvent>(this, reinterpret_cast<std::uintptr_t>(bio)));
}

void BlkMq::ResumeEvent(std::uint64_t address) {
  Bio* const bio = reinterpret_cast<Bio*>(static_cast<std::uintptr_t>(address));
  if (dead_) {
    Admit(bio);
    bio->pending = 1;
    EndPiece(bio, dead_status_);
    return;
  }
  Cpu& cpu = cpus_[bio->cpu];
  running_cpu_ = bio->cpu;
  if (MakeRequests(cpu, HctxOf(cpu, *bio), bio, false)) Admit(bio);
}

void BlkMq::WaitForTag(Hctx* hctx, const TagWaiter& waiter) {
  hctx->waiters.SetDepth(elevator_ != nullptr ? elevator_->DepthFor(*waiter.bio) : nr_requests_);
  hctx->waiters.Wait(waiter);
}

// The task behind `bio` goes on, as soon as whoever runs now is through.
void BlkMq::Admit(Bio* bio) {
  if (!bio->waits) return;
  bio->waits = false;
  if (bio->admitted.function != nullptr) clock_.At(clock_.Now(), bio->admitted);
}

// A request for `bio` to be put in, or null when it has to wait for one.
Request* BlkMq::AllocateFor(Hctx* hctx, const Bio& bio) {
  if (elevator_ == nullptr) {
    Request* const request = hctx->tags.Allocate();
    if (request != nullptr && hctx->driver_tags != nullptr) request->tag = kNoTag;
    return request;
  }
  const unsigned depth = elevator_->DepthFor(bio);
  const bool limited = depth < nr_requests_;
  if (limited && hctx->limited_count >= depth) return nullptr;
  Request* const request = hctx->tags.Allocate();
  if (request == nullptr) return nullptr;
  request->tag = kNoTag;
  request->limited = limited;
  if (limited) ++hctx->limited_count;
  return request;
}

// Bytes of the next request of [offset, offset + rest).
std::uint32_t BlkMq::PieceBytes(std::uint64_t offset, std::uint32_t rest) const {
  const QueueLimits& limits = config_.limits;
  std::uint32_t bytes = std::min(rest, limits.max_bytes);
  if (limits.chunk_bytes != 0) {
    const auto within = static_cast<std::uint32_t>(offset % limits.chunk_bytes);
    bytes = std::min(bytes, limits.chunk_bytes - within);
  }
  return bytes;
}

// Makes requests of the rest of `bio`. Returns false when the tags ran out before its end.
bool BlkMq::Cut(Hctx* hctx, Bio* bio, std::uint32_t* bytes_done, bool plugged) {
  const bool is_data = bio->op == BioOp::kRead || bio->op == BioOp::kWrite;
  std::uint32_t piece = is_data ? PieceBytes(bio->offset, bio->bytes) : bio->bytes;
  const bool whole = piece == bio->bytes;
  do {
    Request* const request = AllocateFor(hctx, *bio);
    if (request == nullptr) return false;
    ++stats_.requests;
    if (costs_.request_ns != 0) Spend(bio->cpu, costs_.request_ns * kNs);
    if (*bytes_done == 0) {
      bio->pending = 1;  // of a bio that is cut: held until its last piece exists
      if (!whole) ++stats_.splits;
    }
    request->bio = bio;
    request->bio_tail = bio;
    request->bio_count = 1;
    request->fragment = !whole;
    request->hctx = hctx;
    request->offset = bio->offset + *bytes_done;
    if (!whole) piece = PieceBytes(request->offset, bio->bytes - *bytes_done);
    request->bytes = piece;
    request->cpu = bio->cpu;
    request->op = bio->op;
    request->status = 0;
    request->retries = 0;
    request->aborted = false;
    request->ioprio_class = EffectiveClass(*bio);
    if (elevator_ != nullptr) request->sched = {};
    if (elevator_ != nullptr || qos_ != nullptr) request->sched.queued_at = clock_.Now();
    if (whole) {
      bio->next = nullptr;
      *bytes_done = bio->bytes;
      Route(request, plugged);
      return true;
    }
    ++bio->pending;
    *bytes_done += request->bytes;
    Route(request, plugged);
  } while (*bytes_done < bio->bytes);
  EndPiece(bio, 0);
  return true;
}

// A request became free: some of the bios that wait for one may try again.
void BlkMq::WakeWaiters(Hctx* hctx) {
  if (waking_) {  // a request failed while its bio was being cut
    ++hctx->silent_frees;
    return;
  }
  waking_ = true;
  unsigned queue = 0;
  for (unsigned count = hctx->waiters.Freed(&queue); count > 0; --count) {
    TagWaiter waiter = hctx->waiters.Pop(queue);
    running_cpu_ = waiter.bio->cpu;
    if (Cut(hctx, waiter.bio, &waiter.bytes_done, false)) {
      if (qos_ != nullptr) qos_->WaitedForTag(clock_.Now() - waiter.since);
      Admit(waiter.bio);
    } else {
      WaitForTag(hctx, waiter);
    }
  }
  waking_ = false;
  while (hctx->silent_frees > 0) {
    --hctx->silent_frees;
    WakeWaiters(hctx);
  }
}

}  // namespace nvmearb::host
