// SPDX-License-Identifier: Apache-2.0
//
// Manual: the man page and the shell completion, made from the options themselves.
#ifndef NVMEARB_TB_SIM_CLI_MANUAL_H_
#define NVMEARB_TB_SIM_CLI_MANUAL_H_

#include <CLI/CLI.hpp>
#include <string>

namespace nvmearb::sim {

/// The man page nvmearb(1), as roff.
[[nodiscard]] std::string ManPage(const CLI::App& app, const std::string& version);

/// A script for bash: commands, their options, the values of options that have a fixed set, names
/// of scenarios (asked from the program), else files.
[[nodiscard]] std::string BashCompletion(const CLI::App& app);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_MANUAL_H_
