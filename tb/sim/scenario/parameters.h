// SPDX-License-Identifier: Apache-2.0
//
// The parameters of the simulated host and device that a scenario may set: [host] and [device]
// keys, each with its type, unit, range, meaning and the member that it sets.
#ifndef NVMEARB_TB_SIM_SCENARIO_PARAMETERS_H_
#define NVMEARB_TB_SIM_SCENARIO_PARAMETERS_H_

#include <string>
#include <vector>

#include "sim/scenario/value.h"

namespace nvmearb::sim {

struct Parameters;  // simulation/parameters.h

struct ParameterKey {
  std::string path;  ///< "device.window", "host.sockets"
  ValueType type = ValueType::kInteger;
  std::string unit;
  double low = 0;
  double high = 0;
  std::vector<std::string> choices;
  std::string doc;
  void (*apply)(Parameters& parameters, const Value& value) = nullptr;
  std::string tunable{};     ///< set instead of `apply`: an attribute of the scheduler
  bool needs_paths = false;  ///< of multipath: without a [[path]] it is an error
};

/// All of them, [host] first.
const std::vector<ParameterKey>& ParameterKeys();

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_PARAMETERS_H_
