// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/job_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/options.h"
#include "host_driver/fio/units.h"
#include "host_driver/fio/variables.h"

namespace nvmearb::host::fio {
namespace {

constexpr int kMaxIncludeDepth = 16;

std::string ReadWhole(const std::string& path, const std::string& where) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) {
    throw UserError(where, fmt::format("cannot read job file '{}'", path),
                    errno != 0 ? std::strerror(errno) : "it is not a readable file");
  }
  return text.str();
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

void PutFilenameLast(std::vector<RawOption>* options) {
  std::stable_partition(options->begin(), options->end(),
                        [](const RawOption& option) { return option.key != "filename"; });
}

std::string WithoutComment(const std::string& line) {
  return Trim(line.substr(0, line.find_first_of(";#")));
}

}  // namespace

JobFileReader::JobFileReader(const ParseContext& context, std::vector<RawOption> globals)
    : context_(context), globals_(std::move(globals)) {}

void JobFileReader::ReadFile(const std::string& path) {
  const std::string text = ReadWhole(path, "fio");
  ReadText(text, path);
}

void JobFileReader::ReadText(const std::string& text, const std::string& name) {
  open_ = Open::kNone;
  first_job_of_file_ = files_read_ > 0 && !sections_.empty();
  ++files_read_;
  ReadLines(text, name, 0);
  // fio handles filename= behind all others, and prints it there.
  PutFilenameLast(&globals_);
  for (RawSection& section : sections_) {
    PutFilenameLast(&section.globals);
    PutFilenameLast(&section.own);
  }
}

void JobFileReader::ReadLines(const std::string& text, const std::string& name, int depth) {
  std::istringstream lines(text);
  std::string raw;
  for (int number = 1; std::getline(lines, raw); ++number) {
    std::string line = WithoutComment(raw);
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", name, number);
    line = Trim(ExpandEnvironment(line, where, context_));
    constexpr std::string_view kInclude = "include ";
    if (line.compare(0, kInclude.size(), kInclude) == 0) {
      if (depth == kMaxIncludeDepth) {
        throw UserError(where, "include files are nested too deeply", "at most 16 levels");
      }
      std::string path = Trim(std::string_view(line).substr(kInclude.size()));
      if (path.empty()) throw UserError(where, "include without a file name", "include file");
      if (path[0] != '/') path.insert(0, FolderOf(name));
      ReadLines(ReadWhole(path, where), path, depth + 1);
    } else if (line[0] == '[') {
      OpenSection(line, where);
    } else {
      AddOption(line, where);
    }
  }
}

void JobFileReader::OpenSection(const std::string& line, const std::string& where) {
  const std::size_t close = line.rfind(']');
  if (close == std::string::npos) {
    throw UserError(where, fmt::format("section '{}' has no closing bracket", line),
                    "write [name]");
  }
  if (close + 1 != line.size()) {
    throw UserError(where, fmt::format("'{}' follows the section name", line.substr(close + 1)),
                    "one section or key to a line");
  }
  const std::string name = Trim(std::string_view(line).substr(1, close - 1));
  if (name.empty()) throw UserError(where, "a section without a name", "write [name]");
  if (name.compare(0, 6, "global") == 0) {
    open_ = Open::kGlobal;
    return;
  }
  if (!selected_.empty() &&
      std::find(selected_.begin(), selected_.end(), name) == selected_.end()) {
    open_ = Open::kSkipped;
    return;
  }
  open_ = Open::kJob;
  RawSection section;
  section.name = name;
  section.where = where;
  section.globals = globals_;
  section.after_file = std::exchange(first_job_of_file_, false);
  sections_.push_back(std::move(section));
}

void JobFileReader::AddOption(const std::string& line, const std::string& where) {
  RawOption option;
  option.where = where;
  const std::size_t equals = line.find('=');
  option.has_value = equals != std::string::npos;
  option.key = Trim(std::string_view(line).substr(0, equals));
  if (option.has_value) option.value = Trim(std::string_view(line).substr(equals + 1));
  if (option.key.empty()) throw UserError(where, fmt::format("'{}' has no key", line), "key=value");
  if (!option.has_value && option.key.find_first_of(" \t") != std::string::npos) {
    throw UserError(where, fmt::format("'{}' is no option", line),
                    "key=value, a flag, [section] or include file");
  }
  switch (open_) {
    case Open::kNone:
      throw UserError(where, fmt::format("option '{}' stands before any section", option.key),
                      "open one with [global] or [name]");
    case Open::kGlobal:
      globals_.push_back(std::move(option));
      break;
    case Open::kJob:
      sections_.back().own.push_back(std::move(option));
      break;
    case Open::kSkipped:
      break;
  }
}

namespace {

FioInput Understand(const JobFileReader& reader, const std::string& name,
                    const ParseContext& context) {
  if (reader.sections().empty()) {
    throw UserError(name, "no job in it", "add a section [name] that is not [global]");
  }
  FioInput input;
  input.jobs = ResolveSections(reader.sections(), context, &input.warnings);
  input.global_options = ToOptionStrings(reader.globals());
  return input;
}

}  // namespace

FioInput ParseJobFiles(const std::vector<std::string>& paths, const ParseContext& context) {
  JobFileReader reader(context, {});
  for (const std::string& path : paths) reader.ReadFile(path);
  return Understand(reader, paths.empty() ? "fio" : paths.back(), context);
}

FioInput ParseJobText(const std::string& text, const std::string& name,
                      const ParseContext& context) {
  JobFileReader reader(context, {});
  reader.ReadText(text, name);
  return Understand(reader, name, context);
}

}  // namespace nvmearb::host::fio
