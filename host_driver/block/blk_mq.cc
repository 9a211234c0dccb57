// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/blk_mq.h"

#include <algorithm>

#include "host_driver/block/cpu_map.h"
#include "nvme/base/check.h"
#include "nvme/status.h"

namespace nvmearb::host {
namespace {

// Bio::pending between Submit() and the CPU's turn.
constexpr std::uint32_t kPlugged = 1;
constexpr std::uint32_t kUnplugAfter = 2;

// blk_mq_sched_bio_merge looks at this many requests of the CPU's list, newest first.
constexpr int kMergeDepth = 8;

std::uint16_t Raw(nvme::Status status) { return static_cast<std::uint16_t>(status); }

}  // namespace

BlkMq::BlkMq(Clock& clock, const CpuTopology& cpus, const HostCosts& costs, QueueOps& ops,
             const BlkMqConfig& config)
    : clock_(clock), ops_(ops), costs_(costs), config_(config) {
  NVMEARB_CHECK(config.queue_count[0] >= 1, "a disk has a default queue");
  NVMEARB_CHECK(config.depth >= 1 && config.depth <= 10240, "tags per queue");
  const std::uint32_t block = config.limits.logical_block_bytes;
  NVMEARB_CHECK(block != 0 && (block & (block - 1)) == 0, "blocks are a power of two");
  NVMEARB_CHECK(config.limits.max_bytes >= block, "request size limit");
  BuildQueues(cpus);
}

void BlkMq::BuildQueues(const CpuTopology& cpus) {
  cpus_.resize(cpus.cpu_count());
  for (unsigned cpu = 0; cpu < cpus.cpu_count(); ++cpu) cpus_[cpu].node = cpus.NodeOf(cpu);
  for (std::size_t t = 0; t < kHctxTypeCount; ++t) {
    const auto type = static_cast<HctxType>(t);
    const unsigned count = config_.queue_count[t];
    const std::size_t first = hctxs_.size();
    for (unsigned i = 0; i < count; ++i) {
      hctxs_.push_back(
          std::make_unique<Hctx>(static_cast<std::uint16_t>(first + i), type, config_.depth));
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
    FlushPlug(cpu);
    --in_caller_;
  }
}

void BlkMq::Submit(Bio* bio) {
  NVMEARB_CHECK(bio->cpu < cpus_.size(), "a bio comes from a CPU of this host");
  NVMEARB_CHECK(bio->cgroup != nullptr, "a bio has a cgroup");
  ++stats_.bios_submitted;
  Cpu& cpu = cpus_[bio->cpu];
  bio->issue_time = clock_.Now();
  bio->status = 0;
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
  const WrrLevel level =
      bio->op == BioOp::kFlush ? WrrLevel::kNone : bio->cgroup->LevelForIo(config_.disk_number);
  Hctx* const hctx = cpu.hctx[static_cast<std::size_t>(TypeOf(bio->op, bio->polled, level))];
  const bool may_merge = !cpu.plug.empty() || hctx->ctx_request_count > 0;
  if (may_merge && TryMerge(cpu, hctx, bio)) {
    ++stats_.merges;
    return;
  }
  std::uint32_t bytes_done = 0;
  if (hctx->waiters.empty() && Cut(hctx, bio, &bytes_done, plugged)) return;
  // No tag: as a task that goes to sleep does, let go of the plug, try again, then wait.
  ++stats_.tag_waits;
  FlushPlug(cpu);
  RunHwQueue(hctx);
  if (hctx->waiters.empty() && Cut(hctx, bio, &bytes_done, false)) return;
  hctx->waiters.Push({bio, bytes_done});
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
    Request* const request = hctx->tags.Allocate();
    if (request == nullptr) return false;
    ++stats_.requests;
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

// Completions made tags free: the bios that waited longest go on.
void BlkMq::WakeWaiters(Hctx* hctx) {
  if (waking_) return;  // a request failed while its bio was being cut; the loop below goes on
  waking_ = true;
  while (!hctx->waiters.empty()) {
    TagWaiter waiter = hctx->waiters.front();
    if (!Cut(hctx, waiter.bio, &waiter.bytes_done, false)) {
      hctx->waiters.front() = waiter;
      break;
    }
    hctx->waiters.Pop();
  }
  waking_ = false;
}

bool BlkMq::TryMerge(Cpu& cpu, Hctx* hctx, Bio* bio) {
  if (bio->op == BioOp::kFlush || bio->op == BioOp::kDiscard) return false;
  if (PieceBytes(bio->offset, bio->bytes) != bio->bytes) return false;
  // The plug's newest request only; where it sits in the list depends on the plug style.
  Request* const newest =
      config_.plug_style == PlugStyle::kQueueRqs ? cpu.plug.front() : cpu.plug.back();
  if (newest != nullptr && newest->hctx == hctx && MergeInto(newest, bio)) return true;
  if (hctx->ctx_request_count == 0) return false;
  // The list is singly linked: remember the last few while walking to its end.
  Request* recent[kMergeDepth] = {};
  int seen = 0;
  for (Request* r = cpu.lists[static_cast<std::size_t>(hctx->type)].front(); r != nullptr;
       r = r->next) {
    recent[seen++ % kMergeDepth] = r;
  }
  for (int i = 0; i < std::min(seen, kMergeDepth); ++i) {
    if (MergeInto(recent[(seen - 1 - i) % kMergeDepth], bio)) return true;
  }
  return false;
}

bool BlkMq::MergeInto(Request* request, Bio* bio) {
  const Bio& first = *request->bio;
  if (request->fragment || request->op != bio->op || first.cgroup != bio->cgroup ||
      first.ioprio_class != bio->ioprio_class || first.ioprio_level != bio->ioprio_level ||
      first.polled != bio->polled) {
    return false;
  }
  const std::uint32_t bytes = request->bytes + bio->bytes;
  const bool back = request->offset + request->bytes == bio->offset;
  const bool front = bio->offset + bio->bytes == request->offset;
  const std::uint64_t offset = front ? bio->offset : request->offset;
  if ((!back && !front) || PieceBytes(offset, bytes) != bytes ||
      request->bio_count >= config_.limits.max_segments) {
    return false;
  }
  bio->pending = 1;
  if (back) {
    bio->next = nullptr;
    request->bio_tail->next = bio;
    request->bio_tail = bio;
  } else {
    bio->next = request->bio;
    request->bio = bio;
  }
  request->offset = offset;
  request->bytes = bytes;
  ++request->bio_count;
  return true;
}

}  // namespace nvmearb::host
