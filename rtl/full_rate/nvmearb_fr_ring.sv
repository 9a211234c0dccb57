// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_ring: one ring of active SQs: order of service inside a class, and its visit.
//
// Purpose: decision 0002, rules 1, 4 and 6, one decision per clock at any number of SQs.
// Behaviour:
//  1. The first SQs of the ring are in a window of flip-flops, each with the number of its
//     commands; entry 0, the front, is visited, or next. The others wait in a memory
//     (nvmearb_fr_ring_store) as ids alone and get their number on the way to the window
//     (nvmearb_fr_refill). The memory is used only while the window is full, or already used: order
//     is that of the pushes. The number of what arrives (act_i, land_i) follows a clock later. What
//     lands in an empty window is decided on in that clock.
//  2. The number of an entry is exact, or, with `more` or while an answer is due, it has more than
//     that. The front asks for the rest in time (ask_want_o, ask_i); the answer is added when the
//     SQ is the front again. A front that is stuck without takes precedence over another entry.
//  3. grant_i takes one command of the front. It stays while the visit goes on; else it goes to the
//     back, or is let go with its last command (retire_o).
//  4. act_i puts an SQ to the back, behind one that goes there in the same clock. push_i, too, but
//     its number is not known, so that it goes through the memory.
//  5. add_i: add_sq_i, if it is in the window, has more commands. Elsewhere the number is read
//     later. An SQ whose last command is granted in this clock is active anew: to the back.
//  6. rotate_i: the front goes to the back; drop_i: it is let go. The visit stays as it is.
// Guarantees: at most one visit, and it is the front (VisitIsFront_A); the window never overflows
//  (WindowFits_A); an entry has a command, or there are more (KnowsOfCommands_A).
// Requires: at most one of grant_i, rotate_i, drop_i, and only while ready_o, or settled_o
//  (FrontIsThere_M); never more than 2^QidW SQs.
// Timing: effects are visible after the edge. No bubble with 1..Window SQs, nor with more; one of
//  up to Window + 2 clocks when their number falls from above Window to it (the memory is left:
//  its last SQs are waited for), one when it rises above, one of up to 8
//  for an SQ whose only command known is its last while it waits behind others and gets more, two
//  behind the first command of an SQ that landed in an empty window and is visited on, and one
//  before a visit of all commands (burst_all_i) of an SQ whose number is not known or has not come.
`default_nettype none
module nvmearb_fr_ring
  import nvmearb_fr_pkg::*;
#(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of a burst counter, 8..16.
    parameter int BurstW = 16,
    // Entries in the window: 1, or 4 and more.
    parameter int Window = 4,
    // 1: burst_all_i is used.
    parameter bit Strict = 1'b1
) (
    input  wire logic              clk_i,
    input  wire logic              rst_ni,
    input  wire logic              clear_i,
    // Operations on the front. grant_i carries out the decision of the clock before. burst_i: of a
    // new visit; burst_all_i: all commands present instead.
    input  wire logic              grant_i,
    input  wire logic              rotate_i,
    input  wire logic              drop_i,
    input  wire logic [7:0]        burst_i,      // less one
    input  wire logic              burst_one_i,  // it is one
    input  wire logic              burst_two_i,  // it is two
    input  wire logic              burst_all_i,
    input  wire logic              end_visit_i,
    // The front does not go to this ring's back (round robin: SQ 0 goes back to RingRr).
    input  wire logic              self_elsewhere_i,
    // Arrivals.
    input  wire logic              act_i,
    input  wire logic              push_i,
    input  wire logic              add_i,
    input  wire logic [QidW-1:0]   add_sq_i,
    input  wire logic [QidW-1:0]   act_sq_i,
    input  wire logic              act_phase_i,
    input  wire left_t             act_left_i,  // a clock later
    input  wire logic              act_one_i,   // with it: one command
    input  wire more_t             add_left_i,
    // Asking for the number of the front, and the answer, to whatever ring it is that asked.
    output logic                   ask_want_o,
    input  wire logic              ask_i,
    input  wire logic              looked_i,    // what comes now is not in the answer
    input  wire logic              answer_i,
    input  wire more_t             answer_left_i,
    // What changes the burst of a visit of all commands, of the clock before: the number of the
    // answer; -(commands that came) - 1.
    input  wire logic [BurstW-1:0] burst_count_i,
    input  wire logic [BurstW-1:0] burst_less_i,
    // For the decision of this clock: state behind grant_i, without what arrives in this clock.
    output logic                   has_o,
    output logic                   ready_o,
    // State. there_o: an SQ is in the ring.
    output logic                   there_o,
    output logic                   settled_o,   // for rotate_i and drop_i
    output logic                   front_valid_o,
    output logic [QidW-1:0]        front_sq_o,
    output logic                   front_phase_o,
    output left_t                  front_left_o,
    output logic                   visit_o,
    // Outcome of grant_i, combinational.
    output logic                   end_o,      // the visit ends
    output logic                   back_o,     // the front goes to the back
    output logic                   retire_o,   // the front is inactive
    // To the memory: the front (push_front_o), the activation (push_act_o); alone_o, a clock
    // later: nothing else is there or on the way.
    output logic                   push_front_o,
    output logic                   alone_o,
    output logic                   again_o,     // what push_act_o pushes is the front of grant_i
    output logic                   push_act_o,
    // From the memory.
    input  wire logic              store_idle_i,  // it is empty, and nothing is on the way into it
    input  wire logic [2:0]        flight_i,    // on the way out of it; bit 2: that lands
    // There is a place for one more than those; the same of the clock before, less what was taken;
    // there is one as the front leaves.
    output logic                   place_o,
    output logic                   hungry_o,
    output logic                   moving_o,
    input  wire logic              take_i,      // one more is on the way
    input  wire logic              land_i,
    input  wire logic [QidW:0]     land_sq_i,   // {phase, id}
    input  wire logic              land_one_i,  // it has one command
    input  wire logic              land_hit_i,  // and gets more in this clock
    input  wire logic              fill_i,      // a clock later
    input  wire left_t             fill_left_i,
    input  wire logic              fill_one_i,
    output logic                   idle_o
);
  localparam int Next = Window > 1 ? 1 : 0;

  // Entries: {phase, id}, number of commands.
  logic [QidW:0] sq_q [Window];
  logic [KnownW-1:0] known_q [Window], known_next [Window], known_here [Window];
  logic [Window-1:0] more_q, more_next, more_here;
  logic [Window-1:0] asked_q, asked_next, hit, at_self, stays;
  // Entries in use, from the front on; the same from 1 on, with two more bits behind.
  logic [Window-1:0] used_q;
  logic [Window+2:1] used;
  logic visit_q, open_q;
  logic [BurstW-1:0] burst_q, burst_base, burst_step, burst_d;
  logic inexact, one, none, opens, adds, leave_q;
  // No SQ is in the memory, on the way into it or out of it.
  logic none_out;
  // As the decision of the clock before saw the front: last command, last of the burst, number not
  // known at the begin of a visit of all commands.
  logic one_q, bend_q, opens_q, hit_q, late_q, late_out_q, home, arrival, room;
  logic ready_land, ready_front, ready_same, ready_next;
  logic two, two_q, gone, only, same, next_one, next_none, next_bend, front_bend, same_bend;
  logic answered, cancel, asked, fresh, stands_q;  // an answer stands
  more_t answer_q;
  logic pop, self, a_push, a_in, b_in, arrives, away, ends_soon, ends_soon_d;
  logic [QidW:0] in_sq;
  left_t fill, front_left;
  logic pending, pending_0, pending_1, fill_one, owes_q;
  logic [Window-1:0] last, gets;
  logic front_asked;
  logic [KnownW-1:0] known_less, known_more, known_all;

  assign inexact = more_q[0] || asked_q[0];
  // What arrived in the clock before is the last entry; its number follows now: until then it has
  // one command and more.
  assign pending = late_q || fill_i;
  assign fill = late_q ? act_left_i : fill_left_i;
  assign fill_one = late_q ? act_one_i : fill_one_i;
  assign pending_0 = pending && !used[2];
  assign pending_1 = pending && used[2] && !used[3];
  assign one = (known_q[0] == KnownW'(1) && !inexact) || (pending_0 && fill_one);
  assign none = known_q[0] == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) none_out <= 1'b1;
    else none_out <= store_idle_i && flight_i[1:0] == '0 && !push_front_o && !push_act_o;
  end
  assign front_valid_o = used_q[0];
  // All SQs outside are on the way to the window, which has a place for each: one that would
  // go outside again waits for them, as does who is next behind a grant.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) leave_q <= 1'b0;
    else begin
      leave_q <= (store_idle_i && flight_i[1:0] != '0) ||
          (leave_q && !none_out && !push_act_o && !late_out_q);
    end
  end
  assign settled_o = used_q[0] && !leave_q;
  assign front_sq_o = sq_q[0][QidW-1:0];
  assign front_phase_o = sq_q[0][QidW];
  assign front_left_o = {inexact, known_q[0]};
  assign visit_o = visit_q;
  // In time, but not near the end of a long visit: the answer would stand in the way of the next
  // SQ; nor on the way out.
  assign ask_want_o = used_q[0] && more_q[0] && !asked_q[0] && !pending_0 &&
      (none || (grant_i && (opens_q || open_q)) || (grant_i && !stands_q && !known_q[0][KnownW-1] &&
      !ends_soon && !(bend_q && !none_out)));
  assign ends_soon_d = used[2] && !open_q && (visit_q ? burst_q : BurstW'(burst_i)) < BurstW'(8) &&
      (burst_i >= 8'd8 || (Strict && burst_all_i));

  // Outcome of grant_i, whose SQ may have got more since it was decided. A visit of all commands
  // present whose number is not known is open until the answer comes.
  assign opens = Strict && burst_all_i && !visit_q && (pending_0 ? act_left_i.more : inexact);
  assign end_o = one_q || bend_q;
  assign back_o = !one_q && bend_q;
  assign gone = one_q && !hit_q;
  assign retire_o = gone && !hit[0];
  assign pop = (grant_i && end_o) || rotate_i || drop_i;
  assign self = ((grant_i && back_o) || rotate_i) && !self_elsewhere_i;

  // What the decision of this clock sees: the front as it is, or behind grant_i the same with one
  // command less (its visit goes on, or no other SQ is there), or entry 1.
  assign only = none_out && (!used[2] || (late_q && !used[3]));
  assign same = !end_o || (only && !gone && (one_q || !self_elsewhere_i));
  assign next_none = Window > 1 ? known_q[Next] == '0 : 1'b1;
  assign next_one = (pending_1 && fill_one) ||
      (Window > 1 && known_q[Next] == KnownW'(1) && !more_q[Next] && !asked_q[Next]);
  assign next_bend = burst_one_i && !(Strict && burst_all_i);
  assign front_bend = visit_q ? burst_q == BurstW'(1) && !open_q : next_bend;
  assign there_o = used_q[0] || !none_out;
  assign has_o = there_o && !(grant_i && gone && none_out && !used[2]);
  // Entry 0, entry 0 behind its grant, entry 1; or the SQ that lands in their place, if any.
  assign ready_land = Window > 1 && land_i && !leave_q && !(Strict && burst_all_i);
  always_comb begin
    ready_front = ready_land;
    ready_next = ready_land;
    if (used_q[0]) begin
      ready_front = !none && !owes_q && !(leave_q && front_bend) && !(opens && asked_q[0]) &&
          !(Strict && burst_all_i && fill_i && !used[2]);
    end
    ready_same = known_q[0] != KnownW'(1) && !leave_q &&
        !(end_o && Strict && burst_all_i && inexact);
    if (used[2]) begin
      ready_next = !next_none && !leave_q &&
          !(Strict && burst_all_i && (more_q[Next] || asked_q[Next]));
    end
  end
  assign ready_o = !grant_i ? ready_front : same ? ready_same : ready_next;
  assign two = known_q[0] == KnownW'(2) && !inexact;
  always_comb begin
    if (end_o) same_bend = next_bend;
    else if (visit_q) same_bend = burst_q == BurstW'(2) && !open_q;
    else if (Strict && burst_all_i) same_bend = two_q && !opens_q;
    else same_bend = burst_two_i;
  end
  always_ff @(posedge clk_i) begin
    one_q <= !grant_i ? (used_q[0] ? one : land_one_i)
        : same ? two : used[2] ? next_one : land_one_i;
    bend_q <= !grant_i ? front_bend : same ? same_bend : next_bend;
    opens_q <= !grant_i && opens;
    ends_soon <= ends_soon_d;
    // The front got more.
    hit_q <= !grant_i ? (used_q[0] ? hit[0] : land_hit_i)
        : same ? hit[0] : used[2] ? Window > 1 && hit[Next] : land_hit_i;
  end

  // Pushes: the front, also when it got more since its last command was decided; behind it an
  // activation, or the front that gets more with its last command.
  assign a_push = self || (grant_i && one_q && hit_q);
  // What left for the memory in the clock of the decision is behind it.
  assign home = none_out || alone_o;
  assign a_in = a_push && home;
  assign push_front_o = a_push && !home;
  assign away = pop && !a_in;
  assign again_o = grant_i && gone && hit[0];
  // What arrives goes to the window if nothing is outside and there is a place.
  assign arrival = act_i || again_o;
  assign room = none_out && (!used_q[Window-1] || away);
  assign b_in = arrival && room;
  assign push_act_o = push_i || (arrival && !room);
  assign arrives = land_i || b_in;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) late_q <= 1'b0;
    else late_q <= b_in;
    if (!rst_ni || clear_i) late_out_q <= 1'b0;
    else late_out_q <= push_act_o;
    if (!rst_ni || clear_i) alone_o <= 1'b0;
    else alone_o <= push_act_o && !push_front_o && none_out;
  end

  // The front's number of commands.
  assign answered = stands_q && asked_q[0];
  assign cancel = stands_q && ask_i;
  // The answer, that stands or will come, does not know the commands that come now.
  assign fresh = stands_q || looked_i;
  assign adds = !known_q[0][KnownW-1] && !inexact;
  assign known_less = known_q[0] - KnownW'(grant_i || owes_q);
  assign known_more = known_less + add_left_i.known;
  assign known_all = known_less + (answered && !known_q[0][KnownW-1] ? answer_q.known : '0);
  always_comb begin
    // Who asked is not exact. What comes is known late.
    front_left.known = hit[0] && adds ? known_more : known_all;
    front_left.more = (more_q[0] && !ask_i) ||
        (hit[0] && !ask_i && (asked_q[0] ? fresh
            : more_q[0] || add_left_i.more || known_q[0][KnownW-1])) ||
        (answered && (answer_q.more || (known_q[0][KnownW-1] && answer_q.known != '0)));
    front_asked = ask_i || (asked_q[0] && !answered);
  end
  // Granted in the clock in which its number came.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) owes_q <= 1'b0;
    else owes_q <= pending_0 && grant_i && !end_o;
  end

  // Entries: each keeps its place, moves one place to the front, is the front that goes to the
  // back, or arrives: what would arrive is written to all that are not in use, before it is known
  // whether it does. What came into the window in the clock of the decision (late_q) stays behind
  // the front that the decision sends to the back. An activation and a landing never come into one
  // window in one clock.
  assign in_sq = land_i ? land_sq_i : {act_phase_i, act_sq_i};
  assign used = {2'b0, used_q};
  for (genvar i = 0; i < Window; i++) begin : gen_entry
    localparam int N = i + 1 < Window ? i + 1 : 0;
    assign hit[i] = add_i && used_q[i] && QidW'(sq_q[i]) == add_sq_i;
    assign last[i] = used[i+1] && !used[i+2];
    assign at_self[i] = a_in && (late_q ? used[i+2] && !used[i+3] : last[i]);
    assign stays[i] = used[i+1] && !(pop && !(a_in && late_q && last[i]));
    assign gets[i] = pending && last[i];
    if (i == 0) begin : gen_front
      assign known_next[i] = front_left.known;
      assign more_next[i] = front_left.more;
      assign asked_next[i] = front_asked;
    end else begin : gen_other
      assign known_next[i] = known_q[i];
      assign more_next[i] = more_q[i] ||
          (asked_q[i] ? cancel || (hit[i] && fresh) : hit[i]);
      assign asked_next[i] = asked_q[i] && !cancel;
    end
    // As it is behind this clock in its place, but for one that goes to the back.
    assign known_here[i] = gets[i] ? fill.known : known_next[i];
    assign more_here[i] = gets[i] ? fill.more || hit[i] : more_next[i];
    always_ff @(posedge clk_i) begin
      if (at_self[i]) begin
        sq_q[i] <= sq_q[0];
        known_q[i] <= front_left.known;
        more_q[i] <= front_left.more;
        asked_q[i] <= front_asked;
      end else if (stays[i]) begin
        known_q[i] <= known_here[i];
        more_q[i] <= more_here[i];
        asked_q[i] <= asked_next[i];
      end else begin
        sq_q[i] <= used[i+2] ? sq_q[N] : in_sq;
        known_q[i] <= used[i+2] ? known_here[N] : KnownW'(1);
        more_q[i] <= !used[i+2] || more_here[N];
        asked_q[i] <= used[i+2] && asked_next[N];
      end
    end
  end
  // An answer stands until the entry that asked is the front, or has left the window.
  assign asked = |(asked_q & used_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) stands_q <= 1'b0;
    else if (stands_q) stands_q <= asked && !answered && !cancel;
    else if (answer_i) stands_q <= asked;
  end
  always_ff @(posedge clk_i) begin
    if (answer_i && !stands_q) answer_q <= answer_left_i;
  end
  assign idle_o = !(stands_q && (answered || !asked));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      used_q <= '0;
      visit_q <= 1'b0;
    end else begin
      // As a sum of products: what arrives is known late.
      used_q <= Window'({1'b0, used_q} >> 1) | (used_q & {Window{!away || arrives}}) |
          (Window'({used_q, 1'b1}) & {Window{arrives && !away}});
      if (grant_i) visit_q <= !end_o;
      else if (end_visit_i) visit_q <= 1'b0;
    end
  end
  // Places, beside what is on the way. fly: at least three, two, one of those.
  if (Window > 3) begin : gen_places
    logic [2:0] fly;
    logic leaving, place_two, place_leaving;
    assign fly = {flight_i == '1,
                  (flight_i[0] && flight_i[2:1] != '0) || flight_i[2:1] == '1, flight_i != '0};
    assign place_o = !used[Window-3] || (!fly[2] && !used[Window-2]) ||
        (!fly[1] && !used[Window-1]) || (!fly[0] && !used[Window]);
    assign place_two = (!fly[2] && !used[Window-3]) || (!fly[1] && !used[Window-2]) ||
        (!fly[0] && !used[Window-1]);
    assign place_leaving = !used[Window-2] || (!fly[2] && !used[Window-1]) ||
        (!fly[1] && !used[Window]) || !fly[0];
    assign leaving = grant_i && end_o && !home;
    assign moving_o = leaving && place_leaving;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) hungry_o <= 1'b0;
      else begin
        hungry_o <= place_two || (leaving && place_o) || (!take_i && (place_o || moving_o));
      end
    end
  end else begin : gen_place
    assign place_o = flight_i == '0 && !used[1];
    assign moving_o = 1'b0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) hungry_o <= 1'b0;
      else hungry_o <= place_o && !take_i;
    end
  end

  // Commands left in the visit; while open, as far as they are known, less those that came.
  if (Strict) begin : gen_open
    // Commands known to the decision of this clock, and those behind the one it grants.
    logic answer_q1, looked_q;
    logic [KnownW-1:0] seen, behind_q;
    logic grows, start, lands;
    assign lands = !used_q[0] || (grant_i && !same && !used[2]);
    assign start = grant_i && !visit_q;
    assign grows = (open_q && answer_q1) ||
        ((open_q || (start && opens_q)) && hit_q && !looked_q);
    always_comb begin
      burst_base = burst_q;
      burst_step = '1;
      if (start) begin
        burst_base = !burst_all_i ? BurstW'(burst_i) : BurstW'(behind_q);
        if (!opens_q) burst_step = '0;
      end
      if (grows) burst_step = open_q && answer_q1 ? burst_count_i : burst_less_i;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) answer_q1 <= 1'b0;
      else answer_q1 <= answer_i && asked_q[0];
    end
    always_ff @(posedge clk_i) begin
      // Only of the SQ that asked: another ring's ask tells nothing about what comes here.
      looked_q <= looked_i && !lands &&
          (grant_i && !same ? Window > 1 && asked_q[Next] : asked_q[0]);
      two_q <= seen == KnownW'(2);
      behind_q <= seen - KnownW'(1);
    end
    always_comb begin
      if (!grant_i) seen = pending_0 ? act_left_i.known : known_q[0];
      else if (same) seen = known_q[0] - KnownW'(1);
      else seen = known_q[Next];
    end
    assign burst_d = burst_base + burst_step + BurstW'(!grant_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) open_q <= 1'b0;
      else if (start) open_q <= opens_q;
      else if (answer_q1 || end_visit_i) open_q <= 1'b0;
      if (grant_i || grows) burst_q <= burst_d;
    end
  end else begin : gen_limited
    logic unused;
    assign unused = ^{burst_count_i, burst_less_i};
    assign open_q = 1'b0;
    assign two_q = 1'b0;
    assign burst_base = visit_q ? burst_q : BurstW'(burst_i);
    assign burst_step = {BurstW{visit_q}};
    assign burst_d = burst_base + burst_step;
    always_ff @(posedge clk_i) begin
      if (grant_i) burst_q <= burst_d;
    end
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : WindowFits_A
        assert (!(arrives && !away && used_q[Window-1]));
      end
      begin : VisitIsFront_A
        assert (!visit_q || used_q[0]);
      end
      begin : HasCommands_A
        assert (!grant_i || !none);
      end
      begin : KnowsOfCommands_A
        for (int i = 0; i < Window; i++) begin
          assert (!used_q[i] || known_q[i] != '0 || more_q[i] || asked_q[i]);
        end
      end
      begin : FrontIsThere_M
        assert (!(grant_i || rotate_i || drop_i) || used_q[0]);
      end
      begin : LandsBehindOthers_A
        assert (!land_i || (!a_in && !b_in && !none_out));
      end
    end
  end
endmodule
`default_nettype wire
