// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_ram_pair: two fields in one memory, each written for itself; one read port.
//
// Purpose: a memory of few bits takes a whole block RAM: two of them share one.
// Behaviour: as nvmearb_fr_ram without Bypass; high_we_i writes the upper HighW bits of a word,
//  low_we_i the others.
// Requires: addresses below Depth; the user does not read a word in the clock in which a part of it
//  is written.
// Timing: one clock from address to data; no combinational path from an address to data.
// Never reset: a field is undefined until it was written.
`default_nettype none
module nvmearb_fr_ram_pair #(
    // Bits of the fields, 1 or more.
    parameter int HighW = 3,
    parameter int LowW = 4,
    // Words, 2 or more, any number.
    parameter int Depth = 16
) (
    input  wire logic                     clk_i,
    // Write port.
    input  wire logic                     high_we_i,
    input  wire logic                     low_we_i,
    input  wire logic [$clog2(Depth)-1:0] waddr_i,
    input  wire logic [HighW+LowW-1:0]    wdata_i,
    // Read port.
    input  wire logic                     re_i,
    input  wire logic [$clog2(Depth)-1:0] raddr_i,
    output logic [HighW+LowW-1:0]         rdata_o
);
  (* ram_style = "block", no_rw_check *)
  logic [HighW+LowW-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (high_we_i) mem[waddr_i][HighW+LowW-1:LowW] <= wdata_i[HighW+LowW-1:LowW];
    if (low_we_i) mem[waddr_i][LowW-1:0] <= wdata_i[LowW-1:0];
    if (re_i) rdata_o <= mem[raddr_i];
`ifdef VERILATOR
    // Simulation shows who relies on a word that is undefined.
    if (re_i && (high_we_i || low_we_i) && waddr_i == raddr_i) rdata_o <= ~wdata_i;
`endif  // VERILATOR
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    begin : AddressInRange_M
      assert (!(high_we_i || low_we_i) || 32'(waddr_i) < 32'(Depth));
    end
  end
endmodule
`default_nettype wire
