// SPDX-License-Identifier: Apache-2.0
//
// The GTKWave save file beside an FST file: the signals that tell the story, in groups.
#ifndef NVMEARB_TB_SIM_REPORT_GTKWAVE_H_
#define NVMEARB_TB_SIM_REPORT_GTKWAVE_H_

#include <string>
#include <vector>

namespace nvmearb::sim {

struct WaveSignal {
  enum class Form { kBit, kHex, kDecimal, kState };
  std::string name;  ///< full path with its range, as in "TOP.nvmearb_top.awake_o[3:0]"
  Form form = Form::kHex;
};

struct WaveGroup {
  std::string title;
  std::vector<WaveSignal> signals;
};

[[nodiscard]] const std::vector<WaveGroup>& WaveGroups();

/// `dump`: the FST file, relative to the save file.
[[nodiscard]] std::string GtkwaveSaveFile(const std::string& dump);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_GTKWAVE_H_
