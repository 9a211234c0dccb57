// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_ring_store: the SQs of a ring that are not in its window: a FIFO of {phase, id}.
//
// Purpose: memory for nvmearb_fr_ring.
// Behaviour: up to two pushes per clock, the front's (push_front_i) before an activation's of the
//  clock before (push_act_i). What is pushed is given one clock later (front_i, act_i[0]) and
//  written then; an activation that is not alone (alone_i) a clock later (act_i[1]). Two banks take
//  turns, each read ahead. there_o: take_i takes next_o.
// Guarantees: order is that of the pushes; never full (Fits_A): of 2^QidW SQs some are in the
//  window or on the way.
// Timing: push to there_o one clock, of an activation that is not alone two.
`default_nettype none
module nvmearb_fr_ring_store #(
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4
) (
    input  wire logic          clk_i,
    input  wire logic          rst_ni,
    input  wire logic          clear_i,
    input  wire logic          push_front_i,
    input  wire logic          push_act_i,
    input  wire logic [QidW:0] front_i,   // one clock later
    input  wire logic          alone_i,   // no other SQ is here, in the window or on the way
    input  wire logic          again_i,   // the activation is of the front that was granted
    input  wire logic [1:0][QidW:0] act_i,  // one, two clocks later
    output logic               there_o,
    input  wire logic          take_i,
    output logic [QidW:0]      next_o,
    output logic               taken_front_o,  // a clock later: it was granted two clocks before
    output logic               idle_o,        // nothing is on the way to the memory
    output logic               empty_o        // nor in it
);
  localparam int W = QidW > 1 ? QidW : 2;
  logic a_q, act_q, b_q, alone, again_q, any, both, empty, recent_q, one, front_q;
  logic [W-1:0] write_q, write_2, read, read_2;
  // Where each bank is read: read and what is behind it.
  logic [1:0][W-2:0] bank_q;
  logic odd_q;
  logic [QidW:0] first, recent_word_q;
  logic [1:0][QidW:0] word;

  // What is written in this clock, in order.
  assign alone = act_q && alone_i;
  assign both = a_q && b_q;
  assign any = a_q || b_q || alone;
  assign first = a_q ? front_i : b_q ? act_i[1] : act_i[0];
  assign write_2 = write_q + W'(1);
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    logic first_here;
    assign first_here = write_q[0] == b;
    nvmearb_fr_ram #(.Width(QidW + 1), .Depth(2 ** (W - 1)), .Bypass(1'b0)) u_ids (
        .clk_i,
        .we_i(both || (any && first_here)),
        .waddr_i(first_here ? write_q[W-1:1] : write_2[W-1:1]),
        .wdata_i(first_here ? first : act_i[1]),
        .re_i(1'b1), .raddr_i(bank_q[b]),
        .rdata_o(word[b]));
  end
  // Behind this clock it is empty.
  assign read = {bank_q[1], odd_q};
  assign read_2 = {bank_q[0], !odd_q};
  assign one = write_q == read_2;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) empty <= 1'b1;
    else empty <= take_i ? (any ? empty && !both : one) : empty && !any;
  end
  assign there_o = !empty || any;
  // While it is written, a clock later, or from the bank that was read in the clock before.
  assign next_o = empty ? first : recent_q ? recent_word_q : word[odd_q];
  assign taken_front_o = front_q;
  assign idle_o = !a_q && !act_q && !b_q;
  assign empty_o = idle_o && empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      a_q <= 1'b0;
      act_q <= 1'b0;
      b_q <= 1'b0;
      write_q <= '0;
      bank_q <= '0;
      odd_q <= 1'b0;
      recent_q <= 1'b0;
    end else begin
      a_q <= push_front_i;
      act_q <= push_act_i;
      if (b_q != (act_q && !alone)) b_q <= act_q && !alone;
      if (any) write_q <= both ? write_q + W'(2) : write_2;
      if (take_i) bank_q[odd_q] <= bank_q[odd_q] + (W - 1)'(1);
      if (take_i) odd_q <= !odd_q;
      recent_q <= any && (empty ? both || !take_i : one && take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    again_q <= again_i;
    front_q <= empty && (a_q || (alone && again_q));
    recent_word_q <= both && empty && take_i ? act_i[1] : first;
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : Fits_A
        assert (!(any && (both ? write_q + W'(2) : write_2) == read));
      end
    end
  end
endmodule
`default_nettype wire
