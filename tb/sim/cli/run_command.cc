// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb run SCENARIO`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/load.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/cli/trace_run.h"
#include "sim/report/html.h"
#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

/// Two results in one file would be one result.
void CheckOutputs(const RunOptions& options) {
  const std::pair<const char*, const std::string&> outputs[] = {{"--json", options.json},
                                                                {"--html", options.html},
                                                                {"--events", options.events},
                                                                {"--trace", options.trace}};
  for (const auto& [name, path] : outputs) {
    for (const auto& [other, same] : outputs) {
      if (name == other || path.empty() || path != same) continue;
      throw host::UserError(name, fmt::format("{} is the file of {}, too", path, other),
                            "a file of its own");
    }
  }
}

/// The variants to run: all, or the one that --variant names.
std::vector<VariantSpec> Selected(const Scenario& scenario, const RunOptions& options,
                                  bool is_traced) {
  std::vector<VariantSpec> variants = SelectVariants(scenario, options.variant);
  if ((options.events.empty() && !is_traced) || variants.size() == 1) return variants;
  std::vector<std::string> names;
  names.reserve(variants.size());
  for (const VariantSpec& variant : variants) names.push_back(variant.name);
  throw host::UserError(is_traced ? "--trace" : "--events", "the scenario has several variants",
                        fmt::format("pick one with --variant: {}", fmt::join(names, ", ")));
}

/// --path names a path of each variant, and there is something to show of it.
void CheckPath(const Scenario& scenario, const std::vector<VariantSpec>& variants,
               const RunOptions& options) {
  if (options.path.empty()) return;
  if (options.events.empty() && options.trace.empty() && options.html.empty() &&
      options.json.empty()) {
    throw host::UserError("--path", "nothing is shown of it",
                          "--events, --trace or --html beside it");
  }
  for (const VariantSpec& variant : variants) {
    static_cast<void>(
        ObservedController(MachineOf(scenario, variant), options.path, scenario.name));
  }
}

}  // namespace

int RunCommand(const RunOptions& options) {
  TraceRun trace(options);
  const Scenario scenario = LoadScenario(
      {options.scenario, options.folder, options.runtime, options.seed, options.settings});
  const std::vector<VariantSpec> variants = Selected(scenario, options, trace.needs_one_variant());
  const std::vector<Comparison> comparisons = ExpandComparisons(scenario);
  CheckMachines(scenario, variants, EngineOf(options.engine));
  CheckPath(scenario, variants, options);
  if (!options.html.empty()) CheckHtmlPossible();
  CheckOutputs(options);
  if (trace.wanted() && !tb::RtlCanTrace()) HandOverToTraceProgram(options.arguments);
  OutputFile json("--json", options.json);
  OutputFile html("--html", options.html);

  RunResult run;
  run.scenario = scenario.name;
  run.title = scenario.title;
  run.source = scenario.source;
  run.time_note = options.runtime.empty() ? scenario.run.reason
                                          : fmt::format("{}, by --runtime", options.runtime);
  run.seed = scenario.run.seed;
  run.engine = options.engine;
  // A file that goes to standard output is there alone.
  const bool is_piped = options.json == "-" || options.html == "-";
  std::FILE* const table = is_piped ? stderr : stdout;
  const bool color = isatty(fileno(table)) != 0;
  const bool show_progress = options.progress || (!options.no_progress && isatty(STDERR_FILENO));
  ProgressLine progress(show_progress, static_cast<unsigned>(variants.size()));
  InterruptGuard interrupt;

  SimulationOptions simulation;
  simulation.machine.engine = EngineOf(options.engine);
  simulation.machine.observed_path = options.path;
  simulation.machine.clock_free_running = options.clock == "free";
  simulation.collect_page = !options.json.empty() || !options.html.empty();
  simulation.events_path = options.events;
  simulation.watchdog_seconds = options.watchdog;
  simulation.interrupt = interrupt.flag();
  simulation.progress = [&progress](const ProgressReport& report) { progress.Update(report); };

  const auto write_files = [&] {
    json.Write(ToJson(run));
    if (html.wanted()) html.Write(ToHtml(nlohmann::ordered_json::array({RunToJson(run)})));
  };
  fmt::print(table, "{}", FormatHeader(run));
  std::fflush(table);
  for (const VariantSpec& variant : variants) {
    progress.BeginVariant(variant.name);
    VariantResult result;
    try {
      result = trace.Run(scenario, variant, simulation);
    } catch (const NoProgress&) {
      if (!run.variants.empty()) write_files();  // what the variants before it measured
      throw;
    }
    progress.Clear();
    if (!result.interrupted) result.comparisons = Compare(comparisons, result, run.variants);
    fmt::print(table, "{}", FormatVariant(result, color));
    std::fflush(table);
    run.variants.push_back(std::move(result));
    if (run.variants.back().interrupted) break;
  }
  fmt::print(table, "{}", FormatVerdict(run, color));
  write_files();
  return ExitCodeOf(run);
}

}  // namespace nvmearb::sim
