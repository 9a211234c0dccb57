// SPDX-License-Identifier: Apache-2.0
//
// core_env: the surroundings of nvmearb_core for its proof, as free as its contract allows.
//
// Behaviour:
//  1. After reset it creates all CQs and SQs and sets mechanism and weights by its parameters;
//     nothing else happens for Boot clocks.
//  2. From then on inputs choose in every clock: doorbells (also bad ones), slots, holds, commits
//     and completions of what was granted, deletion of I/O SQs, new weights.
// Everything is built so that it is legal; there are no assumptions.
`default_nettype none
module core_env
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    parameter int PtrW = 2,
    parameter int SlotW = 4,
    // Clocks for the set-up.
    parameter int Boot = 80,
    // 1: weighted round robin.
    parameter bit Wrr = 1'b0,
    // Of each SQ (SQ 0 is admin, on CQ 0): class, own CQ or CQ 0, size; size of each CQ.
    parameter bit [NumSqs-1:0][1:0] Class = '0,
    parameter bit [NumSqs-1:0] OwnCq = '1,
    parameter bit [NumSqs-1:0][PtrW-1:0] SqZb = '1,
    parameter bit [NumSqs-1:0][PtrW-1:0] CqZb = '1,
    // Arbitration burst, and weights (0's based) of high, medium, low.
    parameter bit [2:0] Ab = '0,
    parameter bit [2:0][1:0] Weight = '0,
    localparam int IdW = $clog2(NumSqs + 1),
    localparam int CountW = PtrW + 1
) (
    input  wire logic                          clk_i,
    input  wire logic                          rst_ni,
    // Free in every clock.
    input  wire logic                          db_new_i,
    input  wire logic                          db_is_cq_i,
    input  wire logic [IdW-1:0]                db_qid_i,
    input  wire logic [PtrW:0]                 db_value_i,
    input  wire logic [2:0]                    slots_i,
    input  wire logic                          late_i,
    input  wire logic                          late_is_set_i,
    input  wire logic [2:0]                    late_ab_i,
    input  wire logic [2:0][1:0]               late_weight_i,
    input  wire logic [IdW-1:0]                late_id_i,
    input  wire logic                          commit_i,
    input  wire logic [IdW-1:0]                commit_id_i,
    input  wire logic                          commit_all_i,
    input  wire logic                          leave_i,
    input  wire logic [IdW-1:0]                leave_id_i,
    input  wire logic                          leave_posted_i,
    // Slots that the core may hold at most.
    input  wire logic [SlotW:0]                slots_held_i,
    // To and from the core.
    output logic                               cfg_valid_o,
    input  wire logic                          cfg_ready_i,
    output cfg_req_t                           cfg_o,
    input  wire logic                          cfg_done_i,
    output logic                               db_valid_o,
    input  wire logic                          db_ready_i,
    output doorbell_t                          db_o,
    output logic [3:0]                         slot_give_o,
    input  wire logic                          grant_fire_i,
    input  wire logic [15:0]                   grant_sqid_i,
    input  wire logic [CountW-1:0]             grant_count_i,
    output logic                               commit_valid_o,
    output logic [15:0]                        commit_sqid_o,
    output logic [3:0]                         commit_count_o,
    output logic                               complete_valid_o,
    input  wire logic                          complete_ready_i,
    output complete_t                          complete_o,
    // The fixed values, and phase.
    output logic [NumSqs-1:0][2:0]             class_o,
    output logic [NumSqs-1:0][IdW-1:0]         cqid_o,
    output logic [NumSqs-1:0][PtrW-1:0]        sq_zb_o,
    output logic [NumSqs-1:0][PtrW-1:0]        cq_zb_o,
    output logic                               set_up_o,
    output logic                               cfg_busy_o
);
  localparam int Requests = 2 * NumSqs + 2;
  localparam int StepW = $clog2(Requests + 1);

  always_comb begin
    for (int i = 0; i < NumSqs; i++) begin
      class_o[i] = (i == 0) ? SqAdmin : {1'b0, Class[i]};
      cqid_o[i] = OwnCq[i] ? IdW'(i) : '0;
      sq_zb_o[i] = SqZb[i];
      cq_zb_o[i] = CqZb[i];
    end
  end

  // Configuration: step_q counts the requests of the set-up; late ones follow.
  logic [StepW-1:0] step_q;
  logic sent_q, late_q, late_set_q;
  logic [IdW-1:0] late_id_q;
  logic [2:0] late_ab_q;
  logic [2:0][1:0] late_weight_q;
  logic [NumSqs-1:0] exists_q;
  logic in_set_up;
  assign in_set_up = step_q != StepW'(Requests);
  assign cfg_busy_o = in_set_up || late_q;
  logic [$clog2(Boot + 1)-1:0] boot_q;
  assign set_up_o = boot_q == ($clog2(Boot + 1))'(Boot);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) boot_q <= '0;
    else if (!set_up_o) boot_q <= boot_q + 1'b1;
  end
  always @(posedge clk_i) begin
    if (rst_ni && set_up_o) begin : SetUpInTime_A assert (!in_set_up); end
  end
  assign cfg_valid_o = rst_ni && cfg_busy_o && !sent_q;
  always_comb begin
    cfg_o = '0;
    if (in_set_up) begin
      cfg_o.wrr = Wrr;
      cfg_o.ab = Ab;
      cfg_o.hpw_zb = {6'd0, Weight[0]};
      cfg_o.mpw_zb = {6'd0, Weight[1]};
      cfg_o.lpw_zb = {6'd0, Weight[2]};
      cfg_o.op = (step_q == StepW'(0)) ? CfgSetMech : CfgSetArb;
      for (int i = 0; i < NumSqs; i++) begin
        if (step_q == StepW'(2 + i)) begin
          cfg_o.op = CfgCreateCq;
          cfg_o.id = 16'(i);
          cfg_o.size_zb = 16'(cq_zb_o[i]);
        end
        if (step_q == StepW'(2 + NumSqs + i)) begin
          cfg_o.op = CfgCreateSq;
          cfg_o.id = 16'(i);
          cfg_o.cqid = 16'(cqid_o[i]);
          cfg_o.size_zb = 16'(sq_zb_o[i]);
          cfg_o.sq_class = sq_class_e'(class_o[i]);
        end
      end
    end else begin
      cfg_o.op = late_set_q ? CfgSetArb : CfgDeleteSq;
      cfg_o.id = 16'(late_id_q);
      cfg_o.ab = late_ab_q;
      cfg_o.hpw_zb = {6'd0, late_weight_q[0]};
      cfg_o.mpw_zb = {6'd0, late_weight_q[1]};
      cfg_o.lpw_zb = {6'd0, late_weight_q[2]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= '0;
      sent_q <= 1'b0;
      late_q <= 1'b0;
      exists_q <= '1;
    end else begin
      if (cfg_valid_o && cfg_ready_i) sent_q <= 1'b1;
      if (cfg_done_i) begin
        sent_q <= 1'b0;
        late_q <= 1'b0;
        if (in_set_up) step_q <= step_q + 1'b1;
      end
      if (set_up_o && !cfg_busy_o && late_i) begin
        for (int i = 0; i < NumSqs; i++) begin
          if (late_id_i == IdW'(i) && exists_q[i] && (late_is_set_i || i != 0)) begin
            late_q <= 1'b1;
            if (!late_is_set_i) exists_q[i] <= 1'b0;
          end
        end
        late_set_q <= late_is_set_i;
        late_id_q <= late_id_i;
        late_ab_q <= late_ab_i;
        late_weight_q <= late_weight_i;
      end
    end
  end

  // Doorbells, held until taken.
  logic db_valid_q, db_is_cq_q;
  logic [IdW-1:0] db_qid_q;
  logic [PtrW:0] db_value_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      db_valid_q <= 1'b0;
    end else if (!db_valid_q || db_ready_i) begin
      db_valid_q <= set_up_o && db_new_i;
      db_is_cq_q <= db_is_cq_i;
      db_qid_q <= db_qid_i;
      db_value_q <= db_value_i;
    end
  end
  assign db_valid_o = db_valid_q;
  always_comb begin
    db_o.is_cq = db_is_cq_q;
    db_o.qid = 16'(db_qid_q);
    db_o.value = 16'(db_value_q);
  end

  // Slots: never more than the counter holds.
  always_comb begin
    slot_give_o = '0;
    if (set_up_o && slots_held_i + (SlotW + 1)'(slots_i) < (SlotW + 1)'(2 ** SlotW)) begin
      slot_give_o = {1'b0, slots_i};
    end
  end

  // Granted commands: captured, then completed.
  logic [NumSqs-1:0][CountW-1:0] granted_q, captured_q;
  logic [CountW-1:0] commit_count;
  logic leave_valid_q, leave_posted_q, leave;
  logic [IdW-1:0] leave_id_q, leave_cqid_q;
  always_comb begin
    commit_count = '0;
    leave = 1'b0;
    for (int i = 0; i < NumSqs; i++) begin
      if (commit_i && commit_id_i == IdW'(i) && granted_q[i] != '0) begin
        commit_count = commit_all_i ? granted_q[i] : CountW'(1);
      end
      if (leave_i && !leave_valid_q && leave_id_i == IdW'(i) && captured_q[i] != '0) leave = 1'b1;
    end
  end
  assign commit_valid_o = commit_count != '0;
  assign commit_sqid_o = 16'(commit_id_i);
  assign commit_count_o = 4'(commit_count);
  assign complete_valid_o = leave_valid_q;
  always_comb begin
    complete_o.sqid = 16'(leave_id_q);
    complete_o.cqid = 16'(leave_cqid_q);
    complete_o.posted = leave_posted_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      granted_q <= '0;
      captured_q <= '0;
      leave_valid_q <= 1'b0;
    end else begin
      for (int i = 0; i < NumSqs; i++) begin
        granted_q[i] <= granted_q[i] +
            ((grant_fire_i && grant_sqid_i == 16'(i)) ? grant_count_i : '0) -
            ((commit_id_i == IdW'(i)) ? commit_count : '0);
        captured_q[i] <= captured_q[i] + ((commit_id_i == IdW'(i)) ? commit_count : '0) -
            CountW'(leave && leave_id_i == IdW'(i));
      end
      if (leave) begin
        leave_valid_q <= 1'b1;
        leave_id_q <= leave_id_i;
        leave_posted_q <= leave_posted_i;
        for (int i = 0; i < NumSqs; i++) if (leave_id_i == IdW'(i)) leave_cqid_q <= cqid_o[i];
      end else if (complete_ready_i) begin
        leave_valid_q <= 1'b0;
      end
    end
  end
endmodule
`default_nettype wire
