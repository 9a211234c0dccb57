// SPDX-License-Identifier: Apache-2.0
//
// The program's commands. Each adds itself to the command line and gives a function that runs it
// and returns the exit code: 0 good, 1 a check failed, 2 usage or configuration, 3 internal or no
// progress, 130 interrupted.
#ifndef NVMEARB_TB_SIM_CLI_COMMANDS_H_
#define NVMEARB_TB_SIM_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>

namespace nvmearb::sim {

enum ExitCode : int {
  kExitGood = 0,
  kExitCheckFailed = 1,
  kExitUsage = 2,
  kExitInternal = 3,
  kExitInterrupted = 130
};

using Command = std::function<int()>;

Command AddRun(CLI::App* app);
Command AddList(CLI::App* app);
Command AddShowRegs(CLI::App* app);
Command AddArbitrate(CLI::App* app);
Command AddFio(CLI::App* app);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_COMMANDS_H_
