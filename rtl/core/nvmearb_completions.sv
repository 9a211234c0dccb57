// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_completions: moves the CQ tails, and gives room back for commands that left no entry.
//
// Purpose: the CQ tail bounds what a CQ head doorbell may say (decision 0002, rule 13); room of a
//  command that is not completed by an entry returns to its CQ (rule 7).
// Behaviour, in order:
//  1. posted: one clock later the CQ's tail has moved by one, modulo its size.
//  2. not posted: the event pipe gives one entry of room back, which may take a few clocks.
// Guarantees: order is kept; done_o once per completion.
// Requires: cqid exists; one completion per granted command.
// Timing: one completion per clock while all are posted.
`default_nettype none
module nvmearb_completions
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
    input  wire logic [PtrW-1:0] size_zb_i,
    input  wire logic [PtrW-1:0] tail_i,
    output logic                 tail_we_o,
    output logic [QidW-1:0]      tail_cqid_o,
    output logic [PtrW-1:0]      tail_o,
    // Room given back.
    output logic                 give_valid_o,
    input  wire logic            give_done_i,
    output logic [QidW-1:0]      give_cqid_o
);
  logic valid_q, take;
  complete_t complete_q;

  assign ready_o = !block_i && (!valid_q || done_o);
  assign take = valid_i && ready_o;
  assign re_o = take;
  assign rd_cqid_o = complete_i.cqid[QidW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (done_o) valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take) complete_q <= complete_i;
  end

  assign tail_we_o = valid_q && complete_q.posted;
  assign tail_cqid_o = complete_q.cqid[QidW-1:0];
  always_comb begin
    tail_o = '0;
    if (tail_we_o && tail_i != size_zb_i) tail_o = tail_i + PtrW'(1);
  end
  assign give_valid_o = valid_q && !complete_q.posted;
  assign give_cqid_o = complete_q.cqid[QidW-1:0];
  assign done_o = tail_we_o || (give_valid_o && give_done_i);
  assign done_complete_o = complete_q;
  assign idle_o = !valid_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : CqTailWraps_C
        cover (tail_we_o && tail_i == size_zb_i);
      end
      begin : GiveWaits_C
        cover (give_valid_o && !give_done_i && valid_i);
      end
      begin : CompleteEveryClock_C
        cover (done_o && take);
      end
    end
  end
endmodule
`default_nettype wire
