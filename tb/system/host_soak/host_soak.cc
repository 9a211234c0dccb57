// SPDX-License-Identifier: Apache-2.0
//
// host_soak: random set-ups of the whole host, seed by seed, until so many I/Os were done. Stops at
// a finding, or when interrupted; says how to go on and how to repeat.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "random_setup.h"
#include "soak_run.h"

namespace nvmearb::system {
namespace {

volatile sig_atomic_t interrupted = 0;

struct Arguments {
  std::uint64_t seed = 1;
  double ios = 1e7;
  std::uint64_t setup_ios = 20'000;
  std::string engine = "model";
  bool describe = false;
  std::string output;
};

nlohmann::ordered_json ToJson(const SoakCounts& counts) {
  return {{"setups", counts.setups},
          {"ios", counts.bios},
          {"failed", counts.failed},
          {"faults", counts.faults},
          {"resets", counts.resets},
          {"timeouts", counts.timeouts},
          {"aborts", counts.aborts},
          {"failovers", counts.failovers},
          {"tag_waits", counts.tag_waits},
          {"merges", counts.merges},
          {"lost_messages", counts.lost_messages},
          {"judged_grants", counts.judged_grants}};
}

void Print(const Arguments& arguments, std::uint64_t next_seed, const SoakCounts& counts) {
  std::string text;
  const nlohmann::ordered_json numbers = ToJson(counts);
  for (const auto& [name, value] : numbers.items()) {
    text += fmt::format(", {} {}", value.get<std::uint64_t>(), name);
  }
  fmt::print("seeds {}..{}{}; {:.2f} minutes of a core\n", arguments.seed, next_seed - 1, text,
             static_cast<double>(std::clock()) / CLOCKS_PER_SEC / 60);
  std::fflush(stdout);
}

void Write(const Arguments& arguments, std::uint64_t next_seed, const SoakCounts& counts,
           const std::string& finding) {
  if (arguments.output.empty()) return;
  nlohmann::ordered_json report = ToJson(counts);
  report["engine"] = arguments.engine;
  report["first_seed"] = arguments.seed;
  report["next_seed"] = next_seed;
  report["finding"] = finding;
  std::ofstream(arguments.output) << report.dump(1) << "\n";
}

int Run(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kReportEvery{10};
  SoakCounts counts;
  std::uint64_t seed = arguments.seed;
  Clock::time_point report_at = Clock::now() + kReportEvery;
  const std::string repeat = fmt::format("host_soak --engine {} --setup-ios {} --ios 1 --seed ",
                                         arguments.engine, arguments.setup_ios);
  while (interrupted == 0 && static_cast<double>(counts.bios) < arguments.ios) {
    const RandomSetup setup = MakeRandomSetup(seed, arguments.setup_ios);
    if (arguments.describe) fmt::print("{}", Describe(setup));
    const SoakResult result = RunSetup(setup, sim::EngineOf(arguments.engine));
    counts += result.counts;
    if (!result.finding.empty()) {
      fmt::print("{}\nrepeat: {}{}\n", result.finding, repeat, seed);
      Write(arguments, seed, counts, result.finding);
      return 1;
    }
    ++seed;
    if (Clock::now() < report_at) continue;
    report_at = Clock::now() + kReportEvery;
    Print(arguments, seed, counts);
  }
  Print(arguments, seed, counts);
  fmt::print("every I/O ended once; to go on: --seed {}\n", seed);
  Write(arguments, seed, counts, "");
  return interrupted != 0 ? 130 : 0;
}

}  // namespace
}  // namespace nvmearb::system

int main(int argc, char** argv) {
  nvmearb::system::Arguments arguments;
  CLI::App app(
      "Random set-ups of the whole host with faults: every I/O ends once, no tag is left.");
  app.add_option("--seed", arguments.seed, "first seed")->capture_default_str();
  app.add_option("--ios", arguments.ios, "stop after so many I/Os")->capture_default_str();
  app.add_option("--setup-ios", arguments.setup_ios, "I/Os of each set-up")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--engine", arguments.engine, "model or rtl")
      ->capture_default_str()
      ->check(CLI::IsMember({"model", "rtl"}));
  app.add_flag("--describe", arguments.describe, "print each set-up");
  app.add_option("--json", arguments.output, "file for the figures");
  CLI11_PARSE(app, argc, argv);
  const auto stop = [](int) { nvmearb::system::interrupted = 1; };
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  return nvmearb::system::Run(arguments);
}
