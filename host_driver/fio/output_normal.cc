// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/output_normal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "host_driver/fio/numbers.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::string_view kReadName = "read";
constexpr std::string_view kWriteName = "write";
constexpr std::array<std::string_view, kDirCount> kDirNames = {kReadName, kWriteName, "trim"};
constexpr std::array<const char*, kDirCount> kGroupNames = {"   READ", "  WRITE", "   TRIM"};

std::string PatternName(const JobSpec& spec) {
  const std::string prefix = spec.random ? "rand" : "";
  const char* const name = spec.IsMixed()              ? "rw"
                           : spec.trims && spec.writes ? "trimwrite"
                           : spec.trims                ? "trim"
                           : spec.reads                ? "read"
                                                       : "write";
  return prefix + name;
}

std::string BlockRange(const BlockSizes& sizes) {
  return fmt::format("{}-{}", ShortBytes(sizes.min_bytes, true), ShortBytes(sizes.max_bytes, true));
}

std::string BytesBothWays(std::uint64_t bytes, const JobSpec& spec, const char* per) {
  const bool binary = spec.kb_base == 1024;
  return fmt::format("{}{} ({}{})", ShortBytes(bytes, binary), per, ShortBytes(bytes, !binary),
                     per);
}

void LatencyLine(const char* name, const RunningStat& stat, std::string* text) {
  if (stat.count() == 0) return;
  const LatencyUnit unit = LatencyUnitFor(stat.min(), stat.max(), stat.stddev());
  const auto scale = static_cast<double>(unit.divisor);
  fmt::format_to(
      std::back_inserter(*text), "    {} ({}): min={}, max={}, avg={:5.2f}, stdev={:5.2f}\n", name,
      unit.name, ShortNumber(stat.min() / unit.divisor, 6, false),
      ShortNumber(stat.max() / unit.divisor, 6, false), stat.mean() / scale, stat.stddev() / scale);
}

// Decimals that the longest percentile of a list needs, at least one.
std::size_t PercentilePrecision(const std::vector<double>& percentiles) {
  std::size_t precision = 1;
  for (const double percent : percentiles) {
    const std::string text = fmt::format("{}", percent);
    const std::size_t point = text.find('.');
    if (point != std::string::npos) precision = std::max(precision, text.size() - point - 1);
  }
  return precision;
}

void PercentileLines(const char* name, const LatencyHistogram& histogram, const JobSpec& spec,
                     std::string* text) {
  const std::vector<std::uint64_t> values = histogram.Percentiles(spec.percentiles);
  if (values.empty() || !histogram.enabled() || histogram.Total() == 0) return;
  const LatencyUnit unit = PercentileUnitFor(values.front(), values.back());
  auto out = std::back_inserter(*text);
  fmt::format_to(out, "    {} percentiles ({}):\n     |", name, unit.name);
  const std::size_t width =
      std::max<std::size_t>(5, std::to_string(values.back() / unit.divisor).size());
  const std::size_t precision = PercentilePrecision(spec.percentiles);
  const std::size_t per_line = (80 - 7) / (precision + 10 + width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0 && i % per_line == 0) *text += "     |";
    const std::uint64_t value = (values[i] + unit.divisor - 1) / unit.divisor;
    const bool last = i + 1 == values.size();
    fmt::format_to(out, " {:{}.{}f}th=[{:>{}}]{}", spec.percentiles[i], precision + 3, precision,
                   value, width, last ? "\n" : ",");
    if (!last && i % per_line == per_line - 1) *text += "\n";
  }
}

std::string PriorityName(const PriorityStats& entry, const JobSpec& spec) {
  return fmt::format("{} prio {}/{}", spec.lat_percentiles ? "lat" : "clat",
                     static_cast<int>(entry.priority.io_class), entry.priority.level);
}

void PriorityLines(const DirectionStats& stats, const JobSpec& spec, std::string* text) {
  for (const PriorityStats* const entry : stats.ShownPriorities()) {
    LatencyLine(PriorityName(*entry, spec).c_str(), entry->latency, text);
  }
}

void PriorityPercentiles(const DirectionStats& stats, const JobSpec& spec, std::string* text) {
  std::uint64_t total = 0;
  for (const PriorityStats& entry : stats.priorities) total += entry.latency.count();
  for (const PriorityStats* const entry : stats.ShownPriorities()) {
    const std::string name = fmt::format(
        "{} ({:.2f}% of IOs)", PriorityName(*entry, spec),
        100.0 * static_cast<double>(entry->latency.count()) / static_cast<double>(total));
    PercentileLines(name.c_str(), entry->histogram, spec, text);
  }
}

void RateLines(const DirectionStats& stats, const GroupReport& group, const JobSpec& spec,
               std::string* text) {
  auto out = std::back_inserter(*text);
  if (stats.bw.samples != 0) {
    const auto base = static_cast<double>(spec.kb_base);
    const bool large = stats.bw.mean > base * base;
    const double scale = large ? base : 1;
    const char* unit = large ? "MiB" : spec.kb_base == 1024 ? "KiB" : "kB";
    const auto divisor = static_cast<std::uint64_t>(scale);
    fmt::format_to(out,
                   "   bw ({:>5}/s): min={:5}, max={:5}, per={:3.2f}%, avg={:5.2f}, "
                   "stdev={:5.2f}, samples={}\n",
                   unit, stats.bw.min / divisor, stats.bw.max / divisor,
                   PercentOfAggregate(stats.bw.mean, group), stats.bw.mean / scale,
                   stats.bw.stddev() / scale, stats.bw.samples);
  }
  if (stats.iops.samples != 0) {
    fmt::format_to(out,
                   "   iops        : min={:5}, max={:5}, avg={:5.2f}, stdev={:5.2f}, "
                   "samples={}\n",
                   stats.iops.min, stats.iops.max, stats.iops.mean, stats.iops.stddev(),
                   stats.iops.samples);
  }
}

void DirectionLines(std::string_view name, const DirectionStats& stats,
                    const DirectionReport& report, const GroupReport& group, const JobSpec& spec,
                    std::string* text) {
  if (stats.io_bytes == 0) return;
  fmt::format_to(std::back_inserter(*text), "  {}: IOPS={}, BW={}({}/{}msec){}\n", name,
                 ShortNumber(static_cast<std::uint64_t>(report.iops), 4, false),
                 BytesBothWays(report.bw_bytes, spec, "/s"),
                 ShortBytes(stats.io_bytes, spec.kb_base == 1024), report.runtime_ms,
                 name == kWriteName ? "; 0 zone resets" : "");
  LatencyLine("slat", stats.slat, text);
  LatencyLine("clat", stats.clat, text);
  LatencyLine(" lat", stats.lat, text);
  PriorityLines(stats, spec, text);
  if (spec.slat_percentiles) PercentileLines("slat", stats.slat_histogram, spec, text);
  if (spec.clat_percentiles) PercentileLines("clat", stats.clat_histogram, spec, text);
  if (spec.lat_percentiles) PercentileLines("lat", stats.lat_histogram, spec, text);
  PriorityPercentiles(stats, spec, text);
  RateLines(stats, group, spec, text);
}

template <std::size_t kSize>
void LatencyTable(const char* unit, const std::array<std::uint64_t, kSize>& counts,
                  std::uint64_t total, std::string* text) {
  static constexpr std::array<const char*, 12> kNames = {
      "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};
  constexpr int kPerLine = 5;
  const std::array<double, kSize> percent = ToPercent(counts, total, kLeastLatencyPercent);
  int on_line = 0;
  bool any = false;
  for (std::size_t i = 0; i < kSize; ++i) {
    if (percent[i] <= 0) continue;
    if (on_line == 0) fmt::format_to(std::back_inserter(*text), "  lat ({})   : ", unit);
    fmt::format_to(std::back_inserter(*text), "{}{}={:3.2f}%", on_line == 0 ? "" : ", ", kNames[i],
                   percent[i]);
    any = true;
    if (++on_line == kPerLine) {
      *text += "\n";
      on_line = 0;
    }
  }
  if (any && on_line != 0) *text += "\n";
}

template <std::size_t kSize>
void DepthLine(const char* title, const std::array<const char*, kSize>& names,
               const std::array<std::uint64_t, kSize>& counts, std::uint64_t total,
               std::string* text) {
  const std::array<double, kSize> percent = ToPercent(counts, total, kLeastDepthPercent);
  *text += title;
  for (std::size_t i = 0; i < kSize; ++i) {
    fmt::format_to(std::back_inserter(*text), "{}{}={:3.1f}%", i == 0 ? "" : ", ", names[i],
                   percent[i]);
  }
  *text += "\n";
}

/// What strerror says of the errors that a job can have.
std::string_view ErrorText(std::uint32_t error) {
  constexpr std::uint32_t kEtimedout = 110;
  if (error == 0) return "";
  return error == kEtimedout ? " (Connection timed out)" : " (Input/output error)";
}

void RecordLines(const ReportRecord& record, const Report& report, std::string* text) {
  const JobSpec& spec = *record.spec;
  if (record.stats.TotalIos() == 0) return;
  auto out = std::back_inserter(*text);
  fmt::format_to(out, "{}: (groupid={}, jobs={}): err={:2d}{}: pid={}: {}\n", spec.name,
                 record.group_id, record.members, record.error, ErrorText(record.error),
                 record.number + 1, TimeText(report.now));
  if (!spec.description.empty()) fmt::format_to(out, "  Description  : [{}]\n", spec.description);
  for (int d = 0; d < kDirCount; ++d) {
    const auto i = static_cast<std::size_t>(d);
    DirectionLines(spec.unified_rw ? "mixed" : kDirNames[i], record.stats.direction(d),
                   record.directions[i], report.groups[record.group_id][i], spec, text);
  }
  if (spec.unified_both) {
    DirectionLines("mixed", record.stats.Mixed(), MixedRates(record),
                   MixedGroup(report.groups[record.group_id]), spec, text);
  }
  const SyncStats& sync = record.stats.sync();
  if (sync.latency.count() != 0) {
    *text += "  fsync/fdatasync/sync_file_range:\n";
    LatencyLine("sync", sync.latency, text);
    PercentileLines("sync", sync.histogram, spec, text);
  }
  const Distributions& tables = record.stats.distributions();
  const std::uint64_t total = record.stats.TotalIos();
  LatencyTable("nsec", tables.latency_ns, total, text);
  LatencyTable("usec", tables.latency_us, total, text);
  LatencyTable("msec", tables.latency_ms, total, text);
  fmt::format_to(out, "  cpu          : usr={:3.2f}%, sys={:3.2f}%, ctx={}, majf=0, minf=0\n",
                 record.usr_cpu, record.sys_cpu, record.ctx);
  constexpr std::array<const char*, 7> kDepths = {"1", "2", "4", "8", "16", "32", ">=64"};
  constexpr std::array<const char*, 7> kBatches = {"0", "4", "8", "16", "32", "64", ">=64"};
  DepthLine("  IO depths    : ", kDepths, tables.depth, tables.TotalDepth(), text);
  DepthLine("     submit    : ", kBatches, tables.submit, tables.total_submit, text);
  DepthLine("     complete  : ", kBatches, tables.complete, tables.total_complete, text);
  fmt::format_to(out,
                 "     issued rwts: total={},{},{},{} short=0,0,0,0 dropped=0,0,0,0\n"
                 "     latency   : target=0, window=0, percentile=100.00%, depth={}\n",
                 record.stats.direction(kDirRead).total_ios,
                 record.stats.direction(kDirWrite).total_ios,
                 record.stats.direction(kDirTrim).total_ios, sync.latency.count(), spec.iodepth);
}

void GroupLine(const char* name, const GroupReport& group, bool binary, std::string* text) {
  if (group.max_runtime_ms == 0) return;
  fmt::format_to(std::back_inserter(*text),
                 "{}: bw={}/s ({}/s), {}/s-{}/s ({}/s-{}/s), io={} ({}), run={}-{}msec\n", name,
                 ShortBytes(group.agg_bw, binary), ShortBytes(group.agg_bw, !binary),
                 ShortBytes(group.min_bw, binary), ShortBytes(group.max_bw, binary),
                 ShortBytes(group.min_bw, !binary), ShortBytes(group.max_bw, !binary),
                 ShortBytes(group.bytes, binary), ShortBytes(group.bytes, !binary),
                 group.min_runtime_ms, group.max_runtime_ms);
}

void GroupLines(const Report& report, std::string* text) {
  auto out = std::back_inserter(*text);
  for (std::size_t id = 0; id < report.groups.size(); ++id) {
    fmt::format_to(out, "\nRun status group {} (all jobs):\n", id);
    const auto same = [id](const ReportRecord& record) { return record.group_id == id; };
    const auto found = std::find_if(report.records.begin(), report.records.end(), same);
    const bool binary = found == report.records.end() || found->spec->kb_base == 1024;
    const bool unified = found != report.records.end() && found->spec->unified_rw;
    for (std::size_t d = 0; d < kDirCount; ++d) {
      GroupLine(unified ? "  MIXED" : kGroupNames[d], report.groups[id][d], binary, text);
    }
    const bool both = found != report.records.end() && found->spec->unified_both;
    if (both) GroupLine("  MIXED", MixedGroup(report.groups[id]), binary, text);
  }
}

void DiskLines(const Report& report, std::string* text) {
  if (report.disks.empty()) return;
  *text += "\nDisk stats (read/write):\n";
  for (const DiskUtil& disk : report.disks) {
    fmt::format_to(std::back_inserter(*text),
                   "  {}: ios={}/{}, merge={}/{}, ticks={}/{}, in_queue={}, util={:3.2f}%\n",
                   disk.name, disk.ios[kDirRead], disk.ios[kDirWrite], disk.merges[kDirRead],
                   disk.merges[kDirWrite], disk.ticks_ms[kDirRead], disk.ticks_ms[kDirWrite],
                   disk.in_queue_ms, disk.util_percent);
  }
}

}  // namespace

std::string NormalHeader(const std::vector<JobSpec>& jobs) {
  std::string text;
  unsigned group = 0;
  unsigned in_group = 0;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
  for (const JobSpec& spec : jobs) {
    if ((spec.stonewall || spec.new_group) && in_group > 0) {
      ++group;
      in_group = 0;
    }
    ++in_group;
    (spec.thread ? threads : processes) += spec.numjobs;
    fmt::format_to(std::back_inserter(text),
                   "{}: (g={}): rw={}, bs=(R) {}, (W) {}, (T) {}, ioengine={}, iodepth={}\n",
                   spec.name, group, PatternName(spec), BlockRange(spec.block_sizes[kDirRead]),
                   BlockRange(spec.block_sizes[kDirWrite]), BlockRange(spec.block_sizes[kDirTrim]),
                   spec.ioengine, spec.iodepth);
    if (spec.numjobs > 1) text += "...\n";
  }
  text += fmt::format("{}\nStarting ", kFioVersion);
  if (threads != 0) text += fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  if (threads != 0 && processes != 0) text += " and ";
  if (processes != 0) text += fmt::format("{} process{}", processes, processes == 1 ? "" : "es");
  return text + "\n";
}

std::string ToNormal(const Report& report) {
  std::string text = "\n";
  for (const ReportRecord& record : report.records) RecordLines(record, report, &text);
  GroupLines(report, &text);
  DiskLines(report, &text);
  return text;
}

}  // namespace nvmearb::host::fio
