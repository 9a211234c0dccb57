// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "host_driver/base/user_error.h"
#include "sim/cli/output_file.h"
#include "sim/report/gtkwave.h"
#include "sim/scenario/value.h"

namespace nvmearb::sim {
namespace {

namespace fs = std::filesystem;
using host::UserError;

/// Around a finding: what led to it, and a little of what came of it.
constexpr ssd::TimePs kBefore = 100'000'000;
constexpr ssd::TimePs kAfter = 20'000'000;

std::string Shown(ssd::TimePs time) { return FormatTime(static_cast<std::int64_t>(time)); }

/// Says at once when the file cannot be written; leaves nothing behind.
void CheckWritable(const std::string& path) {
  std::error_code ignored;
  const bool was_there = fs::exists(path, ignored);
  { const OutputFile probe("--trace", path); }
  if (!was_there) fs::remove(path, ignored);
}

}  // namespace

tb::TraceRequest ParseTraceWindow(const std::string& text) {
  tb::TraceRequest window;
  const std::size_t dots = text.find("..");
  const std::string begin = text.substr(0, dots);
  const std::string end = dots == std::string::npos ? "" : text.substr(dots + 2);
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (dots == std::string::npos || (begin.empty() && end.empty()) ||
      (!begin.empty() && !ParseTime(begin, &from)) || (!end.empty() && !ParseTime(end, &to))) {
    throw UserError("--trace-window", fmt::format("\"{}\"", text),
                    "BEGIN..END in simulated time, such as 1ms..1.2ms");
  }
  window.begin_ps = static_cast<ssd::TimePs>(from);
  if (!end.empty()) window.end_ps = static_cast<ssd::TimePs>(to);
  if (window.begin_ps >= window.end_ps) {
    throw UserError("--trace-window",
                    fmt::format("{} is not before {}", Shown(window.begin_ps), end),
                    "an end behind the begin");
  }
  return window;
}

void HandOverToTraceProgram(const std::vector<std::string>& arguments) {
  std::error_code ignored;
  const fs::path program =
      fs::read_symlink("/proc/self/exe", ignored).parent_path() / "nvmearb-trace";
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw UserError("--trace", fmt::format("{}: {}", program.string(), std::strerror(errno)),
                  "the program that writes waves; make build makes it");
}

TraceRun::TraceRun(const RunOptions& options) : on_error_(options.trace_on_error) {
  if (options.trace.empty()) {
    if (!options.trace_window.empty()) {
      throw UserError("--trace-window", "there is no --trace", "--trace FILE.fst beside it");
    }
    if (options.trace_on_error) {
      throw UserError("--trace-on-error", "there is no --trace", "--trace FILE.fst beside it");
    }
    return;
  }
  if (options.engine != "rtl") {
    throw UserError("--trace", fmt::format("--engine {} has no waves", options.engine),
                    "--engine rtl");
  }
  if (options.trace == "-") throw UserError("--trace", "\"-\"", "a file; its format needs to seek");
  if (!options.trace_window.empty()) {
    if (on_error_) {
      throw UserError("--trace-window", "--trace-on-error finds the time itself", "one of the two");
    }
    request_ = ParseTraceWindow(options.trace_window);
  }
  CheckWritable(options.trace);
  request_.path = options.trace;
}

VariantResult TraceRun::Run(const Scenario& scenario, const VariantSpec& variant,
                            SimulationOptions simulation) {
  if (needs_one_variant()) {
    simulation.machine.trace = &request_;
    WriteSaveFile();
    VariantResult result = RunVariant(scenario, variant, simulation);
    if (result.simulated_ps < request_.begin_ps) {
      throw UserError(
          "--trace-window",
          fmt::format("the run ended at {}, before the window began", Shown(result.simulated_ps)),
          "an earlier window, or a longer --runtime");
    }
    return result;
  }
  try {
    VariantResult result = RunVariant(scenario, variant, simulation);
    if (!result.findings.empty()) RunAround(result.fault_ps, scenario, variant, simulation);
    return result;
  } catch (const NoProgress& stall) {
    RunAround(stall.time_ps, scenario, variant, simulation);
    throw;
  }
}

void TraceRun::RunAround(ssd::TimePs fault, const Scenario& scenario, const VariantSpec& variant,
                         SimulationOptions simulation) {
  if (!wanted() || written_) return;
  written_ = true;
  request_.begin_ps = fault < kBefore ? 0 : fault - kBefore;
  request_.end_ps = fault + kAfter;
  simulation.machine.trace = &request_;
  simulation.events_path.clear();
  WriteSaveFile();
  try {
    static_cast<void>(RunVariant(scenario, variant, simulation));
  } catch (const NoProgress&) {  // that is why we are here
  }
  fmt::print(stderr, "nvmearb: variant {}: waves from {} to {} in {}\n", variant.name,
             Shown(request_.begin_ps), Shown(request_.end_ps), request_.path);
}

void TraceRun::WriteSaveFile() const {
  const fs::path path = fs::path(request_.path).replace_extension(".gtkw");
  OutputFile file("--trace", path.string());
  file.Write(GtkwaveSaveFile(fs::path(request_.path).filename().string()));
}

}  // namespace nvmearb::sim
