// SPDX-License-Identifier: Apache-2.0
//
// Runs the nvmearb program as a user does.
#ifndef NVMEARB_TB_SYSTEM_RUN_PROGRAM_H_
#define NVMEARB_TB_SYSTEM_RUN_PROGRAM_H_

#include <string>
#include <vector>

namespace nvmearb::system {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal when it was killed
  std::string out;
  std::string err;
};

/// Runs `nvmearb ARGUMENTS...` to its end. `interrupt_after_ms` > 0: sends SIGINT so many wall
/// milliseconds after the first byte on standard output.
ProgramResult RunProgram(const std::vector<std::string>& arguments, int interrupt_after_ms = 0);

/// The program that RunProgram() runs.
std::string ProgramPath();

/// A fresh file name in the test's temporary folder.
std::string TemporaryPath(const std::string& name);

/// Writes a text file and returns its path.
std::string WriteTemporary(const std::string& name, const std::string& text);

/// The whole of a file; fails the test when it cannot be read.
std::string ReadFile(const std::string& path);

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_RUN_PROGRAM_H_
