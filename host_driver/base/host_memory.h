// SPDX-License-Identifier: Apache-2.0
//
// HostMemory: the physical memory of the simulated host as a device on the bus sees it.
#ifndef NVMEARB_HOST_DRIVER_BASE_HOST_MEMORY_H_
#define NVMEARB_HOST_DRIVER_BASE_HOST_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace nvmearb::host {

/// Sparse memory of 4 KiB pages. Memory is zero when allocated. Regions of one Allocate() are
/// contiguous both on the bus and in this process, so the owner may use the pointer directly, as a
/// driver uses coherent DMA memory. An unmapped page lies between any two regions: a device that
/// runs over the end of a queue gets a bus error.
///
/// Owns all memory. Not thread safe.
class HostMemory {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  /// First bus address handed out: above 4 GiB, so that an address cut to 32 bits is noticed.
  static constexpr std::uint64_t kBase = 0x1'0000'0000;

  struct Region {
    std::uint64_t address = 0;     ///< bus address
    std::uint8_t* data = nullptr;  ///< the same bytes in this process; null for Reserve()
    std::size_t bytes = 0;         ///< as asked for
  };

  HostMemory() = default;
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// Maps `bytes` (> 0, rounded up to pages) at a bus address that is a multiple of `align` (a
  /// power of two; at least one page is used).
  Region Allocate(std::size_t bytes, std::size_t align = kPageBytes);

  /// Maps a range whose pages get memory at the first write; until then they read as zeros. For
  /// data buffers, whose contents the host does not look at.
  Region Reserve(std::size_t bytes, std::size_t align = kPageBytes);

  /// Unmaps what Allocate() or Reserve() gave. Its bus addresses are never handed out again.
  void Free(const Region& region);

  /// Copies from the bus. Returns false, with nothing copied, when any byte is not mapped.
  [[nodiscard]] bool Read(std::uint64_t address, void* destination, std::size_t bytes) const {
    const std::uint64_t offset = address - kBase;  // wraps below the base: page number too large
    const std::uint64_t page = offset / kPageBytes;
    const std::uint64_t within = offset % kPageBytes;
    if (page < pages_.size() && within + bytes <= kPageBytes && pages_[page].data != nullptr) {
      std::memcpy(destination, pages_[page].data + within, bytes);
      return true;
    }
    return ReadSlow(address, destination, bytes);
  }

  /// Copies to the bus. Returns false, with nothing written, when any byte is not mapped.
  [[nodiscard]] bool Write(std::uint64_t address, const void* source, std::size_t bytes) {
    const std::uint64_t offset = address - kBase;
    const std::uint64_t page = offset / kPageBytes;
    const std::uint64_t within = offset % kPageBytes;
    if (page < pages_.size() && within + bytes <= kPageBytes && pages_[page].data != nullptr) {
      std::memcpy(pages_[page].data + within, source, bytes);
      return true;
    }
    return WriteSlow(address, source, bytes);
  }

  /// Bytes of pages that have memory behind them.
  [[nodiscard]] std::uint64_t backed_bytes() const { return backed_pages_ * kPageBytes; }

 private:
  struct Page {
    std::uint8_t* data = nullptr;
    bool mapped = false;
    bool owned = false;  // data is a lazily made page of its own
  };
  struct FreeDeleter {
    void operator()(void* memory) const;
  };
  using Block = std::unique_ptr<std::uint8_t, FreeDeleter>;

  static Block NewZeroed(std::size_t bytes);
  std::uint64_t NextAddress(std::size_t bytes, std::size_t align);
  [[nodiscard]] bool Mapped(std::uint64_t address, std::size_t bytes) const;
  bool ReadSlow(std::uint64_t address, void* destination, std::size_t bytes) const;
  bool WriteSlow(std::uint64_t address, const void* source, std::size_t bytes);

  std::vector<Page> pages_;  // index: (address - kBase) / kPageBytes
  std::vector<Block> blocks_;
  std::uint64_t backed_pages_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_HOST_MEMORY_H_
