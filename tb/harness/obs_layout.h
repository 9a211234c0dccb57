// SPDX-License-Identifier: Apache-2.0
//
// Bit positions of the packed structs of rtl/nvmearb_pkg.sv as they appear at the ports of
// nvmearb_top (SystemVerilog packs the first field at the top). Each field is given by its width
// and the field below it, as in the package; obs_layout_test.cc compares the result with the
// package itself.
#ifndef NVMEARB_TB_HARNESS_OBS_LAYOUT_H_
#define NVMEARB_TB_HARNESS_OBS_LAYOUT_H_

#include <cstdint>

namespace nvmearb::tb {

/// A field of a packed vector: bits low .. low + width - 1; width 1..64.
struct Field {
  unsigned low = 0;
  unsigned width = 0;

  [[nodiscard]] constexpr unsigned end() const { return low + width; }
  /// The field of `next_width` bits right above this one.
  [[nodiscard]] constexpr Field Above(unsigned next_width) const { return {end(), next_width}; }
  /// This field inside a struct that itself begins at bit `base`.
  [[nodiscard]] constexpr Field At(unsigned base) const { return {base + low, width}; }
};

/// Reads a field of a vector of 32-bit words (a VlWide).
[[nodiscard]] inline std::uint64_t Get(const std::uint32_t* words, Field field) {
  const unsigned shift = field.low % 32;
  std::uint64_t value = words[field.low / 32] >> shift;
  for (unsigned have = 32 - shift, word = field.low / 32 + 1; have < field.width;
       have += 32, ++word) {
    value |= static_cast<std::uint64_t>(words[word]) << have;
  }
  return field.width == 64 ? value : value & ((std::uint64_t{1} << field.width) - 1);
}

/// Writes a field of a vector of 32-bit words.
inline void Set(std::uint32_t* words, Field field, std::uint64_t value) {
  for (unsigned i = 0; i < field.width; ++i) {
    const unsigned bit = field.low + i;
    const std::uint32_t mask = std::uint32_t{1} << (bit % 32);
    if ((value >> i) & 1) {
      words[bit / 32] |= mask;
    } else {
      words[bit / 32] &= ~mask;
    }
  }
}

namespace cfg_req {  // cfg_req_t
inline constexpr Field kLpwZb{0, 8};
inline constexpr Field kMpwZb = kLpwZb.Above(8);
inline constexpr Field kHpwZb = kMpwZb.Above(8);
inline constexpr Field kAb = kHpwZb.Above(3);
inline constexpr Field kWrr = kAb.Above(1);
inline constexpr Field kBase = kWrr.Above(58);
inline constexpr Field kSqClass = kBase.Above(3);
inline constexpr Field kSizeZb = kSqClass.Above(16);
inline constexpr Field kCqid = kSizeZb.Above(16);
inline constexpr Field kId = kCqid.Above(16);
inline constexpr Field kOp = kId.Above(3);
inline constexpr unsigned kWidth = kOp.end();
}  // namespace cfg_req

namespace doorbell {  // doorbell_t
inline constexpr Field kValue{0, 16};
inline constexpr Field kQid = kValue.Above(16);
inline constexpr Field kIsCq = kQid.Above(1);
inline constexpr unsigned kWidth = kIsCq.end();
}  // namespace doorbell

namespace grant {  // grant_t
inline constexpr Field kFirst{0, 1};
inline constexpr Field kSqClass = kFirst.Above(3);
inline constexpr Field kCount = kSqClass.Above(4);
inline constexpr Field kSizeZb = kCount.Above(16);
inline constexpr Field kHead = kSizeZb.Above(16);
inline constexpr Field kCqid = kHead.Above(16);
inline constexpr Field kSqid = kCqid.Above(16);
inline constexpr unsigned kWidth = kSqid.end();
}  // namespace grant

namespace complete {  // complete_t
inline constexpr Field kPosted{0, 1};
inline constexpr Field kCqid = kPosted.Above(16);
inline constexpr Field kSqid = kCqid.Above(16);
inline constexpr unsigned kWidth = kSqid.end();
}  // namespace complete

namespace sqe_user {  // sqe_user_t
inline constexpr Field kSqClass{0, 3};
inline constexpr Field kSqhd = kSqClass.Above(16);
inline constexpr Field kCqid = kSqhd.Above(16);
inline constexpr Field kSqid = kCqid.Above(16);
}  // namespace sqe_user

namespace obs {  // obs_t
inline constexpr Field kCreditL{0, 9};
inline constexpr Field kCreditM = kCreditL.Above(9);
inline constexpr Field kCreditH = kCreditM.Above(9);
inline constexpr unsigned kComplete = kCreditH.end();
inline constexpr Field kCompleteValid{kComplete + complete::kWidth, 1};
inline constexpr Field kFetchHead = kCompleteValid.Above(16);
inline constexpr Field kFetchCount = kFetchHead.Above(4);
inline constexpr Field kFetchSqid = kFetchCount.Above(16);
inline constexpr Field kFetchValid = kFetchSqid.Above(1);
inline constexpr unsigned kGrant = kFetchValid.end();
inline constexpr Field kGrantValid{kGrant + grant::kWidth, 1};
inline constexpr unsigned kDb = kGrantValid.end();
inline constexpr Field kDbError{kDb + doorbell::kWidth, 8};
inline constexpr Field kDbReject = kDbError.Above(1);
inline constexpr Field kDbValid = kDbReject.Above(1);
inline constexpr unsigned kCfg = kDbValid.end();
inline constexpr Field kCfgValid{kCfg + cfg_req::kWidth, 1};
inline constexpr unsigned kWidth = kCfgValid.end();
}  // namespace obs

/// True when any of the valid bits of obs_t is set.
[[nodiscard]] inline bool AnyEvent(const std::uint32_t* words) {
  return ((Get(words, obs::kCompleteValid) | Get(words, obs::kFetchValid) |
           Get(words, obs::kGrantValid) | Get(words, obs::kDbReject) | Get(words, obs::kDbValid) |
           Get(words, obs::kCfgValid)) &
          1) != 0;
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_OBS_LAYOUT_H_
