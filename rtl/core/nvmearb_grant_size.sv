// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_grant_size: how many commands a grant carries, and how the decision ends.
//
// Purpose: decision 0002, rules 4 to 7 and 11. Two clocks: what registers limit, then what memories
//  limit.
// Behaviour:
//  1. prepare_i: the burst (a new visit begins with that of its class), the largest grant and the
//     credits are taken.
//  2. valid_i, in the next clock: a halted SQ, or one without commands, is dropped; one whose CQ
//     has no room is parked, or, if its visit was going on, goes to the back.
//  3. Else count = min(largest grant, burst left, credits, commands up to the ring end, CQ room,
//     slots).
//  4. The visit ends when the SQ is empty (StepEmpty) or the burst used up (StepRequeue).
// Guarantees: 1 <= count <= max_count_i with a grant, provided that slots, credits and burst are
//  not 0.
// Requires: prepare_i in the clock before valid_i; new_i, ab_i and weighted_i stay.
// Timing: from the memories a subtraction of PtrW bits, and about eight gates: numbers are compared
//  as nine flags, up to 1 .. 9.
`default_nettype none
module nvmearb_grant_size
  import nvmearb_core_pkg::*;
#(
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a burst counter: max(PtrW, 9).
    parameter int BurstW = 16,
    // Width of the slot counter, 4..16.
    parameter int SlotW = 10
) (
    input  wire logic              clk_i,
    // A decision is made in the next clock, in this clock; the result is all zero otherwise.
    input  wire logic              prepare_i,
    input  wire logic              valid_i,
    // Largest count of a grant, 1..8.
    input  wire logic [3:0]        max_count_i,
    // The SQ.
    input  wire logic [PtrW-1:0]   head_i,
    input  wire logic [PtrW-1:0]   tail_i,
    input  wire logic [PtrW-1:0]   size_zb_i,
    input  wire logic              halted_i,
    // Room in its CQ.
    input  wire logic [PtrW-1:0]   room_i,
    // Its visit: begins now, or has burst_i commands to go. Taken with prepare_i.
    input  wire logic              new_i,
    input  wire logic [BurstW-1:0] burst_i,
    // Settings.
    input  wire logic [2:0]        ab_i,
    // Weighted level: weight (0's based) and credits.
    input  wire logic              weighted_i,
    input  wire logic [7:0]        weight_zb_i,
    input  wire logic [8:0]        credit_i,
    // Slots that this SQ may use.
    input  wire logic [SlotW-1:0]  slots_i,
    // Result.
    output step_e                  step_o,
    output logic                   grant_o,
    output logic [3:0]             count_o,
    output logic [BurstW-1:0]      burst_o,
    output logic [PtrW-1:0]        head_o
);
  // x reaches 1, 2 .. 9: the least of several numbers is the AND of their flags, and a count is 8
  // at most.
  typedef logic [9:1] reach_t;
  function automatic reach_t reach(input logic [16:0] x);
    return x[16:4] != '0 ? '1 : ~(9'h1ff << x[3:0]);
  endfunction
  // Is x, which is not less than the count, equal to it?
  function automatic logic used_up(input reach_t x, input reach_t count);
    return (x & ~count) == '0;
  endfunction

  // Prepared.
  logic no_limit, no_limit_q;
  logic [BurstW-1:0] burst_first, burst_q;
  reach_t burst_reach, fixed_q, burst_reach_q;

  logic wrapped, none;
  logic [PtrW-1:0] ahead, around, half, to_end_zb;
  logic [PtrW-2:0] carry;
  logic [BurstW-1:0] burst;
  reach_t ahead_reach, end_reach, present, avail, least, last;
  logic [3:0] count;

  // Burst of a new visit, less one (rule 4); not without limit.
  function automatic logic [7:0] burst_zb(input logic [2:0] ab, input logic weighted,
                                          input logic [7:0] weight_zb);
    logic [7:0] limit_zb;
    limit_zb = ~(8'hff << ab) | {8{ab == 3'd7}};
    return weighted && (weight_zb & ~limit_zb) == '0 ? weight_zb : limit_zb;
  endfunction
  always_comb begin
    no_limit = 1'b0;
    burst_first = '0;
    if (prepare_i) begin
      no_limit = new_i && !weighted_i && ab_i == 3'd7;
      burst_first = burst_i;
      if (new_i) burst_first = BurstW'(burst_zb(ab_i, weighted_i, weight_zb_i)) + BurstW'(1);
    end
  end
  assign burst_reach = no_limit ? '1 : reach(17'(burst_first));
  always_ff @(posedge clk_i) begin
    if (prepare_i) begin
      no_limit_q <= no_limit;
      burst_q <= burst_first;
      burst_reach_q <= burst_reach;
      fixed_q <= reach(17'(max_count_i)) & burst_reach &
          (weighted_i ? reach(17'(credit_i)) : '1);
    end
  end

  always_comb begin
    wrapped = 1'b0;
    none = 1'b0;
    ahead = '0;
    around = '0;
    half = '0;
    carry = '0;
    to_end_zb = '0;
    ahead_reach = '0;
    end_reach = '0;
    present = '0;
    avail = '0;
    least = '0;
    last = '0;
    burst = '0;
    count = '0;
    step_o = StepKeep;
    grant_o = 1'b0;
    burst_o = '0;
    head_o = '0;
    if (valid_i) begin
      // Commands present: tail - head, or the same plus the size, side by side.
      {wrapped, ahead} = {1'b0, tail_i} - {1'b0, head_i};
      half = tail_i ^ ~head_i ^ size_zb_i;
      carry = (PtrW - 1)'((tail_i & ~head_i) | (tail_i & size_zb_i) | (~head_i & size_zb_i));
      around = half + {carry, 1'b1} + PtrW'(1);
      ahead_reach = reach(17'(ahead));
      present = wrapped ? reach(17'(around)) : ahead_reach;
      none = !wrapped && ahead == '0;
      // Those up to the ring end, which is met exactly, never passed.
      to_end_zb = size_zb_i - head_i;
      end_reach = (reach(17'(to_end_zb)) << 1) | 9'd1;
      avail = wrapped ? end_reach : ahead_reach;

      least = fixed_q & reach(17'(slots_i)) & reach(17'(room_i)) & avail;
      // One bit: the count itself.
      last = least & ~(least >> 1);
      count = {last[8], (last & 9'h078) != '0, (last & 9'h066) != '0, (last & 9'h055) != '0};
      head_o = used_up(end_reach, least) ? '0 : head_i + PtrW'(count);
      if (no_limit_q) burst = wrapped ? BurstW'(around) : BurstW'(ahead);
      else burst = burst_q;
      burst_o = burst - BurstW'(count);

      if (halted_i || none) begin
        step_o = StepDrop;
      end else if (room_i == '0) begin
        step_o = new_i ? StepPark : StepRequeue;
      end else begin
        grant_o = 1'b1;
        if (used_up(present, least)) step_o = StepEmpty;
        else if (used_up(burst_reach_q, least)) step_o = StepRequeue;
        else step_o = StepKeep;
      end
    end
  end
  assign count_o = count;
endmodule
`default_nettype wire
