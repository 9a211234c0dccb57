// SPDX-License-Identifier: Apache-2.0
//
// Media: the time that reads and writes of one controller take behind the fetch window. Queueing
// stations; dies and write buffer are the Flash's (flash.h), its own or one that it shares:
//
//  - a read is cut into die reads of at most `die_read_bytes` on consecutive dies, the first picked
//    at random; what a die delivers goes over the controller's read link in the order of delivery;
//    `read_completion_ps` after its last byte the command is done;
//  - a write is taken when its bytes fit into the write buffer, goes over the write link, and is
//    done `write_completion_ps` later. Then its bytes are the Flash's to program.
//
// Only time is modelled: I/O data is never moved, so what a read delivers to host memory is
// undefined. The random stream of an SQ is its own, so that the dies of its commands do not depend
// on the other SQs. Events of the Kernel per 4K read: two; per write: one, and one per program.
//
// Not thread safe.
#ifndef NVMEARB_MODELS_SSD_MEDIA_H_
#define NVMEARB_MODELS_SSD_MEDIA_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nvme/base/random.h"
#include "ssd/flash.h"
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

class Media : private FlashUser {
 public:
  /// `pool` holds the commands; `sq_count` random streams are made from `seed`. `shared` has
  /// parameters of the same drive; null: a Flash of its own. Nothing else is owned.
  Media(Kernel* kernel, const MediaParams& params, std::uint64_t seed, unsigned sq_count,
        IoCommandPool* pool, MediaSink* sink, Flash* shared = nullptr);
  Media(const Media&) = delete;
  Media& operator=(const Media&) = delete;

  /// Power-on state: nothing in flight, random streams from their beginning; with a Flash of its
  /// own dies idle and buffer empty.
  void Reset();

  void StartRead(std::uint32_t command);
  /// Returns false, and does nothing, when the buffer has no room for the command's bytes.
  [[nodiscard]] bool TryStartWrite(std::uint32_t command);

  [[nodiscard]] std::uint64_t buffer_used_bytes() const { return flash_->buffer_used_bytes(); }
  /// For messages: die queues and buffer in one line.
  [[nodiscard]] std::string Describe() const { return flash_->Describe(); }

 private:
  // Events carry the epoch in their upper half: those of before a Reset() are ignored.
  [[nodiscard]] std::uint64_t Tag(std::uint32_t value) const {
    return (static_cast<std::uint64_t>(epoch_) << 32) | value;
  }
  [[nodiscard]] bool IsStale(std::uint64_t tag) const { return (tag >> 32) != epoch_; }

  void OnDieRead(std::uint64_t tag, std::uint32_t bytes) override;
  void OnFlashSpace() override { sink_->OnBufferSpace(); }
  void ReadDone(std::uint64_t tag);
  void WriteDone(std::uint64_t tag);

  Kernel* kernel_;
  MediaParams params_;
  std::uint64_t seed_;
  IoCommandPool* pool_;
  MediaSink* sink_;
  std::unique_ptr<Flash> own_flash_;
  Flash* flash_;
  std::vector<base::Random> picks_;
  TimePs read_link_free_ps_ = 0;
  TimePs write_link_free_ps_ = 0;
  std::uint64_t unwritten_bytes_ = 0;  // reserved in the buffer, not there yet
  std::uint32_t epoch_ = 0;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_MEDIA_H_
