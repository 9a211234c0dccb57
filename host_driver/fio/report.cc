// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace nvmearb::host::fio {
namespace {

constexpr std::uint64_t ToMsRoundedUp(TimePs time) { return (time + kMs - 1) / kMs; }

std::uint64_t PerSecond(std::uint64_t amount, TimePs time) {
  return time == 0
             ? 0
             : static_cast<std::uint64_t>(static_cast<unsigned __int128>(amount) * kSec / time);
}

struct CpuSums {
  TimePs busy = 0;
  TimePs measured = 0;
};

void AddMember(const JobResult& result, ReportRecord* record, CpuSums* cpu) {
  ++record->members;
  if (record->error == 0) record->error = result.error;
  record->stats.Merge(*result.stats);
  for (int d = 0; d < kDirCount; ++d) {
    if (result.stats->direction(d).total_ios == 0) continue;
    DirectionReport& direction = record->directions[static_cast<std::size_t>(d)];
    direction.measured = std::max(direction.measured, result.measured);
  }
  record->job_runtime_ms += ToMsRoundedUp(result.measured);
  record->ctx += result.voluntary_switches;
  cpu->busy += result.cpu_busy;
  cpu->measured += result.measured + result.spec->ramp_time;
}

void Finish(const CpuSums& cpu, std::uint32_t user_percent, ReportRecord* record) {
  for (int d = 0; d < kDirCount; ++d) {
    const DirectionStats& stats = record->stats.direction(d);
    DirectionReport& direction = record->directions[static_cast<std::size_t>(d)];
    direction.runtime_ms = ToMsRoundedUp(direction.measured);
    direction.bw_bytes = PerSecond(stats.io_bytes, direction.measured);
    if (direction.measured != 0) {
      direction.iops = static_cast<double>(stats.total_ios) /
                       (static_cast<double>(direction.measured) / static_cast<double>(kSec));
    }
  }
  if (cpu.measured == 0) return;
  const double busy = 100.0 * static_cast<double>(cpu.busy) / static_cast<double>(cpu.measured);
  record->usr_cpu = busy * user_percent / 100.0;
  record->sys_cpu = busy - record->usr_cpu;
}

void AddToGroup(const ReportRecord& record, std::array<GroupReport, kDirCount>* groups,
                std::array<TimePs, kDirCount>* longest) {
  for (std::size_t d = 0; d < kDirCount; ++d) {
    const DirectionReport& direction = record.directions[d];
    GroupReport& group = (*groups)[d];
    if (direction.measured == 0) continue;
    const bool first = group.max_runtime_ms == 0;
    group.bytes += record.stats.direction(static_cast<int>(d)).io_bytes;
    group.min_runtime_ms =
        first ? direction.runtime_ms : std::min(group.min_runtime_ms, direction.runtime_ms);
    group.max_runtime_ms = std::max(group.max_runtime_ms, direction.runtime_ms);
    group.min_bw = first ? direction.bw_bytes : std::min(group.min_bw, direction.bw_bytes);
    group.max_bw = std::max(group.max_bw, direction.bw_bytes);
    (*longest)[d] = std::max((*longest)[d], direction.measured);
    group.agg_bw = PerSecond(group.bytes, (*longest)[d]);
  }
}

}  // namespace

Report MakeReport(const std::vector<JobResult>& results, const OptionStrings& global_options,
                  TimePs now, std::uint32_t user_percent) {
  Report report;
  report.global_options = global_options;
  report.now = now;
  std::vector<CpuSums> cpu;
  for (const JobResult& result : results) {
    if (!result.spec->stats) continue;
    const bool joins = result.spec->group_reporting && !report.records.empty() &&
                       report.records.back().group_id == result.group_id;
    if (!joins) {
      ReportRecord record;
      record.spec = result.spec;
      record.group_id = result.group_id;
      record.number = result.number;
      report.records.push_back(std::move(record));
      cpu.emplace_back();
    }
    AddMember(result, &report.records.back(), &cpu.back());
  }
  std::vector<std::array<TimePs, kDirCount>> longest;
  for (std::size_t i = 0; i < report.records.size(); ++i) {
    ReportRecord& record = report.records[i];
    Finish(cpu[i], user_percent, &record);
    if (record.group_id >= report.groups.size()) {
      report.groups.resize(record.group_id + 1);
      longest.resize(record.group_id + 1);
    }
    AddToGroup(record, &report.groups[record.group_id], &longest[record.group_id]);
  }
  return report;
}

DirectionReport MixedRates(const ReportRecord& record) {
  DirectionReport all;
  for (const DirectionReport& one : record.directions) {
    all.measured = std::max(all.measured, one.measured);
  }
  all.runtime_ms = ToMsRoundedUp(all.measured);
  all.bw_bytes = PerSecond(record.stats.TotalBytes(), all.measured);
  if (all.measured != 0) {
    all.iops = static_cast<double>(record.stats.TotalIos()) /
               (static_cast<double>(all.measured) / static_cast<double>(kSec));
  }
  return all;
}

GroupReport MixedGroup(const std::array<GroupReport, kDirCount>& group) {
  GroupReport all;
  for (const GroupReport& one : group) {
    if (one.max_runtime_ms == 0) continue;
    const bool first = all.max_runtime_ms == 0;
    all.bytes += one.bytes;
    all.agg_bw += one.agg_bw;
    all.min_bw = first ? one.min_bw : std::min(all.min_bw, one.min_bw);
    all.max_bw = std::max(all.max_bw, one.max_bw);
    all.min_runtime_ms =
        first ? one.min_runtime_ms : std::min(all.min_runtime_ms, one.min_runtime_ms);
    all.max_runtime_ms = std::max(all.max_runtime_ms, one.max_runtime_ms);
  }
  return all;
}

double PercentOfAggregate(double mean_kib, const GroupReport& group) {
  if (group.agg_bw <= 1024) return 100.0;
  // fio hands the mean over as a whole number.
  const double whole = static_cast<double>(static_cast<std::int64_t>(mean_kib));
  return std::min(100.0, whole * 100.0 / (static_cast<double>(group.agg_bw) / 1024.0));
}

std::string TimeText(TimePs now) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto seconds = static_cast<std::time_t>(now / kSec);
  std::tm tm{};
  gmtime_r(&seconds, &tm);
  return fmt::format("{} {} {:2d} {:02d}:{:02d}:{:02d} {}", kDays[tm.tm_wday], kMonths[tm.tm_mon],
                     tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, 1900 + tm.tm_year);
}

}  // namespace nvmearb::host::fio
