// SPDX-License-Identifier: Apache-2.0
#include "sim/report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/report/embed.h"
#include "sim/report/html.h"
#include "sim/scenario/value.h"

namespace nvmearb::sim {
namespace {

using nlohmann::ordered_json;

std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Where a value lies on a plot's axis: its number, a time in us, bytes; else null.
ordered_json PositionOf(const std::string& value) {
  double number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == value.data() + value.size()) return number;
  std::int64_t whole = 0;
  if (ParseBytes(value, &whole)) return static_cast<double>(whole);
  if (ParseTime(value, &whole)) return static_cast<double>(whole) / 1e6;
  return nullptr;
}

}  // namespace

std::string ToCsv(const SweepResult& sweep) {
  std::string out;
  for (const std::string& key : sweep.keys) out += Field(key) + ",";
  out +=
      "variant,job,cgroup,class,ios,share_pct,iops,mib_per_s,lat_mean_us,clat_p50_us,clat_p99_us,"
      "clat_p99.9_us\n";
  for (const SweepRow& row : sweep.rows) {
    for (const std::string& value : row.values) out += Field(value) + ",";
    const JobResult& job = row.job;
    out += fmt::format("{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}\n",
                       Field(row.variant), Field(job.name), Field(job.cgroup), job.queue_class,
                       job.io_count, job.share_pct, job.iops, job.mib_per_s, job.lat_mean_us,
                       job.clat_p50_us, job.clat_p99_us, job.clat_p999_us);
  }
  return out;
}

std::string PackJobs(const std::vector<VariantResult>& variants) {
  ordered_json rows = ordered_json::array();
  for (const VariantResult& variant : variants) {
    for (const JobResult& job : variant.jobs) {
      rows.push_back({variant.name, job.name, job.cgroup, job.queue_class, job.io_count,
                      job.share_pct, job.iops, job.mib_per_s, job.lat_mean_us, job.clat_p50_us,
                      job.clat_p99_us, job.clat_p999_us});
    }
  }
  return rows.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<SweepRow> UnpackJobs(const std::string& text) {
  std::vector<SweepRow> rows;
  for (const ordered_json& one : ordered_json::parse(text)) {
    SweepRow row;
    row.variant = one.at(0);
    JobResult& job = row.job;
    job.name = one.at(1);
    job.cgroup = one.at(2);
    job.queue_class = one.at(3);
    job.io_count = one.at(4);
    double* const numbers[] = {&job.share_pct,   &job.iops,        &job.mib_per_s,
                               &job.lat_mean_us, &job.clat_p50_us, &job.clat_p99_us,
                               &job.clat_p999_us};
    for (std::size_t i = 0; i < std::size(numbers); ++i) *numbers[i] = one.at(5 + i);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string ToHtml(const SweepResult& sweep) {
  ordered_json data = {{"scenario", sweep.scenario}, {"title", sweep.title},
                       {"source", sweep.source},     {"engine", sweep.engine},
                       {"seed", sweep.seed},         {"keys", sweep.keys},
                       {"units", sweep.units},       {"rows", ordered_json::array()}};
  for (const SweepRow& row : sweep.rows) {
    const JobResult& job = row.job;
    data["rows"].push_back({{"values", row.values},
                            {"x", PositionOf(row.values.front())},
                            {"variant", row.variant},
                            {"job", job.name},
                            {"queue_class", job.queue_class},
                            {"share_pct", job.share_pct},
                            {"iops", job.iops},
                            {"mib_per_s", job.mib_per_s},
                            {"lat_mean_us", job.lat_mean_us},
                            {"clat_p99_us", job.clat_p99_us}});
  }
  return RenderPage(data, SweepScript());
}

}  // namespace nvmearb::sim
