// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb arbitrate`: in which order would these queues be served?
#include <fmt/format.h>

#include "scoreboard/checked_front_end.h"
#include "scoreboard/playground.h"
#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/simulation/engines.h"
#include "ssd/platform.h"

namespace nvmearb::sim {
namespace {}  // namespace

int ArbitrateCommand(const ArbitrateCommandOptions& options) {
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

}  // namespace nvmearb::sim
