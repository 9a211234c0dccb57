// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_fetch_commit: each commit moves the fetched head of its SQ once, two
// clocks later, modulo the SQ's size. One SQ and its size are free but fixed; its head is watched.
`default_nettype none
module fr_fetch_commit_props #(
    parameter int QidW = 1,
    parameter int PtrW = 2,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic            clk_i,
    input wire logic            rst_ni,
    input wire logic            commit_valid_i,
    input wire logic [15:0]     commit_sqid_i,
    input wire logic [3:0]      commit_count_i,
    input wire logic [PtrW-1:0] size_zb_i,
    input wire logic [PtrW-1:0] fetched_i,
    input wire logic [QidW-1:0] k_sqid_i,
    input wire logic [PtrW-1:0] k_size_zb_i
);
  logic re, valid, idle;
  logic [QidW-1:0] rd_sqid, sqid;
  logic [3:0] count;
  logic [PtrW-1:0] fetched;
  nvmearb_fr_fetch_commit #(.QidW(QidW), .PtrW(PtrW)) u_dut (
      .clk_i, .rst_ni, .commit_valid_i, .commit_sqid_i, .commit_count_i, .re_o(re),
      .rd_sqid_o(rd_sqid), .size_zb_i, .fetched_i, .valid_o(valid), .sqid_o(sqid),
      .count_o(count), .fetched_o(fetched), .idle_o(idle));

  // Commits of the clock before and of the one before that.
  logic started_q = 1'b0;
  logic [1:0] valid_q;
  logic [1:0][QidW-1:0] sqid_q;
  logic [1:0][3:0] count_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    valid_q <= rst_ni ? {valid_q[0], commit_valid_i} : 2'b00;
    sqid_q <= {sqid_q[0], commit_sqid_i[QidW-1:0]};
    count_q <= {count_q[0], commit_count_i};
  end

  // The head of the SQ, and what the memory shows of it.
  logic [QidW-1:0] own, own_q;
  logic [PtrW-1:0] size_zb, size_zb_q, head_q, head, shown_q;
  logic mine;
  logic [PtrW+4:0] moved;
  assign own = started_q ? own_q : k_sqid_i;
  assign size_zb = started_q ? size_zb_q : k_size_zb_i;
  assign mine = valid && sqid == own;
  assign head = mine ? fetched : head_q;
  assign moved = (PtrW + 5)'(head_q) + (PtrW + 5)'(count_q[1]);
  always_ff @(posedge clk_i) begin
    own_q <= own;
    size_zb_q <= size_zb;
    head_q <= rst_ni ? head : '0;
    shown_q <= head;
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    // Never more than the ring can hold.
    begin : CountFits_M
      assume (!commit_valid_i || (commit_count_i >= 4'd1 && commit_count_i <= 4'd8));
    end
    begin : CommandsFit_M
      assume (!(commit_valid_i && rd_sqid == own) ||
              (PtrW + 5)'(commit_count_i) <= (PtrW + 5)'(size_zb));
    end
    begin : MemoryShowsHead_M
      assume (!(rst_ni && valid_q[0] && sqid_q[0] == own) || fetched_i == shown_q);
    end
    begin : MemoryShowsSize_M
      assume (!(valid_q[0] && sqid_q[0] == own) || size_zb_i == size_zb);
    end
    if (rst_ni) begin
      begin : EachTakesEffect_A assert (valid == valid_q[1]); end
      begin : ItsOwnData_A assert (!valid || (sqid == sqid_q[1] && count == count_q[1])); end
      begin : ReadsItsRow_A
        assert (re == commit_valid_i && rd_sqid == commit_sqid_i[QidW-1:0]);
      end
      begin : IdleWithNoneBehind_A assert (idle == !valid_q[0]); end
      begin : ZeroWithout_A assert (valid || fetched == '0); end
      if (mine) begin : MovesByCount_A
        assert ((PtrW + 5)'(fetched) ==
                (moved > (PtrW + 5)'(size_zb) ? moved - (PtrW + 5)'(size_zb) - 1 : moved));
      end
      begin : Wraps_C cover (mine && fetched < head_q && fetched != '0); end
      begin : SameSqInEachClock_C
        cover (mine && valid_q[0] && sqid_q[0] == own && head_q != '0);
      end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // A head never goes back.
      if (rst_ni) begin : False_A assert (!mine || fetched >= head_q); end
    end
  end
endmodule
`default_nettype wire
