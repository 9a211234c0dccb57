// SPDX-License-Identifier: Apache-2.0
//
// Exit codes of the program.
#ifndef NVMEARB_TB_SIM_CLI_EXIT_CODE_H_
#define NVMEARB_TB_SIM_CLI_EXIT_CODE_H_

#include "sim/report/result.h"

namespace nvmearb::sim {

enum ExitCode : int {
  kExitGood = 0,
  kExitCheckFailed = 1,  ///< a comparison outside its tolerance, a finding, a lost I/O
  kExitUsage = 2,        ///< the command line, a scenario or a job file
  kExitInternal = 3,     ///< our own error, or a simulation that stands still
  kExitInterrupted = 130
};

/// Of a run that came to its end or was interrupted.
[[nodiscard]] inline ExitCode ExitCodeOf(const RunResult& run) {
  for (const VariantResult& variant : run.variants) {
    if (variant.interrupted) return kExitInterrupted;
  }
  for (const VariantResult& variant : run.variants) {
    if (!variant.findings.empty()) return kExitCheckFailed;
    for (const ComparisonResult& result : variant.comparisons) {
      if (result.Fails()) return kExitCheckFailed;
    }
  }
  return kExitGood;
}

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_EXIT_CODE_H_
