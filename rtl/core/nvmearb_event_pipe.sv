// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_event_pipe: doorbells, and room given back to a CQ.
//
// Purpose: checks each doorbell and makes it take effect as one atomic step between two decisions
//  (decision 0002, rules 1, 7 and 13; NVMe Base 2.1, 3.3.1).
// Behaviour, one event at a time, in the order of arrival (a give before a doorbell of the same
// clock):
//  1. Accept: read the rows of SQ and CQ.
//  2. Execute, as soon as allow_i: while it waits the rows are read again in every clock, so that
//     they are always those of the clock before.
//     - SQ tail, accepted: the tail is stored; an inactive SQ goes to the back of its ring.
//     - SQ tail, refused with 01h: beyond the ring, the same again, or more entries than are free
//       against the fetched head. All but the second halt the SQ. A halted SQ ignores its doorbell.
//     - CQ head, accepted: the head is stored, the room grows, SQs parked there are let go.
//     - CQ head, refused with 01h: beyond the ring, the same again, or beyond the CQ tail.
//     - No such queue: refused with 00h.
//     - Give: the room grows by one, SQs parked there are let go.
// Guarantees: nothing happens without allow_i; a refused doorbell changes nothing but the halted
//  flag (RefusedKeepsTail_A).
// Requires: ids of gives are those of existing CQs.
// Timing: takes effect one clock after it was accepted at the earliest; one event per clock.
// Bound: waits for one decision (2 clocks) and one splice (2 clocks per ring).
`default_nettype none
module nvmearb_event_pipe
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
    // An event may execute in this clock; one that may change the room of a CQ may.
    input  wire logic                 allow_i,
    input  wire logic                 allow_room_i,
    output logic                      room_event_o,
    // None may be accepted.
    input  wire logic                 block_i,
    // The read port serves somebody else in this clock.
    input  wire logic                 port_taken_i,
    // No event waits.
    output logic                      idle_o,
    // Outcome of a doorbell, one clock.
    output logic                      accepted_o,
    output logic                      refused_o,
    output logic [7:0]                error_o,
    output doorbell_t                 done_db_o,
    // SQ row.
    output logic                      re_o,
    output logic [QidW-1:0]           sqid_o,
    input  wire logic                 sq_exists_i,
    input  wire logic [2:0]           sq_class_i,
    input  wire logic [PtrW-1:0]      sq_size_zb_i,
    input  wire logic                 sq_halted_i,
    input  wire logic [PtrW-1:0]      sq_tail_i,
    input  wire logic [PtrW-1:0]      sq_fetched_i,
    input  wire logic                 sq_active_i,
    output logic                      tail_we_o,
    output logic                      tail_halted_o,
    output logic [PtrW-1:0]           tail_o,
    output logic                      append_o,
    output logic [QidW-1:0]           append_sq_o,
    output logic [2:0]                append_ring_o,
    // CQ row.
    output logic [QidW-1:0]           cqid_o,
    input  wire logic                 cq_exists_i,
    input  wire logic [PtrW-1:0]      cq_size_zb_i,
    input  wire logic [PtrW-1:0]      cq_head_i,
    input  wire logic [PtrW-1:0]      cq_tail_i,
    input  wire logic [RingCount-1:0] cq_parked_i,
    input  wire logic [PtrW-1:0]      cq_room_i,
    output logic                      head_we_o,
    output logic [PtrW-1:0]           head_o,
    output logic                      room_we_o,
    output logic [QidW-1:0]           room_cqid_o,
    output logic [PtrW-1:0]           room_o,
    output logic                      unpark_o,
    output logic [RingCount-1:0]      unpark_rings_o
);
  // The event that executes next.
  logic valid_q, give_q, stale_q;
  doorbell_t db_q;
  logic [QidW-1:0] give_cqid_q;

  logic free_next, give_new, take_give, take_db, take, fire, of_cq;
  logic is_sq, is_cq;
  logic sq_beyond, sq_same, sq_over, sq_known, sq_ok, sq_bad;
  logic cq_past, cq_over, cq_known, cq_ok, cq_bad;
  logic [PtrW-1:0] value, freed;

  always_comb begin
    of_cq = 1'b0;
    fire = 1'b0;
    if (valid_q && !stale_q) begin
      of_cq = give_q || db_q.is_cq;
      fire = of_cq ? allow_room_i : allow_i;
    end
  end
  assign room_event_o = fire && of_cq;
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
  assign idle_o = !valid_q && !stale_q;

  // Rows of the event accepted in this clock, or of the one that waits.
  assign re_o = take || (valid_q && !fire);
  assign sqid_o = take ? db_i.qid[QidW-1:0] : db_q.qid[QidW-1:0];
  assign cqid_o = take ? (take_give ? give_cqid_i : db_i.qid[QidW-1:0])
                       : (give_q ? give_cqid_q : db_q.qid[QidW-1:0]);

  // A pointer may move on from where it is as far as an end. Is the new value, which is not the old
  // one, past that end? below_old, below_end: it is less than the old one, not past the end on the
  // number line. wraps: the way to the end passes the ring end.
  function automatic logic past(input logic below_old, input logic below_end, input logic wraps);
    return wraps ? below_old && !below_end : below_old || !below_end;
  endfunction

  assign is_sq = valid_q && !give_q && !db_q.is_cq;
  assign is_cq = valid_q && !give_q && db_q.is_cq;
  assign value = db_q.value[PtrW-1:0];

  // SQ tail.
  always_comb begin
    sq_known = 1'b0;
    sq_beyond = 1'b0;
    sq_same = 1'b0;
    sq_over = 1'b0;
    sq_ok = 1'b0;
    sq_bad = 1'b0;
    if (is_sq) begin
      sq_known = 32'(db_q.qid) < 32'(NumSqs) && sq_exists_i;
      sq_beyond = db_q.value > 16'(sq_size_zb_i);
      sq_same = value == sq_tail_i;
      sq_over = past(value < sq_tail_i, value < sq_fetched_i, sq_fetched_i <= sq_tail_i);
      sq_ok = sq_known && !sq_halted_i && !sq_beyond && !sq_same && !sq_over;
      sq_bad = sq_known && !sq_halted_i && (sq_beyond || sq_same || sq_over);
    end
  end
  always_comb begin
    tail_we_o = 1'b0;
    append_o = 1'b0;
    if (fire) begin
      tail_we_o = sq_ok || (sq_bad && (sq_beyond || !sq_same));
      append_o = sq_ok && !sq_active_i;
    end
  end
  assign tail_halted_o = !sq_ok;
  assign tail_o = sq_ok ? value : sq_tail_i;
  assign append_sq_o = db_q.qid[QidW-1:0];
  assign append_ring_o = wrr_i ? sq_class_i : RingRr;

  // CQ head, and gives.
  always_comb begin
    cq_known = 1'b0;
    cq_over = 1'b0;
    cq_ok = 1'b0;
    cq_bad = 1'b0;
    freed = '0;
    cq_past = 1'b0;
    room_o = '0;
    if (is_cq) begin
      cq_known = 32'(db_q.qid) < 32'(NumSqs) && cq_exists_i;
      cq_past = past(value < cq_head_i, value <= cq_tail_i, cq_tail_i < cq_head_i);
      cq_over = db_q.value > 16'(cq_size_zb_i) || value == cq_head_i || cq_past;
      freed = value - cq_head_i;
      if (value < cq_head_i) freed = freed + cq_size_zb_i + PtrW'(1);
      cq_ok = cq_known && !cq_over;
      cq_bad = cq_known && cq_over;
      room_o = cq_room_i + freed;
    end else if (give_q) begin
      room_o = cq_room_i + PtrW'(1);
    end
  end
  always_comb begin
    head_we_o = 1'b0;
    room_we_o = 1'b0;
    unpark_o = 1'b0;
    if (fire) begin
      head_we_o = cq_ok;
      room_we_o = cq_ok || give_q;
      unpark_o = room_we_o && cq_parked_i != '0;
    end
  end
  assign head_o = value;
  assign room_cqid_o = give_q ? give_cqid_q : db_q.qid[QidW-1:0];
  assign unpark_rings_o = cq_parked_i;

  // Outcome.
  always_comb begin
    accepted_o = 1'b0;
    refused_o = 1'b0;
    if (fire) begin
      accepted_o = sq_ok || cq_ok;
      refused_o = sq_bad || cq_bad || (is_sq && !sq_known) || (is_cq && !cq_known);
    end
  end
  assign error_o = (sq_bad || cq_bad) ? DbErrInvalidValue : DbErrInvalidRegister;
  assign done_db_o = db_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : RefusedKeepsTail_A
        assert (!(refused_o && tail_we_o) || (tail_o == sq_tail_i && tail_halted_o));
      end
      begin : RoomFitsQueue_A
        assert (!room_we_o || room_o <= cq_size_zb_i);
      end
      begin : OneOutcome_A
        assert (!(accepted_o && refused_o));
      end
      begin : TailWraps_C
        cover (fire && sq_ok && value < sq_tail_i);
      end
      begin : FillsRing_C
        cover (fire && sq_ok && sq_fetched_i == sq_tail_i &&
               value == (sq_tail_i == '0 ? sq_size_zb_i : sq_tail_i - PtrW'(1)));
      end
      begin : Overfills_C
        cover (fire && sq_bad && sq_over && !sq_beyond && !sq_same);
      end
      begin : SameTailAgain_C
        cover (fire && sq_bad && sq_same && !sq_beyond);
      end
      begin : HaltedIsIgnored_C
        cover (fire && is_sq && sq_known && sq_halted_i);
      end
      begin : UnknownQueue_C
        cover (fire && is_sq && !sq_known);
      end
      begin : HeadBeyondPosted_C
        cover (fire && cq_bad && cq_past);
      end
      begin : DoorbellWaitsForGive_C
        cover (give_new && db_valid_i);
      end
      begin : DoorbellWaitsForDecision_C
        cover (is_sq && !stale_q && !allow_i);
      end
      begin : RowsReadAgain_C
        cover (stale_q && valid_q);
      end
    end
  end
endmodule
`default_nettype wire
