// SPDX-License-Identifier: Apache-2.0
#include "fuzz_targets.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/command_line.h"
#include "host_driver/fio/job_file.h"
#include "nvme/base/check.h"
#include "sim/scenario/reader.h"
#include "trace/formats.h"
#include "trace/trace_reader.h"

namespace nvmearb::fuzz {
namespace {

host::fio::ParseContext Context() {
  host::fio::ParseContext context;
  context.cpu_count = 96;
  context.environment = [](const std::string&) -> const char* { return nullptr; };
  return context;
}

/// Files that an input names are not the target's business: some never end, such as /dev/zero.
bool NamesFiles(std::string_view input) { return input.find("include") != input.npos; }

void RunScenario(std::string_view input, const std::string&) {
  static_cast<void>(sim::ParseScenario(std::string(input), "fuzz.toml", {}));
}

void RunJobFile(std::string_view input, const std::string&) {
  if (NamesFiles(input)) return;
  static_cast<void>(host::fio::ParseJobText(std::string(input), "fuzz.fio", Context()));
}

/// One argument a line.
void RunCommandLine(std::string_view input, const std::string&) {
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    // What does not begin with a dash is a job file.
    if (input.substr(at, 1) == "-") arguments.emplace_back(input.substr(at, end - at));
    at = end + 1;
  }
  static_cast<void>(host::fio::ParseCommandLine(arguments, Context()));
}

void RunTrace(std::string_view input, const std::string& format) {
  static const int file = memfd_create("trace", 0);
  NVMEARB_CHECK(file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 &&
                    write(file, input.data(), input.size()) == static_cast<ssize_t>(input.size()),
                "a file in memory");
  const auto reader = trace::OpenTrace(fmt::format("/proc/self/fd/{}", file), format);
  trace::TraceRecord record;
  while (reader->Next(&record)) {
    NVMEARB_CHECK(reader->Fraction() >= 0 && reader->Fraction() <= 1, "a part of the file");
  }
}

}  // namespace

const std::vector<FuzzTarget>& FuzzTargets() {
  static const std::vector<FuzzTarget> targets = [] {
    std::vector<FuzzTarget> all = {{"scenario", &RunScenario, ""},
                                   {"fio", &RunJobFile, ""},
                                   {"fio-command-line", &RunCommandLine, ""},
                                   {"trace-any", &RunTrace, ""}};
    for (const trace::TraceFormat& format : trace::AllFormats()) {
      all.push_back({std::string("trace-") + format.name, &RunTrace, format.name});
    }
    return all;
  }();
  return targets;
}

void RunTarget(const FuzzTarget& target, std::string_view input) noexcept {
  try {
    target.run(input, target.option);
  } catch (const host::UserError& error) {
    const std::string message = error.what();
    NVMEARB_CHECK(!message.empty() && message.find('\n') == std::string::npos, "one line");
  }
}

}  // namespace nvmearb::fuzz
