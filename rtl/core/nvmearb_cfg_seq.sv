// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_cfg_seq: carries out configuration requests, one at a time.
//
// Purpose: creates and deletes queues, changes settings, resets (decision 0002, rules 9, 10 and
//  14).
// Behaviour:
//  1. After reset release, and on CfgReset, it sweeps the tables: no queue exists, then.
//  2. A request is accepted while idle. It takes the lock, which it gets when no decision is under
//     way and no grant waits; from then until it took effect there are neither decisions nor
//     doorbells. It takes effect with effect_o.
//  3. CfgDeleteSq: removes the SQ from its ring, visit or parking list; takes
//     effect; gives the lock back and is answered when the last granted command is captured.
//  4. All others are answered (done_o) when they take effect.
//  5. pull_req_i: takes SQ 0 out of the middle of the round robin ring and puts it in front; an
//     open visit ends and its SQ goes to the back. Without room in its CQ it is parked instead and
//     the visit stays.
// Guarantees: one done_o per request; never two operations at once.
// Requires: a grant that waits is read in bounded time; legality is checked by the requester: ids
//  in range (IdInRange_M), queues exist or do not, no SQ is active at CfgSetMech.
// Timing: four clocks for a setting or a creation, when no grant is under way.
// Bound: CfgReset NumSqs + 4 clocks; CfgDeleteSq 2 clocks per SQ in the ring or parking list, then
//  until the last fetch; each behind the grant under way.
`default_nettype none
module nvmearb_cfg_seq
  import nvmearb_pkg::*;
  import nvmearb_core_pkg::*;
#(
    // SQs, and CQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16
) (
    input  wire logic                           clk_i,
    input  wire logic                           rst_ni,
    // Requests.
    input  wire logic                           cfg_valid_i,
    output logic                                cfg_ready_o,
    input  wire cfg_req_t                       cfg_i,
    output logic                                done_o,
    // The request in hand, and the clock in which it takes effect.
    output cfg_req_t                            req_o,
    output logic                                effect_o,
    // Nothing to do, or waiting for a fetch.
    output logic                                idle_o,
    output logic                                busy_o,
    // Mechanism.
    output logic                                wrr_o,
    // SQ 0 is wanted in front.
    input  wire logic                           pull_req_i,
    // Lock.
    output logic                                lock_req_o,
    input  wire logic                           lock_gnt_i,
    // Settings and slots (nvmearb_credits, nvmearb_grant_unit).
    output logic                                clear_o,
    output logic                                set_arb_o,
    // SQ 0 was forgotten; SQ 0 was parked.
    output logic                                admin_clear_o,
    output logic                                admin_park_o,
    // Existence of a queue; init: all its rows take their first values.
    output logic                                sq_exists_we_o,
    output logic                                sq_init_o,
    output logic                                cq_exists_we_o,
    output logic                                cq_init_o,
    output logic [QidW-1:0]                     id_o,
    output logic                                exists_o,
    output logic                                inactive_we_o,
    // A commit uses the write port of the fetched heads.
    input  wire logic                           commit_valid_i,
    input  wire logic [QidW-1:0]                commit_sqid_i,
    input  wire logic [PtrW-1:0]                commit_fetched_i,
    // Read ports, valid under lock.
    output logic                                row_re_o,
    input  wire logic                           sq_active_i,
    input  wire logic [PtrW-1:0]                sq_fetched_i,
    input  wire logic [2:0]                     sq_class_i,
    input  wire logic [QidW-1:0]                sq_cqid_i,
    input  wire logic [PtrW-1:0]                sq_head_i,
    output logic                                cq_re_o,
    output logic [QidW-1:0]                     cq_cqid_o,
    input  wire logic [RingCount-1:0]           cq_parked_i,
    input  wire logic [PtrW-1:0]                cq_room_i,
    output logic [QidW+2:0]                     park_addr_o,
    input  wire logic [QidW-1:0]                park_first_i,
    input  wire logic [QidW-1:0]                park_last_i,
    output logic                                park_we_o,
    output logic                                room_we_o,
    output logic [QidW-1:0]                     room_cqid_o,
    output logic [RingCount-1:0]                room_parked_o,
    output logic [PtrW-1:0]                     room_o,
    // Rings.
    input  wire logic [RingCount-1:0]           visit_valid_i,
    input  wire logic [RingCount-1:0][QidW-1:0] visit_sq_i,
    input  wire logic [RingCount-1:0]           list_valid_i,
    input  wire logic [RingCount-1:0][QidW-1:0] list_first_i,
    input  wire logic [RingCount-1:0][QidW-1:0] list_last_i,
    output ring_op_e                            op_o,
    output logic [2:0]                          ring_o,
    output logic [QidW-1:0]                     first_o,
    output logic [QidW-1:0]                     last_o,
    output logic                                set_valid_o,
    output logic                                link_we_o,
    output logic [QidW-1:0]                     link_from_o,
    output logic [QidW-1:0]                     link_to_o,
    output logic                                next_re_o,
    output logic [QidW-1:0]                     next_sq_o,
    input  wire logic [QidW-1:0]                next_i,
    // The visit of a weighted level ends.
    output logic                                end_turn_o,
    output logic [1:0]                          level_o
);
  typedef enum logic [3:0] {
    Sweep    = 4'd0,   // tables, one row per clock
    Idle     = 4'd1,
    Lock     = 4'd2,   // wait for the lock
    Apply    = 4'd3,   // create, delete CQ, settings
    ReadSq   = 4'd4,   // delete SQ: read its rows
    ReadCq   = 4'd5,   // its CQ's row, ends of its parking list
    Find     = 4'd6,   // where is it?
    WalkRead = 4'd7,   // follow a list: read a link
    WalkTest = 4'd8,   // found?
    Removed  = 4'd9,   // it is gone
    PullEnd  = 4'd10,  // pull: the visit ends
    PullBack = 4'd11,  // pull: and goes to the back
    PullTop  = 4'd12,  // pull: SQ 0 to the front
    PullPark = 4'd13   // pull: no room, SQ 0 to its parking place
  } state_e;

  state_e state_q, state_d;
  cfg_req_t req_q;
  logic swept_q;  // the sweep is that of a request
  logic pull_q;
  logic drain_q;  // a deletion waits for its last fetch, beside the states
  logic drained;
  logic wrr_q;
  logic [QidW-1:0] sweep_q;
  logic busy, removed, take, sweep_last, is_create_sq, is_delete_sq, is_reset, rr_visit;
  logic [QidW-1:0] rr_visit_sq;

  // Removal.
  logic active_q;
  logic [2:0] ring_q;
  logic [PtrW-1:0] head_q, fetched_q;
  logic [QidW-1:0] id, cqid_q, cur_q, prev_q, last_q, first_q;
  logic has_prev_q, in_park_q;
  logic visited, found, at_last, in_parking, unparked, commit_hit;
  logic [RingCount-1:0] parked_q, ring_bit;
  logic [PtrW-1:0] room_q;
  logic now_empty;
  logic pull_visit_q;  // pull: there was a visit

  assign busy = state_q != Idle || drain_q;
  assign sweep_last = sweep_q == QidW'(NumSqs - 1);
  assign take = cfg_valid_i && cfg_ready_o;
  assign cfg_ready_o = !busy;
  assign rr_visit = visit_valid_i[RingRr];
  assign rr_visit_sq = visit_sq_i[RingRr];
  // Nothing of the request is looked at while there is none.
  always_comb begin
    id = '0;
    is_create_sq = 1'b0;
    is_delete_sq = 1'b0;
    is_reset = 1'b0;
    visited = 1'b0;
    ring_bit = '0;
    in_parking = 1'b0;
    found = 1'b0;
    at_last = 1'b0;
    now_empty = 1'b0;
    commit_hit = 1'b0;
    drained = 1'b0;
    if (busy) begin
      if (!pull_q) id = req_q.id[QidW-1:0];
      is_create_sq = req_q.op == CfgCreateSq;
      is_delete_sq = req_q.op == CfgDeleteSq;
      is_reset = req_q.op == CfgReset;
      visited = visit_valid_i[ring_q] && visit_sq_i[ring_q] == id;
      ring_bit = RingCount'(1) << ring_q;
      in_parking = (parked_q & ring_bit) != '0;
      found = cur_q == id;
      at_last = cur_q == last_q;
      now_empty = at_last && !has_prev_q;
      drained = state_q == Idle && fetched_q == head_q;
      commit_hit = commit_valid_i && commit_sqid_i == req_q.id[QidW-1:0];
    end
  end

  always_comb begin
    state_d = state_q;
    case (state_q)
      Sweep: if (sweep_last) state_d = Idle;
      // SQ 0 does not wait for the last fetch of another.
      Idle: if (take || (pull_req_i && !drained)) state_d = Lock;
      Lock: begin
        if (lock_gnt_i) begin
          if (pull_q || is_delete_sq) state_d = ReadSq;
          else if (is_reset) state_d = Sweep;
          else state_d = Apply;
        end
      end
      // A creation writes the fetched head: not in the clock of a commit.
      Apply: if (!(is_create_sq && commit_valid_i)) state_d = Idle;
      ReadSq: state_d = ReadCq;
      ReadCq: state_d = Find;
      Find: begin
        if (!active_q || visited) state_d = Removed;
        else state_d = WalkRead;
      end
      WalkRead: state_d = WalkTest;
      WalkTest: begin
        if (found) state_d = Removed;
        else if (at_last && (in_park_q || !in_parking)) state_d = Removed;
        else state_d = WalkRead;
      end
      Removed: begin
        if (!pull_q) state_d = Idle;
        else if (room_q == '0) state_d = PullPark;
        else state_d = PullEnd;
      end
      PullPark: state_d = Idle;
      PullEnd: state_d = PullBack;
      PullBack: state_d = PullTop;
      PullTop: state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Sweep;
      swept_q <= 1'b0;
      pull_q <= 1'b0;
      drain_q <= 1'b0;
      wrr_q <= 1'b0;
      sweep_q <= '0;
    end else begin
      if (state_d != state_q) state_q <= state_d;
      if (take) begin
        pull_q <= 1'b0;
        swept_q <= cfg_i.op == CfgReset;
      end else if (state_q == Idle && pull_req_i) begin
        pull_q <= state_d == Lock;
      end else if (state_q == PullPark || state_q == PullTop) begin
        pull_q <= 1'b0;
      end
      if (removed) drain_q <= 1'b1;
      else if (drained) drain_q <= 1'b0;
      if (state_q == Sweep) sweep_q <= sweep_last ? '0 : sweep_q + QidW'(1);
      if (clear_o) wrr_q <= 1'b0;
      else if (effect_o && req_q.op == CfgSetMech) wrr_q <= req_q.wrr;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) req_q <= cfg_i;
    if (state_q == ReadCq) begin
      active_q <= sq_active_i;
      ring_q <= wrr_q ? sq_class_i : RingRr;
      if (!drain_q) head_q <= sq_head_i;
      cqid_q <= sq_cqid_i;
    end
    if (commit_hit) fetched_q <= commit_fetched_i;
    else if (state_q == ReadCq && !drain_q) fetched_q <= sq_fetched_i;
    if (state_q == Find) begin
      parked_q <= cq_parked_i;
      room_q <= cq_room_i;
      cur_q <= list_valid_i[ring_q] ? list_first_i[ring_q] : park_first_i;
      first_q <= list_valid_i[ring_q] ? list_first_i[ring_q] : park_first_i;
      last_q <= list_valid_i[ring_q] ? list_last_i[ring_q] : park_last_i;
      in_park_q <= !list_valid_i[ring_q];
      has_prev_q <= 1'b0;
    end
    if (state_q == PullEnd) pull_visit_q <= rr_visit;
    if (state_q == WalkTest && !found) begin
      if (at_last) begin
        cur_q <= park_first_i;
        first_q <= park_first_i;
        last_q <= park_last_i;
        in_park_q <= 1'b1;
        has_prev_q <= 1'b0;
      end else begin
        cur_q <= next_i;
        prev_q <= cur_q;
        has_prev_q <= 1'b1;
      end
    end
  end

  assign lock_req_o = state_q != Idle;
  assign busy_o = busy;
  assign idle_o = state_q == Idle && !(drain_q && (drained || pull_req_i));
  assign wrr_o = wrr_q;
  assign req_o = req_q;

  // What leaves this module while a request or a pull is carried out; all zero otherwise.
  assign removed = state_q == Removed && !pull_q;
  assign unparked = state_q == WalkTest && found && in_park_q;
  always_comb begin
    effect_o = 1'b0;
    done_o = 1'b0;
    clear_o = 1'b0;
    set_arb_o = 1'b0;
    admin_clear_o = 1'b0;
    admin_park_o = 1'b0;
    id_o = '0;
    exists_o = 1'b0;
    sq_init_o = 1'b0;
    sq_exists_we_o = 1'b0;
    cq_init_o = 1'b0;
    cq_exists_we_o = 1'b0;
    inactive_we_o = 1'b0;
    row_re_o = 1'b0;
    cq_re_o = 1'b0;
    park_addr_o = '0;
    next_re_o = 1'b0;
    link_from_o = '0;
    link_to_o = '0;
    link_we_o = 1'b0;
    park_we_o = 1'b0;
    room_we_o = 1'b0;
    room_parked_o = '0;
    end_turn_o = 1'b0;
    op_o = RingNop;
    first_o = '0;
    last_o = '0;
    set_valid_o = 1'b0;
    if (busy) begin
      effect_o = (state_q == Apply && state_d == Idle) || removed ||
          (state_q == Sweep && sweep_last && swept_q);
      done_o = (effect_o && !is_delete_sq) || drained;

      // Settings. A reset forgets slots and rings with the first row it sweeps.
      clear_o = state_q == Sweep && sweep_q == '0;
      set_arb_o = effect_o && req_q.op == CfgSetArb;
      admin_clear_o = clear_o || (removed && id == '0);

      // Tables.
      id_o = state_q == Sweep ? sweep_q : id;
      exists_o = state_q == Apply && (is_create_sq || req_q.op == CfgCreateCq);
      sq_init_o = effect_o && is_create_sq;
      sq_exists_we_o = state_q == Sweep || sq_init_o || removed;
      cq_init_o = effect_o && req_q.op == CfgCreateCq;
      cq_exists_we_o = state_q == Sweep || cq_init_o || (effect_o && req_q.op == CfgDeleteCq);
      inactive_we_o = sq_init_o || removed;
      row_re_o = state_q == ReadSq;
      cq_re_o = state_q == ReadCq;
      park_addr_o = state_q == ReadCq ? {sq_cqid_i, wrr_q ? sq_class_i : RingRr}
                                      : {cqid_q, ring_q};

      // Removal from a list: the link around the SQ, and the new ends.
      next_re_o = state_q == WalkRead;
      admin_park_o = state_q == PullPark;
      link_from_o = admin_park_o ? park_last_i : prev_q;
      link_to_o = admin_park_o ? '0 : next_i;
      link_we_o = (state_q == WalkTest && found && has_prev_q && !at_last) ||
          (admin_park_o && in_parking);
      park_we_o = unparked || admin_park_o;
      room_we_o = (unparked && now_empty) || admin_park_o;
      room_parked_o = admin_park_o ? parked_q | ring_bit : parked_q & ~ring_bit;
      end_turn_o = state_q == Find && active_q && visited && wrr_q && ring_q >= 3'd1 &&
          ring_q <= 3'd3;

      first_o = has_prev_q ? first_q : next_i;
      last_o = at_last ? prev_q : last_q;
      set_valid_o = !now_empty;
      case (state_q)
        Sweep: if (sweep_q == '0) op_o = RingClear;
        Find: if (active_q && visited) op_o = RingEndVisit;
        WalkTest: if (found && !in_park_q) op_o = RingSet;
        PullEnd: begin
          if (rr_visit) op_o = RingEndVisit;
        end
        PullBack: begin
          if (pull_visit_q) op_o = RingAppend;
          first_o = rr_visit_sq;
          last_o = rr_visit_sq;
        end
        PullPark: begin
          first_o = in_parking ? park_first_i : '0;
          last_o = '0;
        end
        PullTop: begin
          if (active_q) op_o = RingFront;
          first_o = '0;
        end
        default: ;
      endcase
    end
  end
  assign cq_cqid_o = sq_cqid_i;
  assign next_sq_o = cur_q;
  assign room_cqid_o = cqid_q;
  assign room_o = room_q;
  assign level_o = ring_q[1:0] - 2'd1;
  assign ring_o = ring_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : ActiveIsFound_A
        assert (!(state_q == WalkTest && !found && at_last && (in_park_q || !in_parking)));
      end
      begin : IdInRange_M
        assert (!take || cfg_i.op == CfgReset || cfg_i.op == CfgSetArb ||
                cfg_i.op == CfgSetMech || 32'(cfg_i.id) < 32'(NumSqs));
      end
      begin : DeleteVisited_C
        cover (state_q == Find && is_delete_sq && !pull_q && active_q && visited);
      end
      begin : DeleteFromMiddle_C
        cover (state_q == WalkTest && found && !in_park_q && has_prev_q && !at_last);
      end
      begin : DeleteLast_C
        cover (state_q == WalkTest && found && !in_park_q && has_prev_q && at_last);
      end
      begin : DeleteOnlyOne_C
        cover (state_q == WalkTest && found && !in_park_q && now_empty);
      end
      begin : DeleteParked_C
        cover (unparked && !pull_q);
      end
      begin : DeleteWaitsForFetch_C
        cover (state_q == Idle && drain_q && !drained);
      end
      begin : CreateWaitsForCommit_C
        cover (state_q == Apply && is_create_sq && commit_valid_i);
      end
      begin : PullFromMiddle_C
        cover (state_q == WalkTest && pull_q && found && has_prev_q && !at_last);
      end
      begin : PullEndsVisit_C
        cover (state_q == PullEnd && rr_visit);
      end
      begin : PullParks_C
        cover (state_q == PullPark);
      end
      begin : PullParksBehindParked_C
        cover (state_q == PullPark && in_parking);
      end
      begin : ResetWhileActive_C
        cover (clear_o && swept_q && (visit_valid_i != '0 || list_valid_i != '0));
      end
    end
  end
endmodule
`default_nettype wire
