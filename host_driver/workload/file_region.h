// SPDX-License-Identifier: Apache-2.0
//
// FileRegion: a file of a job file: a stretch of a disk. There is no file system, no metadata and
// no page cache.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_FILE_REGION_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_FILE_REGION_H_

#include <cstdint>

#include "host_driver/block/bio.h"

namespace nvmearb::host {

/// [begin, begin + bytes) of `disk`, which outlives it. Offsets of bios count from `begin`, and are
/// moved when they are submitted.
class FileRegion final : public BlockDevice {
 public:
  FileRegion(BlockDevice* disk, std::uint64_t begin, std::uint64_t bytes)
      : disk_(disk), begin_(begin), bytes_(bytes) {}

  [[nodiscard]] std::uint64_t CapacityBytes() const override { return bytes_; }
  void Submit(Bio* bio) override {
    bio->offset += begin_;
    disk_->Submit(bio);
  }
  void StartPlug(std::uint16_t cpu) override { disk_->StartPlug(cpu); }
  void FinishPlug(std::uint16_t cpu) override { disk_->FinishPlug(cpu); }

 private:
  BlockDevice* disk_;
  std::uint64_t begin_;
  std::uint64_t bytes_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_FILE_REGION_H_
