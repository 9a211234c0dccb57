// SPDX-License-Identifier: Apache-2.0
//
// Report: results of a run in the records fio reports: one per job, or one per group of jobs under
// group_reporting; input of output_json.h, output_normal.h and output_terse.h.
#ifndef NVMEARB_HOST_DRIVER_FIO_REPORT_H_
#define NVMEARB_HOST_DRIVER_FIO_REPORT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host_driver/workload/job_stats.h"
#include "host_driver/workload/runner.h"

namespace nvmearb::host::fio {

/// The version whose output is imitated.
inline constexpr const char* kFioVersion = "fio-3.33";

/// Rates of one direction. They are calculated from picoseconds, where fio divides by whole
/// milliseconds, because simulated runs may be short.
struct DirectionReport {
  std::uint64_t runtime_ms = 0;  ///< 0 without I/O in this direction; rounded up
  TimePs measured = 0;
  std::uint64_t bw_bytes = 0;  ///< bytes/s
  double iops = 0;
};

struct ReportRecord {
  const JobSpec* spec = nullptr;  ///< of the first member
  unsigned group_id = 0;
  unsigned members = 0;
  unsigned number = 0;  ///< of the first member
  std::uint32_t error = 0;
  JobStats stats;
  std::array<DirectionReport, kDirCount> directions;
  std::uint64_t job_runtime_ms = 0;  ///< summed over members, as fio does
  double usr_cpu = 0;                ///< percent of job_runtime
  double sys_cpu = 0;
  std::uint64_t ctx = 0;
};

/// "Run status group".
struct GroupReport {
  std::uint64_t bytes = 0;
  std::uint64_t agg_bw = 0;  ///< bytes/s over the longest runtime
  std::uint64_t min_bw = 0;
  std::uint64_t max_bw = 0;
  std::uint64_t min_runtime_ms = 0;
  std::uint64_t max_runtime_ms = 0;
};

/// fio's "disk_util" of one block device; times in ms.
struct DiskUtil {
  std::string name;
  std::array<std::uint64_t, kDirCount> ios{};
  std::array<std::uint64_t, kDirCount> merges{};
  std::array<std::uint64_t, kDirCount> ticks_ms{};
  std::uint64_t in_queue_ms = 0;
  double util_percent = 0;
};

struct Report {
  std::vector<ReportRecord> records;
  std::vector<std::array<GroupReport, kDirCount>> groups;  ///< index: group id
  OptionStrings global_options;
  std::vector<DiskUtil> disks;  ///< empty: left out
  TimePs now = 0;               ///< simulated time of the report: all time stamps come from it
};

/// Makes the records. Jobs with group_reporting join the record before them when that is of the
/// same group (stonewall and new_group separate groups), whatever their section, as in fio. Jobs
/// that never started are reported with zeros, jobs with stats=0 not at all. `user_percent`: see
/// WorkloadCosts.
[[nodiscard]] Report MakeReport(const std::vector<JobResult>& results,
                                const OptionStrings& global_options, TimePs now,
                                std::uint32_t user_percent);

/// All directions of a record together, and of a group: unified_rw_reporting=both. Of a group the
/// least and the largest bandwidth are those of single directions, as in fio.
[[nodiscard]] DirectionReport MixedRates(const ReportRecord& record);
[[nodiscard]] GroupReport MixedGroup(const std::array<GroupReport, kDirCount>& group);

/// Distribution in percent of `total`; what is above 0 is shown as at least `least`.
template <std::size_t kSize>
std::array<double, kSize> ToPercent(const std::array<std::uint64_t, kSize>& counts,
                                    std::uint64_t total, double least) {
  std::array<double, kSize> percent{};
  for (std::size_t i = 0; i < kSize; ++i) {
    if (total == 0 || counts[i] == 0) continue;
    percent[i] = static_cast<double>(counts[i]) / static_cast<double>(total) * 100.0;
    if (percent[i] < least) percent[i] = least;
  }
  return percent;
}
inline constexpr double kLeastDepthPercent = 0.1;
inline constexpr double kLeastLatencyPercent = 0.01;

/// Share of a record's mean bandwidth (KiB/s) in its group's, 0..100.
[[nodiscard]] double PercentOfAggregate(double mean_kib, const GroupReport& group);

/// "Thu Jan  1 00:00:02 1970": a time stamp from simulated time.
[[nodiscard]] std::string TimeText(TimePs now);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_REPORT_H_
