// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_capture: read data to whole SQEs.
//
// Purpose: gathers R beats into 64-byte commands, and names each with its SQ and SQHD.
// Behaviour:
//  1. 512/DataW beats make an SQE, lowest bytes first; burst_i.count SQEs belong to the oldest
//     outstanding burst.
//  2. A whole SQE is committed (commit_*) in the clock in which it enters the output buffer.
//  3. A beat with SLVERR or DECERR spoils its SQE: it is reported on err_* instead. From then on
//     until clear_i data is taken and dropped, and the bursts stay: they are what the core is owed
//     (decision 0046).
//  4. When the controller is being reset (drain_i) dropped bursts are committed after all, so that
//     nothing in the core waits for them; no host sees that.
//  5. SQHD is the slot after the command, modulo the ring size.
//  6. Data that comes while no read is outstanding (of reads before a reset) is taken and dropped.
// Guarantees: stream in read order; a commit for each streamed SQE (CommitIsStreamed_A).
// Requires: R beats only for bursts that are outstanding, or none was issued since reset
//  (DataWasAskedFor_M); rlast on the last beat of a burst (LastIsLast_M).
// Timing: last beat to stream one clock, to commit none (an AND of the R channel's inputs);
//  m_axi_rready_o from registers. One beat per clock, as long as the stream takes one SQE per
//  512/DataW clocks.
// Spec: NVMe Base 2.1 3.3.1.2.1 (SQHD); section 6 of the project's rules: SQHD covers captured
//  slots only.
`default_nettype none
module nvmearb_fetch_capture
  import nvmearb_pkg::*;
#(
    // Width of the read data bus: 64, 128, 256 or 512.
    parameter int DataW = 512,
    // Bursts outstanding, 1..256.
    parameter int MaxReads = 32
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // Forgets an error.
    input  wire logic             clear_i,
    // The controller is being reset.
    input  wire logic             drain_i,
    // Reads were issued since reset.
    input  wire logic             asked_i,
    // Oldest outstanding burst.
    input  wire logic             burst_valid_i,
    output logic                  burst_done_o,
    input  wire sqe_burst_t       burst_i,
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
    // SQEs in the output buffer; one is taken by the stream.
    output logic [1:0]            sqe_count_o,
    output logic                  sqe_take_o,
    // A spoiled SQE.
    output logic                  err_valid_o,
    output logic [15:0]           err_sqid_o,
    // An error was seen: nothing outstanding is streamed any more.
    output logic                  dead_o,
    // Nothing is held.
    output logic                  idle_o
);
  localparam int BeatsPerSqe = 512 / DataW;
  localparam int OwedW = $clog2(MaxReads + 1);
  localparam logic [6:0] MaxCommit = 7'd8;

  logic beat, sqe_end, last_sqe, spoiled, dead_q, push, owing, settle_q, buffer_ready;
  logic [OwedW-1:0] owed_q;  // bursts that came back and were dropped
  logic [6:0] done_q;        // SQEs of this burst that are committed
  logic [6:0] left;
  logic [511:0] data;
  sqe_user_t user;
  logic [$bits(sqe_user_t)-1:0] user_word;

  assign m_axi_rready_o = buffer_ready;
  assign beat = m_axi_rvalid_i & buffer_ready & (burst_valid_i | dead_q);
  assign push = sqe_end & !spoiled & !dead_q;
  // Bursts are settled in every other clock.
  assign owing = dead_q & drain_i & (owed_q != '0);
  assign burst_done_o = (settle_q & (left <= MaxCommit)) | (push & last_sqe);
  // Nothing is computed without data.
  always_comb begin
    left = '0;
    last_sqe = 1'b0;
    user = '0;
    if (beat | settle_q) begin
      left = burst_i.count - done_q;
      last_sqe = left == 7'd1;
      user.sqid = burst_i.sqid;
      user.cqid = burst_i.cqid;
      user.sqhd = (last_sqe & burst_i.wraps) ? '0 : burst_i.head + 16'(done_q) + 16'd1;
      user.sq_class = burst_i.sq_class;
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

  // The names of two commands in a buffer; their bytes beside it.
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
      .count_o    (sqe_count_o)
  );
  assign m_axis_sqe_tuser_o = user_word;
  assign sqe_take_o = m_axis_sqe_tvalid_o & m_axis_sqe_tready_i;

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
      if (sqe_take_o) rd_q <= !rd_q;
    end
  end
  assign m_axis_sqe_tdata_o = rd_q ? data_1_q : data_0_q;

  logic err_q;
  logic [15:0] sqid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q <= '0;
      err_q <= 1'b0;
      sqid_q <= '0;
      dead_q <= 1'b0;
      owed_q <= '0;
      settle_q <= 1'b0;
    end else begin
      settle_q <= owing & !settle_q;
      if (burst_done_o) done_q <= '0;
      else if (settle_q) done_q <= done_q + MaxCommit;
      else if (push) done_q <= done_q + 7'd1;
      if (dead_q | (sqe_end & spoiled)) begin
        if (beat & m_axi_rlast_i & !(settle_q & burst_done_o)) owed_q <= owed_q + 1'b1;
        if (!(beat & m_axi_rlast_i) & settle_q & burst_done_o) owed_q <= owed_q - 1'b1;
      end
      err_q <= sqe_end & spoiled & !dead_q;
      if (sqe_end) sqid_q <= burst_i.sqid;
      if (clear_i) dead_q <= 1'b0;
      else if (sqe_end & spoiled) dead_q <= 1'b1;
    end
  end

  assign commit_valid_o = push | settle_q;
  assign commit_sqid_o = burst_i.sqid;
  assign commit_count_o = !settle_q ? 4'd1 : (left > MaxCommit) ? 4'(MaxCommit) : left[3:0];
  assign err_valid_o = err_q;
  assign err_sqid_o = sqid_q;
  assign dead_o = dead_q;
  assign idle_o = !m_axis_sqe_tvalid_o & !err_q & !owing & !settle_q;

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
      if (m_axi_rvalid_i & !dead_q & asked_i) begin : DataWasAskedFor_M
        assert (burst_valid_i);
      end
      if (beat & !dead_q) begin : LastIsLast_M
        assert (m_axi_rlast_i == (sqe_end & last_sqe));
      end
      begin : StreamStops_C
        cover (m_axis_sqe_tvalid_o && !m_axis_sqe_tready_i && sqe_count_o == 2'd2);
      end
      begin : DataAfterError_C
        cover (dead_q && beat);
      end
      begin : SettledTogether_C
        cover (settle_q && left > MaxCommit);
      end
    end
  end
endmodule
`default_nettype wire
