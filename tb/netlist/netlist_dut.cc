// SPDX-License-Identifier: Apache-2.0
//
// MakeCore() over netlists: the sizes of tb/netlist/CMakeLists.txt.
#include <Vnvmearb_netlist_16.h>
#include <Vnvmearb_netlist_64.h>

#include "core_dut.h"
#include "core_dut_impl.h"
#include "nvme/base/check.h"

namespace nvmearb::tb {

const CoreTraits& Traits() {
  static const CoreTraits traits = {{16, 64}, 1, 5, 3, 3, 3, 8, 3, 2, 1, true};
  return traits;
}

std::unique_ptr<CoreDut> MakeCore(unsigned sq_count) {
  switch (sq_count) {
    case 16:
      return std::make_unique<CoreDutImpl<Vnvmearb_netlist_16>>(sq_count);
    case 64:
      return std::make_unique<CoreDutImpl<Vnvmearb_netlist_64>>(sq_count);
    default:
      NVMEARB_CHECK(false, "one of Traits().sizes");
  }
}

}  // namespace nvmearb::tb
