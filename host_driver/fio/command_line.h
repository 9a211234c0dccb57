// SPDX-License-Identifier: Apache-2.0
//
// fio command lines.
#ifndef NVMEARB_HOST_DRIVER_FIO_COMMAND_LINE_H_
#define NVMEARB_HOST_DRIVER_FIO_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"

namespace nvmearb::host::fio {

/// Understands the arguments of one fio command ("fio" itself left out): --key=value, -key=value,
/// --key value (not for flags), job files in between. Job options before the first --name are
/// defaults of all jobs, those of the job files too; each --name opens a job; --name=global sets
/// defaults again. Jobs of the command line come before those of job files, wherever these stand.
/// Throws UserError at "--key" or at file and line.
[[nodiscard]] FioInput ParseCommandLine(const std::vector<std::string>& arguments,
                                        const ParseContext& context);

/// Formats of a value such as "json,normal". Throws UserError at the option.
[[nodiscard]] std::vector<OutputFormat> ParseOutputFormats(const RawOption& option);

/// A shell line such as those of published scripts, cut into arguments at blanks; '...' and "..."
/// keep blanks, a backslash keeps the next character. A leading "fio" is dropped. Throws UserError
/// at `where` for a quote that does not end.
[[nodiscard]] std::vector<std::string> SplitShellLine(const std::string& line,
                                                      const std::string& where);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_COMMAND_LINE_H_
