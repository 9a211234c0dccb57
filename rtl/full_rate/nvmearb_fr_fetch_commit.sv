// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_fetch_commit: moves the fetched heads.
//
// Purpose: the fetched head is what SQHD reports and what an overfill is measured against; it
//  passes a slot only after its 64 bytes were captured (decision 0002, rule 13).
// Behaviour: commit_count_i SQEs of commit_sqid_i were captured; two clocks later their SQ's
//  fetched head has moved by as many slots, modulo its size. The clock between keeps the memory
//  and the addition apart; the moved head is shown to a commit of the same SQ that is in it.
// Guarantees: every commit is taken, one per clock; fetched_o is 0 without one.
// Requires: only granted commands are committed, in grant order of their SQ; 1..8 at a time; a read
//  shows the write of the same clock.
// Timing: three clocks from commit to the stored head.
`default_nettype none
module nvmearb_fr_fetch_commit #(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic            clk_i,
    input  wire logic            rst_ni,
    // Captured SQEs.
    input  wire logic            commit_valid_i,
    input  wire logic [15:0]     commit_sqid_i,
    input  wire logic [3:0]      commit_count_i,
    // SQ row.
    output logic                 re_o,
    output logic [QidW-1:0]      rd_sqid_o,
    input  wire logic [PtrW-1:0] size_zb_i,
    input  wire logic [PtrW-1:0] fetched_i,
    // Moved head, one clock.
    output logic                 valid_o,
    output logic [QidW-1:0]      sqid_o,
    output logic [3:0]           count_o,
    output logic [PtrW-1:0]      fetched_o,
    // None is on its way to valid_o.
    output logic                 idle_o
);
  logic read_q, valid_q, same;
  logic [QidW-1:0] read_sqid_q, sqid_q;
  logic [3:0] read_count_q, count_q;
  logic [PtrW-1:0] fetched_q, size_zb_q, sum, half, carry;
  logic [PtrW:0] around;  // bit PtrW: the sum is beyond the end of the ring

  assign re_o = commit_valid_i;
  assign rd_sqid_o = commit_sqid_i[QidW-1:0];
  assign idle_o = !read_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      read_q <= commit_valid_i;
      valid_q <= read_q;
    end
  end
  assign same = valid_q && sqid_q == read_sqid_q;
  always_ff @(posedge clk_i) begin
    if (commit_valid_i) begin
      read_sqid_q <= commit_sqid_i[QidW-1:0];
      read_count_q <= commit_count_i;
    end
    sqid_q <= read_sqid_q;
    size_zb_q <= size_zb_i;
    if (rst_ni && read_q) begin
      fetched_q <= same ? fetched_o : fetched_i;
      count_q <= read_count_q;
    end else begin
      fetched_q <= '0;
      count_q <= '0;
    end
  end

  // fetched + count, and the same less the size of the ring.
  assign sum = fetched_q + PtrW'(count_q);
  assign half = fetched_q ^ PtrW'(count_q) ^ ~size_zb_q;
  assign carry = (fetched_q & PtrW'(count_q)) | (fetched_q & ~size_zb_q) |
      (PtrW'(count_q) & ~size_zb_q);
  assign around = {1'b0, half} + {carry, 1'b0};
  assign fetched_o = around[PtrW] ? around[PtrW-1:0] : sum;
  assign valid_o = valid_q;
  assign sqid_o = sqid_q;
  assign count_o = count_q;

  // The upper bits of an id are 0 below NumSqs.
  if (QidW < 16) begin : gen_unused
    logic unused;
    assign unused = ^commit_sqid_i[15:QidW];
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : FetchedHeadWraps_C
        cover (valid_q && around[PtrW]);
      end
      begin : SameSqFollows_C
        cover (same && read_q);
      end
    end
  end
endmodule
`default_nettype wire
