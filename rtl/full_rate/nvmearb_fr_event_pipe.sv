// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_event_pipe: doorbells, and room given back to a CQ.
//
// Purpose: checks each doorbell and makes it take effect as one atomic step (decision 0002, rules
//  1, 7 and 13; NVMe Base 2.1, 3.3.1).
// Behaviour, one event per clock (two for a give, three for a CQ head), in the order of arrival (a
// give before a doorbell of the same clock):
//  1. Accept (clock F-1): read the rows of SQ and CQ.
//  2. Compare (F): differences and comparisons of what was read, kept for the next clock; the
//     phases of the SQ are read. An event waits here while stall_i, while rows were read by
//     somebody else, until it is 3 clocks behind one of the same queue, and for a second clock if
//     it gives room, a third if it is a CQ head; it reads the rows again in every clock.
//  3. Effect (F+1):
//     - SQ tail, accepted: the tail is stored.
//     - SQ tail, refused with 01h: beyond the ring, the same again, or more entries than are free
//       against the fetched head. All but the second halt the SQ. A halted SQ ignores its doorbell.
//     - CQ head, accepted: the head is stored, the room grows.
//     - CQ head, refused with 01h: beyond the ring, the same again, or beyond the CQ tail.
//     - No such queue: refused with 00h.
//     - Give: the room grows by one.
//  4. Rings (F+2): an inactive SQ becomes active (act_o), an active one gets more commands (add_o),
//     a halted one is to be taken out of its ring if it was active (halt_o, when halt_busy_i is
//     over; halting_o until then, and no event takes effect). It is active while the phase of its
//     last activation differs from that of its last retirement.
// Guarantees: a refused doorbell changes nothing but the halted flag (RefusedKeepsTail_A). A clock
//  behind stall_i tail_o and head_o are 0, for who initializes a queue.
// Requires: ids of gives are those of existing CQs; the SQ of a decision is shown when it is
//  carried out (next_sqid_i), its retirement one and two clocks later (retire_i), and the second of
//  them writes the phase. Nobody else reads phases while an event takes effect.
// Timing: a decision knows the doorbells that took effect 2 clocks before it or earlier, and no
//  others. What is captured or posted is known if it was shown in F-1 or earlier.
`default_nettype none
module nvmearb_fr_event_pipe
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
    input  wire logic                 clk_i,
    input  wire logic                 rst_ni,
    // 1: weighted round robin with urgent class. Quasi-static.
    input  wire logic                 wrr_i,
    // Doorbells.
    input  wire logic                 db_valid_i,
    output logic                      db_ready_o,
    input  wire doorbell_t            db_i,
    // Room of one entry given back: stays until it took effect (give_done_o).
    input  wire logic                 give_valid_i,
    output logic                      give_done_o,
    input  wire logic [QidW-1:0]      give_cqid_i,
    // None may take effect; none may be accepted. serial_i: one that gives room is told and
    // waited for. halt_busy_i: one that halts an SQ waits.
    input  wire logic                 stall_i,
    input  wire logic                 serial_i,
    input  wire logic                 block_i,
    input  wire logic                 halt_busy_i,
    // The read port of SQs serves somebody else in this clock; somebody else writes rows.
    input  wire logic                 read_i,
    input  wire logic [QidW-1:0]      read_sqid_i,
    input  wire logic                 written_i,
    // No event waits.
    output logic                      idle_o,
    // None is on its way to the rings.
    output logic                      settled_o,
    // Outcome of a doorbell, one clock.
    output logic                      accepted_o,
    output logic                      refused_o,
    output logic [7:0]                error_o,
    output doorbell_t                 done_db_o,
    // SQ row.
    output logic                      re_o,
    output logic [QidW-1:0]           sqid_o,
    input  wire logic [2:0]           sq_class_i,    // SqHalted: halted; SqAbsent: no such SQ
    input  wire logic [PtrW-1:0]      sq_size_zb_i,
    input  wire logic [PtrW-1:0]      sq_tail_i,
    input  wire logic [PtrW-1:0]      sq_fetched_i,
    output logic                      tail_we_o,
    output logic [PtrW-1:0]           tail_o,
    output logic [QidW-1:0]           tail_sqid_o,
    // Phase of the last activation and of the last retirement.
    output logic                      phase_re_o,
    output logic [QidW-1:0]           phase_sqid_o,
    input  wire logic                 phase_act_i,
    input  wire logic                 phase_retired_i,
    output logic                      phase_we_o,
    output logic                      phase_o,
    input  wire logic [QidW-1:0]      next_sqid_i,
    input  wire logic [1:0]           retire_i,
    input  wire logic [1:0][QidW-1:0] retire_sqid_i,
    input  wire logic [1:0]           retire_phase_i,
    // Outcome for the rings.
    output logic                      next_o,        // one of them may be a clock later
    output logic                      more_o,        // one of them is in this clock
    output logic                      act_o,
    output logic                      add_o,
    output logic                      halt_o,
    output logic                      halting_o,
    output logic [QidW-1:0]           act_sq_o,
    output logic [2:0]                act_ring_o,
    output left_t                     act_left_o,
    output more_t                     add_left_o,
    output logic [PtrW-1:0]           added_o,
    // CQ row.
    output logic [QidW-1:0]           cqid_o,
    input  wire logic [PtrW-1:0]      cq_size_zb_i,  // 0: no such CQ
    input  wire logic [PtrW-1:0]      cq_head_i,
    input  wire logic [PtrW-1:0]      cq_posted_i,
    input  wire logic [PtrW-1:0]      cq_limit_i,
    output logic                      head_we_o,
    output logic [PtrW-1:0]           head_o,
    output logic                      limit_we_o,
    // A clock later, if it is serial_i then: room was given to that CQ.
    output logic                      room_o,
    output logic [QidW-1:0]           room_cqid_o,
    output logic [QidW-1:0]           limit_cqid_o,
    output logic [PtrW-1:0]           limit_o
);
  // F: the event that is compared.
  logic valid_q, give_q, room_next_q, wait_d, wait_q, ready_q, behind_q;
  logic second_q;  // its rows were there a clock ago
  doorbell_t db_q;
  logic [QidW-1:0] give_cqid_q;
  logic [PtrW:0] ahead;
  logic [PtrW-1:0] value, size, old;
  logic is_cq;

  // F+1: the one that takes effect.
  logic e_q, e_give_q, e_known_q, e_halted_q, e_beyond_q, e_before_q, e_wrapped_q;
  doorbell_t e_db_q;
  logic [QidW-1:0] e_cqid_q;
  logic [2:0] e_class_q;
  logic [PtrW:0] e_ahead_q;
  logic [PtrW-1:0] e_size_q, e_posted_q, e_limit_q, around, moved;
  logic e_sq_q, e_cq_q, e_room_q, e_same_q;
  logic e_sq, e_cq, same, over, over_sq, e_over_cq_q, fits, bad, halts;
  logic last_q, older_q, older_phase_q, phase_retired;

  // F+2.
  logic p2_q, p2_go_q, p2_halt_q, active_q, active, now_q, p2_phase_q, room_q;
  logic [QidW-1:0] p2_sq_q;
  logic [2:0] p2_ring_q;
  logic [PtrW-1:0] added_q;
  left_t p2_left_q;

  logic free_next, give_new, take_give, take_db, take, fire;

  assign fire = ready_q && !stall_i && !halting_o && !(serial_i && (room_q || e_room_q));
  assign free_next = !block_i && (!valid_q || fire);
  assign give_new = give_valid_i && !(valid_q && give_q) && !give_done_o;
  assign take_give = give_new && free_next;
  assign db_ready_o = free_next && !give_new;
  assign take_db = db_valid_i && db_ready_o;
  assign give_done_o = e_q && e_give_q;
  assign take = take_give || take_db;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (fire) valid_q <= 1'b0;
  end
  // One before it is of the same queue, or may be: the rows show it after 2 clocks if it is the
  // last one, after 1 if it is the one before that.
  logic like_f, like_e;
  assign like_f = valid_q && (give_new || give_q ||
      {db_i.is_cq, db_i.qid[QidW-1:0]} == {db_q.is_cq, db_q.qid[QidW-1:0]});
  assign like_e = e_q && (give_new || e_give_q ||
      {db_i.is_cq, db_i.qid[QidW-1:0]} == {e_db_q.is_cq, e_db_q.qid[QidW-1:0]});
  always_ff @(posedge clk_i) begin
    // Rows were read by somebody else, or are not those that the events before leave.
    if (!rst_ni) wait_q <= 1'b0;
    else wait_q <= wait_d;
  end
  assign wait_d = read_i || written_i || (take ? like_f || like_e : behind_q);
  always_ff @(posedge clk_i) begin
    // Its rows are those, and it was compared for as many clocks as it needs.
    if (!rst_ni) ready_q <= 1'b0;
    else if (take) ready_q <= !wait_d && !(take_give || db_i.is_cq);
    else begin
      ready_q <= valid_q && !fire && !wait_d &&
          (!room_next_q || (!wait_q && (give_q || second_q)));
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      give_q <= take_give;
      room_next_q <= take_give || db_i.is_cq;
    end
    if (take_db) db_q <= db_i;
    if (take_give) give_cqid_q <= give_cqid_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      behind_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      behind_q <= take && like_f;
      second_q <= valid_q && !wait_q && !take;
    end
  end
  assign settled_o = !e_q && !p2_go_q;
  assign idle_o = !valid_q && !wait_q && !behind_q && !e_q && !p2_q && !room_q;

  // Rows of the event accepted in this clock, or of the one that waits.
  logic waits;
  logic [QidW-1:0] here;
  assign waits = valid_q && !fire;
  // More than is needed: not late.
  assign re_o = valid_q || db_valid_i || give_valid_i;
  assign here = read_i ? read_sqid_i : db_q.qid[QidW-1:0];
  assign sqid_o = read_i || waits ? here : db_i.qid[QidW-1:0];
  assign cqid_o = waits ? (give_q ? give_cqid_q : db_q.qid[QidW-1:0])
                        : (give_new ? give_cqid_i : db_i.qid[QidW-1:0]);

  // F. An SQ tail moves from the old tail by at most what is free against the fetched head, a CQ
  // head from the old head by at most what is posted.
  assign is_cq = db_q.is_cq;
  assign value = db_q.value[PtrW-1:0];
  assign size = is_cq ? cq_size_zb_i : sq_size_zb_i;
  assign old = is_cq ? cq_head_i : sq_tail_i;
  assign ahead = {1'b0, value} - {1'b0, old};  // bit PtrW: it is below the old one
  assign phase_re_o = valid_q;
  assign phase_sqid_o = db_q.qid[QidW-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      e_q <= 1'b0;
      e_sq_q <= 1'b0;
      e_cq_q <= 1'b0;
    end else begin
      e_q <= fire;
      e_sq_q <= fire && !room_next_q;
      e_cq_q <= fire && room_next_q && !give_q;
    end
  end
  always_ff @(posedge clk_i) begin
    e_give_q <= give_q;
    e_db_q <= db_q;
    if (stall_i) e_db_q.value <= '0;
    e_cqid_q <= give_q ? give_cqid_q : db_q.qid[QidW-1:0];
    e_class_q <= sq_class_i;
    // The size of a CQ was kept a clock before.
    e_known_q <= 32'(db_q.qid) < 32'(NumSqs) &&
        (is_cq ? e_size_q != '0 : sq_class_i != SqAbsent);
    e_halted_q <= !is_cq && sq_class_i == SqHalted;
    e_beyond_q <= is_cq ? db_q.value > 16'(e_size_q) : db_q.value > 16'(sq_size_zb_i);
    e_ahead_q <= ahead;
    e_same_q <= value == old;
    e_size_q <= size;
    // Round the ring come the old tail, the new tail, the fetched head.
    e_before_q <= value < sq_fetched_i;
    e_wrapped_q <= sq_fetched_i <= sq_tail_i;
    e_posted_q <= cq_posted_i - cq_limit_i;
    e_over_cq_q <= added_q > e_posted_q;  // of the clock before
    e_limit_q <= cq_limit_i;
    // Retirements that the memory does not show: of t1 and t2 now, of t0 by the next clock.
    older_q <= (retire_i[0] && retire_sqid_i[0] == phase_sqid_o) ||
        (retire_i[1] && retire_sqid_i[1] == phase_sqid_o);
    older_phase_q <= retire_i[0] && retire_sqid_i[0] == phase_sqid_o ? retire_phase_i[0]
                                                                     : retire_phase_i[1];
    last_q <= next_sqid_i == phase_sqid_o;
  end

  // F+1. What moves beyond the end of the ring goes on at its begin.
  assign e_sq = e_sq_q;
  assign e_cq = e_cq_q;
  assign e_room_q = e_q && !e_sq_q;
  assign same = e_same_q;
  assign around = e_ahead_q[PtrW-1:0] + e_size_q + PtrW'(1);
  assign moved = e_ahead_q[PtrW] ? around : e_ahead_q[PtrW-1:0];
  always_comb begin
    over_sq = e_wrapped_q ? e_ahead_q[PtrW] && !e_before_q : e_ahead_q[PtrW] || !e_before_q;
    over = e_cq_q ? e_over_cq_q : over_sq;
  end
  assign fits = e_known_q && !e_halted_q && !e_beyond_q && !same;
  assign bad = e_known_q && !e_halted_q && (e_beyond_q || same || over);
  assign tail_we_o = e_sq && fits && !over_sq;
  assign tail_o = e_db_q.value[PtrW-1:0];
  assign tail_sqid_o = e_db_q.qid[QidW-1:0];
  assign halts = e_sq && e_known_q && !e_halted_q && (e_beyond_q || (over_sq && !same));
  assign phase_retired = last_q && retire_i[0] ? retire_phase_i[0]
      : older_q ? older_phase_q : phase_retired_i;

  // F+2.
  assign halting_o = p2_halt_q;
  // The last decision took place a clock ago: it may have been the SQ's last command.
  assign active = active_q && !(now_q && retire_i[0]);
  assign next_o = e_sq;
  assign more_o = p2_go_q;
  assign act_o = p2_go_q && !active;
  assign add_o = p2_go_q && active;
  assign halt_o = p2_halt_q && !halt_busy_i;
  assign act_sq_o = p2_sq_q;
  assign act_ring_o = p2_ring_q;
  assign act_left_o = p2_left_q;
  assign add_left_o = more_of(p2_left_q);
  assign added_o = added_q;
  assign phase_we_o = act_o;
  assign phase_o = !p2_phase_q;
  assign p2_q = p2_go_q || p2_halt_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      p2_go_q <= 1'b0;
      p2_halt_q <= 1'b0;
    end else begin
      p2_go_q <= tail_we_o;
      p2_halt_q <= halts || (p2_halt_q && halt_busy_i);
    end
  end
  always_ff @(posedge clk_i) begin
    // Of an SQ for the rings; a clock earlier that of a CQ or give in its second clock of F.
    added_q <= second_q && give_q ? PtrW'(1) : moved;
    active_q <= phase_act_i != phase_retired;
    now_q <= next_sqid_i == tail_sqid_o;
    if (e_sq) begin
      p2_phase_q <= phase_act_i;
      p2_sq_q <= tail_sqid_o;
      p2_ring_q <= wrr_i ? e_class_q : RingRr;
      p2_left_q <= as_left(16'(moved));
    end
  end

  // CQ head, and gives.
  assign head_we_o = e_cq && fits && !e_over_cq_q;
  assign head_o = tail_o;
  assign limit_we_o = head_we_o || (e_q && e_give_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) room_q <= 1'b0;
    else room_q <= limit_we_o;
  end
  always_ff @(posedge clk_i) begin
    if (e_q) room_cqid_o <= e_cqid_q;
  end
  assign room_o = room_q && serial_i;
  assign limit_cqid_o = e_cqid_q;
  assign limit_o = e_limit_q + added_q;

  // Outcome.
  assign accepted_o = tail_we_o || head_we_o;
  assign refused_o = (e_sq || e_cq) && (bad || !e_known_q);
  assign error_o = bad ? DbErrInvalidValue : DbErrInvalidRegister;
  assign done_db_o = e_db_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : RefusedKeepsTail_A
        assert (!(refused_o && (tail_we_o || head_we_o || limit_we_o)));
      end
      begin : OneOutcome_A
        assert (!(accepted_o && refused_o));
      end
      begin : HaltStays_A
        assert (!(p2_halt_q && halt_busy_i && e_sq));
      end
    end
  end
endmodule
`default_nettype wire
