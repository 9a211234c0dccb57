// SPDX-License-Identifier: Apache-2.0
//
// Simulation: a whole machine per variant (host, front end, drive) over one Kernel, run one after
// the other in one process. Each variant starts at simulated time 0 with everything in its power-on
// state.
#ifndef NVMEARB_TB_SIM_SIMULATION_SIMULATION_H_
#define NVMEARB_TB_SIM_SIMULATION_SIMULATION_H_

#include <csignal>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "sim/report/result.h"
#include "sim/scenario/scenario.h"
#include "sim/simulation/machine.h"

namespace nvmearb::sim {

/// The simulation stands still: I/O is outstanding and nothing completes. `what()` has several
/// lines: the queues' heads and tails and what the device is doing.
class NoProgress : public std::runtime_error {
 public:
  NoProgress(ssd::TimePs time, const std::string& text) : runtime_error(text), time_ps(time) {}
  ssd::TimePs time_ps;  ///< simulated time of the last completion
};

/// What a running simulation reports.
struct ProgressReport {
  double fraction = 0;  ///< of the running variant, 0..1
  std::uint64_t io_count = 0;
  std::uint64_t simulated_ps = 0;
};

struct SimulationOptions {
  MachineOptions machine;
  bool collect_page = false;  ///< series, grants and depths, for --json and --html
  bool fio_text = false;      ///< renders the first process as its fio options ask, or ...
  std::vector<host::fio::OutputFormat> fio_formats;  ///< ... in these formats
  std::string events_path;                           ///< "" = no --events file
  unsigned watchdog_seconds = 120;  ///< wall time without any progress of simulated time
  std::function<void(const ProgressReport&)> progress;
  /// Called once, before the run, with what is unlikely to be meant; also in VariantResult.
  std::function<void(const std::vector<std::string>&)> warn;
  /// Not zero: stop soon and give what was measured so far.
  const volatile std::sig_atomic_t* interrupt = nullptr;
};

/// Runs one variant to its end. Throws host::UserError and NoProgress.
VariantResult RunVariant(const Scenario& scenario, const VariantSpec& variant,
                         const SimulationOptions& options);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_SIMULATION_H_
