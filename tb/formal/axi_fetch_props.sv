// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_axi_fetch: AXI4 read master, AXI4-Stream source, and one command that is
// watched from its grant to the stream (Watch).
`default_nettype none
module axi_fetch_props
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    parameter int PtrW = 7,
    parameter int DataW = 512,
    parameter int MaxReads = 2,
    parameter int GrantDepth = 4,
    parameter bit AddrReg = 1'b0,
    // 1: adds the checks of a watched command.
    parameter bit Watch = 1'b0,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             base_valid_i,
    input wire logic             base_sqid_i,
    input wire logic [63:6]      base_i,
    input wire logic             clear_i,
    input wire logic             drain_i,
    input wire logic             grant_valid_i,
    input wire logic             grant_sqid_i,
    input wire logic [PtrW-1:0]  grant_head_i,
    input wire logic [3:0]       grant_count_i,
    input wire logic [2:0]       grant_class_i,
    input wire logic [1:0][PtrW-1:0] k_size_zb_i,
    input wire logic             arready_i,
    input wire logic             rvalid_i,
    input wire logic [DataW-1:0] rdata_i,
    input wire logic [1:0]       rresp_i,
    input wire logic             rlast_i,
    input wire logic             tready_i,
    input wire logic             watch_i,
    input wire logic [2:0]       watch_index_i
);
  localparam int CountW = 10;

  logic started_q = 1'b0;
  logic [1:0][PtrW-1:0] size_zb_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) size_zb_q <= k_size_zb_i;
  end

  grant_t grant;
  always_comb begin
    grant = '0;
    grant.sqid = 16'(grant_sqid_i);
    grant.cqid = 16'(grant_sqid_i);
    grant.head = 16'(grant_head_i);
    grant.size_zb = 16'(size_zb_q[grant_sqid_i]);
    grant.count = grant_count_i;
    grant.sq_class = sq_class_e'(grant_class_i);
  end

  logic grant_ready, hold, commit_valid, arvalid, rready, tvalid, sqe_take, err_valid, silent, idle;
  logic quiescent;
  logic [15:0] commit_sqid, err_sqid;
  logic [3:0] commit_count, arcache;
  logic [63:0] araddr;
  logic [7:0] arlen;
  logic [2:0] arsize, arprot;
  logic [1:0] arburst, sqe_count;
  logic [511:0] tdata;
  sqe_user_t tuser;
  nvmearb_axi_fetch #(
      .NumSqs(NumSqs), .PtrW(PtrW), .DataW(DataW), .MaxReads(MaxReads), .GrantDepth(GrantDepth),
      .AddrReg(AddrReg)
  ) u_dut (
      .clk_i, .rst_ni, .base_valid_i, .base_sqid_i(16'(base_sqid_i)), .base_i, .clear_i, .drain_i,
      .grant_valid_i, .grant_ready_o(grant_ready), .grant_i(grant), .hold_o(hold),
      .commit_valid_o(commit_valid), .commit_sqid_o(commit_sqid), .commit_count_o(commit_count),
      .m_axi_arvalid_o(arvalid), .m_axi_arready_i(arready_i), .m_axi_araddr_o(araddr),
      .m_axi_arlen_o(arlen), .m_axi_arsize_o(arsize), .m_axi_arburst_o(arburst),
      .m_axi_arcache_o(arcache), .m_axi_arprot_o(arprot),
      .m_axi_rvalid_i(rvalid_i), .m_axi_rready_o(rready), .m_axi_rdata_i(rdata_i),
      .m_axi_rresp_i(rresp_i), .m_axi_rlast_i(rlast_i),
      .m_axis_sqe_tvalid_o(tvalid), .m_axis_sqe_tready_i(tready_i), .m_axis_sqe_tdata_o(tdata),
      .m_axis_sqe_tuser_o(tuser), .sqe_count_o(sqe_count), .sqe_take_o(sqe_take),
      .err_valid_o(err_valid), .err_sqid_o(err_sqid), .silent_o(silent), .idle_o(idle),
      .quiescent_o(quiescent));

  logic [6:0] ar_count;
  axi_read_rules #(.DataW(DataW), .MaxReads(MaxReads)) u_read (
      .clk_i, .rst_ni, .arvalid_i(arvalid), .arready_i, .araddr_i(araddr), .arlen_i(arlen),
      .arsize_i(arsize), .arburst_i(arburst), .rvalid_i, .rready_i(rready), .rdata_i, .rresp_i,
      .rlast_i, .ar_count_o(ar_count));
  // All bits of the data go the same way: the outermost stand for them.
  channel_rules #(.Width(2 + $bits(sqe_user_t))) u_stream (
      .clk_i, .rst_ni, .valid_i(tvalid), .ready_i(tready_i),
      .payload_i({tdata[511], tdata[0], tuser}));
  channel_rules #(.Width($bits(grant_t)), .Assume(1'b1)) u_grant (
      .clk_i, .rst_ni, .valid_i(grant_valid_i), .ready_i(grant_ready), .payload_i(grant));

  // Commands granted and not yet asked for; asked for and not yet streamed.
  logic grant_fire, ar_fire, stream_fire;
  logic [CountW-1:0] ungranted_q, granted_q;
  logic failed_q;  // an error was seen: nothing is streamed any more until it is cleared
  assign grant_fire = grant_valid_i && grant_ready;
  assign ar_fire = arvalid && arready_i;
  assign stream_fire = tvalid && tready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ungranted_q <= '0;
      granted_q <= '0;
      failed_q <= 1'b0;
    end else begin
      ungranted_q <= ungranted_q + (grant_fire ? CountW'(grant_count_i) : '0) -
          (ar_fire ? CountW'(ar_count) : '0);
      granted_q <= granted_q + (ar_fire ? CountW'(ar_count) : '0) - CountW'(stream_fire);
      if (rvalid_i && rready && rresp_i[1]) failed_q <= 1'b1;
      if (clear_i) failed_q <= 1'b0;
      if (clear_i) granted_q <= '0;
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni && grant_valid_i) begin : GrantIsLegal_M
      assume (grant_count_i != '0 && grant_count_i <= 4'd8 &&
              32'(grant_head_i) + 32'(grant_count_i) <= 32'(size_zb_q[grant_sqid_i]) + 32'd1);
    end
    if (rst_ni && base_valid_i) begin : BaseIsNotInUse_M
      assume (idle && !grant_valid_i);
    end
    if (rst_ni) begin
      begin : AsksForNoMoreThanGranted_A
        assert (!arvalid || CountW'(ar_count) <= ungranted_q);
      end
      begin : StreamsNoMoreThanAsked_A assert (!tvalid || failed_q || granted_q != '0); end
      begin : IdleHasNothing_A assert (!idle || (ungranted_q == '0 && !tvalid && !arvalid)); end
      begin : Stalled_C cover (tvalid && !tready_i && sqe_count == 2'd2); end
      begin : TwoPages_C
        cover (ar_fire && araddr[11:6] == '0 && ungranted_q != CountW'(ar_count));
      end
      begin : Error_C cover (err_valid); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!(arvalid && ar_count > 7'd1)); end
    end
  end

  if (Watch) begin : gen_watch
    logic watched_q, asked_q;
    logic [CountW-1:0] ahead_ar_q, ahead_q;
    logic [63:6] base_q[2];
    logic [63:6] addr_q;
    logic [15:0] sqid_q, sqhd_q;
    logic [2:0] class_q;
    logic start;
    assign start = watch_i && grant_fire && !watched_q && {1'b0, watch_index_i} < grant_count_i;
    always_ff @(posedge clk_i) begin
      if (base_valid_i) base_q[base_sqid_i] <= base_i;
      if (!rst_ni) begin
        watched_q <= 1'b0;
        asked_q <= 1'b0;
      end else if (start) begin
        watched_q <= 1'b1;
        asked_q <= 1'b0;
        ahead_ar_q <= ungranted_q + CountW'(watch_index_i) - (ar_fire ? CountW'(ar_count) : '0);
        ahead_q <= ungranted_q + granted_q + CountW'(watch_index_i) - CountW'(stream_fire);
        addr_q <= base_q[grant_sqid_i] + 58'(grant_head_i) + 58'(watch_index_i);
        sqid_q <= 16'(grant_sqid_i);
        sqhd_q <= (32'(grant_head_i) + 32'(watch_index_i) == 32'(size_zb_q[grant_sqid_i])) ? '0
                  : 16'(grant_head_i) + 16'(watch_index_i) + 16'd1;
        class_q <= grant_class_i;
      end else if (watched_q) begin
        if (ar_fire && !asked_q) begin
          if (ahead_ar_q < CountW'(ar_count)) asked_q <= 1'b1;
          ahead_ar_q <= ahead_ar_q - CountW'(ar_count);
        end
        if (stream_fire) ahead_q <= ahead_q - CountW'(1);
        if (failed_q || (stream_fire && ahead_q == '0)) watched_q <= 1'b0;
      end
    end
    always @(posedge clk_i) begin
      if (rst_ni && watched_q && !failed_q) begin
        if (ar_fire && !asked_q && ahead_ar_q < CountW'(ar_count)) begin : ReadsItsSlot_A
          assert (araddr[63:6] + 58'(ahead_ar_q) == addr_q);
        end
        if (tvalid && ahead_q == '0) begin : StreamsWithItsName_A
          assert (asked_q && tuser.sqid == sqid_q && tuser.cqid == sqid_q &&
                  tuser.sqhd == sqhd_q && 3'(tuser.sq_class) == class_q);
        end
        begin : Watched_C cover (stream_fire && ahead_q == '0); end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, hold, commit_valid, commit_sqid, commit_count, arcache, arprot, sqe_take,
                    err_sqid, silent, quiescent, tdata, watch_i, watch_index_i};
endmodule
`default_nettype wire
