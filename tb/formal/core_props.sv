// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_core at a small size, seen from its ports: see core_env for what may happen
// around it and core_ref for what is known.
`default_nettype none
module core_props
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    // 2 or 3.
    parameter int PtrW = 2,
    // 1: the engine of rtl/full_rate, which keeps grants that it decided and could not show yet.
    parameter bit FullRate = 1'b0,
    // Clocks for the set-up.
    parameter int Boot = 80,
    // The configuration: see core_env.
    parameter bit Wrr = 1'b0,
    parameter bit [NumSqs-1:0][1:0] Class = '0,
    parameter bit [NumSqs-1:0] OwnCq = '1,
    parameter bit [NumSqs-1:0][PtrW-1:0] SqZb = '1,
    parameter bit [NumSqs-1:0][PtrW-1:0] CqZb = '1,
    parameter bit [2:0] Ab = '0,
    parameter bit [2:0][1:0] Weight = '0,
    // Largest grant.
    parameter bit [3:0] MaxCount = 4'd2,
    // 1: adds a property that does not hold. 1..13: adds that `reached` is never reached.
    parameter bit Lie = 1'b0,
    parameter int Reach = 0,
    localparam int SlotW = 4,
    localparam int IdW = $clog2(NumSqs + 1),
    localparam int CountW = PtrW + 3
) (
    input wire logic                        clk_i,
    input wire logic                        db_new_i,
    input wire logic                        db_is_cq_i,
    input wire logic [IdW-1:0]              db_qid_i,
    input wire logic [PtrW:0]               db_value_i,
    input wire logic [2:0]                  slots_i,
    input wire logic                        hold_io_i,
    input wire logic                        hold_all_i,
    input wire logic                        grant_ready_i,
    input wire logic                        late_i,
    input wire logic                        late_is_set_i,
    input wire logic [IdW-1:0]              late_id_i,
    input wire logic [1:0]                  late_ab_i,
    input wire logic [2:0][1:0]             late_weight_i,
    input wire logic                        commit_i,
    input wire logic [IdW-1:0]              commit_id_i,
    input wire logic                        commit_all_i,
    input wire logic                        leave_i,
    input wire logic [IdW-1:0]              leave_id_i,
    input wire logic                        leave_posted_i
);
  // Clocks after which a decision that is shown knows what took effect; in the full rate engine 2
  // until it is made, 4 until it is shown, 3 for those before it.
  localparam int Late = FullRate ? 9 : 8;
  // Clocks without a grant in which somebody may be granted beyond doubt: decisions on SQs that
  // cannot be granted, and a change of room between two of them.
  localparam int MostIdle = FullRate ? 12 * NumSqs : 4 * NumSqs;

  cfg_req_t cfg;
  doorbell_t db, err_db;
  complete_t complete;
  grant_t grant;
  obs_t obs;
  logic cfg_valid, cfg_ready, cfg_done, db_valid, db_ready, err_valid, grant_valid, commit_valid;
  logic complete_valid, complete_ready, quiescent, set_up, cfg_busy;
  logic [2:0] awake;
  logic [7:0] err_info;
  logic [3:0] slot_give, commit_count;
  logic [15:0] commit_sqid;
  logic [NumSqs-1:0][2:0] sq_class;
  logic [NumSqs-1:0][IdW-1:0] cqid;
  logic [NumSqs-1:0][PtrW-1:0] sq_zb, cq_zb;
  logic [SlotW:0] slots_q;
  logic fire, rise, held_q;
  grant_t held_grant_q;

  // One reset, then none: the first clock.
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic wrr;
  assign wrr = Wrr;

  core_env #(
      .NumSqs(NumSqs), .PtrW(PtrW), .SlotW(SlotW), .Boot(Boot), .Wrr(Wrr), .Class(Class),
      .OwnCq(OwnCq), .SqZb(SqZb), .CqZb(CqZb), .Ab(Ab), .Weight(Weight)
  ) u_env (
      .clk_i, .rst_ni, .db_new_i, .db_is_cq_i, .db_qid_i, .db_value_i, .slots_i, .late_i,
      .late_is_set_i, .late_id_i, .late_ab_i(late_ab_i == 2'd3 ? 3'd7 : {1'b0, late_ab_i}),
      .late_weight_i, .commit_i, .commit_id_i, .commit_all_i, .leave_i, .leave_id_i,
      .leave_posted_i, .slots_held_i(slots_q),
      .cfg_valid_o(cfg_valid), .cfg_ready_i(cfg_ready), .cfg_o(cfg), .cfg_done_i(cfg_done),
      .db_valid_o(db_valid), .db_ready_i(db_ready), .db_o(db), .slot_give_o(slot_give),
      .grant_fire_i(fire), .grant_sqid_i(grant.sqid), .grant_count_i(grant.count[PtrW:0]),
      .commit_valid_o(commit_valid), .commit_sqid_o(commit_sqid), .commit_count_o(commit_count),
      .complete_valid_o(complete_valid), .complete_ready_i(complete_ready),
      .complete_o(complete), .class_o(sq_class), .cqid_o(cqid), .sq_zb_o(sq_zb), .cq_zb_o(cq_zb),
      .set_up_o(set_up), .cfg_busy_o(cfg_busy));

  nvmearb_core #(.NumSqs(NumSqs), .PtrW(PtrW), .SlotW(SlotW)) u_dut (
      .clk_i, .clk_cfg_i(clk_i), .clk_event_i(clk_i), .clk_grant_i(clk_i), .awake_o(awake),
      .rst_ni,
      .cfg_valid_i(cfg_valid), .cfg_ready_o(cfg_ready), .cfg_i(cfg), .cfg_done_o(cfg_done),
      .db_valid_i(db_valid), .db_ready_o(db_ready), .db_i(db),
      .err_valid_o(err_valid), .err_info_o(err_info), .err_db_o(err_db),
      .slot_give_i(slot_give), .max_count_i(MaxCount),
      .hold_io_i(set_up && hold_io_i), .hold_all_i(set_up && hold_all_i),
      .grant_valid_o(grant_valid), .grant_ready_i, .grant_o(grant),
      .commit_valid_i(commit_valid), .commit_sqid_i(commit_sqid), .commit_count_i(commit_count),
      .complete_valid_i(complete_valid), .complete_ready_o(complete_ready),
      .complete_i(complete), .quiescent_o(quiescent), .obs_o(obs));

  assign fire = grant_valid && grant_ready_i;
  assign rise = grant_valid && !held_q;
  // While the port is held up the full rate engine's grants grow old.
  logic step;
  assign step = !FullRate || !grant_valid || grant_ready_i;

  logic [NumSqs-1:0] now_exists, now_halted, long_halted, settled;
  logic [NumSqs-1:0][CountW-1:0] now_present, now_room;
  logic [NumSqs-1:0][PtrW-1:0] head;
  logic db_legal;
  core_ref #(.NumSqs(NumSqs), .PtrW(PtrW), .Late(Late)) u_ref (
      .clk_i, .rst_ni, .step_i(step), .obs_i(obs), .rise_i(rise), .grant_i(grant),
      .cqid_i(cqid), .sq_zb_i(sq_zb), .cq_zb_i(cq_zb),
      .now_exists_o(now_exists), .now_halted_o(now_halted), .now_present_o(now_present),
      .now_room_o(now_room), .head_o(head), .long_halted_o(long_halted), .settled_o(settled),
      .db_legal_o(db_legal));

  // Slots, holds, settings.
  logic [3:0] free_age_q, io_free_age_q, all_held_age_q, io_held_age_q;
  logic [Late-1:0][SlotW:0] slots_past_q;
  logic [SlotW:0] slots_d, slots_settled;
  logic [2:0] ab_q, ab_d;
  logic [2:0][8:0] full_q, full_d, credit_q, credit_d, credit;
  assign credit = {obs.credit_l, obs.credit_m, obs.credit_h};
  assign slots_d = slots_q + (SlotW + 1)'(slot_give) - (rise ? (SlotW + 1)'(grant.count) : '0);
  always_comb begin
    // The least of the last Late clocks: arrivals of the time between do not count.
    slots_settled = slots_q;
    for (int t = 0; t < Late; t++) begin
      if (slots_past_q[t] < slots_settled) slots_settled = slots_past_q[t];
    end
  end
  function automatic logic [3:0] older(input logic [3:0] age, input logic on,
                                       input logic counts);
    return !on ? 4'd0 : (age == 4'd15 || !counts) ? age : age + 4'd1;
  endfunction
  always_comb begin
    ab_d = ab_q;
    full_d = full_q;
    credit_d = credit_q;
    if (obs.cfg_valid && obs.cfg.op == CfgSetArb) begin
      ab_d = obs.cfg.ab;
      full_d = {9'(obs.cfg.lpw_zb) + 9'd1, 9'(obs.cfg.mpw_zb) + 9'd1, 9'(obs.cfg.hpw_zb) + 9'd1};
      credit_d = full_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      slots_q <= '0;
      slots_past_q <= '0;
      free_age_q <= '0;
      io_free_age_q <= '0;
      all_held_age_q <= '0;
      io_held_age_q <= '0;
      ab_q <= '0;
      full_q <= {9'd1, 9'd1, 9'd1};
      credit_q <= {9'd1, 9'd1, 9'd1};
    end else begin
      held_q <= grant_valid && !grant_ready_i;
      held_grant_q <= grant;
      slots_q <= slots_d;
      if (step) slots_past_q <= {slots_past_q[Late-2:0], slots_q};
      free_age_q <= older(free_age_q, set_up && !hold_all_i, step);
      io_free_age_q <= older(io_free_age_q, set_up && !hold_all_i && !hold_io_i, step);
      all_held_age_q <= older(all_held_age_q, set_up && hold_all_i, step);
      io_held_age_q <= older(io_held_age_q, set_up && (hold_io_i || hold_all_i), step);
      ab_q <= ab_d;
      full_q <= full_d;
      credit_q <= fire ? credit : credit_d;
    end
  end

  // The granted SQ.
  logic known, g_exists, g_long_halted;
  logic [CountW-1:0] g_present, g_room;
  logic [PtrW-1:0] g_head, g_sq_zb;
  logic [IdW-1:0] g_cqid;
  logic [2:0] g_class;
  always_comb begin
    known = 1'b0;
    g_exists = 1'b0;
    g_long_halted = 1'b0;
    g_present = '0;
    g_room = '0;
    g_head = '0;
    g_sq_zb = '0;
    g_cqid = '0;
    g_class = '0;
    for (int i = 0; i < NumSqs; i++) begin
      if (grant.sqid == 16'(i)) begin
        known = 1'b1;
        g_exists = now_exists[i];
        g_long_halted = long_halted[i];
        g_present = now_present[i];
        g_room = now_room[i];
        g_head = head[i];
        g_sq_zb = sq_zb[i];
        g_cqid = cqid[i];
        g_class = sq_class[i];
      end
    end
  end
  logic g_weighted;
  logic [1:0] g_level;
  assign g_weighted = wrr && g_class != SqAdmin && g_class != SqUrgent;
  assign g_level = g_class[1:0] - 2'd1;

  // What a weighted grant made of the credits: its level's are less by count, without or with a
  // reload of all.
  logic charged, reloaded;
  always_comb begin
    charged = 1'b1;
    reloaded = 1'b1;
    for (int l = 0; l < 3; l++) begin
      if (credit[l] + (g_level == 2'(l) ? 9'(grant.count) : 9'd0) != credit_d[l]) charged = 1'b0;
      if (credit[l] + (g_level == 2'(l) ? 9'(grant.count) : 9'd0) != full_d[l]) reloaded = 1'b0;
    end
  end

  // Settled SQs per class, and whether a weighted level with credit has one.
  logic admin_settled, urgent_settled, open_settled, any_settled;
  always_comb begin
    admin_settled = settled[0] && free_age_q > 4'(Late);
    urgent_settled = 1'b0;
    open_settled = 1'b0;
    any_settled = admin_settled && slots_settled != '0 &&
        (wrr || io_free_age_q > 4'(Late) || NumSqs == 1);
    for (int i = 1; i < NumSqs; i++) begin
      if (settled[i] && io_free_age_q > 4'(Late)) begin
        if (sq_class[i] == SqUrgent) urgent_settled = 1'b1;
        for (int l = 0; l < 3; l++) begin
          if (sq_class[i] == 3'(l + 1) && credit_q[l] != '0) open_settled = 1'b1;
        end
        if (slots_settled > (SlotW + 1)'(wrr)) any_settled = 1'b1;
      end
    end
  end

  // Visits, one ring after the other; round robin uses ring 0.
  logic [4:0] visit_q;
  logic [4:0][IdW-1:0] visit_sq_q;
  logic [4:0][4:0] visit_used_q, visit_burst_q;
  logic [2:0] g_ring;
  logic [4:0] burst;
  assign g_ring = wrr ? g_class : 3'd0;
  always_comb begin
    burst = (ab_d == 3'd7) ? 5'(2 ** PtrW - 1) : 5'd1 << ab_d[1:0];
    if (g_weighted && (ab_d == 3'd7 || 5'(full_d[g_level]) < burst)) burst = 5'(full_d[g_level]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      visit_q <= '0;
    end else if (rise) begin
      visit_q[g_ring] <= 1'b1;
      visit_sq_q[g_ring] <= IdW'(grant.sqid);
      visit_used_q[g_ring] <= 5'(grant.count) + (grant.first ? 5'd0 : visit_used_q[g_ring]);
      if (grant.first) visit_burst_q[g_ring] <= burst;
    end
  end

  // Waits, in commands granted to others. Starts anew when the settings change.
  logic changed_q, reload_wrong_q;
  logic [NumSqs-1:0][5:0] ring_wait_q, level_wait_q;
  logic [NumSqs-1:0][5:0] ring_bound, level_bound;
  logic ring_in_bound, level_in_bound;
  logic [3:0] most_burst;
  logic [5:0] idle_q;
  assign most_burst = changed_q ? 4'd4 : (ab_q == 3'd7) ? 4'd4 : 4'd1 << ab_q[1:0];
  always_comb begin
    ring_in_bound = 1'b1;
    level_in_bound = 1'b1;
    for (int i = 0; i < NumSqs; i++) begin
      ring_bound[i] = '0;
      level_bound[i] = '0;
      for (int j = 0; j < NumSqs; j++) begin
        if (j != i && (!wrr || sq_class[i] == sq_class[j])) begin
          ring_bound[i] = ring_bound[i] + 6'(most_burst);
        end
      end
      for (int l = 0; l < 3; l++) begin
        if (sq_class[i] != 3'(l + 1)) level_bound[i] = level_bound[i] + 6'({full_q[l], 1'b0});
      end
      if (ring_wait_q[i] > ring_bound[i]) ring_in_bound = 1'b0;
      if (wrr && sq_class[i] != SqAdmin && sq_class[i] != SqUrgent &&
          level_wait_q[i] > level_bound[i]) begin
        level_in_bound = 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      changed_q <= 1'b0;
      reload_wrong_q <= 1'b0;
      ring_wait_q <= '0;
      level_wait_q <= '0;
      idle_q <= '0;
    end else begin
      if (set_up && obs.cfg_valid && obs.cfg.op == CfgSetArb) changed_q <= 1'b1;
      if (rise) reload_wrong_q <= open_settled;
      for (int i = 0; i < NumSqs; i++) begin
        if (!settled[i] || io_held_age_q != '0 || obs.cfg_valid ||
            (rise && grant.sqid == 16'(i))) begin
          ring_wait_q[i] <= '0;
          level_wait_q[i] <= '0;
        end else if (rise && (!wrr || g_class == sq_class[i])) begin
          ring_wait_q[i] <= ring_wait_q[i] + 6'(grant.count);
        end else if (rise && g_weighted) begin
          level_wait_q[i] <= level_wait_q[i] + 6'(grant.count);
        end
      end
      if (any_settled && !grant_valid && !cfg_busy) idle_q <= idle_q + 6'd1;
      else idle_q <= '0;
    end
  end

  // What the core promises.
  always @(posedge clk_i) begin
    if (rst_ni && rise) begin
      begin : GrantedSqExists_A assert (known && g_exists); end
      begin : GrantedInSlotOrder_A assert (grant.head == 16'(g_head)); end
      begin : GrantedCommandsWereSubmitted_A
        assert (grant.count != '0 && CountW'(grant.count) <= g_present);
      end
      begin : GrantEndsWithRing_A
        assert (5'(grant.head) + 5'(grant.count) <= 5'(g_sq_zb) + 5'd1);
      end
      begin : GrantNamesItsQueue_A
        assert (grant.cqid == 16'(g_cqid) && grant.size_zb == 16'(g_sq_zb) &&
                3'(grant.sq_class) == g_class);
      end
      begin : HaltedIsNotGranted_A assert (!g_long_halted); end
      begin : GrantFitsCqRoom_A assert (CountW'(grant.count) <= g_room); end
      begin : GrantFitsLimit_A assert (grant.count <= MaxCount); end
      begin : GrantFitsSlots_A
        assert ((SlotW + 1)'(grant.count) + (SlotW + 1)'(wrr && g_class != SqAdmin) <= slots_q);
      end
      begin : HeldIsNotGranted_A
        assert (all_held_age_q <= 4'(Late) && (io_held_age_q <= 4'(Late) || grant.sqid == '0));
      end
      begin : AdminIsNotPassedOver_A assert (!wrr || g_class == SqAdmin || !admin_settled); end
      begin : UrgentIsNotPassedOver_A assert (!g_weighted || !urgent_settled); end
      begin : VisitGoesOnWithItsSq_A
        assert (grant.first || (visit_q[g_ring] && visit_sq_q[g_ring] == IdW'(grant.sqid)));
      end
      begin : BurstIsNotExceeded_A
        assert (5'(grant.count) + (grant.first ? 5'd0 : visit_used_q[g_ring]) <=
                (grant.first ? burst : visit_burst_q[g_ring]));
      end
    end
    if (rst_ni) begin
      begin : GrantIsHeld_A assert (!held_q || (grant_valid && grant == held_grant_q)); end
      begin : GrantIsObserved_A
        assert (obs.grant_valid == fire && (!fire || obs.grant == grant));
      end
      if (fire && g_weighted) begin : CreditIsTaken_A
        assert (charged || reloaded);
      end
      if (fire && g_weighted) begin : ReloadOnlyWhenNoneIsOpen_A
        assert (charged || !(held_q ? reload_wrong_q : open_settled));
      end
      if (fire && !g_weighted) begin : OthersTakeNoCredit_A assert (credit == credit_d); end
      begin : IdleOnlyWhenNothingIsEligible_A assert (idle_q <= 6'(MostIdle)); end
      begin : RingWaitIsBounded_A assert (ring_in_bound); end
      begin : LevelWaitIsBounded_A assert (level_in_bound); end
      begin : AcceptedDoorbellIsLegal_A
        assert (!obs.db_valid || obs.db.is_cq || db_legal);
      end
      begin : RefusalIsReported_A
        assert (err_valid == obs.db_reject &&
                (!err_valid || (err_info == obs.db_error && err_db == obs.db)));
      end
    end
  end
  // Parked for want of CQ room, let go, and granted.
  logic [NumSqs-1:0] starved_q;
  logic wrapped_q;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < NumSqs; i++) begin
      if (!rst_ni) starved_q[i] <= 1'b0;
      else if (now_exists[i] && now_present[i] != '0 && now_room[i] == '0) starved_q[i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wrapped_q <= 1'b0;
    else if (rise && grant.sqid == 16'(NumSqs - 1)) wrapped_q <= 1'b1;
  end

  // A weighted visit that an urgent or admin grant interrupted.
  logic preempted_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) preempted_q <= 1'b0;
    else if (rise) preempted_q <= wrr && !g_weighted && (visit_q[3:1] != '0);
  end

  // What has to be reachable: with Reach, that it is not is asserted, and has to fail.
  logic [12:0] reached;
  always_comb begin
    reached = '0;
    if (rise) begin
      reached[0] = grant.count > 4'd1;
      reached[1] = 5'(grant.head) + 5'(grant.count) == 5'(g_sq_zb) + 5'd1;  // ring wraps
      reached[2] = !grant.first;
      reached[3] = now_halted != '0;
      reached[4] = now_exists != '1;                                        // after a deletion
      reached[5] = grant.sqid == '0 && io_held_age_q > 4'd8;
      reached[6] = grant.sqid == 16'(NumSqs - 1) && starved_q[NumSqs-1] && grant.first;  // let go
      reached[7] = grant.sqid == 16'(NumSqs - 1) && grant.head == '0 && wrapped_q;
      reached[8] = wrr && grant.sqid == '0 && slots_q == (SlotW + 1)'(1);   // the admin's slot
      reached[9] = preempted_q && !grant.first && g_weighted;
      reached[10] = wrr && admin_settled;                                   // settled, and granted
    end
    reached[11] = fire && g_weighted && !charged;                           // reload
    reached[12] = obs.cfg_valid && obs.cfg.op == CfgDeleteSq && settled != '0;
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!(rise && grant.sqid == '0 && head[0] != '0)); end
    end
  end
  if (Reach != 0) begin : gen_reach
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!reached[Reach-1]); end
    end
  end

  logic unused;
  assign unused = &{1'b0, quiescent, awake, now_halted, reached};
endmodule
`default_nettype wire
