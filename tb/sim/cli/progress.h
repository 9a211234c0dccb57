// SPDX-License-Identifier: Apache-2.0
//
// The progress line on a terminal: one line on standard error, rewritten a few times a second.
#ifndef NVMEARB_TB_SIM_CLI_PROGRESS_H_
#define NVMEARB_TB_SIM_CLI_PROGRESS_H_

#include <chrono>
#include <string>

#include "sim/simulation/simulation.h"

namespace nvmearb::sim {

/// Shows "wrr (2 of 2)  43 %  1.2 s simulated  812 k I/O/s  ETA 0:03". Does nothing when disabled.
class ProgressLine {
 public:
  ProgressLine(bool enabled, unsigned variant_count)
      : enabled_(enabled), variant_count_(variant_count), begin_(Clock::now()) {}
  ~ProgressLine() { Clear(); }

  void BeginVariant(const std::string& name);
  void Update(const ProgressReport& report);
  /// Takes the line away, before other output.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  unsigned variant_count_;
  unsigned variant_ = 0;
  std::string name_;
  Clock::time_point begin_;
  Clock::time_point variant_begin_;
  Clock::time_point shown_;
  bool visible_ = false;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_PROGRESS_H_
