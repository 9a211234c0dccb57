// SPDX-License-Identifier: Apache-2.0
//
// The builds of nvmearb_fetch_flat that tests and clock figures use: each data width, few and many
// reads, with and without the register in front of the address adder (see CMakeLists.txt).
#ifndef NVMEARB_TB_BLOCK_FETCH_BUILDS_H_
#define NVMEARB_TB_BLOCK_FETCH_BUILDS_H_

#include "Vnvmearb_fetch_w128.h"
#include "Vnvmearb_fetch_w256.h"
#include "Vnvmearb_fetch_w512.h"
#include "Vnvmearb_fetch_w512_one.h"
#include "Vnvmearb_fetch_w64.h"

namespace nvmearb::tb {

struct Fetch64 {
  using Model = Vnvmearb_fetch_w64;
  static constexpr unsigned kDataW = 64, kMaxReads = 32, kArClocks = 2;
};
struct Fetch128 {
  using Model = Vnvmearb_fetch_w128;
  static constexpr unsigned kDataW = 128, kMaxReads = 256, kArClocks = 4;
};
struct Fetch256 {
  using Model = Vnvmearb_fetch_w256;
  static constexpr unsigned kDataW = 256, kMaxReads = 32, kArClocks = 2;
};
struct Fetch512 {
  using Model = Vnvmearb_fetch_w512;
  static constexpr unsigned kDataW = 512, kMaxReads = 32, kArClocks = 2;
};
/// One read at a time.
struct Fetch512One {
  using Model = Vnvmearb_fetch_w512_one;
  static constexpr unsigned kDataW = 512, kMaxReads = 1, kArClocks = 4;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_FETCH_BUILDS_H_
