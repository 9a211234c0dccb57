// SPDX-License-Identifier: Apache-2.0
//
// nvmearb: the command line. The only place that catches errors and decides on exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {
namespace {

int Main(int argc, char** argv) {
  CLI::App app{"NVMe submission-queue arbitration: the RTL, with the host and drive around it"};
  app.name("nvmearb");
  app.set_version_flag("--version", std::string("nvmearb ") + NVMEARB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good, 1 a check failed, 2 usage or configuration, 3 internal or no\n"
      "progress, 130 interrupted.");
  std::vector<std::pair<CLI::App*, Command>> commands;
  const auto add = [&](const char* name, Command command) {
    commands.emplace_back(app.get_subcommand(name), std::move(command));
  };
  add("run", AddRun(&app));
  add("list", AddList(&app));
  add("show-regs", AddShowRegs(&app));
  add("arbitrate", AddArbitrate(&app));
  add("fio", AddFio(&app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& request) {
    return app.exit(request);
  } catch (const CLI::CallForAllHelp& request) {
    return app.exit(request);
  } catch (const CLI::CallForVersion& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "nvmearb: {}; see nvmearb --help\n", error.what());
    return kExitUsage;
  }
  for (const auto& [subcommand, command] : commands) {
    if (*subcommand) return command();
  }
  return kExitUsage;
}

int GuardedMain(int argc, char** argv) {
  try {
    return Main(argc, argv);
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
