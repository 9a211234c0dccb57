// SPDX-License-Identifier: Apache-2.0
//
// Faults that can be put into the device on purpose, to show that the checks notice. Each is what
// a real controller might get wrong, made by a layer around a good device: FaultyPort (between
// host and device) or FaultyFrontEnd (between firmware and front end).
#ifndef NVMEARB_TB_CONFORMANCE_FAULT_H_
#define NVMEARB_TB_CONFORMANCE_FAULT_H_

namespace nvmearb::conformance {

enum class Fault {
  kNone,

  // Controller properties (FaultyPort).
  kCapReservedBit,       ///< CAP bit 20 reads 1
  kVsWritable,           ///< VS reads what was written to it
  kAqaAtPowerOn,         ///< AQA is not 0 before it is written
  kIntmcIgnored,         ///< INTMC does nothing
  kReservedBitsStick,    ///< AQA, ASQ, ACQ read as written
  kFetchesEarly,         ///< reads slot 0 of SQ 0 at the write that sets CC.EN
  kAdminQueueMoves,      ///< a write of ASQ moves the running queue
  kAlwaysRoundRobin,     ///< CC.AMS is taken for 000b
  kAlwaysWeighted,       ///< CC.AMS is taken for 001b
  kNoFatalStatus,        ///< CSTS.CFS reads 0
  kUpperHalvesZero,      ///< the upper dwords of 64-bit properties read 0
  kReadyDropsAtOnce,     ///< CSTS.RDY reads 0 as soon as CC.EN was cleared
  kMaskSurvivesReset,    ///< INTMS reads after a reset as before it
  kStaleCompletion,      ///< after a reset a CQE of the life before is written
  kDeadAfterTwoResets,   ///< register writes are lost after the second reset
  kShutdownNotActedOn,   ///< SHST says complete, everything runs on
  kShutdownNotReported,  ///< SHST reads 00b
  kShutdownSticks,       ///< SHST, once 10b, stays 10b

  // Doorbells (FaultyPort).
  kDoorbellNeighbour,   ///< a tail doorbell reaches the next SQ
  kGapsAreDoorbells,    ///< dwords between two doorbells count as the one below
  kTailOneMore,         ///< a tail is taken for one more
  kTailOneLess,         ///< a tail is taken for one less
  kSecondTailLost,      ///< the second tail doorbell of each SQ is lost
  kUpperBitsMatter,     ///< doorbells with bits 31:16 are lost
  kDeadBeyondRange,     ///< after a doorbell beyond the last queue all writes are lost
  kEarlyDoorbellsKept,  ///< doorbells before RDY = 1 are carried out afterwards
  kBadTailIgnored,      ///< a tail of FFFFh is dropped without a word
  kDoorbellReadsZero,   ///< reads of doorbells give 0
  kCqHeadMovesSqTail,   ///< a CQ head doorbell rings the SQ of the same number too
  kCqHeadLost,          ///< CQ head doorbells of I/O queues are lost

  // Fetch and completion (FaultyPort).
  kReadsTwice,       ///< every SQE is read twice
  kReadsBeyondTail,  ///< the slot behind each SQE is read too
  kErrorsSucceed,    ///< admin commands that fail report success
  kCreationFails,    ///< Create I/O SQ reports Invalid Field although it was carried out
  kSqhdOneMore,      ///< SQHD of every CQE is one too large
  kFeatureOff,       ///< Get Features gives a value with one bit wrong
  kRetainIgnored,    ///< Get Log Page behaves as if RAE were 0
  kAbortClaims,      ///< Abort always says that it has aborted
  kCompletionsLost,  ///< every eighth CQE of I/O queues is lost

  // Configuration and events (FaultyFrontEnd).
  kNoEvents,            ///< refused doorbells are not reported
  kEventInfoSwapped,    ///< ... with the other information code
  kSpuriousEvents,      ///< ... also when they were good: SQ tails of size - 1
  kEventsSurviveReset,  ///< the last one is reported again after the next enable
  kClassesSwapped,      ///< High is created as Low and Low as High
  kClassStale,          ///< an SQ keeps the class of its first life
  kDeletionIgnored,     ///< Delete I/O SQ is acknowledged and not carried out
  kDeletionHangs,       ///< ... is never acknowledged
  kBurstOfOne,          ///< AB is taken for 0
  kBurstDoubled,        ///< AB is taken for one more
  kWeightsSwapped,      ///< HPW and LPW are exchanged
  kSettingsStale,       ///< settings after the first of a life are not carried out
  kOneSlotMore,         ///< one command more is fetched than the device can take
  kGrantMisreported,    ///< the observation port names another SQ in every 50th grant

  // The core alone.
  kHoldIgnored,  ///< hold_all_i is not connected
};

/// The fault of every device that is built from now on.
[[nodiscard]] Fault CurrentFault();
void SetCurrentFault(Fault fault);

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_FAULT_H_
