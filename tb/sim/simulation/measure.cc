// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scoreboard/event_names.h"
#include "sim/simulation/fio_results.h"

namespace nvmearb::sim {
namespace {

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kPsPerSecond = 1e12;

/// Class of the queues that carry a job's I/O: "default", "high", ...
std::string QueueClassOf(const host::JobSpec& spec, const host::Cgroup& cgroup,
                         const Machine& machine) {
  const host::BioOp op = spec.reads ? host::BioOp::kRead : host::BioOp::kWrite;
  const unsigned disk = machine.parameters().nvme.disk_number;
  host::HctxType type = host::TypeOf(op, spec.hipri, cgroup.Level(disk));
  if (machine.driver().plan().count[static_cast<std::size_t>(type)] == 0) {
    type = host::HctxType::kDefault;
  }
  return host::HctxTypeName(type);
}

/// A time in which I/O was counted.
struct Span {
  host::TimePs begin = 0;
  host::TimePs end = 0;
};

/// How long at least one of the spans lasted: clones run side by side, sections behind a stonewall
/// one after the other.
double UnionSeconds(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  host::TimePs covered = 0;
  host::TimePs until = 0;
  for (const Span& span : spans) {
    const host::TimePs from = std::max(span.begin, until);
    if (span.end > from) covered += span.end - from;
    until = std::max(until, span.end);
  }
  return static_cast<double>(covered) / kPsPerSecond;
}

/// A row of the table: one fio process, its clones and sections joined, or one stream of a trace.
struct Row {
  std::string name;
  std::vector<host::JobResult> members;
};

std::vector<Row> RowsOf(const Scenario& scenario, const std::vector<host::JobResult>& all) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const JobSpec& job = scenario.jobs[i];
    const bool is_trace = !job.trace.file.empty();
    const std::size_t first = rows.size();
    if (!is_trace) rows.push_back({job.name, {}});
    for (const host::JobResult& one : all) {
      if (one.spec->instance != static_cast<int>(i)) continue;
      if (is_trace) rows.push_back({one.spec->name, {}});
      rows.back().members.push_back(one);
    }
    // The streams of a trace carry its job's name where there are other jobs.
    if (!is_trace || scenario.jobs.size() == 1) continue;
    for (std::size_t row = first; row < rows.size(); ++row) {
      rows[row].name = job.name + "/" + rows[row].name;
    }
  }
  return rows;
}

/// Where the curve rises; neighbours that are closer than an eye can tell are left out.
std::vector<CdfPoint> CdfOf(const host::LatencyHistogram& histogram) {
  constexpr double kStep = 0.25;  // percent; below 1 % from either end every bucket counts
  std::vector<CdfPoint> points;
  const auto total = static_cast<double>(histogram.Total());
  std::uint64_t counted = 0;
  for (unsigned i = 0; i < host::LatencyHistogram::kBucketCount; ++i) {
    if (histogram.CountAt(i) == 0) continue;
    counted += histogram.CountAt(i);
    const double percent = static_cast<double>(counted) * 100 / total;
    const bool is_tail = percent < 1 || percent > 99;
    if (!is_tail && !points.empty() && percent - points.back().percent < kStep) continue;
    points.push_back({static_cast<double>(host::LatencyHistogram::ValueOf(i)) / 1000, percent});
  }
  return points;
}

std::uint64_t MergesOf(const Machine& machine) {
  std::uint64_t merges = 0;
  for (const auto& controller : machine.controllers()) {
    merges += controller->driver->block().stats().merges;
  }
  return merges;
}

JobResult MeasureRow(const Row& row, const Machine& machine) {
  JobResult result;
  result.name = row.name;
  host::RunningStat lat;
  host::RunningStat slat;
  host::RunningStat clat_stat;
  host::LatencyHistogram clat;
  std::vector<Span> spans;
  std::uint64_t bytes = 0;
  for (const host::JobResult& one : row.members) {
    result.cgroup = one.cgroup->path();
    result.queue_class = QueueClassOf(*one.spec, *one.cgroup, machine);
    result.io_count += one.stats->TotalIos();
    bytes += one.stats->TotalBytes();
    spans.push_back({one.begin, one.begin + one.measured});
    for (int dir = 0; dir < host::kDirCount; ++dir) {
      lat.Merge(one.stats->direction(dir).lat);
      slat.Merge(one.stats->direction(dir).slat);
      clat_stat.Merge(one.stats->direction(dir).clat);
      clat.Merge(one.stats->direction(dir).clat_histogram);
    }
  }
  const double seconds = UnionSeconds(std::move(spans));
  if (seconds > 0) {
    result.iops = static_cast<double>(result.io_count) / seconds;
    result.mib_per_s = static_cast<double>(bytes) / kMib / seconds;
  }
  result.lat_mean_us = lat.mean() / 1000;
  result.lat_stddev_us = lat.stddev() / 1000;
  result.slat_mean_us = slat.mean() / 1000;
  result.clat_mean_us = clat_stat.mean() / 1000;
  result.merges = static_cast<double>(MergesOf(machine));
  result.latency_cdf = CdfOf(clat);
  const std::vector<std::uint64_t> points = clat.Percentiles({50, 99, 99.9});
  result.clat_p50_us = static_cast<double>(points[0]) / 1000;
  result.clat_p99_us = static_cast<double>(points[1]) / 1000;
  result.clat_p999_us = static_cast<double>(points[2]) / 1000;
  return result;
}

/// The time axis of the joined series.
struct Axis {
  host::TimePs first = 0;      ///< when the first job began to count
  std::uint64_t width_ps = 0;  ///< of the jobs' own buckets; 0: there are none
  std::uint64_t bucket_ps = 0;
};

/// Buckets as wide as the jobs' own, wider where jobs that count for a short time lie so far apart
/// that there would be too many of them.
Axis AxisOf(const std::vector<host::JobResult>& all, host::TimePs first, host::TimePs last) {
  constexpr std::uint64_t kMostBuckets = 20'000;
  Axis axis;
  axis.first = first;
  for (const host::JobResult& one : all) {
    const bool has_points = one.series != nullptr && one.measured != 0;
    if (axis.width_ps == 0 && has_points && !one.series->Points().empty()) {
      axis.width_ps = one.series->width();
    }
  }
  axis.bucket_ps = axis.width_ps;
  while (axis.bucket_ps != 0 && (last - first) / axis.bucket_ps > kMostBuckets) axis.bucket_ps *= 2;
  return axis;
}

/// Joins the series of a row's jobs. They have one width; what started later stands later.
JobSeries JoinSeries(const Row& row, const Axis& axis) {
  JobSeries joined;
  joined.name = row.name;
  for (const host::JobResult& one : row.members) {
    if (one.series == nullptr || one.measured == 0) continue;
    const std::vector<host::SeriesPoint> points = one.series->Points();
    if (points.empty()) continue;
    // A series whose width doubled once more than the others' is left out rather than mixed up.
    if (axis.width_ps != one.series->width()) continue;
    const auto at = [&](std::size_t point) {
      return (one.begin - axis.first + point * axis.width_ps) / axis.bucket_ps;
    };
    const std::size_t size = std::max(joined.ios.size(), at(points.size() - 1) + 1);
    joined.ios.resize(size);
    joined.bytes.resize(size);
    joined.latency_sum_us.resize(size);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const host::SeriesPoint& point = points[i];
      for (std::size_t dir = 0; dir < host::kDirCount; ++dir) {
        joined.ios[at(i)] += point.ios[dir];
        joined.bytes[at(i)] += point.bytes[dir];
      }
      joined.latency_sum_us[at(i)] += static_cast<double>(point.lat_sum_ns) / 1000;
    }
  }
  return joined;
}

/// The last bucket is usually only begun; a rate from it would be wrong.
void DropPartialBucket(Series* series, std::uint64_t measured_ps) {
  if (series->bucket_ps == 0) return;
  const std::size_t whole = measured_ps / series->bucket_ps;
  for (JobSeries& job : series->jobs) {
    const std::size_t size = std::min(job.ios.size(), std::max<std::size_t>(whole, 1));
    job.ios.resize(size);
    job.bytes.resize(size);
    job.latency_sum_us.resize(size);
  }
}

/// Counters of all drives together.
ssd::Statistics TotalStatistics(Machine& machine) {
  ssd::Statistics total = machine.device().UpdatedStatistics();
  for (std::size_t i = 1; i < machine.controllers().size(); ++i) {
    total.Add(machine.controllers()[i]->device->UpdatedStatistics());
  }
  return total;
}

std::vector<PathResult> MeasurePaths(const Machine& machine) {
  std::vector<PathResult> paths;
  if (machine.multipath() == nullptr) return paths;
  std::uint64_t bios = 0;
  for (const auto& path : machine.multipath()->paths()) {
    const host::PathStats& stats = path->stats;
    PathResult& result = paths.emplace_back();
    result.name = path->name;
    result.state = host::PathStateName(path->state);
    result.ana = host::AnaStateName(path->ana);
    result.bios = stats.bios;
    result.path_errors = stats.path_errors;
    result.bytes = stats.bytes;
    result.requests = stats.requests;
    if (stats.requests > 0) {
      result.latency_mean_us =
          static_cast<double>(stats.latency_sum) / static_cast<double>(stats.requests) / 1e6;
    }
    result.in_flight_peak = stats.in_flight_peak;
    result.losses = stats.losses;
    bios += stats.bios;
  }
  for (PathResult& path : paths) {
    if (bios > 0) path.share_pct = static_cast<double>(path.bios) * 100 / static_cast<double>(bios);
  }
  return paths;
}

nlohmann::ordered_json PathsToJson(const std::vector<PathResult>& paths) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const PathResult& path : paths) {
    out.push_back({{"name", path.name},
                   {"state", path.state},
                   {"ana", path.ana},
                   {"bios", path.bios},
                   {"path_errors", path.path_errors},
                   {"bytes", path.bytes},
                   {"requests", path.requests},
                   {"latency_mean_us", path.latency_mean_us},
                   {"in_flight_peak", path.in_flight_peak},
                   {"losses", path.losses}});
  }
  return out;
}

nlohmann::ordered_json DeviceToJson(Machine& machine) {
  const ssd::Statistics stats = TotalStatistics(machine);
  host::NvmePci& driver = machine.driver();
  nlohmann::ordered_json out;
  out["preset"] = machine.parameters().preset;
  out["model"] = driver.identity().model;
  out["arbitration"] = driver.wrr_enabled() ? "wrr" : "rr";
  out["queues"] = driver.QueueSummary();
  out["scheduler"] = machine.parameters().nvme.scheduler;
  out["merges"] = MergesOf(machine);
  out["simulated_us"] = machine.kernel().Now() / 1'000'000;
  out["reads"] = stats.reads_completed;
  out["writes"] = stats.writes_completed;
  out["read_bytes"] = stats.read_bytes;
  out["written_bytes"] = stats.written_bytes;
  out["latency_mean_us"] = stats.MeanLatencyPs() / 1e6;
  out["window_mean"] = stats.MeanWindow(machine.kernel().Now());
  out["window_peak"] = stats.window_peak;
  out["buffer_stalls"] = stats.stalls;
  out["buffer_stalled_us"] = stats.stalled_ps / 1'000'000;
  nlohmann::ordered_json by_class;
  for (std::size_t i = 0; i < stats.fetched_by_class.size(); ++i) {
    by_class[std::string(tb::ClassName(static_cast<arbiter::SqClass>(i)))] =
        stats.fetched_by_class[i];
  }
  out["fetched_by_class"] = by_class;
  std::uint64_t refused = 0;
  std::uint64_t interrupts = 0;
  for (const auto& controller : machine.controllers()) {
    refused += controller->driver->stats().doorbell_events;
    interrupts += controller->driver->stats().interrupts;
  }
  out["doorbells_refused"] = refused;
  out["interrupts"] = interrupts;
  out["judged_grants"] = machine.JudgedGrants();
  out["compared_commands"] = machine.ComparedCommands();
  if (const host::MultipathHead* const head = machine.multipath(); head != nullptr) {
    out["iopolicy"] = head->policy().name();
    out["failovers"] = head->stats().failovers;
    out["waits_for_a_path"] = head->stats().parked;
    out["paths"] = PathsToJson(MeasurePaths(machine));
  }
  return out;
}

}  // namespace

void Measure(const Scenario& scenario, Machine& machine, const Workload& workload, bool series,
             VariantResult* result) {
  const std::vector<host::JobResult> all = workload.Results();
  std::uint64_t counted = 0;
  // From the first job that counted to the end of the last.
  host::TimePs first = ~host::TimePs{0};
  host::TimePs last = 0;
  for (const host::JobResult& one : all) {
    if (one.measured == 0) continue;
    first = std::min(first, one.begin);
    last = std::max(last, one.begin + one.measured);
  }
  const Axis axis = AxisOf(all, first, last);
  if (series) result->series.bucket_ps = axis.bucket_ps;
  for (const Row& row : RowsOf(scenario, all)) {
    result->jobs.push_back(MeasureRow(row, machine));
    counted += result->jobs.back().io_count;
    if (series) result->series.jobs.push_back(JoinSeries(row, axis));
  }
  for (JobResult& job : result->jobs) {
    job.share_pct =
        counted == 0 ? 0 : static_cast<double>(job.io_count) * 100 / static_cast<double>(counted);
  }
  if (last > first) result->depths.measured_from_ps = first;
  if (series && last > first) DropPartialBucket(&result->series, last - first);
  result->mechanism = machine.driver().wrr_enabled() ? "wrr" : "rr";
  result->queues = machine.driver().QueueSummary();
  result->fio = FioResults(scenario, machine, workload, all);
  result->device = DeviceToJson(machine);
  result->paths = MeasurePaths(machine);
  if (machine.multipath() != nullptr) result->iopolicy = machine.multipath()->policy().name();
  result->judged_grants = machine.JudgedGrants();
  result->simulated_ps = machine.kernel().Now();
  result->io_count = machine.io().completed;
  result->rtl_clocks = machine.RtlClocks();
  result->warnings = workload.warnings();
  for (const auto& controller : machine.controllers()) {
    const auto& notices = controller->driver->notices();
    result->notices.insert(result->notices.end(), notices.begin(), notices.end());
  }
  result->notes = workload.Notes();
}

}  // namespace nvmearb::sim
