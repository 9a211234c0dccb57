// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_event_pipe: doorbells, and room given back to a CQ.
//
// Purpose: checks each doorbell and makes it take effect as one atomic step (decision 0002, rules
//  1, 7 and 13; NVMe Base 2.1, 3.3.1).
// Behaviour, one event per clock, in the order of arrival (a give before a doorbell of the same
// clock):
//  1. Accept (clock F-1): read the rows of SQ and CQ.
//  2. Effect (F): unless stall_i, which reads the rows again in every clock.
//     - SQ tail, accepted: the tail is stored.
//     - SQ tail, refused with 01h: beyond the ring, the same again, or more entries than are free
//       against the fetched head. All but the second halt the SQ. A halted SQ ignores its doorbell.
//     - CQ head, accepted: the head is stored, the room grows.
//     - CQ head, refused with 01h: beyond the ring, the same again, or beyond the CQ tail.
//     - No such queue: refused with 00h.
//     - Give: the room grows by one.
//  3. Rings (F+2): an inactive SQ becomes active (act_o), an active one gets more commands (add_o),
//     a halted one is to be taken out of its ring if it was active (halt_o). In between the SQ's
//     activity is read: it is active while the phase of its last activation differs from that of
//     its last retirement.
// Guarantees: a refused doorbell changes nothing but the halted flag (RefusedKeepsTail_A).
// Requires: ids of gives are those of existing CQs; a retirement is shown one to three clocks after
//  its decision (retire_i), and the second of them writes the phase.
// Timing: a decision knows the doorbells that took effect 3 clocks before it or earlier, and no
//  others.
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
    // None may take effect; none may be accepted.
    input  wire logic                 stall_i,
    input  wire logic                 block_i,
    // The read port serves somebody else in this clock, or somebody else writes rows.
    input  wire logic                 port_taken_i,
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
    input  wire logic [2:0]           sq_class_i,    // SqHalted: halted
    input  wire logic [PtrW-1:0]      sq_size_zb_i,  // 0: no such SQ
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
    input  wire logic [2:0]           retire_i,
    input  wire logic [2:0][QidW-1:0] retire_sqid_i,
    input  wire logic [2:0]           retire_phase_i,
    // Outcome for the rings.
    output logic                      act_o,
    output logic                      add_o,
    output logic                      halt_o,
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
    output logic [QidW-1:0]           limit_cqid_o,
    output logic [PtrW-1:0]           limit_o,
    output logic                      room_all_o  // nothing posted is left
);
  // The event that executes next.
  logic valid_q, give_q, stale_q;
  doorbell_t db_q;
  logic [QidW-1:0] give_cqid_q;

  // F+1 and F+2.
  logic p1_d, p1_halt_d, p1_q, p1_halt_q, p2_q, p2_halt_q, halting, active, phase_retired;
  logic [QidW-1:0] p1_sq_q, p2_sq_q;
  logic [2:0] p1_ring_q, p2_ring_q;
  logic [PtrW-1:0] p1_added_q, p2_added_q;
  left_t p2_left_q;
  logic many;

  logic free_next, give_new, take_give, take_db, take, fire;
  logic is_sq, is_cq;
  logic in_range, beyond, same, over, known, halted, good, bad;
  logic free_ahead, wrapped;
  logic [PtrW-1:0] value, size, old, moved, posted;
  logic [PtrW:0] ahead;

  assign fire = valid_q && !stale_q && !stall_i && !halting;
  assign free_next = !block_i && (!valid_q || fire);
  assign give_new = give_valid_i && !(valid_q && give_q);
  assign take_give = give_new && free_next;
  assign db_ready_o = free_next && !give_new;
  assign take_db = db_valid_i && db_ready_o;
  assign give_done_o = fire && give_q;
  assign take = take_give || take_db;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (fire) valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stale_q <= 1'b0;
    else if (port_taken_i || stale_q) stale_q <= port_taken_i;
  end
  always_ff @(posedge clk_i) begin
    if (take) give_q <= take_give;
    if (take_db) db_q <= db_i;
    if (take_give) give_cqid_q <= give_cqid_i;
  end
  assign settled_o = !p1_q && !p2_q;
  assign idle_o = !valid_q && !stale_q && settled_o;

  // Rows of the event accepted in this clock, or of the one that waits.
  assign re_o = take || (valid_q && !fire);
  assign sqid_o = take ? db_i.qid[QidW-1:0] : db_q.qid[QidW-1:0];
  assign cqid_o = take ? (take_give ? give_cqid_i : db_i.qid[QidW-1:0])
                       : (give_q ? give_cqid_q : db_q.qid[QidW-1:0]);

  // An SQ tail moves from the old tail by at most what is free against the fetched head, a CQ head
  // from the old head by at most what is posted.
  assign is_sq = valid_q && !give_q && !db_q.is_cq;
  assign is_cq = valid_q && !give_q && db_q.is_cq;
  assign value = db_q.value[PtrW-1:0];
  always_comb begin
    size = '0;
    old = '0;
    in_range = 1'b0;
    known = 1'b0;
    halted = 1'b0;
    beyond = 1'b0;
    same = 1'b0;
    moved = '0;
    ahead = '0;
    free_ahead = 1'b0;
    wrapped = 1'b0;
    posted = '0;
    over = 1'b0;
    if (valid_q && !give_q) begin
      size = db_q.is_cq ? cq_size_zb_i : sq_size_zb_i;
      old = db_q.is_cq ? cq_head_i : sq_tail_i;
      in_range = 32'(db_q.qid) < 32'(NumSqs);
      known = in_range && size != '0;
      halted = !db_q.is_cq && sq_class_i == SqHalted;
      beyond = db_q.value > 16'(size);
      ahead = {1'b0, value} - {1'b0, old};  // bit PtrW: it is below the old one
      same = ahead == '0;
      moved = ahead[PtrW-1:0] + (ahead[PtrW] ? size : '0) + PtrW'(ahead[PtrW]);
      // Round the ring come the old tail, the new tail, the fetched head.
      free_ahead = value < sq_fetched_i;
      wrapped = sq_fetched_i <= sq_tail_i;
      posted = cq_posted_i - cq_limit_i;
      if (db_q.is_cq) over = moved > posted;
      else over = wrapped ? ahead[PtrW] && !free_ahead : ahead[PtrW] || !free_ahead;
    end
  end
  assign good = known && !halted && !beyond && !same && !over;
  assign bad = known && !halted && (beyond || same || over);
  assign tail_we_o = fire && is_sq && good;
  assign tail_o = value;
  assign tail_sqid_o = db_q.qid[QidW-1:0];
  assign p1_halt_d = fire && is_sq && bad && (beyond || !same);

  // Rings.
  assign p1_d = tail_we_o || p1_halt_d;
  assign halting = (p1_q && p1_halt_q) || (p2_q && p2_halt_q);
  assign phase_re_o = p1_q;
  assign phase_sqid_o = p1_sq_q;
  always_comb begin
    phase_retired = phase_retired_i;
    for (int i = 2; i >= 0; i--) begin
      if (retire_i[i] && retire_sqid_i[i] == p2_sq_q) phase_retired = retire_phase_i[i];
    end
    active = phase_act_i != phase_retired;
  end
  assign act_o = p2_q && !p2_halt_q && !active;
  assign add_o = p2_q && !p2_halt_q && active;
  assign halt_o = p2_q && p2_halt_q;
  assign act_sq_o = p2_sq_q;
  assign act_ring_o = p2_ring_q;
  assign act_left_o = p2_left_q;
  assign many = p2_left_q.known[KnownW-1];
  assign add_left_o = {p2_left_q.more || many,
                        p2_left_q.known[KnownW-2:0] | {(KnownW-1){many}}};
  assign added_o = p2_added_q;
  assign phase_we_o = act_o;
  assign phase_o = !phase_act_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      p1_q <= 1'b0;
      p2_q <= 1'b0;
    end else begin
      if (p1_q != p1_d) p1_q <= p1_d;
      if (p2_q != p1_q) p2_q <= p1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (p1_d) begin
      p1_halt_q <= p1_halt_d;
      p1_sq_q <= tail_sqid_o;
      p1_ring_q <= wrr_i ? sq_class_i : RingRr;
      p1_added_q <= moved;
    end
    if (p1_q) begin
      p2_halt_q <= p1_halt_q;
      p2_sq_q <= p1_sq_q;
      p2_ring_q <= p1_ring_q;
      p2_added_q <= p1_added_q;
      p2_left_q <= as_left(16'(p1_added_q));
    end
  end

  // CQ head, and gives.
  assign head_we_o = fire && is_cq && good;
  assign head_o = value;
  assign limit_we_o = head_we_o || (fire && give_q);
  assign room_all_o = give_q || moved == posted;
  assign limit_cqid_o = give_q ? give_cqid_q : db_q.qid[QidW-1:0];
  assign limit_o = cq_limit_i + (moved | PtrW'(give_q));  // a give moves nothing

  // Outcome.
  assign accepted_o = fire && !give_q && good;
  assign refused_o = fire && !give_q && (bad || !known);
  assign error_o = bad ? DbErrInvalidValue : DbErrInvalidRegister;
  assign done_db_o = db_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : RefusedKeepsTail_A
        assert (!(refused_o && (tail_we_o || head_we_o || limit_we_o)));
      end
      begin : OneOutcome_A
        assert (!(accepted_o && refused_o));
      end
    end
  end
endmodule
`default_nettype wire
