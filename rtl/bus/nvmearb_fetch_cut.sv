// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_cut: cuts a grant into pieces that stay within a 4 KiB page.
//
// Purpose: no AXI4 burst crosses a 4 KiB boundary.
// Behaviour:
//  1. The first piece takes as many of the count commands as are left in the page of the address.
//  2. If some are left, a second piece with them follows, at the beginning of the next page (at
//     most 8 commands: never a third).
//  3. piece_wraps_o: the piece ends with the last slot of the ring.
// Guarantees: the pieces together are exactly the grant, in order; no piece crosses a page
//  (PieceStaysInPage_A); none is empty (PieceHasCommands_A).
// Requires: a grant of 1..8 commands, grant_whole_i as it says (GrantIsMeant_M); it stays until
//  grant_ready_o.
// Timing: combinational from the grant to the first piece; the second comes from registers. One
//  piece per clock.
// Spec: AMBA AXI4 A3.4.1.
`default_nettype none
module nvmearb_fetch_cut #(
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic            clk_i,
    input  wire logic            rst_ni,
    // A grant: bus address of its first slot, that slot, commands, whether it stays within the page
    // of its first slot, and whether it ends with the last slot of the ring.
    input  wire logic            grant_valid_i,
    output logic                 grant_ready_o,
    input  wire logic [63:6]     grant_addr_i,
    input  wire logic [PtrW-1:0] grant_head_i,
    input  wire logic [3:0]      grant_count_i,
    input  wire logic            grant_whole_i,
    input  wire logic            grant_ends_i,
    // A piece of it.
    output logic                 piece_valid_o,
    input  wire logic            piece_ready_i,
    output logic [63:6]          piece_addr_o,
    output logic [PtrW-1:0]      piece_head_o,
    output logic [3:0]           piece_count_o,
    output logic                 piece_wraps_o
);
  if (PtrW < 2 || PtrW > 16) begin : gen_bad_ptrw
    nvmearb_error_fetch_cut_ptrw_has_to_be_in_2_16 u_error ();
  end

  // What is left for the next page.
  logic rest_q;
  logic [63:12] rest_page_q;
  logic [PtrW-1:0] rest_head_q;
  logic [3:0] rest_count_q;

  logic last, taken;
  logic [3:0] in_page;  // slots from the first one to the end of its page, where they are few

  assign in_page = 4'd0 - grant_addr_i[9:6];
  assign last = rest_q | grant_whole_i;
  assign piece_valid_o = grant_valid_i;
  assign piece_addr_o = rest_q ? {rest_page_q, 6'd0} : grant_addr_i;
  assign piece_head_o = rest_q ? rest_head_q : grant_head_i;
  assign piece_count_o = rest_q ? rest_count_q : last ? grant_count_i : in_page;
  assign piece_wraps_o = grant_ends_i & last;
  assign taken = grant_valid_i & piece_ready_i;
  assign grant_ready_o = piece_ready_i & last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rest_q <= 1'b0;
    else if (taken) rest_q <= !last;
  end
  always_ff @(posedge clk_i) begin
    if (taken & !last) begin
      rest_page_q <= grant_addr_i[63:12] + 1'b1;
      rest_head_q <= grant_head_i + PtrW'(in_page);
      rest_count_q <= grant_count_i - in_page;
    end
  end

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else if (grant_valid_i) begin
      begin : GrantIsMeant_M
        assert (grant_count_i != '0 && grant_count_i <= 4'd8 &&
                grant_whole_i == (7'(grant_addr_i[11:6]) + 7'(grant_count_i) <= 7'd64));
      end
      begin : PieceStaysInPage_A
        assert (7'(piece_addr_o[11:6]) + 7'(piece_count_o) <= 7'd64);
      end
      begin : PieceHasCommands_A
        assert (piece_count_o != '0 && piece_count_o <= grant_count_i);
      end
    end
  end
endmodule
`default_nettype wire
