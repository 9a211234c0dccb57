// SPDX-License-Identifier: Apache-2.0
//
// example_top: the whole front end with the least device side that makes it run: it gives all slots
// at each enable and reports ready. What is left for you is the firmware (admin commands, which
// create queues through fw_cfg_*), the media behind the stream, and CQEs.
`default_nettype none
module example_top
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 65,
    parameter int DataW = 128,
    // Commands that the device side can hold, 2..1023.
    parameter int Slots = 64,
    localparam int AddrW = $clog2(4096 + 8 * NumSqs)
) (
    input  wire logic                 clk_i,
    input  wire logic                 rst_ni,
    // Host registers: AXI4-Lite slave. Host memory: AXI4 read master. Commands: AXI4-Stream.
    input  wire logic                 s_axil_awvalid_i,
    output logic                      s_axil_awready_o,
    input  wire logic [AddrW-1:0] s_axil_awaddr_i,
    input  wire logic                 s_axil_wvalid_i,
    output logic                      s_axil_wready_o,
    input  wire logic [31:0]          s_axil_wdata_i,
    input  wire logic [3:0]           s_axil_wstrb_i,
    output logic                      s_axil_bvalid_o,
    input  wire logic                 s_axil_bready_i,
    output logic [1:0]                s_axil_bresp_o,
    input  wire logic                 s_axil_arvalid_i,
    output logic                      s_axil_arready_o,
    input  wire logic [AddrW-1:0] s_axil_araddr_i,
    output logic                      s_axil_rvalid_o,
    input  wire logic                 s_axil_rready_i,
    output logic [31:0]               s_axil_rdata_o,
    output logic [1:0]                s_axil_rresp_o,
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
    output logic                      m_axis_sqe_tvalid_o,
    input  wire logic                 m_axis_sqe_tready_i,
    output logic [511:0]              m_axis_sqe_tdata_o,
    output sqe_user_t                 m_axis_sqe_tuser_o,
    // Firmware: configuration requests, and the admin queues of this enable.
    input  wire logic                 fw_cfg_valid_i,
    output logic                      fw_cfg_ready_o,
    input  wire cfg_req_t             fw_cfg_i,
    output logic                      fw_cfg_done_o,
    output logic                      fw_enable_o,
    output logic                      fw_disable_o,
    output logic [63:0]               fw_asq_o,
    output logic [63:0]               fw_acq_o,
    output logic [31:0]               fw_aqa_o,
    // Media: a command of the stream is done and its CQE is written.
    input  wire logic                 done_valid_i,
    output logic                      done_ready_o,
    input  wire logic [15:0]          done_sqid_i,
    input  wire logic [15:0]          done_cqid_i,
    // Asynchronous events for refused doorbells.
    output logic                      aer_valid_o,
    output logic [7:0]                aer_info_o
);
  // CAP: NVM command set, DSTRD 0, TO 2 * 500 ms, AMS weighted round robin, CQR, MQES 4096 entries.
  localparam logic [63:0] Cap = {26'd0, 1'b1, 1'b0, 4'd0, 8'd2, 5'd0, 2'b01, 1'b1, 16'd4095};
  localparam logic [31:0] Vs = 32'h0002_0100;  // NVMe 2.1

  logic enable, disable_pulse, ready_q;
  logic [9:0] to_give_q;  // slots that this enable still has to hand over
  logic [3:0] give, returned;
  complete_t done;
  logic [5:0] awake;
  logic [31:0] cc, int_mask;
  logic shutdown_valid, fetch_error_valid, quiescent;
  logic [1:0] shutdown_shn;
  logic [15:0] fetch_error_sqid;
  doorbell_t db_error;
  obs_t seen;

  // A slot comes back with each completion; until then the stream brings no more than Slots.
  assign returned = {3'd0, ready_q & done_valid_i & done_ready_o};
  assign give = (to_give_q != '0) ? ((to_give_q > 10'd8) ? 4'd8 : to_give_q[3:0]) : 4'd0;
  assign done.sqid = done_sqid_i;
  assign done.cqid = done_cqid_i;
  assign done.posted = 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      to_give_q <= '0;
    end else if (disable_pulse) begin
      ready_q <= 1'b0;
      to_give_q <= '0;
    end else begin
      if (enable) begin
        ready_q <= 1'b1;
        to_give_q <= 10'(Slots);
      end else begin
        to_give_q <= to_give_q - {6'd0, give};
      end
    end
  end

  nvmearb_top #(
      .NumSqs(NumSqs),
      .PtrW  (12),
      .DataW (DataW)
  ) u_front_end (
      .clk_regs_i         (clk_i),
      .clk_ctrl_i         (clk_i),
      .clk_core_i         (clk_i),
      .clk_fetch_i        (clk_i),
      .clk_event_i        (clk_i),
      .clk_grant_i        (clk_i),
      .awake_o            (awake),
      .rst_ni,
      .cap_i              (Cap),
      .vs_i               (Vs),
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
      .dev_cfg_valid_i    (fw_cfg_valid_i),
      .dev_cfg_ready_o    (fw_cfg_ready_o),
      .dev_cfg_i          (fw_cfg_i),
      .dev_cfg_done_o     (fw_cfg_done_o),
      .slot_give_i        (give + returned),
      .max_count_i        (4'd8),
      .complete_valid_i   (done_valid_i),
      .complete_ready_o   (done_ready_o),
      .complete_i         (done),
      .device_ready_i     (ready_q),
      .fatal_i            (1'b0),
      .shst_valid_i       (shutdown_valid),
      .shst_i             (2'b10),  // nothing to flush: shutdown is complete at once
      .enable_valid_o     (enable),
      .enable_cc_o        (cc),
      .enable_aqa_o       (fw_aqa_o),
      .enable_asq_o       (fw_asq_o),
      .enable_acq_o       (fw_acq_o),
      .disable_valid_o    (disable_pulse),
      .shutdown_valid_o   (shutdown_valid),
      .shutdown_shn_o     (shutdown_shn),
      .db_error_valid_o   (aer_valid_o),
      .db_error_info_o    (aer_info_o),
      .db_error_o         (db_error),
      .fetch_error_valid_o(fetch_error_valid),
      .fetch_error_sqid_o (fetch_error_sqid),
      .int_mask_o         (int_mask),
      .quiescent_o        (quiescent),
      .obs_o              (seen)
  );
  assign fw_enable_o = enable;
  assign fw_disable_o = disable_pulse;

  logic unused;
  assign unused = &{1'b0, awake, cc, int_mask, shutdown_shn, fetch_error_valid, fetch_error_sqid,
                    quiescent, db_error, seen};
endmodule
`default_nettype wire
