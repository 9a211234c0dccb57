// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_capture: read data to whole SQEs.
//
// Purpose: gathers R beats into 64-byte commands, and names each with its SQ and SQHD.
// Behaviour:
//  1. 512/DataW beats make an SQE, lowest bytes first; ctx_count_i SQEs belong to the burst at the
//     front of the context buffer.
//  2. A whole SQE is committed (commit_*) in the clock in which it enters the output buffer.
//  3. A beat with SLVERR or DECERR spoils its SQE: it is reported on err_* instead. From then on
//     until clear_i data is taken and dropped, and the bursts stay in the context buffer.
//  4. When the controller is being reset (drain_i) dropped bursts are committed after all, so that
//     nothing in the core waits for them; no host sees that.
//  5. SQHD is the slot after the command, modulo the ring size.
// Guarantees: stream in read order; a commit for each streamed SQE (CommitIsStreamed_A).
// Requires: R beats only for bursts in the context buffer (DataWasAskedFor_M); rlast on the last
//  beat of a burst (LastIsLast_M).
// Timing: last beat to stream one clock, to commit none (an AND of the R channel's inputs);
//  m_axi_rready_o from registers; full rate.
// Spec: NVMe Base 2.1 3.3.1.2.1 (SQHD); section 6 of the project's rules: SQHD covers captured
//  slots only.
`default_nettype none
module nvmearb_fetch_capture
  import nvmearb_pkg::*;
#(
    // Width of the read data bus: 64, 128, 256 or 512.
    parameter int DataW = 512
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // Forgets an error.
    input  wire logic             clear_i,
    // The controller is being reset.
    input  wire logic             drain_i,
    // Oldest outstanding burst.
    input  wire logic             ctx_valid_i,
    output logic                  ctx_done_o,
    input  wire logic [15:0]      ctx_sqid_i,
    input  wire logic [15:0]      ctx_cqid_i,
    input  wire logic [15:0]      ctx_head_i,
    input  wire logic [15:0]      ctx_size_zb_i,
    input  wire logic [3:0]       ctx_count_i,
    input  wire sq_class_e        ctx_class_i,
    // AXI4 R channel.
    input  wire logic             m_axi_rvalid_i,
    output logic                  m_axi_rready_o,
    input  wire logic [DataW-1:0] m_axi_rdata_i,
    input  wire logic [1:0]       m_axi_rresp_i,
    input  wire logic             m_axi_rlast_i,
    // Commit to the core.
    output logic                  commit_valid_o,
    output logic [15:0]           commit_sqid_o,
    output logic [3:0]            commit_count_o,
    // SQE stream.
    output logic                  m_axis_sqe_tvalid_o,
    input  wire logic             m_axis_sqe_tready_i,
    output logic [511:0]          m_axis_sqe_tdata_o,
    output sqe_user_t             m_axis_sqe_tuser_o,
    // A spoiled SQE.
    output logic                  err_valid_o,
    output logic [15:0]           err_sqid_o,
    // Nothing is held.
    output logic                  idle_o
);
  localparam int BeatsPerSqe = 512 / DataW;

  logic beat, sqe_end, last_sqe, spoiled, dead_q, push, settle, buffer_ready;
  logic [8:0] owed_q;  // bursts that came back and were dropped
  logic [3:0] sqe_q;   // SQEs of this burst that are done
  logic [15:0] slot;
  logic [511:0] data;
  sqe_user_t user;
  logic [$bits(sqe_user_t)-1:0] user_word;
  logic [1:0] unused_sqes_count;

  assign m_axi_rready_o = buffer_ready;
  assign beat = m_axi_rvalid_i & buffer_ready;
  assign push = sqe_end & !spoiled & !dead_q;
  assign settle = dead_q & drain_i & (owed_q != '0);
  assign ctx_done_o = settle | (push & last_sqe);
  always_comb begin
    last_sqe = 1'b0;
    slot = '0;
    user = '0;
    if (beat) begin
      last_sqe = sqe_q == ctx_count_i - 1'b1;
      slot = ctx_head_i + 16'(sqe_q);
      user.sqid = ctx_sqid_i;
      user.cqid = ctx_cqid_i;
      user.sqhd = (slot == ctx_size_zb_i) ? '0 : slot + 1'b1;
      user.sq_class = ctx_class_i;
    end
  end

  if (BeatsPerSqe == 1) begin : gen_whole
    assign data = m_axi_rdata_i;
    assign sqe_end = beat;
    assign spoiled = m_axi_rresp_i[1];
  end else begin : gen_gather
    localparam int BeatW = $clog2(BeatsPerSqe);
    logic [BeatW-1:0] beat_q;
    logic spoiled_q;
    logic [511-DataW:0] gather_q;  // the newest beat at the top
    assign data = {m_axi_rdata_i, gather_q};
    assign sqe_end = beat & (beat_q == BeatW'(BeatsPerSqe - 1));
    assign spoiled = spoiled_q | m_axi_rresp_i[1];
    always_ff @(posedge clk_i) begin
      if (beat) gather_q <= data[511:DataW];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        beat_q <= '0;
        spoiled_q <= 1'b0;
      end else if (beat) begin
        beat_q <= beat_q + 1'b1;
        spoiled_q <= !sqe_end & spoiled;
      end
    end
  end

  // The names of two commands in a buffer; their bytes beside it, in the same places.
  nvmearb_bus_fifo #(
      .Width($bits(sqe_user_t)),
      .Depth(2)
  ) u_sqes (
      .clk_i,
      .rst_ni,
      .in_valid_i (push),
      .in_ready_o (buffer_ready),
      .in_data_i  (user),
      .out_valid_o(m_axis_sqe_tvalid_o),
      .out_ready_i(m_axis_sqe_tready_i),
      .out_data_o (user_word),
      .count_o    (unused_sqes_count)
  );
  assign m_axis_sqe_tuser_o = user_word;

  logic wr_q, rd_q;
  logic [511:0] data_0_q, data_1_q;
  always_ff @(posedge clk_i) begin
    if (push & !wr_q) data_0_q <= data;
    if (push & wr_q) data_1_q <= data;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
      rd_q <= 1'b0;
    end else begin
      if (push) wr_q <= !wr_q;
      if (m_axis_sqe_tvalid_o & m_axis_sqe_tready_i) rd_q <= !rd_q;
    end
  end
  assign m_axis_sqe_tdata_o = rd_q ? data_1_q : data_0_q;

  logic err_q;
  logic [15:0] sqid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sqe_q <= '0;
      err_q <= 1'b0;
      sqid_q <= '0;
      dead_q <= 1'b0;
      owed_q <= '0;
    end else begin
      if (ctx_done_o) sqe_q <= '0;
      else if (push) sqe_q <= sqe_q + 1'b1;
      if (dead_q | (sqe_end & spoiled)) begin
        owed_q <= owed_q + {8'd0, beat & m_axi_rlast_i} - {8'd0, settle};
      end
      err_q <= sqe_end & spoiled & !dead_q;
      if (sqe_end) sqid_q <= ctx_sqid_i;
      if (clear_i) dead_q <= 1'b0;
      else if (sqe_end & spoiled) dead_q <= 1'b1;
    end
  end

  assign commit_valid_o = push | settle;
  assign commit_sqid_o = ctx_sqid_i;
  assign commit_count_o = settle ? ctx_count_i - sqe_q : 4'd1;
  assign err_valid_o = err_q;
  assign err_sqid_o = sqid_q;
  assign idle_o = !m_axis_sqe_tvalid_o & !err_q & !settle;

  logic unused_resp;  // OKAY and EXOKAY are the same here
  assign unused_resp = m_axi_rresp_i[0];

  // Implementation checks.
  logic committed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      committed_q <= 1'b0;
    end else begin
      committed_q <= push;
      if (committed_q) begin : CommitIsStreamed_A
        assert (m_axis_sqe_tvalid_o);
      end
      if (m_axi_rvalid_i & !dead_q) begin : DataWasAskedFor_M
        assert (ctx_valid_i);
      end
      if (beat & !dead_q) begin : LastIsLast_M
        assert (m_axi_rlast_i == (sqe_end & last_sqe));
      end
    end
  end
endmodule
`default_nettype wire
