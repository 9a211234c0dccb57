// SPDX-License-Identifier: Apache-2.0
//
// Types of the arbitration rules that every layer above models/nvme shares: queue classes, the
// arbitration settings, grants, and the events of the observation port.
#ifndef NVMEARB_MODELS_ARBITER_TYPES_H_
#define NVMEARB_MODELS_ARBITER_TYPES_H_

#include <array>
#include <cstdint>

namespace nvmearb::arbiter {

/// CC.AMS, as the arbiter runs it.
enum class Mechanism : std::uint8_t { kRoundRobin = 0, kWeightedRoundRobin = 1 };

/// Class of an SQ. Values 0..3 are QPRIO of Create I/O SQ (CDW11[2:1]); 4 is SQ 0.
/// Same encoding as nvmearb_pkg::sq_class_e.
enum class SqClass : std::uint8_t { kUrgent = 0, kHigh = 1, kMedium = 2, kLow = 3, kAdmin = 4 };
inline constexpr int kSqClassCount = 5;

/// Index into credit arrays.
enum Level : int { kLevelHigh = 0, kLevelMedium = 1, kLevelLow = 2, kLevelCount = 3 };

/// Feature 01h as on the wire (Base 2.1 Fig 386). Weights are 0's based: effective = value + 1.
struct ArbitrationSettings {
  std::uint8_t ab = 0;      ///< 0..7: burst 2^ab commands, 7 = no limit
  std::uint8_t hpw_zb = 0;  ///< 0..255
  std::uint8_t mpw_zb = 0;
  std::uint8_t lpw_zb = 0;

  /// Effective weight of a level, 1..256.
  [[nodiscard]] int WeightCount(int level) const {
    return 1 + (level == kLevelHigh ? hpw_zb : level == kLevelMedium ? mpw_zb : lpw_zb);
  }
};

/// `count` commands of one SQ, slots head .. head+count-1; never crosses the ring end.
struct Grant {
  std::uint16_t sqid = 0;
  SqClass sq_class = SqClass::kAdmin;
  std::uint16_t head = 0;   ///< slot of the first command
  std::uint16_t count = 0;  ///< 1..the fetch engine's limit
  bool first = false;       ///< this grant begins a new ring visit of the SQ
};

/// Error Information values of the doorbell events (AER completion DW0[15:8]).
enum class DoorbellError : std::uint8_t { kInvalidRegister = 0x00, kInvalidValue = 0x01 };

/// What happens at the observation port. Names as in the --events file.
enum class EventKind : std::uint8_t {
  kCreate,    ///< SQ created: sqid, class, count = size in entries (0 = 65,536 does not occur: see
              ///< size)
  kDelete,    ///< SQ deletion acknowledged
  kConfig,    ///< mechanism / burst / weights in force from here
  kDoorbell,  ///< accepted doorbell; tail = value written; is_cq tells which kind
  kReject,    ///< refused doorbell: error, tail = value written; is_cq
  kGrant,     ///< head, count, first
  kFetch,     ///< `count` SQEs captured; head = fetched head after it
  kComplete,  ///< a granted command left the controller; posted tells whether a CQE was written
  kReset      ///< controller reset: every queue gone, credits full
};

/// One event of the observation port. `credit` is the state after the event, 0..256.
struct Event {
  std::uint64_t cycle = 0;    ///< arbiter clock
  std::uint64_t time_ps = 0;  ///< simulated time
  EventKind kind = EventKind::kReset;
  SqClass sq_class = SqClass::kAdmin;
  Mechanism mechanism = Mechanism::kRoundRobin;           ///< kConfig
  DoorbellError error = DoorbellError::kInvalidRegister;  ///< kReject
  bool is_cq = false;      ///< kDoorbell, kReject: a CQ head doorbell
  bool first = false;      ///< kGrant
  bool posted = false;     ///< kComplete
  std::uint16_t sqid = 0;  ///< queue (a CQ's id where is_cq)
  std::uint16_t cqid = 0;  ///< kCreate, kComplete
  std::uint16_t head = 0;
  std::uint16_t tail = 0;
  std::uint32_t count = 0;  ///< kCreate: size in entries 2..65,536; kConfig: burst limit, 0 = none
  std::array<std::uint16_t, kLevelCount> credit{};  ///< kConfig: the effective weights
};

/// Receives every event of one observation port in order. Called on the hot path: must not throw.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void OnEvent(const Event& event) = 0;
};

}  // namespace nvmearb::arbiter

#endif  // NVMEARB_MODELS_ARBITER_TYPES_H_
