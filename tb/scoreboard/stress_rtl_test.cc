// SPDX-License-Identifier: Apache-2.0
//
// Everything at once, at any clock, on the RTL and on the model: no finding of the Judge, every
// command delivered.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "harness/rtl_front_end.h"
#include "scoreboard/stress_host.h"
#include "ssd/model_front_end.h"

namespace nvmearb::tb {
namespace {

ssd::Kernel& TheKernel() {
  static ssd::Kernel kernel("stress_rtl_test_kernel");
  return kernel;
}

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

/// Runs one seed; returns the commands delivered.
std::uint64_t RunSeed(ssd::FrontEnd* front_end, std::uint64_t seed, std::string* finding,
                      std::uint64_t* reset_count) {
  CheckedFrontEnd checked(front_end, nullptr);
  StressParameters parameters;
  parameters.seed = seed;
  StressHost host(&checked, &TheKernel(), parameters);
  host.Run();
  if (!checked.findings().empty()) *finding = Describe(checked.findings().front());
  *reset_count += host.reset_count();
  return host.command_count();
}

RtlOptions OptionsOf(std::uint64_t seed) {
  base::Random random(seed, 5);
  RtlOptions options;
  options.read_latency_clocks = static_cast<unsigned>(random.InRange(1, 200));
  options.max_count = static_cast<unsigned>(random.InRange(1, 8));
  options.stall_percent = random.Below(3) == 0 ? static_cast<unsigned>(random.Below(90)) : 0;
  options.stall_seed = seed;
  return options;
}

class Stress : public testing::Test {
 protected:
  template <typename MakeFrontEnd>
  void Run(MakeFrontEnd make, const std::string& name, std::uint64_t default_count) {
    const std::uint64_t first_seed = FromEnvironment("NVMEARB_SEED", 1);
    const std::uint64_t count = FromEnvironment("NVMEARB_COUNT", default_count);
    std::uint64_t command_count = 0;
    std::uint64_t reset_count = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
      TheKernel().Reset();
      const auto front_end = make(seed);
      std::string finding;
      command_count += RunSeed(front_end.get(), seed, &finding, &reset_count);
      ASSERT_EQ(finding, "") << "reproduce: NVMEARB_SEED=" << seed
                             << " NVMEARB_COUNT=1 scoreboard_stress_rtl_test --gtest_filter=*"
                             << name;
    }
    EXPECT_GT(command_count, count * 300);
    if (count == default_count) {
      EXPECT_GT(reset_count, 0u);
    }
  }
};

TEST_F(Stress, RtlOf7QueuesKeepsEveryRule) {
  Run([](std::uint64_t seed) { return MakeRtlFrontEndOf<7>(&TheKernel(), OptionsOf(seed)); },
      "RtlOf7QueuesKeepsEveryRule", 120);
}

TEST_F(Stress, RtlOf129QueuesKeepsEveryRule) {
  Run([](std::uint64_t seed) { return MakeRtlFrontEnd(&TheKernel(), OptionsOf(seed)); },
      "RtlOf129QueuesKeepsEveryRule", 20);
}

TEST_F(Stress, ModelKeepsEveryRule) {
  Run(
      [](std::uint64_t seed) {
        ssd::ModelFrontEndParams params;
        params.limits.sq_count = 2 + static_cast<unsigned>(seed % 12);
        params.max_grant_count = 1 + static_cast<std::uint32_t>(seed % 8);
        return std::make_unique<ssd::ModelFrontEnd>(&TheKernel(), params);
      },
      "ModelKeepsEveryRule", 150);
}

}  // namespace
}  // namespace nvmearb::tb
