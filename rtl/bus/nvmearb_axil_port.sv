// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_axil_port: AXI4-Lite slave protocol, apart from what the registers mean.
//
// Purpose: turns the five channels into one stream of whole writes and one of reads.
// Behaviour:
//  1. AW and W are taken in any order and interleaving, each at most one ahead of the other; a
//     write is offered on wr_* in the clock in which its second half comes, and answered on B when
//     wr_ready_i took it.
//  2. A read is offered on rd_* after every write whose two halves were taken before it or in the
//     same clock. A write of which only one half has arrived is not waited for (no deadlock).
//  3. rd_done_i with rd_data_i answers the read that was taken with rd_ready_i, one or more clocks
//     later.
//  4. Every response is OKAY.
// Guarantees: outputs of a channel are held until taken (ReadDataIsHeld_A, WriteOfferIsHeld_A); as
//  many B as writes (ResponseCountFits_A).
// Requires: the master holds valid and payload until ready (AXI4 A3.2.1); one rd_done_i per read.
// Timing: all outputs of s_axil_* come from registers; wr_* follows AW and W without a clock. One
//  write per clock, if B is taken as fast; a read takes 3 clocks more than the register side.
//  wr_ready_i to B one clock.
// Spec: AMBA AXI4-Lite (IHI 0022), B1.
`default_nettype none
module nvmearb_axil_port #(
    // Width of the byte address, 2..64.
    parameter int AddrW = 14
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // AXI4-Lite slave. The protection bits are not used and have no port.
    input  wire logic             s_axil_awvalid_i,
    output logic                  s_axil_awready_o,
    input  wire logic [AddrW-1:0] s_axil_awaddr_i,
    input  wire logic             s_axil_wvalid_i,
    output logic                  s_axil_wready_o,
    input  wire logic [31:0]      s_axil_wdata_i,
    input  wire logic [3:0]       s_axil_wstrb_i,
    output logic                  s_axil_bvalid_o,
    input  wire logic             s_axil_bready_i,
    output logic [1:0]            s_axil_bresp_o,
    input  wire logic             s_axil_arvalid_i,
    output logic                  s_axil_arready_o,
    input  wire logic [AddrW-1:0] s_axil_araddr_i,
    output logic                  s_axil_rvalid_o,
    input  wire logic             s_axil_rready_i,
    output logic [31:0]           s_axil_rdata_o,
    output logic [1:0]            s_axil_rresp_o,
    // Whole writes, in order.
    output logic                  wr_valid_o,
    input  wire logic             wr_ready_i,
    output logic [AddrW-1:0]      wr_addr_o,
    output logic [31:0]           wr_data_o,
    output logic [3:0]            wr_strb_o,
    // Reads, one at a time.
    output logic                  rd_valid_o,
    input  wire logic             rd_ready_i,
    output logic [AddrW-1:0]      rd_addr_o,
    input  wire logic             rd_done_i,
    input  wire logic [31:0]      rd_data_i,
    // A whole write is held.
    output logic                  wr_held_o,
    // No request and no response is held.
    output logic                  idle_o
);
  if (AddrW < 2 || AddrW > 64) begin : gen_bad_addrw
    nvmearb_error_axil_port_addrw_has_to_be_in_2_64 u_error ();
  end

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] MaxResponses = 2'd3;

  logic aw_valid, w_valid, wr_fire, aw_held, w_held;
  logic [AddrW-1:0] aw_addr;
  logic [35:0] w_word;
  logic [1:0] resp_q;  // writes done whose B was not taken yet

  nvmearb_bus_fifo #(
      .Width      (AddrW),
      .Depth      (1),
      .FallThrough(1'b1)
  ) u_aw (
      .clk_i,
      .rst_ni,
      .in_valid_i (s_axil_awvalid_i),
      .in_ready_o (s_axil_awready_o),
      .in_data_i  (s_axil_awaddr_i),
      .out_valid_o(aw_valid),
      .out_ready_i(wr_fire),
      .out_data_o (aw_addr),
      .count_o    (aw_held)
  );

  nvmearb_bus_fifo #(
      .Width      (36),
      .Depth      (1),
      .FallThrough(1'b1)
  ) u_w (
      .clk_i,
      .rst_ni,
      .in_valid_i (s_axil_wvalid_i),
      .in_ready_o (s_axil_wready_o),
      .in_data_i  ({s_axil_wstrb_i, s_axil_wdata_i}),
      .out_valid_o(w_valid),
      .out_ready_i(wr_fire),
      .out_data_o (w_word),
      .count_o    (w_held)
  );

  assign wr_valid_o = aw_valid & w_valid & (resp_q != MaxResponses);
  assign wr_addr_o = aw_addr;
  assign wr_data_o = w_word[31:0];
  assign wr_strb_o = w_word[35:32];
  assign wr_fire = wr_valid_o & wr_ready_i;
  assign s_axil_bvalid_o = resp_q != '0;
  assign s_axil_bresp_o = RespOkay;

  assign wr_held_o = aw_held & w_held;

  // Reads. At most one whole write can be left in front of a read that is taken.
  logic ahead_q;
  logic ar_full_q, busy_q, rvalid_q;
  logic [AddrW-1:0] ar_addr_q;
  logic [31:0] rdata_q;
  logic ar_take, rd_fire;

  assign s_axil_arready_o = !ar_full_q;
  assign ar_take = s_axil_arvalid_i & s_axil_arready_o;
  assign rd_valid_o = ar_full_q & !ahead_q & !busy_q & !rvalid_q;
  assign rd_addr_o = ar_addr_q;
  assign rd_fire = rd_valid_o & rd_ready_i;
  assign s_axil_rvalid_o = rvalid_q;
  assign s_axil_rdata_o = rdata_q;
  assign s_axil_rresp_o = RespOkay;
  assign idle_o = !ar_full_q & !busy_q & !rvalid_q & (resp_q == '0) & !wr_held_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      resp_q <= '0;
      ahead_q <= 1'b0;
      ar_full_q <= 1'b0;
      ar_addr_q <= '0;
      busy_q <= 1'b0;
      rvalid_q <= 1'b0;
      rdata_q <= '0;
    end else begin
      if (wr_fire | s_axil_bvalid_o) begin
        resp_q <= resp_q + {1'b0, wr_fire} - {1'b0, s_axil_bvalid_o & s_axil_bready_i};
      end
      if (ar_take) begin
        ar_full_q <= 1'b1;
        ar_addr_q <= s_axil_araddr_i;
        ahead_q <= aw_valid & w_valid & !wr_fire;
      end else if (ar_full_q) begin
        if (rd_fire) ar_full_q <= 1'b0;
        if (wr_fire) ahead_q <= 1'b0;
      end
      if (rd_fire) busy_q <= 1'b1;
      else if (rd_done_i) busy_q <= 1'b0;
      if (rd_done_i) begin
        rvalid_q <= 1'b1;
        rdata_q <= rd_data_i;
      end else if (rvalid_q & s_axil_rready_i) begin
        rvalid_q <= 1'b0;
      end
    end
  end

  // Implementation checks.
  logic r_held_q, wr_held_q;
  logic [31:0] r_held_data_q;
  logic [AddrW-1:0] wr_held_addr_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_held_q <= 1'b0;
      r_held_data_q <= '0;
      wr_held_q <= 1'b0;
      wr_held_addr_q <= '0;
    end else begin
      r_held_q <= s_axil_rvalid_o & !s_axil_rready_i;
      if (s_axil_rvalid_o & !s_axil_rready_i) r_held_data_q <= s_axil_rdata_o;
      wr_held_q <= wr_valid_o & !wr_ready_i;
      if (wr_valid_o & !wr_ready_i) wr_held_addr_q <= wr_addr_o;
      if (r_held_q) begin : ReadDataIsHeld_A
        assert (s_axil_rvalid_o && s_axil_rdata_o == r_held_data_q);
      end
      if (wr_held_q) begin : WriteOfferIsHeld_A
        assert (wr_valid_o && wr_addr_o == wr_held_addr_q);
      end
      if (wr_fire) begin : ResponseCountFits_A
        assert (resp_q != MaxResponses);
      end
      if (rd_done_i) begin : OneAnswerPerRead_M
        assert (busy_q);
      end
      begin : ReadBehindWrite_C
        cover (ar_full_q && ahead_q);
      end
      begin : ResponsesAreUsedUp_C
        cover (resp_q == MaxResponses && aw_valid && w_valid);
      end
      begin : ReadDataWaits_C
        cover (rvalid_q && !s_axil_rready_i && ar_full_q);
      end
    end
  end
endmodule
`default_nettype wire
