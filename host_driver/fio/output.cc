// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/output.h"

#include "host_driver/fio/output_json.h"
#include "host_driver/fio/output_normal.h"
#include "host_driver/fio/output_terse.h"

namespace nvmearb::host::fio {
namespace {

std::string RenderOne(const Report& report, const std::vector<JobSpec>& jobs, OutputFormat format) {
  switch (format) {
    case OutputFormat::kTerse:
      return ToTerse(report);
    case OutputFormat::kJson:
      return DumpJson(ToJson(report, false));
    case OutputFormat::kJsonPlus:
      return DumpJson(ToJson(report, true));
    case OutputFormat::kNormal:
      break;
  }
  return NormalHeader(jobs) + ToNormal(report);
}

}  // namespace

std::string Render(const Report& report, const std::vector<JobSpec>& jobs,
                   const std::vector<OutputFormat>& formats) {
  if (formats.empty()) return RenderOne(report, jobs, OutputFormat::kNormal);
  std::string text;
  for (const OutputFormat format : formats) text += RenderOne(report, jobs, format);
  return text;
}

}  // namespace nvmearb::host::fio
