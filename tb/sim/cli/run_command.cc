// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb run SCENARIO`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/report/html.h"
#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

struct Options {
  std::string scenario;
  std::string folder;
  std::string engine = "rtl";
  std::string clock = "jump";
  std::string runtime;
  std::string seed;
  std::vector<std::string> settings;
  std::string json;
  std::string html;
  std::string events;
  std::string variant;
  unsigned watchdog = 120;
  bool progress = false;
  bool no_progress = false;
};

Scenario Load(const Options& options) {
  std::vector<std::string> settings;
  if (!options.runtime.empty()) settings.push_back("run.runtime=" + options.runtime);
  if (!options.seed.empty()) settings.push_back("run.seed=" + options.seed);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return ReadScenario(FindScenario(options.scenario, ScenarioFolder(options.folder)), settings);
}

/// The variants to run: all, or the one that --variant names.
std::vector<VariantSpec> Selected(const Scenario& scenario, const Options& options) {
  if (options.variant.empty()) {
    if (!options.events.empty() && scenario.variants.size() > 1) {
      std::vector<std::string> names;
      for (const VariantSpec& variant : scenario.variants) names.push_back(variant.name);
      throw host::UserError("--events", "the scenario has several variants",
                            fmt::format("pick one with --variant: {}", fmt::join(names, ", ")));
    }
    return scenario.variants;
  }
  std::vector<std::string> names;
  for (const VariantSpec& variant : scenario.variants) {
    if (variant.name == options.variant) return {variant};
    names.push_back(variant.name);
  }
  throw host::UserError("--variant", fmt::format("there is no \"{}\"", options.variant),
                        fmt::format("{} has {}", scenario.name, fmt::join(names, ", ")));
}

int ExitCodeOf(const RunResult& run) {
  for (const VariantResult& variant : run.variants) {
    if (variant.interrupted) return kExitInterrupted;
  }
  for (const VariantResult& variant : run.variants) {
    if (!variant.findings.empty()) return kExitCheckFailed;
    for (const ComparisonResult& result : variant.comparisons) {
      if (result.Fails()) return kExitCheckFailed;
    }
  }
  return kExitGood;
}

int Run(const Options& options) {
  const Scenario scenario = Load(options);
  const std::vector<VariantSpec> variants = Selected(scenario, options);
  const std::vector<Comparison> comparisons = ExpandComparisons(scenario);
  if (!options.html.empty()) CheckHtmlPossible();
  OutputFile json("--json", options.json);
  OutputFile html("--html", options.html);

  RunResult run;
  run.scenario = scenario.name;
  run.title = scenario.title;
  run.source = scenario.source;
  run.time_note = scenario.run.reason;
  run.seed = scenario.run.seed;
  run.engine = options.engine;
  const bool color = isatty(STDOUT_FILENO) != 0;
  const bool show_progress = options.progress || (!options.no_progress && isatty(STDERR_FILENO));
  ProgressLine progress(show_progress, static_cast<unsigned>(variants.size()));
  InterruptGuard interrupt;

  SimulationOptions simulation;
  simulation.machine.engine = EngineOf(options.engine);
  simulation.machine.clock_free_running = options.clock == "free";
  simulation.collect_page = !options.html.empty();
  simulation.events_path = options.events;
  simulation.watchdog_seconds = options.watchdog;
  simulation.interrupt = interrupt.flag();
  simulation.progress = [&progress](const ProgressReport& report) { progress.Update(report); };

  fmt::print("{}", FormatHeader(run));
  std::fflush(stdout);
  for (const VariantSpec& variant : variants) {
    progress.BeginVariant(variant.name);
    VariantResult result = RunVariant(scenario, variant, simulation);
    progress.Clear();
    if (!result.interrupted) result.comparisons = Compare(comparisons, result);
    fmt::print("{}", FormatVariant(result, color));
    std::fflush(stdout);
    run.variants.push_back(std::move(result));
    if (run.variants.back().interrupted) break;
  }
  fmt::print("{}", FormatVerdict(run, color));
  json.Write(ToJson(run));
  if (html.wanted()) html.Write(ToHtml(run));
  return ExitCodeOf(run);
}

}  // namespace

Command AddRun(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand("run", "Runs a scenario and compares with its source");
  command->add_option("scenario", options->scenario, "Name (see `nvmearb list`) or TOML file")
      ->required();
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_option("--engine", options->engine, "Front end: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--variant", options->variant, "Only this variant");
  command->add_option("--runtime", options->runtime, "Simulated time per variant, such as 5ms");
  command->add_option("--seed", options->seed, "Seed of all random numbers");
  command
      ->add_option("--set", options->settings,
                   "KEY=VALUE, as in the file: device.window=128, "
                   "variant.wrr.weights=65,33,9 (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--json", options->json, "Writes results as JSON with fio's field names");
  command->add_option("--html", options->html, "Writes a page with tables and plots");
  command->add_option("--events", options->events,
                      "Writes the observation port as CSV (with --variant if there are several)");
  command->add_option("--clock", options->clock, "jump over idle RTL clocks, or run them all")
      ->check(CLI::IsMember({"jump", "free"}))
      ->capture_default_str();
  command
      ->add_option("--watchdog", options->watchdog,
                   "Wall seconds without any simulated progress that end the run")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  auto* on = command->add_flag("--progress", options->progress, "Progress line always");
  command->add_flag("--no-progress", options->no_progress, "Never")->excludes(on);
  return [options] { return Run(*options); };
}

}  // namespace nvmearb::sim
