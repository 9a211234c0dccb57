// SPDX-License-Identifier: Apache-2.0
//
// nvmearb: the command line. The only place that catches errors and decides on exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "host_driver/base/user_error.h"
#include "sim/cli/command_line.h"
#include "sim/cli/exit_code.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

int GuardedMain(int argc, char** argv) {
  try {
    const int code = RunCommandLine(argc, argv, NVMEARB_VERSION);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw host::UserError("standard output", "could not be written whole", "room on the disk");
    }
    return code;
  } catch (const host::UserError& error) {
    fmt::print(stderr, "nvmearb: {}\n", error.what());
    return kExitUsage;
  } catch (const NoProgress& error) {
    fmt::print(stderr, "nvmearb: {}\n", error.what());
    return kExitInternal;
  } catch (const std::exception& error) {
    fmt::print(stderr, "nvmearb: internal error: {}\n", error.what());
    return kExitInternal;
  }
}

}  // namespace
}  // namespace nvmearb::sim

int main(int argc, char** argv) { return nvmearb::sim::GuardedMain(argc, argv); }
