// SPDX-License-Identifier: Apache-2.0
//
// SingleRun: what `nvmearb fio` and `nvmearb replay` share: a scenario made of options instead of a
// file, with one job and one variant, and its run with fio's output.
#ifndef NVMEARB_TB_SIM_CLI_SINGLE_RUN_H_
#define NVMEARB_TB_SIM_CLI_SINGLE_RUN_H_

#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

struct SingleRunOptions {
  std::string engine = "rtl";
  std::string seed;
  std::vector<std::string> settings;  ///< KEY=VALUE
  std::vector<std::string> levels;    ///< CGROUP=LEVEL, written to io.wrr
};

/// A scenario called `name` with the cgroups of the levels, one variant of the same name and no job
/// yet. Throws host::UserError.
[[nodiscard]] Scenario MakeSingleRun(const std::string& name, const SingleRunOptions& options);

/// Applies --set after the job is there. Throws host::UserError for keys that `prefixes` do not
/// begin; `allowed` names what may be set.
void ApplySettings(const std::string& command, const SingleRunOptions& options,
                   const std::vector<const char*>& prefixes, const char* allowed,
                   Scenario* scenario);

/// Runs it and writes fio's output to `output_path` ("-": standard output) in `formats`, or in
/// those its job asks for when there are none. Returns the exit code.
int RunSingle(const Scenario& scenario, const SingleRunOptions& options,
              const std::vector<host::fio::OutputFormat>& formats, const std::string& output_path);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_SINGLE_RUN_H_
