// SPDX-License-Identifier: Apache-2.0
//
// core_ref: bookkeeping of queues beside nvmearb_core, from its ports alone.
//
// Purpose: tells the checks of core_props what a decision may know at most (now_*: all that took
//  effect up to this clock, before the grant of this clock) and what it has to know at least
//  (settled_*: what took effect Late clocks ago and is still so; decision 0002, rule 12).
// Commands and room are counted, modulo 2^CountW, never as positions: what was submitted minus what
// was granted is present.
`default_nettype none
module core_ref
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 2,
    parameter int PtrW = 2,
    // Clocks that a decision may be behind.
    parameter int Late = 8,
    localparam int IdW = $clog2(NumSqs + 1),
    localparam int CountW = PtrW + 3
) (
    input  wire logic                        clk_i,
    input  wire logic                        rst_ni,
    // This clock counts for Late: decisions were not kept from being shown.
    input  wire logic                        step_i,
    input  wire obs_t                        obs_i,
    // A grant is shown for the first time.
    input  wire logic                        rise_i,
    input  wire grant_t                      grant_i,
    // Fixed configuration.
    input  wire logic [NumSqs-1:0][IdW-1:0]  cqid_i,
    input  wire logic [NumSqs-1:0][PtrW-1:0] sq_zb_i,
    input  wire logic [NumSqs-1:0][PtrW-1:0] cq_zb_i,
    // State before the grant of this clock.
    output logic [NumSqs-1:0]                now_exists_o,
    output logic [NumSqs-1:0]                now_halted_o,
    output logic [NumSqs-1:0][CountW-1:0]    now_present_o,
    output logic [NumSqs-1:0][CountW-1:0]    now_room_o,     // of the CQ of that SQ
    output logic [NumSqs-1:0][PtrW-1:0]      head_o,
    output logic [NumSqs-1:0]                long_halted_o,  // for more than Late clocks
    output logic [NumSqs-1:0]                settled_o,      // may be granted, beyond doubt
    // The doorbell of this clock, against the state before it.
    output logic                             db_legal_o      // had to be accepted
);
  localparam int AgeW = $clog2(Late + 2);

  function automatic logic [PtrW-1:0] distance(input logic [PtrW-1:0] a, input logic [PtrW-1:0] b,
                                               input logic [PtrW-1:0] size_zb);
    return (a < b) ? a - b + size_zb + PtrW'(1) : a - b;
  endfunction
  function automatic logic [PtrW-1:0] advance(input logic [PtrW-1:0] a, input logic [3:0] count,
                                              input logic [PtrW-1:0] size_zb);
    return PtrW'((5'(a) + 5'(count)) > 5'(size_zb) ? 5'(a) + 5'(count) - 5'(size_zb) - 5'd1
                                                   : 5'(a) + 5'(count));
  endfunction
  // a - b is more than 0, both modulo 2^CountW.
  function automatic logic ahead(input logic [CountW-1:0] a, input logic [CountW-1:0] b);
    logic [CountW-1:0] difference;
    difference = a - b;
    return !difference[CountW-1] && difference != '0;
  endfunction

  // SQs: positions of the ring, and counts.
  logic [NumSqs-1:0] exists_q, exists_d, halted_q, halted_d;
  logic [NumSqs-1:0][AgeW-1:0] halted_age_q;
  logic [NumSqs-1:0][PtrW-1:0] tail_q, tail_d, head_q, fetched_q, fetched_d;
  logic [NumSqs-1:0][CountW-1:0] submitted_q, submitted_d, issued_q, issued_d;
  // CQs: room given and used.
  logic [NumSqs-1:0][PtrW-1:0] cq_head_q, cq_head_d;
  logic [NumSqs-1:0][CountW-1:0] given_q, given_d, used_q, used_d;
  // The past.
  logic [Late-1:0][NumSqs-1:0][CountW-1:0] submitted_past_q, given_past_q;

  always_comb begin
    exists_d = exists_q;
    halted_d = halted_q;
    tail_d = tail_q;
    fetched_d = fetched_q;
    submitted_d = submitted_q;
    given_d = given_q;
    cq_head_d = cq_head_q;
    db_legal_o = 1'b0;
    for (int i = 0; i < NumSqs; i++) begin
      if (obs_i.cfg_valid && obs_i.cfg.id == 16'(i)) begin
        if (obs_i.cfg.op == CfgCreateSq) exists_d[i] = 1'b1;
        if (obs_i.cfg.op == CfgDeleteSq) exists_d[i] = 1'b0;
        if (obs_i.cfg.op == CfgCreateCq) given_d[i] = CountW'(cq_zb_i[i]);
      end
      if (obs_i.db.qid == 16'(i) && !obs_i.db.is_cq) begin
        db_legal_o = exists_q[i] && !halted_q[i] && obs_i.db.value <= 16'(sq_zb_i[i]) &&
            obs_i.db.value != 16'(tail_q[i]) &&
            distance(obs_i.db.value[PtrW-1:0], tail_q[i], sq_zb_i[i]) <=
            sq_zb_i[i] - distance(tail_q[i], fetched_q[i], sq_zb_i[i]);
        if (obs_i.db_valid) begin
          tail_d[i] = obs_i.db.value[PtrW-1:0];
          submitted_d[i] = submitted_q[i] +
              CountW'(distance(obs_i.db.value[PtrW-1:0], tail_q[i], sq_zb_i[i]));
        end
        if (obs_i.db_reject && exists_q[i] && obs_i.db.value != 16'(tail_q[i])) halted_d[i] = 1'b1;
      end
      if (obs_i.db.qid == 16'(i) && obs_i.db.is_cq && obs_i.db_valid) begin
        cq_head_d[i] = obs_i.db.value[PtrW-1:0];
        given_d[i] = given_d[i] +
            CountW'(distance(obs_i.db.value[PtrW-1:0], cq_head_q[i], cq_zb_i[i]));
      end
      if (obs_i.fetch_valid && obs_i.fetch_sqid == 16'(i)) begin
        fetched_d[i] = advance(fetched_q[i], obs_i.fetch_count, sq_zb_i[i]);
      end
      if (obs_i.complete_valid && !obs_i.complete.posted && obs_i.complete.cqid == 16'(i)) begin
        given_d[i] = given_d[i] + CountW'(1);
      end
    end
    if (obs_i.cfg_valid && obs_i.cfg.op == CfgReset) exists_d = '0;
  end

  always_comb begin
    issued_d = issued_q;
    used_d = used_q;
    for (int i = 0; i < NumSqs; i++) begin
      if (rise_i && grant_i.sqid == 16'(i)) issued_d[i] = issued_q[i] + CountW'(grant_i.count);
      if (rise_i && grant_i.cqid == 16'(i)) used_d[i] = used_q[i] + CountW'(grant_i.count);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      exists_q <= '0;
      halted_q <= '0;
      halted_age_q <= '0;
      tail_q <= '0;
      head_q <= '0;
      fetched_q <= '0;
      submitted_q <= '0;
      issued_q <= '0;
      given_q <= '0;
      used_q <= '0;
      cq_head_q <= '0;
      submitted_past_q <= '0;
      given_past_q <= '0;
    end else begin
      exists_q <= exists_d;
      halted_q <= halted_d;
      tail_q <= tail_d;
      fetched_q <= fetched_d;
      submitted_q <= submitted_d;
      issued_q <= issued_d;
      given_q <= given_d;
      used_q <= used_d;
      cq_head_q <= cq_head_d;
      if (step_i) begin
        submitted_past_q <= {submitted_past_q[Late-2:0], submitted_d};
        given_past_q <= {given_past_q[Late-2:0], given_d};
      end
      for (int i = 0; i < NumSqs; i++) begin
        if (!halted_d[i]) halted_age_q[i] <= '0;
        else if (step_i && halted_age_q[i] <= AgeW'(Late)) begin
          halted_age_q[i] <= halted_age_q[i] + 1'b1;
        end
        if (rise_i && grant_i.sqid == 16'(i)) begin
          head_q[i] <= advance(head_q[i], grant_i.count, sq_zb_i[i]);
        end
      end
    end
  end

  assign now_exists_o = exists_d;
  assign now_halted_o = halted_d;
  assign head_o = head_q;
  always_comb begin
    now_room_o = '0;
    settled_o = '0;
    long_halted_o = '0;
    for (int i = 0; i < NumSqs; i++) begin
      now_present_o[i] = submitted_d[i] - issued_q[i];
      long_halted_o[i] = halted_age_q[i] > AgeW'(Late);
      for (int c = 0; c < NumSqs; c++) begin
        if (cqid_i[i] == IdW'(c)) begin
          now_room_o[i] = given_d[c] - used_q[c];
          settled_o[i] = exists_d[i] && !halted_d[i] &&
              ahead(submitted_past_q[Late-1][i], issued_q[i]) &&
              ahead(given_past_q[Late-1][c], used_q[c]);
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, obs_i, grant_i};
endmodule
`default_nettype wire
