// SPDX-License-Identifier: Apache-2.0
//
// The one table of fio options: every job option and command line option that fio 3.33 knows, and
// what this program does with it.
#ifndef NVMEARB_HOST_DRIVER_FIO_OPTION_TABLE_H_
#define NVMEARB_HOST_DRIVER_FIO_OPTION_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "host_driver/workload/job_spec.h"

namespace nvmearb::host::fio {

/// What an option's parser works on.
struct OptionContext {
  JobSpec* spec = nullptr;
  unsigned kb_base = 1024;
  std::vector<std::string>* warnings = nullptr;
};

/// Parses `option.value` into the spec. Throws UserError.
using OptionParser = void (*)(const RawOption& option, const OptionContext& context);

enum class OptionStatus : std::uint8_t {
  kSupported,  ///< parsed, with its effect
  kNoEffect,   ///< known, cannot change the result here: a warning
  kRejected    ///< known, would change the result: an error, unless the value is the neutral one
};

enum class OptionKind : std::uint8_t {
  kValue,  ///< needs a value
  kFlag    ///< on by being named; a value may follow '='
};

struct OptionInfo {
  std::string_view name;
  std::string_view alias;  ///< empty: none
  OptionKind kind = OptionKind::kValue;
  OptionStatus status = OptionStatus::kRejected;
  OptionParser parser = nullptr;  ///< kSupported
  std::string_view note;          ///< kNoEffect and kRejected: why
  std::string_view neutral;       ///< kRejected: values that are fine, blank between them
};

/// The job option of that name or alias; null when fio knows none.
[[nodiscard]] const OptionInfo* FindOption(std::string_view key);

/// All job options, in fio's order of --cmdhelp=all.
[[nodiscard]] const std::vector<OptionInfo>& AllOptions();

/// What an option of the command line that is no job option does.
enum class CommandOption : std::uint8_t {
  kOutput,
  kOutputFormat,
  kTerseVersion,
  kMinimal,
  kAppendTerse,
  kSection,
  kReadonly,
  kIgnored,      ///< with a value
  kIgnoredFlag,  ///< without
  kRejected
};
struct CommandOptionInfo {
  std::string_view name;
  CommandOption kind = CommandOption::kIgnored;
  std::string_view note;
};
/// The command line option of that name, or null.
[[nodiscard]] const CommandOptionInfo* FindCommandOption(std::string_view key);

/// The known key (job or command line) that is nearest to `key`; empty when none is near.
[[nodiscard]] std::string NearestOption(std::string_view key);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OPTION_TABLE_H_
