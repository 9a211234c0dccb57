// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_decide: makes one decision per clock.
//
// Purpose: decision 0002, rules 2 to 8 and 14; owns command slots and, through nvmearb_fr_credits,
//  the weighted levels.
// Behaviour: nvmearb_fr_pick chooses a ring; its entry 0 is granted one command if the ring is
//  ready, nothing pauses, and the grant pipe has a place (at most Depth grants decided and not
//  read). The decision is registered and carried out in the next clock (grant_o and all that goes
//  to rings, credits and grant pipe), in which the next one is made from the state behind it.
//  While a CQ is nearly full (serial_i), one decision at a time: the room of the CQ is probed
//  (probe_o, and probed_i three clocks later), then the same ring is granted, or its entry 0 is
//  parked or put to the back (park_o) if there is no room. If another ring is next by then, or
//  some CQ got room, it is probed again. The front of a ring changes only by its own grants and by
//  the sequencer.
//  Round robin: a grant of RingAdmin (SQ 0 under hold_io_i) that begins a visit ends that of
//  RingRr; at its own end SQ 0 goes back to RingRr (admin_back_o).
// Guarantees: PickHasWork_A; a level that is charged has credits (nvmearb_fr_credits).
// Requires: slots never exceed 2^SlotW - 1 (SlotsFit_M).
// Timing: one clock to the decision, one to what it does.
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
    input  wire logic                           act_near_i,  // an SQ may become active now or next
    output logic                                slots_o,     // at least one is held
    input  wire logic                           admin_next_i,
    // Rings.
    input  wire logic [RingCount-1:0]           has_i,
    input  wire logic [RingCount-1:0]           ready_i,
    input  wire logic [RingCount-1:0][QidW-1:0] front_sq_i,
    input  wire logic [RingCount-1:0]           front_phase_i,
    input  wire logic [RingCount-1:0][KnownW-1:0] front_known_i,
    input  wire logic [RingCount-1:0]           visit_i,
    input  wire logic [2:0]                     end_i,       // of the levels
    input  wire logic [RingCount-1:0]           back_i,
    input  wire logic [RingCount-1:0]           retire_i,
    output logic [RingCount-1:0]                grant_o,
    output logic [RingCount-1:0][7:0]           burst_o,     // less one
    output logic [RingCount-1:0]                burst_one_o,
    output logic [RingCount-1:0]                burst_two_o,
    output logic                                burst_all_o, // strict classes: all that is present
    output logic                                yield_o,     // round robin: SQ 0 ends the visit
    output logic                                admin_back_o,
    // The decision of the clock before.
    output logic                                wanted_o,    // one is possible, but for pauses
    output logic                                quiet_o,     // nothing is on its way to the rings
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
    output logic                                free_o,      // nothing but asks goes to that pipe
    input  wire logic                           look_i,      // no ask: a look takes its place
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
  logic reload, any_grant, place, same, wanted, wanted_q;
  logic [RingCount-1:0] pick, pick_q, ready_q, grant_d, grant_q, probe_ring_q;
  logic allow_admin, allow_first, allow_levels, slot_one, slot_two, reload_q;
  logic slots_change, pause;
  logic [1:0] settle_q;
  logic [SlotW-1:0] slots_q, slots_more, slots_d;
  logic [2:0] slot_least_q;  // at least three, two, one
  logic [3:0] least;         // and four, but for the grant of this clock
  logic [2:0] flight_q, flight_d, ab, open, turn;
  logic [2:0][7:0] weight_zb;

  // Slots and places behind the grant that is carried out in this clock.
  assign any_grant = grant_q != '0;
  assign {slot_two, slot_one} = any_grant ? slot_least_q[2:1] : slot_least_q[1:0];
  assign place = 32'(flight_q) + 32'(any_grant) < Depth + 32'(read_i);

  assign allow_admin = slot_one && !hold_all_i && (wrr_i || !act_near_i);
  // Round robin under a hold: only while nothing changes.
  assign allow_first = wrr_i ? slot_two && !hold_io_i && !hold_all_i
      : slot_one && !hold_all_i && !grant_q[RingAdmin] &&
        (!hold_io_i || (admin_next_i && !any_grant));
  assign allow_levels = slot_two && !hold_io_i && !hold_all_i;
  nvmearb_fr_pick u_pick (
      .wrr_i, .has_i, .open_i(open), .turn_i(turn), .allow_admin_i(allow_admin),
      .allow_first_i(allow_first), .allow_levels_i(allow_levels), .ring_o(pick),
      .reload_o(reload));
  assign wanted = pick != '0;

  // Serial decisions.
  typedef enum logic [1:0] {
    Ready = 2'd0,
    Wait  = 2'd1,
    Known = 2'd2
  } state_e;
  state_e state_q;
  logic room_q, came_q, go, serial_now;
  assign serial_now = state_q == Known && room_q && !any_grant;
  always_comb begin
    for (int r = 0; r < RingCount; r++) begin
      grant_d[r] = pick[r] && ready_i[r] &&
          (place && !pause && (serial_i ? serial_now && probe_ring_q[r] : state_q == Ready));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_q <= '0;
      grant_q <= '0;
    end else begin
      pick_q <= pause ? '0 : pick;
      grant_q <= grant_d;
    end
  end
  assign pause = pause_i || settle_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) settle_q <= '0;
    else settle_q <= {settle_q[0], set_arb_i || clear_i};
  end
  always_ff @(posedge clk_i) begin
    ready_q <= ready_i;
    wanted_q <= wanted;
    reload_q <= reload;
  end

  // A clock later.
  assign go = (pick_q & ready_q) != '0;
  assign same = (pick_q & probe_ring_q) != '0;
  assign wanted_o = wanted_q;
  assign valid_o = any_grant;
  assign probe_o = serial_i && state_q == Ready && go && !any_grant && !pause_i;
  assign park_o = serial_i && state_q == Known && go && same && !any_grant && !room_q && !came_q &&
      !room_i && park_allow_i;
  // Early: a probe that may be.
  assign free_o = !any_grant && !(serial_i && state_q == Ready && go);
  // Alone only for one that cannot be granted without.
  assign ask_ring_o = ask_busy_i || look_i ? '0 : ask_want_i & pick_q & (grant_q | ~ready_q);
  assign ask_o = ask_ring_o != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Ready;
    end else begin
      case (state_q)
        Ready: if (probe_o) state_q <= Wait;
        Wait: if (probed_i) state_q <= Known;
        default: if (!serial_i || forget_i || any_grant || (pick_q != '0 && go && !same) ||
                     (go && same && !room_q) || !wanted_q) begin
          state_q <= Ready;
        end
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (probe_o) probe_ring_q <= pick_q;
    if (probed_i) room_q <= probed_room_i;
    if (room_i) came_q <= 1'b1;
    else if (probe_o) came_q <= 1'b0;
  end
  always_comb begin
    park_ring_o = '0;
    ask_known_o = '0;
    sq_o = '0;
    level_o = '0;
    for (int r = 0; r < RingCount; r++) begin
      if (pick_q[r]) begin
        park_ring_o = park_ring_o | 3'(r);
        ask_known_o = ask_known_o | front_known_i[r];
        sq_o = sq_o | front_sq_i[r];
      end
    end
    for (int l = 0; l < 3; l++) if (grant_q[l+1]) level_o = level_o | 2'(l);
  end
  assign grant_o = grant_q;
  assign phase_o = (front_phase_i & pick_q) != '0;
  assign first_o = (visit_i & pick_q) == '0;
  assign retire_o = (retire_i & pick_q) != '0;
  assign weighted_o = wrr_i && grant_q[3:1] != '0;
  assign reload_o = reload_q;
  assign yield_o = !wrr_i && grant_q[RingAdmin] && !visit_i[RingAdmin] && visit_i[RingRr];
  assign admin_back_o = !wrr_i && grant_q[RingAdmin] && back_i[RingAdmin];

  // Bursts of new visits (rule 4), less one: 2^ab - 1, or the weight - 1 if that is less.
  logic [7:0] limit_zb;
  logic [RingCount-1:0][7:0] burst_zb;
  always_comb begin
    for (int i = 0; i < 8; i++) limit_zb[i] = 32'(ab) > i || ab == 3'd7;
    burst_zb = {RingCount{limit_zb}};
    for (int l = 0; l < 3; l++) begin
      if ((weight_zb[l] & ~limit_zb) == '0) burst_zb[l+1] = weight_zb[l];
    end
  end
  // One and two clocks behind the settings: no decision is made then (settle_q).
  always_ff @(posedge clk_i) begin
    burst_all_o <= ab == 3'd7;
    for (int r = 0; r < RingCount; r++) begin
      burst_o[r] <= burst_zb[r];
      burst_one_o[r] <= burst_o[r] == '0;
      burst_two_o[r] <= burst_o[r] == 8'd1;
    end
  end

  nvmearb_fr_credits u_credits (
      .clk_i, .rst_ni, .clear_i, .set_arb_i, .ab_i, .hpw_zb_i, .mpw_zb_i, .lpw_zb_i,
      .charge_i(wrr_i ? grant_q[3:1] : 3'b0), .reload_i(reload_q), .keep_i(~end_i),
      .end_turn_i, .end_level_i, .ab_o(ab), .weight_zb_o(weight_zb), .open_o(open),
      .turn_o(turn));
  assign weight_zb_o = weight_zb;

  // Nothing is decided in the clock of clear_i.
  assign slots_more = (clear_i ? '0 : slots_q) + SlotW'(slot_give_i);
  assign slots_change = clear_i || slot_give_i != '0 || any_grant;
  assign slots_d = slots_more - SlotW'(any_grant);
  always_comb begin
    for (int i = 0; i < 4; i++) least[i] = slots_more > SlotW'(i);
  end
  assign flight_d = flight_q + 3'(any_grant) - 3'(read_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slots_q <= '0;
      slot_least_q <= '0;
      flight_q <= '0;
    end else begin
      if (slots_change) begin
        slots_q <= slots_d;
        slot_least_q <= any_grant ? least[3:1] : least[2:0];
      end
      if (any_grant != read_i) flight_q <= flight_d;
    end
  end
  assign slots_o = slot_least_q[0];
  assign unread_o = flight_q;
  assign quiet_o = pick_q == '0;
  assign idle_o = flight_q == '0 && state_q == Ready && quiet_o && settle_q == '0;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : PickHasWork_A
        assert ((pick & ~has_i) == '0 && (pick & (pick - 5'd1)) == '0);
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
