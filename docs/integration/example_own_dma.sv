// SPDX-License-Identifier: Apache-2.0
//
// example_own_dma: registers, doorbells, enable and reset from here, SQE fetch by a DMA of your
// own. Copy the body; the DMA's ports and the device side are what your blocks connect to.
`default_nettype none
module example_own_dma
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 65,
    parameter int PtrW = 12,
    localparam int AddrW = $clog2(4096 + 8 * NumSqs)
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    input  wire logic [63:0]      cap_i,
    input  wire logic [31:0]      vs_i,
    // Host registers: AXI4-Lite slave.
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
    // DMA: the ring base of an SQ that is created, to be kept by sqid.
    output logic                  dma_base_valid_o,
    output logic [15:0]           dma_base_sqid_o,
    output logic [63:6]           dma_base_o,
    // DMA: read grant.count SQEs from base(sqid) + 64 * head; tell each that the device side has.
    output logic                  dma_grant_valid_o,
    input  wire logic             dma_grant_ready_i,
    output grant_t                dma_grant_o,
    input  wire logic             dma_commit_valid_i,
    input  wire logic [15:0]      dma_commit_sqid_i,
    input  wire logic [3:0]       dma_commit_count_i,
    // DMA: a read failed (one clock); nothing of it is committed, and dma_idle_i counts it as over.
    input  wire logic             dma_error_i,
    // DMA: every grant that was taken is committed, or never will be.
    input  wire logic             dma_idle_i,
    // Device side, as on nvmearb_top.
    input  wire logic             dev_cfg_valid_i,
    output logic                  dev_cfg_ready_o,
    input  wire cfg_req_t         dev_cfg_i,
    output logic                  dev_cfg_done_o,
    input  wire logic [3:0]       slot_give_i,
    input  wire logic             complete_valid_i,
    output logic                  complete_ready_o,
    input  wire complete_t        complete_i,
    input  wire logic             device_ready_i,
    input  wire logic             fatal_i,
    input  wire logic             shst_valid_i,
    input  wire logic [1:0]       shst_i,
    output logic                  enable_valid_o,
    output logic [31:0]           enable_cc_o,
    output logic [31:0]           enable_aqa_o,
    output logic [63:0]           enable_asq_o,
    output logic [63:0]           enable_acq_o,
    output logic                  disable_valid_o,
    output logic                  shutdown_valid_o,
    output logic [1:0]            shutdown_shn_o,
    output logic                  db_error_valid_o,
    output logic [7:0]            db_error_info_o,
    output doorbell_t             db_error_o,
    output logic [31:0]           int_mask_o
);
  logic cap_wrr, csts_rdy, csts_cfs, db_allow, cfg_allow, clear, clear_busy;
  logic hold_io, hold_all, drain, live, ending, settled, core_quiescent, cfg_busy;
  logic [1:0] csts_shst;
  logic [31:0] cc, aqa;
  logic [63:0] asq, acq;
  logic db_valid, db_ready, complete_ready;
  doorbell_t db;
  logic seq_cfg_valid, seq_cfg_ready, seq_cfg_done, core_cfg_valid, core_cfg_ready, core_cfg_done;
  cfg_req_t seq_cfg, core_cfg;
  obs_t seen;
  // For clock gating, which this example does not do.
  logic regs_quiescent, seq_quiescent, cfg_pending, wr_held;
  logic [2:0] awake;

  nvmearb_axil_regs #(.NumSqs(NumSqs), .Dstrd(0), .AddrW(AddrW)) u_regs (
      .clk_i, .rst_ni, .cap_i, .vs_i,
      .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i,
      .s_axil_wvalid_i, .s_axil_wready_o, .s_axil_wdata_i, .s_axil_wstrb_i,
      .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_bresp_o,
      .s_axil_arvalid_i, .s_axil_arready_o, .s_axil_araddr_i,
      .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o,
      .cap_wrr_o(cap_wrr), .cc_o(cc), .aqa_o(aqa), .asq_o(asq), .acq_o(acq), .int_mask_o,
      .csts_rdy_i(csts_rdy), .csts_cfs_i(csts_cfs), .csts_shst_i(csts_shst),
      .shn_valid_o(shutdown_valid_o), .shn_o(shutdown_shn_o),
      .db_allow_i(db_allow), .db_valid_o(db_valid), .db_ready_i(db_ready), .db_o(db),
      .wr_held_o(wr_held),
      .obs_db_valid_i(seen.db_valid), .obs_db_i(seen.db), .obs_cfg_valid_i(seen.cfg_valid),
      .obs_cfg_op_i(seen.cfg.op), .obs_cfg_id_i(seen.cfg.id),
      .clear_i(clear), .clear_busy_o(clear_busy), .quiescent_o(regs_quiescent)
  );

  nvmearb_enable_seq #(.PtrW(PtrW)) u_seq (
      .clk_i, .rst_ni, .cc_i(cc), .aqa_i(aqa), .asq_i(asq), .acq_i(acq), .cap_wrr_i(cap_wrr),
      .device_ready_i, .fatal_i, .shst_valid_i, .shst_i, .fetch_error_i(dma_error_i),
      .csts_rdy_o(csts_rdy), .csts_cfs_o(csts_cfs), .csts_shst_o(csts_shst),
      .db_allow_o(db_allow), .cfg_allow_o(cfg_allow), .hold_io_o(hold_io), .hold_all_o(hold_all),
      .drain_o(drain), .live_o(live), .drained_i(settled), .ending_o(ending), .silent_i(settled),
      .cfg_valid_o(seq_cfg_valid), .cfg_ready_i(seq_cfg_ready), .cfg_o(seq_cfg),
      .cfg_done_i(seq_cfg_done), .clear_o(clear), .clear_busy_i(clear_busy),
      .enable_valid_o, .disable_valid_o, .cc_o(enable_cc_o), .aqa_o(enable_aqa_o),
      .asq_o(enable_asq_o), .acq_o(enable_acq_o), .quiescent_o(seq_quiescent)
  );
  // Before a reset and at the end of a shutdown: nothing granted is on its way.
  assign settled = (drain | ending) & core_quiescent & dma_idle_i & !dma_grant_valid_o & !cfg_busy;

  nvmearb_cfg_mux u_cfg (
      .clk_i, .rst_ni,
      .seq_valid_i(seq_cfg_valid), .seq_ready_o(seq_cfg_ready), .seq_cfg_i(seq_cfg),
      .seq_done_o(seq_cfg_done),
      .dev_allow_i(cfg_allow), .dev_valid_i(dev_cfg_valid_i), .dev_ready_o(dev_cfg_ready_o),
      .dev_cfg_i, .dev_done_o(dev_cfg_done_o),
      .core_valid_o(core_cfg_valid), .core_ready_i(core_cfg_ready), .core_cfg_o(core_cfg),
      .core_done_i(core_cfg_done),
      // This DMA commits when the device side has the command: nothing stands in between.
      .sqe_count_i(2'd0), .sqe_take_i(1'b0),
      .busy_o(cfg_busy), .pending_o(cfg_pending)
  );

  nvmearb_core #(.NumSqs(NumSqs), .PtrW(PtrW)) u_core (
      .clk_i, .clk_cfg_i(clk_i), .clk_event_i(clk_i), .clk_grant_i(clk_i), .awake_o(awake),
      .rst_ni,
      .cfg_valid_i(core_cfg_valid), .cfg_ready_o(core_cfg_ready), .cfg_i(core_cfg),
      .cfg_done_o(core_cfg_done),
      .db_valid_i(db_valid), .db_ready_o(db_ready), .db_i(db),
      .err_valid_o(db_error_valid_o), .err_info_o(db_error_info_o), .err_db_o(db_error_o),
      .slot_give_i, .max_count_i(4'd8), .hold_io_i(hold_io), .hold_all_i(hold_all),
      .grant_valid_o(dma_grant_valid_o), .grant_ready_i(dma_grant_ready_i), .grant_o(dma_grant_o),
      .commit_valid_i(dma_commit_valid_i), .commit_sqid_i(dma_commit_sqid_i),
      .commit_count_i(dma_commit_count_i),
      // A completion that meets a reset is taken and dropped.
      .complete_valid_i(complete_valid_i & live), .complete_ready_o(complete_ready), .complete_i,
      .quiescent_o(core_quiescent), .obs_o(seen)
  );
  assign complete_ready_o = complete_ready | !live;

  assign dma_base_valid_o = core_cfg_valid & core_cfg_ready & (core_cfg.op == CfgCreateSq);
  assign dma_base_sqid_o = core_cfg.id;
  assign dma_base_o = core_cfg.base;

  logic unused;
  assign unused = &{1'b0, seen, regs_quiescent, seq_quiescent, cfg_pending, wr_held, awake};
endmodule
`default_nettype wire
