// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/fio_results.h"

#include "host_driver/fio/output.h"
#include "host_driver/fio/output_json.h"
#include "host_driver/fio/report.h"

namespace nvmearb::sim {

namespace {

/// Records of the process that is scenario job `index`.
host::fio::Report ReportOf(std::size_t index, Machine& machine, const Workload& workload,
                           const std::vector<host::JobResult>& results) {
  std::vector<host::JobResult> own;
  for (const host::JobResult& result : results) {
    if (result.spec->instance == static_cast<int>(index)) own.push_back(result);
  }
  return host::fio::MakeReport(own, workload.input(index).global_options, machine.kernel().Now(),
                               machine.parameters().workload.user_percent);
}

}  // namespace

nlohmann::ordered_json FioResults(const Scenario& scenario, Machine& machine,
                                  const Workload& workload,
                                  const std::vector<host::JobResult>& results) {
  nlohmann::ordered_json document;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const host::fio::Report report = ReportOf(i, machine, workload, results);
    nlohmann::ordered_json one = host::fio::ToJson(report, false);
    if (document.is_null()) {
      document = std::move(one);
      continue;
    }
    if (document["global options"] != one["global options"]) {
      // Options of one process are no longer those of all: they belong to its jobs.
      for (auto& job : one["jobs"]) {
        nlohmann::ordered_json merged = one["global options"];
        if (job.contains("job options")) merged.update(job["job options"]);
        job["job options"] = std::move(merged);
      }
    }
    for (auto& job : one["jobs"]) document["jobs"].push_back(std::move(job));
  }
  return document;
}

void FioText(Machine& machine, const Workload& workload,
             const std::vector<host::fio::OutputFormat>& formats, VariantResult* result) {
  const host::fio::FioInput& input = workload.input(0);
  const std::vector<host::JobResult> results = workload.Results();
  const host::fio::Report report = ReportOf(0, machine, workload, results);
  std::vector<host::JobSpec> jobs = input.jobs;
  if (jobs.empty()) {  // a trace: its streams
    for (const host::JobResult& one : results) jobs.push_back(*one.spec);
  }
  result->fio_text =
      host::fio::Render(report, jobs, formats.empty() ? input.output.formats : formats);
}

}  // namespace nvmearb::sim
