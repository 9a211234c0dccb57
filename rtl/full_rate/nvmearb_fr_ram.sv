// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_ram: memory with one write port and one read port.
//
// Purpose: holds queue state; infers block RAM.
// Behaviour:
//  1. A write takes effect at the rising edge with we_i.
//  2. A read with re_i at an edge shows the word after that edge. Without re_i rdata_o keeps its
//     word, whatever is written meanwhile.
//  3. Read and write of one word in the same clock: Bypass shows the new word; without it the word
//     read is undefined, and the user has to know.
// Guarantees: rdata_o changes only after a clock with re_i.
// Requires: addresses below Depth (AddressInRange_M checks writes; a read outside is undefined).
// Timing: one clock from address to data; no combinational path from an address to data.
// Never reset: a word is undefined until it was written.
`default_nettype none
module nvmearb_fr_ram #(
    // Bits of a word, 1 or more.
    parameter int Width = 8,
    // Words, 2 or more, any number.
    parameter int Depth = 16,
    // 1: a read shows the write of the same clock.
    parameter bit Bypass = 1'b1
) (
    input  wire logic                     clk_i,
    // Write port.
    input  wire logic                     we_i,
    input  wire logic [$clog2(Depth)-1:0] waddr_i,
    input  wire logic [Width-1:0]         wdata_i,
    // Read port.
    input  wire logic                     re_i,
    input  wire logic [$clog2(Depth)-1:0] raddr_i,
    output logic [Width-1:0]              rdata_o
);
  if (Width < 1) begin : gen_bad_width
    nvmearb_error_fr_ram_width_must_be_at_least_1 u_error ();
  end
  if (Depth < 2) begin : gen_bad_depth
    nvmearb_error_fr_ram_depth_must_be_at_least_2 u_error ();
  end

  (* ram_style = "block", no_rw_check *)
  logic [Width-1:0] mem [Depth];
  logic [Width-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) word_q <= mem[raddr_i];
`ifdef VERILATOR
    // Simulation shows who relies on a word that is undefined.
    if (!Bypass && re_i && we_i && waddr_i == raddr_i) word_q <= ~wdata_i;
`endif  // VERILATOR
  end

  if (Bypass) begin : gen_bypass
    logic hit_q;
    logic [Width-1:0] new_q;
    always_ff @(posedge clk_i) begin
      if (re_i) begin
        hit_q <= we_i && waddr_i == raddr_i;
        new_q <= wdata_i;
      end
    end
    assign rdata_o = hit_q ? new_q : word_q;
  end else begin : gen_plain
    assign rdata_o = word_q;
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    begin : AddressInRange_M
      assert (!we_i || 32'(waddr_i) < 32'(Depth));
    end
  end
endmodule
`default_nettype wire
