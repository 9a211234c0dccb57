// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/command_line.h"

#include <fmt/format.h>

#include <utility>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/job_file.h"
#include "host_driver/fio/option_table.h"
#include "host_driver/fio/options.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
namespace {

// One pass over the arguments.
class Reader {
 public:
  Reader(const std::vector<std::string>& arguments, const ParseContext& context)
      : arguments_(arguments), context_(context) {}

  FioInput Run() {
    for (at_ = 0; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument.size() > 1 && argument[0] == '-') {
        TakeOption(argument);
      } else {
        files_.push_back(argument);
      }
    }
    return Finish();
  }

 private:
  void TakeOption(const std::string& argument) {
    RawOption option;
    const std::size_t start = argument.find_first_not_of('-');
    if (start > 2) {  // none at all is std::string::npos
      throw UserError("fio", fmt::format("'{}' is no option", argument), "--key=value");
    }
    const std::size_t equals = argument.find('=');
    option.key = argument.substr(start, equals - start);
    option.where = "--" + option.key;
    if (equals != std::string::npos) {
      option.has_value = true;
      option.value = argument.substr(equals + 1);
    }
    if (const CommandOptionInfo* command = FindCommandOption(option.key)) {
      TakeCommandOption(&option, *command);
      return;
    }
    const OptionInfo* info = FindOption(option.key);
    if (info == nullptr) {
      const std::string nearest = NearestOption(option.key);
      throw UserError(option.where, "unknown option",
                      nearest.empty() ? "fio 3.33 has no such option"
                                      : fmt::format("did you mean '--{}'?", nearest));
    }
    if (info->kind == OptionKind::kValue) TakeValue(&option);
    TakeJobOption(std::move(option));
  }

  // The value may be the next argument, as getopt_long has it for options that need one.
  void TakeValue(RawOption* option) {
    if (option->has_value) return;
    if (at_ + 1 >= arguments_.size()) {
      throw UserError(option->where, "no value", fmt::format("write --{}=...", option->key));
    }
    option->value = arguments_[++at_];
    option->has_value = true;
  }

  void TakeCommandOption(RawOption* option, const CommandOptionInfo& info) {
    switch (info.kind) {
      case CommandOption::kOutput:
        TakeValue(option);
        input_.output.file = option->value;
        break;
      case CommandOption::kOutputFormat:
        TakeValue(option);
        input_.output.formats = ParseOutputFormats(*option);
        break;
      case CommandOption::kTerseVersion:
        TakeValue(option);
        input_.output.terse_version =
            static_cast<int>(ParseNumber(*option, option->value, 1024, 2, 5));
        if (input_.output.terse_version != 3) {
          BadValue(*option, "not supported", "terse version 3 is");
        }
        break;
      case CommandOption::kMinimal:
        input_.output.formats = {OutputFormat::kTerse};
        break;
      case CommandOption::kAppendTerse:
        input_.output.formats.push_back(OutputFormat::kTerse);
        break;
      case CommandOption::kSection:
        TakeValue(option);
        sections_.push_back(option->value);
        break;
      case CommandOption::kReadonly:
        readonly_ = true;
        break;
      case CommandOption::kIgnored:
        TakeValue(option);
        [[fallthrough]];
      case CommandOption::kIgnoredFlag:
        input_.warnings.push_back(fmt::format("{}: no effect: {}", option->where, info.note));
        break;
      case CommandOption::kRejected:
        throw UserError(option->where, "not supported", std::string(info.note));
    }
  }

  void TakeJobOption(RawOption option) {
    const bool is_name = option.key == "name";
    if (is_name) job_open_ = option.value.compare(0, 6, "global") != 0;
    if (is_name && !job_open_) return;
    if (!job_open_) {
      globals_.push_back(std::move(option));
      return;
    }
    if (is_name) {
      RawSection section;
      section.name = option.value;
      section.where = fmt::format("--name={}", option.value);
      section.globals = globals_;
      jobs_.push_back(std::move(section));
    }
    jobs_.back().own.push_back(std::move(option));
  }

  FioInput Finish() {
    JobFileReader reader(context_, globals_);
    reader.SelectSections(sections_);
    for (const std::string& file : files_) reader.ReadFile(file);
    std::vector<RawSection> sections = jobs_;
    sections.insert(sections.end(), reader.sections().begin(), reader.sections().end());
    if (sections.empty()) {
      throw UserError("fio", "no jobs", "give --name=... or a job file with a section");
    }
    std::vector<std::string> warnings;
    input_.jobs = ResolveSections(sections, context_, &warnings);
    input_.warnings.insert(input_.warnings.end(), warnings.begin(), warnings.end());
    input_.global_options = ToOptionStrings(reader.globals());
    if (readonly_) CheckReadonly(input_.jobs);
    return std::move(input_);
  }

  const std::vector<std::string>& arguments_;
  const ParseContext& context_;
  std::size_t at_ = 0;
  std::vector<RawOption> globals_;
  std::vector<RawSection> jobs_;
  std::vector<std::string> files_;
  std::vector<std::string> sections_;
  bool job_open_ = false;
  bool readonly_ = false;
  FioInput input_;
};

}  // namespace

std::vector<OutputFormat> ParseOutputFormats(const RawOption& option) {
  std::vector<OutputFormat> formats;
  for (const std::string& part : Split(option.value, ',')) {
    if (part == "normal") {
      formats.push_back(OutputFormat::kNormal);
    } else if (part == "terse" || part == "minimal") {
      formats.push_back(OutputFormat::kTerse);
    } else if (part == "json") {
      formats.push_back(OutputFormat::kJson);
    } else if (part == "json+") {
      formats.push_back(OutputFormat::kJsonPlus);
    } else {
      BadValue(option, fmt::format("unknown format '{}'", part), "normal terse json json+");
    }
  }
  return formats;
}

FioInput ParseCommandLine(const std::vector<std::string>& arguments, const ParseContext& context) {
  return Reader(arguments, context).Run();
}

std::vector<std::string> SplitShellLine(const std::string& line, const std::string& where) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < line.size()) {
        word += line[++i];
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      if (c == '\\' && i + 1 < line.size()) ++i;
      if (!(c == '\\' && line[i] == '\n')) {
        word += line[i];
        in_word = true;
      }
    }
  }
  if (quote != 0) throw UserError(where, fmt::format("a {} without its pair", quote), "");
  if (in_word) words.push_back(word);
  if (!words.empty() && words.front() == "fio") words.erase(words.begin());
  return words;
}

}  // namespace nvmearb::host::fio
