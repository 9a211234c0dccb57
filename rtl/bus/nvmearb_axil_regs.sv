// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_axil_regs: controller properties and doorbells of an NVMe controller on AXI4-Lite.
//
// Purpose: the host's view of the controller: CAP VS INTMS INTMC CC CSTS AQA ASQ ACQ and the
//  doorbells.
// Behaviour:
//  1. Properties as in NVMe Base 2.1 section 3.1.4; byte strobes are honoured, reserved bits and
//     unimplemented offsets read 0, writes to read-only properties are ignored.
//  2. A CC write that clears EN sets CC and the interrupt mask to 0 at once (Controller Reset);
//     AQA, ASQ and ACQ keep their values. A later CC write is kept, and acted upon when the reset
//     is finished.
//  3. A doorbell write of a whole dword is handed to db_* while db_allow_i; doorbells of I/O queues
//     are not once CC.SHN is set. Everything else in doorbell space is ignored: partial writes,
//     gaps (DSTRD > 0). Bits 31:16 are ignored. Any QID that the address reaches is handed on; the
//     core refuses unknown ones.
//  4. A doorbell read returns the last accepted value, 0 after reset and after create or delete. It
//     waits DbSettleClocks after the last doorbell, so that it sees the ones before it.
//  5. shn_valid_o pulses when a CC write sets SHN to 01b or 10b from another value.
// Guarantees: writes act in order, reads after the writes before them (see nvmearb_axil_port); a
//  doorbell offered on db_* is held until taken unless db_allow_i falls (DoorbellIsAligned_A).
// Requires: cap_i, vs_i stable; cap_i[35:32] equals Dstrd (CapMatchesDstrd_M).
// Timing: a doorbell is on db_* in the clock in which the second of AW and W is; B in the clock
//  after db_ready_i. One doorbell per clock. No path from AXI inputs to AXI outputs.
// Spec: NVMe Base 2.1 3.1.4; NVMe over PCIe Transport 3.1.2 (doorbells).
`default_nettype none
module nvmearb_axil_regs
  import nvmearb_pkg::*;
#(
    // Number of SQs and of CQs, 2..1024.
    parameter int NumSqs = 16,
    // Doorbell stride 2^(2+Dstrd) bytes, 0..15; equals CAP.DSTRD.
    parameter int Dstrd = 0,
    // Width of the byte address, 13..32; reaches all doorbells.
    parameter int AddrW = 14,
    // Clocks between a doorbell handshake and its event on obs, at most; 1..63.
    parameter int DbSettleClocks = 16
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // Straps: what CAP and VS read.
    input  wire logic [63:0]      cap_i,
    input  wire logic [31:0]      vs_i,
    // AXI4-Lite slave.
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
    // CAP.AMS[0].
    output logic                  cap_wrr_o,
    // Property values.
    output logic [31:0]           cc_o,
    output logic [31:0]           aqa_o,
    output logic [63:0]           asq_o,
    output logic [63:0]           acq_o,
    // Interrupt vectors that are masked (INTMS/INTMC).
    output logic [31:0]           int_mask_o,
    // CSTS.
    input  wire logic             csts_rdy_i,
    input  wire logic             csts_cfs_i,
    input  wire logic [1:0]       csts_shst_i,
    // A new shutdown notification.
    output logic                  shn_valid_o,
    output logic [1:0]            shn_o,
    // Doorbells are in force: enabled, ready, not shut down.
    input  wire logic             db_allow_i,
    // Doorbells for the core, in order.
    output logic                  db_valid_o,
    input  wire logic             db_ready_i,
    output doorbell_t             db_o,
    // A whole write is held, from registers: db_valid_o may be high without an AXI input.
    output logic                  wr_held_o,
    // What became of them, and of the queues; clear_i forgets all values.
    input  wire logic             obs_db_valid_i,
    input  wire doorbell_t        obs_db_i,
    input  wire logic             obs_cfg_valid_i,
    input  wire cfg_op_e          obs_cfg_op_i,
    input  wire logic [15:0]      obs_cfg_id_i,
    input  wire logic             clear_i,
    output logic                  clear_busy_o,
    // Nothing changes at the next edge unless an input does.
    output logic                  quiescent_o
);
  if (Dstrd < 0 || Dstrd > 15) begin : gen_bad_dstrd
    nvmearb_error_axil_regs_dstrd_has_to_be_in_0_15 u_error ();
  end
  if (AddrW < 13 || AddrW > 32) begin : gen_bad_addrw
    nvmearb_error_axil_regs_addrw_has_to_be_in_13_32 u_error ();
  end
  if (64'd4096 + ((64'd8 * 64'(NumSqs)) << Dstrd) > (64'd1 << AddrW)) begin : gen_bad_reach
    nvmearb_error_axil_regs_addrw_too_small_for_doorbells_of_numsqs u_error ();
  end
  if (DbSettleClocks < 1 || DbSettleClocks > 63) begin : gen_bad_dbsettleclocks
    nvmearb_error_axil_regs_dbsettleclocks_has_to_be_in_1_63 u_error ();
  end

  // Dword offsets of the properties.
  localparam logic [9:0] OffCapLo = 10'h000;
  localparam logic [9:0] OffCapHi = 10'h001;
  localparam logic [9:0] OffVs = 10'h002;
  localparam logic [9:0] OffIntms = 10'h003;
  localparam logic [9:0] OffIntmc = 10'h004;
  localparam logic [9:0] OffCc = 10'h005;
  localparam logic [9:0] OffCsts = 10'h007;
  localparam logic [9:0] OffAqa = 10'h009;
  localparam logic [9:0] OffAsqLo = 10'h00a;
  localparam logic [9:0] OffAsqHi = 10'h00b;
  localparam logic [9:0] OffAcqLo = 10'h00c;
  localparam logic [9:0] OffAcqHi = 10'h00d;

  // Writable bits. CC.CRIME only where CAP.CRMS is 11b.
  localparam logic [31:0] CcMask = 32'h00ff_fff1;
  localparam logic [31:0] AqaMask = 32'h0fff_0fff;
  localparam logic [31:0] QueueBaseLoMask = 32'hffff_f000;
  localparam int CcCrimeBit = 24;

  logic wr_valid, wr_ready, wr_fire, rd_valid, rd_ready, rd_done, port_idle;
  logic [AddrW-1:0] wr_addr, rd_addr;
  logic [31:0] wr_data, wr_bits, rd_data;
  logic [3:0] wr_strb;

  nvmearb_axil_port #(
      .AddrW(AddrW)
  ) u_port (
      .clk_i,
      .rst_ni,
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
      .wr_valid_o(wr_valid),
      .wr_ready_i(wr_ready),
      .wr_addr_o (wr_addr),
      .wr_data_o (wr_data),
      .wr_strb_o (wr_strb),
      .rd_valid_o(rd_valid),
      .rd_ready_i(rd_ready),
      .rd_addr_o (rd_addr),
      .rd_done_i (rd_done),
      .rd_data_i (rd_data),
      .wr_held_o,
      .idle_o    (port_idle)
  );

  // Doorbells: index 2y is the tail of SQ y, 2y+1 the head of CQ y.
  localparam int IndexShift = 2 + Dstrd;
  logic wr_is_db, wr_on_stride, rd_is_db, rd_on_stride;
  logic [31:0] wr_index, rd_index;
  logic [AddrW-1:0] wr_dword, rd_dword;
  // Only looked at while there is an access.
  always_comb begin
    wr_is_db = 1'b0;
    wr_on_stride = 1'b0;
    wr_index = '0;
    if (wr_valid) begin
      wr_is_db = |wr_addr[AddrW-1:12];
      wr_index = (32'(wr_addr) - 32'h1000) >> IndexShift;
      wr_on_stride = ((wr_index << IndexShift) + 32'h1000) == 32'(wr_dword);
    end
    rd_is_db = 1'b0;
    rd_on_stride = 1'b0;
    rd_index = '0;
    if (rd_valid) begin
      rd_is_db = |rd_addr[AddrW-1:12];
      rd_index = (32'(rd_addr) - 32'h1000) >> IndexShift;
      rd_on_stride = ((rd_index << IndexShift) + 32'h1000) == 32'(rd_dword);
    end
  end
  assign wr_dword = {wr_addr[AddrW-1:2], 2'b00};
  assign rd_dword = {rd_addr[AddrW-1:2], 2'b00};

  logic [31:0] cc_q, aqa_q, mask_q;
  logic [63:0] asq_q, acq_q;
  logic db_wanted;
  assign db_o.is_cq = wr_index[0];
  assign db_o.qid = wr_index[16:1];
  assign db_o.value = wr_data[15:0];
  always_comb begin
    db_wanted = 1'b0;
    if (wr_valid & wr_is_db) begin
      db_wanted = wr_on_stride & (wr_index[31:17] == '0) & (&wr_strb) & db_allow_i &
                  ((wr_index[16:1] == '0) | (cc_q[15:14] == '0));
    end
  end
  assign db_valid_o = db_wanted;
  assign wr_ready = !db_wanted | db_ready_i;
  assign wr_fire = wr_valid & wr_ready & !wr_is_db;

  // Straps, taken once per clock: no combinational path from a pin.
  logic [63:0] cap_q;
  logic [31:0] vs_q;
  always_ff @(posedge clk_i) begin
    cap_q <= cap_i;
    vs_q <= vs_i;
  end
  assign cap_wrr_o = cap_q[17];

  // Property writes.
  logic [31:0] cc_new, cc_mask;
  always_comb begin
    wr_bits = '0;
    cc_new = '0;
    if (wr_fire) begin
      wr_bits = {{8{wr_strb[3]}}, {8{wr_strb[2]}}, {8{wr_strb[1]}}, {8{wr_strb[0]}}};
      cc_new = (cc_q & ~wr_bits) | (wr_data & wr_bits & cc_mask);
    end
  end
  assign cc_mask = CcMask | (32'(&cap_i[60:59]) << CcCrimeBit);

  logic shn_valid_q;
  logic [1:0] shn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cc_q <= '0;
      aqa_q <= '0;
      asq_q <= '0;
      acq_q <= '0;
      mask_q <= '0;
      shn_valid_q <= 1'b0;
      shn_q <= '0;
    end else begin
      shn_valid_q <= 1'b0;
      if (wr_fire) begin
        case (wr_addr[11:2])
          OffIntms: mask_q <= mask_q | (wr_data & wr_bits);
          OffIntmc: mask_q <= mask_q & ~(wr_data & wr_bits);
          OffCc: begin
            cc_q <= cc_new;
            shn_valid_q <= (cc_new[15:14] != cc_q[15:14]) & (^cc_new[15:14]);
            shn_q <= cc_new[15:14];
            if (cc_q[0] & !cc_new[0]) begin
              cc_q <= '0;
              mask_q <= '0;
            end
          end
          OffAqa: aqa_q <= (aqa_q & ~wr_bits) | (wr_data & wr_bits & AqaMask);
          OffAsqLo: asq_q[31:0] <= (asq_q[31:0] & ~wr_bits) | (wr_data & wr_bits & QueueBaseLoMask);
          OffAsqHi: asq_q[63:32] <= (asq_q[63:32] & ~wr_bits) | (wr_data & wr_bits);
          OffAcqLo: acq_q[31:0] <= (acq_q[31:0] & ~wr_bits) | (wr_data & wr_bits & QueueBaseLoMask);
          OffAcqHi: acq_q[63:32] <= (acq_q[63:32] & ~wr_bits) | (wr_data & wr_bits);
          default: ;
        endcase
      end
    end
  end

  // Reads: one clock for the doorbell memories, then the answer.
  logic [5:0] settle_q;
  logic rd_busy_q, rd_is_db_q, shadow_idle;
  logic [31:0] rd_value, rd_value_q;
  logic [15:0] shadow_data;

  always_comb begin
    rd_value = '0;
    if (rd_valid & !rd_is_db) begin
      case (rd_addr[11:2])
        OffCapLo: rd_value = cap_q[31:0];
        OffCapHi: rd_value = cap_q[63:32];
        OffVs: rd_value = vs_q;
        OffIntms, OffIntmc: rd_value = mask_q;
        OffCc: rd_value = cc_q;
        OffCsts: rd_value = {28'd0, csts_shst_i, csts_cfs_i, csts_rdy_i};
        OffAqa: rd_value = aqa_q;
        OffAsqLo: rd_value = asq_q[31:0];
        OffAsqHi: rd_value = asq_q[63:32];
        OffAcqLo: rd_value = acq_q[31:0];
        OffAcqHi: rd_value = acq_q[63:32];
        default: rd_value = '0;
      endcase
    end
  end

  assign rd_ready = !rd_is_db | (settle_q == '0);
  assign rd_done = rd_busy_q;
  assign rd_data = rd_is_db_q ? {16'd0, shadow_data} : rd_value_q;

  nvmearb_db_shadow #(
      .NumSqs(NumSqs)
  ) u_shadow (
      .clk_i,
      .rst_ni,
      .clear_i,
      .busy_o     (clear_busy_o),
      .cfg_valid_i(obs_cfg_valid_i),
      .cfg_op_i   (obs_cfg_op_i),
      .cfg_id_i   (obs_cfg_id_i),
      .db_valid_i (obs_db_valid_i),
      .db_i       (obs_db_i),
      .rd_i       (rd_valid),
      .rd_is_cq_i (rd_index[0]),
      .rd_qid_i   (rd_index[16:1]),
      .rd_data_o  (shadow_data),
      .idle_o     (shadow_idle)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      settle_q <= '0;
      rd_busy_q <= 1'b0;
      rd_is_db_q <= 1'b0;
      rd_value_q <= '0;
    end else begin
      if (db_valid_o & db_ready_i) settle_q <= 6'(DbSettleClocks);
      else if (rd_valid && settle_q != '0) settle_q <= settle_q - 1'b1;
      rd_busy_q <= rd_valid & rd_ready;
      if (rd_valid & rd_ready) begin
        rd_is_db_q <= rd_is_db & rd_on_stride & (rd_index[31:17] == '0);
        rd_value_q <= rd_value;
      end
    end
  end

  assign cc_o = cc_q;
  assign aqa_o = aqa_q;
  assign asq_o = asq_q;
  assign acq_o = acq_q;
  assign int_mask_o = mask_q;
  assign shn_valid_o = shn_valid_q;
  assign shn_o = shn_q;
  assign quiescent_o = port_idle & shadow_idle & !shn_valid_q;

  logic unused_address;
  assign unused_address = &{1'b0, wr_addr[1:0], rd_addr[1:0]};

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      begin : CapMatchesDstrd_M
        assert (cap_i[35:32] == 4'(Dstrd));
      end
      if (db_valid_o) begin : DoorbellIsAligned_A
        assert (wr_on_stride);
      end
    end
  end
endmodule
`default_nettype wire
