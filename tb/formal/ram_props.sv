// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_ram and nvmearb_fr_ram, for one address that is free but fixed.
`default_nettype none
module ram_props #(
    parameter int Width = 2,
    parameter int Depth = 2,
    // 1: nvmearb_fr_ram, with that Bypass.
    parameter bit FullRate = 1'b0,
    parameter bit Bypass = 1'b1,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic                     clk_i,
    input wire logic                     we_i,
    input wire logic [$clog2(Depth)-1:0] waddr_i,
    input wire logic [Width-1:0]         wdata_i,
    input wire logic                     re_i,
    input wire logic [$clog2(Depth)-1:0] raddr_i,
    input wire logic [$clog2(Depth)-1:0] k_addr_i
);
  logic [Width-1:0] rdata;
  if (FullRate) begin : gen_full_rate
    nvmearb_fr_ram #(.Width(Width), .Depth(Depth), .Bypass(Bypass)) u_dut (
        .clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o(rdata));
  end else begin : gen_compact
    nvmearb_ram #(.Width(Width), .Depth(Depth)) u_dut (
        .clk_i, .clk_read_i(clk_i), .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o(rdata));
  end

  logic started_q = 1'b0;
  logic known_q = 1'b0;   // the word was written
  logic shown_q = 1'b0;   // rdata has to be that word as of its read
  logic kept_q = 1'b0;    // no read since the last clock
  logic [$clog2(Depth)-1:0] addr_q, addr;
  logic [Width-1:0] word_q, expected_q, before_q;
  logic hit;
  assign addr = started_q ? addr_q : k_addr_i;
  assign hit = we_i && waddr_i == addr;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    addr_q <= addr;
    if (hit) begin
      word_q <= wdata_i;
      known_q <= 1'b1;
    end
    if (re_i) begin
      // Without Bypass the word that is read while it is written is undefined.
      shown_q <= raddr_i == addr && (hit ? Bypass : known_q);
      expected_q <= hit ? wdata_i : word_q;
    end
    kept_q <= started_q && !re_i;
    before_q <= rdata;
  end

  always @(posedge clk_i) begin
    begin : ReadInRange_M assume (32'(raddr_i) < Depth); end
    if (shown_q) begin : ReadsLastWrite_A assert (rdata == expected_q); end
    if (kept_q) begin : KeepsItsWord_A assert (rdata == before_q); end
    begin : WriteAndRead_C cover (hit && re_i && raddr_i == addr && known_q); end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) if (shown_q) begin : False_A assert (rdata == word_q); end
  end
endmodule
`default_nettype wire
