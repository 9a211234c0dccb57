// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_refill: reads how many commands an SQ has: tail - issue head, modulo its size.
//
// Purpose: brings SQs from the memories of the rings to their windows, and answers the front of a
//  ring that knows only a part of its commands.
// Behaviour:
//  1. Landing, one SQ per clock: choose a ring that wants one and read its id (x0); read tail, head
//     and size (x1); subtract, and land (x2).
//  2. Ask (ask_i, a decision's clock t0): the head comes from the grant pipe in t2, tail and size
//     are read in the same clock; the answer is given in t4 (answer_o). It counts what is there
//     beyond the known_i of t0. One ask at a time (busy_o).
// Guarantees: order inside a ring is kept.
// Requires: what is granted of an SQ is in the head that x1 reads, but for a grant that writes it
//  in that clock (head_we_i), whose SQ says so (taken_front_i); no ask while busy_o (OneAsk_M).
// Timing: want to landing 2 clocks; visible in the window one clock later. The number knows the
//  doorbells that took effect before x1; later ones reach the SQ in the window.
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
    input  wire logic [RingCount-1:0]           want_i,
    input  wire logic [RingCount-1:0]           hungry_i,
    output logic [RingCount-1:0]                take_o,
    input  wire logic [RingCount-1:0][QidW:0]   taken_i,     // {phase, id}
    input  wire logic [RingCount-1:0]           taken_front_i,  // it was the front 2 clocks before
    output logic [RingCount-1:0][1:0]           flight_o,
    output logic [RingCount-1:0]                land_o,
    output logic [QidW:0]                       land_sq_o,   // {phase, id}
    output left_t                               land_left_o,
    // Asks.
    input  wire logic                           ask_i,       // t0
    input  wire logic [KnownW-1:0]              known_i,
    input  wire logic                           ask_t1_i,
    input  wire logic                           ask_t2_i,
    input  wire logic [QidW-1:0]                ask_sq_i,    // t2
    input  wire logic [PtrW-1:0]                ask_head_i,
    output logic                                busy_o,
    output logic                                answer_o,
    output more_t                               answer_left_o,
    output logic [PtrW-1:0]                     answer_count_o,  // in all, at t0
    // SQ row, in x1.
    input  wire logic                           head_we_i,
    output logic                                re_o,
    output logic [QidW-1:0]                     sqid_o,
    input  wire logic [PtrW-1:0]                tail_i,
    input  wire logic [PtrW-1:0]                head_i,
    input  wire logic [PtrW-1:0]                size_zb_i,
    // A tail is written in this clock.
    input  wire logic                           tail_we_i,
    input  wire logic [QidW-1:0]                tail_sqid_i,
    input  wire logic [PtrW-1:0]                tail_new_i,
    output logic                                idle_o
);
  logic [RingCount-1:0] most, x1_q, x2_q;
  logic [QidW:0] x1_sq, x2_sq_q;
  logic free, hit_q, granted_q, x2_ask_q, x3_ask_q, busy_q;
  logic [PtrW-2:0] carry;
  logic [PtrW-1:0] tail_q, tail, head_q, half, around, count, count_q, head;
  logic [PtrW:0] diff;
  left_t left, left_q;
  logic [KnownW-1:0] known_q, delta;

  // Hungry rings first, of those the lowest. All together want one a clock on average: who is not
  // served meanwhile does not want for long.
  assign most = (want_i & hungry_i) != '0 ? want_i & hungry_i : want_i;
  always_comb begin
    free = !ask_t1_i;
    for (int r = 0; r < RingCount; r++) begin
      take_o[r] = most[r] && free;
      if (most[r]) free = 1'b0;
    end
  end

  // x1.
  always_comb begin
    x1_sq = ask_t2_i ? {1'b0, ask_sq_i} : '0;
    for (int r = 0; r < RingCount; r++) begin
      if (x1_q[r]) x1_sq = x1_sq | taken_i[r];
      flight_o[r] = {x1_q[r] && x2_q[r], x1_q[r] != x2_q[r]};
    end
  end
  assign sqid_o = x1_sq[QidW-1:0];
  assign re_o = x1_q != '0 || ask_t2_i;

  // x2.
  assign head = x2_ask_q || granted_q ? head_q : head_i;
  // tail - head, less one if a grant is not in that head; and the same plus the size of the ring,
  // which counts if the first is below 0.
  assign tail = hit_q ? tail_q : tail_i;
  assign diff = {1'b0, tail} + {1'b1, ~head} + (PtrW + 1)'(!granted_q);
  assign half = tail ^ ~head ^ size_zb_i;
  assign carry = (PtrW - 1)'((tail & ~head) | (tail & size_zb_i) | (~head & size_zb_i));
  assign around = half + {carry, 1'b1} + PtrW'(!granted_q);
  assign count = diff[PtrW] ? around : diff[PtrW-1:0];
  // Both are looked at before it is known which one counts.
  assign left = diff[PtrW] ? as_left(16'(around)) : as_left(16'(diff[PtrW-1:0]));
  assign land_o = x2_q;
  assign land_sq_o = x2_sq_q;
  assign land_left_o = left;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x1_q <= '0;
      x2_q <= '0;
      x2_ask_q <= 1'b0;
      x3_ask_q <= 1'b0;
    end else begin
      x1_q <= take_o;
      x2_q <= x1_q;
      x2_ask_q <= ask_t2_i;
      x3_ask_q <= x2_ask_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (re_o) begin
      x2_sq_q <= x1_sq;
      hit_q <= tail_we_i && tail_sqid_i == sqid_o;
      tail_q <= tail_new_i;
    end
    if (ask_t2_i || head_we_i) head_q <= ask_head_i;
    if (re_o) granted_q <= head_we_i && (x1_q & taken_front_i) != '0;
    if (x2_ask_q) begin
      count_q <= count;
      left_q <= left;
    end
  end

  // Answer.
  assign delta = left_q.known - known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) busy_q <= 1'b0;
    else if (ask_i) busy_q <= 1'b1;
    else if (x3_ask_q) busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (ask_i) known_q <= known_i;
  end
  assign busy_o = busy_q;
  assign answer_o = x3_ask_q;
  assign answer_left_o = as_more({left_q.more, delta});
  assign answer_count_o = count_q;
  assign idle_o = x1_q == '0 && x2_q == '0 && !busy_q;

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
