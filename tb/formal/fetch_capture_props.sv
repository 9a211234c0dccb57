// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fetch_capture: commands in the order of the bursts, each committed once with
// its SQ and streamed once with its names; after an error nothing more.
`default_nettype none
module fetch_capture_props
  import nvmearb_pkg::*;
#(
    parameter int DataW = 512,
    parameter int MaxReads = 2,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0,
    localparam int Beats = 512 / DataW
) (
    input wire logic       clk_i,
    input wire logic       rst_ni,
    input wire logic       clear_i,
    input wire logic       drain_i,
    input wire logic       burst_valid_i,
    input wire sqe_burst_t burst_i,
    input wire logic       rvalid_i,
    input wire logic [7:0] rdata_i,   // the lowest byte; the others are 0
    input wire logic [1:0] rresp_i,
    input wire logic       rlast_i,
    input wire logic       tready_i
);
  logic rready, burst_done, commit, tvalid, take, err, dead, idle;
  logic [15:0] commit_sqid, err_sqid;
  logic [3:0] commit_count;
  logic [511:0] tdata;
  sqe_user_t tuser;
  logic [1:0] count;
  nvmearb_fetch_capture #(.DataW(DataW), .MaxReads(MaxReads)) u_dut (
      .clk_i, .rst_ni, .clear_i, .drain_i, .asked_i(1'b1), .burst_valid_i,
      .burst_done_o(burst_done), .burst_i, .m_axi_rvalid_i(rvalid_i), .m_axi_rready_o(rready),
      .m_axi_rdata_i(DataW'(rdata_i)), .m_axi_rresp_i(rresp_i), .m_axi_rlast_i(rlast_i),
      .commit_valid_o(commit), .commit_sqid_o(commit_sqid), .commit_count_o(commit_count),
      .m_axis_sqe_tvalid_o(tvalid), .m_axis_sqe_tready_i(tready_i), .m_axis_sqe_tdata_o(tdata),
      .m_axis_sqe_tuser_o(tuser), .sqe_count_o(count), .sqe_take_o(take), .err_valid_o(err),
      .err_sqid_o(err_sqid), .dead_o(dead), .idle_o(idle));

  // Before an error: where in the burst and in the command the data are, and what is buffered.
  typedef struct packed {
    sqe_user_t user;
    logic [7:0] low;  // byte of the first beat
  } named_t;
  logic started_q = 1'b0;
  logic held_q, spoiled_q, spoiled, beat, whole, last, alive_q, error_q;
  logic [6:0] sqe_q;
  int unsigned beat_q;
  logic [7:0] first_q;
  named_t [1:0] queue_q;
  logic [1:0] queue_count_q, at;
  named_t next;
  logic [15:0] spoiled_sqid_q;
  sqe_burst_t burst_q;
  logic burst_held_q, drain_q;
  named_t shown_q;
  assign beat = rvalid_i && rready && burst_valid_i && !dead;
  assign whole = beat && beat_q == Beats - 1;
  assign spoiled = spoiled_q || rresp_i[1];
  assign last = sqe_q + 7'd1 == burst_i.count;
  assign at = queue_count_q - 2'(take);
  always_comb begin
    next.low = beat_q == 0 ? rdata_i : first_q;
    next.user = '0;
    next.user.sqid = burst_i.sqid;
    next.user.cqid = burst_i.cqid;
    next.user.sq_class = burst_i.sq_class;
    next.user.sqhd = (last && burst_i.wraps) ? '0 : burst_i.head + 16'(sqe_q) + 16'd1;
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    burst_q <= burst_i;
    drain_q <= drain_i;
    shown_q <= {tuser, tdata[7:0]};
    if (beat && beat_q == 0) first_q <= rdata_i;
    if (take) queue_q[0] <= queue_q[1];
    if (whole && !spoiled) queue_q[at[0]] <= next;
    spoiled_sqid_q <= burst_i.sqid;
    if (!rst_ni) begin
      held_q <= 1'b0;
      burst_held_q <= 1'b0;
      beat_q <= 0;
      sqe_q <= '0;
      spoiled_q <= 1'b0;
      error_q <= 1'b0;
      alive_q <= 1'b1;
      queue_count_q <= '0;
    end else begin
      held_q <= tvalid && !tready_i;
      burst_held_q <= burst_valid_i && !burst_done;
      error_q <= whole && spoiled;
      if (whole && spoiled) alive_q <= 1'b0;
      if (beat) begin
        beat_q <= whole ? 0 : beat_q + 1;
        spoiled_q <= !whole && spoiled;
      end
      if (whole) sqe_q <= last ? '0 : sqe_q + 7'd1;
      queue_count_q <= at + 2'(whole && !spoiled);
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    // Bursts stay until they are done, and have 1 to 64 commands.
    if (burst_held_q) begin : BurstIsHeld_M assume (burst_valid_i && burst_i == burst_q); end
    begin : BurstIsNotEmpty_M assume (burst_i.count != '0 && burst_i.count <= 7'd64); end
    begin : ErrorIsNotForgotten_M assume (!clear_i); end
    if (rst_ni && alive_q) begin
      begin : CommitsWhatIsWhole_A
        assert (commit == (whole && !spoiled) &&
                (!commit || (commit_count == 4'd1 && commit_sqid == burst_i.sqid)));
      end
      begin : DoneWithLast_A assert (burst_done == (whole && !spoiled && last)); end
      begin : TakesWhileItHasRoom_A assert (rready == (queue_count_q != 2'd2)); end
    end
    if (rst_ni) begin
      begin : StreamsWhatItHas_A assert (tvalid == (queue_count_q != '0) && count == queue_count_q);
      end
      if (tvalid) begin : InOrderWithItsNames_A
        assert (tuser == queue_q[0].user && tdata[7:0] == queue_q[0].low);
      end
      if (held_q) begin : StreamIsHeld_A assert (tvalid && {tuser, tdata[7:0]} == shown_q); end
      begin : ReportsTheFirstSpoiled_A
        assert (err == error_q && (!err || err_sqid == spoiled_sqid_q));
      end
      begin : DeadAfterAnError_A assert (dead == !alive_q); end
      // What is committed then was never streamed: the core is owed it (decision 0046).
      if (!alive_q && commit) begin : OwedOnlyInADrain_A assert (drain_q); end
      begin : Spoiled_C cover (err && queue_count_q == 2'd1); end
      begin : Wraps_C cover (tvalid && tuser.sqhd == '0 && burst_valid_i); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni && tvalid) begin : False_A assert (tuser.sqhd != '0); end
    end
  end

  logic unused;
  assign unused = &{1'b0, idle, tdata};
endmodule
`default_nettype wire
