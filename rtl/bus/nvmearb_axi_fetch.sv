// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_axi_fetch: SQE fetch engine: grants in, 64-byte commands out.
//
// Purpose: reads granted SQEs from host memory over AXI4 and streams them out in grant order.
// Behaviour:
//  1. A grant {sqid, head, count} becomes one INCR burst of count SQEs, or two where it crosses a
//     4 KiB page (nvmearb_fetch_cut). What has to wait for the AR channel or for a free read is
//     joined with what follows it in its ring, up to 4 KiB or 256 beats (nvmearb_fetch_merge).
//     Neither grants nor bursts cross the ring end.
//  2. Reads carry one ID: data comes back in order (decision 0045). At most MaxReads bursts are
//     outstanding.
//  3. Each whole SQE goes to the stream with its SQ, CQ, class and the fetched head after it
//     (SQHD), and is committed to the core (commit_*) one clock before (nvmearb_fetch_capture).
//  4. An SQE with SLVERR or DECERR is reported on err_*, not streamed and not committed; neither is
//     any SQE after it until clear_i: data is taken and dropped (nvmearb_fetch_capture, decision
//     0046).
//  5. hold_o asks the core to decide nothing more: reads are nearly used up, or HoldGrants grants
//     wait for the AR channel. What the core decides before that takes effect goes
//     to a buffer.
//  6. Read data that comes after a reset, before the first read, is dropped.
// Guarantees: order of the stream is the order of the grants; nothing outstanding when idle_o.
// Requires: grants of 1..8 commands within a ring; R beats only for reads issued; clear_i only when
//  idle_o (ClearsWhenIdle_M); base_valid_i not in the clock of a grant of that SQ.
// Timing: grant to AR 2 clocks, 4 with AddrReg; last R beat to stream 1 clock. All bus outputs from
//  registers. A grant per clock; an AR per clock; an R beat per clock, so one SQE per 512/DataW
//  clocks without a gap, as long as AR takes the bursts, the stream the SQEs, and data comes back
//  within (MaxReads - 2 * GrantLag) * SQEs per burst * 512/DataW clocks of AR.
// Bound: between a grant and its AR wait at most GrantDepth grants and one joined burst, and none
//  while AR is ready and reads are free. Between a grant and its data: the reads outstanding,
//  at most MaxReads bursts.
// Spec: NVMe Base 2.1 3.3.1.2 (SQ entry address), AMBA AXI4 A3.4.1.
`default_nettype none
module nvmearb_axi_fetch
  import nvmearb_pkg::*;
#(
    // Number of SQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of the read data bus: 64, 128, 256 or 512.
    parameter int DataW = 512,
    // Bursts outstanding, 1..256.
    parameter int MaxReads = 32,
    // Grants buffered in front of the reads, 4 or more.
    parameter int GrantDepth = 17,
    // 1: registers between the memory of the ring bases, the address adder and what follows it.
    parameter bit AddrReg = 1'b0
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
    // SQEs in front of the stream, 0..2; one is taken in this clock (from tready).
    output logic [1:0]            sqe_count_o,
    output logic                  sqe_take_o,
    // A read of this SQ ended with a bus error (one clock).
    output logic                  err_valid_o,
    output logic [15:0]           err_sqid_o,
    // No command of the grants so far will come on the stream any more.
    output logic                  silent_o,
    // Nothing is held and nothing is outstanding.
    output logic                  idle_o,
    // Nothing changes at the next edge unless an input does: idle, or waiting for R only.
    output logic                  quiescent_o
);
  if (NumSqs < 2 || NumSqs > 1024) begin : gen_bad_numsqs
    nvmearb_error_axi_fetch_numsqs_has_to_be_in_2_1024 u_error ();
  end
  if (PtrW < 2 || PtrW > 16) begin : gen_bad_ptrw
    nvmearb_error_axi_fetch_ptrw_has_to_be_in_2_16 u_error ();
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
  // 4 KiB are 64 SQEs; a burst has at most 256 beats.
  localparam int MaxBurst = (BeatsPerSqe > 4) ? 256 / BeatsPerSqe : 64;
  localparam int IdW = $clog2(NumSqs);
  // Clocks from a grant to the buffer.
  localparam int Stages = AddrReg ? 2 : 1;
  // Grants that may still come after hold_d, from a core that shows a grant up to 6 clocks after
  // its decision. Reads and buffer are kept for them where there is room.
  localparam int GrantLag = 8;
  localparam int HoldReads = (MaxReads > GrantLag) ? MaxReads - GrantLag : 1;
  localparam int GrantsKept = GrantLag + Stages;
  localparam int HoldGrants = (GrantDepth > GrantsKept) ? GrantDepth - GrantsKept : 1;

  // Ids and pointers without their upper bits.
  typedef struct packed {
    logic [63:6]     addr;  // of the first slot
    logic [IdW-1:0]  sqid;
    logic [IdW-1:0]  cqid;
    logic [PtrW-1:0] head;
    logic [3:0]      count;
    logic            whole;  // within one page
    logic            ends;   // with the last slot of the ring
    sq_class_e       sq_class;
  } grant_word_t;
  typedef struct packed {
    logic [IdW-1:0]  sqid;
    logic [IdW-1:0]  cqid;
    logic [PtrW-1:0] head;
    logic [6:0]      count;
    logic            wraps;
    sq_class_e       sq_class;
  } burst_word_t;

  // A grant that is taken goes through the memory of the ring bases and the adder without a stop,
  // to the buffer.
  logic take, read_valid_q, read_ends, sum_valid, sum_ends;
  logic [63:6] base_rd, base;
  grant_t read_q, sum_grant;
  assign take = grant_valid_i & grant_ready_o;
  nvmearb_ram #(
      .Width(58),
      .Depth(NumSqs)
  ) u_bases (
      .clk_read_i(clk_i),
      .clk_i,
      .we_i   (base_valid_i),
      .waddr_i(base_sqid_i[IdW-1:0]),
      .wdata_i(base_i),
      .re_i   (take),
      .raddr_i(grant_i.sqid[IdW-1:0]),
      .rdata_o(base_rd)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_valid_q <= 1'b0;
    else read_valid_q <= take;
  end
  always_ff @(posedge clk_i) begin
    if (take) read_q <= grant_i;
  end
  always_comb begin
    read_ends = 1'b0;
    if (read_valid_q) read_ends = 16'(read_q.head + 16'(read_q.count) - 16'd1) == read_q.size_zb;
  end
  if (AddrReg) begin : gen_addr_reg
    logic valid_q, ends_q;
    logic [63:6] base_q;
    grant_t grant_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= read_valid_q;
    end
    always_ff @(posedge clk_i) begin
      base_q <= base_rd;
      ends_q <= read_ends;
      if (read_valid_q) grant_q <= read_q;
    end
    assign sum_valid = valid_q;
    assign sum_grant = grant_q;
    assign sum_ends = ends_q;
    assign base = base_q;
  end else begin : gen_no_addr_reg
    assign sum_valid = read_valid_q;
    assign sum_grant = read_q;
    assign sum_ends = read_ends;
    assign base = base_rd;
  end

  // Slot `head` of a ring lies at its base + 64 * head.
  grant_word_t word_in, word;
  logic [$bits(grant_word_t)-1:0] word_bits;
  logic [$clog2(GrantDepth + 1)-1:0] grant_count;
  logic word_valid, word_ready, grants_ready;
  logic [63:6] sum;
  always_comb begin
    sum = '0;
    word_in = '0;
    if (sum_valid) begin
      sum = base + 58'(sum_grant.head);
      word_in = {sum, sum_grant.sqid[IdW-1:0], sum_grant.cqid[IdW-1:0],
                 sum_grant.head[PtrW-1:0], sum_grant.count,
                 7'(sum[11:6]) + 7'(sum_grant.count) <= 7'd64, sum_ends, sum_grant.sq_class};
    end
  end
  nvmearb_bus_fifo #(
      .Width      ($bits(grant_word_t)),
      .Depth      (GrantDepth),
      .FallThrough(!AddrReg)
  ) u_grants (
      .clk_i,
      .rst_ni,
      .in_valid_i (sum_valid),
      .in_ready_o (grants_ready),
      .in_data_i  (word_in),
      .out_valid_o(word_valid),
      .out_ready_i(word_ready),
      .out_data_o (word_bits),
      .count_o    (grant_count)
  );
  assign word = word_bits;
  // Room for this one behind those on their way.
  assign grant_ready_o = 32'(grant_count) < GrantDepth - Stages;

  logic piece_valid, piece_ready, piece_wraps, burst_valid, burst_ready, burst_waits, issue;
  logic [63:6] piece_addr, burst_addr;
  logic [PtrW-1:0] piece_head;
  logic [3:0] piece_count;
  sqe_burst_t piece, burst;
  nvmearb_fetch_cut #(
      .PtrW(PtrW)
  ) u_cut (
      .clk_i,
      .rst_ni,
      .grant_valid_i(word_valid),
      .grant_ready_o(word_ready),
      .grant_addr_i (word.addr),
      .grant_head_i (word.head),
      .grant_count_i(word.count),
      .grant_whole_i(word.whole),
      .grant_ends_i (word.ends),
      .piece_valid_o(piece_valid),
      .piece_ready_i(piece_ready),
      .piece_addr_o (piece_addr),
      .piece_head_o (piece_head),
      .piece_count_o(piece_count),
      .piece_wraps_o(piece_wraps)
  );
  assign piece = {16'(word.sqid), 16'(word.cqid), 16'(piece_head), 7'(piece_count), piece_wraps,
                  word.sq_class};

  nvmearb_fetch_merge #(
      .MaxBurst(MaxBurst)
  ) u_merge (
      .clk_i,
      .rst_ni,
      .piece_valid_i(piece_valid),
      .piece_ready_o(piece_ready),
      .piece_addr_i (piece_addr),
      .piece_i      (piece),
      .burst_valid_o(burst_valid),
      .burst_ready_i(burst_ready),
      .burst_addr_o (burst_addr),
      .burst_o      (burst),
      .waits_o      (burst_waits)
  );

  // AR buffer, and what has to be remembered until the data is back.
  logic ar_valid, ar_ready, read_ready, read_valid, read_done;
  logic [1:0] unused_ar_count;
  logic [$clog2(MaxReads + 1)-1:0] read_count;
  burst_word_t burst_word, read_word;
  logic [$bits(burst_word_t)-1:0] read_bits;
  sqe_burst_t read;

  assign burst_ready = read_ready & ar_ready;
  assign issue = burst_valid & burst_ready;
  assign burst_word = {burst.sqid[IdW-1:0], burst.cqid[IdW-1:0], burst.head[PtrW-1:0],
                       burst.count, burst.wraps, burst.sq_class};
  nvmearb_bus_fifo #(
      .Width($bits(burst_word_t)),
      .Depth(MaxReads)
  ) u_reads (
      .clk_i,
      .rst_ni,
      .in_valid_i (issue),
      .in_ready_o (read_ready),
      .in_data_i  (burst_word),
      .out_valid_o(read_valid),
      .out_ready_i(read_done),
      .out_data_o (read_bits),
      .count_o    (read_count)
  );
  assign read_word = read_bits;
  assign read = {16'(read_word.sqid), 16'(read_word.cqid), 16'(read_word.head), read_word.count,
                 read_word.wraps, read_word.sq_class};

  logic [63:6] ar_addr;
  logic [7:0] ar_len;
  nvmearb_bus_fifo #(
      .Width(66),
      .Depth(2)
  ) u_ar (
      .clk_i,
      .rst_ni,
      .in_valid_i (issue),
      .in_ready_o (ar_ready),
      .in_data_i  ({8'(32'(burst.count) * BeatsPerSqe - 32'd1), burst_addr}),
      .out_valid_o(ar_valid),
      .out_ready_i(m_axi_arready_i),
      .out_data_o ({ar_len, ar_addr}),
      .count_o    (unused_ar_count)
  );
  assign m_axi_arvalid_o = ar_valid;
  assign m_axi_araddr_o = {ar_addr, 6'd0};
  assign m_axi_arlen_o = ar_len;
  assign m_axi_arsize_o = 3'($clog2(DataW / 8));
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_arcache_o = 4'b0011;
  assign m_axi_arprot_o = 3'b000;

  logic hold_d, hold_q, asked_q, stuck_q, dead, capture_idle, nothing_waits;
  assign hold_d = (32'(read_count) >= HoldReads) | (32'(grant_count) >= HoldGrants);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_q <= 1'b0;
      asked_q <= 1'b0;
      stuck_q <= 1'b0;
    end else begin
      hold_q <= hold_d;
      stuck_q <= !(take | read_valid_q | sum_valid | (piece_valid & piece_ready) | issue);
      if (issue) asked_q <= 1'b1;
    end
  end
  assign hold_o = hold_q;

  nvmearb_fetch_capture #(
      .DataW   (DataW),
      .MaxReads(MaxReads)
  ) u_capture (
      .clk_i,
      .rst_ni,
      .clear_i,
      .drain_i,
      .asked_i       (asked_q),
      .burst_valid_i (read_valid),
      .burst_done_o  (read_done),
      .burst_i       (read),
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
      .sqe_count_o,
      .sqe_take_o,
      .err_valid_o,
      .err_sqid_o,
      .dead_o        (dead),
      .idle_o        (capture_idle)
  );

  // Without a free read, what waits may still be joined for some clocks.
  assign nothing_waits = !read_valid_q & !sum_valid & (grant_count == '0) & !burst_waits;
  assign idle_o = nothing_waits & !ar_valid & !read_valid & capture_idle;
  assign silent_o = (dead | (nothing_waits & !read_valid)) & capture_idle;
  assign quiescent_o = (nothing_waits | (!read_ready & stuck_q)) & !ar_valid & capture_idle &
                       (hold_q == hold_d);

  logic unused_grant;
  assign unused_grant = &{1'b0, grant_i, sum_grant, base_sqid_i, burst, grants_ready};

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (sum_valid) begin : BufferHasRoom_A
        assert (grants_ready);
      end
      if (take) begin : GrantStaysInRing_M
        assert (17'(grant_i.head) + 17'(grant_i.count) <= 17'(grant_i.size_zb) + 17'd1);
      end
      if (clear_i) begin : ClearsWhenIdle_M
        assert (idle_o);
      end
      if (issue) begin : BurstHasCommands_A
        assert (burst.count != '0 && 32'(burst.count) <= ((MaxBurst > 8) ? MaxBurst : 8));
      end
      begin : HeldByReads_C
        cover (32'(read_count) >= HoldReads);
      end
      begin : HeldByGrants_C
        cover (32'(grant_count) >= HoldGrants);
      end
      begin : AddressWaits_C
        cover (m_axi_arvalid_o && !m_axi_arready_i && burst_waits);
      end
      begin : ErrorIsReported_C
        cover (err_valid_o);
      end
    end
  end
endmodule
`default_nettype wire
