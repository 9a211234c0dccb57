// SPDX-License-Identifier: Apache-2.0
//
// IoGenerator: which I/O a job makes next: direction, device, offset and length.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_IO_GENERATOR_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_IO_GENERATOR_H_

#include <array>
#include <cstdint>
#include <vector>

#include "host_driver/block/bio.h"
#include "host_driver/workload/block_permutation.h"
#include "host_driver/workload/job_spec.h"
#include "nvme/base/random.h"

namespace nvmearb::host {

struct PlannedIo {
  BlockDevice* device = nullptr;
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

/// fio's rules (io_u.c, get_next_offset() and get_next_buflen(), in our words):
/// - Each device of filename= has a region [offset, offset + size); devices take turns.
/// - Sequential: one position per direction, starting at the region's begin (every clone at the
/// same
///   place unless offset_increment moves it), back to the begin at its end.
/// - Random: every block of the region once per pass, in blocks of the smallest block size of the
///   direction; reads and writes share a pass when their smallest blocks are equal. norandommap:
///   independent draws.
/// Sizes of a split or a range are drawn per I/O; an I/O that would cross the region's end is moved
/// down to end there.
class IoGenerator {
 public:
  /// `devices`: one per entry of filename=. `clone` counts from 0. `seed`, `stream`: random numbers
  /// of this job. Throws UserError (at spec.where) when a region does not fit its device.
  IoGenerator(const JobSpec& spec, const std::vector<BlockDevice*>& devices, unsigned clone,
              std::uint64_t seed, std::uint64_t stream);

  /// Direction of the next I/O, drawn by rwmixread in a mixed job.
  int NextDirection() {
    if (!mixed_) return only_direction_;
    return random_.Below(100) < read_percent_ ? kDirRead : kDirWrite;
  }

  PlannedIo Next(int direction);

  /// Bytes of all regions: what one pass transfers.
  [[nodiscard]] std::uint64_t RegionBytes() const { return region_bytes_; }
  /// The largest I/O that can come.
  [[nodiscard]] std::uint32_t MaxIoBytes() const { return max_io_bytes_; }

 private:
  struct Region {
    BlockDevice* device = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
    std::array<std::uint64_t, kDirCount> position{};
    std::array<std::uint64_t, kDirCount> blocks{};
    std::array<BlockPermutation, kDirCount> order;
  };
  std::uint32_t NextLength(const BlockSizes& sizes);

  std::vector<Region> regions_;
  std::array<BlockSizes, kDirCount> sizes_;
  std::array<bool, kDirCount> fixed_size_{};
  base::Random random_;
  std::uint64_t region_bytes_ = 0;
  std::uint32_t max_io_bytes_ = 0;
  std::size_t next_region_ = 0;
  std::uint32_t read_percent_ = 50;
  int only_direction_ = kDirRead;
  int order_of_write_ = kDirWrite;  // kDirRead when both directions share one order
  bool mixed_ = false;
  bool is_random_ = false;
  bool once_per_pass_ = false;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_IO_GENERATOR_H_
