// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html.h"

#include <algorithm>
#include <cmath>

#include "host_driver/base/user_error.h"
#include "sim/report/embed.h"

namespace nvmearb::sim {
namespace {

using nlohmann::ordered_json;

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kPsPerSecond = 1e12;
/// From this mean I/O size on, throughput is shown in MiB/s instead of I/O per second.
constexpr double kBigIoBytes = 65536;

double Rounded(double value, double scale) { return std::round(value * scale) / scale; }

std::string VerdictOf(const ComparisonResult& result) {
  if (!result.wanted.deviation.empty()) return "deviation";
  return result.within ? "ok" : "outside its tolerance";
}

ordered_json JobToJson(const VariantResult& variant, const JobResult& job) {
  ordered_json out = {{"name", job.name},
                      {"queue_class", job.queue_class},
                      {"share_pct", job.share_pct},
                      {"iops", job.iops},
                      {"mib_per_s", job.mib_per_s},
                      {"lat_mean_us", job.lat_mean_us},
                      {"slat_mean_us", job.slat_mean_us},
                      {"clat_mean_us", job.clat_mean_us},
                      {"clat_p50_us", job.clat_p50_us},
                      {"clat_p99_us", job.clat_p99_us},
                      {"clat_p999_us", job.clat_p999_us}};
  for (const ComparisonResult& result : variant.comparisons) {
    if (result.wanted.job != job.name || out.contains("compare")) continue;
    out["compare"] = {{"published", result.wanted.published},
                      {"unit", result.wanted.unit},
                      {"error_pct", result.error_pct},
                      {"verdict", VerdictOf(result)}};
  }
  return out;
}

ordered_json SeriesToJson(const VariantResult& variant) {
  double bytes = 0;
  double ios = 0;
  for (const JobSeries& job : variant.series.jobs) {
    for (const std::uint64_t value : job.bytes) bytes += static_cast<double>(value);
    for (const std::uint64_t value : job.ios) ios += static_cast<double>(value);
  }
  const bool by_bytes = ios > 0 && bytes / ios >= kBigIoBytes;
  const double bucket_s = static_cast<double>(variant.series.bucket_ps) / kPsPerSecond;
  ordered_json out = {{"bucket_s", bucket_s},
                      {"unit", by_bytes ? "MiB/s" : "I/O per second"},
                      {"jobs", ordered_json::array()}};
  for (std::size_t j = 0; j < variant.series.jobs.size(); ++j) {
    const JobSeries& job = variant.series.jobs[j];
    ordered_json rate = ordered_json::array();
    ordered_json latency = ordered_json::array();
    for (std::size_t i = 0; i < job.ios.size(); ++i) {
      const double count = static_cast<double>(job.ios[i]);
      const double amount = by_bytes ? static_cast<double>(job.bytes[i]) / kMib : count;
      rate.push_back(Rounded(amount / bucket_s, 10));
      latency.push_back(count > 0 ? Rounded(job.latency_sum_us[i] / count, 100) : 0.0);
    }
    out["jobs"].push_back({{"name", job.name},
                           {"queue_class", variant.jobs[j].queue_class},
                           {"rate", rate},
                           {"latency_us", latency}});
  }
  return out;
}

ordered_json VariantToJson(const VariantResult& variant) {
  ordered_json out = {{"name", variant.name},
                      {"note", variant.note},
                      {"mechanism", variant.mechanism},
                      {"queues", variant.queues},
                      {"interrupted", variant.interrupted},
                      {"findings", variant.findings},
                      {"deviations", ordered_json::array()},
                      {"jobs", ordered_json::array()},
                      {"series", SeriesToJson(variant)},
                      {"grants", ordered_json::array()}};
  for (const JobResult& job : variant.jobs) out["jobs"].push_back(JobToJson(variant, job));
  for (const ComparisonResult& result : variant.comparisons) {
    const ordered_json reason = result.wanted.deviation;
    auto& reasons = out["deviations"];
    if (!result.wanted.deviation.empty() &&
        std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  }
  for (const GrantPoint& grant : variant.grants) {
    out["grants"].push_back(
        {Rounded(grant.time_us, 1000), grant.sqid, grant.sq_class, grant.count});
  }
  return out;
}

void Replace(std::string* text, const std::string& mark, std::string_view with) {
  const std::size_t at = text->find(mark);
  if (at != std::string::npos) text->replace(at, mark.size(), with);
}

}  // namespace

void CheckHtmlPossible() {
  if (!ChartJs().empty()) return;
  throw host::UserError("--html", "this nvmearb was built without Chart.js",
                        "install the package libjs-chart.js, configure and build again");
}

std::string ToHtml(const RunResult& run) {
  ordered_json data = {{"scenario", run.scenario},
                       {"title", run.title},
                       {"source", run.source},
                       {"time_note", run.time_note},
                       {"seed", run.seed},
                       {"engine", run.engine},
                       {"classes", {"urgent", "high", "medium", "low", "admin"}},
                       {"variants", ordered_json::array()}};
  for (const VariantResult& variant : run.variants) {
    data["variants"].push_back(VariantToJson(variant));
  }
  return RenderPage(data, PageScript());
}

std::string RenderPage(const ordered_json& data, std::string_view script) {
  // Names from a job file may hold bytes that are no UTF-8.
  std::string json = data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // "</script>" and "<!--" inside a string would end the element that holds the data.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  std::string page(PageHtml());
  Replace(&page, "@SCRIPT@", script);
  Replace(&page, "@COMMON@", CommonScript());
  Replace(&page, "@DATA@", json);
  Replace(&page, "@CHART_JS@", ChartJs());
  Replace(&page, "@CSS@", PageCss());
  return page;
}

}  // namespace nvmearb::sim
