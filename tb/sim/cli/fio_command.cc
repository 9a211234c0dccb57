// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands.h"

namespace nvmearb::sim {

Command AddFio(CLI::App* app) {
  app->add_subcommand("fio", "Runs fio job files on the simulated machine");
  return [] { return static_cast<int>(kExitUsage); };
}

}  // namespace nvmearb::sim
