// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/fio_results.h"

#include "host_driver/fio/output_json.h"
#include "host_driver/fio/report.h"

namespace nvmearb::sim {

nlohmann::ordered_json FioResults(const Scenario& scenario, Machine& machine,
                                  const Workload& workload,
                                  const std::vector<host::JobResult>& results) {
  nlohmann::ordered_json document;
  const std::uint32_t user_percent = machine.parameters().workload.user_percent;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    std::vector<host::JobResult> own;
    for (const host::JobResult& result : results) {
      if (result.spec->instance == static_cast<int>(i)) own.push_back(result);
    }
    const host::fio::Report report = host::fio::MakeReport(own, workload.input(i).global_options,
                                                           machine.kernel().Now(), user_percent);
    nlohmann::ordered_json one = host::fio::ToJson(report, false);
    if (document.is_null()) {
      document = std::move(one);
      continue;
    }
    if (document["global options"] != one["global options"]) {
      // Options of one process are no longer those of all: they belong to its jobs.
      for (auto& job : one["jobs"]) {
        nlohmann::ordered_json merged = one["global options"];
        merged.update(job["job options"]);
        job["job options"] = std::move(merged);
      }
    }
    for (auto& job : one["jobs"]) document["jobs"].push_back(std::move(job));
  }
  return document;
}

}  // namespace nvmearb::sim
