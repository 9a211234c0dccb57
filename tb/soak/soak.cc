// SPDX-License-Identifier: Apache-2.0
//
// soak: random grants without end, seed by seed. Stops at the number of grants or the time that is
// asked for, at a finding, or when interrupted; says how to go on and how to repeat.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "soak_run.h"

namespace nvmearb::tb {
namespace {

volatile sig_atomic_t interrupted = 0;

double CpuMinutes() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC / 60; }

struct Arguments {
  std::uint64_t seed = 1;
  double grants = 1e9;
  double minutes = 0;
  std::string output;
  SoakOptions soak;
};

void Print(const Arguments& arguments, std::uint64_t next_seed, const SoakCounts& counts) {
  const double minutes = CpuMinutes();
  fmt::print(
      "seeds {}..{}: {} grants of {} commands in {} clocks, {} resets, {} deletions, {} refused "
      "doorbells; {:.2f} minutes of a core, {:.2f} million grants a minute\n",
      arguments.seed, next_seed - 1, counts.grants, counts.commands, counts.clocks, counts.resets,
      counts.deletions, counts.refused_doorbells, minutes,
      static_cast<double>(counts.grants) / 1e6 / minutes);
  std::fflush(stdout);
}

void Write(const Arguments& arguments, std::uint64_t next_seed, const SoakCounts& counts,
           const std::string& finding) {
  if (arguments.output.empty()) return;
  const nlohmann::ordered_json report = {
      {"first_seed", arguments.seed},  {"next_seed", next_seed},
      {"grants", counts.grants},       {"commands", counts.commands},
      {"clocks", counts.clocks},       {"resets", counts.resets},
      {"deletions", counts.deletions}, {"refused_doorbells", counts.refused_doorbells},
      {"core_minutes", CpuMinutes()},  {"finding", finding}};
  std::ofstream(arguments.output) << report.dump(1) << "\n";
}

int Run(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kReportEvery{30};
  SoakCounts counts;
  std::uint64_t seed = arguments.seed;
  Clock::time_point report_at = Clock::now() + kReportEvery;
  const auto is_over = [&] {
    return interrupted != 0 || static_cast<double>(counts.grants) >= arguments.grants ||
           (arguments.minutes > 0 && CpuMinutes() >= arguments.minutes);
  };
  while (!is_over()) {
    const SoakResult result = RunSoakSeed(seed, arguments.soak);
    counts += result.counts;
    if (!result.finding.empty()) {
      fmt::print("{}\nseed {}, {} SQs; repeat: soak --seed {} --grants 1\n", result.finding, seed,
                 result.sq_count, seed);
      Write(arguments, seed, counts, result.finding);
      return 1;
    }
    ++seed;
    if (Clock::now() < report_at) continue;
    report_at = Clock::now() + kReportEvery;
    Print(arguments, seed, counts);
  }
  Print(arguments, seed, counts);
  fmt::print("no mismatch; to go on: soak --seed {}\n", seed);
  Write(arguments, seed, counts, "");
  return interrupted != 0 ? 130 : 0;
}

}  // namespace
}  // namespace nvmearb::tb

int main(int argc, char** argv) {
  nvmearb::tb::Arguments arguments;
  CLI::App app("Random grants of nvmearb_core, judged one by one.");
  app.add_option("--seed", arguments.seed, "first seed")->capture_default_str();
  app.add_option("--grants", arguments.grants, "stop after so many grants")->capture_default_str();
  app.add_option("--minutes", arguments.minutes, "stop after so many minutes of a core; 0: never")
      ->capture_default_str();
  app.add_option("--sqs", arguments.soak.sq_count, "number of SQs; 0: the seed chooses")
      ->capture_default_str()
      ->check(CLI::IsMember({0, 2, 3, 7, 16, 64, 129, 1024}));
  app.add_option("--clocks", arguments.soak.clock_count, "clocks of traffic of each seed")
      ->capture_default_str();
  app.add_option("--json", arguments.output, "file for the figures");
  CLI11_PARSE(app, argc, argv);
  const auto stop = [](int) { nvmearb::tb::interrupted = 1; };
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  return nvmearb::tb::Run(arguments);
}
