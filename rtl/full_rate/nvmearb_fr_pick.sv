// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_pick: chooses the ring whose turn it is.
//
// Purpose: decision 0002, rules 2, 3, 8 and 14. Combinational.
// Behaviour:
//  1. Round robin: RingAdmin (SQ 0 on its turn under hold_io), else RingRr, if it has an SQ.
//  2. Weighted: admin; else urgent; else the level in turn; else the highest open level with an SQ;
//     else the highest level with an SQ, after a reload of the credits.
//  3. Only what is allowed: admin with one slot and no hold of all; RingUrgent and the levels each
//     as they are told.
// Guarantees: at most one ring, and it has an SQ.
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
    // The level (high, medium, low) has credits; it is in turn.
    input  wire logic [2:0]           open_i,
    input  wire logic [2:0]           turn_i,
    // Slots and holds allow RingAdmin, RingRr or RingUrgent, the levels.
    input  wire logic                 allow_admin_i,
    input  wire logic                 allow_first_i,
    input  wire logic                 allow_levels_i,
    // Choice.
    output logic [RingCount-1:0]      ring_o,
    output logic                      reload_o
);
  logic [2:0] has, open, level, first;
  logic in_turn, any_open, below;

  assign has = has_i[3:1];
  assign open = has & open_i;
  assign in_turn = turn_i != '0;
  assign any_open = open != '0;
  // The first open level with an SQ; or, as none is open, the first with an SQ.
  assign first = {open[1:0] == '0 && (open[2] || (has[2] && has[1:0] == '0)),
                  !open[0] && (open[1] || (has[1] && !has[0] && !open[2])),
                  open[0] || (has[0] && open[2:1] == '0)};
  assign level = turn_i | (first & {3{!in_turn}});
  assign reload_o = !in_turn && !any_open;

  assign below = wrr_i && !has_i[RingAdmin] && !has_i[RingUrgent] && allow_levels_i;
  assign ring_o = {has_i[RingAdmin] && allow_admin_i, level & {3{below}},
                   has_i[RingUrgent] && !has_i[RingAdmin] && allow_first_i};
endmodule
`default_nettype wire
