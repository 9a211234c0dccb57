// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "host_driver/base/user_error.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

constexpr const char* kHeader = "source,workload,policy,job,metric,value,unit";

/// Parts of the keys of a comparison in the table's words.
struct TableMetric {
  const char* ours;
  const char* table;
  const char* unit;
};
constexpr TableMetric kTableMetrics[] = {
    {"iops", "iops", "io/s"},           {"bw", "bw", "MiB/s"},
    {"lat_mean", "lat_mean", "us"},     {"lat_stddev", "lat_stddev", "us"},
    {"slat_mean", "slat_mean", "us"},   {"clat_mean", "clat_mean", "us"},
    {"clat_p50", "clat_p50", "us"},     {"clat_p99", "clat_p99", "us"},
    {"clat_p99.9", "clat_p99.9", "us"}, {"merges", "merges", "count"},
};

template <typename T>
const T& Named(const std::vector<T>& list, const std::string& name) {
  return *std::find_if(list.begin(), list.end(),
                       [&](const T& entry) { return entry.name == name; });
}

}  // namespace

std::vector<PublishedRow> ReadPublished(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(path, "cannot be opened", "a readable table of published values");
  std::vector<PublishedRow> rows;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) {
      if (line != kHeader) throw UserError(path + ":1", "unknown columns", kHeader);
      continue;
    }
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    if (fields.size() != 7) {
      throw UserError(fmt::format("{}:{}", path, number), fmt::format("{} fields", fields.size()),
                      "7, without quotes");
    }
    rows.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]});
  }
  return rows;
}

int OrderOf(double a, double b, double tie_pct) {
  if (std::fabs(a - b) * 100 <= tie_pct * std::max(a, b)) return 0;
  return a < b ? -1 : 1;
}

namespace {

/// The published values of one scenario.
class Lookup {
 public:
  explicit Lookup(const Scenario& scenario)
      : scenario_(scenario),
        path_((std::filesystem::path(scenario.folder) / scenario.published.file).string()),
        rows_(ReadPublished(path_)) {}

  [[nodiscard]] double Value(const CompareSpec& compare, const std::string& variant,
                             const std::string& job, const TableMetric& metric) const {
    const std::string& policy = Named(scenario_.variants, variant).published_policy;
    const std::string& table_job = Named(scenario_.jobs, job).published_job;
    const auto matches = [&](const PublishedRow& r) {
      return r.workload == scenario_.published.workload && r.job == table_job &&
             r.policy.compare(0, policy.size(), policy) == 0 && r.metric == metric.table;
    };
    const auto row = std::find_if(rows_.begin(), rows_.end(), matches);
    const std::string where = fmt::format("{}:{}: compare", scenario_.path, compare.line);
    if (std::count_if(rows_.begin(), rows_.end(), matches) != 1) {
      throw UserError(
          where,
          fmt::format("{} has {} rows \"{}\" / \"{}...\" / \"{}\" / {}", path_,
                      std::count_if(rows_.begin(), rows_.end(), matches),
                      scenario_.published.workload, policy, table_job, metric.table),
          "exactly one; workload, job and metric as in the table, policy its beginning");
    }
    double value = 0;
    const char* end = row->value.data() + row->value.size();
    const auto parsed = std::from_chars(row->value.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value <= 0 || row->unit != metric.unit) {
      throw UserError(where, fmt::format("\"{} {}\" in {}", row->value, row->unit, path_),
                      fmt::format("a positive number in {}", metric.unit));
    }
    return value;
  }

 private:
  const Scenario& scenario_;
  std::string path_;
  std::vector<PublishedRow> rows_;
};

Comparison OrderComparison(const CompareSpec& compare, const std::string& job,
                           const TableMetric& metric, const Lookup& lookup) {
  Comparison result{compare.variants.back(), job, compare.metric, "pairs", 0, compare.tolerance_pct,
                    compare.deviation,       "",  compare.tie_pct};
  for (const std::string& variant : compare.variants) {
    result.order.emplace_back(variant, lookup.Value(compare, variant, job, metric));
  }
  for (std::size_t i = 0; i < result.order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (OrderOf(result.order[j].second, result.order[i].second, compare.tie_pct) != 0) {
        ++result.published;
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Comparison> ExpandComparisons(const Scenario& scenario) {
  std::vector<Comparison> result;
  if (scenario.compares.empty()) return result;
  const Lookup lookup(scenario);
  for (const CompareSpec& compare : scenario.compares) {
    const TableMetric& metric =
        *std::find_if(std::begin(kTableMetrics), std::end(kTableMetrics),
                      [&](const TableMetric& m) { return compare.metric == m.ours; });
    for (const std::string& job : compare.order ? compare.jobs : std::vector<std::string>{}) {
      result.push_back(OrderComparison(compare, job, metric, lookup));
      if (result.back().published == 0) {
        throw UserError(fmt::format("{}:{}: compare[].order", scenario.path, compare.line),
                        fmt::format("the published values of {} are all equal", job),
                        "leave it out, or a smaller tie_pct");
      }
    }
    if (compare.order) continue;
    for (const std::string& variant : compare.variants) {
      for (const std::string& job : compare.jobs) {
        double value = lookup.Value(compare, variant, job, metric);
        std::string unit = metric.unit;
        if (!compare.relative_to.empty()) {
          value /= lookup.Value(compare, compare.relative_to, job, metric);
          unit = "ratio";
        }
        result.push_back({variant, job, compare.metric, unit, value, compare.tolerance_pct,
                          compare.deviation, compare.relative_to});
      }
    }
  }
  return result;
}

}  // namespace nvmearb::sim
