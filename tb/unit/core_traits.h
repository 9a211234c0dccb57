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
  CoreTraits t{};
  t.sizes = std::move(sizes);
  t.fewer_runs = 1;
  t.doorbell_to_grant = 5;
  t.slot_to_grant = 3;
  t.clocks_per_decision = 3;
  t.clocks_per_look = 3;
  t.clocks_per_let_go = 0;
  t.clocks_per_turned_sq = 0;
  t.most_per_grant = 8;
  t.decided_ago = 3;
  t.slots_until = 2;
  t.event_to_decision = 1;
  t.knows_its_own_clock = true;
  t.request_clocks = {2, 2, 6, 2, 2, 2, 1};
  t.clocks_per_sq_of_ring = 2;
  return t;
}
/// rtl/full_rate.
inline CoreTraits FullRateTraits(std::vector<unsigned> sizes) {
  CoreTraits t{};
  t.sizes = std::move(sizes);
  t.fewer_runs = 8;
  t.doorbell_to_grant = 8;
  t.slot_to_grant = 5;
  t.clocks_per_decision = 1;
  t.clocks_per_look = 8;
  t.clocks_per_let_go = 4;
  t.clocks_per_turned_sq = 3;
  t.most_per_grant = 1;
  t.decided_ago = 1;
  t.slots_until = 0;
  t.event_to_decision = 2;
  t.knows_its_own_clock = false;
  t.request_clocks = {4, 3, 12, 4, 5, 4, 3};
  t.clocks_per_sq_of_ring = 3;
  return t;
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_TRAITS_H_
