// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result.h"

#include <cmath>

namespace nvmearb::sim {

double MetricOf(const JobResult& job, const std::string& metric) {
  if (metric == "iops") return job.iops;
  if (metric == "bw") return job.mib_per_s;
  if (metric == "lat_mean") return job.lat_mean_us;
  if (metric == "slat_mean") return job.slat_mean_us;
  if (metric == "clat_mean") return job.clat_mean_us;
  if (metric == "merges") return job.merges;
  if (metric == "clat_p50") return job.clat_p50_us;
  if (metric == "clat_p99") return job.clat_p99_us;
  return job.clat_p999_us;  // clat_p99.9, the last of the table of keys
}

std::vector<ComparisonResult> Compare(const std::vector<Comparison>& wanted,
                                      const VariantResult& variant) {
  std::vector<ComparisonResult> results;
  for (const Comparison& comparison : wanted) {
    if (comparison.variant != variant.name) continue;
    for (const JobResult& job : variant.jobs) {
      if (job.name != comparison.job) continue;
      ComparisonResult& result = results.emplace_back();
      result.wanted = comparison;
      result.measured = MetricOf(job, comparison.metric);
      result.error_pct = (result.measured / comparison.published - 1) * 100;
      result.within = std::fabs(result.error_pct) <= comparison.tolerance_pct;
    }
  }
  return results;
}

}  // namespace nvmearb::sim
