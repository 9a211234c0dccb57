// SPDX-License-Identifier: Apache-2.0
//
// The program's commands, free of the command line library: each takes its options as a plain
// struct and returns the exit code. Errors of the user are host::UserError.
#ifndef NVMEARB_TB_SIM_CLI_COMMANDS_H_
#define NVMEARB_TB_SIM_CLI_COMMANDS_H_

#include <string>
#include <vector>

#include "scoreboard/playground_options.h"
#include "sim/cli/single_run.h"

namespace nvmearb::sim {

/// `nvmearb run SCENARIO`.
struct RunOptions {
  std::string scenario;
  std::string folder;
  std::string engine = "rtl";
  std::string clock = "jump";
  std::string runtime;
  std::string seed;
  std::vector<std::string> settings;
  std::string json;
  std::string html;
  std::string events;
  std::string path;
  std::string variant;
  std::string trace;
  std::string trace_window;  ///< "1ms..1.2ms"
  bool trace_on_error = false;
  unsigned watchdog = 120;
  bool progress = false;
  bool no_progress = false;
  std::vector<std::string> arguments;  ///< the command line, for the program that writes waves
};
int RunCommand(const RunOptions& options);

/// `nvmearb explain SCENARIO`.
struct ExplainOptions {
  std::string scenario;
  std::string folder;
  std::string variant;
  std::string engine = "model";
  std::vector<std::string> settings;
};
int ExplainCommand(const ExplainOptions& options);

/// `nvmearb sweep SCENARIO`.
struct SweepOptions {
  std::string scenario;
  std::string folder;
  std::string engine = "rtl";
  std::string variant;
  std::string runtime;
  std::string seed;
  std::vector<std::string> settings;  ///< KEY=VALUE,VALUE,...
  unsigned jobs = 1;
  std::string csv = "-";
  std::string html;
  bool progress = false;
  bool no_progress = false;
};
int SweepCommand(const SweepOptions& options);

/// `nvmearb report RUN.json...`.
struct ReportOptions {
  std::vector<std::string> files;
  std::string output = "-";
};
int ReportCommand(const ReportOptions& options);

/// `nvmearb list`.
struct ListOptions {
  std::string folder;
  bool json = false;
  bool keys = false;
};
int ListCommand(const ListOptions& options);

/// `nvmearb show-regs SCENARIO`.
struct ShowRegsOptions {
  std::string scenario;
  std::string folder;
  std::string variant;
  std::string engine = "rtl";
  std::vector<std::string> settings;
  bool human = false;
};
int ShowRegsCommand(const ShowRegsOptions& options);

/// `nvmearb arbitrate`.
struct ArbitrateCommandOptions {
  tb::ArbitrateArguments arguments;
  std::string engine = "rtl";
};
int ArbitrateCommand(const ArbitrateCommandOptions& options);

/// `nvmearb fio ...`.
struct FioOptions : SingleRunOptions {
  std::vector<std::string> arguments;  ///< what is fio's, in order
};
int FioCommand(const FioOptions& options);

/// `nvmearb replay FILE`.
struct ReplayCommandOptions : SingleRunOptions {
  std::string file;
  std::string format;
  double speedup = 1;
  unsigned closed_loop = 0;
  std::string by;
  std::vector<std::string> maps;  ///< KEY=CGROUP
  std::string map_file;
  std::string runtime;
  std::string ramp;
  std::string output_format;
  std::string output;
  bool list_formats = false;
};
int ReplayCommand(const ReplayCommandOptions& options);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_COMMANDS_H_
