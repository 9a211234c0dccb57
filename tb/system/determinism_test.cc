// SPDX-License-Identifier: Apache-2.0
//
// The same run gives the same bytes; both engines give the same tables.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "short_scenario.h"

namespace nvmearb::system {
namespace {

std::string JsonOf(const std::vector<std::string>& options) {
  const std::string path = TemporaryPath("result.json");
  std::vector<std::string> arguments = {"run", "wrr_v3_randread", "--json", path};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = RunProgram(arguments);
  EXPECT_LE(result.exit_code, 1) << result.err;  // 1: too short for the published values
  const std::string json = ReadFile(path);
  std::remove(path.c_str());
  return json;
}

TEST(Determinism, TwoRunsOfTheRtlAreByteIdentical) {
  const std::vector<std::string> options = {"--runtime", "20ms"};
  EXPECT_EQ(JsonOf(options), JsonOf(options));
}

TEST(Determinism, TwoRunsOfTheModelAreByteIdentical) {
  const std::vector<std::string> options = {"--runtime", "20ms", "--engine", "model"};
  EXPECT_EQ(JsonOf(options), JsonOf(options));
}

TEST(Determinism, AnotherSeedGivesOtherNumbers) {
  EXPECT_NE(nlohmann::json::parse(JsonOf({"--runtime", "5ms", "--engine", "model"}))["variants"],
            nlohmann::json::parse(
                JsonOf({"--runtime", "5ms", "--engine", "model", "--seed", "2"}))["variants"]);
}

TEST(Determinism, AVariantDoesNotDependOnTheOneBefore) {
  const auto both = nlohmann::json::parse(JsonOf({"--runtime", "5ms"}));
  const auto alone = nlohmann::json::parse(JsonOf({"--runtime", "5ms", "--variant", "wrr"}));
  EXPECT_EQ(both["variants"][1], alone["variants"][0]);
}

TEST(Determinism, FreeRunningClockGivesTheSameBytes) {
  EXPECT_EQ(JsonOf({"--runtime", "5ms"}), JsonOf({"--runtime", "5ms", "--clock", "free"}));
}

TEST(Determinism, FreeRunningClockGivesTheSameEvents) {
  const std::string jump = TemporaryPath("jump.csv");
  const std::string free = TemporaryPath("free.csv");
  RunProgram({"run", "wrr_v3_randread", "--variant", "wrr", "--runtime", "1ms", "--events", jump});
  RunProgram({"run", "wrr_v3_randread", "--variant", "wrr", "--runtime", "1ms", "--events", free,
              "--clock", "free"});
  const std::string text = ReadFile(jump);
  EXPECT_EQ(
      text.rfind("cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit\n", 0),
      0u);
  EXPECT_GT(text.size(), 10000u);
  EXPECT_TRUE(text == ReadFile(free));
}

TEST(Determinism, EnginesAgreeWithinOnePercentInEveryCell) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", {"run.runtime=150ms", "run.ramp=30ms"});
  const sim::RunResult rtl = RunAll(scenario, sim::Engine::kRtl);
  const sim::RunResult model = RunAll(scenario, sim::Engine::kModel);
  for (std::size_t v = 0; v < rtl.variants.size(); ++v) {
    for (std::size_t j = 0; j < rtl.variants[v].jobs.size(); ++j) {
      const sim::JobResult& a = rtl.variants[v].jobs[j];
      const sim::JobResult& b = model.variants[v].jobs[j];
      const std::string where = rtl.variants[v].name + ", " + a.name;
      EXPECT_LT(std::fabs(a.iops / b.iops - 1), 0.01) << where;
      EXPECT_LT(std::fabs(a.mib_per_s / b.mib_per_s - 1), 0.01) << where;
      EXPECT_LT(std::fabs(a.lat_mean_us / b.lat_mean_us - 1), 0.01) << where;
    }
  }
}

}  // namespace
}  // namespace nvmearb::system
