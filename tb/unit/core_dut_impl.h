// SPDX-License-Identifier: Apache-2.0
//
// CoreDutImpl: CoreDut over one Verilated class. Included where MakeCore() is defined.
#ifndef NVMEARB_TB_UNIT_CORE_DUT_IMPL_H_
#define NVMEARB_TB_UNIT_CORE_DUT_IMPL_H_

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core_dut.h"
#include "harness/unknown_start.h"

namespace nvmearb::tb {

/// A clock is one evaluation of what depends on inputs and one of what the edge changes.
/// Specialized where the model's entry points for them are known (model_regions.h.in); elsewhere
/// eval() does both each time.
template <typename Model>
struct ModelRegions {
  static constexpr bool kKnown = false;
};

template <typename Model>
class CoreDutImpl final : public CoreDut {
 public:
  explicit CoreDutImpl(unsigned sq_count) : sq_count_(sq_count) {
    context_.fatalOnError(false);
    context_.assertOn(false);  // a memory without reset may see any address
    in.rst_n = false;
    Apply();
    model_.eval();  // what is initial
    Rise();
    context_.assertOn(true);
    in.rst_n = true;
    while (Settle(), !out_.cfg_ready) Rise();
  }
  ~CoreDutImpl() override {
    Verilated::threadContextp(&context_);  // the destructor of a model looks there
  }

  const CoreOut& Settle() override {
    Apply();
    if constexpr (ModelRegions<Model>::kKnown) {
      ModelRegions<Model>::Inputs(model_);
    } else {
      model_.eval();
    }
    Read();
    return out_;
  }
  void Rise() override {
    if constexpr (ModelRegions<Model>::kKnown) {
      ModelRegions<Model>::Edge(model_);
    } else {
      model_.clk_i = 1;
      model_.eval();
      model_.clk_i = 0;
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> Visible() const override {
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < sizeof(model_.obs_o) / sizeof(std::uint32_t); ++i) {
      words.push_back(model_.obs_o[i]);
    }
    words.push_back(out_.cfg_ready | (out_.cfg_done << 1) | (out_.db_ready << 2) |
                    (out_.complete_ready << 3) | (out_.err_valid << 4) | (out_.grant_valid << 5) |
                    (out_.quiescent << 6));
    return words;
  }
  [[nodiscard]] bool AssertionFailed() override {
    const bool failed = context_.gotError();
    context_.gotError(false);
    return failed;
  }
  [[nodiscard]] unsigned sq_count() const override { return sq_count_; }

 private:
  static std::uint16_t U16(unsigned value) { return static_cast<std::uint16_t>(value); }
  static std::uint8_t U8(unsigned value) { return static_cast<std::uint8_t>(value); }

  void Apply() {
    Model& m = model_;
    m.rst_ni = in.rst_n;
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_op_i = U8(in.cfg_op);
    m.cfg_id_i = U16(in.cfg_id);
    m.cfg_cqid_i = U16(in.cfg_cqid);
    m.cfg_size_zb_i = U16(in.cfg_size_zb);
    m.cfg_class_i = U8(in.cfg_class);
    m.cfg_wrr_i = in.cfg_wrr;
    m.cfg_ab_i = U8(in.cfg_ab);
    m.cfg_hpw_zb_i = U8(in.cfg_hpw_zb);
    m.cfg_mpw_zb_i = U8(in.cfg_mpw_zb);
    m.cfg_lpw_zb_i = U8(in.cfg_lpw_zb);
    m.db_valid_i = in.db_valid;
    m.db_is_cq_i = in.db_is_cq;
    m.db_qid_i = U16(in.db_qid);
    m.db_value_i = U16(in.db_value);
    m.slot_give_i = U8(in.slot_give);
    m.max_count_i = U8(in.max_count);
    m.hold_io_i = in.hold_io;
    m.hold_all_i = in.hold_all;
    m.grant_ready_i = in.grant_ready;
    m.commit_valid_i = in.commit_valid;
    m.commit_sqid_i = U16(in.commit_sqid);
    m.commit_count_i = U8(in.commit_count);
    m.complete_valid_i = in.complete_valid;
    m.complete_sqid_i = U16(in.complete_sqid);
    m.complete_cqid_i = U16(in.complete_cqid);
    m.complete_posted_i = in.complete_posted;
  }

  void Read() {
    const Model& m = model_;
    out_.cfg_ready = m.cfg_ready_o;
    out_.cfg_done = m.cfg_done_o;
    out_.db_ready = m.db_ready_o;
    out_.complete_ready = m.complete_ready_o;
    out_.err_valid = m.err_valid_o;
    out_.err_is_cq = m.err_is_cq_o;
    out_.err_info = m.err_info_o;
    out_.err_qid = m.err_qid_o;
    out_.grant_valid = m.grant_valid_o;
    out_.grant_first = m.grant_first_o;
    out_.grant_sqid = m.grant_sqid_o;
    out_.grant_cqid = m.grant_cqid_o;
    out_.grant_head = m.grant_head_o;
    out_.grant_size_zb = m.grant_size_zb_o;
    out_.grant_count = m.grant_count_o;
    out_.grant_class = m.grant_class_o;
    out_.quiescent = m.quiescent_o;
    out_.decided = m.decided_o;
    out_.obs_cfg_valid = m.obs_cfg_valid_o;
    out_.obs_cfg_op = m.obs_cfg_op_o;
    out_.obs_cfg_id = m.obs_cfg_id_o;
    out_.obs_db_valid = m.obs_db_valid_o;
    out_.obs_db_reject = m.obs_db_reject_o;
    out_.obs_db_is_cq = m.obs_db_is_cq_o;
    out_.obs_db_error = m.obs_db_error_o;
    out_.obs_db_qid = m.obs_db_qid_o;
    out_.obs_db_value = m.obs_db_value_o;
    out_.obs_grant_valid = m.obs_grant_valid_o;
    out_.obs_fetch_valid = m.obs_fetch_valid_o;
    out_.obs_fetch_sqid = m.obs_fetch_sqid_o;
    out_.obs_fetch_count = m.obs_fetch_count_o;
    out_.obs_fetch_head = m.obs_fetch_head_o;
    out_.obs_complete_valid = m.obs_complete_valid_o;
    out_.obs_complete_sqid = m.obs_complete_sqid_o;
    out_.obs_complete_cqid = m.obs_complete_cqid_o;
    out_.obs_complete_posted = m.obs_complete_posted_o;
    out_.credit = {m.obs_credit_h_o, m.obs_credit_m_o, m.obs_credit_l_o};
  }

  UnknownStart context_;
  Model model_{&context_};
  CoreOut out_;
  unsigned sq_count_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_UNIT_CORE_DUT_IMPL_H_
