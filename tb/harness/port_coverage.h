// SPDX-License-Identifier: Apache-2.0
//
// PortCoverage: what a build does with every event of its observation port beyond handing it on.
// Nothing, but in the build of `make coverage`, which specializes it beside a model
// (tb/coverage/verilated_root_covered.h.in).
#ifndef NVMEARB_TB_HARNESS_PORT_COVERAGE_H_
#define NVMEARB_TB_HARNESS_PORT_COVERAGE_H_

#include "arbiter/types.h"

namespace nvmearb::tb {

template <typename Model>
class PortCoverage {
 public:
  explicit PortCoverage(unsigned /*sq_count*/) {}
  void OnEvent(const arbiter::Event& /*event*/) {}
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_PORT_COVERAGE_H_
