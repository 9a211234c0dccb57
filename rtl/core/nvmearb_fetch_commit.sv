// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_commit: moves the fetched heads.
//
// Purpose: the fetched head is what SQHD reports and what an overfill is measured against; it
//  passes a slot only after its 64 bytes were captured (decision 0002, rule 13).
// Behaviour: commit_count_i SQEs of commit_sqid_i were captured; one clock later their SQ's fetched
//  head has moved by as many slots, modulo its size.
// Guarantees: every commit is taken, one per clock.
// Requires: only granted commands are committed, in grant order of their SQ; 1..8 at a time.
// Timing: two clocks from commit to the stored head.
`default_nettype none
module nvmearb_fetch_commit #(
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
    output logic [PtrW-1:0]      fetched_o
);
  logic valid_q;
  logic [QidW-1:0] sqid_q;
  logic [3:0] count_q;
  logic [PtrW:0] sum, size;

  assign re_o = commit_valid_i;
  assign rd_sqid_o = commit_sqid_i[QidW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (valid_q != commit_valid_i) valid_q <= commit_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (commit_valid_i) begin
      sqid_q <= commit_sqid_i[QidW-1:0];
      count_q <= commit_count_i;
    end
  end

  always_comb begin
    sum = '0;
    size = '0;
    fetched_o = '0;
    if (valid_q) begin
      sum = {1'b0, fetched_i} + (PtrW + 1)'(count_q);
      size = {1'b0, size_zb_i} + (PtrW + 1)'(1);
      fetched_o = PtrW'(sum >= size ? sum - size : sum);
    end
  end
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
        cover (valid_q && sum >= size);
      end
    end
  end
endmodule
`default_nettype wire
