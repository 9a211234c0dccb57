// SPDX-License-Identifier: Apache-2.0
//
// Admin commands as typed views of an SQE. Each has Decode(sqe) for the controller and
// Encode(cid) for the host, so that a field's place is written down once. Decoding never fails:
// it shows what is there, and the controller judges it.
#ifndef NVMEARB_MODELS_NVME_ADMIN_COMMANDS_H_
#define NVMEARB_MODELS_NVME_ADMIN_COMMANDS_H_

#include <cstdint>

#include "nvme/base/bits.h"
#include "nvme/opcodes.h"
#include "nvme/sqe.h"

namespace nvmearb::nvme {

constexpr Sqe MakeAdmin(AdminOpcode opcode, std::uint16_t cid) {
  return Sqe::Make(static_cast<std::uint8_t>(opcode), cid);
}

/// Create I/O Completion Queue (05h).
struct CreateIoCq {
  std::uint64_t prp1 = 0;     ///< base of the queue
  std::uint16_t qid = 0;      ///< CDW10[15:0]
  std::uint16_t size_zb = 0;  ///< CDW10[31:16], entries - 1
  std::uint16_t vector = 0;   ///< CDW11[31:16]
  bool interrupts = false;    ///< CDW11[1] IEN
  bool contiguous = true;     ///< CDW11[0] PC

  static constexpr CreateIoCq Decode(const Sqe& sqe) {
    CreateIoCq c;
    c.prp1 = sqe.prp1;
    c.qid = static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 15, 0));
    c.size_zb = static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 31, 16));
    c.vector = static_cast<std::uint16_t>(base::Bits(sqe.cdw11, 31, 16));
    c.interrupts = base::Bits(sqe.cdw11, 1, 1) != 0;
    c.contiguous = base::Bits(sqe.cdw11, 0, 0) != 0;
    return c;
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kCreateIoCq, cid);
    sqe.prp1 = prp1;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(size_zb, 31, 16) | qid);
    sqe.cdw11 = static_cast<std::uint32_t>(base::Place(vector, 31, 16) |
                                           base::Place(interrupts, 1, 1) | (contiguous ? 1u : 0u));
    return sqe;
  }
};

/// Create I/O Submission Queue (01h).
struct CreateIoSq {
  std::uint64_t prp1 = 0;     ///< base of the queue
  std::uint16_t qid = 0;      ///< CDW10[15:0]
  std::uint16_t size_zb = 0;  ///< CDW10[31:16], entries - 1
  std::uint16_t cqid = 0;     ///< CDW11[31:16]
  std::uint8_t qprio = 0;     ///< CDW11[2:1]: 0 urgent, 1 high, 2 medium, 3 low
  bool contiguous = true;     ///< CDW11[0] PC
  std::uint16_t nvm_set = 0;  ///< CDW12[15:0] NVMSETID

  static constexpr CreateIoSq Decode(const Sqe& sqe) {
    CreateIoSq c;
    c.prp1 = sqe.prp1;
    c.qid = static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 15, 0));
    c.size_zb = static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 31, 16));
    c.cqid = static_cast<std::uint16_t>(base::Bits(sqe.cdw11, 31, 16));
    c.qprio = static_cast<std::uint8_t>(base::Bits(sqe.cdw11, 2, 1));
    c.contiguous = base::Bits(sqe.cdw11, 0, 0) != 0;
    c.nvm_set = static_cast<std::uint16_t>(base::Bits(sqe.cdw12, 15, 0));
    return c;
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kCreateIoSq, cid);
    sqe.prp1 = prp1;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(size_zb, 31, 16) | qid);
    sqe.cdw11 = static_cast<std::uint32_t>(base::Place(cqid, 31, 16) | base::Place(qprio, 2, 1) |
                                           (contiguous ? 1u : 0u));
    sqe.cdw12 = nvm_set;
    return sqe;
  }
};

/// Delete I/O Submission Queue (00h).
struct DeleteIoSq {
  std::uint16_t qid = 0;  ///< CDW10[15:0]

  static constexpr DeleteIoSq Decode(const Sqe& sqe) {
    return {static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 15, 0))};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kDeleteIoSq, cid);
    sqe.cdw10 = qid;
    return sqe;
  }
};

/// Delete I/O Completion Queue (04h).
struct DeleteIoCq {
  std::uint16_t qid = 0;  ///< CDW10[15:0]

  static constexpr DeleteIoCq Decode(const Sqe& sqe) {
    return {static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 15, 0))};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kDeleteIoCq, cid);
    sqe.cdw10 = qid;
    return sqe;
  }
};

/// Identify (06h). 4096 bytes are returned.
struct Identify {
  std::uint32_t nsid = 0;
  std::uint8_t cns = 0;     ///< CDW10[7:0]: 0 namespace, 1 controller, 2 list, 3 descriptors
  std::uint16_t cntid = 0;  ///< CDW10[31:16]
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;

  static constexpr Identify Decode(const Sqe& sqe) {
    return {sqe.nsid, static_cast<std::uint8_t>(base::Bits(sqe.cdw10, 7, 0)),
            static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 31, 16)), sqe.prp1, sqe.prp2};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kIdentify, cid);
    sqe.nsid = nsid;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(cntid, 31, 16) | cns);
    sqe.prp1 = prp1;
    sqe.prp2 = prp2;
    return sqe;
  }
};

/// Set Features (09h), for features without a data buffer.
struct SetFeatures {
  std::uint8_t fid = 0;     ///< CDW10[7:0]
  bool save = false;        ///< CDW10[31] SV
  std::uint32_t cdw11 = 0;  ///< the value
  std::uint32_t nsid = 0;

  static constexpr SetFeatures Decode(const Sqe& sqe) {
    return {static_cast<std::uint8_t>(base::Bits(sqe.cdw10, 7, 0)),
            base::Bits(sqe.cdw10, 31, 31) != 0, sqe.cdw11, sqe.nsid};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kSetFeatures, cid);
    sqe.nsid = nsid;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(save, 31, 31) | fid);
    sqe.cdw11 = cdw11;
    return sqe;
  }
};

/// SEL of Get Features. 4..7 are reserved.
enum class FeatureSelect : std::uint8_t {
  kCurrent = 0,
  kDefault = 1,
  kSaved = 2,
  kCapabilities = 3
};

/// Get Features (0Ah). The value is in DW0 of the CQE.
struct GetFeatures {
  std::uint8_t fid = 0;  ///< CDW10[7:0]
  std::uint8_t sel = 0;  ///< CDW10[10:8], FeatureSelect
  std::uint32_t nsid = 0;

  static constexpr GetFeatures Decode(const Sqe& sqe) {
    return {static_cast<std::uint8_t>(base::Bits(sqe.cdw10, 7, 0)),
            static_cast<std::uint8_t>(base::Bits(sqe.cdw10, 10, 8)), sqe.nsid};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kGetFeatures, cid);
    sqe.nsid = nsid;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(sel, 10, 8) | fid);
    return sqe;
  }
};

/// Get Log Page (02h).
struct GetLogPage {
  std::uint32_t nsid = kBroadcastNsid;
  std::uint8_t lid = 0;            ///< CDW10[7:0]
  bool retain_event = false;       ///< CDW10[15] RAE
  std::uint64_t dword_count = 0;   ///< NUMD + 1 (CDW11[15:0] : CDW10[31:16], 0's based)
  std::uint64_t offset_bytes = 0;  ///< CDW13 : CDW12
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;

  static constexpr GetLogPage Decode(const Sqe& sqe) {
    GetLogPage c;
    c.nsid = sqe.nsid;
    c.lid = static_cast<std::uint8_t>(base::Bits(sqe.cdw10, 7, 0));
    c.retain_event = base::Bits(sqe.cdw10, 15, 15) != 0;
    c.dword_count = ((base::Bits(sqe.cdw11, 15, 0) << 16) | base::Bits(sqe.cdw10, 31, 16)) + 1;
    c.offset_bytes = (static_cast<std::uint64_t>(sqe.cdw13) << 32) | sqe.cdw12;
    c.prp1 = sqe.prp1;
    c.prp2 = sqe.prp2;
    return c;
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kGetLogPage, cid);
    const std::uint64_t dwords_zb = dword_count - 1;
    sqe.nsid = nsid;
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(dwords_zb, 31, 16) |
                                           base::Place(retain_event, 15, 15) | lid);
    sqe.cdw11 = static_cast<std::uint32_t>(base::Bits(dwords_zb, 31, 16));
    sqe.cdw12 = static_cast<std::uint32_t>(offset_bytes);
    sqe.cdw13 = static_cast<std::uint32_t>(offset_bytes >> 32);
    sqe.prp1 = prp1;
    sqe.prp2 = prp2;
    return sqe;
  }
};

/// Abort (08h). DW0 bit 0 of its CQE: 1 = the command was not aborted.
struct Abort {
  std::uint16_t sqid = 0;       ///< CDW10[15:0]
  std::uint16_t abort_cid = 0;  ///< CDW10[31:16], the command to abort

  static constexpr Abort Decode(const Sqe& sqe) {
    return {static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 15, 0)),
            static_cast<std::uint16_t>(base::Bits(sqe.cdw10, 31, 16))};
  }
  [[nodiscard]] constexpr Sqe Encode(std::uint16_t cid) const {
    Sqe sqe = MakeAdmin(AdminOpcode::kAbort, cid);
    sqe.cdw10 = static_cast<std::uint32_t>(base::Place(abort_cid, 31, 16) | sqid);
    return sqe;
  }
};

/// Asynchronous Event Request (0Ch): no parameters; completes when an event occurs.
struct AsyncEventRequest {
  [[nodiscard]] static constexpr Sqe Encode(std::uint16_t cid) {
    return MakeAdmin(AdminOpcode::kAsyncEventRequest, cid);
  }
};

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_ADMIN_COMMANDS_H_
