// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_pick: chooses the ring whose turn it is.
//
// Purpose: decision 0002, rules 2, 3, 8 and 14. Combinational.
// Behaviour:
//  1. Round robin: RingAdmin (SQ 0 on its turn under hold_io_i), else RingRr, if it has an SQ and a
//     slot is held.
//  2. Weighted: admin with one slot; else, with two, urgent; else the level in turn; else the
//     highest open level with an SQ; else the highest level with an SQ, after a reload of the
//     credits.
//  3. hold_all_i: nothing. hold_io_i: only SQ 0, that is RingAdmin, or RingRr while it is next
//     there (admin_next_i).
// Guarantees: a picked ring has an SQ (PickHasWork_A in nvmearb_fr_decide).
// Timing: combinational, a few gates, independent of the number of SQs.
// Spec: NVMe Base 2.1, 3.4.4.
`default_nettype none
module nvmearb_fr_pick
  import nvmearb_fr_pkg::*;
(
    // 1: weighted round robin with urgent class.
    input  wire logic                 wrr_i,
    // The ring has a visited or waiting SQ.
    input  wire logic [RingCount-1:0] has_i,
    // The level (high, medium, low) has credits.
    input  wire logic [2:0]           open_i,
    // Level in turn.
    input  wire logic                 turn_valid_i,
    input  wire logic [1:0]           turn_level_i,
    // At least one / two slots are held.
    input  wire logic                 slot_one_i,
    input  wire logic                 slot_two_i,
    // Freezes.
    input  wire logic                 hold_io_i,
    input  wire logic                 hold_all_i,
    // Round robin: SQ 0 is entry 0 of RingRr.
    input  wire logic                 admin_next_i,
    // Choice.
    output logic                      valid_o,
    output logic [2:0]                ring_o,
    output logic                      reload_o
);
  logic [2:0] has_level, open_level;
  logic [1:0] level;

  // High, else medium, else low.
  function automatic logic [1:0] highest(input logic [1:0] levels);
    return levels[0] ? 2'd0 : levels[1] ? 2'd1 : 2'd2;
  endfunction

  always_comb begin
    valid_o = 1'b0;
    ring_o = RingRr;
    reload_o = 1'b0;
    has_level = '0;
    open_level = '0;
    level = '0;
    if (slot_one_i && has_i != '0 && !hold_all_i) begin
      if (has_i[RingAdmin]) begin
        valid_o = 1'b1;
        ring_o = RingAdmin;
      end else if (!wrr_i) begin
        valid_o = has_i[RingRr] && (!hold_io_i || admin_next_i);
      end else if (slot_two_i && !hold_io_i) begin
        valid_o = 1'b1;
        if (has_i[RingUrgent]) begin
          ring_o = RingUrgent;
        end else begin
          has_level = has_i[3:1];
          open_level = has_level & open_i;
          if (turn_valid_i) level = turn_level_i;
          else if (open_level != '0) level = highest(open_level[1:0]);
          else level = highest(has_level[1:0]);
          ring_o = {1'b0, level} + 3'd1;
          reload_o = !turn_valid_i && open_level == '0;
        end
      end
    end
  end
endmodule
`default_nettype wire
