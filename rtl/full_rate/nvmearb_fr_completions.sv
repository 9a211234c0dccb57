// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_completions: counts what was posted in each CQ, and gives room back for commands that
//  left no entry.
//
// Purpose: the number of entries posted and not consumed bounds what a CQ head doorbell may say
//  (decision 0002, rule 13); room of a command that is not completed by an entry returns to its CQ
//  (rule 7).
// Behaviour, in order: `posted` of the CQ, a count modulo 2^PtrW, grows by one; posted - limit is
//  the number of entries that the host has not consumed.
//  1. An entry was posted: two clocks later. The clock between keeps the memory and the addition
//     apart.
//  2. None was: when the event pipe has raised the limit by one, which may take a few clocks.
// Guarantees: order is kept; done_o once per completion.
// Requires: cqid exists; one completion per granted command; a read shows the write of the same
//  clock.
// Timing: one completion per clock while all are posted.
`default_nettype none
module nvmearb_fr_completions
  import nvmearb_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic            clk_i,
    input  wire logic            rst_ni,
    // Completions.
    input  wire logic            valid_i,
    output logic                 ready_o,
    input  wire complete_t       complete_i,
    // None may be accepted.
    input  wire logic            block_i,
    // No completion waits.
    output logic                 idle_o,
    // A completion took effect.
    output logic                 done_o,
    output complete_t            done_complete_o,
    // CQ row.
    output logic                 re_o,
    output logic [QidW-1:0]      rd_cqid_o,
    input  wire logic [PtrW-1:0] posted_i,
    output logic [QidW-1:0]      posted_cqid_o,
    output logic [PtrW-1:0]      posted_o,
    // Room given back.
    output logic                 give_valid_o,
    input  wire logic            give_done_i,
    output logic [QidW-1:0]      give_cqid_o
);
  logic read_q, valid_q, take, move;
  complete_t read_complete_q, complete_q;
  logic [PtrW-1:0] posted_q;

  assign move = read_q && (!valid_q || done_o);
  assign ready_o = !block_i && (!read_q || move);
  assign take = valid_i && ready_o;
  assign re_o = take;
  assign rd_cqid_o = complete_i.cqid[QidW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (take) read_q <= 1'b1;
      else if (move) read_q <= 1'b0;
      if (move) valid_q <= 1'b1;
      else if (done_o) valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) read_complete_q <= complete_i;
    if (move) begin
      complete_q <= read_complete_q;
      posted_q <= valid_q && posted_cqid_o == read_complete_q.cqid[QidW-1:0] ? posted_o : posted_i;
    end
  end

  assign posted_cqid_o = complete_q.cqid[QidW-1:0];
  assign posted_o = posted_q + PtrW'(1);
  assign give_valid_o = valid_q && !complete_q.posted;
  assign give_cqid_o = complete_q.cqid[QidW-1:0];
  assign done_o = valid_q && (complete_q.posted || give_done_i);
  assign done_complete_o = complete_q;
  assign idle_o = !read_q && !valid_q;
endmodule
`default_nettype wire
