// SPDX-License-Identifier: Apache-2.0
//
// Media: the time that reads and writes take behind the fetch window. Queueing stations:
//
//  - a read is cut into die reads of at most `die_read_bytes` on consecutive dies, the first picked
//    at random; each die works one operation at a time; what a die delivers goes over the shared
//    read link in the order of delivery; `read_completion_ps` after its last byte the command is
//    done;
//  - a write is taken when its bytes fit into the write buffer, goes over the write link, and is
//    done `write_completion_ps` later. Then its bytes join the open program unit; full units are
//    programmed on the dies in turn, and leave the buffer when the program has ended;
//  - a die does its reads before its programs and never preempts a program; the first read behind a
//    program takes `die_switch_ps` longer where more programs wait, which it holds up.
//
// Only time is modelled: I/O data is never moved, so what a read delivers to host memory is
// undefined. The random stream of an SQ is its own, so that the dies of its commands do not depend
// on the other SQs. Events of the Kernel per 4K read: two; per write: one, and one per program.
//
// Not thread safe; no allocation per command once the piece pool has grown to its working size.
#ifndef NVMEARB_MODELS_SSD_MEDIA_H_
#define NVMEARB_MODELS_SSD_MEDIA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "nvme/base/random.h"
#include "ssd/io_command.h"
#include "ssd/kernel.h"
#include "ssd/ssd_params.h"

namespace nvmearb::ssd {

/// Who waits for the media.
class MediaSink {
 public:
  virtual ~MediaSink() = default;
  /// The data of a command are at the host (read) or in the buffer (write).
  virtual void OnMediaDone(std::uint32_t command) = 0;
  /// Bytes left the write buffer.
  virtual void OnBufferSpace() = 0;
};

class Media {
 public:
  /// `pool` holds the commands; `sq_count` random streams are made from `seed`. Nothing is owned.
  Media(Kernel* kernel, const MediaParams& params, std::uint64_t seed, unsigned sq_count,
        IoCommandPool* pool, MediaSink* sink);

  /// Power-on state: nothing in flight, dies idle, buffer empty, random streams from their
  /// beginning.
  void Reset();

  void StartRead(std::uint32_t command);
  /// Returns false, and does nothing, when the buffer has no room for the command's bytes.
  [[nodiscard]] bool TryStartWrite(std::uint32_t command);

  [[nodiscard]] std::uint64_t buffer_used_bytes() const { return buffer_used_bytes_; }
  /// For messages: die queues and buffer in one line.
  [[nodiscard]] std::string Describe() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  enum class Work : std::uint8_t { kIdle, kRead, kProgram };
  struct Piece {
    std::uint32_t command;
    std::uint32_t bytes;
    std::uint32_t next;
  };
  struct Die {
    std::uint32_t read_head = kNone;
    std::uint32_t read_tail = kNone;
    std::uint32_t programs_waiting = 0;
    Work work = Work::kIdle;
  };

  // Events carry the epoch in their upper half: those of before a Reset() are ignored.
  [[nodiscard]] std::uint64_t Tag(std::uint32_t value) const {
    return (static_cast<std::uint64_t>(epoch_) << 32) | value;
  }
  [[nodiscard]] bool IsStale(std::uint64_t tag) const { return (tag >> 32) != epoch_; }

  void QueueRead(std::uint32_t die, std::uint32_t command, std::uint32_t bytes);
  void QueueProgram();
  void StartNext(std::uint32_t die);
  void DeliverRead(Die& die);
  void DieDone(std::uint64_t tag);
  void ReadDone(std::uint64_t tag);
  void WriteDone(std::uint64_t tag);

  Kernel* kernel_;
  MediaParams params_;
  std::uint64_t seed_;
  IoCommandPool* pool_;
  MediaSink* sink_;
  std::vector<Die> dies_;
  std::vector<Piece> pieces_;
  std::uint32_t free_piece_ = kNone;
  std::vector<base::Random> picks_;
  TimePs read_link_free_ps_ = 0;
  TimePs write_link_free_ps_ = 0;
  std::uint64_t buffer_used_bytes_ = 0;
  std::uint64_t open_unit_bytes_ = 0;
  std::uint32_t next_program_die_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_MEDIA_H_
