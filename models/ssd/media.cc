// SPDX-License-Identifier: Apache-2.0
#include "ssd/media.h"

#include <fmt/format.h>

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kPsPerSecond = 1'000'000'000'000;

/// Time of `bytes` on a link; up to 18 MB a transfer before the product would overflow.
TimePs LinkPs(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return bytes * kPsPerSecond / bytes_per_s;
}

}  // namespace

Media::Media(Kernel* kernel, const MediaParams& params, std::uint64_t seed, unsigned sq_count,
             IoCommandPool* pool, MediaSink* sink)
    : kernel_(kernel),
      params_(params),
      seed_(seed),
      pool_(pool),
      sink_(sink),
      dies_(params.die_count),
      picks_(sq_count, base::Random(seed)) {
  pieces_.reserve(std::size_t{params.window_slots} * 8);
  Reset();
}

void Media::Reset() {
  ++epoch_;
  std::fill(dies_.begin(), dies_.end(), Die{});
  pieces_.clear();
  free_piece_ = kNone;
  for (std::size_t sqid = 0; sqid < picks_.size(); ++sqid) picks_[sqid] = base::Random(seed_, sqid);
  read_link_free_ps_ = 0;
  write_link_free_ps_ = 0;
  buffer_used_bytes_ = 0;
  open_unit_bytes_ = 0;
  next_program_die_ = 0;
}

void Media::StartRead(std::uint32_t command) {
  IoCommand& io = (*pool_)[command];
  const std::uint32_t unit = params_.die_read_bytes;
  std::uint32_t left = io.bytes;
  io.pieces_left = (left + unit - 1) / unit;
  auto die = static_cast<std::uint32_t>(picks_[io.sqid].Below(params_.die_count));
  while (left > 0) {
    const std::uint32_t bytes = std::min(left, unit);
    QueueRead(die, command, bytes);
    left -= bytes;
    if (++die == params_.die_count) die = 0;
  }
}

void Media::QueueRead(std::uint32_t die_index, std::uint32_t command, std::uint32_t bytes) {
  std::uint32_t piece = free_piece_;
  if (piece == kNone) {
    piece = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back({});
  } else {
    free_piece_ = pieces_[piece].next;
  }
  pieces_[piece] = {command, bytes, kNone};
  Die& die = dies_[die_index];
  if (die.read_head == kNone) {
    die.read_head = piece;
  } else {
    pieces_[die.read_tail].next = piece;
  }
  die.read_tail = piece;
  if (die.work == Work::kIdle) StartNext(die_index);
}

void Media::StartNext(std::uint32_t die_index) {
  Die& die = dies_[die_index];
  TimePs busy_ps = 0;
  if (die.read_head != kNone) {
    const bool breaks_programs = die.work == Work::kProgram && die.programs_waiting > 0;
    busy_ps = params_.die_read_ps + (breaks_programs ? params_.die_switch_ps : 0);
    die.work = Work::kRead;
  } else if (die.programs_waiting > 0) {
    die.work = Work::kProgram;
    --die.programs_waiting;
    busy_ps = params_.die_program_ps;
  } else {
    die.work = Work::kIdle;
    return;
  }
  kernel_->Call<&Media::DieDone>(kernel_->Now() + busy_ps, this, Tag(die_index));
}

void Media::DieDone(std::uint64_t tag) {
  if (IsStale(tag)) return;
  const auto die_index = static_cast<std::uint32_t>(tag);
  Die& die = dies_[die_index];
  const Work ended = die.work;
  if (ended == Work::kRead) DeliverRead(die);
  StartNext(die_index);
  if (ended == Work::kProgram) {
    buffer_used_bytes_ -= params_.program_unit_bytes;
    sink_->OnBufferSpace();
  }
}

/// The read at the front of `die` has its data: put them on the link.
void Media::DeliverRead(Die& die) {
  const std::uint32_t index = die.read_head;
  const Piece piece = pieces_[index];
  die.read_head = piece.next;
  pieces_[index].next = free_piece_;
  free_piece_ = index;

  read_link_free_ps_ = std::max(read_link_free_ps_, kernel_->Now()) +
                       LinkPs(piece.bytes, params_.read_link_bytes_per_s);
  if (--(*pool_)[piece.command].pieces_left == 0) {
    kernel_->Call<&Media::ReadDone>(read_link_free_ps_ + params_.read_completion_ps, this,
                                    Tag(piece.command));
  }
}

void Media::ReadDone(std::uint64_t tag) {
  if (!IsStale(tag)) sink_->OnMediaDone(static_cast<std::uint32_t>(tag));
}

bool Media::TryStartWrite(std::uint32_t command) {
  const std::uint32_t bytes = (*pool_)[command].bytes;
  if (buffer_used_bytes_ + bytes > params_.write_buffer_bytes) return false;
  buffer_used_bytes_ += bytes;
  write_link_free_ps_ =
      std::max(write_link_free_ps_, kernel_->Now()) + LinkPs(bytes, params_.write_link_bytes_per_s);
  kernel_->Call<&Media::WriteDone>(write_link_free_ps_ + params_.write_completion_ps, this,
                                   Tag(command));
  return true;
}

void Media::WriteDone(std::uint64_t tag) {
  if (IsStale(tag)) return;
  const auto command = static_cast<std::uint32_t>(tag);
  open_unit_bytes_ += (*pool_)[command].bytes;
  while (open_unit_bytes_ >= params_.program_unit_bytes) {
    open_unit_bytes_ -= params_.program_unit_bytes;
    QueueProgram();
  }
  sink_->OnMediaDone(command);
}

void Media::QueueProgram() {
  const std::uint32_t die_index = next_program_die_;
  if (++next_program_die_ == params_.die_count) next_program_die_ = 0;
  ++dies_[die_index].programs_waiting;
  if (dies_[die_index].work == Work::kIdle) StartNext(die_index);
}

std::string Media::Describe() const {
  unsigned busy = 0;
  unsigned programs = 0;
  for (const Die& die : dies_) {
    if (die.work != Work::kIdle) ++busy;
    programs += die.programs_waiting;
  }
  return fmt::format("media: {} of {} dies busy, {} programs waiting, write buffer {} of {} bytes",
                     busy, dies_.size(), programs, buffer_used_bytes_, params_.write_buffer_bytes);
}

}  // namespace nvmearb::ssd
