// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_addr: what of a grant can be read in one piece.
//
// Purpose: address arithmetic of the fetch engine.
// Behaviour:
//  1. Slot `head` of a ring lies at base + 64 * head.
//  2. The piece takes as many of the count commands as are left in the 4 KiB page of that address;
//     last_o says that it takes all of them. Else the rest follows from slot head + piece on, at
//     the beginning of the next page.
//  3. wraps_o: the piece ends with the last slot of the ring.
// Guarantees: no piece crosses a page (PieceStaysInPage_A); none is empty (PieceHasCommands_A).
// Requires: a grant of 1..8 commands that does not cross the ring end (GrantStaysInRing_M).
// Timing: combinational.
// Spec: NVMe Base 2.1 3.3.1.2; AMBA AXI4 A3.4.1 (no burst crosses a 4 KiB boundary).
`default_nettype none
module nvmearb_fetch_addr (
    input  wire logic        clk_i,   // for the checks only
    input  wire logic        rst_ni,
    // What is left of a grant, and the base address of its ring.
    input  wire logic        valid_i,
    input  wire logic [15:0] head_i,
    input  wire logic [3:0]  count_i,
    input  wire logic [15:0] size_zb_i,
    input  wire logic [63:6] base_i,
    // The piece: address of its first slot, commands.
    output logic [63:6]      addr_o,
    output logic [3:0]       count_o,
    output logic             last_o,
    output logic             wraps_o
);
  logic [6:0] in_page;  // slots from the first one to the end of its page, 1..64

  // Nothing is computed without a grant.
  always_comb begin
    addr_o = '0;
    in_page = '0;
    count_o = '0;
    last_o = 1'b0;
    wraps_o = 1'b0;
    if (valid_i) begin
      addr_o = base_i + 58'(head_i);
      in_page = 7'd64 - 7'(addr_o[11:6]);
      last_o = 7'(count_i) <= in_page;
      count_o = last_o ? count_i : in_page[3:0];
      wraps_o = last_o & (16'(head_i + 16'(count_i) - 16'd1) == size_zb_i);
    end
  end

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else if (valid_i) begin
      begin : GrantStaysInRing_M
        assert (count_i != '0 && count_i <= 4'd8 &&
                17'(head_i) + 17'(count_i) <= 17'(size_zb_i) + 17'd1);
      end
      begin : PieceStaysInPage_A
        assert (7'(addr_o[11:6]) + 7'(count_o) <= 7'd64);
      end
      begin : PieceHasCommands_A
        assert (count_o != '0 && count_o <= count_i);
      end
    end
  end
endmodule
`default_nettype wire
