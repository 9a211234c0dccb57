// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_decide: makes one decision per clock.
//
// Purpose: decision 0002, rules 2 to 8 and 14; owns command slots and, through nvmearb_fr_credits,
//  the weighted levels.
// Behaviour: nvmearb_fr_pick chooses a ring; its entry 0 is granted one command if the ring is
//  ready, nothing pauses, and the grant pipe has a place (at most Depth grants decided and not
//  read).
//  While a CQ is nearly full (serial_i), one decision at a time: the room of the CQ is probed
//  (probe_o, and probed_i three clocks later), then the same entry 0 is granted, or parked (park_o)
//  if there is none. If another is next by then, or some CQ got room, it is probed again.
//  Round robin: a grant of RingAdmin (SQ 0 under hold_io_i) that begins a visit ends that of
//  RingRr; at its own end SQ 0 goes back to RingRr (admin_back_o).
// Guarantees: PickHasWork_A; a level that is charged has credits (nvmearb_fr_credits).
// Requires: slots never exceed 2^SlotW - 1 (SlotsFit_M).
// Timing: one clock.
`default_nettype none
module nvmearb_fr_decide
  import nvmearb_fr_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of the slot counter, 4..16.
    parameter int SlotW = 10,
    // Grants decided and not read, at most.
    parameter int Depth = 4
) (
    input  wire logic                           clk_i,
    input  wire logic                           rst_ni,
    // Settings.
    input  wire logic                           wrr_i,
    input  wire logic                           clear_i,
    input  wire logic                           set_arb_i,
    input  wire logic [2:0]                     ab_i,
    input  wire logic [7:0]                     hpw_zb_i,
    input  wire logic [7:0]                     mpw_zb_i,
    input  wire logic [7:0]                     lpw_zb_i,
    // Holds, slots, pauses.
    input  wire logic                           hold_io_i,
    input  wire logic                           hold_all_i,
    input  wire logic [3:0]                     slot_give_i,
    input  wire logic                           pause_i,
    input  wire logic                           forget_i,    // the probe
    input  wire logic [2:0]                     pause_ring_i,  // shown meanwhile
    input  wire logic                           act_i,       // an SQ becomes active in this clock
    output logic                                slots_o,     // at least one is held
    input  wire logic                           admin_next_i,
    // Rings.
    input  wire logic [RingCount-1:0]           has_i,
    input  wire logic [RingCount-1:0]           ready_i,
    input  wire logic [RingCount-1:0][QidW-1:0] front_sq_i,
    input  wire logic [RingCount-1:0]           front_phase_i,
    input  wire logic [RingCount-1:0][KnownW-1:0] front_known_i,
    input  wire logic [RingCount-1:0]           visit_i,
    input  wire logic [RingCount-1:0]           end_i,
    input  wire logic [RingCount-1:0]           back_i,
    input  wire logic [RingCount-1:0]           retire_i,
    output logic [RingCount-1:0]                grant_o,
    output logic [RingCount-1:0][7:0]           burst_o,     // less one
    output logic [RingCount-1:0]                burst_one_o,
    output logic                                burst_all_o, // strict classes: all that is present
    output logic                                yield_o,     // round robin: SQ 0 ends the visit
    output logic                                admin_back_o,
    // The decision.
    output logic                                wanted_o,    // one is possible, but for pauses
    output logic                                valid_o,
    output logic [QidW-1:0]                     sq_o,
    output logic                                phase_o,
    output logic                                first_o,
    output logic                                retire_o,
    output logic                                weighted_o,
    output logic [1:0]                          level_o,
    output logic                                reload_o,
    // Asking how many commands the front of a ring has, with its grant or alone.
    input  wire logic [RingCount-1:0]           ask_want_i,
    input  wire logic                           ask_busy_i,
    output logic                                ask_o,
    output logic [RingCount-1:0]                ask_ring_o,
    output logic [KnownW-1:0]                   ask_known_o,
    input  wire logic                           read_i,      // a grant was read
    output logic [2:0]                          unread_o,    // decided and not read
    // Nearly full CQs.
    input  wire logic                           serial_i,
    output logic                                probe_o,
    output logic                                free_o,      // nothing goes to the grant pipe
    input  wire logic                           probed_i,
    input  wire logic                           probed_room_i,
    input  wire logic                           room_i,      // some CQ gets room
    input  wire logic                           park_allow_i,
    output logic                                park_o,
    output logic [2:0]                          park_ring_o,
    // The visit of a level ended without a grant.
    input  wire logic                           end_turn_i,
    input  wire logic [1:0]                     end_level_i,
    // Weights, for the observation port.
    output logic [2:0][7:0]                     weight_zb_o,
    output logic                                idle_o
);
  logic pick_valid, pick_reload, go, ok, weighted, slots_change;
  logic [2:0] pick_ring, choice;
  logic [1:0] level;
  logic [QidW-1:0] pick_sq;
  logic [SlotW-1:0] slots_q, slots_more;
  logic [2:0] flight_q, ab, open;
  logic [2:0][7:0] weight_zb;
  logic turn_valid;
  logic [1:0] turn_level;

  nvmearb_fr_pick u_pick (
      .wrr_i, .has_i, .open_i(open), .turn_valid_i(turn_valid), .turn_level_i(turn_level),
      .slot_one_i(slots_q != '0), .slot_two_i(slots_q[SlotW-1:1] != '0),
      .hold_io_i, .hold_all_i, .admin_next_i,
      .valid_o(pick_valid), .ring_o(choice), .reload_o(pick_reload));

  // Serial decisions.
  typedef enum logic [1:0] {
    Ready = 2'd0,
    Wait  = 2'd1,
    Known = 2'd2
  } state_e;
  state_e state_q;
  logic [2:0] probe_ring_q;
  logic [QidW-1:0] probe_sq_q;
  logic room_q, came_q, same;

  assign pick_ring = pause_i ? pause_ring_i : choice;
  assign pick_sq = front_sq_i[pick_ring];
  assign same = probe_ring_q == pick_ring && probe_sq_q == pick_sq;
  assign go = pick_valid && ready_i[pick_ring] && !pause_i &&
      !(!wrr_i && pick_ring == RingAdmin && act_i);
  assign ok = flight_q < 3'(Depth) &&
      (serial_i ? state_q == Known && same && room_q : state_q == Ready);
  assign wanted_o = pick_valid;
  assign valid_o = go && ok;
  assign probe_o = serial_i && state_q == Ready && go;
  assign park_o = serial_i && state_q == Known && go && same && !room_q && !came_q && !room_i &&
      park_allow_i;
  assign free_o = !valid_o && !probe_o && !ask_o;
  // Alone only for one that cannot be granted without.
  assign ask_o = pick_valid && !pause_i && ask_want_i[pick_ring] &&
      !ask_busy_i && (valid_o || !ready_i[pick_ring]);
  assign ask_known_o = front_known_i[pick_ring];
  always_comb begin
    ask_ring_o = '0;
    ask_ring_o[pick_ring] = ask_o;
  end
  assign park_ring_o = pick_ring;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Ready;
    end else begin
      case (state_q)
        Ready: if (probe_o) state_q <= Wait;
        Wait: if (probed_i) state_q <= Known;
        default: if (!serial_i || forget_i || !pick_valid || (go && (ok || !same || !room_q))) begin
          state_q <= Ready;
        end
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (probe_o) begin
      probe_ring_q <= pick_ring;
      probe_sq_q <= pick_sq;
    end
    if (probed_i) room_q <= probed_room_i;
    if (room_i) came_q <= 1'b1;
    else if (probe_o) came_q <= 1'b0;
  end

  assign weighted = wrr_i && pick_ring >= 3'd1 && pick_ring <= 3'd3;
  assign level = pick_ring[1:0] - 2'd1;
  assign sq_o = pick_sq;
  assign phase_o = front_phase_i[pick_ring];
  assign first_o = !visit_i[pick_ring];
  assign retire_o = retire_i[pick_ring];
  assign weighted_o = weighted;
  assign level_o = level;
  assign reload_o = pick_reload;
  always_comb begin
    grant_o = '0;
    grant_o[pick_ring] = valid_o;
  end
  assign yield_o = valid_o && !wrr_i && pick_ring == RingAdmin && first_o && visit_i[RingRr];
  assign admin_back_o = valid_o && !wrr_i && pick_ring == RingAdmin && back_i[RingAdmin];

  // Bursts of new visits (rule 4), less one: 2^ab - 1, or the weight - 1 if that is less.
  logic [7:0] limit_zb;
  assign burst_all_o = ab == 3'd7;
  always_comb begin
    for (int i = 0; i < 8; i++) limit_zb[i] = 32'(ab) > i || burst_all_o;
    for (int r = 0; r < RingCount; r++) begin
      burst_o[r] = limit_zb;
      burst_one_o[r] = ab == '0;
    end
    for (int l = 0; l < 3; l++) begin
      if ((weight_zb[l] & ~limit_zb) == '0) begin
        burst_o[l+1] = weight_zb[l];
        burst_one_o[l+1] = weight_zb[l] == '0;
      end
    end
  end

  nvmearb_fr_credits u_credits (
      .clk_i, .rst_ni, .clear_i, .set_arb_i, .ab_i, .hpw_zb_i, .mpw_zb_i, .lpw_zb_i,
      .charge_i(valid_o && weighted), .reload_i(pick_reload), .keep_i(!end_i[pick_ring]),
      .end_turn_i, .level_i(end_turn_i ? end_level_i : level),
      .ab_o(ab), .weight_zb_o(weight_zb), .open_o(open),
      .turn_valid_o(turn_valid), .turn_level_o(turn_level));
  assign weight_zb_o = weight_zb;

  // Nothing is decided in the clock of clear_i.
  assign slots_more = SlotW'(slot_give_i) - SlotW'(valid_o);
  assign slots_change = clear_i || slot_give_i != '0 || valid_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slots_q <= '0;
      flight_q <= '0;
    end else begin
      if (clear_i) slots_q <= SlotW'(slot_give_i);
      else if (slots_change) slots_q <= slots_q + slots_more;
      if (valid_o != read_i) flight_q <= valid_o ? flight_q + 3'd1 : flight_q - 3'd1;
    end
  end
  assign slots_o = slots_q != '0;
  assign unread_o = flight_q;
  assign idle_o = flight_q == '0 && state_q == Ready && !pick_valid;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : PickHasWork_A
        assert (!valid_o || has_i[pick_ring]);
      end
      begin : SlotsFit_M
        assert (17'(slots_q) + 17'(slot_give_i) < (17'd1 << SlotW));
      end
      begin : GrantUsesHeldSlots_A
        assert (!valid_o || slots_q != '0);
      end
    end
  end
endmodule
`default_nettype wire
