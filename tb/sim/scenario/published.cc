// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
    {"iops", "iops", "io/s"},         {"bw", "bw", "MiB/s"},
    {"lat_mean", "lat_mean", "us"},   {"slat_mean", "slat_mean", "us"},
    {"clat_mean", "clat_mean", "us"}, {"clat_p50", "clat_p50", "us"},
    {"clat_p99", "clat_p99", "us"},   {"clat_p99.9", "clat_p99.9", "us"},
    {"merges", "merges", "count"},
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

std::vector<Comparison> ExpandComparisons(const Scenario& scenario) {
  std::vector<Comparison> result;
  if (scenario.compares.empty()) return result;
  const std::string path =
      (std::filesystem::path(scenario.folder) / scenario.published.file).string();
  const std::vector<PublishedRow> rows = ReadPublished(path);
  for (const CompareSpec& compare : scenario.compares) {
    for (const std::string& variant : compare.variants) {
      for (const std::string& job : compare.jobs) {
        const TableMetric* metric =
            std::find_if(std::begin(kTableMetrics), std::end(kTableMetrics),
                         [&](const TableMetric& m) { return compare.metric == m.ours; });
        const std::string& policy = Named(scenario.variants, variant).published_policy;
        const std::string& table_job = Named(scenario.jobs, job).published_job;
        const auto matches = [&](const PublishedRow& r) {
          return r.workload == scenario.published.workload && r.job == table_job &&
                 r.policy.compare(0, policy.size(), policy) == 0 && r.metric == metric->table;
        };
        const auto row = std::find_if(rows.begin(), rows.end(), matches);
        const std::string where = fmt::format("{}:{}: compare", scenario.path, compare.line);
        if (std::count_if(rows.begin(), rows.end(), matches) != 1) {
          throw UserError(
              where,
              fmt::format("{} has {} rows \"{}\" / \"{}...\" / \"{}\" / {}", path,
                          scenario.published.workload, policy, table_job, metric->table),
              "exactly one; workload, job and metric as in the table, policy its beginning");
        }
        double value = 0;
        const char* end = row->value.data() + row->value.size();
        const auto parsed = std::from_chars(row->value.data(), end, value);
        if (parsed.ec != std::errc() || parsed.ptr != end || value <= 0 ||
            row->unit != metric->unit) {
          throw UserError(where, fmt::format("\"{} {}\" in {}", row->value, row->unit, path),
                          fmt::format("a positive number in {}", metric->unit));
        }
        result.push_back({variant, job, compare.metric, metric->unit, value, compare.tolerance_pct,
                          compare.deviation});
      }
    }
  }
  return result;
}

}  // namespace nvmearb::sim
