// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_enable_seq at its ports: the configuration requests of an enable and of a
// disable, what is in force between them, and CSTS.
`default_nettype none
module enable_seq_props
  import nvmearb_pkg::*;
#(
    parameter int PtrW = 2,
    parameter bit UnsupportedAmsIsFatal = 1'b0,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic        clk_i,
    input wire logic        rst_ni,
    input wire logic [31:0] cc_i,
    input wire logic [31:0] aqa_i,
    input wire logic [1:0]  asq_i,
    input wire logic        cap_wrr_i,
    input wire logic        device_ready_i,
    input wire logic        fatal_i,
    input wire logic        shst_valid_i,
    input wire logic [1:0]  shst_i,
    input wire logic        fetch_error_i,
    input wire logic        drained_i,
    input wire logic        silent_i,
    input wire logic        cfg_ready_i,
    input wire logic        cfg_done_i,
    input wire logic        clear_busy_i
);
  logic rdy, cfs, db_allow, cfg_allow, hold_io, hold_all, drain, live, ending, cfg_valid, clear;
  logic enable, disable_valid, quiescent;
  logic [1:0] shst;
  logic [31:0] cc, aqa;
  logic [63:0] asq, acq;
  cfg_req_t cfg;
  nvmearb_enable_seq #(.PtrW(PtrW), .UnsupportedAmsIsFatal(UnsupportedAmsIsFatal)) u_dut (
      .clk_i, .rst_ni, .cc_i, .aqa_i, .asq_i({51'd0, asq_i[0], 12'd0}),
      .acq_i({51'd0, asq_i[1], 12'd0}), .cap_wrr_i,
      .device_ready_i, .fatal_i, .shst_valid_i, .shst_i, .fetch_error_i,
      .csts_rdy_o(rdy), .csts_cfs_o(cfs), .csts_shst_o(shst), .db_allow_o(db_allow),
      .cfg_allow_o(cfg_allow), .hold_io_o(hold_io), .hold_all_o(hold_all), .drain_o(drain),
      .live_o(live), .drained_i, .ending_o(ending), .silent_i,
      .cfg_valid_o(cfg_valid), .cfg_ready_i, .cfg_o(cfg), .cfg_done_i,
      .clear_o(clear), .clear_busy_i, .enable_valid_o(enable), .disable_valid_o(disable_valid),
      .cc_o(cc), .aqa_o(aqa), .asq_o(asq), .acq_o(acq), .quiescent_o(quiescent));

  // Requests answered since the last disable: of an enable four, of the disable one.
  logic started_q = 1'b0;
  logic [2:0] answered_q;
  logic taken_q, shown_q, on_q, error_q, ready_q, drained_q, ended_q, disabled_q, done_q, silent_q;
  logic cap_wrr_q;
  cfg_req_t shown_cfg_q;
  cfg_op_e expected;
  always_comb begin
    case (answered_q)
      3'd1: expected = CfgCreateCq;
      3'd2: expected = CfgCreateSq;
      3'd3: expected = CfgSetMech;
      default: expected = CfgReset;
    endcase
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    cap_wrr_q <= cap_wrr_i;
    shown_q <= rst_ni && cfg_valid && !cfg_ready_i;
    shown_cfg_q <= cfg;
    ready_q <= rst_ni && device_ready_i;
    drained_q <= rst_ni && drained_i;
    silent_q <= rst_ni && silent_i;
    error_q <= rst_ni && (fatal_i || fetch_error_i);
    done_q <= rst_ni && cfg_done_i;
    disabled_q <= rst_ni && disable_valid;
    ended_q <= rst_ni && shst == 2'b10;
    if (!rst_ni) begin
      answered_q <= '0;
      taken_q <= 1'b0;
      on_q <= 1'b0;
    end else begin
      if (cfg_valid && cfg_ready_i) taken_q <= 1'b1;
      if (cfg_done_i) begin
        taken_q <= 1'b0;
        answered_q <= (answered_q == 3'd4) ? '0 : answered_q + 3'd1;
      end
      if (enable) on_q <= 1'b1;
      if (disable_valid) on_q <= 1'b0;
    end
  end
  // Reported as enabled; a report of this clock counts.
  logic on;
  assign on = enable || (on_q && !disable_valid);

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    begin : CapIsAStrap_M assume (!started_q || cap_wrr_i == cap_wrr_q); end
    begin : AnswersWhatItTook_M assume (!cfg_done_i || taken_q); end
    if (rst_ni && started_q) begin
      // The requests.
      if (cfg_valid) begin : RequestsInOrder_A assert (cfg.op == expected && !taken_q); end
      if (shown_q) begin : RequestIsHeld_A assert (cfg_valid && cfg == shown_cfg_q); end
      if (cfg_valid && answered_q == 3'd1) begin : AdminCqAsInAqa_A
        assert (cfg.id == '0 && cfg.size_zb == {4'd0, aqa[27:16]});
      end
      if (cfg_valid && answered_q == 3'd2) begin : AdminSqAsInAqa_A
        assert (cfg.id == '0 && cfg.cqid == '0 && cfg.sq_class == SqAdmin &&
                cfg.size_zb == {4'd0, aqa[11:0]} && cfg.base == {asq[63:12], 6'd0});
      end
      if (cfg_valid) begin : SizesAreLegal_A
        assert (aqa[11:0] != '0 && aqa[27:16] != '0 &&
                {20'd0, aqa[11:0]} < 32'(2 ** PtrW) && {20'd0, aqa[27:16]} < 32'(2 ** PtrW));
      end
      if (cfg_valid && answered_q == 3'd3) begin : MechanismAsInCc_A
        assert (cfg.wrr == (cc[13:11] == 3'b001 && cap_wrr_i));
      end
      if (cfg_valid && answered_q < 3'd4) begin : AmsWasSupported_A
        assert (!UnsupportedAmsIsFatal || cc[13:11] == 3'b000 ||
                (cc[13:11] == 3'b001 && cap_wrr_i));
      end
      // The reports.
      begin : EnabledWhenBroughtUp_A
        assert (enable == (done_q && answered_q == 3'd4 && !on_q));
      end
      begin : DisabledWhenTakenDown_A
        assert (disable_valid == (done_q && answered_q == '0 && on_q));
      end
      if (cfg_valid && on_q) begin : DownOnlyWhenDrained_A assert (drained_q || taken_q || shown_q);
      end
      begin : ClearsAfterEachReset_A
        assert (clear == (done_q && (answered_q == 3'd1 || (answered_q == '0 && on_q))));
      end
      // What is in force.
      begin : GrantsOnlyWhileOn_A assert (hold_all || (on && cc_i[0] && !cfs)); end
      begin : DoorbellsOnlyWhileReady_A assert (!db_allow || (on && cc_i[0] && rdy)); end
      begin : ConfigurationOnlyWhileOn_A assert (!cfg_allow || (on && !cfg_valid)); end
      begin : LiveWhileOn_A assert (!live || on); end
      begin : DrainIsHeld_A assert (!drain || (live && hold_all)); end
      begin : ShutdownHoldsIo_A assert (cc_i[15:14] == '0 || hold_io); end
      if (shst == 2'b10) begin : CompleteShutdownHoldsAll_A assert (hold_all && hold_io); end
      // CSTS.
      begin : ReadyFollowsTheDevice_A
        assert (rdy == (ready_q && (on || disabled_q || (rdy && !on))));
      end
      if (error_q) begin : ErrorIsFatal_A assert (cfs || disable_valid || !on); end
      if (shst == 2'b10 && !ended_q) begin : CompleteWhenSilent_A assert (silent_q); end
      begin : EndingIsShownAsOccurring_A assert (!ending || shst == 2'b01); end
      begin : EnabledAgain_C cover (enable && ended_q); end
      begin : Disabled_C cover (disable_valid && !cc_i[0]); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // Readiness is the device's, and may come later than the report.
      if (rst_ni && on_q) begin : False_A assert (rdy); end
    end
  end

  logic unused;
  assign unused = &{1'b0, cc, aqa, asq, acq, quiescent};
endmodule
`default_nettype wire
