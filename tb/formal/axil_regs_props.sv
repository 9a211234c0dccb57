// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_axil_regs as a whole: AXI4-Lite rules, properties as specified, doorbells as
// written. One read at a time, so that it is known which address an R answers.
`default_nettype none
module axil_regs_props
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    parameter int Dstrd = 0,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0,
    localparam int AddrW = 13
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic [27:0]      cap_lo_i,
    input wire logic             vs_i,
    input wire logic             awvalid_i,
    input wire logic [AddrW-1:0] awaddr_i,
    input wire logic             wvalid_i,
    input wire logic [31:0]      wdata_i,
    input wire logic [3:0]       wstrb_i,
    input wire logic             bready_i,
    input wire logic             arvalid_i,
    input wire logic [AddrW-1:0] araddr_i,
    input wire logic             rready_i,
    input wire logic             csts_rdy_i,
    input wire logic             csts_cfs_i,
    input wire logic [1:0]       csts_shst_i,
    input wire logic             db_allow_i,
    input wire logic             db_ready_i
);
  logic [63:0] cap, asq, acq;
  logic [31:0] vs, cc, aqa, int_mask, rdata;
  logic awready, wready, bvalid, arready, rvalid, cap_wrr, shn_valid, db_valid, wr_held;
  logic clear_busy, quiescent;
  logic [1:0] bresp, rresp, shn;
  doorbell_t db;
  assign cap = {28'd0, 4'(Dstrd), 4'd0, cap_lo_i};
  assign vs = {15'd1, 1'b0, 15'd0, vs_i};
  nvmearb_axil_regs #(
      .NumSqs(NumSqs), .Dstrd(Dstrd), .AddrW(AddrW), .DbSettleClocks(1)
  ) u_dut (
      .clk_i, .rst_ni, .cap_i(cap), .vs_i(vs),
      .s_axil_awvalid_i(awvalid_i), .s_axil_awready_o(awready), .s_axil_awaddr_i(awaddr_i),
      .s_axil_wvalid_i(wvalid_i), .s_axil_wready_o(wready), .s_axil_wdata_i(wdata_i),
      .s_axil_wstrb_i(wstrb_i), .s_axil_bvalid_o(bvalid), .s_axil_bready_i(bready_i),
      .s_axil_bresp_o(bresp), .s_axil_arvalid_i(arvalid_i), .s_axil_arready_o(arready),
      .s_axil_araddr_i(araddr_i), .s_axil_rvalid_o(rvalid), .s_axil_rready_i(rready_i),
      .s_axil_rdata_o(rdata), .s_axil_rresp_o(rresp),
      .cap_wrr_o(cap_wrr), .cc_o(cc), .aqa_o(aqa), .asq_o(asq), .acq_o(acq),
      .int_mask_o(int_mask), .csts_rdy_i, .csts_cfs_i, .csts_shst_i, .shn_valid_o(shn_valid),
      .shn_o(shn), .db_allow_i, .db_valid_o(db_valid), .db_ready_i, .db_o(db),
      .wr_held_o(wr_held), .obs_db_valid_i(1'b0), .obs_db_i('0), .obs_cfg_valid_i(1'b0),
      .obs_cfg_op_i(CfgReset), .obs_cfg_id_i('0), .clear_i(1'b0), .clear_busy_o(clear_busy),
      .quiescent_o(quiescent));
  axil_rules #(.AddrW(AddrW)) u_rules (
      .clk_i, .rst_ni, .awvalid_i, .awready_i(awready), .awaddr_i, .wvalid_i, .wready_i(wready),
      .wdata_i, .wstrb_i, .bvalid_i(bvalid), .bready_i, .bresp_i(bresp), .arvalid_i,
      .arready_i(arready), .araddr_i, .rvalid_i(rvalid), .rready_i, .rdata_i(rdata),
      .rresp_i(rresp));

  logic started_q = 1'b0;
  logic read_q, db_held_q, up_q, same_straps;
  logic [1:0] aw_q, w_q;
  logic [AddrW-1:0] read_addr_q;
  logic [9:0] dword;
  logic [28:0] straps_q;
  logic [31:0] cc_q, aqa_q, mask_q;
  logic [63:0] asq_q, acq_q;
  doorbell_t db_q;
  logic wrote;  // a whole write was there to act in the clock before
  logic wrote_q;
  assign same_straps = straps_q == {vs_i, cap_lo_i};
  assign wrote = (aw_q != '0 || (awvalid_i && awready)) && (w_q != '0 || (wvalid_i && wready));
  assign dword = read_addr_q[11:2];
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    straps_q <= {vs_i, cap_lo_i};
    up_q <= rst_ni;
    cc_q <= cc;
    aqa_q <= aqa;
    asq_q <= asq;
    acq_q <= acq;
    mask_q <= int_mask;
    db_q <= db;
    wrote_q <= wrote;
    if (arvalid_i && arready) read_addr_q <= araddr_i;
    if (!rst_ni) begin
      read_q <= 1'b0;
      db_held_q <= 1'b0;
      aw_q <= '0;
      w_q <= '0;
    end else begin
      if (arvalid_i && arready) read_q <= 1'b1;
      else if (rvalid && rready_i) read_q <= 1'b0;
      db_held_q <= db_valid && !db_ready_i;
      aw_q <= aw_q + 2'(awvalid_i && awready) - 2'(bvalid && bready_i);
      w_q <= w_q + 2'(wvalid_i && wready) - 2'(bvalid && bready_i);
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    begin : StrapsAreStable_M assume (!started_q || same_straps); end
    begin : OneReadAtATime_M assume (!arvalid_i || !read_q); end
    if (rst_ni && up_q) begin
      // Reads.
      if (rvalid && !read_addr_q[12]) begin : ConstantsRead_A
        assert ((dword != 10'h000 || rdata == cap[31:0]) &&
                (dword != 10'h001 || rdata == cap[63:32]) && (dword != 10'h002 || rdata == vs));
      end
      if (rvalid && !read_addr_q[12]) begin : OthersReadZero_A
        assert ((dword <= 10'h00d && dword != 10'h006 && dword != 10'h008) || rdata == '0);
      end
      // Properties.
      begin : ReservedBitsAreZero_A
        assert ((cc & 32'hff00_000e) == '0 && (aqa & 32'hf000_f000) == '0 &&
                asq[11:0] == '0 && acq[11:0] == '0);
      end
      if (!wrote_q) begin : OnlyWritesChange_A
        assert (cc == cc_q && aqa == aqa_q && asq == asq_q && acq == acq_q &&
                int_mask == mask_q);
      end
      if (cc_q[0] && !cc[0]) begin : ResetClearsAtOnce_A
        assert (cc == '0 && int_mask == '0 && aqa == aqa_q && asq == asq_q && acq == acq_q);
      end
      if (shn_valid) begin : ShutdownIsNew_A assert (shn == 2'b01 || shn == 2'b10); end
      // Doorbells.
      if (db_held_q && db_allow_i) begin : DoorbellIsHeld_A assert (db_valid && db == db_q); end
      begin : DoorbellsOnlyInForce_A assert (!db_valid || db_allow_i); end
      begin : ShutdownStopsIoDoorbells_A
        assert (!db_valid || cc[15:14] == '0 || db.qid == '0);
      end
      begin : DoorbellNeedsAWrite_A assert (!db_valid || wrote); end
      begin : ControllerReset_C cover (cc_q[0] && !cc[0]); end
      begin : CqDoorbell_C cover (db_valid && db.is_cq && db.qid == 16'd1); end
      begin : ReadsVs_C cover (rvalid && !read_addr_q[12] && dword == 10'h002); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // The mask is that of INTMS less INTMC, not what was written last.
      if (rst_ni && up_q && int_mask != mask_q) begin : False_A assert (int_mask != '0); end
    end
  end

  logic unused;
  assign unused = &{1'b0, cap_wrr, wr_held, clear_busy, quiescent, read_addr_q[1:0]};
endmodule
`default_nettype wire
