// SPDX-License-Identifier: Apache-2.0
//
// The engine of rtl/full_rate.
#include "core_dut.h"
#include "core_models.h"
#include "nvme/base/check.h"

namespace nvmearb::tb {

const CoreTraits& Traits() {
  static const CoreTraits traits = {{2, 3, 7, 16, 129}, 8, 8, 5, 1, 8 + 4, 1, 1, 0, 2, false};
  return traits;
}

std::unique_ptr<CoreDut> MakeCore(unsigned sq_count) {
  switch (sq_count) {
    case 2:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_full_rate_2>>(sq_count);
    case 3:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_full_rate_3>>(sq_count);
    case 7:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_full_rate_7>>(sq_count);
    case 16:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_full_rate_16>>(sq_count);
    case 129:
      return std::make_unique<CoreDutImpl<Vnvmearb_unit_full_rate_129>>(sq_count);
    default:
      NVMEARB_CHECK(false, "one of Traits().sizes");
  }
}

}  // namespace nvmearb::tb
