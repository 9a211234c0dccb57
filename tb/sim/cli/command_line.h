// SPDX-License-Identifier: Apache-2.0
//
// The command line of the program.
#ifndef NVMEARB_TB_SIM_CLI_COMMAND_LINE_H_
#define NVMEARB_TB_SIM_CLI_COMMAND_LINE_H_

#include <string>

namespace nvmearb::sim {

/// Parses and runs the command; prints help and usage errors itself. Returns the exit code; errors
/// of the command itself are thrown.
int RunCommandLine(int argc, char** argv, const std::string& version);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_COMMAND_LINE_H_
