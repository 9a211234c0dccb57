// SPDX-License-Identifier: Apache-2.0
//
// RTL and C++ model answer every question of the playground alike: the golden vectors, and random
// set-ups with later arrivals. Judge and ExactOrder watch the RTL meanwhile.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "harness/rtl_front_end.h"
#include "scoreboard/exact_order.h"
#include "scoreboard/golden_vectors.h"
#include "scoreboard/playground.h"
#include "scoreboard/random_setup.h"
#include "ssd/model_front_end.h"

namespace nvmearb::tb {
namespace {

ssd::Kernel& TheKernel() {
  static ssd::Kernel kernel("playground_rtl_test_kernel");
  return kernel;
}

/// One front end with everything that watches it.
class Engine {
 public:
  Engine(std::unique_ptr<ssd::FrontEnd> front_end, ssd::Kernel* kernel)
      : front_end_(std::move(front_end)),
        checked_(front_end_.get(), nullptr),
        exact_(front_end_->Limits().sq_count),
        playground_(&checked_, kernel, &exact_) {
    checked_.SetMemory(playground_.memory());
  }
  std::string Ask(const ArbitrateArguments& arguments) {
    const GrantOrder order =
        playground_.Run(ParseArbitrateOptions(arguments, front_end_->Limits()));
    checked_.judge().ExpectQuiet();
    return FormatOrder(order);
  }
  CheckedFrontEnd& checked() { return checked_; }
  /// The first finding of either judge; empty if there is none.
  std::string FirstFinding() const {
    if (!checked_.findings().empty()) return Describe(checked_.findings().front());
    if (!exact_.findings().empty()) return Describe(exact_.findings().front());
    return {};
  }
  std::uint64_t compared_count() const { return checked_.compared_count(); }

 private:
  std::unique_ptr<ssd::FrontEnd> front_end_;
  CheckedFrontEnd checked_;
  ExactOrder exact_;
  Playground playground_;
};

class PlaygroundRtl : public testing::Test {
 protected:
  PlaygroundRtl() {
    TheKernel().Reset();
    rtl_ = std::make_unique<Engine>(MakeRtlFrontEnd(&TheKernel(), RtlOptions{}), &TheKernel());
    ssd::ModelFrontEndParams params;
    params.limits.sq_count = NVMEARB_SIM_SQS;
    model_ = std::make_unique<Engine>(std::make_unique<ssd::ModelFrontEnd>(&TheKernel(), params),
                                      &TheKernel());
  }
  std::unique_ptr<Engine> rtl_;
  std::unique_ptr<Engine> model_;
};

TEST_F(PlaygroundRtl, BothEnginesGiveEveryGoldenVector) {
  for (const GoldenVector& vector : kGoldenVectors) {
    EXPECT_EQ(rtl_->Ask(ArgumentsOf(vector)), vector.order) << vector.name << " by the RTL";
    EXPECT_EQ(model_->Ask(ArgumentsOf(vector)), vector.order) << vector.name << " by the model";
  }
  EXPECT_EQ(rtl_->FirstFinding(), "");
  EXPECT_EQ(model_->FirstFinding(), "");
}

TEST_F(PlaygroundRtl, BothEnginesGiveTheSameOrderForRandomSetups) {
  const char* seed_text = std::getenv("NVMEARB_SEED");
  const char* count_text = std::getenv("NVMEARB_COUNT");
  const std::uint64_t first_seed = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 0) : 1;
  const std::uint64_t count = count_text != nullptr ? std::strtoull(count_text, nullptr, 0) : 10000;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const ArbitrateArguments arguments = RandomSetup(seed, seed % 8 == 0 ? NVMEARB_SIM_SQS : 9);
    const std::string model_order = model_->Ask(arguments);
    const std::string rtl_order = rtl_->Ask(arguments);
    const std::string finding = rtl_->FirstFinding() + model_->FirstFinding();
    ASSERT_TRUE(rtl_order == model_order && finding.empty())
        << "seed " << seed << "\nreproduce: NVMEARB_SEED=" << seed
        << " NVMEARB_COUNT=1 scoreboard_playground_rtl_test --gtest_filter=*RandomSetups\n"
        << CommandLine(arguments) << "\nrtl:   " << rtl_order << "\nmodel: " << model_order << "\n"
        << finding;
  }
  EXPECT_GT(rtl_->compared_count(), count * 20);  // else the set-ups have dried up
}

TEST_F(PlaygroundRtl, AGrantFalsifiedAtTheObservationPortIsReported) {
  // The 5th grant of the run claims another slot than was granted.
  struct Tamper {
    int grant_count = 0;
    static void Call(void* context, arbiter::Event* event) {
      auto* self = static_cast<Tamper*>(context);
      if (event->kind == arbiter::EventKind::kGrant && ++self->grant_count == 5) event->head += 1;
    }
  } tamper;
  rtl_->checked().SetTamper(&Tamper::Call, &tamper);
  rtl_->Ask(ArgumentsOf(kGoldenVectors[2]));
  ASSERT_FALSE(rtl_->checked().findings().empty());
  EXPECT_EQ(rtl_->checked().findings()[0].rule, Rule::kHead);
  EXPECT_EQ(rtl_->checked().findings()[0].events.back().kind, arbiter::EventKind::kGrant);
}

}  // namespace
}  // namespace nvmearb::tb
