// SPDX-License-Identifier: Apache-2.0
//
// The four policies; each file says its rule.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_POLICY_POLICIES_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_POLICY_POLICIES_H_

#include <memory>

#include "host_driver/multipath/io_policy.h"

namespace nvmearb::host {

std::unique_ptr<IoPolicy> MakeNumaPolicy(unsigned node_count);
std::unique_ptr<IoPolicy> MakeRoundRobinPolicy(unsigned node_count);
std::unique_ptr<IoPolicy> MakeQueueDepthPolicy(unsigned node_count);
std::unique_ptr<IoPolicy> MakeLatencyPolicy(unsigned node_count);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_POLICY_POLICIES_H_
