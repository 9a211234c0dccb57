// SPDX-License-Identifier: Apache-2.0
//
// host_soak: random set-ups of the whole host, seed by seed, until so many I/Os were done. Stops at
// a finding, or when interrupted; says how to go on and how to repeat.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/seed_loop.h"
#include "random_setup.h"
#include "soak_run.h"

namespace nvmearb::system {
namespace {

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

class HostSoak {
 public:
  explicit HostSoak(const Arguments& arguments) : arguments_(arguments) {}

  [[nodiscard]] bool IsOver() const { return static_cast<double>(counts_.bios) >= arguments_.ios; }

  std::string RunSeed(std::uint64_t seed) {
    const RandomSetup setup = MakeRandomSetup(seed, arguments_.setup_ios);
    if (arguments_.describe) fmt::print("{}", Describe(setup));
    const SoakResult result = RunSetup(setup, sim::EngineOf(arguments_.engine));
    counts_ += result.counts;
    if (!result.finding.empty()) {
      fmt::print("{}\nrepeat: host_soak --engine {} --setup-ios {} --ios 1 --seed {}\n",
                 result.finding, arguments_.engine, arguments_.setup_ios, seed);
    }
    return result.finding;
  }

  void Print(std::uint64_t next_seed) const {
    std::string text;
    const nlohmann::ordered_json numbers = ToJson(counts_);
    for (const auto& [name, value] : numbers.items()) {
      text += fmt::format(", {} {}", value.get<std::uint64_t>(), name);
    }
    fmt::print("seeds {}..{}{}; {:.2f} minutes of a core\n", arguments_.seed, next_seed - 1, text,
               tb::CpuMinutes());
  }

  void Write(std::uint64_t next_seed, const std::string& finding) const {
    if (arguments_.output.empty()) return;
    nlohmann::ordered_json report = ToJson(counts_);
    report["engine"] = arguments_.engine;
    report["first_seed"] = arguments_.seed;
    report["next_seed"] = next_seed;
    report["finding"] = finding;
    std::ofstream(arguments_.output) << report.dump(1) << "\n";
  }

  [[nodiscard]] static std::string Passed(std::uint64_t next_seed) {
    return fmt::format("every I/O ended once; to go on: --seed {}", next_seed);
  }

 private:
  const Arguments& arguments_;
  SoakCounts counts_;
};

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
  nvmearb::system::HostSoak soak(arguments);
  return nvmearb::tb::RunSeeds(soak, arguments.seed, std::chrono::seconds(10));
}
