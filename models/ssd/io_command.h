// SPDX-License-Identifier: Apache-2.0
//
// IoCommand: an I/O command between fetch and completion, and the pool that holds all of them.
// Stations of the device pass indices of the pool around; a command is on at most one list at a
// time (`next`).
#ifndef NVMEARB_MODELS_SSD_IO_COMMAND_H_
#define NVMEARB_MODELS_SSD_IO_COMMAND_H_

#include <cstdint>
#include <vector>

#include "arbiter/types.h"
#include "nvme/base/check.h"
#include "nvme/opcodes.h"
#include "nvme/status.h"
#include "ssd/kernel.h"

namespace nvmearb::ssd {

struct IoCommand {
  TimePs fetched_ps = 0;
  std::uint64_t slba = 0;
  std::uint32_t bytes = 0;
  std::uint32_t pieces_left = 0;  ///< die reads not yet on the link
  std::uint32_t next = 0;
  std::uint16_t sqid = 0;
  std::uint16_t cqid = 0;
  std::uint16_t cid = 0;
  nvme::Status status = nvme::Status::kSuccess;  ///< not kSuccess: completes without the media
  nvme::IoOpcode opcode = nvme::IoOpcode::kFlush;
  arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
};

inline constexpr std::uint32_t kNoCommand = ~std::uint32_t{0};

/// Fixed places for IoCommands, handed out by index. Grows when it is full; no allocation
/// otherwise.
class IoCommandPool {
 public:
  explicit IoCommandPool(std::uint32_t count) { Grow(count); }

  [[nodiscard]] IoCommand& operator[](std::uint32_t index) { return commands_[index]; }

  /// A default IoCommand. References into the pool are not valid any more.
  std::uint32_t Allocate() {
    if (free_.empty()) Grow(static_cast<std::uint32_t>(commands_.size()));
    const std::uint32_t index = free_.back();
    free_.pop_back();
    commands_[index] = IoCommand{};
    return index;
  }
  void Free(std::uint32_t index) { free_.push_back(index); }

  /// Commands in use.
  [[nodiscard]] std::uint32_t UsedCount() const {
    return static_cast<std::uint32_t>(commands_.size() - free_.size());
  }
  /// Frees all.
  void Clear() {
    free_.clear();
    for (std::size_t i = commands_.size(); i > 0; --i) {
      free_.push_back(static_cast<std::uint32_t>(i - 1));
    }
  }

 private:
  void Grow(std::uint32_t count) {
    const std::size_t old_count = commands_.size();
    commands_.resize(old_count + count);
    free_.reserve(commands_.size());
    for (std::size_t i = commands_.size(); i > old_count; --i) {
      free_.push_back(static_cast<std::uint32_t>(i - 1));
    }
  }

  std::vector<IoCommand> commands_;
  std::vector<std::uint32_t> free_;
};

/// FIFO of commands of one pool, linked through IoCommand::next.
class IoCommandList {
 public:
  [[nodiscard]] bool empty() const { return head_ == kNoCommand; }
  [[nodiscard]] std::uint32_t front() const { return head_; }

  void PushBack(IoCommandPool& pool, std::uint32_t index) {
    pool[index].next = kNoCommand;
    if (head_ == kNoCommand) {
      head_ = index;
    } else {
      pool[tail_].next = index;
    }
    tail_ = index;
  }
  void PopFront(IoCommandPool& pool) { head_ = pool[head_].next; }

  /// Takes out `index`, which is on this list. Linear.
  void Remove(IoCommandPool& pool, std::uint32_t index) {
    if (head_ == index) {
      PopFront(pool);
      return;
    }
    std::uint32_t before = head_;
    while (pool[before].next != index) before = pool[before].next;
    pool[before].next = pool[index].next;
    if (tail_ == index) tail_ = before;
  }
  void Clear() { head_ = tail_ = kNoCommand; }

 private:
  std::uint32_t head_ = kNoCommand;
  std::uint32_t tail_ = kNoCommand;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_IO_COMMAND_H_
