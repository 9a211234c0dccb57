// SPDX-License-Identifier: Apache-2.0
//
// Do the shipped scenarios give what their sources published? Short runs; the full ones are those
// of `nvmearb run`.
#include <gtest/gtest.h>

#include "run_program.h"
#include "short_scenario.h"

namespace nvmearb::system {
namespace {

/// Every comparison holds, or is a declared deviation; nothing was found; nothing was lost.
void ExpectGood(const sim::RunResult& run) {
  for (const sim::VariantResult& variant : run.variants) {
    EXPECT_TRUE(variant.findings.empty()) << variant.name << ": " << variant.findings[0] << "\n"
                                          << variant.first_finding;
    EXPECT_TRUE(variant.notices.empty()) << variant.name << ": " << variant.notices[0];
    EXPECT_FALSE(variant.comparisons.empty()) << variant.name;
    for (const sim::ComparisonResult& result : variant.comparisons) {
      EXPECT_FALSE(result.Fails())
          << variant.name << ", " << result.wanted.job << ": " << result.measured << " instead of "
          << result.wanted.published << ", " << result.error_pct << " %";
    }
    EXPECT_GT(variant.judged_grants, variant.io_count);  // every command and the admin ones
  }
}

TEST(Published, RandomReadSharesOnTheRtl) {
  ExpectGood(
      RunAll(Shipped("wrr_v3_randread", {"run.runtime=60ms", "run.ramp=20ms"}), sim::Engine::kRtl));
}

TEST(Published, RandomReadSharesOnTheModel) {
  ExpectGood(RunAll(Shipped("wrr_v3_randread", {"run.runtime=100ms", "run.ramp=20ms"}),
                    sim::Engine::kModel));
}

TEST(Published, SequentialReadRatesOnTheModel) {
  ExpectGood(RunAll(Shipped("wrr_v3_read512k", {}), sim::Engine::kModel));
}

TEST(Published, SequentialWriteRatesOnTheModel) {
  ExpectGood(RunAll(Shipped("wrr_v3_write512k", {}), sim::Engine::kModel));
}

TEST(Published, RandomWriteRatesOnTheModel) {
  ExpectGood(RunAll(Shipped("wrr_v3_randwrite", {"run.runtime=500ms"}), sim::Engine::kModel));
}

TEST(Published, SharesAreSixToThreeToOneAndEqual) {
  const sim::RunResult run = RunAll(
      Shipped("wrr_v3_randread", {"run.runtime=60ms", "run.ramp=20ms"}), sim::Engine::kModel);
  ASSERT_EQ(run.variants.size(), 2u);
  for (const sim::JobResult& job : run.variants[0].jobs) EXPECT_NEAR(job.share_pct, 100.0 / 3, 0.5);
  EXPECT_NEAR(run.variants[1].jobs[0].share_pct, 60, 0.5);
  EXPECT_NEAR(run.variants[1].jobs[1].share_pct, 30, 0.5);
  EXPECT_NEAR(run.variants[1].jobs[2].share_pct, 10, 0.5);
}

TEST(Published, WeightsOfTheScenarioReachTheArbiter) {
  const sim::Scenario scenario = Shipped(
      "wrr_v3_randread", {"run.runtime=60ms", "run.ramp=20ms", "variant.wrr.weights=1,1,1"});
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  const sim::VariantResult result = sim::RunVariant(scenario, VariantOf(scenario, "wrr"), options);
  for (const sim::JobResult& job : result.jobs) EXPECT_NEAR(job.share_pct, 100.0 / 3, 0.5);
}

TEST(Published, RegistersReadAsTheirOwnerDumpedThem) {
  for (const char* engine : {"rtl", "model"}) {
    const ProgramResult result = RunProgram({"show-regs", "wrr_v3_randread", "--engine", engine});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const char* line : {"cap     : 2078030fff\n", "version : 10200\n", "cc      : 460801\n",
                             "csts    : 1\n", "aqa     : 1f001f\n"}) {
      EXPECT_NE(result.out.find(line), std::string::npos) << line << "not in\n" << result.out;
    }
  }
}

}  // namespace
}  // namespace nvmearb::system
