// SPDX-License-Identifier: Apache-2.0
//
// waves_tb: the life of a small controller, for the timing diagrams of docs/integration.md.
//
// A host enables nvmearb_top, rings doorbells and resets it; the device side gives slots, creates a
// queue pair, completes; a memory answers reads. `mark` counts the scenes: tools/waves.py
// cuts a diagram from the clock in which it changes. For Verilator --timing; writes +vcd=FILE.
// (Icarus 11 does not finish the first clock: it re-evaluates always_comb blocks without end.)
`default_nettype none
module waves_tb
  import nvmearb_pkg::*;
();
  localparam int DataW = 128;
  localparam logic [63:0] BeatBytes = 64'd16;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  int mark = 0;
  always #5 clk = !clk;

  logic awvalid = 1'b0, awready, wvalid = 1'b0, wready, bvalid, arvalid = 1'b0, arready, rvalid;
  logic [13:0] awaddr = '0, araddr = '0;
  logic [31:0] wdata = '0, rdata;
  logic m_arvalid, m_arready, m_rvalid = 1'b0, m_rready, m_rlast;
  logic [63:0] m_araddr;
  logic [7:0] m_arlen;
  logic [DataW-1:0] m_rdata;
  logic sqe_valid;
  logic [511:0] sqe_data;
  sqe_user_t sqe_user;
  logic dev_cfg_valid = 1'b0, dev_cfg_ready, dev_cfg_done;
  cfg_req_t dev_cfg = '0;
  logic [3:0] slot_give = '0;
  logic complete_valid = 1'b0, complete_ready;
  complete_t complete = '0;
  logic device_ready = 1'b0, ready_wanted = 1'b0;
  logic enable_valid, disable_valid, db_error_valid;
  logic [7:0] db_error_info;

  nvmearb_top #(.NumSqs(4), .DataW(DataW)) dut (
      .clk_regs_i(clk), .clk_ctrl_i(clk), .clk_core_i(clk), .clk_fetch_i(clk),
      .clk_event_i(clk), .clk_grant_i(clk), .awake_o(),
      .rst_ni(rst_n),
      .cap_i(64'h0000_0020_0003_0fff), .vs_i(32'h0001_0400),
      .s_axil_awvalid_i(awvalid), .s_axil_awready_o(awready), .s_axil_awaddr_i(awaddr[12:0]),
      .s_axil_wvalid_i(wvalid), .s_axil_wready_o(wready), .s_axil_wdata_i(wdata),
      .s_axil_wstrb_i(4'hf),
      .s_axil_bvalid_o(bvalid), .s_axil_bready_i(1'b1), .s_axil_bresp_o(),
      .s_axil_arvalid_i(arvalid), .s_axil_arready_o(arready), .s_axil_araddr_i(araddr[12:0]),
      .s_axil_rvalid_o(rvalid), .s_axil_rready_i(1'b1), .s_axil_rdata_o(rdata), .s_axil_rresp_o(),
      .m_axi_arvalid_o(m_arvalid), .m_axi_arready_i(m_arready), .m_axi_araddr_o(m_araddr),
      .m_axi_arlen_o(m_arlen), .m_axi_arsize_o(), .m_axi_arburst_o(), .m_axi_arcache_o(),
      .m_axi_arprot_o(),
      .m_axi_rvalid_i(m_rvalid), .m_axi_rready_o(m_rready), .m_axi_rdata_i(m_rdata),
      .m_axi_rresp_i(2'b00), .m_axi_rlast_i(m_rlast),
      .m_axis_sqe_tvalid_o(sqe_valid), .m_axis_sqe_tready_i(1'b1), .m_axis_sqe_tdata_o(sqe_data),
      .m_axis_sqe_tuser_o(sqe_user),
      .dev_cfg_valid_i(dev_cfg_valid), .dev_cfg_ready_o(dev_cfg_ready), .dev_cfg_i(dev_cfg),
      .dev_cfg_done_o(dev_cfg_done),
      .slot_give_i(slot_give), .max_count_i(4'd8),
      .complete_valid_i(complete_valid), .complete_ready_o(complete_ready), .complete_i(complete),
      .device_ready_i(device_ready), .fatal_i(1'b0), .shst_valid_i(1'b0), .shst_i(2'b00),
      .enable_valid_o(enable_valid), .enable_cc_o(), .enable_aqa_o(), .enable_asq_o(),
      .enable_acq_o(), .disable_valid_o(disable_valid), .shutdown_valid_o(), .shutdown_shn_o(),
      .db_error_valid_o(db_error_valid), .db_error_info_o(db_error_info), .db_error_o(),
      .fetch_error_valid_o(), .fetch_error_sqid_o(), .int_mask_o(), .quiescent_o(), .obs_o());

  // A memory: one burst at a time, the first beat two clocks after AR. A word is its address.
  logic [7:0] beats_left = '0;
  logic [63:0] address = '0;
  logic waiting = 1'b0;
  assign m_arready = !waiting && !m_rvalid;
  assign m_rlast = beats_left == 8'd1;
  assign m_rdata = DataW'(address);
  always @(posedge clk) begin
    if (m_arvalid && m_arready) begin
      address <= m_araddr;
      beats_left <= m_arlen + 8'd1;
      waiting <= 1'b1;
    end else if (waiting) begin
      waiting <= 1'b0;
      m_rvalid <= 1'b1;
    end else if (m_rvalid && m_rready) begin
      address <= address + BeatBytes;
      beats_left <= beats_left - 8'd1;
      if (m_rlast) m_rvalid <= 1'b0;
    end
  end

  always @(posedge clk) device_ready <= ready_wanted;

  task automatic settle(input int clocks);
    repeat (clocks) @(posedge clk);
    #1;
  endtask

  task automatic scene(input int number);
    settle(40);
    mark = number;
    settle(2);
  endtask

  task automatic write(input logic [13:0] at, input logic [31:0] data);
    awvalid = 1'b1;
    wvalid = 1'b1;
    awaddr = at;
    wdata = data;
    settle(1);
    awvalid = 1'b0;
    wvalid = 1'b0;
  endtask

  task automatic configure(input cfg_req_t wanted);
    dev_cfg_valid = 1'b1;
    dev_cfg = wanted;
    while (!dev_cfg_ready) settle(1);
    settle(1);
    dev_cfg_valid = 1'b0;
    while (!dev_cfg_done) settle(1);
    settle(1);
  endtask

  task automatic give(input logic [3:0] count);
    slot_give = count;
    settle(1);
    slot_give = '0;
  endtask

  cfg_req_t request;
  string vcd;
  initial begin
    #9000 $display("waves_tb: a scene does not end: scene %0d", mark);
    $stop;
  end
  initial begin
    if (!$value$plusargs("vcd=%s", vcd)) vcd = "waves.vcd";
    $dumpfile(vcd);
    $dumpvars(0, waves_tb);
    settle(2);
    rst_n = 1'b1;
    settle(40);
    write(14'h24, 32'h001f_001f);
    write(14'h28, 32'h0010_0000);
    write(14'h30, 32'h0020_0000);

    scene(1);  // enable: weighted round robin
    write(14'h14, 32'h0046_0801);
    while (!enable_valid) settle(1);
    settle(1);
    request = '0;
    request.op = CfgSetArb;
    request.ab = 3'd2;
    request.hpw_zb = 8'd5;
    request.mpw_zb = 8'd2;
    configure(request);
    give(4'd4);
    ready_wanted = 1'b1;

    scene(2);  // a queue pair
    request = '0;
    request.op = CfgCreateCq;
    request.id = 16'd1;
    request.size_zb = 16'd15;
    configure(request);
    request.op = CfgCreateSq;
    request.cqid = 16'd1;
    request.sq_class = SqHigh;
    request.base = 58'h8000;  // bus address 20_0000h
    configure(request);

    scene(3);  // a doorbell with two commands
    write(14'h1008, 32'd2);

    scene(4);  // a command is done: its slot goes back
    complete_valid = 1'b1;
    complete = {16'd1, 16'd1, 1'b1};
    settle(1);
    complete_valid = 1'b0;
    give(4'd1);

    scene(5);  // a refused doorbell: beyond the ring
    write(14'h1008, 32'd16);

    scene(6);  // Controller Reset
    write(14'h14, 32'h0046_0800);
    while (!disable_valid) settle(1);
    ready_wanted = 1'b0;
    settle(40);
    $finish;
  end
endmodule
`default_nettype wire
