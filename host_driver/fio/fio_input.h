// SPDX-License-Identifier: Apache-2.0
//
// What a fio command line or job file says, before and after its keys are understood.
//
// Reading order: fio_input.h, job_file.h and command_line.h (text to RawSection), option_table.h
// (which keys there are), options.h (RawSection to JobSpec).
#ifndef NVMEARB_HOST_DRIVER_FIO_FIO_INPUT_H_
#define NVMEARB_HOST_DRIVER_FIO_FIO_INPUT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host_driver/workload/job_spec.h"

namespace nvmearb::host::fio {

/// One key as it was written.
struct RawOption {
  std::string key;
  std::string value;
  bool has_value = false;
  std::string where;  ///< "file:line" or "--key"
};

/// A job with the options that apply to it.
struct RawSection {
  std::string name;
  std::string where;
  std::vector<RawOption> globals;  ///< of all [global] sections above it
  std::vector<RawOption> own;
  bool after_file = false;  ///< first job of a second or later job file: an implied stonewall
};

/// The simulated machine, as job files can ask for it.
struct ParseContext {
  unsigned cpu_count = 1;                ///< $ncpus
  std::uint64_t page_size = 4096;        ///< $pagesize
  std::uint64_t memory_mb = 192 * 1024;  ///< $mb_memory
  /// ${VAR}: value, or null when it is not set. Default: the process environment.
  std::function<const char*(const std::string&)> environment;
};

enum class OutputFormat : std::uint8_t { kNormal, kTerse, kJson, kJsonPlus };

/// --output, --output-format, --minimal, --terse-version.
struct OutputRequest {
  std::string file;                   ///< empty: standard output
  std::vector<OutputFormat> formats;  ///< empty: not asked for
  int terse_version = 3;
};

/// A command line or job files, understood.
struct FioInput {
  std::vector<JobSpec> jobs;
  OptionStrings global_options;
  OutputRequest output;
  std::vector<std::string> warnings;  ///< one line each, for the caller to print
};

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_FIO_INPUT_H_
