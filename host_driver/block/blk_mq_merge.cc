// SPDX-License-Identifier: Apache-2.0
//
// How a bio joins a request, and a request another.
#include <algorithm>

#include "host_driver/block/blk_mq.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

// blk_mq_sched_bio_merge looks at this many requests of the CPU's list, newest first.
constexpr int kMergeDepth = 8;

bool SameKind(const Bio& a, const Bio& b) {
  return a.op == b.op && a.cgroup == b.cgroup && a.ioprio_class == b.ioprio_class &&
         a.ioprio_level == b.ioprio_level && a.polled == b.polled;
}

}  // namespace

bool BlkMq::TryMerge(Cpu& cpu, Hctx* hctx, Bio* bio) {
  if (bio->op == BioOp::kFlush || bio->op == BioOp::kDiscard) return false;
  if (PieceBytes(bio->offset, bio->bytes) != bio->bytes) return false;
  // The plug's newest request only; where it sits in the list depends on the plug style.
  Request* const newest =
      config_.plug_style == PlugStyle::kQueueRqs ? cpu.plug.front() : cpu.plug.back();
  if (newest != nullptr && newest->hctx == hctx && MergeInto(newest, bio)) return true;
  if (elevator_ != nullptr) return elevator_->BioMerge(bio, hctx);
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
  const MergeKind kind = MergeOf(*request, *bio);
  if (kind == MergeKind::kNone) return false;
  Merge(request, bio, kind);
  return true;
}

MergeKind BlkMq::MergeOf(const Request& request, const Bio& bio) const {
  const bool back = request.End() == bio.offset;
  const bool front = !back && bio.offset + bio.bytes == request.offset;
  if (!back && !front) return MergeKind::kNone;
  if (request.fragment || !SameKind(*request.bio, bio)) return MergeKind::kNone;
  const std::uint32_t bytes = request.bytes + bio.bytes;
  if (PieceBytes(front ? bio.offset : request.offset, bytes) != bytes ||
      request.bio_count >= config_.limits.max_segments) {
    return MergeKind::kNone;
  }
  return back ? MergeKind::kBack : MergeKind::kFront;
}

void BlkMq::Merge(Request* request, Bio* bio, MergeKind kind) {
  bio->pending = 1;
  if (kind == MergeKind::kBack) {
    bio->next = nullptr;
    request->bio_tail->next = bio;
    request->bio_tail = bio;
  } else {
    bio->next = request->bio;
    request->bio = bio;
    request->offset = bio->offset;
  }
  request->bytes += bio->bytes;
  ++request->bio_count;
}

bool BlkMq::MayAbsorb(const Request& request, const Request& next) const {
  if (config_.nomerges || request.End() != next.offset) return false;
  if (request.fragment || next.fragment || request.op == BioOp::kDiscard) return false;
  if (request.hctx != next.hctx || !SameKind(*request.bio, *next.bio)) return false;
  const std::uint32_t bytes = request.bytes + next.bytes;
  return PieceBytes(request.offset, bytes) == bytes &&
         static_cast<unsigned>(request.bio_count) + next.bio_count <= config_.limits.max_segments;
}

void BlkMq::Absorb(Request* request, Request* next) {
  request->bio_tail->next = next->bio;
  request->bio_tail = next->bio_tail;
  request->bytes += next->bytes;
  request->bio_count = static_cast<std::uint8_t>(request->bio_count + next->bio_count);
  NVMEARB_CHECK(next->tag == kNoTag, "a queued request has no driver tag");
  Hctx* const hctx = next->hctx;
  if (next->limited) --hctx->limited_count;
  hctx->tags.Free(next);
  ++stats_.absorbed;
  if (hctx->waiters.empty()) return;
  ++hctx->silent_frees;  // not from within the scheduler
  RunLater(hctx, 0);
}

}  // namespace nvmearb::host
