// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/parameters.h"
namespace nvmearb::sim {
const std::vector<ParameterKey>& ParameterKeys() {
  static const std::vector<ParameterKey> keys = {
      {"host.wrr_low_queues", ValueType::kInteger, "queues", 0, 1023, {}, "x", nullptr},
      {"device.window", ValueType::kInteger, "commands", 1, 4096, {}, "x", nullptr},
      {"device.program_time", ValueType::kTime, "", 1e6, 1e12, {}, "x", nullptr},
  };
  return keys;
}
}  // namespace nvmearb::sim
