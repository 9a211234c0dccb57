// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_merge: joins what has to wait into longer bursts.
//
// Purpose: a read channel that takes a request every few clocks still gets its data at full rate
//  from a queue whose commands are granted one by one.
// Behaviour:
//  1. A piece leaves as a burst in the clock in which it comes, if burst_ready_i and none waits.
//  2. Else it waits here. While it does, a piece of the same SQ that begins with the slot behind it
//     is added to it, up to MaxBurst commands within one 4 KiB page. Slot 0 is behind no slot, so
//     that no burst crosses the ring end.
//  3. Nothing waits for the sake of being joined.
// Guarantees: bursts are the pieces, in order (BurstStaysInPage_A, JoinedIsConsecutive_A).
// Requires: a piece stays until piece_ready_o; burst_ready_i stays while nothing is sent.
// Timing: no clock while nothing waits. One piece per clock.
`default_nettype none
module nvmearb_fetch_merge
  import nvmearb_pkg::*;
#(
    // Commands up to which pieces are joined, 1..64.
    parameter int MaxBurst = 64
) (
    input  wire logic        clk_i,
    input  wire logic        rst_ni,
    // Pieces that stay within a page, 1..8 commands.
    input  wire logic        piece_valid_i,
    output logic             piece_ready_o,
    input  wire logic [63:6] piece_addr_i,
    input  wire sqe_burst_t  piece_i,
    // Bursts of 1..MaxBurst commands.
    output logic             burst_valid_o,
    input  wire logic        burst_ready_i,
    output logic [63:6]      burst_addr_o,
    output sqe_burst_t       burst_o,
    // A piece waits.
    output logic             waits_o
);
  if (MaxBurst < 1 || MaxBurst > 64) begin : gen_bad_maxburst
    nvmearb_error_fetch_merge_maxburst_has_to_be_in_1_64 u_error ();
  end

  logic wait_q, follows, joins, leaves, take;
  logic [63:6] addr_q;
  sqe_burst_t burst_q;
  logic [16:0] next_q;  // slot behind what waits
  logic [6:0] sum;

  always_comb begin
    follows = 1'b0;
    sum = '0;
    if (wait_q & piece_valid_i) begin
      follows = (piece_i.sqid == burst_q.sqid) & ({1'b0, piece_i.head} == next_q) &
                (piece_addr_i[11:6] != '0);
      sum = burst_q.count + piece_i.count;
    end
  end
  // Within a page there are never more than 64.
  if (MaxBurst == 64) begin : gen_page
    assign joins = follows;
  end else begin : gen_shorter
    assign joins = follows & (32'(sum) <= MaxBurst);
  end
  assign leaves = wait_q & burst_ready_i;
  assign piece_ready_o = !wait_q | burst_ready_i | joins;
  assign burst_valid_o = wait_q | piece_valid_i;
  assign burst_addr_o = wait_q ? addr_q : piece_addr_i;
  assign burst_o = wait_q ? burst_q : piece_i;
  assign waits_o = wait_q;
  // A piece becomes what waits: nothing does, or what does leaves.
  assign take = piece_valid_i & (wait_q == burst_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wait_q <= 1'b0;
    else if (take) wait_q <= 1'b1;
    else if (leaves) wait_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      addr_q <= piece_addr_i;
      burst_q <= piece_i;
    end else if (joins & !burst_ready_i) begin
      burst_q.count <= sum;
      burst_q.wraps <= piece_i.wraps;
    end
    if (take | (joins & !burst_ready_i)) next_q <= 17'(piece_i.head) + 17'(piece_i.count);
  end

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (burst_valid_o) begin : BurstStaysInPage_A
        assert (8'(burst_addr_o[11:6]) + 8'(burst_o.count) <= 8'd64 &&
                32'(burst_o.count) <= ((MaxBurst > 8) ? MaxBurst : 8));
      end
      if (joins) begin : JoinedIsConsecutive_A
        assert (piece_addr_i == addr_q + 58'(burst_q.count));
      end
      if (piece_valid_i) begin : PieceCountIsItsOwn_M
        assert (piece_i.count == piece_i.count);
      end
      begin : Joined_C
        cover (joins && !burst_ready_i);
      end
      begin : LongestBurst_C
        cover (leaves && 32'(burst_q.count) == MaxBurst);
      end
      begin : JoinedAtRingEnd_C
        cover (joins && !burst_ready_i && piece_i.wraps);
      end
    end
  end
endmodule
`default_nettype wire
