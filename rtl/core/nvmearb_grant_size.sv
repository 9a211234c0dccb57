// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_grant_size: how many commands a grant carries, and how the decision ends.
//
// Purpose: decision 0002, rules 4 to 7 and 11. Combinational.
// Behaviour:
//  1. A halted SQ, or one without commands, is dropped; one whose CQ has no room is parked.
//  2. Else count = min(largest grant, burst left, credits, commands up to the ring end, CQ room,
//     slots). A new visit begins with the burst of its class.
//  3. The visit ends when the SQ is empty (StepEmpty) or the burst used up (StepRequeue).
// Guarantees: 1 <= count <= max_count_i with a grant, provided that slots, credits and burst are
//  not 0.
// Timing: combinational; two adders of PtrW bits in a row.
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
    // A decision is made in this clock; the result is all zero otherwise.
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
    // Its visit: begins now, or has burst_i commands to go.
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
  logic wrapped;
  logic [PtrW-1:0] ahead, to_end_zb, present;
  logic [3:0] avail8, count;
  logic [8:0] limit, weight;
  logic [BurstW-1:0] burst;

  // min(x, 8).
  function automatic logic [3:0] most8(input logic [16:0] x);
    return (x > 17'd8) ? 4'd8 : x[3:0];
  endfunction
  function automatic logic [3:0] least(input logic [3:0] a, input logic [3:0] b);
    return (a < b) ? a : b;
  endfunction

  always_comb begin
    wrapped = 1'b0;
    ahead = '0;
    to_end_zb = '0;
    present = '0;
    avail8 = '0;
    weight = '0;
    limit = '0;
    burst = '0;
    count = '0;
    step_o = StepKeep;
    grant_o = 1'b0;
    burst_o = '0;
    head_o = '0;
    if (valid_i) begin
      // Commands present, and those up to the ring end.
      wrapped = tail_i < head_i;
      ahead = tail_i - head_i;
      to_end_zb = size_zb_i - head_i;
      present = wrapped ? ahead + size_zb_i + PtrW'(1) : ahead;
      avail8 = most8(wrapped ? 17'(to_end_zb) + 17'd1 : 17'(ahead));

      // Burst of a new visit (rule 4).
      weight = {1'b0, weight_zb_i} + 9'd1;
      limit = 9'd1 << ab_i;
      if (!new_i) burst = burst_i;
      else if (weighted_i && (ab_i == 3'd7 || weight < limit)) burst = BurstW'(weight);
      else if (weighted_i) burst = BurstW'(limit);
      else burst = (ab_i == 3'd7) ? BurstW'(present) : BurstW'(limit);

      count = least(least(least(max_count_i, most8(17'(burst))),
                          least(weighted_i ? most8(17'(credit_i)) : 4'd8, avail8)),
                    least(most8(17'(room_i)), most8(17'(slots_i))));
      burst_o = burst - BurstW'(count);
      // The ring end is met exactly, never passed.
      head_o = (17'(to_end_zb) + 17'd1 == 17'(count)) ? '0 : head_i + PtrW'(count);

      if (halted_i || present == '0) begin
        step_o = StepDrop;
      end else if (room_i == '0) begin
        step_o = StepPark;
      end else begin
        grant_o = 1'b1;
        if (17'(present) == 17'(count)) step_o = StepEmpty;
        else if (burst_o == '0) step_o = StepRequeue;
        else step_o = StepKeep;
      end
    end
  end
  assign count_o = count;
endmodule
`default_nettype wire
