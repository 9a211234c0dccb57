// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core: bus-agnostic SQ arbitration engine.
//
// Purpose: decides which submitted commands of which SQ are fetched next, by the rules of
//  docs/decisions/0002-arbitration-rules.md.
// Behaviour:
//  1. Doorbells are checked and take effect one at a time (nvmearb_event_pipe). A tail that leaves
//     an inactive SQ with commands puts it to the back of its ring.
//  2. While slots are held, decisions are made one after the other and leave by the grant port
//     (nvmearb_grant_unit). An SQ whose CQ has no room is parked until a CQ head doorbell or a
//     completion without an entry makes room.
//  3. commit moves the fetched head, complete the CQ tail.
//  4. Configuration requests are carried out one at a time between decisions (nvmearb_cfg_seq).
//     Until the first sweep after reset (NumSqs clocks) no queue exists and no doorbell is
//     accepted.
// Order of service in a ring: by activation (first in, first out), not by index.
// Guarantees: those of the sub-modules; quiescent_o: with no valid input, no slots given and
//  unchanged holds no register changes at the next edge.
// Requires: a grant that waits is read in bounded time (configuration waits for it); granted
//  commands are committed once each; before CfgReset every granted command is committed, or never
//  will be; CfgReset forgets the slots, so they are given anew after it; SQ 0 is mapped to CQ 0 and
//  has class SqAdmin, and only SQ 0 has.
// Timing: doorbell accepted to grant_valid_o: 5 clocks when idle. One decision in 3 clocks, of up
//  to 8 commands. A doorbell takes effect within 1 + 2 clocks of its acceptance, or 1 + 2 + 10
//  while parked SQs are let go. A grant is picked 3 clocks before grant_valid_o rises, and knows
//  all that took effect (obs_o) before: a grant whose grant_valid_o rises 4 clocks after an event
//  was picked with it. What waits for grant_ready_i ages there; hand out slots only for grants that
//  can be read at once.
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
  import nvmearb_core_pkg::*;
#(
    // Number of SQs including SQ 0, and of CQs: 2..1024 (ids 0 .. NumSqs-1), any number.
    parameter int NumSqs = 16,
    // Width of queue pointers: largest queue is 2^PtrW entries. 2..16.
    parameter int PtrW = 16,
    // Width of the command slot counter: at most 2^SlotW - 1 slots. 4..16.
    parameter int SlotW = 10
) (
    // One clock in four copies; without clock gating all four are the same net. A copy may stand
    // still at an edge at which its bit of awake_o is 0 and no input of its part is active:
    input  wire logic             clk_i,         // a change of a hold; whenever another copy runs
    input  wire logic             clk_cfg_i,     // [0] cfg_valid_i
    input  wire logic             clk_event_i,   // [1] db_valid_i, commit_valid_i, complete_valid_i
    input  wire logic             clk_grant_i,   // [2] slot_give_i, a change of a hold
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
    // Command slots handed to the arbiter in this clock, 0..15.
    input  wire logic [3:0]       slot_give_i,
    // Largest count of a grant, 1..8; quasi-static.
    input  wire logic [3:0]       max_count_i,
    // Freezes: no new grant of I/O SQs / of any SQ, from the decision after the next clock on.
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

  // Config sequencer.
  cfg_req_t cs_req;
  logic cs_effect, cs_idle, cs_busy, wrr, lock_req, lock_gnt, pull_req;
  logic cs_clear, cs_set_arb, cs_admin_clear, cs_admin_park;
  logic cs_sq_we, cs_sq_init, cs_cq_we, cs_cq_init, cs_exists, cs_inactive_we;
  logic cs_row_re, cs_cq_re, cs_park_we, cs_room_we;
  logic cs_set_valid, cs_link_we, cs_next_re, cs_end_turn;
  logic [QidW-1:0] cs_id, cs_cq_cqid, cs_room_cqid, cs_first, cs_last, cs_link_from, cs_link_to;
  logic [QidW-1:0] cs_next_sq;
  logic [QidW+2:0] cs_park_addr;
  logic [RingCount-1:0] cs_room_parked;
  logic [PtrW-1:0] cs_room;
  ring_op_e cs_op;
  logic [2:0] cs_ring;
  logic [1:0] cs_level;

  // Event pipe.
  logic ev_idle, ev_allow, ev_accepted, ev_refused, ev_re, ev_tail_we, ev_tail_halted, ev_append;
  logic ev_head_we, ev_room_we, ev_unpark, ev_allow_room, ev_room_event;
  logic [7:0] ev_error;
  doorbell_t ev_db;
  logic [QidW-1:0] ev_sqid, ev_cqid, ev_append_sq, ev_room_cqid;
  logic [2:0] ev_append_ring;
  logic [PtrW-1:0] ev_tail, ev_head, ev_room;
  logic [RingCount-1:0] ev_unpark_rings;

  // Grant unit.
  logic gu_idle, gu_step_new, gu_link_we, gu_next_re, gu_charge, gu_reload, gu_keep, gu_end_turn;
  logic gu_sq_re, gu_head_we, gu_inactive_we, gu_cq_re, gu_room_we, gu_park_re, gu_park_we;
  ring_op_e gu_op;
  step_e gu_step;
  logic [2:0] gu_ring;
  logic [1:0] gu_level;
  logic [3:0] gu_count;
  logic [QidW-1:0] gu_first, gu_last, gu_step_sq, gu_link_from, gu_next_sq, gu_sqid, gu_cqid;
  logic [QidW-1:0] gu_park_first;
  logic [QidW+2:0] gu_park_raddr, gu_park_waddr;
  logic [BurstW-1:0] gu_step_burst;
  logic [PtrW-1:0] gu_head, gu_room;
  logic [RingCount-1:0] gu_room_parked;

  // Rings and credits.
  ring_op_e op;
  logic [2:0] ring;
  logic [QidW-1:0] first, last, link_from, link_to, next;
  logic [RingCount-1:0] visit_valid, list_valid;
  logic [RingCount-1:0][QidW-1:0] visit_sq, list_first, list_last;
  logic [RingCount-1:0][BurstW-1:0] visit_burst;
  logic [2:0] ab, open;
  logic [2:0][7:0] weight_zb;
  logic [2:0][8:0] credit, shown_q, shown;
  logic grant_read;
  logic [8:0] credit_h, credit_m, credit_l;
  logic turn_valid;
  logic [1:0] turn_level;

  // Fetch commit and completions.
  logic fc_re, fc_valid, co_idle, co_done, co_re, co_tail_we, give_valid, give_done;
  logic [QidW-1:0] fc_rd_sqid, fc_sqid, co_rd_cqid, co_tail_cqid, give_cqid;
  logic [3:0] fc_count;
  logic [PtrW-1:0] fc_fetched, co_tail;
  complete_t co_complete;

  // Rows.
  logic [2:0] ev_sq_class, gr_class;
  logic ev_sq_exists, ev_halted, ev_active, ev_cq_exists, gr_halted;
  logic [PtrW-1:0] ev_sq_size_zb, ev_sq_tail, ev_fetched, ev_cq_size_zb, ev_cq_head, ev_cq_tail;
  logic [PtrW-1:0] ev_cq_room, gr_size_zb, gr_tail, gr_head, gr_room, fc_size_zb, fc_old;
  logic [PtrW-1:0] co_size_zb, co_old;
  logic [RingCount-1:0] ev_parked, gr_parked;
  logic [QidW-1:0] gr_cqid, park_first, park_last;

  // Writes to the tables.
  logic tail_we, tail_halted, active_we, head_we, fetched_we;
  logic cq_head_we, cq_tail_we, room_we, park_we;
  logic [QidW-1:0] tail_sqid, active_sqid, head_sqid, fetched_sqid, cq_head_cqid, cq_tail_cqid;
  logic [QidW-1:0] room_cqid, new_park_first, new_park_last;
  logic [PtrW-1:0] tail, head, fetched, cq_head, cq_tail, room;
  logic [RingCount-1:0] room_parked;
  logic [QidW+2:0] park_waddr;

  logic hold_io_q, hold_all_q, hold_moves;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_io_q <= 1'b0;
      hold_all_q <= 1'b0;
    end else begin
      if (hold_io_q != hold_io_i) hold_io_q <= hold_io_i;
      if (hold_all_q != hold_all_i) hold_all_q <= hold_all_i;
    end
  end

  nvmearb_cfg_seq #(.NumSqs(NumSqs), .QidW(QidW), .PtrW(PtrW)) u_cfg_seq (
      .clk_i(clk_cfg_i), .rst_ni,
      .cfg_valid_i, .cfg_ready_o, .cfg_i, .done_o(cfg_done_o),
      .req_o(cs_req), .effect_o(cs_effect), .idle_o(cs_idle), .busy_o(cs_busy), .wrr_o(wrr),
      .pull_req_i(pull_req), .lock_req_o(lock_req), .lock_gnt_i(lock_gnt),
      .clear_o(cs_clear), .set_arb_o(cs_set_arb), .admin_clear_o(cs_admin_clear),
      .admin_park_o(cs_admin_park),
      .sq_exists_we_o(cs_sq_we), .sq_init_o(cs_sq_init), .cq_exists_we_o(cs_cq_we),
      .cq_init_o(cs_cq_init),
      .id_o(cs_id), .exists_o(cs_exists), .inactive_we_o(cs_inactive_we),
      .commit_valid_i(fc_valid), .commit_sqid_i(fc_sqid), .commit_fetched_i(fc_fetched),
      .row_re_o(cs_row_re), .sq_active_i(ev_active), .sq_fetched_i(ev_fetched),
      .sq_class_i(gr_class), .sq_cqid_i(gr_cqid), .sq_head_i(gr_head),
      .cq_re_o(cs_cq_re), .cq_cqid_o(cs_cq_cqid), .cq_parked_i(gr_parked), .cq_room_i(gr_room),
      .park_addr_o(cs_park_addr), .park_first_i(park_first), .park_last_i(park_last),
      .park_we_o(cs_park_we), .room_we_o(cs_room_we), .room_cqid_o(cs_room_cqid),
      .room_parked_o(cs_room_parked), .room_o(cs_room),
      .visit_valid_i(visit_valid), .visit_sq_i(visit_sq), .list_valid_i(list_valid),
      .list_first_i(list_first), .list_last_i(list_last),
      .op_o(cs_op), .ring_o(cs_ring), .first_o(cs_first), .last_o(cs_last),
      .set_valid_o(cs_set_valid), .link_we_o(cs_link_we), .link_from_o(cs_link_from),
      .link_to_o(cs_link_to), .next_re_o(cs_next_re), .next_sq_o(cs_next_sq), .next_i(next),
      .end_turn_o(cs_end_turn), .level_o(cs_level));

  nvmearb_event_pipe #(.NumSqs(NumSqs), .QidW(QidW), .PtrW(PtrW)) u_event_pipe (
      .clk_i(clk_event_i), .rst_ni, .wrr_i(wrr),
      .db_valid_i, .db_ready_o, .db_i,
      .give_valid_i(give_valid), .give_done_o(give_done), .give_cqid_i(give_cqid),
      .allow_i(ev_allow), .allow_room_i(ev_allow_room), .room_event_o(ev_room_event),
      .block_i(lock_req), .port_taken_i(lock_gnt), .idle_o(ev_idle),
      .accepted_o(ev_accepted), .refused_o(ev_refused), .error_o(ev_error), .done_db_o(ev_db),
      .re_o(ev_re), .sqid_o(ev_sqid), .sq_exists_i(ev_sq_exists), .sq_class_i(ev_sq_class),
      .sq_size_zb_i(ev_sq_size_zb), .sq_halted_i(ev_halted), .sq_tail_i(ev_sq_tail),
      .sq_fetched_i(ev_fetched), .sq_active_i(ev_active),
      .tail_we_o(ev_tail_we), .tail_halted_o(ev_tail_halted), .tail_o(ev_tail),
      .append_o(ev_append), .append_sq_o(ev_append_sq), .append_ring_o(ev_append_ring),
      .cqid_o(ev_cqid), .cq_exists_i(ev_cq_exists), .cq_size_zb_i(ev_cq_size_zb),
      .cq_head_i(ev_cq_head), .cq_tail_i(ev_cq_tail), .cq_parked_i(ev_parked),
      .cq_room_i(ev_cq_room), .head_we_o(ev_head_we), .head_o(ev_head),
      .room_we_o(ev_room_we), .room_cqid_o(ev_room_cqid), .room_o(ev_room),
      .unpark_o(ev_unpark), .unpark_rings_o(ev_unpark_rings));

  nvmearb_grant_unit #(.QidW(QidW), .PtrW(PtrW), .BurstW(BurstW), .SlotW(SlotW)) u_grant_unit (
      .clk_i(clk_grant_i), .rst_ni, .wrr_i(wrr), .max_count_i,
      .hold_io_i(hold_io_q), .hold_all_i(hold_all_q),
      .slot_give_i, .slot_clear_i(cs_clear),
      .grant_valid_o, .grant_ready_i, .grant_o,
      .ev_allow_o(ev_allow), .ev_allow_room_o(ev_allow_room), .ev_room_i(ev_room_event),
      .ev_append_i(ev_append), .ev_append_sq_i(ev_append_sq),
      .unpark_i(ev_unpark), .unpark_cqid_i(ev_room_cqid), .unpark_rings_i(ev_unpark_rings),
      .lock_req_i(lock_req), .lock_gnt_o(lock_gnt), .pull_req_o(pull_req),
      .admin_clear_i(cs_admin_clear), .admin_park_i(cs_admin_park), .idle_o(gu_idle),
      .visit_valid_i(visit_valid), .visit_sq_i(visit_sq), .visit_burst_i(visit_burst),
      .list_valid_i(list_valid), .list_first_i(list_first),
      .op_o(gu_op), .ring_o(gu_ring), .first_o(gu_first), .last_o(gu_last),
      .step_o(gu_step), .step_new_o(gu_step_new), .step_sq_o(gu_step_sq),
      .step_burst_o(gu_step_burst), .link_we_o(gu_link_we), .link_from_o(gu_link_from),
      .next_re_o(gu_next_re), .next_sq_o(gu_next_sq),
      .ab_i(ab), .weight_zb_i(weight_zb), .credit_i(credit), .open_i(open),
      .turn_valid_i(turn_valid), .turn_level_i(turn_level),
      .charge_o(gu_charge), .reload_o(gu_reload), .keep_o(gu_keep), .end_turn_o(gu_end_turn),
      .level_o(gu_level), .count_o(gu_count),
      .sq_re_o(gu_sq_re), .sq_sqid_o(gu_sqid), .sq_class_i(gr_class), .sq_cqid_i(gr_cqid),
      .sq_size_zb_i(gr_size_zb), .sq_halted_i(gr_halted), .sq_tail_i(gr_tail),
      .sq_head_i(gr_head), .head_we_o(gu_head_we), .head_o(gu_head),
      .inactive_we_o(gu_inactive_we),
      .cq_re_o(gu_cq_re), .cq_cqid_o(gu_cqid), .cq_parked_i(gr_parked), .cq_room_i(gr_room),
      .room_we_o(gu_room_we), .room_parked_o(gu_room_parked), .room_o(gu_room),
      .park_re_o(gu_park_re), .park_raddr_o(gu_park_raddr), .park_first_i(park_first),
      .park_last_i(park_last), .park_we_o(gu_park_we), .park_waddr_o(gu_park_waddr),
      .park_first_o(gu_park_first));

  nvmearb_fetch_commit #(.QidW(QidW), .PtrW(PtrW)) u_fetch_commit (
      .clk_i(clk_event_i), .rst_ni, .commit_valid_i, .commit_sqid_i, .commit_count_i,
      .re_o(fc_re), .rd_sqid_o(fc_rd_sqid), .size_zb_i(fc_size_zb), .fetched_i(fc_old),
      .valid_o(fc_valid), .sqid_o(fc_sqid), .count_o(fc_count), .fetched_o(fc_fetched));

  nvmearb_completions #(.QidW(QidW), .PtrW(PtrW)) u_completions (
      .clk_i(clk_event_i), .rst_ni,
      .valid_i(complete_valid_i), .ready_o(complete_ready_o), .complete_i,
      .block_i(lock_req), .idle_o(co_idle), .done_o(co_done), .done_complete_o(co_complete),
      .re_o(co_re), .rd_cqid_o(co_rd_cqid), .size_zb_i(co_size_zb), .tail_i(co_old),
      .tail_we_o(co_tail_we), .tail_cqid_o(co_tail_cqid), .tail_o(co_tail),
      .give_valid_o(give_valid), .give_done_i(give_done), .give_cqid_o(give_cqid));

  // Who uses a shared port. The lock keeps the config sequencer apart from the others; the event
  // pipe acts only while the grant unit neither decides nor splices.
  always_comb begin
    if (lock_gnt) begin
      op = cs_op;
      ring = cs_ring;
      first = cs_first;
      last = cs_last;
      link_from = cs_link_from;
      link_to = cs_link_to;
    end else if (ev_append) begin
      op = RingAppend;
      ring = ev_append_ring;
      first = ev_append_sq;
      last = ev_append_sq;
      link_from = gu_link_from;
      link_to = gu_step_sq;
    end else begin
      op = gu_op;
      ring = gu_ring;
      first = gu_first;
      last = gu_last;
      link_from = gu_link_from;
      link_to = gu_step_sq;
    end
  end

  nvmearb_rings #(.NumSqs(NumSqs), .QidW(QidW), .BurstW(BurstW)) u_rings (
      .clk_i(clk_grant_i), .rst_ni, .op_i(op), .ring_i(ring), .first_i(first), .last_i(last),
      .set_valid_i(cs_set_valid),
      .step_i(gu_step), .step_new_i(gu_step_new), .step_sq_i(gu_step_sq),
      .step_burst_i(gu_step_burst),
      .link_we_i(lock_gnt ? cs_link_we : gu_link_we), .link_from_i(link_from), .link_to_i(link_to),
      .next_re_i(lock_gnt ? cs_next_re : gu_next_re),
      .next_sq_i(lock_gnt ? cs_next_sq : gu_next_sq), .next_o(next),
      .visit_valid_o(visit_valid), .visit_sq_o(visit_sq), .visit_burst_o(visit_burst),
      .list_valid_o(list_valid), .list_first_o(list_first), .list_last_o(list_last));

  nvmearb_credits u_credits (
      .clk_i(clk_grant_i), .rst_ni, .clear_i(cs_clear), .set_arb_i(cs_set_arb),
      .ab_i(cs_req.ab), .hpw_zb_i(cs_req.hpw_zb), .mpw_zb_i(cs_req.mpw_zb),
      .lpw_zb_i(cs_req.lpw_zb),
      .charge_i(gu_charge), .reload_i(gu_reload), .keep_i(gu_keep),
      .end_turn_i(gu_end_turn || cs_end_turn), .level_i(lock_gnt ? cs_level : gu_level),
      .count_i(gu_count),
      .ab_o(ab), .weight_zb_o(weight_zb), .credit_o(credit), .open_o(open),
      .turn_valid_o(turn_valid), .turn_level_o(turn_level));

  // Who writes a field. All zero in a clock without a write: nothing is steered that nobody takes.
  assign tail_we = ev_tail_we || cs_sq_init;
  assign active_we = ev_append || gu_inactive_we || cs_inactive_we;
  assign head_we = gu_head_we || cs_sq_init;
  assign fetched_we = fc_valid || cs_sq_init;
  always_comb begin
    tail_sqid = '0;
    tail_halted = 1'b0;
    tail = '0;
    if (cs_sq_init) begin
      tail_sqid = cs_id;
    end else if (ev_tail_we) begin
      tail_sqid = ev_append_sq;
      tail_halted = ev_tail_halted;
      tail = ev_tail;
    end
  end
  always_comb begin
    active_sqid = '0;
    if (cs_inactive_we) active_sqid = cs_id;
    else if (ev_append) active_sqid = ev_append_sq;
    else if (gu_inactive_we) active_sqid = gu_step_sq;
  end
  always_comb begin
    head_sqid = '0;
    head = '0;
    if (cs_sq_init) begin
      head_sqid = cs_id;
    end else if (gu_head_we) begin
      head_sqid = gu_step_sq;
      head = gu_head;
    end
  end
  always_comb begin
    fetched_sqid = '0;
    fetched = '0;
    if (cs_sq_init) begin
      fetched_sqid = cs_id;
    end else if (fc_valid) begin
      fetched_sqid = fc_sqid;
      fetched = fc_fetched;
    end
  end
  assign cq_head_we = ev_head_we || cs_cq_init;
  assign cq_tail_we = co_tail_we || cs_cq_init;
  assign room_we = ev_room_we || gu_room_we || cs_cq_init || cs_room_we;
  assign park_we = gu_park_we || cs_park_we;
  always_comb begin
    cq_head_cqid = '0;
    cq_head = '0;
    if (cs_cq_init) begin
      cq_head_cqid = cs_id;
    end else if (ev_head_we) begin
      cq_head_cqid = ev_room_cqid;
      cq_head = ev_head;
    end
  end
  always_comb begin
    cq_tail_cqid = '0;
    cq_tail = '0;
    if (cs_cq_init) begin
      cq_tail_cqid = cs_id;
    end else if (co_tail_we) begin
      cq_tail_cqid = co_tail_cqid;
      cq_tail = co_tail;
    end
  end
  always_comb begin
    room_cqid = '0;
    room_parked = '0;
    room = '0;
    if (cs_cq_init) begin
      room_cqid = cs_id;
      room = cs_req.size_zb[PtrW-1:0];
    end else if (cs_room_we) begin
      room_cqid = cs_room_cqid;
      room_parked = cs_room_parked;
      room = cs_room;
    end else if (ev_room_we) begin
      room_cqid = ev_room_cqid;
      room = ev_room;
    end else if (gu_room_we) begin
      room_cqid = gr_cqid;
      room_parked = gu_room_parked;
      room = gu_room;
    end
  end
  always_comb begin
    park_waddr = '0;
    new_park_first = '0;
    new_park_last = '0;
    if (cs_park_we) begin
      park_waddr = cs_park_addr;
      new_park_first = cs_first;
      new_park_last = cs_last;
    end else if (gu_park_we) begin
      park_waddr = gu_park_waddr;
      new_park_first = gu_park_first;
      new_park_last = gu_step_sq;
    end
  end

  nvmearb_sq_table #(.NumSqs(NumSqs), .PtrW(PtrW), .QidW(QidW)) u_sq_table (
      .clk_i, .clk_event_i, .clk_grant_i,
      .exists_we_i(cs_sq_we), .cfg_sqid_i(cs_id), .exists_i(cs_exists),
      .cfg_we_i(cs_sq_init), .cfg_class_i(cs_req.sq_class), .cfg_cqid_i(cs_req.cqid[QidW-1:0]),
      .cfg_size_zb_i(cs_req.size_zb[PtrW-1:0]),
      .tail_we_i(tail_we), .tail_sqid_i(tail_sqid), .tail_halted_i(tail_halted), .tail_i(tail),
      .active_we_i(active_we), .active_sqid_i(active_sqid), .active_i(ev_append),
      .head_we_i(head_we), .head_sqid_i(head_sqid), .head_i(head),
      .fetched_we_i(fetched_we), .fetched_sqid_i(fetched_sqid), .fetched_i(fetched),
      .ev_re_i(lock_gnt ? cs_row_re : ev_re), .ev_sqid_i(lock_gnt ? cs_id : ev_sqid),
      .ev_exists_o(ev_sq_exists), .ev_class_o(ev_sq_class), .ev_size_zb_o(ev_sq_size_zb),
      .ev_halted_o(ev_halted), .ev_tail_o(ev_sq_tail), .ev_fetched_o(ev_fetched),
      .ev_active_o(ev_active),
      .gr_re_i(lock_gnt ? cs_row_re : gu_sq_re), .gr_sqid_i(lock_gnt ? cs_id : gu_sqid),
      .gr_class_o(gr_class), .gr_cqid_o(gr_cqid), .gr_size_zb_o(gr_size_zb),
      .gr_halted_o(gr_halted), .gr_tail_o(gr_tail), .gr_head_o(gr_head),
      .fc_re_i(fc_re), .fc_sqid_i(fc_rd_sqid), .fc_size_zb_o(fc_size_zb), .fc_fetched_o(fc_old));

  nvmearb_cq_table #(.NumSqs(NumSqs), .PtrW(PtrW), .QidW(QidW)) u_cq_table (
      .clk_i, .clk_event_i, .clk_grant_i,
      .exists_we_i(cs_cq_we), .cfg_cqid_i(cs_id), .exists_i(cs_exists),
      .cfg_we_i(cs_cq_init), .cfg_size_zb_i(cs_req.size_zb[PtrW-1:0]),
      .head_we_i(cq_head_we), .head_cqid_i(cq_head_cqid), .head_i(cq_head),
      .tail_we_i(cq_tail_we), .tail_cqid_i(cq_tail_cqid), .tail_i(cq_tail),
      .room_we_i(room_we), .room_cqid_i(room_cqid), .room_parked_i(room_parked), .room_i(room),
      .park_we_i(park_we), .park_waddr_i(park_waddr),
      .park_first_i(new_park_first), .park_last_i(new_park_last),
      .ev_re_i(ev_re), .ev_cqid_i(ev_cqid), .ev_exists_o(ev_cq_exists),
      .ev_size_zb_o(ev_cq_size_zb), .ev_head_o(ev_cq_head), .ev_tail_o(ev_cq_tail),
      .ev_parked_o(ev_parked), .ev_room_o(ev_cq_room),
      .gr_re_i(lock_gnt ? cs_cq_re : gu_cq_re), .gr_cqid_i(lock_gnt ? cs_cq_cqid : gu_cqid),
      .gr_parked_o(gr_parked), .gr_room_o(gr_room),
      .park_re_i(lock_gnt ? cs_cq_re : gu_park_re),
      .park_raddr_i(lock_gnt ? cs_park_addr : gu_park_raddr),
      .park_first_o(park_first), .park_last_o(park_last),
      .co_re_i(co_re), .co_cqid_i(co_rd_cqid), .co_size_zb_o(co_size_zb), .co_tail_o(co_old));

  assign hold_moves = hold_io_i != hold_io_q || hold_all_i != hold_all_q;
  assign quiescent_o = gu_idle && ev_idle && co_idle && cs_idle && !fc_valid && !hold_moves;

  // Who changes at the next edge by itself. While the config sequencer works everything runs.
  assign awake_o[0] = cs_busy || pull_req;
  assign awake_o[1] = !ev_idle || !co_idle || fc_valid || cs_busy;
  assign awake_o[2] = !gu_idle || ev_append || ev_unpark || cs_busy || hold_moves;

  assign err_valid_o = ev_refused;
  assign err_info_o = ev_error;
  assign err_db_o = ev_db;

  always_comb begin
    shown = shown_q;
    if (grant_read) begin
      shown = credit;
    end else if (cs_effect) begin
      shown = credit;
      if (cs_set_arb) begin
        shown = {{1'b0, cs_req.lpw_zb} + 9'd1, {1'b0, cs_req.mpw_zb} + 9'd1,
                 {1'b0, cs_req.hpw_zb} + 9'd1};
      end
    end
  end
  assign {credit_l, credit_m, credit_h} = shown;
  assign grant_read = grant_valid_o && grant_ready_i;

  // Credits as of the last grant that was read: a grant that waits is not an event yet.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shown_q <= {9'd1, 9'd1, 9'd1};
    else if (grant_read || cs_effect) shown_q <= shown;
  end

  // All zero in a clock without an event.
  always_comb begin
    obs_o = '0;
    if (cs_effect || ev_accepted || ev_refused || grant_read || fc_valid || co_done) begin
      obs_o = {cs_effect, cs_req, ev_accepted, ev_refused, ev_error, ev_db, grant_read, grant_o,
               fc_valid, 16'(fc_sqid), fc_count, 16'(fc_fetched), co_done, co_complete, credit_h,
               credit_m, credit_l};
    end
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : DoorbellInTheClockOfItsGrant_C
        cover (ev_accepted && !ev_db.is_cq && grant_read && ev_db.qid == grant_o.sqid);
      end
      begin : CommitInTheClockOfItsGrant_C
        cover (fc_valid && grant_read && 16'(fc_sqid) == grant_o.sqid);
      end
      begin : GrantWhileConfigWaits_C
        cover (grant_read && lock_req);
      end
      begin : EverythingInOneClock_C
        cover (ev_accepted && grant_read && fc_valid && co_done);
      end
    end
  end
endmodule
`default_nettype wire
