// SPDX-License-Identifier: Apache-2.0
//
// Waves: what stands in the file is what happened, in the window that was asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "fst_file.h"
#include "run_program.h"
#include "short_scenario.h"
#include "sim/cli/trace_run.h"
#include "sim/report/gtkwave.h"

namespace nvmearb::system {
namespace {

const std::string kTop = "TOP.nvmearb_top.";

/// Time in ns and SQ of every grant.
using Grants = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Grants GrantsOfWaves(const std::string& path) {
  Grants grants;
  FstFile file(path);
  std::uint64_t values[3] = {};
  std::uint64_t last_values[3] = {};
  std::uint64_t now = 0;
  bool rose = false;
  const auto settle = [&] {
    // An edge sees what was there before it.
    if (rose && last_values[1] != 0) grants.emplace_back(now / 1000, last_values[2]);
    std::copy(std::begin(values), std::end(values), std::begin(last_values));
    rose = false;
  };
  file.Changes({kTop + "clk_core_i", kTop + "obs_o.grant_valid", kTop + "obs_o.grant.sqid[15:0]"},
               [&](std::uint64_t time, std::size_t signal, std::uint64_t value) {
                 if (time != now) settle();
                 now = time;
                 if (signal == 0 && value == 1 && values[0] == 0) rose = true;
                 values[signal] = value;
               });
  settle();
  return grants;
}

Grants GrantsOfEvents(const std::string& path, std::uint64_t from_ns, std::uint64_t to_ns) {
  Grants grants;
  std::istringstream lines(ReadFile(path));
  std::string line;
  while (std::getline(lines, line)) {
    unsigned long long cycle = 0;
    double time = 0;
    unsigned sqid = 0;
    if (std::sscanf(line.c_str(), "%llu,%lf,grant,%u,", &cycle, &time, &sqid) != 3) continue;
    const auto time_ns = static_cast<std::uint64_t>(time);
    if (time_ns > from_ns && time_ns <= to_ns) grants.emplace_back(time_ns, sqid);
  }
  return grants;
}

class Traced : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    waves_ = TemporaryPath("run.fst");
    events_ = TemporaryPath("run.csv");
    result_ =
        RunProgram({"run", "wrr_v3_randread", "--variant", "wrr", "--runtime", "2ms", "--trace",
                    waves_, "--trace-window", "4ms..4.2ms", "--events", events_, "--json", "-"});
  }
  static std::string waves_;
  static std::string events_;
  static ProgramResult result_;
};
std::string Traced::waves_;
std::string Traced::events_;
ProgramResult Traced::result_;

TEST_F(Traced, TheWindowHoldsTheGrantsOfItsTime) {
  ASSERT_LE(result_.exit_code, 1) << result_.err;  // so short a run may be outside a tolerance
  FstFile file(waves_);
  // The first and the last clock with work are within microseconds of the window's ends.
  EXPECT_GE(file.begin(), 4'000'000'000u);
  EXPECT_LE(file.begin(), 4'010'000'000u);
  EXPECT_LE(file.end(), 4'200'000'000u);
  EXPECT_GE(file.end(), 4'190'000'000u);
  const Grants seen = GrantsOfWaves(waves_);
  EXPECT_GT(seen.size(), 100u);
  EXPECT_EQ(seen, GrantsOfEvents(events_, 4'000'000, 4'200'000));
}

TEST_F(Traced, ResultsAreThoseOfTheRunWithoutWaves) {
  const ProgramResult plain =
      RunProgram({"run", "wrr_v3_randread", "--variant", "wrr", "--runtime", "2ms", "--json", "-"});
  EXPECT_EQ(plain.out, result_.out);
}

TEST_F(Traced, TheSaveFileNamesOnlySignalsThatAreThere) {
  const std::string save = ReadFile(std::filesystem::path(waves_).replace_extension(".gtkw"));
  FstFile file(waves_);
  std::istringstream lines(save);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.compare(0, 4, "TOP.") != 0) continue;
    ++count;
    EXPECT_TRUE(file.Has(line)) << line;
  }
  EXPECT_GT(count, 40);
  EXPECT_FALSE(file.Has("TOP.nvmearb_top.no_such_signal"));
  EXPECT_NE(save.find("[dumpfile] \"" + std::filesystem::path(waves_).filename().string() + "\""),
            std::string::npos);
  EXPECT_EQ(std::count(save.begin(), save.end(), '@'),
            count + 2 * static_cast<int>(sim::WaveGroups().size()));
}

TEST_F(Traced, StatesHaveNames) {
  const FstFile file(waves_);
  for (const char* name : {"SqUrgent", "CfgCreateSq", "StOn"}) {
    EXPECT_EQ(file.enum_names().count(name), 1u) << name;
  }
}

TEST(TraceOptions, BadOnesAreOneLine) {
  const std::string path = TemporaryPath("bad.fst");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--trace-window", "1ms..2ms"}, "--trace-window: there is no --trace"},
      {{"--trace-on-error"}, "--trace-on-error: there is no --trace"},
      {{"--trace", path, "--trace-window", "1ms-2ms"}, "\"1ms-2ms\"; BEGIN..END"},
      {{"--trace", path, "--trace-window", ".."}, "BEGIN..END"},
      {{"--trace", path, "--trace-window", "1..2ms"}, "BEGIN..END"},
      {{"--trace", path, "--trace-window", "3ms..2ms"}, "3ms is not before 2ms"},
      {{"--trace", path, "--trace-window", "1ms..2ms", "--trace-on-error"}, "one of the two"},
      {{"--trace", path, "--engine", "model"}, "--engine model has no waves"},
      {{"--trace", path}, "pick one with --variant: rr, wrr"},
      {{"--trace", path, "--variant", "rr", "--json", path}, "is the file of"},
      {{"--trace", "-"}, "needs to seek"},
      {{"--trace", "/nonexistent/x.fst"}, "/nonexistent/x.fst: No such file"},
      {{"--trace", path, "--variant", "rr", "--runtime", "1ms", "--trace-window", "2s..3s"},
       "before the window began"}};
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {"run", "wrr_v3_randread"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

/// Counts grants of I/O queues and falsifies one of them, in each run anew.
struct Falsifier {
  int wrong_grant = 500;
  int seen = 0;
  std::uint64_t last_ps = 0;
  std::uint64_t falsified_ps = 0;
  static void Tamper(void* context, arbiter::Event* event) {
    auto* self = static_cast<Falsifier*>(context);
    if (event->time_ps < self->last_ps) self->seen = 0;
    self->last_ps = event->time_ps;
    if (event->kind != arbiter::EventKind::kGrant || event->sqid == 0) return;
    if (++self->seen != self->wrong_grant) return;
    event->sqid = static_cast<std::uint16_t>(event->sqid % 90 + 1);
    self->falsified_ps = event->time_ps;
  }
};

sim::VariantResult RunOnError(const std::string& path, Falsifier* falsifier) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", {"run.runtime=3ms", "run.ramp=0s"});
  sim::RunOptions options;
  options.trace = path;
  options.trace_on_error = true;
  sim::SimulationOptions simulation;
  simulation.machine.tamper = falsifier == nullptr ? nullptr : &Falsifier::Tamper;
  simulation.machine.tamper_context = falsifier;
  return sim::TraceRun(options).Run(scenario, VariantOf(scenario, "wrr"), simulation);
}

TEST(TraceOnError, WritesTheTimeAroundTheFirstFinding) {
  const std::string path = TemporaryPath("error.fst");
  Falsifier falsifier;
  EXPECT_FALSE(RunOnError(path, &falsifier).findings.empty());
  ASSERT_GT(falsifier.falsified_ps, 100'000'000u);
  FstFile file(path);
  // The judge may see it a little later.
  EXPECT_LT(file.begin(), falsifier.falsified_ps);
  EXPECT_GT(file.end(), falsifier.falsified_ps);
  EXPECT_LT(file.end() - file.begin(), 121'000'000u);
}

TEST(TraceOnError, WritesNothingWhenAllIsGood) {
  const std::string path = TemporaryPath("good.fst");
  EXPECT_TRUE(RunOnError(path, nullptr).findings.empty());
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace nvmearb::system
