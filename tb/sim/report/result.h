// SPDX-License-Identifier: Apache-2.0
//
// What a run measured, as the table, the JSON file and the HTML page take it. Plain data; nothing
// here depends on wall time except `WallClock`, which no file shows.
#ifndef NVMEARB_TB_SIM_REPORT_RESULT_H_
#define NVMEARB_TB_SIM_REPORT_RESULT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/scenario/published.h"

namespace nvmearb::sim {

/// `percent` of the I/Os completed within `us`.
struct CdfPoint {
  double us = 0;
  double percent = 0;
};

/// One fio process of a variant. Rates are per simulated second.
struct JobResult {
  std::string name;
  std::string cgroup;       ///< "/high"
  std::string queue_class;  ///< class of the queues that carried it: high, medium, ...
  std::uint64_t io_count = 0;
  double iops = 0;
  double mib_per_s = 0;
  double lat_mean_us = 0;  ///< submission to completion as fio's lat
  double lat_stddev_us = 0;
  double slat_mean_us = 0;
  double clat_mean_us = 0;
  double clat_p50_us = 0;
  double clat_p99_us = 0;
  double clat_p999_us = 0;
  double share_pct = 0;  ///< of all completed I/O of the variant
  /// I/Os that joined a request, of all jobs of the run; the same in each of them.
  double merges = 0;
  std::vector<CdfPoint> latency_cdf;  ///< ascending, of clat; at most some hundred points
};

/// One published value beside the measured one.
struct ComparisonResult {
  Comparison wanted;
  double measured = 0;
  double error_pct = 0;
  bool within = false;  ///< |error| <= tolerance
  /// within and not declared a deviation
  [[nodiscard]] bool Pass() const { return within && wanted.deviation.empty(); }
  /// makes the run fail: outside its tolerance without a declared reason
  [[nodiscard]] bool Fails() const { return !within && wanted.deviation.empty(); }
};

/// Throughput and latency over time of one job; one entry per `Series::bucket_ps`.
struct JobSeries {
  std::string name;
  std::vector<std::uint64_t> ios;
  std::vector<std::uint64_t> bytes;
  std::vector<double> latency_sum_us;
};

struct Series {
  std::uint64_t bucket_ps = 0;
  std::vector<JobSeries> jobs;
};

/// One of the first grants of I/O.
struct GrantPoint {
  double time_us = 0;  ///< since the first I/O grant
  std::uint16_t sqid = 0;
  std::uint8_t sq_class = 0;  ///< arbiter::SqClass
  std::uint16_t count = 0;
};

/// Mean number of commands per bucket of simulated time, from time 0 on: waiting in the SQs of each
/// class (arbiter::SqClass), and in the drive.
struct DepthSeries {
  static constexpr std::size_t kDrive = 5;
  static constexpr std::size_t kRows = 6;
  std::uint64_t bucket_ps = 0;
  std::uint64_t measured_from_ps = 0;  ///< where the time of `Series` begins
  std::vector<std::array<double, kRows>> points;
};

/// What went over one path of a variant.
struct PathResult {
  std::string name;
  std::string state;  ///< at the end
  std::string ana;
  std::uint64_t bios = 0;
  std::uint64_t path_errors = 0;  ///< bios that came back and went another way
  std::uint64_t bytes = 0;
  std::uint64_t requests = 0;
  double latency_mean_us = 0;  ///< of a request, from start to end at the driver
  unsigned in_flight_peak = 0;
  std::uint64_t losses = 0;
  double share_pct = 0;  ///< of the bios of all paths
};

struct VariantResult {
  std::string name;
  std::string note;
  std::string mechanism;  ///< "rr" or "wrr"
  std::string queues;     ///< the driver's line: counts per class
  std::vector<JobResult> jobs;
  std::string iopolicy;  ///< at the end; empty without paths
  std::vector<PathResult> paths;
  std::vector<ComparisonResult> comparisons;
  nlohmann::ordered_json fio;
  std::string fio_text;  ///< of `nvmearb fio`: in the format it was asked for
  nlohmann::ordered_json device;
  Series series;  ///< these three are filled for --json and --html
  std::vector<GrantPoint> grants;
  DepthSeries depths;
  std::array<unsigned, 3> weights{};  ///< effective: high, medium, low; zeros with round robin
  std::vector<std::string> findings;  ///< of the judge and of the accounting; empty when good
  std::string first_finding;          ///< with the events that led to it; several lines
  std::uint64_t fault_ps = 0;         ///< simulated time of the first finding, if there is one
  std::vector<std::string> warnings;  ///< about keys of job files that have no effect
  std::vector<std::string> notes;     ///< of traces: what was read and what became of it
  std::vector<std::string> notices;   ///< of the driver: what the user should know
  std::uint64_t judged_grants = 0;
  std::uint64_t simulated_ps = 0;
  std::uint64_t io_count = 0;
  std::uint64_t rtl_clocks = 0;  ///< clock edges that were run; printed, never written to a file
  bool interrupted = false;
  double wall_seconds = 0;  ///< printed, never written to a file
};

struct RunResult {
  std::string scenario;
  std::string title;
  std::string source;
  std::string time_note;  ///< why the run is shorter than the source's
  std::uint64_t seed = 0;
  std::string engine;
  std::vector<VariantResult> variants;
};

/// Value of a comparison's metric of a job.
[[nodiscard]] double MetricOf(const JobResult& job, const std::string& metric);

/// Fills measured, error and verdict of each comparison that belongs to `variant`. Ratios and
/// orders need the results of `earlier` variants; without all of theirs they are left out.
std::vector<ComparisonResult> Compare(const std::vector<Comparison>& wanted,
                                      const VariantResult& variant,
                                      const std::vector<VariantResult>& earlier = {});

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_RESULT_H_
