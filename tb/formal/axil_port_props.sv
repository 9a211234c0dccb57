// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_axil_port: the protocol, and that writes and reads arrive as sent, reads
// behind the writes before them.
`default_nettype none
module axil_port_props #(
    parameter int AddrW = 4,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             awvalid_i,
    input wire logic [AddrW-1:0] awaddr_i,
    input wire logic             wvalid_i,
    input wire logic [31:0]      wdata_i,
    input wire logic [3:0]       wstrb_i,
    input wire logic             bready_i,
    input wire logic             arvalid_i,
    input wire logic [AddrW-1:0] araddr_i,
    input wire logic             rready_i,
    input wire logic             wr_ready_i,
    input wire logic             rd_ready_i,
    input wire logic             rd_done_i,
    input wire logic [31:0]      rd_data_i,
    input wire logic             watch_aw_i,
    input wire logic             watch_w_i
);
  logic awready, wready, bvalid, arready, rvalid, wr_valid, rd_valid, wr_held, idle;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, wr_data;
  logic [AddrW-1:0] wr_addr, rd_addr;
  logic [3:0] wr_strb;
  nvmearb_axil_port #(.AddrW(AddrW)) u_dut (
      .clk_i, .rst_ni,
      .s_axil_awvalid_i(awvalid_i), .s_axil_awready_o(awready), .s_axil_awaddr_i(awaddr_i),
      .s_axil_wvalid_i(wvalid_i), .s_axil_wready_o(wready), .s_axil_wdata_i(wdata_i),
      .s_axil_wstrb_i(wstrb_i), .s_axil_bvalid_o(bvalid), .s_axil_bready_i(bready_i),
      .s_axil_bresp_o(bresp), .s_axil_arvalid_i(arvalid_i), .s_axil_arready_o(arready),
      .s_axil_araddr_i(araddr_i), .s_axil_rvalid_o(rvalid), .s_axil_rready_i(rready_i),
      .s_axil_rdata_o(rdata), .s_axil_rresp_o(rresp),
      .wr_valid_o(wr_valid), .wr_ready_i, .wr_addr_o(wr_addr), .wr_data_o(wr_data),
      .wr_strb_o(wr_strb), .rd_valid_o(rd_valid), .rd_ready_i, .rd_addr_o(rd_addr), .rd_done_i,
      .rd_data_i, .wr_held_o(wr_held), .idle_o(idle));
  axil_rules #(.AddrW(AddrW)) u_rules (
      .clk_i, .rst_ni, .awvalid_i, .awready_i(awready), .awaddr_i, .wvalid_i, .wready_i(wready),
      .wdata_i, .wstrb_i, .bvalid_i(bvalid), .bready_i, .bresp_i(bresp), .arvalid_i,
      .arready_i(arready), .araddr_i, .rvalid_i(rvalid), .rready_i, .rdata_i(rdata),
      .rresp_i(rresp));

  logic started_q = 1'b0;
  logic aw_fire, w_fire, ar_fire, wr_fire, rd_fire;
  assign aw_fire = awvalid_i && awready;
  assign w_fire = wvalid_i && wready;
  assign ar_fire = arvalid_i && arready;
  assign wr_fire = wr_valid && wr_ready_i;
  assign rd_fire = rd_valid && rd_ready_i;

  // Halves taken and not yet handed on; whole writes in front of the read that is held.
  logic [1:0] aw_q, aw_d, w_q, w_d, before_q;
  logic aw_watched_q, w_watched_q, read_q, asked_q, answered_q;
  logic [1:0] aw_ahead_q, w_ahead_q;
  logic [AddrW-1:0] addr_q, read_addr_q;
  logic [35:0] word_q;
  logic [31:0] answer_q;
  assign aw_d = aw_q + 2'(aw_fire) - 2'(wr_fire);
  assign w_d = w_q + 2'(w_fire) - 2'(wr_fire);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      aw_q <= '0;
      w_q <= '0;
      aw_watched_q <= 1'b0;
      w_watched_q <= 1'b0;
      read_q <= 1'b0;
      asked_q <= 1'b0;
      answered_q <= 1'b0;
      before_q <= '0;
    end else begin
      aw_q <= aw_d;
      w_q <= w_d;
      if (aw_watched_q) begin
        if (wr_fire) aw_ahead_q <= aw_ahead_q - 2'd1;
        if (wr_fire && aw_ahead_q == '0) aw_watched_q <= 1'b0;
      end else if (watch_aw_i && aw_fire) begin
        aw_watched_q <= aw_d != '0;
        aw_ahead_q <= aw_d - 2'd1;
        addr_q <= awaddr_i;
      end
      if (w_watched_q) begin
        if (wr_fire) w_ahead_q <= w_ahead_q - 2'd1;
        if (wr_fire && w_ahead_q == '0) w_watched_q <= 1'b0;
      end else if (watch_w_i && w_fire) begin
        w_watched_q <= w_d != '0;
        w_ahead_q <= w_d - 2'd1;
        word_q <= {wstrb_i, wdata_i};
      end
      if (ar_fire) begin
        read_q <= 1'b1;
        read_addr_q <= araddr_i;
        before_q <= (aw_d < w_d) ? aw_d : w_d;
      end else begin
        if (rd_fire) read_q <= 1'b0;
        if (wr_fire && before_q != '0) before_q <= before_q - 2'd1;
      end
      if (rd_fire) asked_q <= 1'b1;
      else if (rd_done_i) asked_q <= 1'b0;
      if (rd_done_i) answer_q <= rd_data_i;
      answered_q <= rd_done_i || (answered_q && !rready_i);
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni && rd_done_i) begin : AnswersWhatWasAsked_M assume (asked_q); end
    if (rst_ni) begin
      begin : EveryResponseIsOkay_A assert (bresp == '0 && rresp == '0); end
      begin : WholeWritesOnly_A
        assert (!wr_valid || ((aw_q != '0 || awvalid_i) && (w_q != '0 || wvalid_i)));
      end
      if (wr_fire && aw_watched_q && aw_ahead_q == '0) begin : AddressInOrder_A
        assert (wr_addr == addr_q);
      end
      if (wr_fire && w_watched_q && w_ahead_q == '0) begin : DataInOrder_A
        assert ({wr_strb, wr_data} == word_q);
      end
      begin : ReadBehindWrites_A assert (!rd_valid || before_q == '0); end
      begin : ReadIsTheOneAsked_A assert (!rd_valid || (read_q && rd_addr == read_addr_q)); end
      begin : AnswerIsReturned_A
        assert (rvalid == answered_q && (!rvalid || rdata == answer_q));
      end
      begin : WriteInFrontOfRead_C cover (ar_fire && wr_held && !wr_ready_i); end
      begin : ThreeResponses_C cover (bvalid && wr_held && !wr_valid); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) if (rst_ni && rd_valid) begin : False_A assert (!wr_held); end
  end

  logic unused;
  assign unused = idle;
endmodule
`default_nettype wire
