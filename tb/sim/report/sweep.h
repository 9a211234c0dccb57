// SPDX-License-Identifier: Apache-2.0
//
// What a sweep measured, as CSV and as a page with plots.
#ifndef NVMEARB_TB_SIM_REPORT_SWEEP_H_
#define NVMEARB_TB_SIM_REPORT_SWEEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sim/report/result.h"

namespace nvmearb::sim {

/// One job of one variant at one point.
struct SweepRow {
  std::vector<std::string> values;  ///< of the axes
  std::string variant;
  JobResult job;
};

struct SweepResult {
  std::string scenario;
  std::string title;
  std::string source;
  std::string engine;
  std::uint64_t seed = 0;
  std::vector<std::string> keys;   ///< of the axes; the first is the plots' x
  std::vector<std::string> units;  ///< of the axes, "" where none
  std::vector<SweepRow> rows;
};

/// A header and a line per row: the keys, then variant, job, cgroup, class, ios, share_pct, iops,
/// mib_per_s, lat_mean_us, clat_p50_us, clat_p99_us, clat_p99.9_us. Fields with a comma or a quote
/// are quoted (RFC 4180).
[[nodiscard]] std::string ToCsv(const SweepResult& sweep);

/// A self-contained page: per variant a plot of rate, mean and 99th percentile of latency over the
/// first key, with a line for each job and combination of the other keys.
[[nodiscard]] std::string ToHtml(const SweepResult& sweep);

/// Rows of one run between processes.
[[nodiscard]] std::string PackJobs(const std::vector<VariantResult>& variants);
[[nodiscard]] std::vector<SweepRow> UnpackJobs(const std::string& text);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_SWEEP_H_
