// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json.h"

#include "sim/report/measured_json.h"

namespace nvmearb::sim {

nlohmann::ordered_json RunToJson(const RunResult& run) {
  nlohmann::ordered_json root;
  root["scenario"] = run.scenario;
  root["title"] = run.title;
  root["source"] = run.source;
  root["time"] = run.time_note;
  root["seed"] = run.seed;
  root["engine"] = run.engine;
  root["variants"] = nlohmann::ordered_json::array();
  for (const VariantResult& variant : run.variants) {
    nlohmann::ordered_json out;
    out["name"] = variant.name;
    out["note"] = variant.note;
    if (variant.interrupted) out["interrupted"] = true;
    out["fio"] = variant.fio;
    out["device"] = variant.device;
    out["compare"] = nlohmann::ordered_json::array();
    for (const ComparisonResult& result : variant.comparisons) {
      out["compare"].push_back({{"job", result.wanted.job},
                                {"metric", result.wanted.Label()},
                                {"unit", result.wanted.unit},
                                {"published", Rounded(result.wanted.published, 6)},
                                {"measured", Rounded(result.measured, 3)},
                                {"error_pct", Rounded(result.error_pct, 3)},
                                {"tolerance_pct", result.wanted.tolerance_pct},
                                {"pass", result.Pass()},
                                {"note", result.wanted.deviation}});
    }
    AddMeasured(variant, &out);
    if (!variant.notes.empty()) out["notes"] = variant.notes;
    if (!variant.findings.empty()) out["findings"] = variant.findings;
    root["variants"].push_back(std::move(out));
  }
  return root;
}

std::string ToJson(const RunResult& run) {
  // Names from a job file may hold bytes that are no UTF-8.
  return RunToJson(run).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace nvmearb::sim
