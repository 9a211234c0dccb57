// SPDX-License-Identifier: Apache-2.0
//
// The playground on the C++ model: golden vectors, later arrivals, and what bad options say.
#include "scoreboard/playground.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"
#include "scoreboard/golden_vectors.h"
#include "ssd/model_front_end.h"

namespace nvmearb::tb {
namespace {

constexpr ssd::FrontEndLimits kLimits{16, 65536, 0};

ssd::Kernel& TheKernel() {
  static ssd::Kernel kernel("playground_test_kernel");
  return kernel;
}

/// What the model answers, with the Judge in between; no finding is allowed.
std::string Ask(const ArbitrateArguments& arguments, unsigned sq_count = 16) {
  ssd::Kernel& kernel = TheKernel();
  kernel.Reset();
  ssd::ModelFrontEndParams params;
  params.limits.sq_count = sq_count;
  ssd::ModelFrontEnd model(&kernel, params);
  CheckedFrontEnd checked(&model, nullptr);
  Playground playground(&checked, &kernel);
  checked.SetMemory(playground.memory());
  const GrantOrder order = playground.Run(ParseArbitrateOptions(arguments, params.limits));
  checked.judge().ExpectQuiet();
  for (const Finding& finding : checked.findings()) ADD_FAILURE() << Describe(finding);
  EXPECT_EQ(checked.compared_count(), order.size());
  return FormatOrder(order);
}

/// The message of the UserError that `arguments` cause; empty if they cause none.
std::string ErrorOf(const ArbitrateArguments& arguments) {
  try {
    (void)ParseArbitrateOptions(arguments, kLimits);
  } catch (const host::UserError& error) {
    return error.what();
  }
  return {};
}

TEST(PlaygroundModel, GivesEveryGoldenVector) {
  for (const GoldenVector& vector : kGoldenVectors) {
    EXPECT_EQ(Ask(ArgumentsOf(vector)), vector.order) << vector.name;
  }
}

TEST(PlaygroundModel, RingsAfterEntriesWhenExactlySoManyWereGranted) {
  ArbitrateArguments arguments;
  arguments.ams = "wrr";
  arguments.weights = "3,1,0";
  arguments.sqs = {"1:high:6", "0:admin:0"};
  arguments.afters = {"2:0:1", "4:0:2"};
  EXPECT_EQ(Ask(arguments), "1x2 0 1 0x2 1x3");
}

TEST(PlaygroundModel, QueuesAreRungInTheOrderGiven) {
  ArbitrateArguments arguments;
  arguments.sqs = {"3:low:2", "1:low:2", "0:admin:1", "2:urgent:1"};
  EXPECT_EQ(Ask(arguments), "3 1 0 2 3 1");
}

TEST(PlaygroundModel, OneFrontEndAnswersManyQuestions) {
  ssd::Kernel& kernel = TheKernel();
  kernel.Reset();
  ssd::ModelFrontEnd model(&kernel, {});
  Playground playground(&model, &kernel);
  ArbitrateArguments arguments;
  arguments.sqs = {"1:high:2", "2:low:2"};
  const ArbitrateOptions options = ParseArbitrateOptions(arguments, model.Limits());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(FormatOrder(playground.Run(options)), "1 2 1 2");
}

TEST(PlaygroundModel, TakesAFullQueueAndAnEmptyOne) {
  ArbitrateArguments arguments;
  arguments.ab = 7;
  arguments.sqs = {"1:high:65535", "2:low:0", "0:admin:4095"};
  EXPECT_EQ(Ask(arguments), "1x65535 0x4095");
}

TEST(PlaygroundOrder, WritesRunsShort) {
  EXPECT_EQ(FormatOrder({}), "");
  EXPECT_EQ(FormatOrder({3}), "3");
  EXPECT_EQ(FormatOrder({1, 1, 1, 1, 2, 2, 3}), "1x4 2x2 3");
}

TEST(PlaygroundOptions, ParsesWhatTheManualShows) {
  ArbitrateArguments arguments;
  arguments.ams = "wrr";
  arguments.ab = 2;
  arguments.weights = "64,32,8";
  arguments.sqs = {"0:admin:1", "1:urgent:2", "2:H:3", "3:m:4", "4:low:5"};
  arguments.afters = {"15:4:7"};
  const ArbitrateOptions options = ParseArbitrateOptions(arguments, kLimits);
  EXPECT_EQ(options.mechanism, arbiter::Mechanism::kWeightedRoundRobin);
  EXPECT_EQ(options.settings.ab, 2);
  EXPECT_EQ(options.settings.hpw_zb, 64);
  EXPECT_EQ(options.settings.mpw_zb, 32);
  EXPECT_EQ(options.settings.lpw_zb, 8);
  ASSERT_EQ(options.queues.size(), 5u);
  EXPECT_EQ(options.queues[2].sq_class, arbiter::SqClass::kHigh);
  EXPECT_EQ(options.queues[3].sq_class, arbiter::SqClass::kMedium);
  EXPECT_EQ(options.queues[4].count, 5u);
  ASSERT_EQ(options.afters.size(), 1u);
  EXPECT_EQ(options.afters[0].granted_count, 15u);
  EXPECT_EQ(options.afters[0].sqid, 4);
  EXPECT_EQ(options.afters[0].count, 7u);
}

struct BadOption {
  const char* what;
  ArbitrateArguments arguments;
  const char* message;
};

ArbitrateArguments With(std::vector<std::string> sqs, std::vector<std::string> afters = {},
                        std::string weights = "", int ab = 0, std::string ams = "rr") {
  ArbitrateArguments arguments;
  arguments.ams = std::move(ams);
  arguments.ab = ab;
  arguments.weights = std::move(weights);
  arguments.sqs = std::move(sqs);
  arguments.afters = std::move(afters);
  return arguments;
}

TEST(PlaygroundOptions, SaysWhatIsWrongAndWhatIsAllowed) {
  const BadOption kBad[] = {
      {"no queue", With({}), "arbitrate: no queue; give at least one --sq ID:CLASS:COUNT"},
      {"mechanism", With({"1:high:1"}, {}, "", 0, "vendor"),
       "--ams vendor: unknown mechanism; rr or wrr is allowed"},
      {"burst", With({"1:high:1"}, {}, "", 8),
       "--ab 8: out of range; 0..7 is allowed: bursts of 2^ab commands, 7 = no limit"},
      {"two weights", With({"1:high:1"}, {}, "1,2"),
       "--weights 1,2: 2 values; three are needed, H,M,L, each 0..255 (0's based: 0 is a weight of "
       "1)"},
      {"large weight", With({"1:high:1"}, {}, "1,256,0"),
       "--weights 1,256,0: M is '256'; 0..255 is allowed"},
      {"empty weight", With({"1:high:1"}, {}, "1,,0"),
       "--weights 1,,0: M is ''; 0..255 is allowed"},
      {"parts", With({"1:high"}), "--sq 1:high: is not ID:CLASS:COUNT; example: --sq 1:high:12"},
      {"class", With({"1:higher:1"}),
       "--sq 1:higher:1: CLASS is 'higher'; urgent, high, medium, low, admin or their first letter "
       "is allowed"},
      {"id", With({"x:high:1"}), "--sq x:high:1: ID is 'x'; 0..65534 is allowed"},
      {"id beyond the build", With({"16:high:1"}),
       "--sq 16:high:1: ID is 16; this build has 16 queues, so 0..15 is allowed"},
      {"SQ 0 not admin", With({"0:high:1"}),
       "--sq 0:high:1: SQ 0 is high; SQ 0 is the admin queue: write 0:admin:COUNT"},
      {"admin not SQ 0", With({"2:admin:1"}),
       "--sq 2:admin:1: SQ 2 is admin; only SQ 0 is admin; urgent, high, medium or low is allowed"},
      {"count", With({"1:high:65536"}), "--sq 1:high:65536: COUNT is '65536'; 0..65535 is allowed"},
      {"admin count", With({"0:admin:4096"}),
       "--sq 0:admin:4096: COUNT is '4096'; 0..4095 is allowed"},
      {"negative", With({"1:high:-1"}), "--sq 1:high:-1: COUNT is '-1'; 0..65535 is allowed"},
      {"twice", With({"1:high:1", "1:low:1"}),
       "--sq: SQ 1 is given twice; add the counts up, or use --after for later commands"},
      {"after parts", With({"1:high:1"}, {"1:1"}),
       "--after 1:1: is not GRANTS:ID:COUNT; example: --after 5:0:1"},
      {"after unknown", With({"1:high:1"}, {"1:2:1"}),
       "--after 1:2:1: SQ 2 is not among the queues; add --sq 2:CLASS:0"},
      {"after nothing", With({"1:high:1"}, {"1:1:0"}),
       "--after 1:1:0: COUNT is '0'; 1..65535 is allowed"},
      {"after never", With({"1:high:3"}, {"3:1:2", "6:1:1"}),
       "--after 6:1:1: is never reached; 5 commands are granted by then"},
      {"overfull", With({"1:high:65000"}, {"3:1:600"}),
       "--after 3:1:600: SQ 1 gets 65600 commands in all; 65535 is the most, one queue full"},
  };
  for (const BadOption& bad : kBad) EXPECT_EQ(ErrorOf(bad.arguments), bad.message) << bad.what;
}

}  // namespace
}  // namespace nvmearb::tb
