// SPDX-License-Identifier: Apache-2.0
//
// Bit fields of words, written as the specification writes them: Bits(word, 18, 17).
#ifndef NVMEARB_MODELS_NVME_BASE_BITS_H_
#define NVMEARB_MODELS_NVME_BASE_BITS_H_

#include <cstdint>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "wire structures are little endian and used in place: the machine has to be, too"
#endif

namespace nvmearb::base {

/// word[high:low], 0 <= low <= high < 64.
constexpr std::uint64_t Bits(std::uint64_t word, int high, int low) {
  const int width = high - low + 1;
  return (word >> low) & (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
}

/// `value` placed at [high:low]; bits of the value that do not fit are dropped.
constexpr std::uint64_t Place(std::uint64_t value, int high, int low) {
  return Bits(value, high - low, 0) << low;
}

}  // namespace nvmearb::base

#endif  // NVMEARB_MODELS_NVME_BASE_BITS_H_
