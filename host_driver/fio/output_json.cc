// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/output_json.h"

#include <fmt/format.h>

#include <cmath>

namespace nvmearb::host::fio {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, kDirCount> kDirectionNames = {"read", "write", "trim"};
constexpr std::array<const char*, 7> kDepthNames = {"1", "2", "4", "8", "16", "32", ">=64"};
constexpr std::array<const char*, 7> kBatchNames = {"0", "4", "8", "16", "32", "64", ">=64"};
constexpr std::array<const char*, 12> kLatencyNames = {
    "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};

double Rounded(double value) { return std::round(value * 1e6) / 1e6; }

Json Options(const OptionStrings& options) {
  Json json = Json::object();
  for (const auto& [key, value] : options) json[key] = value;
  return json;
}

Json Latency(const RunningStat& stat, const LatencyHistogram& histogram, const JobSpec& spec,
             bool plus) {
  Json json;
  json["min"] = stat.min();
  json["max"] = stat.max();
  json["mean"] = Rounded(stat.mean());
  json["stddev"] = Rounded(stat.stddev());
  json["N"] = stat.count();
  if (stat.count() == 0 || !histogram.enabled()) return json;
  const std::vector<std::uint64_t> values = histogram.Percentiles(spec.percentiles);
  Json& percentiles = json["percentile"];
  for (std::size_t i = 0; i < values.size(); ++i) {
    percentiles[fmt::format("{:.6f}", spec.percentiles[i])] = values[i];
  }
  if (!plus) return json;
  Json& bins = json["bins"];
  for (unsigned i = 0; i < LatencyHistogram::kBucketCount; ++i) {
    const std::uint64_t count = histogram.CountAt(i);
    if (count != 0) bins[std::to_string(LatencyHistogram::ValueOf(i))] = count;
  }
  return json;
}

Json Priorities(const std::vector<const PriorityStats*>& entries, const JobSpec& spec, bool plus) {
  Json list = Json::array();
  for (const PriorityStats* const shown : entries) {
    const PriorityStats& entry = *shown;
    Json one;
    one["prioclass"] = static_cast<int>(entry.priority.io_class);
    one["prio"] = entry.priority.level;
    one[spec.lat_percentiles ? "lat_ns" : "clat_ns"] =
        Latency(entry.latency, entry.histogram, spec, plus);
    list.push_back(std::move(one));
  }
  return list;
}

Json Direction(const DirectionStats& stats, const DirectionReport& report, const GroupReport& group,
               const JobSpec& spec, bool plus) {
  Json json;
  json["io_bytes"] = stats.io_bytes;
  json["io_kbytes"] = stats.io_bytes >> 10;
  json["bw_bytes"] = report.bw_bytes;
  json["bw"] = report.bw_bytes / 1024;
  json["iops"] = Rounded(report.iops);
  json["runtime"] = report.runtime_ms;
  json["total_ios"] = stats.total_ios;
  json["short_ios"] = 0;
  json["drop_ios"] = 0;
  json["slat_ns"] = Latency(stats.slat, stats.slat_histogram, spec, plus);
  json["clat_ns"] = Latency(stats.clat, stats.clat_histogram, spec, plus);
  json["lat_ns"] = Latency(stats.lat, stats.lat_histogram, spec, plus);
  const std::vector<const PriorityStats*> priorities = stats.ShownPriorities();
  if (!priorities.empty()) json["prios"] = Priorities(priorities, spec, plus);
  json["bw_min"] = stats.bw.min;
  json["bw_max"] = stats.bw.max;
  json["bw_agg"] = Rounded(stats.bw.samples == 0 ? 0.0 : PercentOfAggregate(stats.bw.mean, group));
  json["bw_mean"] = Rounded(stats.bw.mean);
  json["bw_dev"] = Rounded(stats.bw.stddev());
  json["bw_samples"] = stats.bw.samples;
  json["iops_min"] = stats.iops.min;
  json["iops_max"] = stats.iops.max;
  json["iops_mean"] = Rounded(stats.iops.mean);
  json["iops_stddev"] = Rounded(stats.iops.stddev());
  json["iops_samples"] = stats.iops.samples;
  return json;
}

template <std::size_t kSize, std::size_t kNames>
Json Table(const std::array<std::uint64_t, kSize>& counts, std::uint64_t total, double least,
           const std::array<const char*, kNames>& names) {
  static_assert(kSize <= kNames);
  const std::array<double, kSize> percent = ToPercent(counts, total, least);
  Json json;
  for (std::size_t i = 0; i < kSize; ++i) json[names[i]] = Rounded(percent[i]);
  return json;
}

void AddTables(const Distributions& tables, std::uint64_t total_ios, Json* job) {
  (*job)["iodepth_level"] =
      Table(tables.depth, tables.TotalDepth(), kLeastDepthPercent, kDepthNames);
  (*job)["iodepth_submit"] =
      Table(tables.submit, tables.total_submit, kLeastDepthPercent, kBatchNames);
  (*job)["iodepth_complete"] =
      Table(tables.complete, tables.total_complete, kLeastDepthPercent, kBatchNames);
  (*job)["latency_ns"] = Table(tables.latency_ns, total_ios, kLeastLatencyPercent, kLatencyNames);
  (*job)["latency_us"] = Table(tables.latency_us, total_ios, kLeastLatencyPercent, kLatencyNames);
  (*job)["latency_ms"] = Table(tables.latency_ms, total_ios, kLeastLatencyPercent, kLatencyNames);
}

Json JobObject(const ReportRecord& record, const Report& report, bool plus) {
  const JobSpec& spec = *record.spec;
  const auto& group = report.groups[record.group_id];
  Json json;
  json["jobname"] = spec.name;
  json["groupid"] = record.group_id;
  json["error"] = record.error;
  json["eta"] = 0;
  json["elapsed"] = (report.now + kSec - 1) / kSec;
  if (!spec.job_options.empty()) json["job options"] = Options(spec.job_options);
  for (int d = 0; d < kDirCount; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (spec.unified_rw && d != kDirRead) continue;
    json[spec.unified_rw ? "mixed" : kDirectionNames[i]] =
        Direction(record.stats.direction(d), record.directions[i], group[i], spec, plus);
  }
  if (!spec.unified_rw) {
    const SyncStats& sync = record.stats.sync();
    json["sync"] = {{"total_ios", sync.latency.count()},
                    {"lat_ns", Latency(sync.latency, sync.histogram, spec, plus)}};
  }
  if (spec.unified_both) {
    json["mixed"] =
        Direction(record.stats.Mixed(), MixedRates(record), MixedGroup(group), spec, plus);
  }
  json["job_runtime"] = record.job_runtime_ms;
  json["usr_cpu"] = Rounded(record.usr_cpu);
  json["sys_cpu"] = Rounded(record.sys_cpu);
  json["ctx"] = record.ctx;
  json["majf"] = 0;
  json["minf"] = 0;
  AddTables(record.stats.distributions(), record.stats.TotalIos(), &json);
  json["latency_depth"] = spec.iodepth;
  json["latency_target"] = 0;
  json["latency_percentile"] = 100.0;
  json["latency_window"] = 0;
  if (!spec.description.empty()) json["desc"] = spec.description;
  return json;
}

/// A name of the job file may hold bytes that are no UTF-8: they must not cost the whole result.
std::string DumpText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Dump(const Json& json, int indent, std::string* out) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  if (json.is_number_float()) {
    *out += fmt::format("{:.6f}", json.get<double>());
    return;
  }
  if (!json.is_structured()) {
    *out += DumpText(json);
    return;
  }
  const bool is_object = json.is_object();
  *out += is_object ? "{" : "[";
  bool first = true;
  for (const auto& item : json.items()) {
    *out += first ? "\n" : ",\n";
    first = false;
    *out += margin + "  ";
    if (is_object) *out += DumpText(Json(item.key())) + " : ";
    Dump(item.value(), indent + 2, out);
  }
  if (!first) *out += "\n" + margin;
  *out += is_object ? "}" : "]";
}

}  // namespace

Json ToJson(const Report& report, bool plus) {
  Json json;
  json["fio version"] = kFioVersion;
  json["timestamp"] = report.now / kSec;
  json["timestamp_ms"] = report.now / kMs;
  json["time"] = TimeText(report.now);
  if (!report.global_options.empty()) json["global options"] = Options(report.global_options);
  json["jobs"] = Json::array();
  for (const ReportRecord& record : report.records) {
    json["jobs"].push_back(JobObject(record, report, plus));
  }
  if (report.disks.empty()) return json;
  json["disk_util"] = Json::array();
  for (const DiskUtil& disk : report.disks) {
    json["disk_util"].push_back({{"name", disk.name},
                                 {"read_ios", disk.ios[kDirRead]},
                                 {"write_ios", disk.ios[kDirWrite]},
                                 {"read_merges", disk.merges[kDirRead]},
                                 {"write_merges", disk.merges[kDirWrite]},
                                 {"read_ticks", disk.ticks_ms[kDirRead]},
                                 {"write_ticks", disk.ticks_ms[kDirWrite]},
                                 {"in_queue", disk.in_queue_ms},
                                 {"util", Rounded(disk.util_percent)}});
  }
  return json;
}

std::string DumpJson(const Json& json) {
  std::string text;
  Dump(json, 0, &text);
  return text + "\n";
}

}  // namespace nvmearb::host::fio
