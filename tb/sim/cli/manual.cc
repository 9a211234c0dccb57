// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/manual.h"

#include <fmt/format.h>

#include <vector>

namespace nvmearb::sim {
namespace {

/// Text as roff: no line may begin with a control character, hyphens stay what they are.
std::string Roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool at_begin = out.empty() || out.back() == '\n';
    if (at_begin && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::vector<const CLI::App*> Subcommands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::vector<const CLI::Option*> Options(const CLI::App& app, bool positional) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() == positional) options.push_back(option);
  }
  return options;
}

/// "TEXT:{rtl,model}" -> {"rtl", "model"}; other types have no fixed set.
std::vector<std::string> Choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// What stands behind an option: "rtl|model", "DIR", or "" for a flag.
std::string ArgumentOf(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::vector<std::string> choices = Choices(option);
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::string OptionEntry(const CLI::Option& option) {
  const std::string argument = ArgumentOf(option);
  std::string text = fmt::format(".TP\n\\fB{}\\fR", Roff(option.get_name(false, true)));
  if (!argument.empty()) text += fmt::format(" \\fI{}\\fR", Roff(argument));
  text += fmt::format("\n{}", Roff(option.get_description()));
  if (!option.get_default_str().empty()) {
    text += fmt::format(" [{}]", Roff(option.get_default_str()));
  }
  return text + "\n";
}

/// Names of an option as they are typed: "-j", "--jobs".
std::vector<std::string> Flags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : Options(app, false)) {
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

}  // namespace

std::string ManPage(const CLI::App& app, const std::string& version) {
  std::string page = fmt::format(".TH NVMEARB 1 \"\" \"nvmearb {}\"\n", version);
  page += fmt::format(".SH NAME\nnvmearb \\- {}\n", Roff(app.get_description()));
  page += ".SH SYNOPSIS\n";
  for (const CLI::App* command : Subcommands(app)) {
    page += fmt::format(".B nvmearb {}\n[options]", Roff(command->get_name()));
    for (const CLI::Option* option : Options(*command, true)) {
      const std::string name = Roff(option->get_name(true));
      page += option->get_required() ? fmt::format(" \\fI{}\\fR", name)
                                     : fmt::format(" [\\fI{}\\fR]", name);
    }
    page += "\n.br\n";
  }
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : Subcommands(app)) {
    page +=
        fmt::format(".SS {}\n{}.\n", Roff(command->get_name()), Roff(command->get_description()));
    for (const bool positional : {true, false}) {
      for (const CLI::Option* option : Options(*command, positional)) {
        page += OptionEntry(*option);
      }
    }
    if (!command->get_footer().empty()) page += ".PP\n" + Roff(command->get_footer()) + "\n";
  }
  page += ".SH EXIT STATUS\n" + Roff(app.get_footer()) + "\n";
  return page;
}

std::string BashCompletion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string options;
  std::string values;
  std::string scenarios;
  for (const CLI::App* command : Subcommands(app)) {
    const std::string& name = command->get_name();
    names.push_back(name);
    options += fmt::format("    {}) words=\"{}\" ;;\n", name, fmt::join(Flags(*command), " "));
    for (const CLI::Option* option : Options(*command, false)) {
      const std::vector<std::string> choices = Choices(*option);
      if (choices.empty()) continue;
      values += fmt::format("    {}:--{}) words=\"{}\" ;;\n", name, option->get_lnames().front(),
                            fmt::join(choices, " "));
    }
    for (const CLI::Option* option : Options(*command, true)) {
      if (option->get_name(true) == "scenario") {
        scenarios += (scenarios.empty() ? "" : "|") + name;
      }
    }
  }
  return fmt::format(R"(# bash completion for nvmearb; written by `nvmearb completion`.
_nvmearb() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "{0} --help --version" -- "$current")
    return
  fi
  # "--engine=rtl" arrives as three words.
  if [ "$current" = = ]; then current=; fi
  if [ "$before" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case $command:$before in
{1}  esac
  if [ -z "$words" ]; then
    case $current in
    -*) case $command in
{2}      esac ;;
    *) case $command in
      {3}) words=$("${{COMP_WORDS[0]}}" list 2>/dev/null | cut -d' ' -f1) ;;
      esac ;;
    esac
    case $before in -*) words= ;; esac
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o filenames -F _nvmearb nvmearb
)",
                     fmt::join(names, " "), values, options, scenarios);
}

}  // namespace nvmearb::sim
