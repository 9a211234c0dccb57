// SPDX-License-Identifier: Apache-2.0
#include "host_driver/multipath/io_policy.h"

#include <fmt/format.h>

#include "host_driver/base/user_error.h"
#include "host_driver/multipath/policy/policies.h"

namespace nvmearb::host {

const std::vector<std::string>& IoPolicyNames() {
  static const std::vector<std::string> names = {"numa", "round-robin", "queue-depth", "latency"};
  return names;
}

std::unique_ptr<IoPolicy> MakeIoPolicy(std::string_view name, unsigned node_count,
                                       const std::string& where) {
  if (name == "numa") return MakeNumaPolicy(node_count);
  if (name == "round-robin") return MakeRoundRobinPolicy(node_count);
  if (name == "queue-depth") return MakeQueueDepthPolicy(node_count);
  if (name == "latency") return MakeLatencyPolicy(node_count);
  throw UserError(where, fmt::format("no I/O policy \"{}\"", name),
                  fmt::format("one of {}", fmt::join(IoPolicyNames(), ", ")));
}

}  // namespace nvmearb::host
