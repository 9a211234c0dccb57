// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/admin_queue.h"

#include <algorithm>

#include "nvme/admin_commands.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

AdminQueue::AdminQueue(Clock& clock, HostMemory& memory, nvme::DevicePort& device, unsigned dstrd,
                       TimePs timeout, Callback on_timeout)
    : clock_(clock),
      queue_(memory, device, 0, kDepth, dstrd),
      timeout_(timeout),
      on_timeout_(on_timeout) {}

void AdminQueue::Submit(const nvme::Sqe& sqe, AdminHandler handler) {
  for (std::uint16_t cid = 0; cid < kTagCount; ++cid) {
    Tag& tag = tags_[cid];
    if (tag.used) continue;
    tag = {handler, clock_.Now() + timeout_, true, false};
    ++outstanding_;
    ArmTimer(tag.deadline);
    Send(sqe, cid);
    return;
  }
  waiting_.push_back({sqe, handler});
}

void AdminQueue::SubmitAer(AdminHandler handler) {
  NVMEARB_CHECK(!aer_outstanding_, "one Asynchronous Event Request at a time");
  aer_outstanding_ = true;
  aer_handler_ = handler;
  Send(nvme::AsyncEventRequest::Encode(kAerCid), kAerCid);
}

void AdminQueue::Send(const nvme::Sqe& sqe, std::uint16_t cid) {
  nvme::Sqe* const slot = queue_.Slot();
  *slot = sqe;
  slot->SetCommandId(cid);
  queue_.Push(true);
}

void AdminQueue::Process() {
  queue_.ProcessCq([this](const nvme::Cqe& cqe) { HandleCqe(cqe); });
  while (!waiting_.empty() && outstanding_ < kTagCount) {
    const Waiting first = waiting_.front();
    waiting_.erase(waiting_.begin());
    Submit(first.sqe, first.handler);
  }
}

void AdminQueue::HandleCqe(const nvme::Cqe& cqe) {
  if (cqe.cid == kAerCid && aer_outstanding_) {
    aer_outstanding_ = false;
    const AdminHandler handler = aer_handler_;
    handler.function(handler.context, handler.argument, cqe);
    return;
  }
  if (cqe.cid >= kTagCount || !tags_[cqe.cid].used) {
    ++invalid_cids_;
    return;
  }
  tags_[cqe.cid].used = false;
  --outstanding_;
  const AdminHandler handler = tags_[cqe.cid].handler;
  handler.function(handler.context, handler.argument, cqe);
}

void AdminQueue::Reset() {
  queue_.Reinit();
  EndAll();
}

void AdminQueue::EndAll() {
  aer_outstanding_ = false;
  std::vector<AdminHandler> ended;
  for (Tag& tag : tags_) {
    if (tag.used) ended.push_back(tag.handler);
    tag.used = false;
  }
  for (const Waiting& waiting : waiting_) ended.push_back(waiting.handler);
  waiting_.clear();
  outstanding_ = 0;
  nvme::Cqe cqe;
  cqe.SetStatusPhase(static_cast<nvme::Status>(kHostAborted), true, true);
  for (const AdminHandler& handler : ended) {
    handler.function(handler.context, handler.argument, cqe);
  }
}

void AdminQueue::ArmTimer(TimePs when) {
  if (timer_armed_) return;
  timer_armed_ = true;
  clock_.At(when, Bind<&AdminQueue::TimerEvent>(this));
}

void AdminQueue::TimerEvent(std::uint64_t) {
  timer_armed_ = false;
  bool late = false;
  TimePs next = ~TimePs{0};
  for (Tag& tag : tags_) {
    if (!tag.used || tag.reported) continue;
    if (tag.deadline <= clock_.Now()) {
      tag.reported = true;
      late = true;
    } else {
      next = std::min(next, tag.deadline);
    }
  }
  if (next != ~TimePs{0}) ArmTimer(next);
  if (late) on_timeout_.function(on_timeout_.context, on_timeout_.argument);
}

}  // namespace nvmearb::host
