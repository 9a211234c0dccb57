// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_fr_ring_store: a queue in the order of its pushes. One number of a push is
// free but fixed; its word is watched.
`default_nettype none
module fr_ring_store_props #(
    parameter int QidW = 2,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0,
    localparam int CountW = QidW + 2
) (
    input wire logic              clk_i,
    input wire logic              rst_ni,
    input wire logic              clear_i,
    input wire logic              push_front_i,
    input wire logic              push_act_i,
    input wire logic [QidW:0]     front_i,
    input wire logic              alone_i,
    input wire logic              again_i,
    input wire logic [QidW:0]     act_i,
    input wire logic              take_i,
    input wire logic [CountW-1:0] k_number_i
);
  // The word of an activation is shown one clock after it, and the clock after that.
  logic [QidW:0] act_q, next;
  logic there, taken_front, idle, empty;
  nvmearb_fr_ring_store #(.QidW(QidW)) u_dut (
      .clk_i, .rst_ni, .clear_i, .push_front_i, .push_act_i, .front_i, .alone_i, .again_i,
      .act_i({act_q, act_i}), .there_o(there), .take_i, .next_o(next),
      .taken_front_o(taken_front), .idle_o(idle), .empty_o(empty));

  logic started_q = 1'b0;
  logic front_now_q, act_now_q, act_late_q, alone;
  logic [CountW-1:0] number, number_q, written_q, taken_q, held, arriving, late_number;
  logic [QidW:0] word_q, word;
  assign number = started_q ? number_q : k_number_i;
  assign alone = act_now_q && alone_i;
  assign arriving = CountW'(front_now_q) + CountW'(act_late_q) + CountW'(alone);
  assign held = written_q - taken_q;
  assign late_number = written_q + CountW'(front_now_q);
  always_comb begin
    word = word_q;
    if (front_now_q && written_q == number) word = front_i;
    if (act_late_q && late_number == number) word = act_q;
    if (alone && written_q == number) word = act_i;
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    number_q <= number;
    act_q <= act_i;
    word_q <= word;
    if (!rst_ni || clear_i) begin
      front_now_q <= 1'b0;
      act_now_q <= 1'b0;
      act_late_q <= 1'b0;
      written_q <= '0;
      taken_q <= '0;
    end else begin
      front_now_q <= push_front_i;
      act_now_q <= push_act_i;
      act_late_q <= act_now_q && !alone;
      written_q <= written_q + arriving;
      if (take_i) taken_q <= taken_q + CountW'(1);
    end
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    begin : TakesWhatIsThere_M assume (!take_i || there); end
    // There are 2^QidW SQs, and one at least is elsewhere.
    begin : AloneIsAlone_M
      assume (!alone || (!front_now_q && !act_late_q && held == '0));
    end
    begin : OthersAreElsewhere_M assume (held + arriving < CountW'(2 ** QidW)); end
    if (rst_ni) begin
      begin : ShowsWhatItHas_A assert (there == (held != '0 || arriving != '0)); end
      if (take_i && taken_q == number) begin : FirstInFirstOut_A assert (next == word); end
      begin : IdleWithNothingOnItsWay_A
        assert (idle == !(front_now_q || act_now_q || act_late_q) &&
                empty == (idle && held == '0));
      end
      begin : TakenWhileWritten_C cover (take_i && held == '0); end
      begin : BothBanks_C cover (front_now_q && act_late_q && take_i && held == CountW'(1)); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      // The activation of the clock before comes first.
      if (rst_ni && front_now_q && act_late_q) begin : False_A
        assert (!(late_number == number) || word == front_i);
      end
    end
  end

  logic unused;
  assign unused = taken_front;
endmodule
`default_nettype wire
