// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fetch_merge: bursts are the pieces, in order and nothing else, each within
// its page; one command is watched from its piece to its burst.
`default_nettype none
module fetch_merge_props
  import nvmearb_pkg::*;
#(
    parameter int MaxBurst = 64,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic        clk_i,
    input wire logic        rst_ni,
    input wire logic        piece_valid_i,
    input wire logic        piece_sqid_i,
    input wire logic [7:0]  piece_head_i,
    input wire logic [3:0]  piece_count_i,
    input wire logic        burst_ready_i,
    input wire logic        watch_i,
    input wire logic [2:0]  watch_index_i,
    // Free but fixed: page of slot 0 of both rings.
    input wire logic [1:0][3:0] k_page_i
);
  localparam int AddrW = 10;

  logic started_q = 1'b0;
  logic [1:0][3:0] page_q;
  logic [AddrW-1:0] piece_addr;
  sqe_burst_t piece, burst;
  logic piece_ready, burst_valid, waits;
  logic [63:6] burst_addr;
  assign piece_addr = {page_q[piece_sqid_i], 6'd0} + AddrW'(piece_head_i);
  always_comb begin
    piece = '0;
    piece.sqid = 16'(piece_sqid_i);
    piece.head = 16'(piece_head_i);
    piece.count = 7'(piece_count_i);
  end
  nvmearb_fetch_merge #(.MaxBurst(MaxBurst)) u_dut (
      .clk_i, .rst_ni, .piece_valid_i, .piece_ready_o(piece_ready),
      .piece_addr_i(58'(piece_addr)), .piece_i(piece),
      .burst_valid_o(burst_valid), .burst_ready_i, .burst_addr_o(burst_addr), .burst_o(burst),
      .waits_o(waits));

  logic in_fire, out_fire, held_q, ready_q, start, watched_q;
  logic [7:0] inside_q, ahead_q;  // commands inside; those in front of the watched one
  logic [AddrW-1:0] addr_q;
  logic [7:0] head_q;
  logic sqid_q;
  assign in_fire = piece_valid_i && piece_ready;
  assign out_fire = burst_valid && burst_ready_i;
  assign start = watch_i && in_fire && !watched_q && 4'(watch_index_i) < piece_count_i;
  logic [13+3:0] shown_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) page_q <= k_page_i;
    held_q <= rst_ni && piece_valid_i && !piece_ready;
    shown_q <= {3'd0, piece_sqid_i, 1'b0, piece_head_i, piece_count_i};
    ready_q <= rst_ni && burst_ready_i && !out_fire;
    if (!rst_ni) begin
      inside_q <= '0;
      watched_q <= 1'b0;
    end else begin
      inside_q <= inside_q + (in_fire ? 8'(piece_count_i) : '0) - (out_fire ? 8'(burst.count) : '0);
      if (start) begin
        watched_q <= !(out_fire && 8'(burst.count) > inside_q + 8'(watch_index_i));
        ahead_q <= inside_q + 8'(watch_index_i) - (out_fire ? 8'(burst.count) : '0);
        addr_q <= piece_addr + AddrW'(watch_index_i);
        head_q <= piece_head_i + 8'(watch_index_i);
        sqid_q <= piece_sqid_i;
      end else if (watched_q && out_fire) begin
        ahead_q <= ahead_q - 8'(burst.count);
        if (ahead_q < 8'(burst.count)) watched_q <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni && piece_valid_i) begin : PieceIsLegal_M
      assume (piece_count_i != '0 && piece_count_i <= 4'd8 &&
              8'(piece_addr[5:0]) + 8'(piece_count_i) <= 8'd64 &&
              9'(piece_head_i) + 9'(piece_count_i) <= 9'd256);
    end
    if (rst_ni && held_q) begin : PieceIsHeld_M
      assume (piece_valid_i && shown_q == {3'd0, piece_sqid_i, 1'b0, piece_head_i, piece_count_i});
    end
    if (rst_ni && ready_q) begin : ReadyStays_M assume (burst_ready_i); end
    if (rst_ni) begin
      if (burst_valid) begin : OnePage_A
        assert (8'(burst_addr[11:6]) + 8'(burst.count) <= 8'd64 && burst.count != '0);
      end
      if (out_fire) begin : NoMoreThanCame_A
        assert (8'(burst.count) <= inside_q + (piece_valid_i ? 8'(piece_count_i) : '0));
      end
      begin : Waits_A assert (waits == (inside_q != '0)); end
      if (watched_q && out_fire && ahead_q < 8'(burst.count)) begin : InItsPlace_A
        assert (burst_addr == 58'(addr_q) - 58'(ahead_q) && burst.sqid == 16'(sqid_q) &&
                burst.head == 16'(head_q) - 16'(ahead_q));
      end
      begin : Joined_C cover (out_fire && burst.count > 7'd8); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni && burst_valid) begin : False_A assert (burst.count <= 7'd8); end
    end
  end

  logic unused;
  assign unused = ^burst;
endmodule
`default_nettype wire
