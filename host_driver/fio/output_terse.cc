// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/output_terse.h"

#include <fmt/format.h>

#include <iterator>

namespace nvmearb::host::fio {
namespace {

constexpr std::size_t kPercentileSlots = 20;

void Latency(const RunningStat& stat, std::string* line) {
  fmt::format_to(std::back_inserter(*line), ";{};{};{:.6f};{:.6f}", stat.min() / 1000,
                 stat.max() / 1000, stat.mean() / 1000, stat.stddev() / 1000);
}

void Direction(const DirectionStats& stats, const DirectionReport& report, const GroupReport& group,
               const JobSpec& spec, std::string* line) {
  auto out = std::back_inserter(*line);
  fmt::format_to(out, ";{};{};{};{}", stats.io_bytes >> 10, report.bw_bytes / 1024,
                 static_cast<std::uint64_t>(report.iops), report.runtime_ms);
  Latency(stats.slat, line);
  Latency(stats.clat, line);
  // Slots of the percentiles that are measured; lat goes before clat. Without samples: zeros.
  const bool any = spec.lat_percentiles || spec.clat_percentiles;
  const LatencyHistogram& histogram =
      spec.lat_percentiles ? stats.lat_histogram : stats.clat_histogram;
  const std::vector<std::uint64_t> values = histogram.Percentiles(spec.percentiles);
  for (std::size_t i = 0; i < kPercentileSlots; ++i) {
    if (any && i < values.size()) {
      fmt::format_to(out, ";{:.6f}%={}", spec.percentiles[i], values[i] / 1000);
    } else {
      *line += ";0%=0";
    }
  }
  Latency(stats.lat, line);
  const double share = stats.bw.samples == 0 ? 0.0 : PercentOfAggregate(stats.bw.mean, group);
  fmt::format_to(out, ";{};{};{:.6f}%;{:.6f};{:.6f}", stats.bw.min, stats.bw.max, share,
                 stats.bw.mean, stats.bw.stddev());
}

void Tables(const Distributions& tables, std::uint64_t total, std::string* line) {
  auto out = std::back_inserter(*line);
  for (const double percent : ToPercent(tables.depth, tables.TotalDepth(), kLeastDepthPercent)) {
    fmt::format_to(out, ";{:.1f}%", percent);
  }
  // What took less than a microsecond counts in the first bucket.
  std::array<double, 10> us = ToPercent(tables.latency_us, total, kLeastLatencyPercent);
  std::uint64_t below = 0;
  for (const std::uint64_t count : tables.latency_ns) below += count;
  if (total != 0) us[0] += 100.0 * static_cast<double>(below) / static_cast<double>(total);
  for (const double percent : us) fmt::format_to(out, ";{:.2f}%", percent);
  for (const double percent : ToPercent(tables.latency_ms, total, kLeastLatencyPercent)) {
    fmt::format_to(out, ";{:.2f}%", percent);
  }
}

}  // namespace

std::string ToTerse(const Report& report) {
  std::string text;
  auto out = std::back_inserter(text);
  for (const ReportRecord& record : report.records) {
    const JobSpec& spec = *record.spec;
    fmt::format_to(out, "3;{};{};{};{}", kFioVersion, spec.name, record.group_id, record.error);
    const auto& group = report.groups[record.group_id];
    for (const int d : {kDirRead, kDirWrite}) {  // version 3 has no trims
      const auto i = static_cast<std::size_t>(d);
      if (spec.unified_rw && d != kDirRead) continue;
      Direction(record.stats.direction(d), record.directions[i], group[i], spec, &text);
    }
    if (spec.unified_both) {
      Direction(record.stats.Mixed(), MixedRates(record), MixedGroup(group), spec, &text);
    }
    fmt::format_to(out, ";{:.6f}%;{:.6f}%;{};0;0", record.usr_cpu, record.sys_cpu, record.ctx);
    Tables(record.stats.distributions(), record.stats.TotalIos(), &text);
    for (const DiskUtil& disk : report.disks) {
      fmt::format_to(out, ";{};{};{};{};{};{};{};{};{:.2f}%", disk.name, disk.ios[kDirRead],
                     disk.ios[kDirWrite], disk.merges[kDirRead], disk.merges[kDirWrite],
                     disk.ticks_ms[kDirRead], disk.ticks_ms[kDirWrite], disk.in_queue_ms,
                     disk.util_percent);
    }
    if (!spec.description.empty()) text += ";" + spec.description;
    text += "\n";
  }
  return text;
}

}  // namespace nvmearb::host::fio
