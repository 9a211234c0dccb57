// SPDX-License-Identifier: Apache-2.0
//
// The one file that knows CLI11: names, help and ranges of all options.
#include "sim/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/manual.h"

namespace nvmearb::sim {
namespace {

using Command = std::function<int()>;

Command AddRun(CLI::App* app, const std::vector<std::string>& arguments) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app->add_subcommand("run", "Runs a scenario and compares with its source");
  command->add_option("scenario", options->scenario, "Name (see `nvmearb list`) or TOML file")
      ->required();
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_option("--engine", options->engine, "Front end: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--variant", options->variant, "Only this variant");
  command->add_option(
      "--runtime", options->runtime,
      "Simulated time per variant, such as 5ms; the ramp before it becomes no longer");
  command->add_option("--seed", options->seed, "Seed of all random numbers");
  command
      ->add_option("--set", options->settings,
                   "KEY=VALUE, as in the file: device.window=128, "
                   "variant.wrr.weights=65,33,9 (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--json", options->json, "Writes results as JSON with fio's field names");
  command->add_option("--html", options->html, "Writes a page with tables and plots");
  command->add_option("--events", options->events,
                      "Writes the observation port as CSV (with --variant if there are several)");
  command
      ->add_option("--trace", options->trace,
                   "Writes waves of the RTL as FST, and a GTKWave save file beside it (with "
                   "--variant if there are several)")
      ->type_name("FILE.fst");
  command
      ->add_option("--path", options->path,
                   "With several paths: whose controller --events, --trace and the page's grants "
                   "show; default: the first")
      ->type_name("NAME");
  command
      ->add_option("--trace-window", options->trace_window, "Only this simulated time: 1ms..1.2ms")
      ->type_name("BEGIN..END");
  command->add_flag("--trace-on-error", options->trace_on_error,
                    "Runs a variant that failed again and writes the waves around its first "
                    "finding; nothing otherwise");
  command->add_option("--clock", options->clock, "jump over idle RTL clocks, or run them all")
      ->check(CLI::IsMember({"jump", "free"}))
      ->capture_default_str();
  command
      ->add_option("--watchdog", options->watchdog,
                   "Wall seconds without any simulated progress that end the run")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  auto* on = command->add_flag("--progress", options->progress, "Progress line always");
  command->add_flag("--no-progress", options->no_progress, "Never")->excludes(on);
  options->arguments = arguments;
  return [options] { return RunCommand(*options); };
}

Command AddExplain(CLI::App* app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app->add_subcommand(
      "explain", "What a scenario comes to: queues, classes, weights, jobs, CPU map");
  command->add_option("scenario", options->scenario, "Name (see `nvmearb list`) or TOML file")
      ->required();
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_option("--variant", options->variant, "Only this variant");
  command
      ->add_option("--engine", options->engine,
                   "Front end that brings the machine up: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--set", options->settings, "KEY=VALUE, as for `run` (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return [options] { return ExplainCommand(*options); };
}

Command AddSweep(CLI::App* app) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command =
      app->add_subcommand("sweep", "Runs a scenario at every combination of values");
  command->add_option("scenario", options->scenario, "Name (see `nvmearb list`) or TOML file")
      ->required();
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_option("--engine", options->engine, "Front end: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--variant", options->variant, "Only this variant");
  command->add_option("--runtime", options->runtime, "Simulated time per run, as for `run`");
  command->add_option("--seed", options->seed, "Seed of all random numbers");
  command
      ->add_option("--set", options->settings,
                   "KEY=VALUE,VALUE,...: device.window=64,128,256; arrays with slashes between "
                   "them: variant.wrr.weights=6,3,1/65,33,9 (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("-j,--jobs", options->jobs, "Runs at a time")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  command->add_option("--csv", options->csv, "Where the table goes; - is standard output")
      ->capture_default_str();
  command->add_option("--html", options->html, "Writes a page with plots");
  auto* on = command->add_flag("--progress", options->progress, "Progress line always");
  command->add_flag("--no-progress", options->no_progress, "Never")->excludes(on);
  return [options] { return SweepCommand(*options); };
}

Command AddReport(CLI::App* app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app->add_subcommand("report", "One page with tables and plots of runs, side by side");
  command->add_option("files", options->files, "Files that `nvmearb run --json` wrote")
      ->required()
      ->type_name("RUN.json...");
  command->add_option("-o,--output", options->output, "Where the page goes; - is standard output")
      ->type_name("FILE.html")
      ->capture_default_str();
  return [options] { return ReportCommand(*options); };
}

Command AddList(CLI::App* app) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app->add_subcommand("list", "What can be run: a scenario a line");
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_flag("--json", options->json, "As JSON, for scripts");
  command->add_flag("--keys", options->keys, "The reference page of all scenario keys (Markdown)");
  return [options] { return ListCommand(*options); };
}

Command AddShowRegs(CLI::App* app) {
  auto options = std::make_shared<ShowRegsOptions>();
  CLI::App* command =
      app->add_subcommand("show-regs", "The controller's registers after bring-up, as nvme-cli");
  command->add_option("scenario", options->scenario, "Name (see `nvmearb list`) or TOML file")
      ->required();
  command->add_option("--scenarios", options->folder, "Folder of scenarios")->type_name("DIR");
  command->add_option("--variant", options->variant, "Which variant; default: the last one");
  command->add_option("--engine", options->engine, "Front end: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--set", options->settings, "KEY=VALUE, as for `run` (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("-H,--human-readable", options->human, "Decode each register");
  return [options] { return ShowRegsCommand(*options); };
}

Command AddArbitrate(CLI::App* app) {
  auto options = std::make_shared<ArbitrateCommandOptions>();
  tb::ArbitrateArguments& arguments = options->arguments;
  CLI::App* command = app->add_subcommand(
      "arbitrate", "In which order would these queues be served? Prints one line: 1x4 2x2 3");
  command->add_option("--ams", arguments.ams, "rr or wrr: round robin, weighted round robin")
      ->capture_default_str();
  command->add_option("--ab", arguments.ab, "Arbitration Burst 0..7: 2^AB commands, 7 = no limit")
      ->capture_default_str();
  command->add_option("--weights", arguments.weights,
                      "H,M,L, 0's based as on the wire: 5,2,0 is 6:3:1");
  command
      ->add_option("--sq", arguments.sqs,
                   "ID:CLASS:COUNT, CLASS admin, urgent, high, medium or low: a queue and its "
                   "commands, rung in this order before the first decision (repeatable)")
      ->expected(1, -1);
  command
      ->add_option("--after", arguments.afters,
                   "GRANTS:ID:COUNT: rings COUNT more of queue ID once exactly GRANTS commands "
                   "were granted (repeatable)")
      ->expected(1, -1);
  command->add_option("--engine", options->engine, "The RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  return [options] { return ArbitrateCommand(*options); };
}

void AddSingleRun(CLI::App* command, SingleRunOptions* options) {
  command->add_option("--engine", options->engine, "Front end: the RTL, or the golden arbiter")
      ->check(CLI::IsMember({"rtl", "model"}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of all random numbers");
  command->add_option("--set", options->settings, "KEY=VALUE: host.* and device.* (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--io-wrr", options->levels, "CGROUP=LEVEL written to its io.wrr (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Command AddFio(CLI::App* app) {
  auto options = std::make_shared<FioOptions>();
  CLI::App* command = app->add_subcommand(
      "fio", "Runs fio job files or a fio command line on the simulated machine");
  AddSingleRun(command, options.get());
  command->allow_extras();
  command->footer(
      "Everything else is fio's: JOBFILE..., --name=..., --output-format=json|json+|"
      "normal|terse, --output=F");
  return [options, command] {
    options->arguments = command->remaining();
    return FioCommand(*options);
  };
}

Command AddReplay(CLI::App* app) {
  auto options = std::make_shared<ReplayCommandOptions>();
  CLI::App* command =
      app->add_subcommand("replay", "Replays a block trace on the simulated machine");
  command->add_option("file", options->file, "Trace, plain or gzip; - reads standard input");
  command->add_option("--format", options->format,
                      "Format of the trace; default: told from its first lines");
  command->add_flag("--list-formats", options->list_formats, "Names the formats and ends");
  command->add_option("--speedup", options->speedup, "Divides the times of the trace")
      ->check(CLI::Range(1e-6, 1e9))
      ->capture_default_str();
  command
      ->add_option("--closed-loop", options->closed_loop,
                   "Keeps DEPTH I/Os in flight, whatever the times of the trace")
      ->type_name("DEPTH")
      ->check(CLI::Range(1u, 65536u));
  command
      ->add_option("--by", options->by,
                   "What tells the streams apart: device (default; a volume, LUN or file), "
                   "process or all")
      ->check(CLI::IsMember({"device", "process", "all"}));
  command
      ->add_option("--map", options->maps,
                   "KEY=CGROUP: I/O of that device or process is made in that cgroup; '*' for all "
                   "others (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--map-file", options->map_file, "TOML file with `by` and a table [map]");
  command->add_option("--runtime", options->runtime, "Ends after this simulated time, such as 5s");
  command->add_option("--ramp", options->ramp, "Does not count I/O of this first part");
  command->add_option("--output-format", options->output_format, "normal, terse, json, json+");
  command->add_option("--output", options->output, "File instead of standard output");
  AddSingleRun(command, options.get());
  return [options] { return ReplayCommand(*options); };
}

}  // namespace

int RunCommandLine(int argc, char** argv, const std::string& version) {
  CLI::App app{"NVMe submission-queue arbitration: the RTL, with the host and drive around it"};
  app.name("nvmearb");
  app.set_version_flag("--version", "nvmearb " + version);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good, 1 a check failed, 2 usage or configuration, 3 internal or no\n"
      "progress, 130 interrupted.");
  std::vector<std::pair<CLI::App*, Command>> commands;
  const auto add = [&](const char* name, Command command) {
    commands.emplace_back(app.get_subcommand(name), std::move(command));
  };
  add("run", AddRun(&app, {argv, argv + argc}));
  add("explain", AddExplain(&app));
  add("sweep", AddSweep(&app));
  add("report", AddReport(&app));
  add("list", AddList(&app));
  add("show-regs", AddShowRegs(&app));
  add("arbitrate", AddArbitrate(&app));
  add("fio", AddFio(&app));
  add("replay", AddReplay(&app));
  // For the build and the installation: not in --help, nor in what they print.
  const auto print = [](const std::string& text) {
    fmt::print("{}", text);
    return static_cast<int>(kExitGood);
  };
  app.add_subcommand("man", "Prints the man page, as roff")->group("");
  add("man", [&] { return print(ManPage(app, version)); });
  app.add_subcommand("completion", "Prints the completion script for bash")->group("");
  add("completion", [&] { return print(BashCompletion(app)); });
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

}  // namespace nvmearb::sim
