// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/job_stats.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

// Upper edges (exclusive) of fio's latency tables, in the table's unit; the last entry of each
// table has no upper edge of its own.
constexpr std::array<std::uint32_t, 9> kEdges = {2, 4, 10, 20, 50, 100, 250, 500, 750};

// Table entry of each value below 1000.
constexpr std::array<std::uint8_t, 1000> kEntryOf = [] {
  std::array<std::uint8_t, 1000> entries{};
  for (std::size_t value = 0; value < entries.size(); ++value) {
    for (const std::uint32_t edge : kEdges) {
      if (value >= edge) entries[value] = static_cast<std::uint8_t>(entries[value] + 1);
    }
  }
  return entries;
}();

}  // namespace

void Distributions::CountLatency(std::uint64_t ns) {
  if (ns < 1000) {
    ++latency_ns[kEntryOf[ns]];
  } else if (ns < 1'000'000) {
    ++latency_us[kEntryOf[ns / 1000]];
  } else {
    const std::uint64_t ms = ns / 1'000'000;
    const unsigned index = ms >= 2000 ? 11u : ms >= 1000 ? 10u : kEntryOf[ms];
    ++latency_ms[index];
  }
}

namespace {
template <std::size_t kSize>
void AddArray(std::array<std::uint64_t, kSize>* to, const std::array<std::uint64_t, kSize>& from) {
  for (std::size_t i = 0; i < kSize; ++i) (*to)[i] += from[i];
}
}  // namespace

std::uint64_t Distributions::TotalDepth() const {
  std::uint64_t total = 0;
  for (const std::uint64_t count : depth) total += count;
  return total;
}

void Distributions::Merge(const Distributions& other) {
  AddArray(&depth, other.depth);
  AddArray(&submit, other.submit);
  AddArray(&complete, other.complete);
  total_submit += other.total_submit;
  total_complete += other.total_complete;
  AddArray(&latency_ns, other.latency_ns);
  AddArray(&latency_us, other.latency_us);
  AddArray(&latency_ms, other.latency_ms);
}

void TimeSeries::Configure(TimePs origin, TimePs width, unsigned capacity) {
  NVMEARB_CHECK(capacity == 0 || (width > 0 && capacity % 2 == 0), "time series shape");
  points_.assign(capacity, SeriesPoint{});
  origin_ = origin;
  width_ = width;
  end_ = origin + width;
  current_ = 0;
}

void TimeSeries::Advance() {
  if (current_ + 1 < points_.size()) {
    ++current_;
    end_ += width_;
    return;
  }
  const unsigned half = static_cast<unsigned>(points_.size()) / 2;
  for (unsigned i = 0; i < half; ++i) {
    SeriesPoint joined = points_[2 * i];
    const SeriesPoint& second = points_[2 * i + 1];
    AddArray(&joined.ios, second.ios);
    AddArray(&joined.bytes, second.bytes);
    joined.lat_sum_ns += second.lat_sum_ns;
    joined.lat_max_ns = std::max(joined.lat_max_ns, second.lat_max_ns);
    points_[i] = joined;
  }
  std::fill(points_.begin() + half, points_.end(), SeriesPoint{});
  width_ *= 2;
  current_ = half;
  end_ = origin_ + width_ * (half + 1);
}

std::vector<SeriesPoint> TimeSeries::Points() const {
  if (points_.empty()) return {};
  return {points_.begin(), points_.begin() + current_ + 1};
}

void JobStats::Configure(const JobSpec& spec) {
  disable_slat_ = spec.disable_slat;
  disable_clat_ = spec.disable_clat;
  disable_lat_ = spec.disable_lat;
  for (int d = 0; d < kDirCount; ++d) {
    if (!spec.Does(d)) continue;
    DirectionStats& dir = direction_[static_cast<unsigned>(d)];
    if (spec.slat_percentiles && !spec.disable_slat) dir.slat_histogram.Enable();
    if (spec.clat_percentiles && !spec.disable_clat) dir.clat_histogram.Enable();
    if (spec.lat_percentiles && !spec.disable_lat) dir.lat_histogram.Enable();
  }
  const bool syncs = spec.fsync_blocks != 0 || spec.fdatasync_blocks != 0;
  if (syncs && spec.clat_percentiles) sync_.histogram.Enable();
  ConfigurePriorities(spec);
  bw_window_.width = spec.bw_window_ms * kMs;
  iops_window_.width = spec.iops_window_ms * kMs;
}

void JobStats::Begin(TimePs now) {
  for (DirectionStats& dir : direction_) {
    DirectionStats fresh;
    std::swap(fresh.slat_histogram, dir.slat_histogram);
    std::swap(fresh.clat_histogram, dir.clat_histogram);
    std::swap(fresh.lat_histogram, dir.lat_histogram);
    std::swap(fresh.priorities, dir.priorities);
    for (PriorityStats& entry : fresh.priorities) {
      entry.latency = RunningStat();
      entry.histogram.Clear();
    }
    fresh.slat_histogram.Clear();
    fresh.clat_histogram.Clear();
    fresh.lat_histogram.Clear();
    dir = std::move(fresh);
  }
  sync_.latency = RunningStat();
  sync_.histogram.Clear();
  distributions_ = Distributions{};
  bw_window_.end = now + bw_window_.width;
  iops_window_.end = now + iops_window_.width;
  bw_window_.counted = {};
  iops_window_.counted = {};
  window_end_ = std::min(bw_window_.end, iops_window_.end);
}

namespace {
/// The entry of that priority, made behind the others if there is none.
PriorityStats* EntryOf(std::vector<PriorityStats>* all, const IoPriority& priority) {
  for (PriorityStats& entry : *all) {
    if (entry.priority.Encoded() == priority.Encoded()) return &entry;
  }
  all->emplace_back().priority = priority;
  return &all->back();
}
}  // namespace

void JobStats::ConfigurePriorities(const JobSpec& spec) {
  for (std::size_t d = 0; d < kDirCount; ++d) {
    DirectionStats& dir = direction_[d];
    if (spec.cmdprio[d].empty()) continue;
    // fio's order: the job's own, then as the options name them.
    (void)EntryOf(&dir.priorities, spec.JobPriority());
    for (const PriorityShare& share : spec.cmdprio[d]) {
      (void)EntryOf(&dir.priorities, share.has_own ? share.priority : spec.cmdprio_default[d]);
    }
    if (!spec.clat_percentiles && !spec.lat_percentiles) continue;
    for (PriorityStats& entry : dir.priorities) entry.histogram.Enable();
  }
}

void JobStats::CountPriority(int direction, const IoPriority& priority, std::uint64_t ns) {
  PriorityStats* const entry =
      EntryOf(&direction_[static_cast<unsigned>(direction)].priorities, priority);
  entry->latency.Add(ns);
  entry->histogram.Add(ns);
}

void JobStats::CloseWindows() {
  // A direction without I/O in a window gives no sample, as in fio's helper thread.
  if (bw_window_.end == window_end_) {
    for (std::size_t d = 0; d < kDirCount; ++d) {
      const std::uint64_t bytes = direction_[d].io_bytes - bw_window_.counted[d];
      bw_window_.counted[d] = direction_[d].io_bytes;
      if (bytes != 0) direction_[d].bw.Add(bytes * 1000 / (bw_window_.width / kMs) / 1024);
    }
    bw_window_.end += bw_window_.width;
  }
  if (iops_window_.end == window_end_) {
    for (std::size_t d = 0; d < kDirCount; ++d) {
      const std::uint64_t ios = direction_[d].total_ios - iops_window_.counted[d];
      iops_window_.counted[d] = direction_[d].total_ios;
      if (ios != 0) direction_[d].iops.Add(ios * 1000 / (iops_window_.width / kMs));
    }
    iops_window_.end += iops_window_.width;
  }
  window_end_ = std::min(bw_window_.end, iops_window_.end);
}

static void JoinDirection(const DirectionStats& from, DirectionStats* to) {
  to->slat.Merge(from.slat);
  to->clat.Merge(from.clat);
  to->lat.Merge(from.lat);
  to->slat_histogram.Merge(from.slat_histogram);
  to->clat_histogram.Merge(from.clat_histogram);
  to->lat_histogram.Merge(from.lat_histogram);
  to->io_bytes += from.io_bytes;
  to->total_ios += from.total_ios;
  to->bw.MergeParallel(from.bw);
  to->iops.MergeParallel(from.iops);
  for (const PriorityStats& entry : from.priorities) {
    PriorityStats* const joined = EntryOf(&to->priorities, entry.priority);
    joined->latency.Merge(entry.latency);
    joined->histogram.Merge(entry.histogram);
  }
}

DirectionStats JobStats::Mixed() const {
  DirectionStats all = direction_[kDirRead];
  JoinDirection(direction_[kDirWrite], &all);
  JoinDirection(direction_[kDirTrim], &all);
  return all;
}

void JobStats::Merge(const JobStats& other) {
  for (std::size_t d = 0; d < kDirCount; ++d) JoinDirection(other.direction_[d], &direction_[d]);
  sync_.latency.Merge(other.sync_.latency);
  sync_.histogram.Merge(other.sync_.histogram);
  distributions_.Merge(other.distributions_);
}

}  // namespace nvmearb::host
