// SPDX-License-Identifier: Apache-2.0
//
// JobSpec: one section of a fio job file (or one --name of a command line), resolved and typed,
// before numjobs makes clones of it. Filled by host_driver/fio, run by workload::Runner.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_JOB_SPEC_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_JOB_SPEC_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/block/bio.h"
#include "host_driver/workload/random_distribution.h"

namespace nvmearb::host {

/// Data direction; index into the per-direction arrays.
enum Direction : int { kDirRead = 0, kDirWrite = 1, kDirTrim = 2, kDirCount = 3 };

/// Options as they were written, canonical key and value, in order: what fio prints as "job
/// options" and "global options". Flags without a value are left out, as fio does.
using OptionStrings = std::vector<std::pair<std::string, std::string>>;

/// One entry of bssplit: `percent` of the I/Os are `bytes` long.
struct BlockSizeShare {
  std::uint32_t bytes = 0;
  std::uint32_t percent = 0;
};

/// Block sizes of one direction: fixed (min == max), a range in steps of `min`, or a split.
struct BlockSizes {
  std::uint32_t min_bytes = 4096;
  std::uint32_t max_bytes = 4096;
  std::vector<BlockSizeShare> split;  ///< percents add up to 100; empty without bssplit
};

/// An I/O priority as ioprio_set(2) has it.
struct IoPriority {
  IoprioClass io_class = IoprioClass::kNone;
  std::uint8_t level = 0;  ///< 0 highest .. 7
  /// IOPRIO_PRIO_VALUE: orders priorities.
  [[nodiscard]] unsigned Encoded() const { return static_cast<unsigned>(io_class) << 13 | level; }
};

/// cmdprio_percentage, cmdprio_bssplit: `percent` of the I/Os of `bytes` (0: of any size) carry a
/// priority of their own.
struct PriorityShare {
  std::uint32_t bytes = 0;
  std::uint32_t percent = 0;
  bool has_own = false;  ///< the entry names its priority; else cmdprio_class and cmdprio
  IoPriority priority;
};

/// Bytes, or percent of the device's capacity when `percent` is not 0.
struct SizeOrPercent {
  std::uint64_t bytes = 0;
  std::uint32_t percent = 0;
  [[nodiscard]] bool IsSet() const { return bytes != 0 || percent != 0; }
  /// Resolves against a device of `capacity` bytes.
  [[nodiscard]] std::uint64_t Resolve(std::uint64_t capacity) const {
    return percent == 0 ? bytes
                        : static_cast<std::uint64_t>(static_cast<unsigned __int128>(capacity) *
                                                     percent / 100);
  }
};

/// exit_what: which jobs of the process end when one with exitall ends: those of its reporting
/// group, those that run at the moment (the next stonewall group still comes), or all.
enum class ExitAll : std::uint8_t { kGroup, kStonewall, kAll };

/// file_service_type: which of a job's files the next I/O goes to.
enum class FileService : std::uint8_t { kRoundRobin, kRandom, kSequential };

/// prio/prioclass were not given: the bio carries IOPRIO_CLASS_NONE.
inline constexpr std::uint8_t kIoprioLevelDefault = 4;

struct JobSpec {
  std::string name;
  std::string description;
  std::string where;  ///< "file:line" of the section, for messages
  /// Number of the fio process this job belongs to: stonewall, group ids and exitall act within it.
  int instance = 0;
  OptionStrings job_options;

  // What is done: rw, rwmixread, bs, bsrange, bssplit.
  bool reads = true;
  bool writes = false;
  bool bs_is_seq_rand = false;  ///< sizes of reads are those of sequential I/O, of writes of random
  bool trims = false;           ///< with writes: each block is trimmed, then written
  bool random = false;
  /// rw=randread:N: N I/Os from each random place on; rw=read:BYTES: so far from the end of one to
  /// the begin of the next, maybe backwards.
  std::uint32_t sequence_count = 1;
  std::int64_t sequence_add = 0;
  bool sequence_identical = false;  ///< rw_sequencer: those N are at the same place
  std::uint32_t read_percent = 50;  ///< of a job that both reads and writes
  std::array<BlockSizes, kDirCount> block_sizes;

  // Where: filename, size, offset, offset_increment.
  std::vector<std::string> filenames;
  FileService file_service = FileService::kRoundRobin;
  std::uint32_t file_service_ios = 1;  ///< of one file before the next; not where sequential
  DistributionSpec file_distribution;  ///< of kRandom; normal: 0..100 percent, whatever 0 gives
  std::string directory;               ///< of files that filename= does not name
  std::uint32_t nrfiles = 1;           ///< so many of them
  SizeOrPercent filesize;              ///< of each, where size= is not given
  SizeOrPercent size;                  ///< of the region; not set: from offset to the device's end
  SizeOrPercent offset;
  SizeOrPercent offset_increment;  ///< added once per clone
  bool norandommap = false;
  std::array<DistributionSpec, kDirCount> distribution;                   ///< random_distribution
  std::array<std::uint32_t, kDirCount> random_percent = {100, 100, 100};  ///< percentage_random
  std::array<std::uint32_t, kDirCount> block_align{};  ///< ba of random I/O; 0: the smallest block

  // How much and how long. Times in picoseconds, 0 = no limit.
  SizeOrPercent io_size;  ///< bytes to transfer in all; not set: `size` once per loop
  std::uint64_t number_ios = 0;
  std::uint32_t fsync_blocks = 0;      ///< a flush behind so many writes; 0: none
  std::uint32_t fdatasync_blocks = 0;  ///< the same for a device
  std::uint32_t loops = 1;
  bool time_based = false;
  TimePs runtime = 0;    ///< of the measured part, behind ramp_time
  TimePs ramp_time = 0;  ///< I/O runs but is not counted
  TimePs start_delay = 0;
  TimePs start_delay_high = 0;  ///< above start_delay: uniform between the two

  // How: ioengine, iodepth*, batches.
  std::string ioengine = "psync";
  std::uint32_t iodepth = 1;             ///< 1 whatever was asked with a synchronous engine
  std::uint32_t iodepth_low = 0;         ///< once full, reap until this many are left; 0 = iodepth
  std::uint32_t batch_submit = 1;        ///< iodepth_batch: I/Os per io_submit; 0 = iodepth
  std::uint32_t batch_complete_min = 1;  ///< io_getevents min_nr
  std::uint32_t batch_complete_max = 1;  ///< io_getevents nr
  bool hipri = false;
  bool direct = false;

  // Pace: rate, rate_iops (per direction; 0 = free), thinktime.
  std::array<std::uint64_t, kDirCount> rate_bytes_per_s{};
  std::array<std::uint64_t, kDirCount> rate_iops{};
  bool rate_poisson = false;                                    ///< rate_process=poisson
  std::array<std::uint64_t, kDirCount> rate_min_bytes_per_s{};  ///< below it the job ends (EIO)
  std::array<std::uint64_t, kDirCount> rate_min_iops{};
  std::uint32_t rate_cycle_ms = 1000;           ///< over which those two are looked at
  std::array<TimePs, kDirCount> max_latency{};  ///< an I/O that took longer ends the job
  TimePs thinktime = 0;
  TimePs thinktime_spin = 0;
  std::uint32_t thinktime_blocks = 1;
  bool thinktime_at_issue = false;  ///< thinktime_blocks_type: counts I/Os issued, not complete
  TimePs thinktime_iotime = 0;      ///< not 0: thinks after so long, too
  bool rate_ignore_thinktime = false;

  // Clones, order, placement.
  std::uint32_t numjobs = 1;
  bool stonewall = false;
  bool new_group = false;
  bool exitall = false;
  ExitAll exit_what = ExitAll::kGroup;
  bool thread = false;
  std::vector<std::uint16_t> cpus_allowed;  ///< sorted; empty: any
  bool cpus_allowed_split = false;
  IoprioClass ioprio_class = IoprioClass::kNone;
  std::uint8_t ioprio_level = kIoprioLevelDefault;
  std::array<std::vector<PriorityShare>, kDirCount> cmdprio;  ///< of reads and writes
  std::array<IoPriority, kDirCount> cmdprio_default = {
      IoPriority{IoprioClass::kRealtime, 0}, IoPriority{IoprioClass::kRealtime, 0}, IoPriority{}};
  std::string wait_for;             ///< name of a job that has to be done before
  std::string cgroup;               ///< path below the cgroup root; empty: the caller's choice
  std::uint32_t cgroup_weight = 0;  ///< of that cgroup, io.bfq.weight; 0 = not given

  // Random numbers.
  std::uint64_t randseed = 0x89;
  bool randrepeat = true;

  bool continue_on_error = false;  ///< a failed I/O is counted and does not end the job

  // Statistics.
  bool stats = true;          ///< false: left out of the report
  bool unified_both = false;  ///< unified_rw_reporting=both: reports all of them together, too
  bool unified_rw = false;    ///< unified_rw_reporting=mixed: all I/Os are counted as reads
  bool group_reporting = false;
  bool disable_lat = false;  ///< gtod_reduce sets the first three
  bool disable_clat = false;
  bool disable_slat = false;
  bool disable_bw =
      false;  ///< no effect on the samples, as in fio 3.33 (they feed per-I/O logs only)
  bool clat_percentiles = true;
  bool lat_percentiles = false;
  bool slat_percentiles = false;
  std::vector<double> percentiles = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                     80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  std::uint32_t bw_window_ms = 500;    ///< bwavgtime
  std::uint32_t iops_window_ms = 500;  ///< iopsavgtime
  std::uint32_t kb_base = 1024;
  std::uint32_t unit_base = 0;

  [[nodiscard]] bool IsMixed() const { return reads && writes; }
  [[nodiscard]] bool Does(int direction) const {
    return direction == kDirRead ? reads : direction == kDirWrite ? writes : trims;
  }
  /// What its I/Os carry without cmdprio.
  [[nodiscard]] IoPriority JobPriority() const {
    if (ioprio_class == IoprioClass::kNone) return {};
    return {ioprio_class, ioprio_level};
  }
  [[nodiscard]] bool TrimsThenWrites() const { return trims && writes; }
  [[nodiscard]] bool HasCmdprio() const {
    return !cmdprio[kDirRead].empty() || !cmdprio[kDirWrite].empty();
  }
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_JOB_SPEC_H_
