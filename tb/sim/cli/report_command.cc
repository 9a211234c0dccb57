// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb report RUN.json...`: the page of runs that were written before.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/output_file.h"
#include "sim/report/html.h"

namespace nvmearb::sim {
namespace {

using host::UserError;
using nlohmann::ordered_json;

constexpr const char* kWanted = "a file that `nvmearb run --json` wrote";

std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw UserError(path, "cannot be read", kWanted);
  return text.str();
}

ordered_json ReadRun(const std::string& path) {
  ordered_json run = ordered_json::parse(ReadWhole(path), nullptr, false);
  if (run.is_discarded()) throw UserError(path, "is not JSON", kWanted);
  for (const char* key : {"scenario", "title", "seed", "engine", "variants"}) {
    if (!run.is_object() || !run.contains(key)) {
      throw UserError(path, fmt::format("has no \"{}\"", key), kWanted);
    }
  }
  if (!run["variants"].is_array()) throw UserError(path, "\"variants\" is no array", kWanted);
  for (const ordered_json& variant : run["variants"]) {
    for (const char* key :
         {"name", "device", "compare", "jobs", "series", "latency_cdf", "depths", "grants"}) {
      if (!variant.is_object() || !variant.contains(key)) {
        throw UserError(path, fmt::format("a variant has no \"{}\"", key),
                        "a file of this version of nvmearb; run it again");
      }
    }
  }
  return run;
}

}  // namespace

int ReportCommand(const ReportOptions& options) {
  CheckHtmlPossible();
  ordered_json runs = ordered_json::array();
  for (const std::string& path : options.files) {
    runs.push_back(ReadRun(path));
    runs.back()["file"] = path;
    if (path == options.output) {
      throw UserError("--output", fmt::format("{} is a file to read, too", path), "another file");
    }
  }
  OutputFile output("--output", options.output);
  output.Write(ToHtml(runs));
  return kExitGood;
}

}  // namespace nvmearb::sim
