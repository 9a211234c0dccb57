// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_completions: each completion takes effect once, in order, with its own
// data; an entry that was posted moves the count by one, one that was not gives room. One CQ is
// free but fixed; its count is watched.
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
    input wire logic            give_done_i,
    input wire logic [QidW-1:0] k_cqid_i
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

  // The completions in hand: the one whose row was read, and the one before it, that takes effect.
  logic started_q = 1'b0;
  logic read_q, held_q, take, move;
  complete_t read_complete_q, complete_q;
  assign take = valid_i && ready;
  assign move = read_q && (!held_q || done);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      read_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      read_q <= take || (read_q && !move);
      held_q <= move || (held_q && !done);
    end
    if (take) read_complete_q <= complete_i;
    if (move) complete_q <= read_complete_q;
  end

  // The count of the CQ, and what the memory shows of it.
  logic [QidW-1:0] cqid, cqid_q;
  logic [PtrW-1:0] count_q, count, shown_q;
  logic shown_valid_q;
  assign cqid = started_q ? cqid_q : k_cqid_i;
  assign count = done && posted_cqid == cqid ? posted : count_q;
  always_ff @(posedge clk_i) begin
    cqid_q <= cqid;
    count_q <= rst_ni ? count : '0;
    if (re) begin
      shown_valid_q <= rd_cqid == cqid;
      shown_q <= count;
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    // The event pipe gives when it is asked.
    begin : GivesWhenAsked_M assume (!give_done_i || give_valid); end
    begin : MemoryShowsCount_M
      assume (!(rst_ni && read_q && shown_valid_q) || posted_i == shown_q);
    end
    if (rst_ni) begin
      begin : TwoAtATime_A assert (idle == (!read_q && !held_q) && (!done || held_q)); end
      begin : BlockedTakesNone_A assert (!block_i || !ready); end
      begin : FullRate_A assert (block_i || ready == (!read_q || move)); end
      begin : ReadsWhatItTakes_A
        assert (re == take && (!re || rd_cqid == complete_i.cqid[QidW-1:0]));
      end
      if (held_q) begin : PostedAtOnce_A
        assert (complete_q.posted ? done && !give_valid : give_valid && done == give_done_i);
      end
      if (done) begin : DoneAsTaken_A
        assert (done_complete == complete_q && posted_cqid == complete_q.cqid[QidW-1:0]);
      end
      if (done && posted_cqid == cqid) begin : CountsOneMore_A
        assert (posted == count_q + PtrW'(1));
      end
      if (give_valid) begin : GivesItsOwn_A
        assert (held_q && give_cqid == complete_q.cqid[QidW-1:0]);
      end
      begin : GivenAndNext_C cover (done && !complete_q.posted && take); end
      begin : SameCqFollows_C
        cover (done && move && posted_cqid == cqid && read_complete_q.cqid == complete_q.cqid &&
               count_q == PtrW'(1));
      end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!held_q || done); end
    end
  end
endmodule
`default_nettype wire
