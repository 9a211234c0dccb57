// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_grant_unit: makes one decision after the other.
//
// Purpose: decision 0002, rules 2 to 8 and 11; owns command slots, issue heads and the grant port.
// Behaviour. A decision takes three clocks and nothing that it depends on changes meanwhile:
//  1. Pick: choose a ring (nvmearb_pick), read the SQ's row and the link behind it.
//  2. Room: read the row of its CQ and the ends of its parking list.
//  3. Decide: size the grant (nvmearb_grant_size); update ring, credits, slots, head and room; load
//     the grant port. An SQ that cannot be granted is dropped, parked or put to the back, and the
//     next decision follows.
//  A decision begins only while the grant port is free or being read: none waits behind another.
//  Splice: when a CQ got room (unpark_i), its parking lists are appended to their rings, one list
//  in two clocks, before the next decision.
// Guarantees: PickHasWork_A, PortIsFree_A, GrantFits_A (1 <= count <= max_count_i),
//  GrantUsesHeldSlots_A, GrantIsHeld_A (a grant stays until it is read).
// Requires: ev_append_i and unpark_i only while ev_allow_o (EventsWaitForPick_M); lock_req_i stays
//  until the owner is done; slots never exceed 2^SlotW - 1 (SlotsFit_M).
// Timing: pick to grant_valid_o three clocks; one decision in three clocks.
// Bound: admin waits for at most one decision under way and the grant before it.
`default_nettype none
module nvmearb_grant_unit
  import nvmearb_pkg::*;
  import nvmearb_core_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a burst counter: max(PtrW, 9).
    parameter int BurstW = 16,
    // Width of the slot counter, 4..16.
    parameter int SlotW = 10
) (
    input  wire logic                             clk_i,
    input  wire logic                             rst_ni,
    // 1: weighted round robin with urgent class. Quasi-static.
    input  wire logic                             wrr_i,
    input  wire logic [3:0]                       max_count_i,
    input  wire logic                             hold_io_i,
    input  wire logic                             hold_all_i,
    // Command slots.
    input  wire logic [3:0]                       slot_give_i,
    input  wire logic                             slot_clear_i,
    // Grants.
    output logic                                  grant_valid_o,
    input  wire logic                             grant_ready_i,
    output grant_t                                grant_o,
    // Doorbells may change rings in this clock; those of a CQ (and gives) may also change its room,
    // and then no decision begins in this clock (ev_room_i).
    output logic                                  ev_allow_o,
    output logic                                  ev_allow_room_o,
    input  wire logic                             ev_room_i,
    input  wire logic                             ev_append_i,
    input  wire logic [QidW-1:0]                  ev_append_sq_i,
    input  wire logic                             unpark_i,
    input  wire logic [QidW-1:0]                  unpark_cqid_i,
    input  wire logic [RingCount-1:0]             unpark_rings_i,
    // Exclusive use of rings and tables by the config sequencer, which then also drives the read
    // ports.
    input  wire logic                             lock_req_i,
    output logic                                  lock_gnt_o,
    // Round robin with hold_io_i: SQ 0 waits behind others and wants to the front.
    output logic                                  pull_req_o,
    // SQ 0 was forgotten; the config sequencer parked it.
    input  wire logic                             admin_clear_i,
    input  wire logic                             admin_park_i,
    // Nothing to do.
    output logic                                  idle_o,
    // Rings.
    input  wire logic [RingCount-1:0]             visit_valid_i,
    input  wire logic [RingCount-1:0][QidW-1:0]   visit_sq_i,
    input  wire logic [RingCount-1:0][BurstW-1:0] visit_burst_i,
    input  wire logic [RingCount-1:0]             list_valid_i,
    input  wire logic [RingCount-1:0][QidW-1:0]   list_first_i,
    output ring_op_e                              op_o,
    output logic [2:0]                            ring_o,
    output logic [QidW-1:0]                       first_o,
    output logic [QidW-1:0]                       last_o,
    output step_e                                 step_o,
    output logic                                  step_new_o,
    output logic [QidW-1:0]                       step_sq_o,
    output logic [BurstW-1:0]                     step_burst_o,
    output logic                                  link_we_o,
    output logic [QidW-1:0]                       link_from_o,
    output logic                                  next_re_o,
    output logic [QidW-1:0]                       next_sq_o,
    // Credits.
    input  wire logic [2:0]                       ab_i,
    input  wire logic [2:0][7:0]                  weight_zb_i,
    input  wire logic [2:0][8:0]                  credit_i,
    input  wire logic [2:0]                       open_i,
    input  wire logic                             turn_valid_i,
    input  wire logic [1:0]                       turn_level_i,
    output logic                                  charge_o,
    output logic                                  reload_o,
    output logic                                  keep_o,
    output logic                                  end_turn_o,
    output logic [1:0]                            level_o,
    output logic [3:0]                            count_o,
    // SQ row.
    output logic                                  sq_re_o,
    output logic [QidW-1:0]                       sq_sqid_o,
    input  wire logic [2:0]                       sq_class_i,
    input  wire logic [QidW-1:0]                  sq_cqid_i,
    input  wire logic [PtrW-1:0]                  sq_size_zb_i,
    input  wire logic                             sq_halted_i,
    input  wire logic [PtrW-1:0]                  sq_tail_i,
    input  wire logic [PtrW-1:0]                  sq_head_i,
    output logic                                  head_we_o,
    output logic [PtrW-1:0]                       head_o,
    output logic                                  inactive_we_o,
    // CQ row and parking list.
    output logic                                  cq_re_o,
    output logic [QidW-1:0]                       cq_cqid_o,
    input  wire logic [RingCount-1:0]             cq_parked_i,
    input  wire logic [PtrW-1:0]                  cq_room_i,
    output logic                                  room_we_o,
    output logic [RingCount-1:0]                  room_parked_o,
    output logic [PtrW-1:0]                       room_o,
    output logic                                  park_re_o,
    output logic [QidW+2:0]                       park_raddr_o,
    input  wire logic [QidW-1:0]                  park_first_i,
    input  wire logic [QidW-1:0]                  park_last_i,
    output logic                                  park_we_o,
    output logic [QidW+2:0]                       park_waddr_o,
    output logic [QidW-1:0]                       park_first_o
);
  typedef enum logic [1:0] {
    Pick   = 2'd0,
    Room   = 2'd1,
    Decide = 2'd2,
    Splice = 2'd3
  } state_e;

  state_e state_q;
  logic [SlotW-1:0] slots_q, slots_d, slots_usable;
  logic grant_valid_q;
  grant_t grant_q;

  // The decision under way.
  logic [2:0] ring_q;
  logic [QidW-1:0] sq_q;
  logic new_q, reload_q;

  // Parking lists to append.
  logic [RingCount-1:0] unpark_rings_q, unpark_rest;
  logic [QidW-1:0] unpark_cqid_q;
  logic [2:0] unpark_ring;
  logic unpark_pending;

  // Where SQ 0 is, for round robin under hold_io_i. Its CQ is CQ 0.
  logic admin_active_q, admin_parked_q, admin_next;

  logic slot_one, slot_two, has_work, port_free;
  logic pick_valid, pick_reload, may_start, start, decide, grant, room_had_turn_q;
  logic [2:0] pick_ring;
  logic [RingCount-1:0] has;
  logic [QidW-1:0] pick_sq;
  logic [1:0] level;
  logic weighted, parked_before, slots_change;
  step_e step;
  logic [3:0] count;
  logic [BurstW-1:0] burst, size_burst;
  logic [7:0] size_weight_zb;
  logic [8:0] size_credit;
  logic [PtrW-1:0] head;

  // Pick. Slots that come in this clock count.
  assign slot_one = slots_q != '0 || slot_give_i != '0;
  assign slot_two = slots_q[SlotW-1:1] != '0 || slot_give_i[3:1] != '0 ||
      (slots_q[0] && slot_give_i[0]);
  // A decision can be made with the slots held so far: what is seen outside in this clock (events,
  // idle_o) does not hang on an input.
  always_comb begin
    has_work = 1'b0;
    if (slots_q != '0 && has != '0 && !hold_all_i) begin
      if (!wrr_i) has_work = has[RingRr] && (!hold_io_i || admin_next);
      else has_work = has[RingAdmin] || (slots_q[SlotW-1:1] != '0 && !hold_io_i);
    end
  end
  assign has = visit_valid_i | list_valid_i;
  always_comb begin
    admin_next = 1'b0;
    pull_req_o = 1'b0;
    if (!wrr_i && hold_io_i) begin
      admin_next = (visit_valid_i[RingRr] ? visit_sq_i[RingRr] : list_first_i[RingRr]) == '0;
      pull_req_o = !hold_all_i && slots_q != '0 && admin_active_q && !admin_parked_q && !admin_next;
    end
  end
  nvmearb_pick u_pick (
      .wrr_i, .has_i(has), .open_i, .turn_valid_i, .turn_level_i,
      .slot_one_i(slot_one), .slot_two_i(slot_two),
      .hold_io_i, .hold_all_i, .admin_next_i(admin_next),
      .valid_o(pick_valid), .ring_o(pick_ring), .reload_o(pick_reload));
  assign pick_sq = !pick_valid ? '0 :
      visit_valid_i[pick_ring] ? visit_sq_i[pick_ring] : list_first_i[pick_ring];

  assign unpark_pending = unpark_rings_q != '0;
  assign may_start = state_q == Pick && !unpark_pending && !lock_req_i && pick_valid && port_free;
  assign port_free = !grant_valid_q || grant_ready_i;
  // A decision sees either all that a change of room does or nothing of it. They take turns.
  assign start = may_start && !ev_room_i;
  assign decide = state_q == Decide;
  assign ev_allow_o = state_q == Pick && !unpark_pending && !lock_req_i;
  assign ev_allow_room_o = ev_allow_o && !(room_had_turn_q && has_work && port_free);
  assign lock_gnt_o = state_q == Pick && !unpark_pending && !grant_valid_q && lock_req_i;
  assign idle_o = state_q == Pick && !unpark_pending && !grant_valid_q && !has_work &&
      !pull_req_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Pick;
      room_had_turn_q <= 1'b0;
    end else begin
      if (may_start) room_had_turn_q <= ev_room_i;
      case (state_q)
        Pick: begin
          if (unpark_pending) state_q <= Splice;
          else if (start) state_q <= Room;
        end
        Room: state_q <= Decide;
        default: state_q <= Pick;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (start) begin
      ring_q <= pick_ring;
      sq_q <= pick_sq;
      new_q <= !visit_valid_i[pick_ring];
      reload_q <= pick_reload;
    end
  end

  // Read ports.
  assign sq_re_o = start;
  assign sq_sqid_o = pick_sq;
  assign next_re_o = start;
  assign next_sq_o = pick_sq;
  assign cq_re_o = state_q == Room;
  assign cq_cqid_o = sq_cqid_i;
  assign park_re_o = state_q == Room || (state_q == Pick && unpark_pending);
  assign park_raddr_o = state_q == Room ? {sq_cqid_i, ring_q} : {unpark_cqid_q, unpark_ring};

  // Decide.
  assign weighted = wrr_i && ring_q >= 3'd1 && ring_q <= 3'd3;
  assign level = ring_q[1:0] - 2'd1;
  always_comb begin
    slots_usable = '0;
    if (decide) begin
      slots_usable = (wrr_i && ring_q != RingAdmin) ? slots_q - SlotW'(1) : slots_q;
    end
    size_burst = '0;
    size_weight_zb = '0;
    size_credit = '0;
    if (state_q == Room) begin
      size_burst = visit_burst_i[ring_q];
      size_weight_zb = weight_zb_i[level];
      size_credit = reload_q ? {1'b0, weight_zb_i[level]} + 9'd1 : credit_i[level];
    end
  end
  nvmearb_grant_size #(.PtrW(PtrW), .BurstW(BurstW), .SlotW(SlotW)) u_size (
      .clk_i, .prepare_i(state_q == Room), .valid_i(decide), .max_count_i,
      .head_i(sq_head_i), .tail_i(sq_tail_i), .size_zb_i(sq_size_zb_i), .halted_i(sq_halted_i),
      .room_i(cq_room_i),
      .new_i(new_q), .burst_i(size_burst),
      .ab_i, .weighted_i(weighted),
      .weight_zb_i(size_weight_zb),
      .credit_i(size_credit),
      .slots_i(slots_usable),
      .step_o(step), .grant_o(grant), .count_o(count), .burst_o(burst), .head_o(head));

  assign step_o = step;
  assign step_new_o = new_q;
  assign step_sq_o = sq_q;
  assign step_burst_o = burst;
  assign first_o = park_first_i;
  assign last_o = park_last_i;
  always_comb begin
    op_o = RingNop;
    ring_o = ring_q;
    if (decide) begin
      op_o = RingStep;
    end else if (state_q == Splice) begin
      op_o = RingAppend;
      ring_o = unpark_ring;
    end
  end

  // step, grant and count are zero without a decision.
  assign charge_o = grant && weighted;
  assign end_turn_o = decide && !grant && weighted;
  assign reload_o = reload_q;
  assign keep_o = step == StepKeep;
  assign level_o = level;
  assign count_o = count;

  assign head_we_o = grant;
  assign head_o = head;
  assign inactive_we_o = step == StepEmpty || step == StepDrop;

  assign room_we_o = decide && step != StepDrop;
  assign park_we_o = step == StepPark;
  assign park_waddr_o = {sq_cqid_i, ring_q};
  assign park_first_o = parked_before ? park_first_i : sq_q;
  assign link_we_o = park_we_o && parked_before;
  assign link_from_o = park_last_i;
  always_comb begin
    parked_before = 1'b0;
    room_o = '0;
    room_parked_o = '0;
    if (decide) begin
      parked_before = cq_parked_i[ring_q];
      room_o = cq_room_i - PtrW'(count);
      room_parked_o = cq_parked_i;
      if (park_we_o) room_parked_o = cq_parked_i | (RingCount'(1) << ring_q);
    end
  end

  // Parking lists to append, lowest ring first.
  always_comb begin
    unpark_ring = 3'd0;
    for (int r = RingCount - 1; r >= 0; r--) begin
      if (unpark_rings_q[r]) unpark_ring = 3'(r);
    end
  end
  assign unpark_rest = unpark_rings_q & (unpark_rings_q - RingCount'(1));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unpark_rings_q <= '0;
    else if (unpark_i) unpark_rings_q <= unpark_rings_i;
    else if (state_q == Splice) unpark_rings_q <= unpark_rest;
  end
  always_ff @(posedge clk_i) begin
    if (unpark_i) unpark_cqid_q <= unpark_cqid_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      admin_active_q <= 1'b0;
      admin_parked_q <= 1'b0;
    end else if (admin_clear_i) begin
      admin_active_q <= 1'b0;
      admin_parked_q <= 1'b0;
    end else begin
      if (ev_append_i && ev_append_sq_i == '0) admin_active_q <= 1'b1;
      if (inactive_we_o && sq_q == '0) admin_active_q <= 1'b0;
      if (admin_park_i || (park_we_o && sq_q == '0)) admin_parked_q <= 1'b1;
      if (state_q == Splice && unpark_cqid_q == '0) admin_parked_q <= 1'b0;
    end
  end

  // Slots and the grant port.
  assign slots_change = slot_clear_i || slot_give_i != '0 || grant;
  always_comb begin
    slots_d = slots_q;
    if (slots_change) begin
      slots_d = (slot_clear_i ? '0 : slots_q) + SlotW'(slot_give_i) - (grant ? SlotW'(count) : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slots_q <= '0;
      grant_valid_q <= 1'b0;
    end else begin
      if (slots_change) slots_q <= slots_d;
      if (grant) grant_valid_q <= 1'b1;
      else if (grant_ready_i) grant_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (grant) begin
      // In the order of grant_t: sqid, cqid, head, size_zb, count, sq_class, first.
      grant_q <= {16'(sq_q), 16'(sq_cqid_i), 16'(sq_head_i), 16'(sq_size_zb_i), count, sq_class_i,
                  new_q};
    end
  end
  assign grant_valid_o = grant_valid_q;
  assign grant_o = grant_q;

  // Implementation checks.
  logic held_q;
  grant_t held_grant_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else if (grant_valid_q || held_q) held_q <= grant_valid_q && !grant_ready_i;
  end
  always @(posedge clk_i) begin
    if (grant_valid_q) held_grant_q <= grant_q;
    if (rst_ni) begin
      begin : PickHasWork_A
        assert (!start || has[pick_ring]);
      end
      begin : PortIsFree_A
        assert (!decide || !grant_valid_q);
      end
      begin : GrantFits_A
        assert (!(decide && grant) || (count >= 4'd1 && count <= max_count_i));
      end
      begin : GrantUsesHeldSlots_A
        assert (!(decide && grant) || 17'(count) <= 17'(slots_usable));
      end
      begin : GrantIsHeld_A
        assert (!held_q || (grant_valid_q && grant_q == held_grant_q));
      end
      begin : EventsWaitForPick_M
        assert (!(ev_append_i || unpark_i) || ev_allow_o);
      end
      begin : SlotsFit_M
        assert (17'(slots_q) + 17'(slot_give_i) < (17'd1 << SlotW));
      end
      begin : MaxCountCutsVisit_C
        cover (step == StepKeep && grant && count == max_count_i && count > 4'd1);
      end
      begin : BurstEndsVisit_C
        cover (step == StepRequeue && grant);
      end
      begin : VisitEndsWithoutRoom_C
        cover (step == StepRequeue && !grant);
      end
      begin : CreditCutsVisit_C
        cover (step == StepKeep && charge_o && 9'(count) ==
               (reload_q ? {1'b0, weight_zb_i[level]} + 9'd1 : credit_i[level]));
      end
      begin : RoomCutsVisit_C
        cover (step == StepKeep && grant && cq_room_i == PtrW'(count));
      end
      begin : SlotsCutVisit_C
        cover (step == StepKeep && grant && slots_usable == SlotW'(count));
      end
      begin : RingEndCutsVisit_C
        cover (step == StepKeep && grant && head == '0);
      end
      begin : ReloadWithNothingLeft_C
        cover (decide && reload_q && !grant);
      end
      begin : VisitIsPreempted_C
        cover (start && wrr_i && (pick_ring == RingAdmin || pick_ring == RingUrgent) &&
               visit_valid_i[3:1] != '0);
      end
      begin : ParkBehindParked_C
        cover (park_we_o && parked_before);
      end
      begin : UnparkTwoRings_C
        cover (unpark_i && (unpark_rings_i & (unpark_rings_i - RingCount'(1))) != '0);
      end
      begin : DecisionWaitsForRoom_C
        cover (may_start && ev_room_i);
      end
      begin : LastSlotIsForAdmin_C
        cover (wrr_i && slots_q == SlotW'(1) && !slot_two && has != '0 &&
               !has[RingAdmin]);
      end
      begin : SlotCounterIsFull_C
        cover (&slots_q);
      end
      begin : ConfigWaitsForGrant_C
        cover (lock_req_i && grant_valid_q && !grant_ready_i);
      end
    end
  end
endmodule
`default_nettype wire
