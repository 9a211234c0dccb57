// SPDX-License-Identifier: Apache-2.0
//
// CoreDut: the pins of a Verilated nvmearb_core of any size, behind one interface, and its clock.
//
// A cycle: Settle() applies `in` while the clock is low and reads `out`; Rise() is the rising edge.
// The pin names are those of nvmearb_core_flat without _i and _o.
#ifndef NVMEARB_TB_UNIT_CORE_DUT_H_
#define NVMEARB_TB_UNIT_CORE_DUT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace nvmearb::tb {

struct CoreIn {
  bool rst_n = true;
  bool cfg_valid = false;
  unsigned cfg_op = 0, cfg_id = 0, cfg_cqid = 0, cfg_size_zb = 1, cfg_class = 0, cfg_ab = 0;
  unsigned cfg_hpw_zb = 0, cfg_mpw_zb = 0, cfg_lpw_zb = 0;
  bool cfg_wrr = false;
  bool db_valid = false, db_is_cq = false;
  unsigned db_qid = 0, db_value = 0;
  unsigned slot_give = 0, max_count = 8;
  bool hold_io = false, hold_all = false;
  bool grant_ready = true;
  bool commit_valid = false;
  unsigned commit_sqid = 0, commit_count = 0;
  bool complete_valid = false, complete_posted = true;
  unsigned complete_sqid = 0, complete_cqid = 0;
};

struct CoreOut {
  bool cfg_ready = false, cfg_done = false, db_ready = false, complete_ready = false;
  bool err_valid = false, err_is_cq = false;
  unsigned err_info = 0, err_qid = 0;
  bool grant_valid = false, grant_first = false;
  unsigned grant_sqid = 0, grant_cqid = 0, grant_head = 0, grant_size_zb = 0, grant_count = 0;
  unsigned grant_class = 0;
  bool quiescent = false;
  bool decided = false;  ///< as in nvmearb_core_flat
  bool obs_cfg_valid = false, obs_db_valid = false, obs_db_reject = false, obs_db_is_cq = false;
  unsigned obs_cfg_op = 0, obs_cfg_id = 0;
  unsigned obs_db_error = 0, obs_db_qid = 0, obs_db_value = 0;
  bool obs_grant_valid = false, obs_fetch_valid = false, obs_complete_valid = false;
  bool obs_complete_posted = false;
  unsigned obs_fetch_sqid = 0, obs_fetch_count = 0, obs_fetch_head = 0;
  unsigned obs_complete_sqid = 0, obs_complete_cqid = 0;
  std::array<unsigned, 3> credit{};
};

/// cfg_op_e of nvmearb_pkg.
enum CfgOp : unsigned {
  kCfgReset,
  kCfgCreateCq,
  kCfgDeleteCq,
  kCfgCreateSq,
  kCfgDeleteSq,
  kCfgSetArb,
  kCfgSetMech
};

class CoreDut {
 public:
  virtual ~CoreDut() = default;
  /// Applies `in` with the clock low and reads the outputs.
  virtual const CoreOut& Settle() = 0;
  /// The rising edge; the inputs stay.
  virtual void Rise() = 0;
  /// All bits that can be seen from outside, as of the last Settle().
  [[nodiscard]] virtual std::vector<std::uint32_t> Visible() const = 0;
  /// An assertion failed since the last call.
  [[nodiscard]] virtual bool AssertionFailed() = 0;
  [[nodiscard]] virtual unsigned sq_count() const = 0;

  CoreIn in;
};

/// Rule 12: what a decision may miss.
inline constexpr std::uint64_t kLateArrivalClocks = 8;

/// Clocks from cfg_valid to cfg_done in an idle engine; an SQ without commands.
struct RequestClocks {
  unsigned create_cq, create_sq, delete_sq, delete_cq, set_arb, set_mech;
  unsigned reset_beyond_sqs;  ///< and one for each SQ
};

/// What the tests have to know of an engine; those of docs/interfaces.md, executed.
struct CoreTraits {
  /// Numbers of SQs of which there is a model.
  std::vector<unsigned> sizes;
  /// Random runs of a test are divided by it.
  unsigned fewer_runs;
  /// Clocks from doorbell_valid and from slot_give to grant_valid in an idle engine.
  unsigned doorbell_to_grant, slot_to_grant;
  /// Clocks from one decision to the next under load.
  unsigned clocks_per_decision;
  /// Clocks without a decision, at most, for each SQ whose CQ has no room: to look at it in vain,
  /// and to let it go again.
  unsigned clocks_per_look, clocks_per_let_go;
  /// And for each SQ of a ring that is turned to take a halted SQ out.
  unsigned clocks_per_turned_sq;
  /// Most commands of a grant, whatever max_count says.
  unsigned most_per_grant;
  /// A decision that takes its place in clock c (CoreOut::decided) was made in c - decided_ago.
  unsigned decided_ago;
  /// Made in clock m, it knows the slots given before m + slots_until,
  unsigned slots_until;
  /// and what took effect in m - event_to_decision or earlier, or before a configuration; nothing
  /// else
  unsigned event_to_decision;
  /// but, if set, a doorbell of clock m for an active SQ or for its own ring.
  bool knows_its_own_clock;
  RequestClocks request_clocks;
  /// Clocks per SQ of a ring out of which one is taken by its deletion.
  unsigned clocks_per_sq_of_ring;

  /// Clocks after that of a hold in which a decision that does not know it may take its place. Its
  /// grant is read when the fetch side reads it.
  [[nodiscard]] unsigned HoldClocks() const { return event_to_decision - 1 + decided_ago; }
};
/// Of the engine that the program is linked with.
const CoreTraits& Traits();
/// A model of one of its sizes, out of reset, its first sweep done.
std::unique_ptr<CoreDut> MakeCore(unsigned sq_count);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_DUT_H_
