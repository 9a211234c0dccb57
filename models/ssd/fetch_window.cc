// SPDX-License-Identifier: Apache-2.0
#include "ssd/fetch_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kTidyStream = 0x71d7;
constexpr std::uint64_t kNearBytes = 64 * 1024;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};  // this queue has not written yet

}  // namespace

FetchWindow::FetchWindow(Kernel* kernel, const SsdParams& params, FrontEnd* front_end,
                         IoCommandPool* pool, IoCompletionSink* sink, Statistics* statistics)
    : kernel_(kernel),
      slots_(params.media.window_slots),
      spacing_ps_(params.media.fetch_spacing_ps),
      flush_ps_(params.firmware.flush_ps),
      trim_ps_(params.firmware.trim_ps),
      front_end_(front_end),
      pool_(pool),
      sink_(sink),
      statistics_(statistics),
      tidy_share_(params.media.random_write_share),
      tidy_ps_(params.media.random_write_ps),
      tidy_random_(params.seed, kTidyStream),
      lba_shift_(params.identity.lba_shift) {}

void FetchWindow::Start(bool weighted_round_robin) {
  running_ = true;
  next_dispatch_ps_ = kernel_->Now();
  io_slot_out_ = true;
  front_end_->GiveSlots(weighted_round_robin ? 2 : 1);
}

void FetchWindow::Stop() {
  ++epoch_;
  SetWindowCount(0);
  if (stalled_) statistics_->stalled_ps += kernel_->Now() - stalled_since_ps_;
  waiting_.Clear();
  running_ = io_slot_out_ = timer_waiting_ = stalled_ = tidied_ = false;
}

void FetchWindow::Enqueue(std::uint32_t command) {
  io_slot_out_ = false;
  SetWindowCount(window_count_ + 1);
  waiting_.PushBack(*pool_, command);
  Dispatch();
}

/// Passes on what may go now, and sees to it that somebody calls again for the rest.
void FetchWindow::Dispatch() {
  while (!waiting_.empty() && !timer_waiting_) {
    if (kernel_->Now() < next_dispatch_ps_) {
      timer_waiting_ = true;
      kernel_->Call<&FetchWindow::DispatchTimer>(next_dispatch_ps_, this, epoch_);
      return;
    }
    const std::uint32_t command = waiting_.front();
    if (tidy_share_ > 0 && !tidied_) {
      tidied_ = true;
      const TimePs time = TidyTime((*pool_)[command]);
      if (time > 0) {
        next_dispatch_ps_ = kernel_->Now() + time;
        continue;
      }
    }
    if (!TryDispatch(command)) return;  // OnBufferSpace() calls again
    tidied_ = false;
    next_dispatch_ps_ = kernel_->Now() + spacing_ps_;
  }
  GiveSlot();
}

/// How long the drive is busy before it takes `io`, a write or not.
TimePs FetchWindow::TidyTime(const IoCommand& io) {
  if (io.status != nvme::Status::kSuccess || io.opcode != nvme::IoOpcode::kWrite) return 0;
  if (io.sqid >= write_end_.size()) write_end_.resize(io.sqid + 1u, kNowhere);
  const std::uint64_t begin = io.slba << lba_shift_;
  std::uint64_t& end = write_end_[io.sqid];
  const bool is_near = end == kNowhere || (begin >= end && begin - end <= kNearBytes);
  end = begin + io.bytes;
  if (is_near || tidy_random_.Unit() >= tidy_share_) return 0;
  return static_cast<TimePs>(-std::log1p(-tidy_random_.Unit()) * static_cast<double>(tidy_ps_));
}

void FetchWindow::DispatchTimer(std::uint64_t epoch) {
  if (epoch != epoch_) return;
  timer_waiting_ = false;
  Dispatch();
}

/// Starts the front of the list; false when it is a write without room in the buffer.
bool FetchWindow::TryDispatch(std::uint32_t command) {
  const IoCommand& io = (*pool_)[command];
  const bool good = io.status == nvme::Status::kSuccess;
  if (good && io.opcode == nvme::IoOpcode::kWrite && !media_->TryStartWrite(command)) {
    if (!stalled_) {
      stalled_ = true;
      stalled_since_ps_ = kernel_->Now();
      ++statistics_->stalls;
    }
    return false;
  }
  if (stalled_) {
    stalled_ = false;
    statistics_->stalled_ps += kernel_->Now() - stalled_since_ps_;
  }
  waiting_.PopFront(*pool_);
  if (good && io.opcode == nvme::IoOpcode::kRead) {
    media_->StartRead(command);
  } else if (good && io.opcode != nvme::IoOpcode::kWrite) {
    const TimePs time = io.opcode == nvme::IoOpcode::kFlush ? flush_ps_ : trim_ps_;
    kernel_->Call<&FetchWindow::FlushDone>(kernel_->Now() + time, this,
                                           (static_cast<std::uint64_t>(epoch_) << 32) | command);
  } else if (!good) {
    Complete(command);
  }
  return true;
}

void FetchWindow::FlushDone(std::uint64_t tag) {
  if ((tag >> 32) == epoch_) Complete(static_cast<std::uint32_t>(tag));
}

void FetchWindow::GiveSlot() {
  if (!running_ || io_slot_out_ || !waiting_.empty() || window_count_ >= slots_) return;
  io_slot_out_ = true;
  front_end_->GiveSlots(1);
}

void FetchWindow::Complete(std::uint32_t command) {
  SetWindowCount(window_count_ - 1);
  sink_->OnIoComplete(command);
  GiveSlot();
}

void FetchWindow::OnBufferSpace() {
  if (stalled_) Dispatch();
}

bool FetchWindow::AbortWaiting(std::uint16_t sqid, std::uint16_t cid, nvme::Status status) {
  for (std::uint32_t c = waiting_.front(); c != kNoCommand; c = (*pool_)[c].next) {
    IoCommand& io = (*pool_)[c];
    if (io.sqid != sqid || io.cid != cid) continue;
    if (c == waiting_.front() && stalled_) {
      stalled_ = false;
      statistics_->stalled_ps += kernel_->Now() - stalled_since_ps_;
    }
    if (c == waiting_.front()) tidied_ = false;
    waiting_.Remove(*pool_, c);
    io.status = status;
    Complete(c);
    Dispatch();
    return true;
  }
  return false;
}

void FetchWindow::SetWindowCount(std::uint32_t count) {
  const TimePs now = kernel_->Now();
  statistics_->window_area_ps += window_count_ * (now - window_since_ps_);
  window_since_ps_ = now;
  window_count_ = count;
  statistics_->window_peak = std::max(statistics_->window_peak, count);
}

void FetchWindow::UpdateStatistics() { SetWindowCount(window_count_); }

std::string FetchWindow::Describe() const {
  unsigned waiting_count = 0;
  for (std::uint32_t c = waiting_.front(); c != kNoCommand; c = (*pool_)[c].next) ++waiting_count;
  return fmt::format("window: {} of {} slots used, {} commands wait for dispatch{}, I/O slot {}",
                     window_count_, slots_, waiting_count, stalled_ ? " (write buffer full)" : "",
                     io_slot_out_ ? "with the arbiter" : "not given");
}

}  // namespace nvmearb::ssd
