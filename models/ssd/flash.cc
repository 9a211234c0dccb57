// SPDX-License-Identifier: Apache-2.0
#include "ssd/flash.h"

#include <fmt/format.h>

#include <algorithm>

namespace nvmearb::ssd {

Flash::Flash(Kernel* kernel, const MediaParams& params)
    : kernel_(kernel), params_(params), dies_(params.die_count) {
  pieces_.reserve(std::size_t{params.window_slots} * 8);
}

void Flash::Reset(std::uint64_t unwritten_bytes) {
  if (users_.size() > 1) {
    buffer_used_bytes_ -= unwritten_bytes;
    if (unwritten_bytes > 0) TellOfSpace();
    return;
  }
  ++epoch_;
  std::fill(dies_.begin(), dies_.end(), Die{});
  pieces_.clear();
  free_piece_ = kNone;
  buffer_used_bytes_ = 0;
  open_unit_bytes_ = 0;
  next_program_die_ = 0;
}

void Flash::QueueRead(std::uint32_t die_index, FlashUser* user, std::uint64_t tag,
                      std::uint32_t bytes) {
  std::uint32_t piece = free_piece_;
  if (piece == kNone) {
    piece = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back({});
  } else {
    free_piece_ = pieces_[piece].next;
  }
  pieces_[piece] = {user, tag, bytes, kNone};
  Die& die = dies_[die_index];
  if (die.read_head == kNone) {
    die.read_head = piece;
  } else {
    pieces_[die.read_tail].next = piece;
  }
  die.read_tail = piece;
  if (die.work == Work::kIdle) StartNext(die_index);
}

void Flash::StartNext(std::uint32_t die_index) {
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
  kernel_->Call<&Flash::DieDone>(kernel_->Now() + busy_ps, this,
                                 (static_cast<std::uint64_t>(epoch_) << 32) | die_index);
}

void Flash::DieDone(std::uint64_t tag) {
  if ((tag >> 32) != epoch_) return;
  const auto die_index = static_cast<std::uint32_t>(tag);
  Die& die = dies_[die_index];
  const Work ended = die.work;
  if (ended == Work::kRead) {
    const std::uint32_t index = die.read_head;
    const Piece piece = pieces_[index];
    die.read_head = piece.next;
    pieces_[index].next = free_piece_;
    free_piece_ = index;
    piece.user->OnDieRead(piece.tag, piece.bytes);
  }
  StartNext(die_index);
  if (ended == Work::kProgram) {
    buffer_used_bytes_ -= params_.program_unit_bytes;
    TellOfSpace();
  }
}

// Whoever was told first last time comes last: none of them starves the others.
void Flash::TellOfSpace() {
  const std::size_t count = users_.size();
  for (std::size_t i = 0; i < count; ++i) users_[(first_told_ + i) % count]->OnFlashSpace();
  if (++first_told_ >= count) first_told_ = 0;
}

bool Flash::TryReserve(std::uint64_t bytes) {
  if (buffer_used_bytes_ + bytes > params_.write_buffer_bytes) return false;
  buffer_used_bytes_ += bytes;
  return true;
}

void Flash::Write(std::uint64_t bytes) {
  open_unit_bytes_ += bytes;
  while (open_unit_bytes_ >= params_.program_unit_bytes) {
    open_unit_bytes_ -= params_.program_unit_bytes;
    QueueProgram();
  }
}

void Flash::QueueProgram() {
  const std::uint32_t die_index = next_program_die_;
  if (++next_program_die_ == params_.die_count) next_program_die_ = 0;
  ++dies_[die_index].programs_waiting;
  if (dies_[die_index].work == Work::kIdle) StartNext(die_index);
}

std::string Flash::Describe() const {
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
