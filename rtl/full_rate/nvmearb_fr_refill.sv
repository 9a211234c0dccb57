// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_refill: reads how many commands an SQ has: tail - issue head, modulo its size.
//
// Purpose: brings SQs from the memories of the rings to their windows, and answers the front of a
//  ring that knows only a part of its commands.
// Behaviour:
//  1. Landing, one SQ per clock: choose a ring that wants one and keep its id (x0); read tail, head
//     and size (x1, x2); the SQ lands while they are subtracted (x3), and its number follows it a
//     clock later (x4, fill_o). Whether that is one is known when it lands (land_one_o).
//  2. Ask (ask_i, a decision's clock t0): the head comes from the grant pipe in t2, tail and size
//     are read in the same clock; the answer is given in t5 (answer_o). It counts what is there
//     beyond the known_i of t0. One ask at a time (busy_o).
// Guarantees: order inside a ring is kept.
// Requires: what is granted of an SQ is in the head that x1 reads, but for a grant that is in t2
//  then (t2_grant_i), whose SQ says so (taken_front_i); no ask while busy_o (OneAsk_M).
// Timing: want to landing 3 clocks; visible in the window one clock later. The number knows the
//  doorbells that took effect in x1 or before; one of x2 reaches the rings while the SQ lands
//  (land_hit_o; its number is known as a part only), later ones find it in the window.
`default_nettype none
module nvmearb_fr_refill
  import nvmearb_fr_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic                           clk_i,
    input  wire logic                           rst_ni,
    input  wire logic                           clear_i,
    // Rings.
    input  wire logic [RingCount-1:0]           hungry_i,    // has a place
    input  wire logic [RingCount-1:0]           moving_i,    // an SQ leaves now, with a grant
    input  wire logic [RingCount-1:0]           grant_i,     // one ring at most
    output logic [RingCount-1:0]                take_o,
    input  wire logic [RingCount-1:0][QidW:0]   next_i,      // {phase, id}
    input  wire logic [RingCount-1:0]           taken_front_i,  // x1: the front 2 clocks before
    output logic [RingCount-1:0][2:0]           flight_o,    // in x3, x2, x1
    output logic [RingCount-1:0]                land_o,
    output logic [QidW:0]                       land_sq_o,   // {phase, id}
    output logic                                land_one_o,  // it has one command
    output logic                                land_hit_o,  // and gets more in this clock
    // A clock later.
    output logic [RingCount-1:0]                fill_o,
    output left_t                               fill_left_o,
    output logic                                fill_one_o,
    // Asks.
    input  wire logic                           ask_i,       // t0
    input  wire logic [KnownW-1:0]              known_i,
    input  wire logic                           ask_t1_i,
    input  wire logic [QidW-1:0]                ask_sq_i,    // t1
    input  wire logic                           ask_t2_i,
    input  wire logic [PtrW-1:0]                ask_head_i,  // t2
    output logic                                busy_o,
    output logic                                looked_o,    // t4, t5: the tail was read before
    output logic                                answer_o,
    output more_t                               answer_left_o,
    output logic [PtrW-1:0]                     answer_count_o,  // not limited
    // SQ row, in x1.
    input  wire logic                           t2_grant_i,
    output logic                                re_o,
    output logic [QidW-1:0]                     sqid_o,
    input  wire logic [PtrW-1:0]                tail_i,
    input  wire logic [PtrW-1:0]                head_i,
    input  wire logic [PtrW-1:0]                size_zb_i,
    // A tail is written in this clock.
    input  wire logic                           tail_we_i,
    input  wire logic [QidW-1:0]                tail_sqid_i,
    input  wire logic [PtrW-1:0]                tail_new_i,
    // A doorbell reaches the rings.
    input  wire logic                           add_i,
    input  wire logic [QidW-1:0]                add_sq_i,
    output logic                                idle_o
);
  logic [RingCount-1:0] hungry, x1_q, x2_q, x3_q, x4_q;
  logic [QidW:0] hungry_sq, moving_sq, x1_sq_q, x2_sq_q, x3_sq_q;
  logic hit, tail_we_q, granted_q, x2_ask_q, x3_ask_q, x4_ask_q, busy_q;
  logic x3_granted_q, late_q, one, one_q;
  logic [QidW-1:0] tail_sqid_q;
  logic [PtrW-1:0] tail_q, head_q, x3_tail_q, x3_size_q;
  logic [PtrW:0] x3_head_q, head;
  logic [PtrW-1:0] not_head, wrong_diff, wrong_around;
  logic [PtrW-1:0] half, base, around, around_q, count;
  logic [PtrW-2:0] carry;
  logic [PtrW:0] diff, diff_q;
  logic [KnownW-1:0] known_q;

  // x0. Hungry rings first, of those the lowest; then the one that moves on, for this is known
  // late: if it is not served now it is hungry next. All together want one a clock on average: who
  // is not served meanwhile does not want for long.
  always_comb begin
    hungry = '0;
    for (int r = RingCount - 1; r >= 0; r--) begin
      if (hungry_i[r]) hungry = RingCount'(1) << r;
    end
    take_o = '0;
    if (!ask_t1_i) take_o = hungry_i != '0 ? hungry : moving_i;
    hungry_sq = '0;
    moving_sq = '0;
    for (int r = 0; r < RingCount; r++) begin
      if (hungry[r]) hungry_sq = hungry_sq | next_i[r];
      if (grant_i[r]) moving_sq = moving_sq | next_i[r];
      flight_o[r] = {x3_q[r], x2_q[r], x1_q[r]};
    end
  end
  // Whether it is taken is known later.
  always_ff @(posedge clk_i) begin
    x1_sq_q <= ask_t1_i ? {1'b0, ask_sq_i} : hungry_i != '0 ? hungry_sq : moving_sq;
  end

  // x1.
  assign sqid_o = x1_sq_q[QidW-1:0];
  assign re_o = x1_q != '0 || ask_t2_i;
  always_ff @(posedge clk_i) begin
    if (re_o) begin
      x2_sq_q <= x1_sq_q;
      granted_q <= t2_grant_i && (x1_q & taken_front_i) != '0;
    end
    if (ask_t2_i) head_q <= ask_head_i;
    tail_we_q <= tail_we_i;
    tail_sqid_q <= tail_sqid_i;
    tail_q <= tail_new_i;
  end

  // x2. The tail was written while it was read. What an ask knows counts as granted.
  assign hit = tail_we_q && tail_sqid_q == x2_sq_q[QidW-1:0];
  assign head = {1'b0, head_q} + (PtrW + 1)'(known_q);
  // Bits beyond the pointers of a small ring.
  logic unused;
  assign unused = ^known_q;
  always_ff @(posedge clk_i) begin
    x3_sq_q <= x2_sq_q;
    x3_granted_q <= granted_q;
    x3_tail_q <= hit ? tail_q : tail_i;
    x3_head_q <= x2_ask_q ? head : {1'b0, head_i};
    x3_size_q <= size_zb_i;
  end

  // x3: tail - head, less one if a grant is not in that head; and the same plus the size of the
  // ring, which counts if the first is below 0.
  assign diff = {1'b0, x3_tail_q} + ~x3_head_q + (PtrW + 1)'(!x3_granted_q);
  assign half = PtrW'(x3_tail_q ^ ~x3_head_q[PtrW-1:0] ^ x3_size_q);
  assign carry = (PtrW - 1)'((x3_tail_q & ~x3_head_q[PtrW-1:0]) | (x3_tail_q & x3_size_q) |
                             (~x3_head_q[PtrW-1:0] & x3_size_q));
  assign base = {carry, 1'b1};
  assign around = half + base + PtrW'(!x3_granted_q);
  // Is one of them 1? Without their carries: a sum is 0 if each bit is 0 with the carry that the
  // bit before gives then. The second is looked at in a ring that ended with the tail.
  assign not_head = ~x3_head_q[PtrW-1:0];
  always_comb begin
    wrong_diff = x3_tail_q ^ not_head ^ ((x3_tail_q | not_head) << 1);
    wrong_around = half ^ base ^ ((half | base) << 1);
    if (x3_granted_q) begin
      wrong_diff[1:0] = {x3_tail_q[1] ^ not_head[1], x3_tail_q[0] == not_head[0]};
      wrong_around[1:0] = {half[1] ^ base[1], half[0] == base[0]};
    end
  end
  assign one = wrong_diff == '0 || (wrong_around == '0 && x3_tail_q[PtrW-1:1] == '0);
  assign land_o = x3_q;
  assign land_sq_o = x3_sq_q;
  assign land_one_o = one;
  assign land_hit_o = add_i && add_sq_i == x3_sq_q[QidW-1:0];
  always_ff @(posedge clk_i) begin
    diff_q <= diff;
    around_q <= around;
    one_q <= one && !land_hit_o;
    late_q <= land_hit_o;
  end

  // x4. Both are looked at before it is known which one counts.
  assign count = diff_q[PtrW] ? around_q : diff_q[PtrW-1:0];
  assign fill_o = x4_q;
  always_comb begin
    fill_left_o = diff_q[PtrW] ? as_left(16'(around_q)) : as_left(16'(diff_q[PtrW-1:0]));
    if (late_q) fill_left_o.more = 1'b1;
  end
  assign fill_one_o = one_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x1_q <= '0;
      x2_q <= '0;
      x3_q <= '0;
      x4_q <= '0;
      x2_ask_q <= 1'b0;
      x3_ask_q <= 1'b0;
      x4_ask_q <= 1'b0;
    end else begin
      x1_q <= take_o;
      x2_q <= x1_q;
      x3_q <= x2_q;
      x4_q <= x3_q;
      x2_ask_q <= ask_t2_i;
      x3_ask_q <= x2_ask_q;
      x4_ask_q <= x3_ask_q;
    end
  end

  // Answer.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) busy_q <= 1'b0;
    else if (ask_i) busy_q <= 1'b1;
    else if (x4_ask_q) busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (ask_i) known_q <= known_i;
  end
  assign busy_o = busy_q;
  assign looked_o = x3_ask_q || x4_ask_q;
  assign answer_o = x4_ask_q;
  assign answer_left_o = diff_q[PtrW] ? as_more(16'(around_q))
      : as_more(16'(diff_q[PtrW-1:0]));
  assign answer_count_o = count;
  assign idle_o = x1_q == '0 && x2_q == '0 && x3_q == '0 && x4_q == '0 && !busy_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : OneAsk_M
        assert (!ask_i || !busy_q);
      end
      begin : PortIsFree_A
        assert (!(ask_t2_i && x1_q != '0));
      end
    end
  end
endmodule
`default_nettype wire
