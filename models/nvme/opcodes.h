// SPDX-License-Identifier: Apache-2.0
//
// Command opcodes (CDW0[7:0]) of the Admin and NVM command sets, as far as the project uses them.
#ifndef NVMEARB_MODELS_NVME_OPCODES_H_
#define NVMEARB_MODELS_NVME_OPCODES_H_

#include <cstdint>

namespace nvmearb::nvme {

/// Admin command set.
enum class AdminOpcode : std::uint8_t {
  kDeleteIoSq = 0x00,
  kCreateIoSq = 0x01,
  kGetLogPage = 0x02,
  kDeleteIoCq = 0x04,
  kCreateIoCq = 0x05,
  kIdentify = 0x06,
  kAbort = 0x08,
  kSetFeatures = 0x09,
  kGetFeatures = 0x0a,
  kAsyncEventRequest = 0x0c
};

/// NVM command set.
enum class IoOpcode : std::uint8_t {
  kFlush = 0x00,
  kWrite = 0x01,
  kRead = 0x02,
  kDatasetManagement = 0x09
};

/// CDW0[9:8].
enum class Fuse : std::uint8_t { kNormal = 0, kFirst = 1, kSecond = 2 };

/// Namespace identifier that means all namespaces.
inline constexpr std::uint32_t kBroadcastNsid = 0xffffffffu;

constexpr const char* Name(AdminOpcode opcode) {
  switch (opcode) {
    case AdminOpcode::kDeleteIoSq:
      return "Delete I/O Submission Queue";
    case AdminOpcode::kCreateIoSq:
      return "Create I/O Submission Queue";
    case AdminOpcode::kGetLogPage:
      return "Get Log Page";
    case AdminOpcode::kDeleteIoCq:
      return "Delete I/O Completion Queue";
    case AdminOpcode::kCreateIoCq:
      return "Create I/O Completion Queue";
    case AdminOpcode::kIdentify:
      return "Identify";
    case AdminOpcode::kAbort:
      return "Abort";
    case AdminOpcode::kSetFeatures:
      return "Set Features";
    case AdminOpcode::kGetFeatures:
      return "Get Features";
    case AdminOpcode::kAsyncEventRequest:
      return "Asynchronous Event Request";
  }
  return "unknown admin opcode";
}

constexpr const char* Name(IoOpcode opcode) {
  switch (opcode) {
    case IoOpcode::kFlush:
      return "Flush";
    case IoOpcode::kWrite:
      return "Write";
    case IoOpcode::kRead:
      return "Read";
    case IoOpcode::kDatasetManagement:
      return "Dataset Management";
  }
  return "unknown I/O opcode";
}

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_OPCODES_H_
