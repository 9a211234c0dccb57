// SPDX-License-Identifier: Apache-2.0
//
// soak: random grants without end, seed by seed. Stops at the number of grants or the time that is
// asked for, at a finding, or when interrupted; says how to go on and how to repeat.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core_dut.h"
#include "harness/seed_loop.h"
#include "soak_run.h"

namespace nvmearb::tb {
namespace {

struct Arguments {
  std::uint64_t seed = 1;
  double grants = 1e9;
  double minutes = 0;
  std::string output, program;
  SoakOptions soak;
};

class Soak {
 public:
  explicit Soak(const Arguments& arguments) : arguments_(arguments) {}

  [[nodiscard]] bool IsOver() const {
    return static_cast<double>(counts_.grants) >= arguments_.grants ||
           (arguments_.minutes > 0 && CpuMinutes() >= arguments_.minutes);
  }

  std::string RunSeed(std::uint64_t seed) {
    const SoakResult result = RunSoakSeed(seed, arguments_.soak);
    counts_ += result.counts;
    if (!result.finding.empty()) {
      fmt::print("{}\nseed {}, {} SQs; repeat: {} --seed {} --grants 1\n", result.finding, seed,
                 result.sq_count, arguments_.program, seed);
    }
    return result.finding;
  }

  void Print(std::uint64_t next_seed) const {
    const double minutes = CpuMinutes();
    fmt::print(
        "seeds {}..{}: {} grants of {} commands in {} clocks, {} resets, {} deletions, {} refused "
        "doorbells; {:.2f} minutes of a core, {:.2f} million grants a minute\n",
        arguments_.seed, next_seed - 1, counts_.grants, counts_.commands, counts_.clocks,
        counts_.resets, counts_.deletions, counts_.refused_doorbells, minutes,
        static_cast<double>(counts_.grants) / 1e6 / minutes);
  }

  void Write(std::uint64_t next_seed, const std::string& finding) const {
    if (arguments_.output.empty()) return;
    const nlohmann::ordered_json report = {
        {"first_seed", arguments_.seed},  {"next_seed", next_seed},
        {"grants", counts_.grants},       {"commands", counts_.commands},
        {"clocks", counts_.clocks},       {"resets", counts_.resets},
        {"deletions", counts_.deletions}, {"refused_doorbells", counts_.refused_doorbells},
        {"core_minutes", CpuMinutes()},   {"finding", finding}};
    std::ofstream(arguments_.output) << report.dump(1) << "\n";
  }

  [[nodiscard]] std::string Passed(std::uint64_t next_seed) const {
    return fmt::format("no mismatch; to go on: {} --seed {}", arguments_.program, next_seed);
  }

 private:
  const Arguments& arguments_;
  SoakCounts counts_;
};

}  // namespace
}  // namespace nvmearb::tb

int main(int argc, char** argv) {
  nvmearb::tb::Arguments arguments;
  std::vector<unsigned> sizes = nvmearb::tb::Traits().sizes;
  sizes.push_back(0);
  CLI::App app("Random grants of nvmearb_core, judged one by one.");
  app.add_option("--seed", arguments.seed, "first seed")->capture_default_str();
  app.add_option("--grants", arguments.grants, "stop after so many grants")->capture_default_str();
  app.add_option("--minutes", arguments.minutes, "stop after so many minutes of a core; 0: never")
      ->capture_default_str();
  app.add_option("--sqs", arguments.soak.sq_count, "number of SQs; 0: the seed chooses")
      ->capture_default_str()
      ->check(CLI::IsMember(sizes));
  app.add_option("--clocks", arguments.soak.clock_count, "clocks of traffic of each seed")
      ->capture_default_str();
  app.add_option("--json", arguments.output, "file for the figures");
  CLI11_PARSE(app, argc, argv);
  arguments.program = std::filesystem::path(argv[0]).filename();
  nvmearb::tb::Soak soak(arguments);
  return nvmearb::tb::RunSeeds(soak, arguments.seed, std::chrono::seconds(30));
}
