// SPDX-License-Identifier: Apache-2.0
//
// Feature values as they are in CDW11 of Set Features and DW0 of Get Features. The conversion
// between 0's based fields and counts is here and nowhere else.
#ifndef NVMEARB_MODELS_NVME_FEATURES_H_
#define NVMEARB_MODELS_NVME_FEATURES_H_

#include <cstdint>

#include "nvme/base/bits.h"

namespace nvmearb::nvme {

enum class FeatureId : std::uint8_t {
  kArbitration = 0x01,
  kVolatileWriteCache = 0x06,
  kNumberOfQueues = 0x07,
  kAsyncEventConfiguration = 0x0b
};

/// Feature 01h, Arbitration (Base 2.1 Fig 386). Weights are 0's based: effective = value + 1.
struct ArbitrationFeature {
  static constexpr std::uint8_t kNoBurstLimit = 7;

  std::uint8_t ab = 0;      ///< [2:0]: burst 2^ab commands, 7 = no limit
  std::uint8_t hpw_zb = 0;  ///< [31:24]
  std::uint8_t mpw_zb = 0;  ///< [23:16]
  std::uint8_t lpw_zb = 0;  ///< [15:8]

  /// Bits [7:3] are reserved: ignored here, and written as 0 by Encode().
  static constexpr ArbitrationFeature Decode(std::uint32_t value) {
    return {static_cast<std::uint8_t>(base::Bits(value, 2, 0)),
            static_cast<std::uint8_t>(base::Bits(value, 31, 24)),
            static_cast<std::uint8_t>(base::Bits(value, 23, 16)),
            static_cast<std::uint8_t>(base::Bits(value, 15, 8))};
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(hpw_zb, 31, 24) | base::Place(mpw_zb, 23, 16) |
                                      base::Place(lpw_zb, 15, 8) | base::Place(ab, 2, 0));
  }

  /// From effective weights, each 1..256, and a burst exponent 0..7.
  static constexpr ArbitrationFeature FromCounts(std::uint8_t ab_exponent, unsigned high_count,
                                                 unsigned medium_count, unsigned low_count) {
    return {ab_exponent, static_cast<std::uint8_t>(high_count - 1),
            static_cast<std::uint8_t>(medium_count - 1), static_cast<std::uint8_t>(low_count - 1)};
  }
  [[nodiscard]] constexpr unsigned HighCount() const { return hpw_zb + 1u; }
  [[nodiscard]] constexpr unsigned MediumCount() const { return mpw_zb + 1u; }
  [[nodiscard]] constexpr unsigned LowCount() const { return lpw_zb + 1u; }
  /// Commands of one burst, 1..64; 0 means no limit.
  [[nodiscard]] constexpr unsigned BurstCount() const { return ab == kNoBurstLimit ? 0 : 1u << ab; }
};

/// Feature 07h, Number of Queues: I/O queues asked for or allocated, as counts 1..65,536.
struct NumberOfQueuesFeature {
  std::uint32_t sq_count = 1;  ///< [15:0] + 1
  std::uint32_t cq_count = 1;  ///< [31:16] + 1

  static constexpr NumberOfQueuesFeature Decode(std::uint32_t value) {
    return {static_cast<std::uint32_t>(base::Bits(value, 15, 0)) + 1,
            static_cast<std::uint32_t>(base::Bits(value, 31, 16)) + 1};
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(cq_count - 1, 31, 16) |
                                      base::Bits(sq_count - 1, 15, 0));
  }
};

/// DW0 of Get Features with SEL = 011b.
struct FeatureCapabilities {
  bool saveable = false;            ///< [0]
  bool namespace_specific = false;  ///< [1]
  bool changeable = false;          ///< [2]

  static constexpr FeatureCapabilities Decode(std::uint32_t value) {
    return {(value & 1u) != 0, (value & 2u) != 0, (value & 4u) != 0};
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return (saveable ? 1u : 0u) | (namespace_specific ? 2u : 0u) | (changeable ? 4u : 0u);
  }
};

/// DW0 of a completed Asynchronous Event Request.
struct AsyncEvent {
  static constexpr std::uint8_t kTypeError = 0;
  static constexpr std::uint8_t kInfoInvalidDoorbellRegister = 0x00;
  static constexpr std::uint8_t kInfoInvalidDoorbellValue = 0x01;

  std::uint8_t type = kTypeError;  ///< [2:0]
  std::uint8_t info = 0;           ///< [15:8]
  std::uint8_t log_page = 0;       ///< [23:16], the log to read

  static constexpr AsyncEvent Decode(std::uint32_t value) {
    return {static_cast<std::uint8_t>(base::Bits(value, 2, 0)),
            static_cast<std::uint8_t>(base::Bits(value, 15, 8)),
            static_cast<std::uint8_t>(base::Bits(value, 23, 16))};
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(log_page, 23, 16) | base::Place(info, 15, 8) |
                                      base::Place(type, 2, 0));
  }
};

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_FEATURES_H_
