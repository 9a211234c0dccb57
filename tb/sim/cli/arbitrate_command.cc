// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb arbitrate`: in which order would these queues be served?
#include <fmt/format.h>

#include <memory>

#include "scoreboard/checked_front_end.h"
#include "scoreboard/playground.h"
#include "sim/cli/commands.h"
#include "sim/simulation/engines.h"
#include "ssd/platform.h"

namespace nvmearb::sim {
namespace {

struct Options {
  tb::ArbitrateArguments arguments;
  std::string engine = "rtl";
};

int Arbitrate(const Options& options) {
  ssd::Platform& platform = ssd::Platform::Instance();
  platform.Reset();
  const EngineInstance engine = MakeEngine(EngineOf(options.engine), &platform.kernel(), 0, false);
  const tb::ArbitrateOptions question =
      tb::ParseArbitrateOptions(options.arguments, engine.front_end->Limits());
  tb::CheckedFrontEnd checked(engine.front_end.get(), nullptr);
  tb::Playground playground(&checked, &platform.kernel());
  checked.SetMemory(playground.memory());
  const tb::GrantOrder order = playground.Run(question);
  for (const tb::Finding& finding : checked.findings()) {
    fmt::print(stderr, "nvmearb: {}", tb::Describe(finding));
  }
  if (!checked.findings().empty()) return kExitCheckFailed;
  fmt::print("{}\n", tb::FormatOrder(order));
  return kExitGood;
}

}  // namespace

Command AddArbitrate(CLI::App* app) {
  auto options = std::make_shared<Options>();
  tb::ArbitrateArguments& arguments = options->arguments;
  CLI::App* command = app->add_subcommand(
      "arbitrate", "In which order would these queues be served? Prints one line: 1x4 2x2 3");
  command->add_option("--ams", arguments.ams, "rr or wrr: round robin, weighted round robin")
      ->capture_default_str();
  command->add_option("--ab", arguments.ab, "Arbitration Burst 0..7: 2^AB commands, 7 = no limit")
      ->capture_default_str();
  command->add_option("--weights", arguments.weights,
                      "H,M,L, 0's based as on the wire: 5,2,0 is 6:3:1");
  command
      ->add_option("--sq", arguments.sqs,
                   "ID:CLASS:COUNT, CLASS admin, urgent, high, medium or low: a queue and its "
                   "commands, rung in this order before the first decision (repeatable)")
      ->expected(1, -1);
  command
      ->add_option("--after", arguments.afters,
                   "GRANTS:ID:COUNT: rings COUNT more of queue ID once exactly GRANTS commands "
                   "were granted (repeatable)")
      ->expected(1, -1);
  command->add_option("--engine", options->engine, "The RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  return [options] { return Arbitrate(*options); };
}

}  // namespace nvmearb::sim
