// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core: bus-agnostic SQ arbitration engine, one command per clock.
//
// The same ports as rtl/core/nvmearb_core.sv, which is smaller and decides once in three clocks; a
// design compiles one of the two (decision 0095).
//
// Purpose: decides which submitted commands of which SQ are fetched next, by the rules of
//  docs/decisions/0002-arbitration-rules.md.
// Behaviour:
//  1. Doorbells are checked and take effect one per clock (nvmearb_fr_event_pipe). A tail that
//     leaves an inactive SQ with commands puts it to the back of its ring (nvmearb_fr_ring).
//  2. While slots are held, one command is decided per clock (nvmearb_fr_decide) and leaves by the
//     grant port (nvmearb_fr_grant_pipe); the first SQs of a ring and their numbers of commands are
//     in registers, the SQs behind come from memories in time (nvmearb_fr_ring_store,
//     nvmearb_fr_refill).
//  3. commit moves the fetched head, complete the CQ tail.
//  4. What is rare is done one after the other between decisions (nvmearb_fr_sequencer):
//     configuration, SQs that are halted, deleted, parked at a full CQ or let go again. Until the
//     first sweep after reset no queue exists and no doorbell is accepted.
// Order of service in a ring: by activation (first in, first out), not by index.
// Guarantees: those of the sub-modules; quiescent_o: with no valid input, no slots given and
//  unchanged holds no register changes at the next edge. A decision knows all events that took
//  effect (obs_o) 2 clocks before it or earlier and none later, so that it equals that of the
//  golden arbiter at that moment.
// Requires: a grant that waits is read in bounded time (configuration waits for it); granted
//  commands are committed once each; before CfgReset every granted command is committed, or never
//  will be; CfgReset forgets the slots, so they are given anew after it; SQ 0 is mapped to CQ 0 and
//  has class SqAdmin, and only SQ 0 has.
// Timing: doorbell accepted to grant_valid_o: 8 clocks when idle; slot given to it: 5. One command
//  per clock, whatever the number of SQs, classes, bursts and weights, with a doorbell per clock,
//  while every CQ has room for 7 more; one in 7 clocks otherwise. Bubbles: nvmearb_fr_ring. A grant
//  is decided 4 clocks before grant_valid_o rises if none waits before it; at most 4 are decided
//  and not read. Captures and completions are shown on obs_o a clock after they took effect.
// Bound, in commands granted from 8 clocks after an SQ's first doorbell took effect to its first
//  command, while grants are read at once, every CQ has room and settings stay (docs/interfaces.md;
//  tb/unit/wait_bound.h checks it). V: a visit of each SQ before it in its ring. A, U: commands of
//  admin, of urgent, meanwhile. w: its level's weight; others, higher: sum of the weights of the
//  other levels, of the higher ones.
//   admin: 0; urgent: A + V; round robin: V;
//   weighted level: A + U + V + others * ceil((V + 1) / w) + higher.
// Spec: NVMe Base 2.1, 3.3.1 and 3.4.4.
`default_nettype none
module nvmearb_core
  import nvmearb_pkg::*;
  import nvmearb_fr_pkg::*;
#(
    // Number of SQs including SQ 0, and of CQs: 2..1024 (ids 0 .. NumSqs-1), any number.
    parameter int NumSqs = 16,
    // Width of queue pointers: largest queue is 2^PtrW entries. 2..16.
    parameter int PtrW = 16,
    // Width of the command slot counter: at most 2^SlotW - 1 slots. 4..16.
    parameter int SlotW = 10
) (
    // One clock in four copies; without clock gating all four are the same net. This engine uses
    // clk_i alone, which runs whenever another copy runs; awake_o is all ones unless quiescent_o.
    input  wire logic             clk_i,
    input  wire logic             clk_cfg_i,
    input  wire logic             clk_event_i,
    input  wire logic             clk_grant_i,
    output logic [2:0]            awake_o,
    input  wire logic             rst_ni,        // synchronous, active low
    // Configuration, one request at a time; cfg_done_o pulses once when it has taken effect.
    input  wire logic             cfg_valid_i,
    output logic                  cfg_ready_o,
    input  wire cfg_req_t         cfg_i,
    output logic                  cfg_done_o,
    // Doorbells, in order.
    input  wire logic             db_valid_i,
    output logic                  db_ready_o,
    input  wire doorbell_t        db_i,
    // Refused doorbells (one clock, no back-pressure): value for AER.
    output logic                  err_valid_o,
    output logic [7:0]            err_info_o,
    output doorbell_t             err_db_o,
    // Command slots handed to the arbiter in this clock, 0..15; decisions know them from the next
    // clock on.
    input  wire logic [3:0]       slot_give_i,
    // Largest count of a grant, 1..8; quasi-static. Grants here are of one command each.
    input  wire logic [3:0]       max_count_i,
    // Freezes: no new grant of I/O SQs / of any SQ, from the decision 2 clocks later on.
    input  wire logic             hold_io_i,
    input  wire logic             hold_all_i,
    // Grants, in arbitration order. A decision is made only while a slot is held.
    output logic                  grant_valid_o,
    input  wire logic             grant_ready_i,
    output grant_t                grant_o,
    // Fetch commit: commit_count_i SQEs of commit_sqid_i are captured, in grant order of that SQ.
    input  wire logic             commit_valid_i,
    input  wire logic [15:0]      commit_sqid_i,
    input  wire logic [3:0]       commit_count_i,
    // A granted command has left the controller.
    input  wire logic             complete_valid_i,
    output logic                  complete_ready_o,
    input  wire complete_t        complete_i,
    // Nothing changes any more unless an input does.
    output logic                  quiescent_o,
    output obs_t                  obs_o
);
  if (NumSqs < 2 || NumSqs > 1024) begin : gen_bad_num_sqs
    nvmearb_error_core_numsqs_must_be_2_to_1024 u_error ();
  end
  if (PtrW < 2 || PtrW > 16) begin : gen_bad_ptr_w
    nvmearb_error_core_ptrw_must_be_2_to_16 u_error ();
  end
  if (SlotW < 4 || SlotW > 16) begin : gen_bad_slot_w
    nvmearb_error_core_slotw_must_be_4_to_16 u_error ();
  end

  localparam int QidW = $clog2(NumSqs);
  localparam int BurstW = PtrW > 9 ? PtrW : 9;

  // Sequencer.
  cfg_req_t cs_req;
  logic cs_effect, cs_idle, wrr, cs_pause, cs_forget, cs_park_allow, cs_stall, cs_block, cs_clear;
  logic [2:0] cs_pause_ring;
  logic cs_set_arb, cs_end_turn;
  logic [1:0] cs_end_level;
  logic [RingCount-1:0] cs_rotate, cs_drop, cs_end_visit, cs_push;
  logic [QidW-1:0] cs_sq, cs_id, cs_look_cqid, cs_park_cqid, cs_link_from, cs_link_to;
  logic [QidW-1:0] cs_first, cs_last;
  logic cs_retire, cs_look_next, cs_look, cs_look_forget, cs_read, cs_read_rows, cs_sweep;
  logic cs_sq_init, cs_class_we, cs_room_init, cs_head_clear, cs_cq_init;
  logic cs_cq_size_we, cs_phase;
  logic [2:0] cs_row_class;
  logic [PtrW-1:0] cs_size_zb;
  logic cs_park_re, cs_park_we, cs_parked, cs_link_we;
  logic [QidW-1:0] cs_front_sq, cs_push_sq, cs_moved_sq;
  logic cs_push_phase, cs_moved_phase;
  logic pull, settled;

  // Event pipe.
  logic ev_idle, ev_settled, ev_accepted, ev_refused, ev_re, ev_tail_we;
  logic [QidW-1:0] ev_room_cqid;
  logic ev_room, ev_next, ev_halting, cs_halt_busy, ev_head_we, ev_limit_we;
  logic ev_more, ev_act, ev_add, ev_halt, ev_ph_re, ev_ph_we, ev_ph;
  logic [7:0] ev_error;
  doorbell_t ev_db;
  logic [QidW-1:0] ev_sqid, ev_cqid, ev_tail_sqid, ev_limit_cqid, ev_act_sq, ev_ph_sqid;
  logic [2:0] ev_act_ring;
  logic [PtrW-1:0] ev_tail, ev_head, ev_limit;

  // Rings.
  logic [RingCount-1:0] rg_has, rg_ready, rg_front, rg_visit, rg_end, rg_back, rg_retire;
  logic [RingCount-1:0] rg_take, rg_land, rg_idle, rg_grant, rg_act, rg_add;
  logic [RingCount-1:0] rg_front_phase, rg_settled;
  logic [RingCount-1:0][QidW-1:0] rg_front_sq;
  logic [RingCount-1:0][QidW:0] rg_next;
  logic [RingCount-1:0][KnownW-1:0] rg_front_known;
  logic [RingCount-1:0] rg_front_more;
  logic [RingCount-1:0][2:0] rg_flight;
  logic [RingCount-1:0] rg_push_front, rg_alone, rg_push_act, rg_place, rg_ask_want, rg_ask;
  logic [RingCount-1:0] rg_taken_front, rg_again, rg_there, rg_hungry;
  logic [RingCount-1:0] rg_quiet, rg_burst_one, rg_burst_two;
  logic [RingCount-1:0][7:0] rg_burst;
  logic [QidW-1:0] rg_act_sq, rf_sqid;
  logic [QidW:0] rf_land_sq;
  logic rg_act_phase;
  left_t rg_act_left, rg_act_left_q, rf_fill_left, ev_act_left;
  logic rg_act_one_q, rf_land_one, rf_land_hit, rf_fill_one;
  logic [RingCount-1:0] rg_moving, rg_store, rg_empty, rf_fill;
  more_t ev_add_left, rf_answer_left;
  logic rf_re, rf_idle, rf_busy, rf_looked, rf_answer;
  logic [PtrW-1:0] rf_answer_count, ev_added;
  logic [BurstW-1:0] burst_count, burst_less;
  logic [1:0][QidW:0] push_act_q;

  // Decision and grant pipe.
  logic de_wanted, de_free, de_valid, de_phase, de_first, de_retire, de_weighted, de_reload;
  logic de_burst_all, de_yield, de_admin_back, de_ask;
  logic [KnownW-1:0] de_ask_known;
  logic de_quiet, de_slots, de_probe, de_park, de_idle, admin_next, grant_read;
  logic [QidW-1:0] de_sq;
  logic [1:0] de_level;
  logic [2:0] de_park_ring, de_unread;
  logic [2:0][7:0] weight_zb;
  logic gp_t1_ask, gp_t2_ask;
  logic [QidW:0] gp_t1_sq;
  logic gp_sq_re, gp_head_we, gp_cq_re, gp_probe, gp_looked, gp_granted_we, gp_near;
  logic [1:0] gp_retire, gp_retire_phase;
  logic [1:0][QidW-1:0] gp_retire_sqid;
  logic gp_probed, gp_probed_room, gp_near_full, gp_idle;
  logic gp_weighted, gp_reload;
  logic [1:0] gp_level;
  logic [QidW-1:0] gp_sqid, gp_t2_sqid, gp_t3_sqid, gp_cqid, gp_t4_cqid, gp_probed_cqid;
  logic [PtrW-1:0] gp_t2_head, gp_head, gp_granted;
  logic gp_t2_grant;

  // Fetch commit and completions.
  logic fc_re, fc_valid, fc_idle, co_idle, co_done, co_re, give_valid, give_done;
  logic [QidW-1:0] fc_rd_sqid, fc_sqid, co_rd_cqid, co_posted_cqid, give_cqid;
  logic [3:0] fc_count;
  logic [PtrW-1:0] fc_fetched, co_posted;
  complete_t co_complete;
  logic fc_seen_q, co_seen_q;
  logic [QidW-1:0] fc_seen_sqid_q;
  logic [3:0] fc_seen_count_q;
  logic [PtrW-1:0] fc_seen_head_q;
  complete_t co_seen_complete_q;

  // Rows.
  logic [2:0] ev_sq_class, gr_class;
  logic gr_near, ph_act, ph_retired, cs_row_parked;
  logic [PtrW-1:0] ev_sq_size_zb, ev_sq_tail, ev_fetched, ev_cq_size_zb, ev_cq_head, ev_cq_posted;
  logic [PtrW-1:0] ev_cq_limit, gr_size_zb, gr_head, gr_limit, gr_granted, fc_size_zb, fc_old;
  logic [PtrW-1:0] co_old, rf_tail, rf_head, rf_size_zb;
  logic [QidW-1:0] gr_cqid, cs_row_first, cs_row_last, cs_next;

  // Holds act 2 clocks late, like every other event.
  logic [1:0] hold_io_q, hold_all_q;
  logic hold_settled;
  assign hold_settled = hold_io_q == {2{hold_io_i}} && hold_all_q == {2{hold_all_i}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_io_q <= '0;
      hold_all_q <= '0;
    end else if (!hold_settled) begin
      hold_io_q <= {hold_io_q[0], hold_io_i};
      hold_all_q <= {hold_all_q[0], hold_all_i};
    end
  end

  // SQ 0 in round robin: is it in RingRr, and next there?
  logic admin_in_rr_q, admin_in, admin_out;
  assign admin_next = rg_front[RingRr] && rg_front_sq[RingRr] == '0;
  assign admin_in = !wrr && (rg_act[RingRr] || cs_push[RingRr]) && rg_act_sq == '0;
  assign admin_out = cs_clear || (admin_next && (cs_drop[RingRr] ||
      (rg_grant[RingRr] && rg_retire[RingRr])));
  assign pull = !wrr && hold_io_q[1] && !hold_all_q[1] && de_slots && admin_in_rr_q && !admin_next;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) admin_in_rr_q <= 1'b0;
    else if (admin_in) admin_in_rr_q <= 1'b1;
    else if (admin_out) admin_in_rr_q <= 1'b0;
  end

  assign settled = de_quiet && gp_idle && rf_idle && rg_idle == '1 &&
      (rg_store & rg_place) == '0 && rg_quiet == '1;
  assign cs_front_sq = rg_front_sq[cs_pause_ring];

  nvmearb_fr_sequencer #(.NumSqs(NumSqs), .QidW(QidW), .PtrW(PtrW)) u_sequencer (
      .clk_i, .rst_ni,
      .cfg_valid_i, .cfg_ready_o, .cfg_i, .done_o(cfg_done_o),
      .req_o(cs_req), .effect_o(cs_effect), .idle_o(cs_idle), .wrr_o(wrr),
      .halting_i(ev_halting), .halt_i(ev_halt), .halt_sq_i(ev_act_sq),
      .halt_busy_o(cs_halt_busy),
      .room_i(ev_room), .room_cqid_i(ev_room_cqid), .near_full_i(gp_near_full),
      .park_i(de_park), .park_ring_i(de_park_ring), .park_sq_i(de_sq), .pull_i(pull),
      .wanted_i(de_wanted), .decided_i(de_valid),
      .pause_o(cs_pause), .pause_ring_o(cs_pause_ring), .forget_o(cs_forget),
      .park_allow_o(cs_park_allow), .stall_o(cs_stall),
      .block_o(cs_block),
      .ev_idle_i(ev_idle), .ev_settled_i(ev_settled), .settled_i(settled), .unread_i(de_unread),
      .read_i(grant_read),
      .clear_o(cs_clear), .set_arb_o(cs_set_arb), .end_turn_o(cs_end_turn),
      .end_level_o(cs_end_level),
      .ready_i(rg_settled), .visit_i(rg_visit), .has_i(rg_there),
      .front_sq_i(cs_front_sq), .front_phase_i(rg_front_phase[cs_pause_ring]),
      .rotate_o(cs_rotate), .drop_o(cs_drop), .end_visit_o(cs_end_visit), .push_o(cs_push),
      .push_sq_o(cs_push_sq), .push_phase_o(cs_push_phase), .moved_sq_o(cs_moved_sq),
      .moved_phase_o(cs_moved_phase), .sq_o(cs_sq), .phase_o(cs_phase),
      .retire_o(cs_retire), .look_next_o(cs_look_next), .look_o(cs_look),
      .look_forget_o(cs_look_forget),
      .look_cqid_o(cs_look_cqid), .free_i(de_free), .looked_i(gp_looked),
      .probed_cqid_i(gp_probed_cqid),
      .read_o(cs_read), .read_rows_o(cs_read_rows), .sq_class_i(gr_class), .sq_cqid_i(gr_cqid),
      .head_i(gr_head), .tail_i(ev_sq_tail), .fetched_i(ev_fetched),
      .halted_i(ev_sq_class == SqHalted),
      .phase_act_i(ph_act), .phase_retired_i(ph_retired),
      .sweep_o(cs_sweep), .id_o(cs_id), .sq_init_o(cs_sq_init), .sq_class_we_o(cs_class_we),
      .sq_row_class_o(cs_row_class),
      .head_clear_o(cs_head_clear), .cq_init_o(cs_cq_init), .cq_size_we_o(cs_cq_size_we),
      .size_zb_o(cs_size_zb),
      .park_re_o(cs_park_re), .park_cqid_o(cs_park_cqid), .parked_i(cs_row_parked),
      .park_first_i(cs_row_first), .park_last_i(cs_row_last), .next_i(cs_next),
      .park_we_o(cs_park_we), .parked_o(cs_parked), .park_first_o(cs_first),
      .park_last_o(cs_last), .link_we_o(cs_link_we), .link_from_o(cs_link_from),
      .link_to_o(cs_link_to),
      .commit_busy_i(fc_valid), .commit_valid_i(fc_seen_q), .commit_sqid_i(fc_seen_sqid_q),
      .commit_fetched_i(fc_seen_head_q));

  nvmearb_fr_event_pipe #(.NumSqs(NumSqs), .QidW(QidW), .PtrW(PtrW)) u_event_pipe (
      .clk_i, .rst_ni, .wrr_i(wrr),
      .db_valid_i, .db_ready_o, .db_i,
      .give_valid_i(give_valid), .give_done_o(give_done), .give_cqid_i(give_cqid),
      .stall_i(cs_stall), .serial_i(gp_near_full), .block_i(cs_block),
      .halt_busy_i(cs_halt_busy),
      .read_i(cs_read), .read_sqid_i(cs_sq), .written_i(cs_class_we || cs_link_we),
      .idle_o(ev_idle),
      .settled_o(ev_settled),
      .accepted_o(ev_accepted), .refused_o(ev_refused), .error_o(ev_error), .done_db_o(ev_db),
      .re_o(ev_re), .sqid_o(ev_sqid), .sq_class_i(ev_sq_class),
      .sq_size_zb_i(ev_sq_size_zb), .sq_tail_i(ev_sq_tail),
      .sq_fetched_i(ev_fetched),
      .tail_we_o(ev_tail_we), .tail_o(ev_tail),
      .tail_sqid_o(ev_tail_sqid),
      .phase_re_o(ev_ph_re), .phase_sqid_o(ev_ph_sqid), .phase_act_i(ph_act),
      .phase_retired_i(ph_retired), .phase_we_o(ev_ph_we), .phase_o(ev_ph),
      .next_sqid_i(de_sq), .retire_i(gp_retire), .retire_sqid_i(gp_retire_sqid),
      .retire_phase_i(gp_retire_phase),
      .act_o(ev_act), .next_o(ev_next), .more_o(ev_more),
      .add_o(ev_add), .halt_o(ev_halt),
      .halting_o(ev_halting), .act_sq_o(ev_act_sq),
      .act_ring_o(ev_act_ring), .act_left_o(ev_act_left),
      .add_left_o(ev_add_left), .added_o(ev_added),
      .cqid_o(ev_cqid), .cq_size_zb_i(ev_cq_size_zb),
      .cq_head_i(ev_cq_head), .cq_posted_i(ev_cq_posted), .cq_limit_i(ev_cq_limit),
      .head_we_o(ev_head_we), .head_o(ev_head),
      .limit_we_o(ev_limit_we), .limit_cqid_o(ev_limit_cqid), .limit_o(ev_limit),
      .room_o(ev_room), .room_cqid_o(ev_room_cqid));

  assign cs_room_init = cs_sweep || cs_cq_init;

  // Arrivals at the rings: activations, SQs that are let go, SQ 0 back from its turn.
  assign rg_act_sq = de_admin_back ? '0 : cs_push != '0 ? cs_push_sq : ev_act_sq;
  // An SQ that gets more commands keeps its phase.
  assign rg_act_phase = de_admin_back ? rg_front_phase[RingAdmin] : cs_push != '0 ? cs_push_phase :
      ev_ph != ev_add;
  assign rg_act_left = !de_admin_back ? ev_act_left : {rg_front_more[RingAdmin],
      rg_front_known[RingAdmin] - KnownW'(1)};
  always_ff @(posedge clk_i) begin
    push_act_q <= {push_act_q[0], rg_act_phase, rg_act_sq};
    rg_act_left_q <= rg_act_left;
    rg_act_one_q <= !rg_act_left.more && rg_act_left.known == KnownW'(1);
    if (rf_answer) burst_count <= BurstW'(rf_answer_count);
    if (ev_more) burst_less <= ~BurstW'(ev_added);
  end
  for (genvar r = 0; r < RingCount; r++) begin : gen_ring
    localparam bit Admin = r == int'(RingAdmin);
    localparam bit Strict = Admin || r == int'(RingRr);
    localparam int Width = Strict ? BurstW : 8;
    assign rg_act[r] = (ev_act && ev_act_ring == 3'(r)) ||
        (r == int'(RingRr) && de_admin_back);
    // An SQ in a window is active.
    assign rg_add[r] = ev_more && (!Admin || ev_act_sq == '0);
    nvmearb_fr_ring #(
        .QidW(QidW), .BurstW(Width), .Window(Admin ? 1 : RingWindow), .Strict(Strict)
    ) u_ring (
        .clk_i, .rst_ni, .clear_i(cs_clear),
        .grant_i(rg_grant[r]), .rotate_i(cs_rotate[r] || (r == int'(RingRr) && de_yield)),
        .drop_i(cs_drop[r]), .burst_i(rg_burst[r]), .burst_one_i(rg_burst_one[r]),
        .burst_two_i(rg_burst_two[r]),
        .burst_all_i(Strict && de_burst_all),
        .end_visit_i(cs_end_visit[r] || (r == int'(RingRr) && de_yield)),
        .self_elsewhere_i(Admin && !wrr),
        .act_i(rg_act[r]), .push_i(cs_push[r]), .add_i(rg_add[r]),
        .add_sq_i(Admin ? '0 : ev_act_sq),
        .act_sq_i(Admin ? '0 : rg_act_sq), .act_phase_i(rg_act_phase), .act_left_i(rg_act_left_q),
        .act_one_i(rg_act_one_q),
        .add_left_i(ev_add_left),
        .ask_want_o(rg_ask_want[r]), .ask_i(rg_ask[r]),
        .looked_i(rf_looked), .answer_i(rf_answer),
        .answer_left_i(rf_answer_left), .burst_count_i(burst_count[Width-1:0]),
        .burst_less_i(burst_less[Width-1:0]),
        .has_o(rg_has[r]), .there_o(rg_there[r]), .ready_o(rg_ready[r]), .settled_o(rg_settled[r]),
        .front_valid_o(rg_front[r]),
        .front_sq_o(rg_front_sq[r]), .front_phase_o(rg_front_phase[r]),
        .front_left_o({rg_front_more[r], rg_front_known[r]}), .visit_o(rg_visit[r]),
        .end_o(rg_end[r]), .back_o(rg_back[r]), .retire_o(rg_retire[r]),
        .push_front_o(rg_push_front[r]), .alone_o(rg_alone[r]), .again_o(rg_again[r]),
        .push_act_o(rg_push_act[r]),
        .store_idle_i(rg_empty[r]),
        .flight_i(rg_flight[r]), .place_o(rg_place[r]), .hungry_o(rg_hungry[r]),
        .moving_o(rg_moving[r]), .take_i(rg_take[r]),
        .land_i(rg_land[r]),
        .land_sq_i({rf_land_sq[QidW], Admin ? QidW'(0) : rf_land_sq[QidW-1:0]}),
        .land_one_i(rf_land_one), .land_hit_i(rf_land_hit), .fill_i(rf_fill[r]),
        .fill_left_i(rf_fill_left), .fill_one_i(rf_fill_one), .idle_o(rg_quiet[r]));
    if (Admin) begin : gen_admin_store
      // SQ 0 alone.
      logic there_q, phase_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || cs_clear) there_q <= 1'b0;
        else there_q <= rg_push_act[r] || (there_q && !rg_take[r]);
      end
      always_ff @(posedge clk_i) begin
        if (rg_push_act[r]) phase_q <= rg_act_phase;
      end
      assign rg_store[r] = there_q;
      assign rg_next[r] = {phase_q, QidW'(0)};
      assign rg_taken_front[r] = 1'b0;
      assign rg_idle[r] = 1'b1;
      assign rg_empty[r] = !there_q;
    end else begin : gen_store
      logic [QidW:0] front;
      // What goes back is what was granted or rotated, but for the visit that SQ 0 ends.
      if (r == int'(RingRr)) begin : gen_own
        always_ff @(posedge clk_i) begin
          if (rg_push_front[r]) front <= {rg_front_phase[r], rg_front_sq[r]};
        end
      end else begin : gen_shared
        assign front = gp_t1_sq;
      end
      nvmearb_fr_ring_store #(.QidW(QidW)) u_store (
          .clk_i, .rst_ni, .clear_i(cs_clear),
          .push_front_i(rg_push_front[r]), .alone_i(rg_alone[r]), .again_i(rg_again[r]),
          .push_act_i(rg_push_act[r]), .front_i(front), .act_i(push_act_q),
          .there_o(rg_store[r]), .take_i(rg_take[r]),
          .next_o(rg_next[r]), .taken_front_o(rg_taken_front[r]), .idle_o(rg_idle[r]),
          .empty_o(rg_empty[r]));
    end
  end

  nvmearb_fr_refill #(.QidW(QidW), .PtrW(PtrW)) u_refill (
      .clk_i, .rst_ni, .clear_i(cs_clear),
      .hungry_i(rg_store & rg_hungry), .moving_i(rg_store & rg_moving), .grant_i(rg_grant),
      .take_o(rg_take),
      .next_i(rg_next), .taken_front_i(rg_taken_front), .flight_o(rg_flight),
      .land_o(rg_land), .land_sq_o(rf_land_sq), .land_one_o(rf_land_one),
      .land_hit_o(rf_land_hit), .fill_o(rf_fill), .fill_left_o(rf_fill_left),
      .fill_one_o(rf_fill_one),
      .ask_i(de_ask), .known_i(de_ask_known), .ask_t1_i(gp_t1_ask), .ask_sq_i(gp_t1_sq[QidW-1:0]),
      .ask_t2_i(gp_t2_ask), .ask_head_i(gp_t2_head), .busy_o(rf_busy), .looked_o(rf_looked),
      .answer_o(rf_answer),
      .answer_left_o(rf_answer_left), .answer_count_o(rf_answer_count),
      .t2_grant_i(gp_t2_grant), .re_o(rf_re), .sqid_o(rf_sqid), .tail_i(rf_tail), .head_i(rf_head),
      .size_zb_i(rf_size_zb), .tail_we_i(ev_tail_we), .tail_sqid_i(ev_tail_sqid),
      .tail_new_i(ev_tail), .add_i(ev_more), .add_sq_i(ev_act_sq), .idle_o(rf_idle));

  nvmearb_fr_decide #(.QidW(QidW), .SlotW(SlotW), .Depth(4)) u_decide (
      .clk_i, .rst_ni, .wrr_i(wrr), .clear_i(cs_clear), .set_arb_i(cs_set_arb),
      .ab_i(cs_req.ab), .hpw_zb_i(cs_req.hpw_zb), .mpw_zb_i(cs_req.mpw_zb),
      .lpw_zb_i(cs_req.lpw_zb),
      .hold_io_i(hold_io_q[1]), .hold_all_i(hold_all_q[1]), .slot_give_i,
      .pause_i(cs_pause), .forget_i(cs_forget), .slots_o(de_slots),
      .act_near_i(ev_next || ev_more),
      .admin_next_i(admin_next),
      .has_i(rg_has), .ready_i(rg_ready), .front_sq_i(rg_front_sq),
      .front_phase_i(rg_front_phase), .front_known_i(rg_front_known), .visit_i(rg_visit),
      .end_i(rg_end[3:1]), .back_i(rg_back), .retire_i(rg_retire),
      .grant_o(rg_grant), .burst_o(rg_burst), .burst_one_o(rg_burst_one),
      .burst_two_o(rg_burst_two), .quiet_o(de_quiet),
      .burst_all_o(de_burst_all), .yield_o(de_yield),
      .admin_back_o(de_admin_back),
      .wanted_o(de_wanted), .valid_o(de_valid), .sq_o(de_sq), .phase_o(de_phase),
      .first_o(de_first), .retire_o(de_retire),
      .weighted_o(de_weighted), .level_o(de_level), .reload_o(de_reload),
      .ask_want_i(rg_ask_want), .ask_busy_i(rf_busy), .ask_o(de_ask),
      .ask_ring_o(rg_ask), .ask_known_o(de_ask_known),
      .read_i(grant_read), .unread_o(de_unread),
      .serial_i(gp_near_full), .probe_o(de_probe), .free_o(de_free),
      .look_i(cs_look_next), .probed_i(gp_probed),
      .probed_room_i(gp_probed_room), .room_i(ev_room),
      .park_allow_i(cs_park_allow), .park_o(de_park), .park_ring_o(de_park_ring),
      .end_turn_i(cs_end_turn), .end_level_i(cs_end_level), .weight_zb_o(weight_zb),
      .idle_o(de_idle));

  nvmearb_fr_grant_pipe #(.QidW(QidW), .PtrW(PtrW)) u_grant_pipe (
      .clk_i, .rst_ni, .clear_i(cs_clear),
      .valid_i(de_valid), .probe_i(de_probe), .ask_i(de_ask),
      .sq_i(cs_rotate != '0 ? cs_moved_sq : de_sq),
      .phase_i(cs_rotate != '0 ? cs_moved_phase : de_phase),
      .first_i(de_first),
      .retire_i(de_retire), .weighted_i(de_weighted), .level_i(de_level), .reload_i(de_reload),
      .drop_i(cs_retire), .drop_sq_i(cs_sq), .drop_phase_i(cs_phase), .look_i(cs_look),
      .look_cqid_i(cs_look_cqid),
      .look_forget_i(cs_look_forget),
      .t1_sq_o(gp_t1_sq), .t1_ask_o(gp_t1_ask), .t2_ask_o(gp_t2_ask),
      .sq_re_o(gp_sq_re), .sq_sqid_o(gp_sqid), .sq_class_i(gr_class), .sq_cqid_i(gr_cqid),
      .sq_size_zb_i(gr_size_zb), .head_i(gr_head),
      .t2_grant_o(gp_t2_grant), .t2_sqid_o(gp_t2_sqid), .t2_head_o(gp_t2_head),
      .head_we_o(gp_head_we), .t3_sqid_o(gp_t3_sqid), .head_o(gp_head),
      .retire_o(gp_retire), .retire_sqid_o(gp_retire_sqid), .retire_phase_o(gp_retire_phase),
      .cq_re_o(gp_cq_re), .probe_o(gp_probe), .cq_cqid_o(gp_cqid),
      .limit_i(gr_limit), .granted_i(gr_granted), .near_i(gr_near), .limit_we_i(ev_limit_we),
      .limit_cqid_i(ev_limit_cqid),
      .granted_we_o(gp_granted_we), .t4_cqid_o(gp_t4_cqid), .granted_o(gp_granted),
      .near_o(gp_near),
      .probed_o(gp_probed), .probed_room_o(gp_probed_room), .probed_cqid_o(gp_probed_cqid),
      .looked_o(gp_looked),
      .near_full_o(gp_near_full),
      .grant_valid_o, .grant_ready_i, .grant_o, .grant_weighted_o(gp_weighted),
      .grant_level_o(gp_level), .grant_reload_o(gp_reload), .idle_o(gp_idle));
  logic unused;
  assign unused = ^{max_count_i, clk_cfg_i, clk_event_i, clk_grant_i, rg_end[RingAdmin],
                    rg_end[RingUrgent], rg_push_front[RingAdmin], rg_alone[RingAdmin],
                    rg_again[RingAdmin]};

  nvmearb_fr_fetch_commit #(.QidW(QidW), .PtrW(PtrW)) u_fetch_commit (
      .clk_i, .rst_ni, .commit_valid_i, .commit_sqid_i, .commit_count_i,
      .re_o(fc_re), .rd_sqid_o(fc_rd_sqid), .size_zb_i(fc_size_zb), .fetched_i(fc_old),
      .valid_o(fc_valid), .sqid_o(fc_sqid), .count_o(fc_count), .fetched_o(fc_fetched),
      .idle_o(fc_idle));

  nvmearb_fr_completions #(.QidW(QidW), .PtrW(PtrW)) u_completions (
      .clk_i, .rst_ni, .valid_i(complete_valid_i), .ready_o(complete_ready_o), .complete_i,
      .block_i(cs_block), .idle_o(co_idle), .done_o(co_done), .done_complete_o(co_complete),
      .re_o(co_re), .rd_cqid_o(co_rd_cqid), .posted_i(co_old),
      .posted_cqid_o(co_posted_cqid), .posted_o(co_posted),
      .give_valid_o(give_valid), .give_done_i(give_done), .give_cqid_o(give_cqid));

  nvmearb_fr_sq_table #(.NumSqs(NumSqs), .PtrW(PtrW), .QidW(QidW)) u_sq_table (
      .clk_i,
      .cfg_we_i(cs_sq_init), .cfg_sqid_i(cs_id), .cfg_class_i(cs_req.sq_class),
      .cfg_cqid_i(cs_req.cqid[QidW-1:0]), .cfg_size_zb_i(cs_req.size_zb[PtrW-1:0]),
      .class_we_i(cs_class_we), .class_i(cs_row_class),
      .tail_we_i(ev_tail_we || cs_sq_init), .tail_sqid_i(cs_sq_init ? cs_id : ev_tail_sqid),
      .tail_i(ev_tail),  // 0 while events are stalled
      .act_we_i(ev_ph_we || cs_sweep), .act_sqid_i(cs_sweep ? cs_id : ev_act_sq),
      .act_i(ev_ph && !cs_sweep),
      .retired_we_i(gp_retire[1] || cs_sweep),
      .retired_sqid_i(cs_sweep ? cs_id : gp_t2_sqid),
      .retired_i(gp_retire_phase[1] && !cs_sweep),
      .head_we_i(gp_head_we || cs_head_clear), .head_sqid_i(cs_head_clear ? cs_id : gp_t3_sqid),
      .head_i(gp_head),  // 0 without a grant
      .fetched_we_i(fc_valid || cs_sq_init), .fetched_sqid_i(cs_sq_init ? cs_id : fc_sqid),
      .fetched_i(fc_fetched),  // 0 without a commit
      .next_we_i(cs_link_we), .next_sqid_i(cs_link_from), .next_i(cs_link_to),
      .ev_re_i(ev_re || cs_read), .ev_sqid_i(ev_sqid),
      .ev_class_o(ev_sq_class), .ev_next_o(cs_next), .ev_size_zb_o(ev_sq_size_zb),
      .ev_tail_o(ev_sq_tail),
      .ev_fetched_o(ev_fetched),
      .ph_re_i(ev_ph_re || cs_read), .ph_sqid_i(cs_read ? cs_sq : ev_ph_sqid),
      .ph_act_o(ph_act), .ph_retired_o(ph_retired),
      .rf_re_i(rf_re), .rf_sqid_i(rf_sqid), .rf_size_zb_o(rf_size_zb), .rf_tail_o(rf_tail),
      .rf_head_o(rf_head),
      .gr_re_i(gp_sq_re || cs_read_rows), .gr_sqid_i(cs_read_rows ? cs_sq : gp_sqid),
      .gr_class_o(gr_class), .gr_cqid_o(gr_cqid), .gr_size_zb_o(gr_size_zb), .gr_head_o(gr_head),
      .fc_re_i(fc_re), .fc_sqid_i(fc_rd_sqid), .fc_size_zb_o(fc_size_zb), .fc_fetched_o(fc_old));

  nvmearb_fr_cq_table #(.NumSqs(NumSqs), .PtrW(PtrW), .QidW(QidW)) u_cq_table (
      .clk_i,
      .size_we_i(cs_cq_size_we), .size_cqid_i(cs_id), .size_zb_i(cs_size_zb),
      .head_we_i(ev_head_we || cs_cq_init), .head_cqid_i(cs_cq_init ? cs_id : ev_limit_cqid),
      .head_i(ev_head),  // 0 while events are stalled
      .posted_we_i(co_done || cs_cq_init), .posted_cqid_i(cs_cq_init ? cs_id : co_posted_cqid),
      .posted_i(cs_cq_init ? cs_size_zb : co_posted),
      .limit_we_i(ev_limit_we || cs_cq_init), .limit_cqid_i(cs_cq_init ? cs_id : ev_limit_cqid),
      .limit_i(cs_cq_init ? cs_size_zb : ev_limit),
      .granted_we_i(gp_granted_we || cs_room_init),
      .granted_cqid_i(cs_room_init ? cs_id : gp_t4_cqid),
      .granted_i(gp_granted),  // 0 while nothing is granted
      .near_i(gp_near && !cs_room_init),
      .park_we_i(cs_park_we || cs_sweep), .park_cqid_i(cs_sweep ? cs_id : cs_park_cqid),
      .parked_i(cs_parked && !cs_sweep), .park_first_i(cs_first), .park_last_i(cs_last),
      .ev_re_i(ev_re), .ev_cqid_i(ev_cqid), .ev_size_zb_o(ev_cq_size_zb), .ev_head_o(ev_cq_head),
      .ev_posted_o(ev_cq_posted), .ev_limit_o(ev_cq_limit),
      .gr_re_i(gp_cq_re), .gr_cqid_i(gp_cqid), .gr_limit_o(gr_limit), .gr_granted_o(gr_granted),
      .gr_near_o(gr_near),
      .cs_re_i(cs_park_re || gp_probe), .cs_cqid_i(cs_park_re ? cs_park_cqid : gp_cqid),
      .cs_parked_o(cs_row_parked),
      .cs_first_o(cs_row_first), .cs_last_o(cs_row_last),
      .co_re_i(co_re), .co_cqid_i(co_rd_cqid), .co_posted_o(co_old));

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : HeadHasOneWriter_A
        assert (!(cs_head_clear && gp_head_we));
      end
      begin : ClearsTheHead_A
        assert (!cs_head_clear || gp_head == '0);
      end
      // Their ids go the same way.
      begin : TurnedAlone_A
        assert (cs_rotate == '0 || !(de_valid || cs_retire || cs_look));
      end
    end
  end

  // At rest, without inputs, for two clocks and now: then nobody wants a decision but for what is
  // seen in de_wanted.
  logic no_input, still_q, quiescent_q;
  logic [3:0] rest_q;
  assign no_input = slot_give_i == '0 && !cfg_valid_i && !db_valid_i && !commit_valid_i &&
      !complete_valid_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rest_q <= '0;
      still_q <= 1'b0;
      quiescent_q <= 1'b0;
    end else begin
      rest_q <= {cs_idle && !pull && hold_settled, ev_idle && de_idle && no_input, settled,
                 co_idle && fc_idle && !fc_valid && !fc_seen_q && !co_seen_q};
      still_q <= rest_q == '1 && no_input;
      quiescent_q <= still_q && rest_q == '1 && no_input && !de_wanted;
    end
  end
  assign quiescent_o = quiescent_q && hold_settled;
  assign awake_o = {3{!quiescent_o}};

  assign err_valid_o = ev_refused;
  assign err_info_o = ev_error;
  assign err_db_o = ev_db;

  // Credits as of the last grant that was read, for the observation port alone.
  logic [2:0][8:0] credit_q, credit;
  logic [2:0] charged;
  logic renewed, set_arb_q;  // settings are told a clock after they are loaded
  assign grant_read = grant_valid_o && grant_ready_i;
  // All of the weight, of which weight_zb is one less, or what there was; less one with a grant.
  assign renewed = set_arb_q || (grant_read && gp_weighted && gp_reload);
  always_comb begin
    for (int l = 0; l < 3; l++) begin
      charged[l] = grant_read && gp_weighted && gp_level == 2'(l);
      credit[l] = (renewed ? {1'b0, weight_zb[l]} : credit_q[l]) + {9{!renewed && charged[l]}} +
          9'(renewed && !charged[l]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || cs_clear) credit_q <= {3{9'd1}};
    else credit_q <= credit;
  end
  always_ff @(posedge clk_i) begin
    set_arb_q <= cs_set_arb;
  end

  // Captures and completions are shown a clock later: a doorbell that takes effect before does not
  // know them.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fc_seen_q <= 1'b0;
      co_seen_q <= 1'b0;
    end else begin
      fc_seen_q <= fc_valid;
      co_seen_q <= co_done;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fc_valid) begin
      fc_seen_sqid_q <= fc_sqid;
      fc_seen_count_q <= fc_count;
      fc_seen_head_q <= fc_fetched;
    end
    if (co_done) co_seen_complete_q <= co_complete;
  end

  // Data without its valid bit means nothing, but changes only with an event.
  assign obs_o = {cs_effect, cs_req, ev_accepted, ev_refused, ev_error, ev_db, grant_read, grant_o,
                  fc_seen_q, 16'(fc_seen_sqid_q), fc_seen_count_q, 16'(fc_seen_head_q), co_seen_q,
                  co_seen_complete_q, credit[0], credit[1], credit[2]};
endmodule
`default_nettype wire
