// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_db_shadow: what a read of a doorbell returns.
//
// Purpose: keeps the last accepted value of every doorbell in two memories (SQ tails, CQ heads).
// Behaviour:
//  1. An accepted doorbell stores its value; a refused one changes nothing.
//  2. Creating or deleting a queue stores 0 for it.
//  3. clear_i sets every entry to 0 in NumSqs clocks, during which reads return 0 (busy_o).
//  4. rd_data_o belongs to the last clock with rd_i before; ids beyond NumSqs read 0.
// Requires: configuration events at least two clocks apart, and none while busy_o
//  (ZeroIsNotOverrun_M); clear_i only when no doorbell is under way.
// Timing: read latency one clock. After reset it clears itself.
// Spec: a host should not read doorbells, the value is vendor specific (NVMe over PCIe Transport).
`default_nettype none
module nvmearb_db_shadow
  import nvmearb_pkg::*;
#(
    // Number of SQs and of CQs, 2..1024.
    parameter int NumSqs = 16
) (
    input  wire logic       clk_i,
    input  wire logic       rst_ni,
    // Start clearing everything; ignored while busy.
    input  wire logic       clear_i,
    output logic            busy_o,
    // Observed configuration and doorbell events.
    input  wire logic       cfg_valid_i,
    input  wire cfg_op_e    cfg_op_i,
    input  wire logic [15:0] cfg_id_i,
    input  wire logic       db_valid_i,
    input  wire doorbell_t  db_i,
    // Read port.
    input  wire logic       rd_i,
    input  wire logic       rd_is_cq_i,
    input  wire logic [15:0] rd_qid_i,
    output logic [15:0]     rd_data_o,
    // A waiting entry or sweep will still change something.
    output logic            idle_o
);
  if (NumSqs < 2 || NumSqs > 1024) begin : gen_bad_numsqs
    nvmearb_error_db_shadow_numsqs_has_to_be_in_2_1024 u_error ();
  end

  localparam int IdW = $clog2(NumSqs);
  localparam logic [IdW-1:0] LastId = IdW'(NumSqs - 1);

  logic [15:0] sq_mem_q [NumSqs];
  logic [15:0] cq_mem_q [NumSqs];

  logic busy_q;
  logic [IdW-1:0] sweep_q;
  // A queue that was created or deleted in a clock in which the memory was taken by a doorbell.
  logic zero_q, zero_is_cq_q;
  logic [IdW-1:0] zero_id_q;
  logic cfg_hit, cfg_is_cq;
  logic zero_write, db_in_range;
  logic [IdW-1:0] db_id;

  always_comb begin
    cfg_is_cq = 1'b0;
    cfg_hit = 1'b0;
    if (cfg_valid_i) begin
      cfg_is_cq = (cfg_op_i == CfgCreateCq) | (cfg_op_i == CfgDeleteCq);
      cfg_hit = cfg_is_cq | (cfg_op_i == CfgCreateSq) | (cfg_op_i == CfgDeleteSq);
    end
    db_id = '0;
    db_in_range = 1'b0;
    if (db_valid_i) begin
      db_id = db_i.qid[IdW-1:0];
      db_in_range = {16'd0, db_i.qid} < NumSqs;
    end
    zero_write = 1'b0;
    if (zero_q) zero_write = !(db_in_range & (db_i.is_cq == zero_is_cq_q));
  end

  always_ff @(posedge clk_i) begin
    if (busy_q) begin
      sq_mem_q[sweep_q] <= '0;
      cq_mem_q[sweep_q] <= '0;
    end else if (db_valid_i | zero_q) begin
      if (db_in_range & !db_i.is_cq) sq_mem_q[db_id] <= db_i.value;
      else if (zero_write & !zero_is_cq_q) sq_mem_q[zero_id_q] <= '0;
      if (db_in_range & db_i.is_cq) cq_mem_q[db_id] <= db_i.value;
      else if (zero_write & zero_is_cq_q) cq_mem_q[zero_id_q] <= '0;
    end
  end

  logic [15:0] sq_rd_q, cq_rd_q;
  logic rd_is_cq_q, rd_zero_q;
  logic [IdW-1:0] rd_addr;
  assign rd_addr = ({16'd0, rd_qid_i} < NumSqs) ? rd_qid_i[IdW-1:0] : '0;

  always_ff @(posedge clk_i) begin
    if (rd_i) begin
      sq_rd_q <= sq_mem_q[rd_addr];
      cq_rd_q <= cq_mem_q[rd_addr];
      rd_is_cq_q <= rd_is_cq_i;
      rd_zero_q <= busy_q | ({16'd0, rd_qid_i} >= NumSqs);
    end
  end

  assign rd_data_o = rd_zero_q ? '0 : rd_is_cq_q ? cq_rd_q : sq_rd_q;
  assign busy_o = busy_q;
  assign idle_o = !busy_q & !zero_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b1;
      sweep_q <= '0;
      zero_q <= 1'b0;
      zero_is_cq_q <= 1'b0;
      zero_id_q <= '0;
    end else begin
      if (busy_q) begin
        sweep_q <= (sweep_q == LastId) ? '0 : sweep_q + 1'b1;
        busy_q <= sweep_q != LastId;
      end else if (clear_i) begin
        busy_q <= 1'b1;
      end
      if (cfg_hit) begin
        zero_q <= 1'b1;
        zero_is_cq_q <= cfg_is_cq;
        zero_id_q <= cfg_id_i[IdW-1:0];
      end else if (zero_q) begin
        // Written, swept, or overtaken by a doorbell of the new queue.
        if (busy_q | zero_write | (db_id == zero_id_q)) zero_q <= 1'b0;
      end
    end
  end

  logic unused_id;  // the device side configures existing queues only
  assign unused_id = &{1'b0, cfg_id_i[15:IdW]};

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (cfg_hit & zero_q) begin : ZeroIsNotOverrun_M
        assert (zero_write | busy_q);
      end
    end
  end
endmodule
`default_nettype wire
