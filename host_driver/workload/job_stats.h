// SPDX-License-Identifier: Apache-2.0
//
// JobStats: what one job measured, in fio's terms: slat (prepare to submit), clat (submit to reap),
// lat (prepare to reap), per direction; distributions of depth and latency; 500 ms rate windows;
// and a time series for plots.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_JOB_STATS_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_JOB_STATS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/workload/job_spec.h"
#include "host_driver/workload/latency_histogram.h"
#include "host_driver/workload/running_stat.h"

namespace nvmearb::host {

/// Completion (or, with lat_percentiles, total) latencies of the I/Os of one priority, in ns.
struct PriorityStats {
  IoPriority priority;
  RunningStat latency;
  LatencyHistogram histogram;
};

/// Latencies of one direction in ns.
struct DirectionStats {
  RunningStat slat;
  RunningStat clat;
  RunningStat lat;
  LatencyHistogram slat_histogram;
  LatencyHistogram clat_histogram;
  LatencyHistogram lat_histogram;
  std::uint64_t io_bytes = 0;
  std::uint64_t total_ios = 0;
  RateStat bw;                            ///< KiB/s
  RateStat iops;                          ///< 1/s
  std::vector<PriorityStats> priorities;  ///< in fio's order; empty without cmdprio

  /// Entries to report: those with I/Os, where there are at least two, as in fio.
  [[nodiscard]] std::vector<const PriorityStats*> ShownPriorities() const {
    std::vector<const PriorityStats*> shown;
    for (const PriorityStats& entry : priorities) {
      if (entry.latency.count() > 0) shown.push_back(&entry);
    }
    if (shown.size() < 2) shown.clear();
    return shown;
  }
};

/// Flushes of fsync= and fdatasync=, from submission to completion, in ns.
struct SyncStats {
  RunningStat latency;
  LatencyHistogram histogram;
};

/// fio's fixed tables. Depth buckets are 1 2 4 8 16 32 >=64; batch buckets 0 4 8 16 32 64 >=64.
struct Distributions {
  std::array<std::uint64_t, 7> depth{};
  std::array<std::uint64_t, 7> submit{};
  std::array<std::uint64_t, 7> complete{};
  std::uint64_t total_submit = 0;    ///< io_submit calls
  std::uint64_t total_complete = 0;  ///< io_getevents calls
  std::array<std::uint64_t, 10> latency_ns{};
  std::array<std::uint64_t, 10> latency_us{};
  std::array<std::uint64_t, 12> latency_ms{};

  /// An I/O went out as the `depth`-th in flight, 1...
  void CountDepth(std::uint32_t in_flight) {
    const unsigned index = 31u - static_cast<unsigned>(__builtin_clz(in_flight));
    ++depth[index < 6 ? index : 6];
  }
  void CountSubmit(std::uint32_t batch) {
    ++submit[BatchIndex(batch)];
    ++total_submit;
  }
  void CountComplete(std::uint32_t batch) {
    ++complete[BatchIndex(batch)];
    ++total_complete;
  }
  void CountLatency(std::uint64_t ns);
  /// Sum of the depth table: I/Os submitted.
  [[nodiscard]] std::uint64_t TotalDepth() const;
  void Merge(const Distributions& other);

 private:
  static unsigned BatchIndex(std::uint32_t batch) {
    if (batch == 0) return 0;
    if (batch <= 4) return 1;
    const unsigned index = 31u - static_cast<unsigned>(__builtin_clz(batch - 1));
    return index < 6 ? index : 6;  // 5..8 -> 2, 9..16 -> 3, 17..32 -> 4, 33..64 -> 5
  }
};

/// One point of the time series: what was reaped within [index, index + 1) x width.
struct SeriesPoint {
  std::array<std::uint64_t, kDirCount> ios{};
  std::array<std::uint64_t, kDirCount> bytes{};
  std::uint64_t lat_sum_ns = 0;  ///< total latency, all directions
  std::uint64_t lat_max_ns = 0;
};

/// Points of equal width from the job's start. When `capacity` points are full, pairs are joined
/// and the width doubles, so that memory is bounded without knowing the length of the run.
class TimeSeries {
 public:
  /// `width` > 0 of the first points; `capacity` even, 0 = off.
  void Configure(TimePs origin, TimePs width, unsigned capacity);

  void Add(TimePs now, int direction, std::uint64_t bytes, std::uint64_t lat_ns) {
    if (points_.empty()) return;
    while (now >= end_) Advance();
    SeriesPoint& point = points_[current_];
    const auto dir = static_cast<unsigned>(direction);
    ++point.ios[dir];
    point.bytes[dir] += bytes;
    point.lat_sum_ns += lat_ns;
    point.lat_max_ns = lat_ns > point.lat_max_ns ? lat_ns : point.lat_max_ns;
  }

  [[nodiscard]] TimePs origin() const { return origin_; }
  [[nodiscard]] TimePs width() const { return width_; }
  /// Points begun so far.
  [[nodiscard]] std::vector<SeriesPoint> Points() const;

 private:
  void Advance();

  std::vector<SeriesPoint> points_;
  TimePs origin_ = 0;
  TimePs width_ = 0;
  TimePs end_ = 0;
  unsigned current_ = 0;
};

/// Everything one job measures. Memory is fixed after Configure(); Count...() never allocate.
class JobStats {
 public:
  /// Allocates what `spec` asks for.
  void Configure(const JobSpec& spec);

  /// Measuring starts (again) at `now`: what was counted before is dropped (end of ramp_time).
  void Begin(TimePs now);

  /// An I/O was reaped at `now`. `start`, `issue`, `now` in ascending order.
  void CountCompletion(TimePs start, TimePs issue, TimePs now, int direction, std::uint32_t bytes) {
    DirectionStats& dir = direction_[static_cast<unsigned>(direction)];
    while (now >= window_end_) CloseWindows();
    if (!disable_slat_) {
      const std::uint64_t ns = (issue - start) / kNs;
      dir.slat.Add(ns);
      dir.slat_histogram.Add(ns);
    }
    if (!disable_clat_) {
      const std::uint64_t ns = (now - issue) / kNs;
      dir.clat.Add(ns);
      dir.clat_histogram.Add(ns);
      distributions_.CountLatency(ns);
    }
    if (!disable_lat_) {
      const std::uint64_t ns = (now - start) / kNs;
      dir.lat.Add(ns);
      dir.lat_histogram.Add(ns);
    }
    dir.io_bytes += bytes;
    ++dir.total_ios;
  }

  /// A flush was reaped: no I/O of a direction.
  void CountSync(std::uint64_t ns) {
    sync_.latency.Add(ns);
    sync_.histogram.Add(ns);
  }
  [[nodiscard]] const SyncStats& sync() const { return sync_; }

  /// Also of a job with cmdprio: latency of an I/O of that priority.
  void CountPriority(int direction, const IoPriority& priority, std::uint64_t ns);

  [[nodiscard]] Distributions& distributions() { return distributions_; }
  [[nodiscard]] const Distributions& distributions() const { return distributions_; }
  [[nodiscard]] const DirectionStats& direction(int dir) const {
    return direction_[static_cast<unsigned>(dir)];
  }
  [[nodiscard]] std::uint64_t TotalIos() const {
    return direction_[kDirRead].total_ios + direction_[kDirWrite].total_ios +
           direction_[kDirTrim].total_ios;
  }
  [[nodiscard]] std::uint64_t TotalBytes() const {
    return direction_[kDirRead].io_bytes + direction_[kDirWrite].io_bytes +
           direction_[kDirTrim].io_bytes;
  }

  /// Reads, writes and trims as if they were of one direction.
  [[nodiscard]] DirectionStats Mixed() const;
  /// Joins another job's figures into these, as fio's group_reporting does.
  void Merge(const JobStats& other);

 private:
  struct Window {
    TimePs width = 0;
    TimePs end = 0;
    std::array<std::uint64_t, kDirCount> counted{};  ///< bytes or I/Os at the window's start
  };
  void CloseWindows();
  void ConfigurePriorities(const JobSpec& spec);

  std::array<DirectionStats, kDirCount> direction_;
  SyncStats sync_;
  Distributions distributions_;
  bool disable_slat_ = false;
  bool disable_clat_ = false;
  bool disable_lat_ = false;
  TimePs window_end_ = ~TimePs{0};  ///< the earlier of the two ends below
  Window bw_window_;
  Window iops_window_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_JOB_STATS_H_
