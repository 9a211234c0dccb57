// SPDX-License-Identifier: Apache-2.0
#include "core_bench.h"

#include <algorithm>

namespace nvmearb::tb {

void CoreBench::Drive() {
  CoreIn& in = dut_->in;
  // A request that was shown stays until it is taken, whatever its gate says.
  in.cfg_valid = !configs_.empty() && !configuring_ && (config_gate || in.cfg_valid);
  if (in.cfg_valid) {
    const CoreConfig& c = configs_.front();
    in.cfg_op = c.op;
    in.cfg_id = c.id;
    in.cfg_cqid = c.cqid;
    in.cfg_size_zb = c.size_count - 1;
    in.cfg_class = c.sq_class;
    in.cfg_wrr = c.wrr;
    in.cfg_ab = c.settings.ab;
    in.cfg_hpw_zb = c.settings.hpw_zb;
    in.cfg_mpw_zb = c.settings.mpw_zb;
    in.cfg_lpw_zb = c.settings.lpw_zb;
  }
  in.db_valid = !doorbells_.empty() && (doorbell_gate || in.db_valid);
  if (in.db_valid) {
    in.db_is_cq = doorbells_.front().is_cq;
    in.db_qid = doorbells_.front().qid;
    in.db_value = doorbells_.front().value;
  }
  in.complete_valid = !completions_.empty() && (completion_gate || in.complete_valid);
  if (in.complete_valid) {
    in.complete_sqid = completions_.front().sqid;
    in.complete_cqid = completions_.front().cqid;
    in.complete_posted = completions_.front().posted;
  }
  in.commit_valid = !commits_.empty() && commit_gate;
  if (in.commit_valid) {
    in.commit_sqid = commits_.front().sqid;
    in.commit_count = commits_.front().count;
  }
  in.slot_give = std::min(slot_count_, slots_per_clock);
  slot_count_ -= in.slot_give;
}

void CoreBench::Sample(const CoreOut& out) {
  CoreIn& in = dut_->in;
  if (out.cfg_done) configuring_ = false;
  if (in.cfg_valid && out.cfg_ready) {
    config_ = configs_.front();
    configs_.pop_front();
    configuring_ = true;
    in.cfg_valid = false;
  }
  if (in.db_valid && out.db_ready) {
    doorbells_.pop_front();
    in.db_valid = false;
  }
  if (in.complete_valid && out.complete_ready) {
    completions_.pop_front();
    in.complete_valid = false;
  }
  if (in.commit_valid) commits_.pop_front();
}

const CoreOut& CoreBench::Step() {
  Drive();
  const CoreOut& out = dut_->Settle();
  for (CoreObserver* observer : observers_) {
    observer->OnCycle(cycle_, dut_->in, out, configuring_ ? &config_ : nullptr);
  }
  const CoreIn& in = dut_->in;
  if (skip_quiescent && out.quiescent && !in.cfg_valid && !in.db_valid && !in.commit_valid &&
      !in.complete_valid && in.slot_give == 0) {
    ++skipped_count_;
  } else {
    dut_->Rise();
  }
  Sample(out);
  ++cycle_;
  return out;
}

bool CoreBench::RunUntilQuiescent(unsigned limit) {
  for (unsigned i = 0; i < limit; ++i) {
    const bool shown = AllShown();
    if (Step().quiescent && shown) return true;
  }
  return false;
}

}  // namespace nvmearb::tb
