// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_axi_fetch: SQE fetch engine: grants in, 64-byte commands out.
//
// Purpose: reads granted SQEs from host memory over AXI4 and streams them out in grant order.
// Behaviour:
//  1. A grant {sqid, head, count} is turned into one INCR burst of count SQEs, or two where it
//     crosses a 4 KiB boundary (see nvmearb_fetch_addr). Grants never cross the ring end.
//  2. Reads carry one ID: data comes back in order. At most MaxReads bursts are outstanding.
//  3. Each whole SQE goes to the stream with its SQ, CQ, class and the fetched head after it
//     (SQHD), and is committed to the core (commit_*) one clock before (see nvmearb_fetch_capture).
//  4. An SQE with SLVERR or DECERR is reported on err_*, not streamed and not committed; neither is
//     any SQE after it until clear_i: data is taken and dropped (see nvmearb_fetch_capture for
//     drain_i).
//  5. hold_o asks the core to decide nothing more: the reads are used up, or the bus is slow. What
//     the core had decided before that is taken into a buffer, so that no decision waits at
//     grant_ready_o.
// Guarantees: order of the stream is the order of the grants; nothing outstanding when idle_o.
// Requires: at most GrantDepth - 2 grants after hold_o rose (grant_ready_o falls otherwise); R
//  beats only for reads issued.
// Timing: grant to AR 2 clocks, last R beat to stream 1 clock. All bus outputs from registers.
//  Sustains one SQE per 512/DataW clocks.
// Spec: NVMe Base 2.1 3.3.1.2 (SQ entry address), AMBA AXI4 A3.4.1.
`default_nettype none
module nvmearb_axi_fetch
  import nvmearb_pkg::*;
#(
    // Number of SQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of the read data bus: 64, 128, 256 or 512.
    parameter int DataW = 512,
    // Bursts outstanding, 1..256.
    parameter int MaxReads = 32,
    // Grants buffered in front of the reads, 4 or more: what the core may send after hold_o.
    parameter int GrantDepth = 12
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // Ring base addresses, written when an SQ is created.
    input  wire logic             base_valid_i,
    input  wire logic [15:0]      base_sqid_i,
    input  wire logic [63:6]      base_i,
    // Forgets an error. Only while idle_o.
    input  wire logic             clear_i,
    // The controller is being reset: grants are held, what is outstanding is waited for.
    input  wire logic             drain_i,
    // Grants of the core.
    input  wire logic             grant_valid_i,
    output logic                  grant_ready_o,
    input  wire grant_t           grant_i,
    output logic                  hold_o,
    // Commits to the core.
    output logic                  commit_valid_o,
    output logic [15:0]           commit_sqid_o,
    output logic [3:0]            commit_count_o,
    // AXI4 read master. One ID, so no ID ports.
    output logic                  m_axi_arvalid_o,
    input  wire logic             m_axi_arready_i,
    output logic [63:0]           m_axi_araddr_o,
    output logic [7:0]            m_axi_arlen_o,
    output logic [2:0]            m_axi_arsize_o,
    output logic [1:0]            m_axi_arburst_o,
    output logic [3:0]            m_axi_arcache_o,
    output logic [2:0]            m_axi_arprot_o,
    input  wire logic             m_axi_rvalid_i,
    output logic                  m_axi_rready_o,
    input  wire logic [DataW-1:0] m_axi_rdata_i,
    input  wire logic [1:0]       m_axi_rresp_i,
    input  wire logic             m_axi_rlast_i,
    // SQE stream.
    output logic                  m_axis_sqe_tvalid_o,
    input  wire logic             m_axis_sqe_tready_i,
    output logic [511:0]          m_axis_sqe_tdata_o,
    output sqe_user_t             m_axis_sqe_tuser_o,
    // A read of this SQ ended with a bus error (one clock).
    output logic                  err_valid_o,
    output logic [15:0]           err_sqid_o,
    // Nothing is held and nothing is outstanding.
    output logic                  idle_o,
    // Nothing changes at the next edge unless an input does: idle, or waiting for R only.
    output logic                  quiescent_o
);
  if (NumSqs < 2 || NumSqs > 1024) begin : gen_bad_numsqs
    nvmearb_error_axi_fetch_numsqs_has_to_be_in_2_1024 u_error ();
  end
  if (DataW != 64 && DataW != 128 && DataW != 256 && DataW != 512) begin : gen_bad_dataw
    nvmearb_error_axi_fetch_dataw_has_to_be_64_128_256_or_512 u_error ();
  end
  if (MaxReads < 1 || MaxReads > 256) begin : gen_bad_maxreads
    nvmearb_error_axi_fetch_maxreads_has_to_be_in_1_256 u_error ();
  end
  if (GrantDepth < 4) begin : gen_bad_grantdepth
    nvmearb_error_axi_fetch_grantdepth_has_to_be_at_least_4 u_error ();
  end

  localparam int BeatsPerSqe = 512 / DataW;
  localparam int IdW = $clog2(NumSqs);
  // Decisions that may still come after hold_o; reads are kept for them where there are that many.
  localparam int GrantLag = 8;
  localparam int HoldAt = (MaxReads > GrantLag) ? MaxReads - GrantLag : 1;
  localparam int LoadW = $clog2(MaxReads + GrantDepth + 4);

  logic [$clog2(GrantDepth + 1)-1:0] unused_grants_count;
  logic [$clog2(MaxReads + 1)-1:0] unused_contexts_count;
  logic [1:0] unused_ar_count;

  // Ring bases.
  logic [63:6] base_mem_q [NumSqs];
  logic [63:6] base_rd_q;
  logic take;
  grant_t head_grant;
  always_ff @(posedge clk_i) begin
    if (base_valid_i) base_mem_q[base_sqid_i[IdW-1:0]] <= base_i;
    if (take) base_rd_q <= base_mem_q[head_grant.sqid[IdW-1:0]];
  end

  // Grants: straight into the address stage when nothing waits, else through the buffer.
  logic fifo_in_valid, fifo_in_ready, fifo_valid, fifo_take;
  logic [$bits(grant_t)-1:0] fifo_word;
  grant_t fifo_grant;
  logic stage_valid, stage_ready;
  grant_t stage_q;
  logic stage_valid_q;

  nvmearb_bus_fifo #(
      .Width($bits(grant_t)),
      .Depth(GrantDepth)
  ) u_grants (
      .clk_i,
      .rst_ni,
      .in_valid_i (fifo_in_valid),
      .in_ready_o (fifo_in_ready),
      .in_data_i  (grant_i),
      .out_valid_o(fifo_valid),
      .out_ready_i(fifo_take),
      .out_data_o (fifo_word),
      .count_o    (unused_grants_count)
  );

  assign stage_valid = stage_valid_q;
  assign fifo_grant = fifo_word;
  assign head_grant = fifo_valid ? fifo_grant : grant_i;
  assign take = (!stage_valid_q | stage_ready) & (fifo_valid | grant_valid_i);
  assign fifo_take = take & fifo_valid;
  assign fifo_in_valid = grant_valid_i & !(take & !fifo_valid);
  assign grant_ready_o = fifo_in_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage_valid_q <= 1'b0;
      stage_q <= '0;
    end else begin
      if (take) stage_q <= head_grant;
      if (take) stage_valid_q <= 1'b1;
      else if (stage_ready) stage_valid_q <= 1'b0;
    end
  end

  // Bursts.
  logic burst_valid, burst_ready;
  logic [63:6] burst_addr;
  logic [15:0] burst_head;
  logic [3:0] burst_count;
  nvmearb_fetch_addr u_addr (
      .clk_i,
      .rst_ni,
      .in_valid_i   (stage_valid),
      .in_ready_o   (stage_ready),
      .in_head_i    (stage_q.head),
      .in_count_i   (stage_q.count),
      .in_base_i    (base_rd_q),
      .out_valid_o  (burst_valid),
      .out_ready_i  (burst_ready),
      .out_addr_o   (burst_addr),
      .out_head_o   (burst_head),
      .out_count_o  (burst_count)
  );

  // AR buffer, and what has to be remembered until the data is back.
  typedef struct packed {
    logic [15:0] sqid;
    logic [15:0] cqid;
    logic [15:0] head;
    logic [15:0] size_zb;
    logic [3:0]  count;
    sq_class_e   sq_class;
  } context_t;

  logic ar_valid, ar_ready, context_ready, context_valid, context_done, issue;
  logic [63:6] ar_addr;
  logic [7:0] ar_len;
  context_t context_new, context_head;
  logic [$bits(context_t)-1:0] context_word;

  assign burst_ready = context_ready & ar_ready;
  assign issue = burst_valid & burst_ready;
  always_comb begin
    context_new = '0;
    if (issue) begin
      context_new.sqid = stage_q.sqid;
      context_new.cqid = stage_q.cqid;
      context_new.head = burst_head;
      context_new.size_zb = stage_q.size_zb;
      context_new.count = burst_count;
      context_new.sq_class = stage_q.sq_class;
    end
  end
  assign context_head = context_word;

  nvmearb_bus_fifo #(
      .Width($bits(context_t)),
      .Depth(MaxReads)
  ) u_contexts (
      .clk_i,
      .rst_ni,
      .in_valid_i (issue),
      .in_ready_o (context_ready),
      .in_data_i  (context_new),
      .out_valid_o(context_valid),
      .out_ready_i(context_done),
      .out_data_o (context_word),
      .count_o    (unused_contexts_count)
  );

  nvmearb_bus_fifo #(
      .Width(66),
      .Depth(2)
  ) u_ar (
      .clk_i,
      .rst_ni,
      .in_valid_i (issue),
      .in_ready_o (ar_ready),
      .in_data_i  ({8'(32'(burst_count) * BeatsPerSqe - 32'd1), burst_addr}),
      .out_valid_o(ar_valid),
      .out_ready_i(m_axi_arready_i),
      .out_data_o ({ar_len, ar_addr}),
      .count_o    (unused_ar_count)
  );

  logic [LoadW-1:0] load_q;  // bursts issued whose data has not all come back
  logic hold_q, capture_idle;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_q <= '0;
      hold_q <= 1'b0;
    end else begin
      if (issue & !context_done) load_q <= load_q + 1'b1;
      if (!issue & context_done) load_q <= load_q - 1'b1;
      hold_q <= (32'(load_q) >= HoldAt) | fifo_valid;
    end
  end

  assign m_axi_arvalid_o = ar_valid;
  assign m_axi_araddr_o = {ar_addr, 6'd0};
  assign m_axi_arlen_o = ar_len;
  assign m_axi_arsize_o = 3'($clog2(DataW / 8));
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_arcache_o = 4'b0011;
  assign m_axi_arprot_o = 3'b000;
  assign hold_o = hold_q;

  nvmearb_fetch_capture #(
      .DataW(DataW)
  ) u_capture (
      .clk_i,
      .rst_ni,
      .clear_i,
      .drain_i,
      .ctx_valid_i   (context_valid),
      .ctx_done_o    (context_done),
      .ctx_sqid_i    (context_head.sqid),
      .ctx_cqid_i    (context_head.cqid),
      .ctx_head_i    (context_head.head),
      .ctx_size_zb_i (context_head.size_zb),
      .ctx_count_i   (context_head.count),
      .ctx_class_i   (context_head.sq_class),
      .m_axi_rvalid_i,
      .m_axi_rready_o,
      .m_axi_rdata_i,
      .m_axi_rresp_i,
      .m_axi_rlast_i,
      .commit_valid_o,
      .commit_sqid_o,
      .commit_count_o,
      .m_axis_sqe_tvalid_o,
      .m_axis_sqe_tready_i,
      .m_axis_sqe_tdata_o,
      .m_axis_sqe_tuser_o,
      .err_valid_o,
      .err_sqid_o,
      .idle_o        (capture_idle)
  );

  assign idle_o = !fifo_valid & !stage_valid_q & !ar_valid & !context_valid & capture_idle;
  assign quiescent_o = !fifo_valid & !(stage_valid_q & context_ready) & !ar_valid & capture_idle &
                       (hold_q == (32'(load_q) >= HoldAt));

  logic unused_grant;
  assign unused_grant = &{1'b0, stage_q.first, base_sqid_i[15:IdW]};

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (clear_i) begin : ClearsWhenIdle_M
        assert (idle_o);
      end
      if (grant_valid_i) begin : GrantIsNotRefused_M
        assert (grant_ready_o);
      end
      if (issue) begin : BurstStaysInPage_A
        assert (7'(burst_addr[11:6]) + 7'(burst_count) <= 7'd64);
      end
      if (issue) begin : BurstHasCommands_A
        assert (burst_count != '0 && burst_count <= 4'd8);
      end
    end
  end
endmodule
`default_nettype wire
