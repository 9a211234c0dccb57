// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb show-regs SCENARIO`: brings the scenario's controller up and prints its properties as
// nvme-cli's `nvme show-regs` does: a line per register, with -H decoded.
#include <fmt/format.h>

#include <memory>

#include "host_driver/base/user_error.h"
#include "sim/cli/commands.h"
#include "sim/report/registers.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/reader.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {
namespace {

struct Options {
  std::string scenario;
  std::string folder;
  std::string variant;
  std::string engine = "rtl";
  std::vector<std::string> settings;
  bool human = false;
};

/// The variant that --variant names; without it the last one, which in the published scenarios is
/// the one with weighted round robin.
const VariantSpec& Selected(const Scenario& scenario, const std::string& name) {
  if (name.empty()) return scenario.variants.back();
  std::vector<std::string> names;
  for (const VariantSpec& variant : scenario.variants) {
    if (variant.name == name) return variant;
    names.push_back(variant.name);
  }
  throw host::UserError("--variant", fmt::format("there is no \"{}\"", name),
                        fmt::format("{} has {}", scenario.name, fmt::join(names, ", ")));
}

int ShowRegs(const Options& options) {
  const Scenario scenario = ReadScenario(
      FindScenario(options.scenario, ScenarioFolder(options.folder)), options.settings);
  const VariantSpec& variant = Selected(scenario, options.variant);
  MachineOptions machine_options;
  machine_options.engine = EngineOf(options.engine);
  Machine machine(MachineOf(scenario, variant), machine_options, nullptr,
                  fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name));
  machine.BringUp();
  fmt::print("{}", FormatRegisters(&machine.device(), options.human));
  return kExitGood;
}

}  // namespace

Command AddShowRegs(CLI::App* app) {
  auto options = std::make_shared<Options>();
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
  return [options] { return ShowRegs(*options); };
}

}  // namespace nvmearb::sim
