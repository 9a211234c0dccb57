// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_rings: the rings of active SQs, each a linked list and at most one visit.
//
// Purpose: order of service inside a class (decision 0002, rules 1, 4, 6). O(1) at any number of
//  SQs: an SQ that becomes active goes to the back of its ring, and again after each visit that
//  leaves it with commands (round robin by order of activation).
// Behaviour, one operation per clock:
//  1. RingAppend: the chain first_i .. last_i (already linked) goes to the back.
//  2. RingStep: outcome of a decision for step_sq_i. With step_new_i the SQ is taken from the front
//     first. StepKeep leaves it as the visit with step_burst_i commands to go; StepRequeue puts it
//     to the back; StepEmpty, StepDrop and StepPark let it go.
//  3. RingSet: the list becomes first_i .. last_i, or empty without set_valid_i.
//  4. RingEndVisit: the ring has no visit any more.
//  5. RingFront: first_i goes to the front.
//  6. RingClear: all rings are empty.
//  link_we_i adds a link from link_from_i to link_to_i (parking lists, removal from the middle); it
//  may accompany RingNop, RingSet and a RingStep that does not requeue.
// Guarantees: one link is written per clock at most (OneLinkPerClock_A); a visit has commands to go
//  (VisitHasBurst_A).
// Requires: a step names the visited SQ, or with step_new_i the front (StepIsFront_M,
//  StepIsVisit_M); next_o shows the link of the front at a step with step_new_i.
// Timing: effects are visible after the edge; next_o one clock after next_re_i.
`default_nettype none
module nvmearb_rings
  import nvmearb_core_pkg::*;
#(
    // SQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4,
    // Width of a burst counter, 9..16.
    parameter int BurstW = 16
) (
    input  wire logic                        clk_i,
    input  wire logic                        rst_ni,
    // Operation.
    input  wire ring_op_e                    op_i,
    input  wire logic [2:0]                  ring_i,
    input  wire logic [QidW-1:0]             first_i,
    input  wire logic [QidW-1:0]             last_i,
    input  wire logic                        set_valid_i,
    input  wire step_e                       step_i,
    input  wire logic                        step_new_i,
    input  wire logic [QidW-1:0]             step_sq_i,
    input  wire logic [BurstW-1:0]           step_burst_i,
    // One more link.
    input  wire logic                        link_we_i,
    input  wire logic [QidW-1:0]             link_from_i,
    input  wire logic [QidW-1:0]             link_to_i,
    // Read a link.
    input  wire logic                        next_re_i,
    input  wire logic [QidW-1:0]             next_sq_i,
    output logic [QidW-1:0]                  next_o,
    // State, from registers.
    output logic [RingCount-1:0]             visit_valid_o,
    output logic [RingCount-1:0][QidW-1:0]   visit_sq_o,
    output logic [RingCount-1:0][BurstW-1:0] visit_burst_o,
    output logic [RingCount-1:0]             list_valid_o,
    output logic [RingCount-1:0][QidW-1:0]   list_first_o,
    output logic [RingCount-1:0][QidW-1:0]   list_last_o
);
  logic [RingCount-1:0] visit_valid_q, list_valid_q;
  logic [RingCount-1:0][QidW-1:0] visit_sq_q, list_first_q, list_last_q;
  logic [RingCount-1:0][BurstW-1:0] visit_burst_q;

  // The addressed ring now and after the operation.
  logic list_valid, list_valid_d, visit_valid_d;
  logic [QidW-1:0] list_first, list_last, list_first_d, list_last_d;
  logic rest_valid;
  logic we_link;
  logic [QidW-1:0] link_from, link_to;

  always_comb begin
    list_valid = 1'b0;
    list_first = '0;
    list_last = '0;
    rest_valid = 1'b0;
    visit_valid_d = 1'b0;
    if (op_i != RingNop) begin
      list_valid = list_valid_q[ring_i];
      list_first = list_first_q[ring_i];
      list_last = list_last_q[ring_i];
      visit_valid_d = visit_valid_q[ring_i];
      // Is anything left in the list when the step has taken its front?
      rest_valid = list_valid && !(step_new_i && list_first == list_last);
    end
    list_valid_d = list_valid;
    list_first_d = list_first;
    list_last_d = list_last;
    we_link = link_we_i;
    link_from = link_from_i;
    link_to = link_to_i;
    case (op_i)
      RingAppend: begin
        list_valid_d = 1'b1;
        if (!list_valid) list_first_d = first_i;
        list_last_d = last_i;
        we_link = list_valid;
        link_from = list_last;
        link_to = first_i;
      end
      RingStep: begin
        visit_valid_d = step_i == StepKeep;
        list_valid_d = rest_valid;
        if (step_new_i) list_first_d = next_o;
        if (step_i == StepRequeue) begin
          list_valid_d = 1'b1;
          if (!rest_valid) list_first_d = step_sq_i;
          list_last_d = step_sq_i;
          we_link = rest_valid;
          link_from = list_last;
          link_to = step_sq_i;
        end
      end
      RingSet: begin
        list_valid_d = set_valid_i;
        list_first_d = first_i;
        list_last_d = last_i;
      end
      RingEndVisit: visit_valid_d = 1'b0;
      RingFront: begin
        list_valid_d = 1'b1;
        list_first_d = first_i;
        if (!list_valid) list_last_d = first_i;
        we_link = list_valid;
        link_from = first_i;
        link_to = list_first;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      visit_valid_q <= '0;
      list_valid_q <= '0;
    end else if (op_i == RingClear) begin
      visit_valid_q <= '0;
      list_valid_q <= '0;
    end else if (op_i != RingNop) begin
      visit_valid_q[ring_i] <= visit_valid_d;
      list_valid_q[ring_i] <= list_valid_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (op_i != RingNop) begin
      list_first_q[ring_i] <= list_first_d;
      list_last_q[ring_i] <= list_last_d;
    end
    if (op_i == RingStep) begin
      visit_sq_q[ring_i] <= step_sq_i;
      visit_burst_q[ring_i] <= step_burst_i;
    end
  end

  nvmearb_ram #(.Width(QidW), .Depth(NumSqs)) u_next (
      .clk_i, .clk_read_i(clk_i),
      .we_i(we_link), .waddr_i(link_from), .wdata_i(link_to),
      .re_i(next_re_i), .raddr_i(next_sq_i), .rdata_o(next_o));

  assign visit_valid_o = visit_valid_q;
  assign visit_sq_o = visit_sq_q;
  assign visit_burst_o = visit_burst_q;
  assign list_valid_o = list_valid_q;
  assign list_first_o = list_first_q;
  assign list_last_o = list_last_q;

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : OneLinkPerClock_A
        assert (!link_we_i || op_i == RingNop || op_i == RingSet ||
                (op_i == RingStep && step_i != StepRequeue));
      end
      begin : StepIsFront_M
        assert (op_i != RingStep || !step_new_i ||
                (!visit_valid_q[ring_i] && list_valid && list_first == step_sq_i));
      end
      begin : StepIsVisit_M
        assert (op_i != RingStep || step_new_i ||
                (visit_valid_q[ring_i] && visit_sq_q[ring_i] == step_sq_i));
      end
      begin : VisitHasBurst_A
        assert (op_i != RingStep || step_i != StepKeep || step_burst_i != '0);
      end
      begin : RequeueToEmpty_C
        cover (op_i == RingStep && step_i == StepRequeue && !rest_valid);
      end
      begin : AppendChain_C
        cover (op_i == RingAppend && list_valid && first_i != last_i);
      end
    end
  end
endmodule
`default_nettype wire
