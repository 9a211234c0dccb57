// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_addr: cuts a grant into bursts that stay within a 4 KiB page.
//
// Purpose: address arithmetic of the fetch engine.
// Behaviour:
//  1. Slot `head` of a ring lies at base + 64 * head.
//  2. The first burst takes as many of the count commands as are left in the page of that address;
//     if some are left, a second burst follows with them (at most 8 commands: never a third).
// Guarantees: the bursts together are exactly the grant, in order (SplitIsWhole_A).
// Requires: inputs held until in_ready_o.
// Timing: combinational from the inputs to the burst; in_ready_o follows out_ready_i.
// Spec: NVMe Base 2.1 3.3.1.2; AMBA AXI4 A3.4.1 (no burst crosses a 4 KiB boundary).
`default_nettype none
module nvmearb_fetch_addr (
    input  wire logic        clk_i,
    input  wire logic        rst_ni,
    // A grant and the base address of its ring.
    input  wire logic        in_valid_i,
    output logic             in_ready_o,
    input  wire logic [15:0] in_head_i,
    input  wire logic [3:0]  in_count_i,
    input  wire logic [63:6] in_base_i,
    // One burst: address, first slot, commands.
    output logic             out_valid_o,
    input  wire logic        out_ready_i,
    output logic [63:6]      out_addr_o,
    output logic [15:0]      out_head_o,
    output logic [3:0]       out_count_o
);
  localparam logic [6:0] SlotsPerPage = 7'd64;

  logic second_q, split;
  logic [63:6] slot_addr;
  logic [6:0] in_page;
  logic [3:0] first_count;

  always_comb begin
    slot_addr = '0;
    in_page = '0;
    split = 1'b0;
    first_count = '0;
    out_addr_o = '0;
    out_head_o = '0;
    out_count_o = '0;
    if (in_valid_i) begin
      slot_addr = in_base_i + 58'(in_head_i);
      in_page = SlotsPerPage - 7'(slot_addr[11:6]);
      split = in_page < 7'(in_count_i);
      first_count = split ? in_page[3:0] : in_count_i;
      out_addr_o = second_q ? {slot_addr[63:12] + 1'b1, 6'd0} : slot_addr;
      out_head_o = second_q ? in_head_i + 16'(first_count) : in_head_i;
      out_count_o = second_q ? in_count_i - first_count : first_count;
    end
  end

  assign out_valid_o = in_valid_i;
  assign in_ready_o = out_ready_i & (second_q | !split);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (in_valid_i & out_ready_i) second_q <= split & !second_q;
  end

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (in_valid_i) begin : SplitIsWhole_A
        assert (!second_q || split);
      end
    end
  end
endmodule
`default_nettype wire
