// SPDX-License-Identifier: Apache-2.0
//
// HctxType: the classes of hardware queues of blk-mq with the WRR series on top, and which class an
// I/O belongs to.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_HCTX_TYPE_H_
#define NVMEARB_HOST_DRIVER_BLOCK_HCTX_TYPE_H_

#include <array>
#include <cstdint>

#include "host_driver/block/bio.h"
#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {

/// In enum order queue ids are handed out. Order of the series from v2 on: POLL last, because only
/// the last class has no interrupt vectors.
enum class HctxType : std::uint8_t {
  kDefault = 0,    ///< writes, flushes, everything not otherwise classed
  kRead = 1,       ///< reads of cgroups of level none, when read queues exist
  kWrrLow = 2,     ///< any I/O that is not polled, of a low cgroup
  kWrrMedium = 3,  ///< ... of a medium cgroup
  kWrrHigh = 4,    ///< ... of a high cgroup
  kWrrUrgent = 5,  ///< ... of an urgent cgroup
  kPoll = 6        ///< polled I/O of any cgroup
};
inline constexpr int kHctxTypeCount = 7;

/// One value per class, indexed by HctxType.
template <typename T>
using PerHctxType = std::array<T, kHctxTypeCount>;

[[nodiscard]] constexpr const char* HctxTypeName(HctxType type) {
  constexpr PerHctxType<const char*> kNames = {"default", "read",   "low", "medium",
                                               "high",    "urgent", "poll"};
  return kNames[static_cast<std::size_t>(type)];
}

/// Class of an I/O. `level` is that of its cgroup on this disk. A flush counts as level none. Reads
/// and writes of a WRR level share its class.
[[nodiscard]] constexpr HctxType TypeOf(BioOp op, bool polled, WrrLevel level) {
  if (op == BioOp::kFlush) return HctxType::kDefault;
  if (polled) return HctxType::kPoll;
  switch (level) {
    case WrrLevel::kLow:
      return HctxType::kWrrLow;
    case WrrLevel::kMedium:
      return HctxType::kWrrMedium;
    case WrrLevel::kHigh:
      return HctxType::kWrrHigh;
    case WrrLevel::kUrgent:
      return HctxType::kWrrUrgent;
    case WrrLevel::kNone:
      break;
  }
  return op == BioOp::kRead ? HctxType::kRead : HctxType::kDefault;
}

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_HCTX_TYPE_H_
