// SPDX-License-Identifier: Apache-2.0
//
// Which device or process of a trace goes to which cgroup: --map and --map-file.
#ifndef NVMEARB_TB_SIM_CLI_REPLAY_MAP_H_
#define NVMEARB_TB_SIM_CLI_REPLAY_MAP_H_

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace nvmearb::sim {

/// Takes a file of
///   by = "process"        # or "device" (the default), "all"
///   [map]
///   postgres = "gold"
///   "*" = "bronze"
/// Throws host::UserError with file and line.
void ReadMapFile(const std::string& path, TraceSpec* trace);

/// Takes KEY=CGROUP; the last '=' separates, since names of devices may hold one. Throws
/// host::UserError.
void TakeMapping(const std::string& text, TraceSpec* trace);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_REPLAY_MAP_H_
