// SPDX-License-Identifier: Apache-2.0
//
// IoGenerator: which I/O a job makes next: direction, device, offset, length and priority.
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
///   same place unless offset_increment moves it), back to the begin at its end. rw=read:BYTES
///   moves the position by that much more after each I/O, backwards if negative.
/// - Random: every block of the region once per pass, in blocks of the smallest block size of the
///   direction (or of ba=); directions of equal blocks share a pass. norandommap and every
///   random_distribution but `random`: independent draws. percentage_random: the rest continues
///   where the last I/O of the direction ended. rw=randread:N draws every N-th place and continues
///   from it, or repeats it (rw_sequencer=identical).
/// - several devices: file_service_type, one after the other by default; sequential: each once from
///   begin to end, as far as its bytes go, before the next.
/// - trimwrite: each trim is followed by a write of the same blocks.
/// - bs_is_seq_rand: I/O at a random place has the sizes of writes, other I/O those of reads.
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
    if (trim_write_) return last_was_trim_ ? kDirWrite : kDirTrim;
    return random_.Below(100) < read_percent_ ? kDirRead : kDirWrite;
  }

  PlannedIo Next(int direction);

  /// Priority of the I/O that Next() gave last: cmdprio's, or the job's.
  [[nodiscard]] IoPriority NextPriority(int direction, std::uint32_t bytes);

  /// Bytes of all regions: what one pass transfers.
  [[nodiscard]] std::uint64_t RegionBytes() const { return region_bytes_; }
  /// The largest I/O that can come.
  [[nodiscard]] std::uint32_t MaxIoBytes() const { return max_io_bytes_; }

 private:
  struct Region {
    BlockDevice* device = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
    std::array<std::uint64_t, kDirCount> position{};  // where the next sequential I/O begins
    std::array<std::uint64_t, kDirCount> last{};      // where the last one began
    std::array<std::uint64_t, kDirCount> blocks{};
    std::array<BlockPermutation, kDirCount> order;
    std::array<RandomDistribution, kDirCount> distribution;
  };
  std::uint32_t NextLength(const BlockSizes& sizes);
  bool DrawsPlace(std::size_t direction);
  std::size_t PickRegion();
  std::size_t DrawRegion();
  std::uint64_t RandomOffset(Region* region, std::size_t direction, std::uint32_t bytes);
  std::uint64_t SequentialOffset(const Region& region, std::size_t direction, std::uint32_t bytes);

  std::vector<Region> regions_;
  std::array<BlockSizes, kDirCount> sizes_;
  std::array<bool, kDirCount> fixed_size_{};
  std::array<std::uint32_t, kDirCount> unit_{};    // random places are multiples of it
  std::array<std::size_t, kDirCount> order_of_{};  // direction whose pass is shared
  std::array<bool, kDirCount> is_uniform_{};
  std::array<std::uint32_t, kDirCount> random_percent_{};
  std::array<std::vector<PriorityShare>, kDirCount> shares_;
  IoPriority priority_;
  base::Random random_;
  std::uint64_t region_bytes_ = 0;
  std::uint32_t max_io_bytes_ = 0;
  std::size_t region_ = 0;  // the next I/O's, unless its turn is over
  bool region_begun_ = false;
  std::uint32_t region_ios_left_ = 0;
  std::uint64_t region_bytes_left_ = 0;  // file_service_type=sequential
  FileService file_service_ = FileService::kRoundRobin;
  std::uint32_t file_service_ios_ = 1;
  DistributionSpec file_distribution_;
  RandomDistribution file_ranks_;  // of zipf and pareto: kRanksPerFile for each file
  std::uint32_t read_percent_ = 50;
  std::uint32_t sequence_count_ = 1;
  std::uint32_t sequence_left_ = 0;
  std::int64_t sequence_add_ = 0;
  PlannedIo trimmed_;
  int only_direction_ = kDirRead;
  bool mixed_ = false;
  bool trim_write_ = false;
  bool last_was_trim_ = false;
  bool is_random_ = false;
  bool identical_ = false;
  bool once_per_pass_ = false;
  bool size_by_place_ = false;  // bs_is_seq_rand
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_IO_GENERATOR_H_
