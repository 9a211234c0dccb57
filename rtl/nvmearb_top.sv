// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_top: NVMe submission front end: registers, doorbells, arbitration and SQE fetch.
//
// Purpose: everything of an NVMe controller between the host's register writes and whole commands,
//  for a device that brings firmware and media. Wiring only: nvmearb_axil_regs, nvmearb_enable_seq,
//  nvmearb_cfg_mux, nvmearb_core, nvmearb_axi_fetch.
// Behaviour: see those modules. In short: the host enables the controller over AXI4-Lite;
//  enable_valid_o tells the device side, which creates I/O queues over dev_cfg_*, gives command
//  slots and says device_ready_i. Doorbells lead to grants, grants to AXI4 reads, reads to commands
//  on m_axis_sqe_*. The device side reports each command that left on complete_*, and gives its
//  slot back on slot_give_i. A completion that meets a reset is taken and dropped.
// Requires: on disable_valid_o the device side withdraws dev_cfg_valid_i, gives no slots and
//  completes nothing of the old life, and drops device_ready_i.
// Timing: one clock domain, which may be gated per block. All outputs come from registers: none
//  depends combinationally on an input. Reset is synchronous: rst_ni is low at one edge of each
//  clock at least.
// Spec: NVMe Base 2.1, NVMe over PCIe Transport; AMBA AXI4, AXI4-Lite, AXI4-Stream.
`default_nettype none
module nvmearb_top
  import nvmearb_pkg::*;
#(
    // Number of SQs including SQ 0, and of CQs: 2..1024, any number.
    parameter int NumSqs = 16,
    // Largest queue is 2^PtrW entries, 2..16.
    parameter int PtrW = 16,
    // At most 2^SlotW - 1 command slots, 4..16.
    parameter int SlotW = 10,
    // Doorbell stride 2^(2+Dstrd) bytes, 0..15; equals CAP.DSTRD.
    parameter int Dstrd = 0,
    // Width of the AXI4 read data bus: 64, 128, 256 or 512.
    parameter int DataW = 512,
    // Outstanding read bursts, 1..256.
    parameter int MaxReads = 32,
    // 1: registers between the memory of ring bases, the address adder and what follows it in the
    // fetch engine. 0: AR two clocks earlier, at less than half the clock frequency.
    parameter bit FetchAddrReg = 1'b1,
    // 1: an unsupported CC.AMS sets CSTS.CFS; 0: it runs round robin.
    parameter bit UnsupportedAmsIsFatal = 1'b0,
    // Width of the register address: reaches every doorbell by default, 13..32.
    parameter int AxilAddrW = $clog2(4096 + (8 << Dstrd) * NumSqs)
) (
    // One clock in six copies; without clock gating all six are the same net. A copy may stand
    // still at an edge at which its bit of awake_o is 0 and no input of its block is active:
    input  wire logic                 clk_regs_i,   // [0] s_axil_awvalid_i, _wvalid_i, _arvalid_i
    input  wire logic                 clk_ctrl_i,   // [1] dev_cfg_valid_i, fatal_i, shst_valid_i,
                                                    //     a change of device_ready_i
    input  wire logic                 clk_core_i,   // [2] s_axil_awvalid_i, _wvalid_i, slot_give_i,
                                                    //     complete_valid_i, m_axi_rvalid_i
    input  wire logic                 clk_fetch_i,  // [3] m_axi_rvalid_i
    input  wire logic                 clk_event_i,  // [4] as [2] without slot_give_i
    input  wire logic                 clk_grant_i,  // [5] slot_give_i
    output logic [5:0]                awake_o,      // from registers only
    input  wire logic                 rst_ni,
    // Straps: CAP and VS.
    input  wire logic [63:0]          cap_i,
    input  wire logic [31:0]          vs_i,
    // Host registers: AXI4-Lite slave.
    input  wire logic                 s_axil_awvalid_i,
    output logic                      s_axil_awready_o,
    input  wire logic [AxilAddrW-1:0] s_axil_awaddr_i,
    input  wire logic                 s_axil_wvalid_i,
    output logic                      s_axil_wready_o,
    input  wire logic [31:0]          s_axil_wdata_i,
    input  wire logic [3:0]           s_axil_wstrb_i,
    output logic                      s_axil_bvalid_o,
    input  wire logic                 s_axil_bready_i,
    output logic [1:0]                s_axil_bresp_o,
    input  wire logic                 s_axil_arvalid_i,
    output logic                      s_axil_arready_o,
    input  wire logic [AxilAddrW-1:0] s_axil_araddr_i,
    output logic                      s_axil_rvalid_o,
    input  wire logic                 s_axil_rready_i,
    output logic [31:0]               s_axil_rdata_o,
    output logic [1:0]                s_axil_rresp_o,
    // Host memory: AXI4 read master.
    output logic                      m_axi_arvalid_o,
    input  wire logic                 m_axi_arready_i,
    output logic [63:0]               m_axi_araddr_o,
    output logic [7:0]                m_axi_arlen_o,
    output logic [2:0]                m_axi_arsize_o,
    output logic [1:0]                m_axi_arburst_o,
    output logic [3:0]                m_axi_arcache_o,
    output logic [2:0]                m_axi_arprot_o,
    input  wire logic                 m_axi_rvalid_i,
    output logic                      m_axi_rready_o,
    input  wire logic [DataW-1:0]     m_axi_rdata_i,
    input  wire logic [1:0]           m_axi_rresp_i,
    input  wire logic                 m_axi_rlast_i,
    // Commands: AXI4-Stream, one SQE a transfer.
    output logic                      m_axis_sqe_tvalid_o,
    input  wire logic                 m_axis_sqe_tready_i,
    output logic [511:0]              m_axis_sqe_tdata_o,
    output sqe_user_t                 m_axis_sqe_tuser_o,
    // Device side: configuration, answered by dev_cfg_done_o.
    input  wire logic                 dev_cfg_valid_i,
    output logic                      dev_cfg_ready_o,
    input  wire cfg_req_t             dev_cfg_i,
    output logic                      dev_cfg_done_o,
    // Device side: command slots handed over in this clock; largest count of a grant, 1..8.
    input  wire logic [3:0]           slot_give_i,
    input  wire logic [3:0]           max_count_i,
    // Device side: a command has left.
    input  wire logic                 complete_valid_i,
    output logic                      complete_ready_o,
    input  wire complete_t            complete_i,
    // Device side: status of the controller.
    input  wire logic                 device_ready_i,
    input  wire logic                 fatal_i,
    input  wire logic                 shst_valid_i,
    input  wire logic [1:0]           shst_i,
    // To the device side: enable with its properties, disable, shutdown notification (one clock
    // each).
    output logic                      enable_valid_o,
    output logic [31:0]               enable_cc_o,
    output logic [31:0]               enable_aqa_o,
    output logic [63:0]               enable_asq_o,
    output logic [63:0]               enable_acq_o,
    output logic                      disable_valid_o,
    output logic                      shutdown_valid_o,
    output logic [1:0]                shutdown_shn_o,
    // To the device side: refused doorbells, failed SQE reads (one clock each), masked interrupts.
    output logic                      db_error_valid_o,
    output logic [7:0]                db_error_info_o,
    output doorbell_t                 db_error_o,
    output logic                      fetch_error_valid_o,
    output logic [15:0]               fetch_error_sqid_o,
    output logic [31:0]               int_mask_o,
    // Nothing changes at the next edge unless an input does; from registers only.
    output logic                      quiescent_o,
    // Every decision, doorbell, fetch and commit.
    output obs_t                      obs_o
);
  logic [31:0] cc, aqa;
  logic [63:0] asq, acq;
  logic cap_wrr, csts_rdy, csts_cfs, db_allow, cfg_allow, clear, clear_busy, drain, live;
  logic [1:0] csts_shst;
  logic db_valid, db_ready;
  doorbell_t db;
  logic hold_io, hold_seq, hold_fetch;
  logic seq_cfg_valid, seq_cfg_ready, seq_cfg_done, cfg_busy;
  logic core_cfg_valid, core_cfg_ready, core_cfg_done;
  cfg_req_t seq_cfg, core_cfg;
  logic grant_valid, grant_ready, commit_valid;
  grant_t grant;
  logic [15:0] commit_sqid;
  logic [3:0] commit_count;
  logic [1:0] sqe_count;
  logic complete_ready, cfg_pending, ending, silent, drained, sqe_take, wr_held;
  logic [2:0] core_awake;
  logic regs_quiescent, seq_quiescent, core_quiescent, fetch_quiescent, fetch_idle, fetch_silent;

  always_comb begin
    silent = 1'b0;
    drained = 1'b0;
    if (drain | ending) begin
      silent = core_quiescent & fetch_silent & !grant_valid;
      drained = core_quiescent & fetch_idle & !grant_valid & !cfg_busy;
    end
  end

  // Quasi-static: its register keeps the pin out of the decision logic.
  logic [3:0] max_count_q;
  always_ff @(posedge clk_core_i) begin
    if (!rst_ni) max_count_q <= 4'd1;
    else max_count_q <= max_count_i;
  end

  nvmearb_axil_regs #(
      .NumSqs(NumSqs),
      .Dstrd (Dstrd),
      .AddrW (AxilAddrW)
  ) u_regs (
      .clk_i(clk_regs_i),
      .rst_ni,
      .cap_i,
      .vs_i,
      .s_axil_awvalid_i,
      .s_axil_awready_o,
      .s_axil_awaddr_i,
      .s_axil_wvalid_i,
      .s_axil_wready_o,
      .s_axil_wdata_i,
      .s_axil_wstrb_i,
      .s_axil_bvalid_o,
      .s_axil_bready_i,
      .s_axil_bresp_o,
      .s_axil_arvalid_i,
      .s_axil_arready_o,
      .s_axil_araddr_i,
      .s_axil_rvalid_o,
      .s_axil_rready_i,
      .s_axil_rdata_o,
      .s_axil_rresp_o,
      .cap_wrr_o      (cap_wrr),
      .cc_o           (cc),
      .aqa_o          (aqa),
      .asq_o          (asq),
      .acq_o          (acq),
      .int_mask_o,
      .csts_rdy_i     (csts_rdy),
      .csts_cfs_i     (csts_cfs),
      .csts_shst_i    (csts_shst),
      .shn_valid_o    (shutdown_valid_o),
      .shn_o          (shutdown_shn_o),
      .db_allow_i     (db_allow),
      .db_valid_o     (db_valid),
      .db_ready_i     (db_ready),
      .db_o           (db),
      .wr_held_o      (wr_held),
      .obs_db_valid_i (obs_o.db_valid),
      .obs_db_i       (obs_o.db),
      .obs_cfg_valid_i(obs_o.cfg_valid),
      .obs_cfg_op_i   (obs_o.cfg.op),
      .obs_cfg_id_i   (obs_o.cfg.id),
      .clear_i        (clear),
      .clear_busy_o   (clear_busy),
      .quiescent_o    (regs_quiescent)
  );

  nvmearb_enable_seq #(
      .PtrW                 (PtrW),
      .UnsupportedAmsIsFatal(UnsupportedAmsIsFatal)
  ) u_seq (
      .clk_i(clk_ctrl_i),
      .rst_ni,
      .cc_i           (cc),
      .aqa_i          (aqa),
      .asq_i          (asq),
      .acq_i          (acq),
      .cap_wrr_i      (cap_wrr),
      .device_ready_i,
      .fatal_i,
      .shst_valid_i,
      .shst_i,
      .fetch_error_i  (fetch_error_valid_o),
      .csts_rdy_o     (csts_rdy),
      .csts_cfs_o     (csts_cfs),
      .csts_shst_o    (csts_shst),
      .db_allow_o     (db_allow),
      .cfg_allow_o    (cfg_allow),
      .hold_io_o      (hold_io),
      .hold_all_o     (hold_seq),
      .drain_o        (drain),
      .live_o         (live),
      .drained_i      (drained),
      .ending_o       (ending),
      .silent_i       (silent),
      .cfg_valid_o    (seq_cfg_valid),
      .cfg_ready_i    (seq_cfg_ready),
      .cfg_o          (seq_cfg),
      .cfg_done_i     (seq_cfg_done),
      .clear_o        (clear),
      .clear_busy_i   (clear_busy),
      .enable_valid_o,
      .disable_valid_o,
      .cc_o           (enable_cc_o),
      .aqa_o          (enable_aqa_o),
      .asq_o          (enable_asq_o),
      .acq_o          (enable_acq_o),
      .quiescent_o    (seq_quiescent)
  );

  nvmearb_cfg_mux u_cfg (
      .clk_i(clk_ctrl_i),
      .rst_ni,
      .seq_valid_i (seq_cfg_valid),
      .seq_ready_o (seq_cfg_ready),
      .seq_cfg_i   (seq_cfg),
      .seq_done_o  (seq_cfg_done),
      .dev_allow_i (cfg_allow),
      .dev_valid_i (dev_cfg_valid_i),
      .dev_ready_o (dev_cfg_ready_o),
      .dev_cfg_i,
      .dev_done_o  (dev_cfg_done_o),
      .core_valid_o(core_cfg_valid),
      .core_ready_i(core_cfg_ready),
      .core_cfg_o  (core_cfg),
      .core_done_i (core_cfg_done),
      .sqe_count_i (sqe_count),
      .sqe_take_i  (sqe_take),
      .busy_o      (cfg_busy),
      .pending_o   (cfg_pending)
  );

  nvmearb_core #(
      .NumSqs(NumSqs),
      .PtrW  (PtrW),
      .SlotW (SlotW)
  ) u_core (
      .clk_i(clk_core_i),
      .clk_cfg_i(clk_ctrl_i),
      .clk_event_i,
      .clk_grant_i,
      .awake_o(core_awake),
      .rst_ni,
      .cfg_valid_i   (core_cfg_valid),
      .cfg_ready_o   (core_cfg_ready),
      .cfg_i         (core_cfg),
      .cfg_done_o    (core_cfg_done),
      .db_valid_i    (db_valid),
      .db_ready_o    (db_ready),
      .db_i          (db),
      .err_valid_o   (db_error_valid_o),
      .err_info_o    (db_error_info_o),
      .err_db_o      (db_error_o),
      .slot_give_i,
      .max_count_i   (max_count_q),
      .hold_io_i     (hold_io),
      .hold_all_i    (hold_seq | hold_fetch),
      .grant_valid_o (grant_valid),
      .grant_ready_i (grant_ready),
      .grant_o       (grant),
      .commit_valid_i(commit_valid),
      .commit_sqid_i (commit_sqid),
      .commit_count_i(commit_count),
      .complete_valid_i(complete_valid_i & live),
      .complete_ready_o(complete_ready),
      .complete_i,
      .quiescent_o   (core_quiescent),
      .obs_o
  );

  nvmearb_axi_fetch #(
      .NumSqs  (NumSqs),
      .PtrW    (PtrW),
      .DataW   (DataW),
      .MaxReads(MaxReads),
      .AddrReg (FetchAddrReg)
  ) u_fetch (
      .clk_i(clk_fetch_i),
      .rst_ni,
      .base_valid_i  (core_cfg_valid & core_cfg_ready & (core_cfg.op == CfgCreateSq)),
      .base_sqid_i   (core_cfg.id),
      .base_i        (core_cfg.base),
      .clear_i       (clear),
      .drain_i       (drain),
      .grant_valid_i (grant_valid),
      .grant_ready_o (grant_ready),
      .grant_i       (grant),
      .hold_o        (hold_fetch),
      .commit_valid_o(commit_valid),
      .commit_sqid_o (commit_sqid),
      .commit_count_o(commit_count),
      .m_axi_arvalid_o,
      .m_axi_arready_i,
      .m_axi_araddr_o,
      .m_axi_arlen_o,
      .m_axi_arsize_o,
      .m_axi_arburst_o,
      .m_axi_arcache_o,
      .m_axi_arprot_o,
      .m_axi_rvalid_i,
      .m_axi_rready_o,
      .m_axi_rdata_i,
      .m_axi_rresp_i,
      .m_axi_rlast_i,
      .m_axis_sqe_tvalid_o,
      .m_axis_sqe_tready_i,
      .m_axis_sqe_tdata_o,
      .m_axis_sqe_tuser_o,
      .sqe_count_o   (sqe_count),
      .sqe_take_o    (sqe_take),
      .err_valid_o   (fetch_error_valid_o),
      .err_sqid_o    (fetch_error_sqid_o),
      .silent_o      (fetch_silent),
      .idle_o        (fetch_idle),
      .quiescent_o   (fetch_quiescent)
  );

  // A completion that meets a reset belongs to queues that are gone: it is taken and dropped.
  assign complete_ready_o = complete_ready | !live;

  // Clock gating. Outside of normal running everything is awake.
  logic steady;
  assign steady = csts_rdy & !hold_io & !hold_seq & !hold_fetch;
  always_comb begin
    awake_o = '0;
    if (steady) begin
      awake_o = {core_awake[2] | core_cfg_valid,
                 core_awake[1] | core_cfg_valid | wr_held,
                 !fetch_quiescent | core_cfg_valid | grant_valid | m_axi_arvalid_o |
                 m_axis_sqe_tvalid_o,
                 core_awake != '0 | core_cfg_valid | wr_held,
                 !seq_quiescent | cfg_busy | fetch_error_valid_o | core_awake[0],
                 !regs_quiescent | obs_o.db_valid | obs_o.cfg_valid};
    end else if (!(regs_quiescent & seq_quiescent & core_quiescent & fetch_quiescent &
                   !cfg_pending)) begin
      awake_o = '1;
    end
  end
  assign quiescent_o = awake_o == '0;
endmodule
`default_nettype wire
