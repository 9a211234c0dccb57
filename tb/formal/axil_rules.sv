// SPDX-License-Identifier: Apache-2.0
//
// axil_rules: an AXI4-Lite slave and its master (AMBA AXI4-Lite B1, AXI4 A3.2 and A3.3).
//
// Checked of the slave: B and R keep what they show and are quiet after a reset; no B before its AW
// and W, no R before its AR. Assumed of the master: AW, W and AR keep what they show.
`default_nettype none
module axil_rules #(
    parameter int AddrW = 4
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             awvalid_i,
    input wire logic             awready_i,
    input wire logic [AddrW-1:0] awaddr_i,
    input wire logic             wvalid_i,
    input wire logic             wready_i,
    input wire logic [31:0]      wdata_i,
    input wire logic [3:0]       wstrb_i,
    input wire logic             bvalid_i,
    input wire logic             bready_i,
    input wire logic [1:0]       bresp_i,
    input wire logic             arvalid_i,
    input wire logic             arready_i,
    input wire logic [AddrW-1:0] araddr_i,
    input wire logic             rvalid_i,
    input wire logic             rready_i,
    input wire logic [31:0]      rdata_i,
    input wire logic [1:0]       rresp_i
);
  channel_rules #(.Width(AddrW), .Assume(1'b1)) u_aw (
      .clk_i, .rst_ni, .valid_i(awvalid_i), .ready_i(awready_i), .payload_i(awaddr_i));
  channel_rules #(.Width(36), .Assume(1'b1)) u_w (
      .clk_i, .rst_ni, .valid_i(wvalid_i), .ready_i(wready_i), .payload_i({wdata_i, wstrb_i}));
  channel_rules #(.Width(AddrW), .Assume(1'b1)) u_ar (
      .clk_i, .rst_ni, .valid_i(arvalid_i), .ready_i(arready_i), .payload_i(araddr_i));
  channel_rules #(.Width(2)) u_b (
      .clk_i, .rst_ni, .valid_i(bvalid_i), .ready_i(bready_i), .payload_i(bresp_i));
  channel_rules #(.Width(34)) u_r (
      .clk_i, .rst_ni, .valid_i(rvalid_i), .ready_i(rready_i), .payload_i({rdata_i, rresp_i}));

  // Requests that were taken and not answered.
  logic [2:0] aw_q, w_q, ar_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= '0;
      w_q <= '0;
      ar_q <= '0;
    end else begin
      aw_q <= aw_q + 3'(awvalid_i && awready_i) - 3'(bvalid_i && bready_i);
      w_q <= w_q + 3'(wvalid_i && wready_i) - 3'(bvalid_i && bready_i);
      ar_q <= ar_q + 3'(arvalid_i && arready_i) - 3'(rvalid_i && rready_i);
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : BFollowsAwAndW_A assert (!bvalid_i || (aw_q != '0 && w_q != '0)); end
      begin : RFollowsAr_A assert (!rvalid_i || ar_q != '0); end
      begin : Counted_A assert (aw_q != 3'd7 && w_q != 3'd7 && ar_q != 3'd7); end
    end
  end
endmodule
`default_nettype wire
