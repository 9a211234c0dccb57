// SPDX-License-Identifier: Apache-2.0
//
// Controller properties (BAR 0): offsets, bit fields and doorbell addresses (Base 2.1 section 3.1,
// PCIe Transport 1.1 section 3.1.2).
#ifndef NVMEARB_MODELS_NVME_REGISTERS_H_
#define NVMEARB_MODELS_NVME_REGISTERS_H_

#include <cstdint>
#include <optional>

#include "nvme/base/bits.h"

namespace nvmearb::nvme {

enum Register : std::uint32_t {
  kRegCap = 0x00,  ///< 64 bits
  kRegVs = 0x08,
  kRegIntms = 0x0c,
  kRegIntmc = 0x10,
  kRegCc = 0x14,
  kRegCsts = 0x1c,
  kRegNssr = 0x20,
  kRegAqa = 0x24,
  kRegAsq = 0x28,  ///< 64 bits
  kRegAcq = 0x30,  ///< 64 bits
  kRegCmbloc = 0x38,
  kRegCmbsz = 0x3c,
  kRegDoorbells = 0x1000
};

/// AMS values of CC, and the bits of CAP.AMS.
enum class Ams : std::uint8_t { kRoundRobin = 0, kWeightedRoundRobinUrgent = 1, kVendor = 7 };
inline constexpr std::uint8_t kCapAmsWeightedRoundRobin = 1;
inline constexpr std::uint8_t kCapAmsVendor = 2;

/// CC.SHN and CSTS.SHST.
enum class ShutdownNotice : std::uint8_t { kNone = 0, kNormal = 1, kAbrupt = 2 };
enum class ShutdownStatus : std::uint8_t { kNormal = 0, kOccurring = 1, kComplete = 2 };

/// CAP, controller capabilities (read only).
struct Cap {
  std::uint16_t mqes_zb = 0;       ///< [15:0] largest queue, entries - 1
  bool cqr = false;                ///< [16] queues have to be contiguous
  std::uint8_t ams = 0;            ///< [18:17]
  std::uint8_t timeout_500ms = 0;  ///< [31:24] TO
  std::uint8_t dstrd = 0;          ///< [35:32] doorbell stride 4 << dstrd bytes
  bool nssrs = false;              ///< [36]
  std::uint8_t css = 0;            ///< [44:37], bit 0 = NVM command set
  std::uint8_t mpsmin = 0;         ///< [51:48] page size 2^(12 + x)
  std::uint8_t mpsmax = 0;         ///< [55:52]

  static constexpr Cap Decode(std::uint64_t v) {
    Cap c;
    c.mqes_zb = static_cast<std::uint16_t>(base::Bits(v, 15, 0));
    c.cqr = base::Bits(v, 16, 16) != 0;
    c.ams = static_cast<std::uint8_t>(base::Bits(v, 18, 17));
    c.timeout_500ms = static_cast<std::uint8_t>(base::Bits(v, 31, 24));
    c.dstrd = static_cast<std::uint8_t>(base::Bits(v, 35, 32));
    c.nssrs = base::Bits(v, 36, 36) != 0;
    c.css = static_cast<std::uint8_t>(base::Bits(v, 44, 37));
    c.mpsmin = static_cast<std::uint8_t>(base::Bits(v, 51, 48));
    c.mpsmax = static_cast<std::uint8_t>(base::Bits(v, 55, 52));
    return c;
  }
  [[nodiscard]] constexpr std::uint64_t Encode() const {
    return base::Place(mqes_zb, 15, 0) | base::Place(cqr, 16, 16) | base::Place(ams, 18, 17) |
           base::Place(timeout_500ms, 31, 24) | base::Place(dstrd, 35, 32) |
           base::Place(nssrs, 36, 36) | base::Place(css, 44, 37) | base::Place(mpsmin, 51, 48) |
           base::Place(mpsmax, 55, 52);
  }
};

/// VS, version.
constexpr std::uint32_t MakeVersion(unsigned major, unsigned minor, unsigned tertiary) {
  return static_cast<std::uint32_t>(base::Place(major, 31, 16) | base::Place(minor, 15, 8) |
                                    base::Place(tertiary, 7, 0));
}

/// CC, controller configuration.
struct Cc {
  static constexpr std::uint32_t kWritableMask = 0x00fffff1u;  ///< everything but reserved bits

  bool en = false;          ///< [0]
  std::uint8_t css = 0;     ///< [6:4]
  std::uint8_t mps = 0;     ///< [10:7] page size 2^(12 + x)
  std::uint8_t ams = 0;     ///< [13:11]
  std::uint8_t shn = 0;     ///< [15:14]
  std::uint8_t iosqes = 0;  ///< [19:16] SQE of 2^x bytes, 6
  std::uint8_t iocqes = 0;  ///< [23:20] CQE of 2^x bytes, 4

  static constexpr Cc Decode(std::uint32_t v) {
    Cc c;
    c.en = base::Bits(v, 0, 0) != 0;
    c.css = static_cast<std::uint8_t>(base::Bits(v, 6, 4));
    c.mps = static_cast<std::uint8_t>(base::Bits(v, 10, 7));
    c.ams = static_cast<std::uint8_t>(base::Bits(v, 13, 11));
    c.shn = static_cast<std::uint8_t>(base::Bits(v, 15, 14));
    c.iosqes = static_cast<std::uint8_t>(base::Bits(v, 19, 16));
    c.iocqes = static_cast<std::uint8_t>(base::Bits(v, 23, 20));
    return c;
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(en, 0, 0) | base::Place(css, 6, 4) |
                                      base::Place(mps, 10, 7) | base::Place(ams, 13, 11) |
                                      base::Place(shn, 15, 14) | base::Place(iosqes, 19, 16) |
                                      base::Place(iocqes, 23, 20));
  }
};

/// CSTS, controller status.
struct Csts {
  bool rdy = false;       ///< [0]
  bool cfs = false;       ///< [1] fatal status
  std::uint8_t shst = 0;  ///< [3:2]
  bool pp = false;        ///< [5] processing paused

  static constexpr Csts Decode(std::uint32_t v) {
    Csts c;
    c.rdy = base::Bits(v, 0, 0) != 0;
    c.cfs = base::Bits(v, 1, 1) != 0;
    c.shst = static_cast<std::uint8_t>(base::Bits(v, 3, 2));
    c.pp = base::Bits(v, 5, 5) != 0;
    return c;
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(rdy, 0, 0) | base::Place(cfs, 1, 1) |
                                      base::Place(shst, 3, 2) | base::Place(pp, 5, 5));
  }
};

/// AQA, admin queue attributes. Counts are entries, 1..4,096 (1 = the illegal value 0 on the wire).
struct Aqa {
  static constexpr std::uint32_t kWritableMask = 0x0fff0fffu;

  std::uint32_t sq_count = 1;  ///< [11:0] + 1
  std::uint32_t cq_count = 1;  ///< [27:16] + 1

  static constexpr Aqa Decode(std::uint32_t v) {
    return {static_cast<std::uint32_t>(base::Bits(v, 11, 0)) + 1,
            static_cast<std::uint32_t>(base::Bits(v, 27, 16)) + 1};
  }
  [[nodiscard]] constexpr std::uint32_t Encode() const {
    return static_cast<std::uint32_t>(base::Place(sq_count - 1, 11, 0) |
                                      base::Place(cq_count - 1, 27, 16));
  }
};

/// Base of ASQ and ACQ: bits [11:0] read 0.
inline constexpr std::uint64_t kQueueBaseMask = ~std::uint64_t{0xfff};

/// A doorbell register.
struct Doorbell {
  bool is_cq = false;
  std::uint16_t qid = 0;
};

constexpr std::uint32_t SqTailDoorbell(std::uint16_t qid, unsigned dstrd) {
  return kRegDoorbells + (2u * qid) * (4u << dstrd);
}
constexpr std::uint32_t CqHeadDoorbell(std::uint16_t qid, unsigned dstrd) {
  return kRegDoorbells + (2u * qid + 1u) * (4u << dstrd);
}

/// The doorbell at `offset`; nothing below 1000h, between two registers, or beyond QID 65,535.
constexpr std::optional<Doorbell> DecodeDoorbell(std::uint32_t offset, unsigned dstrd) {
  if (offset < kRegDoorbells) return std::nullopt;
  const std::uint32_t stride = 4u << dstrd;
  const std::uint32_t index = (offset - kRegDoorbells) / stride;
  if ((offset - kRegDoorbells) % stride != 0 || index > 2u * 0xffffu + 1u) return std::nullopt;
  return Doorbell{(index & 1u) != 0, static_cast<std::uint16_t>(index >> 1)};
}

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_REGISTERS_H_
