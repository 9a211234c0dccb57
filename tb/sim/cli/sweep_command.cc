// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb sweep SCENARIO --set KEY=VALUE,VALUE,...`: the scenario at every combination of values.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/load.h"
#include "sim/cli/output_file.h"
#include "sim/cli/sweep_grid.h"
#include "sim/cli/worker_pool.h"
#include "sim/report/html.h"
#include "sim/report/sweep.h"
#include "sim/scenario/keys.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

/// One line on a terminal: "12 of 64 points, 4 running, ETA 1:20".
class SweepProgress {
 public:
  SweepProgress(bool enabled, std::size_t count)
      : enabled_(enabled), count_(count), begin_(std::chrono::steady_clock::now()) {}

  void Update(std::size_t done, std::size_t running) {
    if (!enabled_) return;
    std::string eta = "-";
    if (done > 0) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
      const auto left = static_cast<int>(
          spent.count() * static_cast<double>(count_ - done) / static_cast<double>(done) + 0.5);
      eta = fmt::format("{}:{:02}", left / 60, left % 60);
    }
    fmt::print(stderr, "\r\x1b[K{} of {} points, {} running, ETA {}", done, count_, running, eta);
    std::fflush(stderr);
  }
  void Clear() {
    if (enabled_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool enabled_;
  std::size_t count_;
  std::chrono::steady_clock::time_point begin_;
};

/// Unit of an axis on a plot; times are shown in us, sizes in bytes.
std::string UnitOf(const std::string& path) {
  const KeySpec* const key = FindKey(path);
  if (key == nullptr) return "";
  return key->type == ValueType::kTime ? "us" : key->unit;
}

Scenario ScenarioAt(const SweepOptions& options, const SweepGrid& grid, std::size_t index) {
  return LoadScenario(
      {options.scenario, options.folder, options.runtime, options.seed, grid.SettingsAt(index)});
}

/// In a worker: one point, all its variants. The text is what was measured, or the error.
int RunPoint(const SweepOptions& options, const SweepGrid& grid, std::size_t index,
             std::string* text) {
  try {
    const Scenario scenario = ScenarioAt(options, grid, index);
    SimulationOptions simulation;
    simulation.machine.engine = EngineOf(options.engine);
    simulation.interrupt = InterruptGuard::flag();
    std::vector<VariantResult> results;
    for (const VariantSpec& variant : SelectVariants(scenario, options.variant)) {
      results.push_back(RunVariant(scenario, variant, simulation));
      if (results.back().interrupted) return kExitInterrupted;
    }
    *text = PackJobs(results);
    const bool good = std::all_of(results.begin(), results.end(),
                                  [](const VariantResult& one) { return one.findings.empty(); });
    return good ? kExitGood : kExitCheckFailed;
  } catch (const host::UserError& error) {
    *text = error.what();
    return kExitUsage;
  } catch (const std::exception& error) {
    *text = error.what();
    return kExitInternal;
  }
}

}  // namespace

int SweepCommand(const SweepOptions& options) {
  const SweepGrid grid(options.settings);
  if (!options.html.empty()) CheckHtmlPossible();
  SweepResult sweep;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Scenario scenario = ScenarioAt(options, grid, i);
    CheckMachines(scenario, SelectVariants(scenario, options.variant), EngineOf(options.engine));
    sweep.scenario = scenario.name;
    sweep.title = scenario.title;
    sweep.source = scenario.source;
    sweep.seed = scenario.run.seed;
  }
  sweep.engine = options.engine;
  for (const SweepAxis& axis : grid.axes()) {
    sweep.keys.push_back(axis.key);
    sweep.units.push_back(UnitOf(axis.key));
  }
  if (options.csv == options.html) {
    throw host::UserError("--html", fmt::format("{} is the file of --csv, too", options.csv),
                          "a file of its own");
  }
  OutputFile csv("--csv", options.csv);
  OutputFile html("--html", options.html);

  SweepProgress progress(options.progress || (!options.no_progress && isatty(STDERR_FILENO) != 0),
                         grid.size());
  InterruptGuard interrupt;
  WorkerPool pool;
  pool.jobs = options.jobs;
  pool.interrupt = InterruptGuard::flag();
  pool.work = [&](std::size_t index, std::string* text) {
    return RunPoint(options, grid, index, text);
  };
  pool.progress = [&](std::size_t done, std::size_t running) { progress.Update(done, running); };
  const std::vector<WorkerResult> results = pool.Run(grid.size());
  progress.Clear();

  int code = *InterruptGuard::flag() != 0 ? kExitInterrupted : kExitGood;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const WorkerResult& result = results[i];
    if (!result.ran || result.exit_code == kExitInterrupted) continue;
    if (result.exit_code != kExitGood) {
      code = std::max(code, result.exit_code);
      fmt::print(stderr, "nvmearb: at {}: {}\n", fmt::join(grid.SettingsAt(i), " "),
                 result.exit_code == kExitCheckFailed ? "findings; run it for the details"
                 : result.text.empty()                ? "the worker died"
                                                      : result.text);
    }
    if (result.exit_code != kExitGood && result.exit_code != kExitCheckFailed) continue;
    for (SweepRow& row : UnpackJobs(result.text)) {
      row.values = grid.ValuesAt(i);
      sweep.rows.push_back(std::move(row));
    }
  }
  csv.Write(ToCsv(sweep));
  if (html.wanted()) html.Write(ToHtml(sweep));
  return code;
}

}  // namespace nvmearb::sim
