// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fetch_cut: the pieces of a grant are the grant, each within its page.
`default_nettype none
module fetch_cut_props #(
    parameter int PtrW = 4,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic            clk_i,
    input wire logic            rst_ni,
    input wire logic            grant_valid_i,
    input wire logic [8:0]      grant_addr_i,  // upper bits are 0
    input wire logic [PtrW-1:0] grant_head_i,
    input wire logic [3:0]      grant_count_i,
    input wire logic            grant_whole_i,
    input wire logic            grant_ends_i,
    input wire logic            piece_ready_i
);
  logic grant_ready, piece_valid, wraps;
  logic [63:6] addr;
  logic [PtrW-1:0] head;
  logic [3:0] count;
  nvmearb_fetch_cut #(.PtrW(PtrW)) u_dut (
      .clk_i, .rst_ni, .grant_valid_i, .grant_ready_o(grant_ready),
      .grant_addr_i(58'(grant_addr_i)), .grant_head_i, .grant_count_i, .grant_whole_i,
      .grant_ends_i, .piece_valid_o(piece_valid), .piece_ready_i, .piece_addr_o(addr),
      .piece_head_o(head), .piece_count_o(count), .piece_wraps_o(wraps));
  channel_rules #(.Width(9 + PtrW + 4 + 2), .Assume(1'b1)) u_grant (
      .clk_i, .rst_ni, .valid_i(grant_valid_i), .ready_i(grant_ready),
      .payload_i({grant_addr_i, grant_head_i, grant_count_i, grant_whole_i, grant_ends_i}));

  // Commands of this grant in pieces before.
  logic started_q = 1'b0;
  logic [3:0] done_q, left;
  logic fire;
  assign left = grant_count_i - done_q;
  assign fire = piece_valid && piece_ready_i;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) done_q <= '0;
    else if (fire) done_q <= (count == left) ? '0 : done_q + count;
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni) begin
      begin : PieceOfAGrant_A assert (piece_valid == grant_valid_i); end
      begin : GrantGoesWithLast_A
        assert ((grant_ready && grant_valid_i) == (fire && count == left));
      end
    end
    if (rst_ni && piece_valid) begin
      begin : OnePage_A assert (8'(addr[11:6]) + 8'(count) <= 8'd64 && count != '0); end
      begin : NoMoreThanLeft_A assert (count <= left); end
      begin : NextSlot_A
        assert (addr == 58'(grant_addr_i) + 58'(done_q) && head == grant_head_i + PtrW'(done_q));
      end
      // At most two pieces: what is left behind the first begins a page.
      begin : SecondIsLast_A assert (done_q == '0 || count == left); end
      begin : WrapsWithLast_A assert (wraps == (grant_ends_i && count == left)); end
      begin : Split_C cover (done_q != '0 && wraps); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni && piece_valid) begin : False_A assert (count == grant_count_i); end
    end
  end
endmodule
`default_nettype wire
