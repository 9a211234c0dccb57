// SPDX-License-Identifier: Apache-2.0
//
// Platform: everything of a program that SystemC has to know before its first start: the Kernel and
// `kSlotCount` slots for drives, each with its sockets and its host memory. One per process, made
// at the first use, never destroyed before the end. Runs follow one another:
//
//   Platform& platform = Platform::Instance();
//   platform.Reset();                                   // local time 0, empty heap
//   SsdDevice device(&platform, 0, params, front_end);  // plugs into slot 0 until destroyed
//   device.AttachHost(&host);
//   platform.kernel().RunUntil(...);
//
// A run depends on nothing of the runs before it.
#ifndef NVMEARB_MODELS_SSD_PLATFORM_H_
#define NVMEARB_MODELS_SSD_PLATFORM_H_

#include <array>
#include <cstddef>
#include <memory>

#include "ssd/host_memory_target.h"
#include "ssd/kernel.h"
#include "ssd/ssd_sockets.h"

namespace nvmearb::ssd {

class Platform {
 public:
  static constexpr std::size_t kSlotCount = 8;

  /// One place for a drive. The DMA socket is bound to the memory target.
  struct Slot {
    std::unique_ptr<SsdSockets> sockets;
    std::unique_ptr<HostMemoryTarget> memory;
  };

  static Platform& Instance();

  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  [[nodiscard]] Kernel& kernel() { return *kernel_; }
  /// `index` < kSlotCount.
  [[nodiscard]] Slot& slot(std::size_t index) { return slots_.at(index); }

  /// Begins a new run. No drive may be plugged in.
  void Reset();

 private:
  Platform();

  std::unique_ptr<Kernel> kernel_;
  std::array<Slot, kSlotCount> slots_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_PLATFORM_H_
