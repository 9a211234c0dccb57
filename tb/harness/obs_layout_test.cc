// SPDX-License-Identifier: Apache-2.0
#include "harness/obs_layout.h"

#include <gtest/gtest.h>

#include "Vobs_probe.h"

namespace nvmearb::tb {
namespace {

// In the order of obs_probe.sv.
const Field kObsFields[] = {
    obs::kCfgValid,
    cfg_req::kOp.At(obs::kCfg),
    cfg_req::kId.At(obs::kCfg),
    cfg_req::kCqid.At(obs::kCfg),
    cfg_req::kSizeZb.At(obs::kCfg),
    cfg_req::kSqClass.At(obs::kCfg),
    cfg_req::kBase.At(obs::kCfg),
    cfg_req::kWrr.At(obs::kCfg),
    cfg_req::kAb.At(obs::kCfg),
    cfg_req::kHpwZb.At(obs::kCfg),
    cfg_req::kMpwZb.At(obs::kCfg),
    cfg_req::kLpwZb.At(obs::kCfg),
    obs::kDbValid,
    obs::kDbReject,
    obs::kDbError,
    doorbell::kIsCq.At(obs::kDb),
    doorbell::kQid.At(obs::kDb),
    doorbell::kValue.At(obs::kDb),
    obs::kGrantValid,
    grant::kSqid.At(obs::kGrant),
    grant::kCqid.At(obs::kGrant),
    grant::kHead.At(obs::kGrant),
    grant::kSizeZb.At(obs::kGrant),
    grant::kCount.At(obs::kGrant),
    grant::kSqClass.At(obs::kGrant),
    grant::kFirst.At(obs::kGrant),
    obs::kFetchValid,
    obs::kFetchSqid,
    obs::kFetchCount,
    obs::kFetchHead,
    obs::kCompleteValid,
    complete::kSqid.At(obs::kComplete),
    complete::kCqid.At(obs::kComplete),
    complete::kPosted.At(obs::kComplete),
    obs::kCreditH,
    obs::kCreditM,
    obs::kCreditL,
};
const Field kUserFields[] = {sqe_user::kSqid, sqe_user::kCqid, sqe_user::kSqhd, sqe_user::kSqClass};

TEST(ObsLayout, EveryFieldLiesWhereThePackagePutsIt) {
  Vobs_probe probe;
  unsigned bits = 0;
  for (std::size_t i = 0; i < std::size(kObsFields); ++i) {
    probe.field_i = static_cast<std::uint8_t>(i);
    probe.eval();
    for (unsigned bit = 0; bit < obs::kWidth; ++bit) {
      const bool expected = bit >= kObsFields[i].low && bit < kObsFields[i].end();
      ASSERT_EQ(Get(probe.obs_o.data(), {bit, 1}) != 0, expected)
          << "field " << i << " bit " << bit;
    }
    bits += kObsFields[i].width;
  }
  EXPECT_EQ(bits, obs::kWidth);  // no field was left out
  for (std::size_t i = 0; i < std::size(kUserFields); ++i) {
    probe.field_i = static_cast<std::uint8_t>(std::size(kObsFields) + i);
    probe.eval();
    const Field field = kUserFields[i];
    EXPECT_EQ(probe.user_o, ((std::uint64_t{1} << field.width) - 1) << field.low) << i;
  }
}

TEST(ObsLayout, GetReturnsWhatSetPut) {
  for (const Field field : kObsFields) {
    std::uint32_t words[(obs::kWidth + 31) / 32] = {};
    const std::uint64_t ones =
        field.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.width) - 1;
    const std::uint64_t value = 0xa5a5'5a5a'c3c3'3c3cu & ones;
    Set(words, field, value);
    EXPECT_EQ(Get(words, field), value);
    Set(words, field, 0);
    for (const std::uint32_t word : words) EXPECT_EQ(word, 0u);
  }
}

}  // namespace
}  // namespace nvmearb::tb
