// SPDX-License-Identifier: Apache-2.0
//
// Options of the command line that are no job options, and the search for keys.
#include <algorithm>
#include <array>

#include "host_driver/fio/option_table.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::string_view kNoServer = "there is no fio server in a simulation";
constexpr std::array<CommandOptionInfo, 38> kCommandOptions = {{
    {"output", CommandOption::kOutput, ""},
    {"output-format", CommandOption::kOutputFormat, ""},
    {"terse-version", CommandOption::kTerseVersion, ""},
    {"minimal", CommandOption::kMinimal, ""},
    {"append-terse", CommandOption::kAppendTerse, ""},
    {"section", CommandOption::kSection, ""},
    {"readonly", CommandOption::kReadonly, ""},
    {"eta", CommandOption::kIgnored, "use --progress"},
    {"eta-newline", CommandOption::kIgnored, "use --progress"},
    {"eta-interval", CommandOption::kIgnored, "use --progress"},
    {"status-interval", CommandOption::kIgnored, "use --progress"},
    {"debug", CommandOption::kIgnored, "there is no such debug output"},
    {"alloc-size", CommandOption::kIgnored, "memory is allocated as needed"},
    {"max-jobs", CommandOption::kIgnored, "memory is allocated as needed"},
    {"warnings-fatal", CommandOption::kIgnoredFlag, "warnings stay warnings"},
    {"bandwidth-log", CommandOption::kIgnoredFlag, "no fio log is written"},
    {"idle-prof", CommandOption::kIgnored, "the real machine takes no part"},
    {"aux-path", CommandOption::kIgnored, "no state files are written"},
    {"parse-only", CommandOption::kRejected, "it runs nothing"},
    {"merge-blktrace-only", CommandOption::kRejected, "it runs nothing"},
    {"showcmd", CommandOption::kRejected, "it runs nothing"},
    {"version", CommandOption::kRejected, "it runs nothing"},
    {"help", CommandOption::kRejected, "it runs nothing"},
    {"cmdhelp", CommandOption::kRejected, "it runs nothing"},
    {"enghelp", CommandOption::kRejected, "it runs nothing"},
    {"cpuclock-test", CommandOption::kRejected, "it runs nothing"},
    {"crctest", CommandOption::kRejected, "it runs nothing"},
    {"memcpytest", CommandOption::kRejected, "it runs nothing"},
    {"inflate-log", CommandOption::kRejected, "it runs nothing"},
    {"server", CommandOption::kRejected, kNoServer},
    {"daemonize", CommandOption::kRejected, kNoServer},
    {"client", CommandOption::kRejected, kNoServer},
    {"remote-config", CommandOption::kRejected, kNoServer},
    {"trigger", CommandOption::kRejected, "triggers are not modelled"},
    {"trigger-file", CommandOption::kRejected, "triggers are not modelled"},
    {"trigger-timeout", CommandOption::kRejected, "triggers are not modelled"},
    {"trigger-remote", CommandOption::kRejected, "triggers are not modelled"},
    {"latency-log", CommandOption::kIgnored, "no fio log is written"},
}};

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const OptionInfo* FindOption(std::string_view key) {
  for (const OptionInfo& option : AllOptions()) {
    if (key == option.name || (!option.alias.empty() && key == option.alias)) return &option;
  }
  return nullptr;
}

const CommandOptionInfo* FindCommandOption(std::string_view key) {
  for (const CommandOptionInfo& option : kCommandOptions) {
    if (key == option.name) return &option;
  }
  return nullptr;
}

std::string NearestOption(std::string_view key) {
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(2, key.size() / 3);
  const auto consider = [&](std::string_view name) {
    if (name.empty()) return;
    const std::size_t longer = std::max(key.size(), name.size());
    if (longer - std::min(key.size(), name.size()) >= best_distance) return;  // at least so far
    const std::size_t distance = EditDistance(key, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  };
  for (const OptionInfo& option : AllOptions()) {
    consider(option.name);
    consider(option.alias);
  }
  for (const CommandOptionInfo& option : kCommandOptions) {
    consider(option.name);
  }
  return std::string(best);
}

}  // namespace nvmearb::host::fio
