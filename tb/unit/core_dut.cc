// SPDX-License-Identifier: Apache-2.0
//
// The engine of rtl/core.
#include "core_dut.h"

#include "core_models.h"
#include "nvme/base/check.h"

namespace nvmearb::tb {

const CoreTraits& Traits() {
  static const CoreTraits traits = {{2, 3, 7, 16, 64, 129, 1024}, 1, 5, 3, 3, 3, 8, 3, 2, 1, true};
  return traits;
}

std::unique_ptr<CoreDut> MakeCore(unsigned sq_count) {
  switch (sq_count) {
    case 2:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_2>>(sq_count);
    case 3:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_3>>(sq_count);
    case 7:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_7>>(sq_count);
    case 16:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_16>>(sq_count);
    case 64:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_64>>(sq_count);
    case 129:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_129>>(sq_count);
    case 1024:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_core_1024>>(sq_count);
    default:
      NVMEARB_CHECK(false, "one of Traits().sizes");
  }
}

}  // namespace nvmearb::tb
