// SPDX-License-Identifier: Apache-2.0
//
// CoreTraits of both engines, for whoever has models of `sizes`.
#ifndef NVMEARB_TB_UNIT_CORE_TRAITS_H_
#define NVMEARB_TB_UNIT_CORE_TRAITS_H_

#include <utility>
#include <vector>

#include "core_dut.h"

namespace nvmearb::tb {

/// rtl/core.
inline CoreTraits CompactTraits(std::vector<unsigned> sizes) {
  return {std::move(sizes), 1, 5, 3, 3, 3, 0, 8, 3, 2, 1, true, 2};
}
/// rtl/full_rate.
inline CoreTraits FullRateTraits(std::vector<unsigned> sizes) {
  return {std::move(sizes), 8, 8, 5, 1, 8 + 4, 3, 1, 1, 0, 2, false, 3};
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_TRAITS_H_
