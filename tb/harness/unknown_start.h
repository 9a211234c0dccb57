// SPDX-License-Identifier: Apache-2.0
//
// UnknownStart: a Verilated context in which registers and memories begin as they do after
// power-on, with any value: only what reset and the engine's own clearing write is known.
#ifndef NVMEARB_TB_HARNESS_UNKNOWN_START_H_
#define NVMEARB_TB_HARNESS_UNKNOWN_START_H_

#include <verilated.h>

namespace nvmearb::tb {

/// The values are the same in every run. Models written with `--x-initial fast` begin with zeros
/// all the same (nvmearb_verilated_archive() of tb/harness/CMakeLists.txt).
class UnknownStart final : public VerilatedContext {
 public:
  UnknownStart() {
    randReset(kRandom);
    randSeed(kSeed);
  }

 private:
  static constexpr int kRandom = 2;  // 0: zeros, 1: ones
  static constexpr int kSeed = 1;    // 0 would be the time of day
};

}  // namespace nvmearb::tb
#endif  // NVMEARB_TB_HARNESS_UNKNOWN_START_H_
