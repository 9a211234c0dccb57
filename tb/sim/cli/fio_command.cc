// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb fio JOBFILE...`: what fio does with its command line, on the simulated machine. Options
// that are not ours are fio's.
#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/user_error.h"
#include "host_driver/fio/command_line.h"
#include "sim/cli/commands.h"
#include "sim/simulation/machine.h"
#include "sim/simulation/parameters.h"

namespace nvmearb::sim {
namespace {

/// Reads fio's arguments for the one that has to be known before the run. The run reads them again
/// on the machine that it brings up.
std::string OutputPath(const FioOptions& options, const Parameters& parameters) {
  host::fio::ParseContext context;
  context.cpu_count = host::CpuTopology::Parse(parameters.cpus, "host.cpus").cpu_count();
  return host::fio::ParseCommandLine(options.arguments, context).output.file;
}

}  // namespace

int FioCommand(const FioOptions& options) {
  if (options.arguments.empty()) {
    throw host::UserError("fio", "no job", "a job file, or --name=... with fio's options");
  }
  Scenario scenario = MakeSingleRun("fio", options);
  scenario.jobs.emplace_back().arguments = options.arguments;
  ApplySettings("fio", options, {"host.", "device.", "variant.fio.", "run.stall="},
                "host.*, device.*, variant.fio.weights, variant.fio.burst, run.stall", &scenario);
  const Parameters parameters = MachineOf(scenario, scenario.variants[0]);
  CheckMachine(parameters, EngineOf(options.engine), "fio");
  const std::string path = OutputPath(options, parameters);
  return RunSingle(scenario, options, {}, path.empty() ? "-" : path);
}

}  // namespace nvmearb::sim
