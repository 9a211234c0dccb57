// SPDX-License-Identifier: Apache-2.0
//
// Identify data structures, 4096 bytes each (Base 2.1 Fig 312, NVM Command Set 1.1 Fig 114). Only
// the fields that the project uses have names; the rest is reserved space of the right size.
#ifndef NVMEARB_MODELS_NVME_IDENTIFY_H_
#define NVMEARB_MODELS_NVME_IDENTIFY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace nvmearb::nvme {

inline constexpr std::size_t kIdentifyBytes = 4096;

/// CNS of Identify.
enum class Cns : std::uint8_t {
  kNamespace = 0x00,
  kController = 0x01,
  kActiveNamespaces = 0x02,
  kNamespaceDescriptors = 0x03
};

#pragma pack(push, 1)

/// CNS 01h.
struct IdentifyController {
  std::uint16_t vid;
  std::uint16_t ssvid;
  std::array<char, 20> sn;  ///< padded with blanks, not terminated
  std::array<char, 40> mn;
  std::array<char, 8> fr;
  std::uint8_t rab;  ///< recommended arbitration burst, 2^rab commands
  std::array<std::uint8_t, 3> ieee;
  std::uint8_t cmic;
  std::uint8_t mdts;  ///< largest transfer 2^mdts pages of CAP.MPSMIN; 0 = no limit
  std::uint16_t cntlid;
  std::uint32_t ver;
  std::uint32_t rtd3r;
  std::uint32_t rtd3e;
  std::uint32_t oaes;
  std::uint32_t ctratt;
  std::array<std::uint8_t, 156> reserved100;
  std::uint16_t oacs;  ///< byte 256: optional admin commands
  std::uint8_t acl;    ///< concurrent Aborts, 0's based
  std::uint8_t aerl;   ///< outstanding Asynchronous Event Requests, 0's based
  std::uint8_t frmw;
  std::uint8_t lpa;
  std::uint8_t elpe;  ///< entries of the error log, 0's based
  std::uint8_t npss;
  std::uint8_t avscc;
  std::uint8_t apsta;
  std::uint16_t wctemp;
  std::uint16_t cctemp;
  std::array<std::uint8_t, 10> reserved270;
  std::array<std::uint8_t, 16> tnvmcap;  ///< byte 280: bytes of NVM, little endian
  std::array<std::uint8_t, 216> reserved296;
  std::uint8_t sqes;  ///< byte 512: [7:4] largest, [3:0] required SQE size, 2^x bytes
  std::uint8_t cqes;
  std::uint16_t maxcmd;
  std::uint32_t nn;  ///< number of namespaces
  std::uint16_t oncs;
  std::uint16_t fuses;
  std::uint8_t fna;
  std::uint8_t vwc;  ///< bit 0: volatile write cache present
  std::uint16_t awun;
  std::uint16_t awupf;
  std::uint8_t nvscc;
  std::uint8_t nwpc;
  std::uint16_t acwu;
  std::uint16_t reserved534;
  std::uint32_t sgls;
  std::array<std::uint8_t, 228> reserved540;
  std::array<char, 256> subnqn;  ///< byte 768
  std::array<std::uint8_t, 1024> reserved1024;
  std::array<std::uint8_t, 1024> power_states;  ///< byte 2048: 32 descriptors of 32 bytes
  std::array<std::uint8_t, 1024> vendor;
};

/// One LBA format.
struct LbaFormat {
  std::uint16_t ms;    ///< metadata bytes
  std::uint8_t lbads;  ///< block of 2^lbads bytes
  std::uint8_t rp;
};

/// CNS 00h.
struct IdentifyNamespace {
  std::uint64_t nsze;  ///< blocks
  std::uint64_t ncap;
  std::uint64_t nuse;
  std::uint8_t nsfeat;
  std::uint8_t nlbaf;  ///< LBA formats, 0's based
  std::uint8_t flbas;  ///< [3:0] format in use
  std::uint8_t mc;
  std::uint8_t dpc;
  std::uint8_t dps;
  std::uint8_t nmic;
  std::uint8_t rescap;
  std::uint8_t fpi;
  std::uint8_t dlfeat;
  std::array<std::uint8_t, 12> reserved34;
  std::uint16_t noiob;  ///< byte 46: optimal I/O boundary in blocks
  std::array<std::uint8_t, 16> nvmcap;
  std::array<std::uint8_t, 40> reserved64;
  std::array<std::uint8_t, 16> nguid;  ///< byte 104
  std::array<std::uint8_t, 8> eui64;
  std::array<LbaFormat, 16> lbaf;  ///< byte 128
  std::array<std::uint8_t, 3904> reserved192;
};

/// CNS 03h: header of one namespace identification descriptor.
struct NamespaceDescriptor {
  static constexpr std::uint8_t kTypeEui64 = 1;
  static constexpr std::uint8_t kTypeNguid = 2;
  std::uint8_t nidt;
  std::uint8_t nidl;  ///< bytes of the identifier that follows
  std::uint16_t reserved2;
};

#pragma pack(pop)

static_assert(sizeof(IdentifyController) == kIdentifyBytes);
static_assert(std::is_trivially_copyable_v<IdentifyController>);
static_assert(offsetof(IdentifyController, mn) == 24 && offsetof(IdentifyController, fr) == 64);
static_assert(offsetof(IdentifyController, rab) == 72 && offsetof(IdentifyController, mdts) == 77);
static_assert(offsetof(IdentifyController, cntlid) == 78 &&
              offsetof(IdentifyController, ver) == 80);
static_assert(offsetof(IdentifyController, ctratt) == 96 &&
              offsetof(IdentifyController, oacs) == 256);
static_assert(offsetof(IdentifyController, acl) == 258 &&
              offsetof(IdentifyController, aerl) == 259);
static_assert(offsetof(IdentifyController, elpe) == 262 &&
              offsetof(IdentifyController, tnvmcap) == 280);
static_assert(offsetof(IdentifyController, sqes) == 512 && offsetof(IdentifyController, nn) == 516);
static_assert(offsetof(IdentifyController, vwc) == 525 &&
              offsetof(IdentifyController, sgls) == 536);
static_assert(offsetof(IdentifyController, subnqn) == 768 &&
              offsetof(IdentifyController, power_states) == 2048);
static_assert(sizeof(IdentifyNamespace) == kIdentifyBytes);
static_assert(offsetof(IdentifyNamespace, nsfeat) == 24 &&
              offsetof(IdentifyNamespace, flbas) == 26);
static_assert(offsetof(IdentifyNamespace, noiob) == 46 &&
              offsetof(IdentifyNamespace, nguid) == 104);
static_assert(offsetof(IdentifyNamespace, eui64) == 120 &&
              offsetof(IdentifyNamespace, lbaf) == 128);
static_assert(sizeof(LbaFormat) == 4 && sizeof(NamespaceDescriptor) == 4);

/// Fills an ASCII field: `text` cut to the field, padded with blanks (Base 2.1 section 1.4).
template <std::size_t N>
void SetAscii(std::array<char, N>& field, std::string_view text) {
  field.fill(' ');
  std::memcpy(field.data(), text.data(), text.size() < N ? text.size() : N);
}

/// The text of an ASCII field without its padding.
template <std::size_t N>
std::string_view GetAscii(const std::array<char, N>& field) {
  std::string_view text(field.data(), N);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
  return text;
}

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_IDENTIFY_H_
