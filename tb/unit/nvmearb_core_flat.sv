// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core_flat: nvmearb_core with a pin per field, so that a C++ driver needs no bit offsets.
// Wiring only.
`default_nettype none
module nvmearb_core_flat
  import nvmearb_pkg::*;
#(
    // As nvmearb_core.
    parameter int NumSqs = 16,
    parameter int PtrW = 16,
    parameter int SlotW = 10
) (
    input  wire logic        clk_i,
    input  wire logic        rst_ni,
    input  wire logic        cfg_valid_i,
    output logic             cfg_ready_o,
    output logic             cfg_done_o,
    input  wire logic [2:0]  cfg_op_i,
    input  wire logic [15:0] cfg_id_i,
    input  wire logic [15:0] cfg_cqid_i,
    input  wire logic [15:0] cfg_size_zb_i,
    input  wire logic [2:0]  cfg_class_i,
    input  wire logic        cfg_wrr_i,
    input  wire logic [2:0]  cfg_ab_i,
    input  wire logic [7:0]  cfg_hpw_zb_i,
    input  wire logic [7:0]  cfg_mpw_zb_i,
    input  wire logic [7:0]  cfg_lpw_zb_i,
    input  wire logic        db_valid_i,
    output logic             db_ready_o,
    input  wire logic        db_is_cq_i,
    input  wire logic [15:0] db_qid_i,
    input  wire logic [15:0] db_value_i,
    output logic             err_valid_o,
    output logic [7:0]       err_info_o,
    output logic             err_is_cq_o,
    output logic [15:0]      err_qid_o,
    input  wire logic [3:0]  slot_give_i,
    input  wire logic [3:0]  max_count_i,
    input  wire logic        hold_io_i,
    input  wire logic        hold_all_i,
    output logic             grant_valid_o,
    input  wire logic        grant_ready_i,
    output logic [15:0]      grant_sqid_o,
    output logic [15:0]      grant_cqid_o,
    output logic [15:0]      grant_head_o,
    output logic [15:0]      grant_size_zb_o,
    output logic [3:0]       grant_count_o,
    output logic [2:0]       grant_class_o,
    output logic             grant_first_o,
    input  wire logic        commit_valid_i,
    input  wire logic [15:0] commit_sqid_i,
    input  wire logic [3:0]  commit_count_i,
    input  wire logic        complete_valid_i,
    output logic             complete_ready_o,
    input  wire logic [15:0] complete_sqid_i,
    input  wire logic [15:0] complete_cqid_i,
    input  wire logic        complete_posted_i,
    output logic             quiescent_o,
    // The place of a decision among the events: the clock in which its grant is shown, or, in the
    // engine of rtl/full_rate, which keeps several, that of the decision.
    output logic             decided_o,
    output logic             obs_cfg_valid_o,
    output logic [2:0]       obs_cfg_op_o,
    output logic [15:0]      obs_cfg_id_o,
    output logic             obs_db_valid_o,
    output logic             obs_db_reject_o,
    output logic [7:0]       obs_db_error_o,
    output logic             obs_db_is_cq_o,
    output logic [15:0]      obs_db_qid_o,
    output logic [15:0]      obs_db_value_o,
    output logic             obs_grant_valid_o,
    output logic             obs_fetch_valid_o,
    output logic [15:0]      obs_fetch_sqid_o,
    output logic [3:0]       obs_fetch_count_o,
    output logic [15:0]      obs_fetch_head_o,
    output logic             obs_complete_valid_o,
    output logic [15:0]      obs_complete_sqid_o,
    output logic [15:0]      obs_complete_cqid_o,
    output logic             obs_complete_posted_o,
    output logic [8:0]       obs_credit_h_o,
    output logic [8:0]       obs_credit_m_o,
    output logic [8:0]       obs_credit_l_o,
    // obs_o as a whole, to see that it does not change.
    output logic [$bits(obs_t)-1:0] obs_o
);
  cfg_req_t cfg;
  doorbell_t err_db;
  grant_t grant;
  obs_t obs;

  // In the order of cfg_req_t.
  assign cfg = {cfg_op_i, cfg_id_i, cfg_cqid_i, cfg_size_zb_i, cfg_class_i, 58'd0, cfg_wrr_i,
                cfg_ab_i, cfg_hpw_zb_i, cfg_mpw_zb_i, cfg_lpw_zb_i};

  nvmearb_core #(.NumSqs(NumSqs), .PtrW(PtrW), .SlotW(SlotW)) u_core (
      .clk_i, .clk_cfg_i(clk_i), .clk_event_i(clk_i), .clk_grant_i(clk_i), .awake_o(),
      .rst_ni, .cfg_valid_i, .cfg_ready_o, .cfg_i(cfg), .cfg_done_o,
      .db_valid_i, .db_ready_o, .db_i({db_is_cq_i, db_qid_i, db_value_i}),
      .err_valid_o, .err_info_o, .err_db_o(err_db),
      .slot_give_i, .max_count_i, .hold_io_i, .hold_all_i,
      .grant_valid_o, .grant_ready_i, .grant_o(grant),
      .commit_valid_i, .commit_sqid_i, .commit_count_i,
      .complete_valid_i, .complete_ready_o,
      .complete_i({complete_sqid_i, complete_cqid_i, complete_posted_i}),
      .quiescent_o, .obs_o(obs));

`ifdef NVMEARB_FULL_RATE
  // Not a port: not of a netlist.
  assign decided_o = u_core.de_valid;
`else
  logic waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= grant_valid_o && !grant_ready_i;
  end
  assign decided_o = grant_valid_o && !waits_q;
`endif  // NVMEARB_FULL_RATE

  assign err_is_cq_o = err_db.is_cq;
  assign err_qid_o = err_db.qid;
  assign {grant_sqid_o, grant_cqid_o, grant_head_o, grant_size_zb_o, grant_count_o, grant_class_o,
          grant_first_o} = grant;
  assign obs_cfg_valid_o = obs.cfg_valid;
  assign obs_cfg_op_o = obs.cfg.op;
  assign obs_cfg_id_o = obs.cfg.id;
  assign obs_db_valid_o = obs.db_valid;
  assign obs_db_reject_o = obs.db_reject;
  assign obs_db_error_o = obs.db_error;
  assign obs_db_is_cq_o = obs.db.is_cq;
  assign obs_db_qid_o = obs.db.qid;
  assign obs_db_value_o = obs.db.value;
  assign obs_grant_valid_o = obs.grant_valid;
  assign obs_fetch_valid_o = obs.fetch_valid;
  assign obs_fetch_sqid_o = obs.fetch_sqid;
  assign obs_fetch_count_o = obs.fetch_count;
  assign obs_fetch_head_o = obs.fetch_head;
  assign obs_complete_valid_o = obs.complete_valid;
  assign obs_complete_sqid_o = obs.complete.sqid;
  assign obs_complete_cqid_o = obs.complete.cqid;
  assign obs_complete_posted_o = obs.complete.posted;
  assign obs_credit_h_o = obs.credit_h;
  assign obs_credit_m_o = obs.credit_m;
  assign obs_credit_l_o = obs.credit_l;
  assign obs_o = obs;
endmodule
`default_nettype wire
