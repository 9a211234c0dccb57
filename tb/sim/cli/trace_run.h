// SPDX-License-Identifier: Apache-2.0
//
// TraceRun: --trace, --trace-window and --trace-on-error of `nvmearb run`.
#ifndef NVMEARB_TB_SIM_CLI_TRACE_RUN_H_
#define NVMEARB_TB_SIM_CLI_TRACE_RUN_H_

#include <string>

#include "harness/trace_request.h"
#include "sim/cli/commands.h"
#include "sim/simulation/simulation.h"

namespace nvmearb::sim {

/// "1ms..1.2ms"; an end may be left out. Throws host::UserError when it is no window.
[[nodiscard]] tb::TraceRequest ParseTraceWindow(const std::string& text);

/// The program that can write waves, in the folder of this one, takes over with the same arguments;
/// does not return. Throws host::UserError when it is not there.
[[noreturn]] void HandOverToTraceProgram(const std::vector<std::string>& arguments);

class TraceRun {
 public:
  /// Checks the options against each other. Throws host::UserError.
  explicit TraceRun(const RunOptions& options);

  [[nodiscard]] bool wanted() const { return !request_.path.empty(); }
  /// Whether one variant has to be picked: waves of two would be in one file.
  [[nodiscard]] bool needs_one_variant() const { return wanted() && !on_error_; }

  /// RunVariant(), with waves and their GTKWave save file. With --trace-on-error the variant first
  /// runs without them; when it fails it runs again, which by then is known to go the same way, and
  /// what is written is the time around the first finding.
  VariantResult Run(const Scenario& scenario, const VariantSpec& variant,
                    SimulationOptions simulation);

 private:
  void RunAround(ssd::TimePs fault, const Scenario& scenario, const VariantSpec& variant,
                 SimulationOptions simulation);
  void WriteSaveFile() const;

  tb::TraceRequest request_;
  bool on_error_ = false;
  bool written_ = false;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_TRACE_RUN_H_
