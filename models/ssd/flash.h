// SPDX-License-Identifier: Apache-2.0
//
// Flash: dies and write buffer of a drive, which several controllers may share:
//
//  - each die works one operation at a time, its reads before its programs; it never preempts a
//    program. The first read behind a program takes `die_switch_ps` longer where more programs
//    wait, which it holds up;
//  - what was written joins the open program unit; full units are programmed on the dies in turn,
//  and
//    leave the buffer when the program has ended.
//
// Not thread safe; no allocation per command once the piece pool has grown to its working size.
#ifndef NVMEARB_MODELS_SSD_FLASH_H_
#define NVMEARB_MODELS_SSD_FLASH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ssd/kernel.h"
#include "ssd/ssd_params.h"

namespace nvmearb::ssd {

/// One controller's side of it.
class FlashUser {
 public:
  virtual ~FlashUser() = default;
  /// A die has what QueueRead() with this tag asked for.
  virtual void OnDieRead(std::uint64_t tag, std::uint32_t bytes) = 0;
  /// Bytes left the write buffer.
  virtual void OnFlashSpace() = 0;
};

class Flash {
 public:
  Flash(Kernel* kernel, const MediaParams& params);

  /// Users are told of space in turn. Not owned; all are attached before the first I/O.
  void Attach(FlashUser* user) { users_.push_back(user); }
  /// Power-on state of a drive with one user. With several it goes on for the others: what was
  /// queued is carried out, and what `unwritten_bytes` of the buffer were for is given up.
  void Reset(std::uint64_t unwritten_bytes);

  void QueueRead(std::uint32_t die, FlashUser* user, std::uint64_t tag, std::uint32_t bytes);
  /// Returns false, and does nothing, when the buffer has no room.
  [[nodiscard]] bool TryReserve(std::uint64_t bytes);
  /// Reserved bytes have arrived in the buffer.
  void Write(std::uint64_t bytes);

  [[nodiscard]] std::uint32_t die_count() const { return static_cast<std::uint32_t>(dies_.size()); }
  [[nodiscard]] std::uint64_t buffer_used_bytes() const { return buffer_used_bytes_; }
  /// For messages: die queues and buffer in one line.
  [[nodiscard]] std::string Describe() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  enum class Work : std::uint8_t { kIdle, kRead, kProgram };
  struct Piece {
    FlashUser* user;
    std::uint64_t tag;
    std::uint32_t bytes;
    std::uint32_t next;
  };
  struct Die {
    std::uint32_t read_head = kNone;
    std::uint32_t read_tail = kNone;
    std::uint32_t programs_waiting = 0;
    Work work = Work::kIdle;
  };

  void QueueProgram();
  void StartNext(std::uint32_t die);
  void DieDone(std::uint64_t tag);
  void TellOfSpace();

  Kernel* kernel_;
  MediaParams params_;
  std::vector<FlashUser*> users_;
  std::vector<Die> dies_;
  std::vector<Piece> pieces_;
  std::uint32_t free_piece_ = kNone;
  std::uint64_t buffer_used_bytes_ = 0;
  std::uint64_t open_unit_bytes_ = 0;
  std::uint32_t next_program_die_ = 0;
  std::uint32_t epoch_ = 0;  // events of before a Reset() are ignored
  std::size_t first_told_ = 0;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FLASH_H_
