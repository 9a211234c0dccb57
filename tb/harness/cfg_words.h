// SPDX-License-Identifier: Apache-2.0
//
// Configuration requests of the firmware as cfg_req_t of rtl/nvmearb_pkg.sv.
#ifndef NVMEARB_TB_HARNESS_CFG_WORDS_H_
#define NVMEARB_TB_HARNESS_CFG_WORDS_H_

#include <array>
#include <cstdint>

#include "harness/obs_layout.h"
#include "ssd/front_end.h"

namespace nvmearb::tb {

/// cfg_op_e, as far as the firmware uses it.
enum class CfgOp : unsigned {
  kCreateCq = 1,
  kDeleteCq = 2,
  kCreateSq = 3,
  kDeleteSq = 4,
  kSetArb = 5
};

/// cfg_req_t as words, lowest first.
using CfgWords = std::array<std::uint32_t, (cfg_req::kWidth + 31) / 32>;

inline CfgWords CfgRequest(CfgOp op, unsigned id) {
  CfgWords words{};
  Set(words.data(), cfg_req::kOp, static_cast<unsigned>(op));
  Set(words.data(), cfg_req::kId, id);
  return words;
}

inline CfgWords CfgCreateCq(const ssd::CqConfig& config) {
  CfgWords words = CfgRequest(CfgOp::kCreateCq, config.cqid);
  Set(words.data(), cfg_req::kSizeZb, config.size_count - 1);
  return words;
}

inline CfgWords CfgCreateSq(const ssd::SqConfig& config) {
  CfgWords words = CfgRequest(CfgOp::kCreateSq, config.sqid);
  Set(words.data(), cfg_req::kCqid, config.cqid);
  Set(words.data(), cfg_req::kSizeZb, config.size_count - 1);
  Set(words.data(), cfg_req::kSqClass, static_cast<unsigned>(config.sq_class));
  Set(words.data(), cfg_req::kBase, config.base >> 6);
  return words;
}

inline CfgWords CfgSetArb(const arbiter::ArbitrationSettings& settings) {
  CfgWords words = CfgRequest(CfgOp::kSetArb, 0);
  Set(words.data(), cfg_req::kAb, settings.ab);
  Set(words.data(), cfg_req::kHpwZb, settings.hpw_zb);
  Set(words.data(), cfg_req::kMpwZb, settings.mpw_zb);
  Set(words.data(), cfg_req::kLpwZb, settings.lpw_zb);
  return words;
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_CFG_WORDS_H_
