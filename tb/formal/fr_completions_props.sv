// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_completions: each completion takes effect once, in order, with its own
// data; an entry that was posted moves the count by one, one that was not gives room.
`default_nettype none
module fr_completions_props
  import nvmearb_pkg::*;
#(
    parameter int QidW = 1,
    parameter int PtrW = 2,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic            clk_i,
    input wire logic            rst_ni,
    input wire logic            valid_i,
    input wire complete_t       complete_i,
    input wire logic            block_i,
    input wire logic [PtrW-1:0] posted_i,
    input wire logic            give_done_i
);
  logic ready, idle, done, re, give_valid;
  complete_t done_complete;
  logic [QidW-1:0] rd_cqid, posted_cqid, give_cqid;
  logic [PtrW-1:0] posted;
  nvmearb_fr_completions #(.QidW(QidW), .PtrW(PtrW)) u_dut (
      .clk_i, .rst_ni, .valid_i, .ready_o(ready), .complete_i, .block_i, .idle_o(idle),
      .done_o(done), .done_complete_o(done_complete), .re_o(re), .rd_cqid_o(rd_cqid), .posted_i,
      .posted_cqid_o(posted_cqid), .posted_o(posted), .give_valid_o(give_valid), .give_done_i,
      .give_cqid_o(give_cqid));

  // The completion in hand.
  logic started_q = 1'b0;
  logic held_q;
  complete_t complete_q;
  logic take;
  assign take = valid_i && ready;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= take || (held_q && !done);
    if (take) complete_q <= complete_i;
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    // The event pipe gives when it is asked.
    begin : GivesWhenAsked_M assume (!give_done_i || give_valid); end
    if (rst_ni) begin
      begin : OneAtATime_A assert (idle == !held_q && (!done || held_q)); end
      begin : BlockedTakesNone_A assert (!block_i || !ready); end
      begin : FullRate_A assert (block_i || ready == (!held_q || done)); end
      begin : ReadsWhatItTakes_A
        assert (re == take && (!re || rd_cqid == complete_i.cqid[QidW-1:0]));
      end
      if (held_q) begin : PostedAtOnce_A
        assert (complete_q.posted ? done && !give_valid : give_valid && done == give_done_i);
      end
      if (done) begin : DoneAsTaken_A assert (done_complete == complete_q); end
      if (done) begin : CountsOneMore_A
        assert (posted == PtrW'(posted_i + PtrW'(1)) && posted_cqid == complete_q.cqid[QidW-1:0]);
      end
      if (give_valid) begin : GivesItsOwn_A
        assert (held_q && give_cqid == complete_q.cqid[QidW-1:0]);
      end
      begin : GivenAndNext_C cover (done && !complete_q.posted && take); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!held_q || done); end
    end
  end
endmodule
`default_nettype wire
