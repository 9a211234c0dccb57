// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_sequencer: everything rare, one step after the other.
//
// Purpose: configuration; SQs that leave a ring out of turn (decision 0002, rules 9, 10, 13, 14);
//  parking of SQs without CQ room and their return (rule 7). While it works no event takes effect
//  and, but for creations of SQs, no decision is made, so that each operation is atomic.
// Behaviour:
//  1. After reset release, and on CfgReset, it sweeps the tables: no queue exists, then.
//  2. Halt (halt_i): the SQ is taken out of its ring, or let go from its parking place when there
//     is room.
//  3. Room (room_i): SQs parked at the CQ go to the back of their rings, in the order in which they
//     were parked; halted ones become inactive. The room is looked at beside, so that the CQ is
//     near full no more.
//     Then, as after a request that made decisions wait, a decision has its turn before the next
//     event and the next request.
//  4. Park (park_i): entry 0 of a ring, whose CQ the grant pipe has just looked at, goes to the
//     back if its visit goes on, else to the parking list of the CQ.
//  5. Pull (pull_i): SQ 0 is taken out of RingRr into RingAdmin.
//  6. Configuration requests, one at a time; effect_o when one takes effect. CfgDeleteSq drops the
//     SQ from ring or parking list, and is answered when its last granted command is captured.
//  An SQ is dropped from a ring by one rotation of that ring.
// Guarantees: one done_o per request.
// Requires: legality is checked by the requester: ids in range (IdInRange_M), queues exist or do
//  not, no SQ is active at CfgSetMech; a grant that waits is read in bounded time.
// Timing: CfgCreateSq about 4 clocks, without a pause of grants; CfgDeleteSq of an SQ without
//  commands about 10 clocks behind the grants decided before, and one clock without a decision.
// Bound: a turn 32 clocks. CfgReset NumSqs + 13 clocks. CfgDeleteSq: about 18 clocks and three
//  clocks per SQ in the ring; Halt: about 18 clocks and the same; Room: 4 clocks per SQ parked
//  there.
`default_nettype none
module nvmearb_fr_sequencer
  import nvmearb_pkg::*;
  import nvmearb_fr_pkg::*;
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
    output logic                                idle_o,
    output logic                                wrr_o,
    // Other work.
    input  wire logic                           halting_i,  // one waits for its turn
    input  wire logic                           halt_i,
    input  wire logic [QidW-1:0]                halt_sq_i,
    output logic                                halt_busy_o, // no other may come
    input  wire logic                           room_i,
    input  wire logic [QidW-1:0]                room_cqid_i,
    input  wire logic                           near_full_i, // some CQ is
    input  wire logic                           park_i,
    input  wire logic [2:0]                     park_ring_i,
    input  wire logic [QidW-1:0]                park_sq_i,
    input  wire logic                           pull_i,
    // A decision is possible; one is made in this clock.
    input  wire logic                           wanted_i,
    input  wire logic                           decided_i,
    // Who has to wait; what has to come to rest.
    output logic                                pause_o,   // decisions
    output logic [2:0]                          pause_ring_o,  // its front is shown meanwhile
    output logic                                forget_o,  // what was probed
    output logic                                park_allow_o,
    output logic                                stall_o,   // events before they take effect
    output logic                                block_o,   // events before they are accepted
    input  wire logic                           ev_idle_i,    // no event
    input  wire logic                           ev_settled_i, // none on its way to the rings
    input  wire logic                           settled_i,    // nothing on its way but grants
    input  wire logic [2:0]                     unread_i,     // grants decided and not read
    input  wire logic                           read_i,       // one is read
    // Settings and rings.
    output logic                                clear_o,
    output logic                                set_arb_o,
    output logic                                end_turn_o,
    output logic [1:0]                          end_level_o,
    // Rings.
    input  wire logic [RingCount-1:0]           ready_i,      // settled
    input  wire logic [RingCount-1:0]           visit_i,
    input  wire logic [RingCount-1:0]           has_i,
    // Front of pause_ring_o.
    input  wire logic [QidW-1:0]                front_sq_i,
    input  wire logic                           front_phase_i,
    output logic [RingCount-1:0]                rotate_o,
    output logic [RingCount-1:0]                drop_o,
    output logic [RingCount-1:0]                end_visit_o,
    output logic [RingCount-1:0]                push_o,
    output logic [QidW-1:0]                     push_sq_o,
    output logic                                push_phase_o,
    output logic [QidW-1:0]                     moved_sq_o,    // that is rotated
    output logic                                moved_phase_o,
    output logic [QidW-1:0]                     sq_o,
    output logic                                phase_o,     // of what is let go
    // Grant pipe.
    output logic                                retire_o,
    output logic                                look_next_o,  // it is next, now if free_i
    output logic                                look_o,
    output logic                                look_forget_o,
    output logic [QidW-1:0]                     look_cqid_o,
    input  wire logic                           free_i,       // it has nothing else to do
    input  wire logic                           looked_i,
    input  wire logic [QidW-1:0]                probed_cqid_i,
    // Rows of sq_o: one clock after read_o.
    output logic                                read_o,
    output logic                                read_rows_o,  // those of the grant pipe too
    input  wire logic [2:0]                     sq_class_i,
    input  wire logic [QidW-1:0]                sq_cqid_i,
    input  wire logic [PtrW-1:0]                head_i,
    input  wire logic [PtrW-1:0]                tail_i,
    input  wire logic [PtrW-1:0]                fetched_i,
    input  wire logic                           halted_i,
    input  wire logic                           phase_act_i,
    input  wire logic                           phase_retired_i,
    // Tables.
    output logic                                sweep_o,
    output logic [QidW-1:0]                     id_o,
    output logic                                sq_init_o,
    output logic                                sq_class_we_o, // the event pipe's class
    output logic [2:0]                          sq_row_class_o,
    output logic                                head_clear_o,
    output logic                                cq_init_o,
    output logic                                cq_size_we_o,
    output logic [PtrW-1:0]                     size_zb_o,     // of a CQ: 0 for a deletion
    // Parking lists: ends of the CQ's list, links; read one clock after park_re_o.
    output logic                                park_re_o,
    output logic [QidW-1:0]                     park_cqid_o,
    input  wire logic                           parked_i,
    input  wire logic [QidW-1:0]                park_first_i,
    input  wire logic [QidW-1:0]                park_last_i,
    input  wire logic [QidW-1:0]                next_i,       // of sq_o
    output logic                                park_we_o,
    output logic                                parked_o,
    output logic [QidW-1:0]                     park_first_o,
    output logic [QidW-1:0]                     park_last_o,
    output logic                                link_we_o,
    output logic [QidW-1:0]                     link_from_o,
    output logic [QidW-1:0]                     link_to_o,
    // Fetch commits.
    input  wire logic                           commit_busy_i,  // one is written in this clock
    input  wire logic                           commit_valid_i,
    input  wire logic [QidW-1:0]                commit_sqid_i,
    input  wire logic [PtrW-1:0]                commit_fetched_i
);
  typedef enum logic [4:0] {
    Sweep,     // tables, one row per clock
    Idle,
    Settle,    // wait until nothing is on its way
    ReadSq,    // rows of the SQ
    Rows,      // they are there
    Told,      // and kept
    Rotate,    // ring, one SQ in three clocks
    Retire,    // the dropped SQ becomes inactive
    Retired,   // the grant pipe reads its rows
    ReadPark,  // parking list
    Ends,
    Follow,    // read link and rows of an SQ in the list
    Test,      // the SQ that is looked for?
    LetGo,     // to its ring
    Look,      // room of the CQ
    LookWait,
    Unread,    // an inactive SQ: wait until its grants are read
    Gap1,      // pause for one clock: a hole that writes the issue head
    Gap2,
    Gap3,
    Gap4,
    PullPush,
    ParkSee,   // the front of the ring
    Park,
    Load,      // settings, a clock before they are told
    Apply
  } state_e;
  typedef enum logic [2:0] {
    OpHalt,
    OpRoom,
    OpPark,
    OpPull,
    OpCfg
  } op_e;

  state_e state_q, state_d;
  op_e op_q, op_d;
  cfg_req_t req_q;
  logic cfg_q;      // a request is in hand and has not taken effect
  logic drain_q;    // CfgDeleteSq waits for its last fetch
  logic wrr_q;
  logic halt_q, room_q, park_q, pull_q;
  logic [QidW-1:0] sweep_q, sq_q, cqid_q, last_q, prev_q, first_q, next_q;
  logic [QidW-1:0] room_cqid_q;
  logic heavy_q, light, settled_q, rest_q, look_q;
  logic [2:0] unread_q;
  logic has_prev_q, phase_q, active_q, halted_q, found_q, first_step_q, done_q;
  logic [2:0] ring_q, class_ring, row_ring;
  logic pulled;
  logic [2:0] park_ring_q;
  // The front of ring_q as it was seen a clock ago.
  logic seen_q, seen_has_q, seen_ready_q, seen_visit_q, seen_phase_q, see;
  logic [QidW-1:0] seen_sq_q;
  logic [QidW-1:0] halt_sq_q, park_sq_q, park_to_q;
  // Behind a pause a decision may come before the next event and the next request; for so many
  // clocks, and a few until it is known whether one is possible.
  logic give_turn_q, turn_on_q, turn_over;
  logic [4:0] turn_q;
  logic [QidW-1:0] mark_q;  // the SQ that was the front first
  logic mark_valid_q, around;
  logic [PtrW-1:0] head_q, head_d;
  logic captured_q;    // the last command that was granted
  logic rows_q;        // they were there a clock ago; heads are alike in these pairs of bits:
  logic [(PtrW+1)/2-1:0] alike_q;
  logic moving, end_turn_d;
  logic [RingCount-1:0] rotate_d, drop_d, end_visit_d, push_d;
  logic take, sweep_last, start, hit, hit_list, step, visited, at_last, commit_hit;
  logic roomless, parking, turning;
  logic removed;
  logic creates, is_create_sq, is_create_cq, is_delete_sq, is_delete_cq, is_reset, is_set_arb;
  logic other;

  assign is_create_sq = req_q.op == CfgCreateSq;
  assign is_create_cq = req_q.op == CfgCreateCq;
  assign is_delete_sq = req_q.op == CfgDeleteSq;
  assign is_delete_cq = req_q.op == CfgDeleteCq;
  assign is_reset = req_q.op == CfgReset;
  assign is_set_arb = req_q.op == CfgSetArb;
  assign sweep_last = sweep_q == QidW'(NumSqs - 1);
  assign other = halt_q || room_q || park_q;
  assign cfg_ready_o = state_q == Idle && !cfg_q && !drain_q && !other && !pull_q;
  assign take = cfg_valid_i && cfg_ready_o;
  assign creates = cfg_i.op == CfgCreateSq || cfg_i.op == CfgCreateCq;
  assign class_ring = wrr_q ? sq_class_i : RingRr;
  // In round robin RingAdmin is in use only while SQ 0 is there.
  assign pulled = !wrr_q && has_i[RingAdmin];
  assign row_ring = pulled && sq_q == '0 ? RingAdmin : class_ring;

  assign turn_over = state_q == Idle && (decided_i || (!wanted_i && turn_q >= 5'd4));

  // Who waits.
  // An SQ without commands is created and deleted beside the decisions, but for one clock.
  assign light = is_create_sq || (is_delete_sq && !heavy_q);
  assign pause_o = other || halting_i || state_q == Gap1 || moving ||
      (state_q != Idle && !(op_q == OpCfg && light));
  assign forget_o = state_q == Settle;
  // Nothing may start.
  assign park_allow_o = state_q == Idle && !other && !cfg_q && !pull_q;
  assign stall_o = other || look_q || state_q != Idle || give_turn_q || turn_on_q;
  assign block_o = cfg_q || pull_q || state_q == Sweep;

  // What is next.
  assign start = state_q == Idle && (other || ((cfg_q || (pull_q && pull_i)) && ev_idle_i &&
                                              !give_turn_q && !turn_on_q));
  always_comb begin
    op_d = OpCfg;
    if (halt_q) op_d = OpHalt;
    else if (park_q) op_d = OpPark;  // so that room that came meanwhile lets it go again
    else if (room_q) op_d = OpRoom;
    else if (!cfg_q) op_d = OpPull;
  end

  // A step of a rotation.
  assign around = seen_q &&
      (!seen_has_q || (seen_ready_q && mark_valid_q && seen_sq_q == mark_q));
  // What it does to the rings happens a clock later.
  assign moving = rotate_o != '0 || drop_o != '0 || push_o != '0;
  assign step = state_q == Rotate && seen_q && !around && seen_ready_q;
  assign see = (state_q == Rotate && !moving && !seen_q) || state_q == ParkSee;
  assign hit = seen_sq_q == sq_q;
  assign visited = seen_visit_q && first_step_q;
  assign at_last = sq_q == last_q;
  // Unless it was halted meanwhile.
  assign roomless = state_q == Park && seen_has_q && seen_sq_q == park_sq_q;
  // RingAdmin of round robin has no back: there it parks at once, as it would in its next turn.
  assign parking = roomless && (!seen_visit_q || (!wrr_q && ring_q == RingAdmin));
  // Not settled: it will be looked at once more.
  assign turning = roomless && !parking && ready_i[ring_q];
  assign pause_ring_o = ring_q;

  always_comb begin
    state_d = state_q;
    case (state_q)
      Sweep: if (sweep_last) state_d = Idle;
      // The usual end of Room: nobody is parked there.
      Idle: begin
        if (start && op_d == OpRoom) state_d = Ends;
        else if (start && op_d == OpPark) state_d = ParkSee;
        else if (start) state_d = Settle;
      end
      Settle: begin
        if (op_q == OpCfg && light) begin
          if (is_create_sq) state_d = Apply;
          else state_d = ReadSq;
        end else if (rest_q && (op_q != OpCfg || unread_i == '0)) begin
          case (op_q)
            OpHalt: state_d = ReadSq;
            OpPull: state_d = Rotate;
            OpRoom: state_d = ReadPark;
            default: begin
              if (is_reset) state_d = Sweep;
              else if (is_delete_sq) state_d = ReadSq;
              else if (is_set_arb) state_d = Load;
              else state_d = Apply;
            end
          endcase
        end
      end
      ReadSq: state_d = Rows;
      Rows: state_d = Told;
      Told: begin
        if (op_q == OpHalt) begin
          if (active_q) state_d = Rotate;
          else state_d = Idle;
        end else if (heavy_q) begin
          if (active_q) state_d = Rotate;
          else state_d = Apply;
        end else if (active_q || halted_q) state_d = Settle;
        else state_d = Unread;
      end
      Rotate: begin
        if (around) begin
          if (op_q == OpPull) begin
            if (found_q) state_d = PullPush;
            else state_d = Idle;
          end else if (found_q) state_d = Retire;
          else if (op_q == OpCfg) state_d = ReadPark;
          else state_d = Idle;
        end
      end
      Retire: state_d = Retired;
      Retired: begin
        if (op_q == OpCfg) state_d = Apply;
        else if (op_q == OpHalt) state_d = Idle;
        else if (done_q) state_d = Idle;
        else state_d = Follow;
      end
      ReadPark: state_d = Ends;
      Ends: begin
        if (op_q == OpCfg) begin
          if (parked_i) state_d = Follow;
          else state_d = Apply;
        end else if (!settled_q) begin
          if (parked_i) state_d = Settle;
          else state_d = Idle;
        end else state_d = Follow;
      end
      Follow: begin
        if (op_q == OpCfg) state_d = Test;
        else state_d = LetGo;
      end
      Test: begin
        if (hit_list) state_d = Retire;
        else if (at_last) state_d = Apply;
        else state_d = Follow;
      end
      LetGo: begin
        if (halted_i) state_d = Retire;
        else if (!at_last) state_d = Follow;
        else state_d = Idle;
      end
      Look: state_d = LookWait;
      LookWait: begin
        if (looked_i) begin
          state_d = Idle;
        end
      end
      Unread: if (unread_q == '0) state_d = Gap1;
      Gap1: state_d = Gap2;
      Gap2: state_d = Gap3;
      Gap3: state_d = Gap4;
      Gap4: state_d = Apply;
      PullPush: state_d = Idle;
      ParkSee: state_d = Park;
      Park: state_d = Idle;
      Load: state_d = Apply;
      Apply: begin
        if (is_create_sq) begin
          if (commit_busy_i) state_d = Apply;
          else state_d = Idle;
        end else if (is_create_cq || is_delete_cq) state_d = Look;
        else state_d = Idle;
      end
      default: state_d = Idle;
    endcase
  end
  assign hit_list = sq_q == req_q.id[QidW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Sweep;
      cfg_q <= 1'b0;
      drain_q <= 1'b0;
      wrr_q <= 1'b0;
      halt_q <= 1'b0;
      room_q <= 1'b0;
      park_q <= 1'b0;
      pull_q <= 1'b0;
      sweep_q <= '0;
      turn_on_q <= 1'b0;
      turn_q <= '0;
      seen_q <= 1'b0;
      rest_q <= 1'b0;
      give_turn_q <= 1'b0;
      heavy_q <= 1'b0;
      look_q <= 1'b0;
    end else begin
      state_q <= state_d;
      give_turn_q <= state_q != Idle &&
          ((op_q == OpRoom && settled_q) || (op_q == OpCfg && !light));
      seen_q <= see;
      rest_q <= state_q == Settle && settled_i && ev_settled_i;
      if (state_q == Idle && give_turn_q) turn_on_q <= 1'b1;
      else if (turn_over || turn_q == '1) turn_on_q <= 1'b0;
      turn_q <= turn_on_q ? turn_q + 5'd1 : '0;
      if (take) cfg_q <= 1'b1;
      else if (effect_o) cfg_q <= 1'b0;
      if (removed) drain_q <= 1'b1;
      else if (drain_q && captured_q) drain_q <= 1'b0;
      // What waits begins as soon as it is the first.
      if (halt_i) halt_q <= 1'b1;
      else if (state_q == Idle) halt_q <= 1'b0;
      if (room_i) room_q <= 1'b1;
      else if (state_q == Idle && !halt_q && !park_q) room_q <= 1'b0;
      if (room_i) look_q <= 1'b1;
      else if ((look_o && state_q != Look) || !near_full_i) look_q <= 1'b0;
      if (park_i) park_q <= 1'b1;
      else if (state_q == Idle && !halt_q) park_q <= 1'b0;
      if (!pull_i || (start && op_d == OpPull)) pull_q <= 1'b0;
      else if (state_q == Idle && !take && !cfg_q) pull_q <= 1'b1;
      if (!cfg_q) heavy_q <= 1'b0;
      else if (state_q == Told && op_q == OpCfg && (active_q || halted_q)) heavy_q <= 1'b1;
      if (state_q == Sweep) sweep_q <= sweep_last ? '0 : sweep_q + QidW'(1);
      if (clear_o) wrr_q <= 1'b0;
      else if (effect_o && req_q.op == CfgSetMech) wrr_q <= req_q.wrr;
    end
  end
  // The size is 0 but for a creation: that is what the tables are to show.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) req_q.size_zb <= '0;
    else if (take) req_q.size_zb <= creates ? cfg_i.size_zb : '0;
    if (take) begin
      req_q.op <= cfg_i.op;
      req_q.id <= cfg_i.id;
      req_q.cqid <= cfg_i.cqid;
      req_q.sq_class <= cfg_i.sq_class;
      req_q.base <= cfg_i.base;
      req_q.wrr <= cfg_i.wrr;
      req_q.ab <= cfg_i.ab;
      req_q.hpw_zb <= cfg_i.hpw_zb;
      req_q.mpw_zb <= cfg_i.mpw_zb;
      req_q.lpw_zb <= cfg_i.lpw_zb;
    end
  end
  always_ff @(posedge clk_i) begin
    if (start) op_q <= op_d;
    if (halt_i) halt_sq_q <= halt_sq_i;
    if (room_i) room_cqid_q <= room_cqid_i;
    if (state_q == Idle && !park_q) begin
      park_ring_q <= park_ring_i;
      park_sq_q <= park_sq_i;
      park_to_q <= probed_cqid_i;
    end
    if (start) settled_q <= 1'b0;
    else if (state_q == Settle) settled_q <= 1'b1;
    if (start && op_d == OpRoom) cqid_q <= room_cqid_q;
    if (start && op_d == OpPark) ring_q <= park_ring_q;
    if (see) begin
      seen_has_q <= has_i[ring_q];
      seen_ready_q <= ready_i[ring_q];
      seen_visit_q <= visit_i[ring_q];
      seen_sq_q <= front_sq_i;
      seen_phase_q <= front_phase_i;
    end
    case (state_q)
      Settle: begin
        found_q <= 1'b0;
        mark_valid_q <= 1'b0;
        first_step_q <= 1'b1;
        has_prev_q <= 1'b0;
        done_q <= 1'b0;
        case (op_q)
          OpHalt: sq_q <= halt_sq_q;
          OpPull: begin
            sq_q <= '0;
            ring_q <= RingRr;
          end
          OpRoom: ;
          default: begin
            sq_q <= req_q.id[QidW-1:0];
            cqid_q <= req_q.id[QidW-1:0];
          end
        endcase
      end
      Rows: begin
        cqid_q <= sq_cqid_i;
        phase_q <= phase_act_i;
        ring_q <= row_ring;
        if (op_q == OpCfg) head_q <= head_d;
      end
      Rotate: begin
        if (step) begin
          first_step_q <= 1'b0;
          if (hit) begin
            found_q <= 1'b1;
            phase_q <= seen_phase_q;
          end else if (!mark_valid_q) begin
            mark_q <= seen_sq_q;
            mark_valid_q <= 1'b1;
          end
        end
      end
      Ends: begin
        first_q <= park_first_i;
        last_q <= park_last_i;
        sq_q <= park_first_i;
      end
      Test: begin
        if (!hit_list) begin
          prev_q <= sq_q;
          has_prev_q <= 1'b1;
          sq_q <= next_i;
        end
      end
      LetGo: begin
        next_q <= next_i;
        phase_q <= phase_act_i;
        done_q <= at_last;
        if (!halted_i) sq_q <= next_i;
      end
      Retired: if (op_q == OpRoom) sq_q <= next_q;
      default: ;
    endcase
    if (state_q == Rows) unread_q <= unread_i - 3'(read_i);
    else if (read_i && unread_q != '0) unread_q <= unread_q - 3'd1;
    for (int i = 0; i < PtrW; i += 2) begin
      alike_q[i/2] <= fetched_i[i] == head_d[i] &&
          (i + 1 == PtrW || fetched_i[i+1] == head_d[i+1]);
    end
    rows_q <= state_q == Rows && op_q == OpCfg;
    active_q <= phase_act_i != phase_retired_i;
    halted_q <= halted_i;
    if (commit_hit) captured_q <= commit_fetched_i == head_q;
    else if (rows_q) captured_q <= alike_q == '1;
  end
  // Without commands issue head and tail are the same.
  assign head_d = heavy_q ? head_i : tail_i;
  assign commit_hit = commit_valid_i && commit_sqid_i == req_q.id[QidW-1:0];

  assign halt_busy_o = halt_q || (state_q == Settle && op_q == OpHalt);
  assign idle_o = state_q == Idle && !moving && !give_turn_q && !turn_on_q && !look_q && !cfg_q &&
      !other && !pull_q && !(drain_q && captured_q);
  assign wrr_o = wrr_q;
  assign req_o = req_q;

  // Outputs.
  assign effect_o = (state_q == Apply && !(is_create_sq && commit_busy_i)) ||
      (state_q == Sweep && sweep_last && cfg_q);
  assign removed = state_q == Apply && is_delete_sq;
  assign done_o = (effect_o && !removed) || (drain_q && captured_q);
  assign set_arb_o = state_q == Load;

  assign sq_o = sq_q;
  assign read_o = state_q == ReadSq || state_q == Follow;
  assign read_rows_o = read_o && !(op_q == OpCfg && light);
  always_comb begin
    rotate_d = '0;
    drop_d = '0;
    end_visit_d = '0;
    push_d = '0;
    end_turn_d = 1'b0;
    if (step) begin
      if (hit) drop_d[ring_q] = 1'b1;
      else rotate_d[ring_q] = 1'b1;
      if (hit && visited) begin
        end_visit_d[ring_q] = 1'b1;
        end_turn_d = wrr_q;
      end
    end
    if (parking) drop_d[ring_q] = 1'b1;
    if (turning) rotate_d[ring_q] = 1'b1;
    if (parking || turning) begin
      end_visit_d[ring_q] = 1'b1;
      end_turn_d = wrr_q && seen_visit_q;
    end
    if (state_q == LetGo && !halted_i) push_d[class_ring] = 1'b1;
    if (state_q == PullPush) push_d[RingAdmin] = 1'b1;
    if (ring_q == RingUrgent || ring_q == RingAdmin) end_turn_d = 1'b0;
  end
  // In the second clock of a sweep.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_o <= 1'b0;
    else clear_o <= state_q == Sweep && sweep_q == '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rotate_o <= '0;
      drop_o <= '0;
      push_o <= '0;
      end_turn_o <= 1'b0;
      end_visit_o <= '0;
    end else begin
      rotate_o <= rotate_d;
      drop_o <= drop_d;
      push_o <= push_d;
      end_turn_o <= end_turn_d;
      end_visit_o <= end_visit_d;
    end
  end
  always_ff @(posedge clk_i) begin
    end_level_o <= ring_q[1:0] - 2'd1;
    push_sq_o <= sq_q;
    push_phase_o <= state_q == LetGo ? phase_act_i : phase_q;
    moved_sq_o <= seen_sq_q;
    moved_phase_o <= seen_phase_q;
  end

  assign phase_o = phase_q;
  assign retire_o = state_q == Retire;
  assign look_next_o = state_q == Look || look_q;
  assign look_o = state_q == Look || (look_q && free_i && state_q != Retire);
  assign look_cqid_o = state_q == Look ? cqid_q : room_cqid_q;
  assign look_forget_o = state_q == Look && is_delete_cq;

  // Tables.
  assign sweep_o = state_q == Sweep;
  assign id_o = state_q == Sweep ? sweep_q : op_q == OpHalt ? sq_q : req_q.id[QidW-1:0];
  assign sq_init_o = state_q == Apply && is_create_sq && !commit_busy_i;
  assign cq_init_o = state_q == Apply && is_create_cq;
  always_comb begin
    sq_class_we_o = sweep_o || sq_init_o || removed;
    sq_row_class_o = state_q == Apply && is_create_sq ? req_q.sq_class : SqAbsent;
    if (state_q == Rows && op_q == OpHalt) begin
      sq_class_we_o = 1'b1;
      sq_row_class_o = SqHalted;
    end
  end
  assign head_clear_o = sweep_o || removed;
  assign cq_size_we_o = sweep_o || cq_init_o || (state_q == Apply && is_delete_cq);
  assign size_zb_o = req_q.size_zb[PtrW-1:0];

  // Parking lists.
  assign park_re_o = state_q == ReadPark || (start && op_d == OpRoom);
  assign park_cqid_o = parking ? park_to_q : state_q == Idle ? room_cqid_q : cqid_q;
  always_comb begin
    park_we_o = 1'b0;
    parked_o = 1'b0;
    park_first_o = first_q;
    park_last_o = last_q;
    link_we_o = 1'b0;
    link_from_o = prev_q;
    link_to_o = next_i;
    case (state_q)
      Ends: park_we_o = op_q == OpRoom && settled_q;  // all leave
      Park: begin
        park_we_o = parking;
        parked_o = 1'b1;
        park_first_o = parked_i ? park_first_i : park_sq_q;
        park_last_o = park_sq_q;
        link_we_o = parking && parked_i;
        link_from_o = park_last_i;
        link_to_o = park_sq_q;
      end
      Test: begin
        if (hit_list) begin
          park_we_o = 1'b1;
          parked_o = has_prev_q || !at_last;
          park_first_o = has_prev_q ? first_q : next_i;
          park_last_o = at_last ? prev_q : last_q;
          link_we_o = has_prev_q && !at_last;
        end
      end
      default: ;
    endcase
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : ActiveIsFound_A
        assert (!(state_q == Test && !hit_list && at_last));
      end
      begin : IdInRange_M
        assert (!take || cfg_i.op == CfgReset || cfg_i.op == CfgSetArb ||
                cfg_i.op == CfgSetMech || 32'(cfg_i.id) < 32'(NumSqs));
      end
    end
  end
endmodule
`default_nettype wire
