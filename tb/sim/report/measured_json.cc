// SPDX-License-Identifier: Apache-2.0
#include "sim/report/measured_json.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "scoreboard/event_names.h"

namespace nvmearb::sim {
namespace {

using nlohmann::ordered_json;

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kPsPerSecond = 1e12;

ordered_json JobToJson(const JobResult& job) {
  return {{"name", job.name},
          {"queue_class", job.queue_class},
          {"share_pct", Rounded(job.share_pct, 3)},
          {"iops", Rounded(job.iops, 3)},
          {"mib_per_s", Rounded(job.mib_per_s, 3)},
          {"lat_mean_us", Rounded(job.lat_mean_us, 3)},
          {"slat_mean_us", Rounded(job.slat_mean_us, 3)},
          {"clat_mean_us", Rounded(job.clat_mean_us, 3)},
          {"clat_p50_us", Rounded(job.clat_p50_us, 3)},
          {"clat_p99_us", Rounded(job.clat_p99_us, 3)},
          {"clat_p999_us", Rounded(job.clat_p999_us, 3)}};
}

ordered_json SeriesToJson(const Series& series) {
  ordered_json out = {{"bucket_s", static_cast<double>(series.bucket_ps) / kPsPerSecond},
                      {"jobs", ordered_json::array()}};
  for (const JobSeries& job : series.jobs) {
    ordered_json mib = ordered_json::array();
    ordered_json latency = ordered_json::array();
    for (std::size_t i = 0; i < job.ios.size(); ++i) {
      const auto count = static_cast<double>(job.ios[i]);
      mib.push_back(Rounded(static_cast<double>(job.bytes[i]) / kMib, 6));
      latency.push_back(count > 0 ? Rounded(job.latency_sum_us[i] / count, 2) : 0.0);
    }
    out["jobs"].push_back(
        {{"name", job.name}, {"ios", job.ios}, {"mib", mib}, {"latency_us", latency}});
  }
  return out;
}

ordered_json CdfToJson(const VariantResult& variant) {
  ordered_json out = ordered_json::array();
  for (const JobResult& job : variant.jobs) {
    ordered_json us = ordered_json::array();
    ordered_json pct = ordered_json::array();
    for (const CdfPoint& point : job.latency_cdf) {
      us.push_back(Rounded(point.us, 3));
      pct.push_back(Rounded(point.percent, 4));
    }
    out.push_back({{"name", job.name}, {"us", us}, {"pct", pct}});
  }
  return out;
}

ordered_json DepthsToJson(const DepthSeries& depths) {
  const auto seconds = [](double ps) { return ps / kPsPerSecond; };
  ordered_json out = {
      {"begin_s", Rounded(-seconds(static_cast<double>(depths.measured_from_ps)), 9)},
      {"bucket_s", seconds(static_cast<double>(depths.bucket_ps))},
      {"in_drive", ordered_json::array()},
      {"waiting", ordered_json::object()}};
  for (std::size_t row = 0; row < DepthSeries::kRows; ++row) {
    ordered_json values = ordered_json::array();
    double most = 0;
    for (const auto& point : depths.points) {
      values.push_back(Rounded(point[row], 2));
      most = std::max(most, point[row]);
    }
    if (row == DepthSeries::kDrive) {
      out["in_drive"] = values;
    } else if (most > 0 && row != static_cast<std::size_t>(arbiter::SqClass::kAdmin)) {
      out["waiting"][std::string(tb::ClassName(static_cast<arbiter::SqClass>(row)))] = values;
    }
  }
  return out;
}

ordered_json GrantsToJson(const std::vector<GrantPoint>& grants) {
  ordered_json out = {{"time_us", ordered_json::array()},
                      {"sqid", ordered_json::array()},
                      {"class", ordered_json::array()},
                      {"count", ordered_json::array()}};
  for (const GrantPoint& grant : grants) {
    out["time_us"].push_back(Rounded(grant.time_us, 3));
    out["sqid"].push_back(grant.sqid);
    out["class"].push_back(tb::ClassName(static_cast<arbiter::SqClass>(grant.sq_class)));
    out["count"].push_back(grant.count);
  }
  return out;
}

}  // namespace

double Rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

void AddMeasured(const VariantResult& variant, ordered_json* out) {
  ordered_json jobs = ordered_json::array();
  for (const JobResult& job : variant.jobs) jobs.push_back(JobToJson(job));
  (*out)["jobs"] = jobs;
  (*out)["series"] = SeriesToJson(variant.series);
  (*out)["latency_cdf"] = CdfToJson(variant);
  (*out)["depths"] = DepthsToJson(variant.depths);
  (*out)["grants"] = GrantsToJson(variant.grants);
  if (variant.weights[0] != 0) (*out)["weights"] = variant.weights;
}

}  // namespace nvmearb::sim
