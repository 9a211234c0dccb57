// SPDX-License-Identifier: Apache-2.0
//
// Status of a completion (CQE DW3[31:17]): status code type and code, with readable names.
#ifndef NVMEARB_MODELS_NVME_STATUS_H_
#define NVMEARB_MODELS_NVME_STATUS_H_

#include <cstdint>

namespace nvmearb::nvme {

/// SCT << 8 | SC. Generic (SCT 0), command specific (SCT 1), media (SCT 2), path related (SCT 3).
enum class Status : std::uint16_t {
  kSuccess = 0x000,
  kInvalidOpcode = 0x001,
  kInvalidField = 0x002,
  kCommandIdConflict = 0x003,
  kDataTransferError = 0x004,
  kInternalError = 0x006,
  kAbortRequested = 0x007,
  kAbortedSqDeletion = 0x008,
  kFailedFused = 0x009,
  kMissingFused = 0x00a,
  kInvalidNamespace = 0x00b,
  kCommandSequenceError = 0x00c,
  kInvalidUseOfCmb = 0x012,
  kPrpOffsetInvalid = 0x013,
  kLbaOutOfRange = 0x080,
  kCapacityExceeded = 0x081,
  kNamespaceNotReady = 0x082,
  kCompletionQueueInvalid = 0x100,
  kInvalidQueueIdentifier = 0x101,
  kInvalidQueueSize = 0x102,
  kAbortLimitExceeded = 0x103,
  kAerLimitExceeded = 0x105,
  kInvalidInterruptVector = 0x108,
  kInvalidLogPage = 0x109,
  kInvalidQueueDeletion = 0x10c,
  kFeatureNotSaveable = 0x10d,
  kFeatureNotChangeable = 0x10e,
  kFeatureNotNamespaceSpecific = 0x10f,
  kAnaPersistentLoss = 0x301,
  kAnaInaccessible = 0x302,
  kAnaTransition = 0x303,
  kHostPathError = 0x370,  ///< the host lost the controller
  kHostAborted = 0x371     ///< the host took the command back
};

/// True for path related status (SCT 3h): another path may do it.
constexpr bool IsPathError(std::uint16_t status) { return (status >> 8) == 3; }

constexpr std::uint8_t StatusCodeType(Status status) {
  return static_cast<std::uint8_t>(static_cast<std::uint16_t>(status) >> 8);
}
constexpr std::uint8_t StatusCode(Status status) {
  return static_cast<std::uint8_t>(static_cast<std::uint16_t>(status) & 0xff);
}

/// The specification's name; "unknown status" for a value not listed above.
constexpr const char* Name(Status status) {
  switch (status) {
    case Status::kSuccess:
      return "Successful Completion";
    case Status::kInvalidOpcode:
      return "Invalid Command Opcode";
    case Status::kInvalidField:
      return "Invalid Field in Command";
    case Status::kCommandIdConflict:
      return "Command ID Conflict";
    case Status::kDataTransferError:
      return "Data Transfer Error";
    case Status::kInternalError:
      return "Internal Error";
    case Status::kAbortRequested:
      return "Command Abort Requested";
    case Status::kAbortedSqDeletion:
      return "Command Aborted due to SQ Deletion";
    case Status::kFailedFused:
      return "Command Aborted due to Failed Fused Command";
    case Status::kMissingFused:
      return "Command Aborted due to Missing Fused Command";
    case Status::kInvalidNamespace:
      return "Invalid Namespace or Format";
    case Status::kCommandSequenceError:
      return "Command Sequence Error";
    case Status::kInvalidUseOfCmb:
      return "Invalid Use of Controller Memory Buffer";
    case Status::kPrpOffsetInvalid:
      return "PRP Offset Invalid";
    case Status::kLbaOutOfRange:
      return "LBA Out of Range";
    case Status::kCapacityExceeded:
      return "Capacity Exceeded";
    case Status::kNamespaceNotReady:
      return "Namespace Not Ready";
    case Status::kCompletionQueueInvalid:
      return "Completion Queue Invalid";
    case Status::kInvalidQueueIdentifier:
      return "Invalid Queue Identifier";
    case Status::kInvalidQueueSize:
      return "Invalid Queue Size";
    case Status::kAbortLimitExceeded:
      return "Abort Command Limit Exceeded";
    case Status::kAerLimitExceeded:
      return "Asynchronous Event Request Limit Exceeded";
    case Status::kInvalidInterruptVector:
      return "Invalid Interrupt Vector";
    case Status::kInvalidLogPage:
      return "Invalid Log Page";
    case Status::kInvalidQueueDeletion:
      return "Invalid Queue Deletion";
    case Status::kFeatureNotSaveable:
      return "Feature Identifier Not Saveable";
    case Status::kFeatureNotChangeable:
      return "Feature Not Changeable";
    case Status::kFeatureNotNamespaceSpecific:
      return "Feature Not Namespace Specific";
    case Status::kAnaPersistentLoss:
      return "Asymmetric Access Persistent Loss";
    case Status::kAnaInaccessible:
      return "Asymmetric Access Inaccessible";
    case Status::kAnaTransition:
      return "Asymmetric Access Transition";
    case Status::kHostPathError:
      return "Host Pathing Error";
    case Status::kHostAborted:
      return "Command Aborted By Host";
  }
  return "unknown status";
}

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_STATUS_H_
