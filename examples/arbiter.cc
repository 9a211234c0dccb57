// SPDX-License-Identifier: Apache-2.0
//
// The golden arbiter in a program of your own: three queues of three classes, in which order?
#include "arbiter/arbiter.h"

#include <cstdint>
#include <cstdio>

int main() {
  using namespace nvmearb::arbiter;
  Arbiter arbiter(4);            // SQ 0 (admin) and three more
  ArbitrationSettings settings;  // as in feature 01h
  settings.hpw_zb = 2;           // weights are 0's based: 3:2:1
  settings.mpw_zb = 1;
  arbiter.Reset(Mechanism::kWeightedRoundRobin, settings);
  const SqClass classes[] = {SqClass::kHigh, SqClass::kMedium, SqClass::kLow};
  for (std::uint16_t id = 1; id <= 3; ++id) {
    arbiter.CreateCq(id, 64);
    arbiter.CreateSq({id, id, 64, classes[id - 1]});
    arbiter.RingSqTail(id, 12);  // twelve commands each
  }
  arbiter.GiveSlots(19);  // room for eighteen, and the one kept for SQ 0
  while (const auto grant = arbiter.Decide(1)) std::printf("%u ", unsigned{grant->sqid});
  std::printf("\n");
}
