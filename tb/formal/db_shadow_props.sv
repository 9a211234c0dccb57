// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_db_shadow, for one queue that is free but fixed.
`default_nettype none
module db_shadow_props
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0,
    localparam int IdW = $clog2(NumSqs + 1)
) (
    input wire logic           clk_i,
    input wire logic           rst_ni,
    input wire logic           clear_i,
    input wire logic           cfg_valid_i,
    input wire logic [2:0]     cfg_op_i,
    input wire logic [IdW-1:0] cfg_id_i,
    input wire logic           db_valid_i,
    input wire doorbell_t      db_i,
    input wire logic           rd_i,
    input wire logic           rd_is_cq_i,
    input wire logic [IdW-1:0] rd_qid_i,
    input wire logic           k_is_cq_i,
    input wire logic [IdW-1:0] k_id_i
);
  logic busy, idle;
  logic [15:0] rd_data;
  nvmearb_db_shadow #(.NumSqs(NumSqs)) u_dut (
      .clk_i, .rst_ni, .clear_i, .busy_o(busy), .cfg_valid_i, .cfg_op_i(cfg_op_e'(cfg_op_i)),
      .cfg_id_i(16'(cfg_id_i)), .db_valid_i, .db_i, .rd_i, .rd_is_cq_i, .rd_qid_i(16'(rd_qid_i)),
      .rd_data_o(rd_data), .idle_o(idle));

  logic started_q = 1'b0;
  logic is_cq_q, is_cq, cfg_hit, cfg_any, db_hit, cfg_before_q;
  logic [IdW-1:0] id_q, id;
  logic [15:0] value_q, value_d, shown_q;
  logic check_q, zero_q;
  assign is_cq = started_q ? is_cq_q : k_is_cq_i;
  assign id = started_q ? id_q : k_id_i;
  assign cfg_any = cfg_valid_i && cfg_op_i >= 3'd1 && cfg_op_i <= 3'd4;
  assign cfg_hit = cfg_any && cfg_id_i == id &&
      is_cq == (cfg_op_i == CfgCreateCq || cfg_op_i == CfgDeleteCq);
  assign db_hit = db_valid_i && db_i.qid == 16'(id) && db_i.is_cq == is_cq;
  always_comb begin
    value_d = value_q;
    if (cfg_hit) value_d = '0;
    if (db_hit) value_d = db_i.value;
    if (busy || clear_i) value_d = '0;
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    is_cq_q <= is_cq;
    id_q <= id;
    value_q <= rst_ni ? value_d : '0;
    cfg_before_q <= rst_ni && cfg_any;
    // A read shows what was there before this clock; what waits to be written is not looked at.
    check_q <= rst_ni && rd_i && rd_is_cq_i == is_cq && rd_qid_i == id && idle;
    zero_q <= rst_ni && rd_i && (busy || 32'(rd_qid_i) >= NumSqs);
    shown_q <= value_q;
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    begin : WatchedExists_M assume (32'(id) < NumSqs); end
    if (rst_ni && cfg_valid_i) begin : CfgIsLegal_M
      assume (32'(cfg_id_i) < NumSqs && cfg_op_i <= 3'd6 && !busy && !clear_i && !cfg_before_q);
    end
    // A doorbell of a queue is not accepted in the clock in which the queue changes.
    if (rst_ni && db_valid_i) begin : DoorbellIsLegal_M
      assume (!busy && !clear_i && !cfg_hit);
    end
    if (rst_ni && clear_i) begin : ClearsWhenQuiet_M assume (idle); end
    if (check_q && rst_ni) begin : ReadsLastValue_A assert (rd_data == shown_q); end
    if (zero_q && rst_ni) begin : ReadsZero_A assert (rd_data == '0); end
    if (rst_ni) begin : ValueRead_C cover (check_q && rd_data == 16'h1234); end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) if (check_q) begin : False_A assert (rd_data == '0); end
  end
endmodule
`default_nettype wire
