// SPDX-License-Identifier: Apache-2.0
//
// VolumeLayout: where the volumes of a trace lie on one simulated disk.
#ifndef NVMEARB_TRACE_VOLUME_LAYOUT_H_
#define NVMEARB_TRACE_VOLUME_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "trace/trace_record.h"

namespace nvmearb::trace {

/// The first volume begins at 0; the others begin spread over the disk, the n-th at the fraction
/// n x 0.618... of it. Sizes of volumes are not known beforehand: what goes beyond the disk's end
/// goes on at its begin, so that neighbours stay neighbours and volumes may overlap, which means
/// nothing to this drive. An I/O is widened to whole 512-byte blocks.
class VolumeLayout {
 public:
  explicit VolumeLayout(std::uint64_t capacity_bytes) : capacity_(capacity_bytes) {}

  struct Extent {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  /// Of a record with data; its bytes are at most the capacity.
  Extent Place(const TraceRecord& record);

  [[nodiscard]] std::size_t volume_count() const { return begins_.size(); }
  /// I/Os beyond the disk's end, and I/Os that were widened.
  [[nodiscard]] std::uint64_t wrapped() const { return wrapped_; }
  [[nodiscard]] std::uint64_t widened() const { return widened_; }

 private:
  std::uint64_t BeginOf(std::string_view volume);

  std::uint64_t capacity_;
  std::map<std::string, std::uint64_t, std::less<>> begins_;
  std::uint64_t wrapped_ = 0;
  std::uint64_t widened_ = 0;
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_VOLUME_LAYOUT_H_
