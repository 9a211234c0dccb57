// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result.h"

#include <cmath>
#include <optional>

namespace nvmearb::sim {

double MetricOf(const JobResult& job, const std::string& metric) {
  if (metric == "iops") return job.iops;
  if (metric == "bw") return job.mib_per_s;
  if (metric == "lat_mean") return job.lat_mean_us;
  if (metric == "lat_stddev") return job.lat_stddev_us;
  if (metric == "slat_mean") return job.slat_mean_us;
  if (metric == "clat_mean") return job.clat_mean_us;
  if (metric == "merges") return job.merges;
  if (metric == "clat_p50") return job.clat_p50_us;
  if (metric == "clat_p99") return job.clat_p99_us;
  return job.clat_p999_us;  // clat_p99.9, the last of the table of keys
}

namespace {

const JobResult* JobOf(const VariantResult& variant, const std::string& name) {
  for (const JobResult& job : variant.jobs) {
    if (job.name == name) return &job;
  }
  return nullptr;
}

/// The value of a job under a variant; none when it has not been run.
std::optional<double> ValueOf(const std::string& variant, const Comparison& wanted,
                              const VariantResult& current,
                              const std::vector<VariantResult>& earlier) {
  const VariantResult* result = variant == current.name ? &current : nullptr;
  for (const VariantResult& other : earlier) {
    if (other.name == variant) result = &other;
  }
  const JobResult* const job = result == nullptr ? nullptr : JobOf(*result, wanted.job);
  if (job == nullptr) return std::nullopt;
  return MetricOf(*job, wanted.metric);
}

/// Pairs whose published values are in an order, and the measured ones in the same.
std::optional<double> PairsInOrder(const Comparison& wanted, const VariantResult& current,
                                   const std::vector<VariantResult>& earlier) {
  std::vector<double> values;
  for (const auto& [variant, published] : wanted.order) {
    const auto value = ValueOf(variant, wanted, current, earlier);
    if (!value.has_value()) return std::nullopt;
    values.push_back(*value);
  }
  double right = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int published = OrderOf(wanted.order[j].second, wanted.order[i].second, wanted.tie_pct);
      if (published != 0 && published == OrderOf(values[j], values[i], 0)) ++right;
    }
  }
  return right;
}

std::optional<double> MeasuredOf(const Comparison& wanted, const VariantResult& current,
                                 const std::vector<VariantResult>& earlier) {
  if (!wanted.order.empty()) return PairsInOrder(wanted, current, earlier);
  const auto value = ValueOf(current.name, wanted, current, earlier);
  if (wanted.relative_to.empty() || !value.has_value()) return value;
  const auto base = ValueOf(wanted.relative_to, wanted, current, earlier);
  if (!base.has_value() || *base == 0) return std::nullopt;
  return *value / *base;
}

}  // namespace

std::vector<ComparisonResult> Compare(const std::vector<Comparison>& wanted,
                                      const VariantResult& variant,
                                      const std::vector<VariantResult>& earlier) {
  std::vector<ComparisonResult> results;
  for (const Comparison& comparison : wanted) {
    if (comparison.variant != variant.name) continue;
    const auto measured = MeasuredOf(comparison, variant, earlier);
    if (!measured.has_value()) continue;
    ComparisonResult& result = results.emplace_back();
    result.wanted = comparison;
    result.measured = *measured;
    result.error_pct = (result.measured / comparison.published - 1) * 100;
    result.within = std::fabs(result.error_pct) <= comparison.tolerance_pct;
  }
  return results;
}

}  // namespace nvmearb::sim
