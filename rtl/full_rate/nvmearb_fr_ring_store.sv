// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_ring_store: the SQs of a ring that are not in its window: a FIFO of {phase, id}.
//
// Purpose: memory for nvmearb_fr_ring.
// Behaviour: up to two pushes per clock, the front's (push_front_i) before an activation's
//  (push_act_i); what is pushed is given one clock later (front_i, act_i), and is written then. Two
//  banks take turns. want_o: an SQ is there and the window has a place for it; take_i reads it.
// Guarantees: order is that of the pushes; never full (Fits_A): of 2^QidW SQs some are in the
//  window or on the way.
// Timing: push to want_o two clocks; take_i to taken_o one.
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
    input  wire logic [QidW:0] act_i,
    input  wire logic          place_i,
    output logic               want_o,
    input  wire logic          take_i,
    output logic [QidW:0]      taken_o,
    output logic               idle_o
);
  localparam int BankW = QidW > 2 ? QidW - 1 : 1;
  logic a_q, b_q, bank_q;
  logic [QidW-1:0] write_q, write_b, read_q;
  logic [1:0][QidW:0] word;

  assign write_b = write_q + QidW'(a_q);
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    logic a_here;
    assign a_here = a_q && write_q[0] == b;
    nvmearb_fr_ram #(.Width(QidW + 1), .Depth(2 ** BankW), .Bypass(1'b0)) u_ids (
        .clk_i,
        .we_i(a_here || (b_q && write_b[0] == b)),
        .waddr_i(BankW'({1'b0, a_here ? write_q : write_b} >> 1)),
        .wdata_i(a_here ? front_i : act_i),
        .re_i(take_i && read_q[0] == b), .raddr_i(BankW'({1'b0, read_q} >> 1)),
        .rdata_o(word[b]));
  end
  assign want_o = write_q != read_q && place_i;
  assign taken_o = word[bank_q];
  assign idle_o = !a_q && !b_q && !want_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      a_q <= 1'b0;
      b_q <= 1'b0;
      write_q <= '0;
      read_q <= '0;
    end else begin
      if (a_q != push_front_i) a_q <= push_front_i;
      if (b_q != push_act_i) b_q <= push_act_i;
      if (a_q || b_q) write_q <= write_b + QidW'(b_q);
      if (take_i) read_q <= read_q + QidW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) bank_q <= read_q[0];
  end

  // Implementation checks.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      begin : Fits_A
        assert (!((a_q || b_q) && QidW'(write_b + QidW'(b_q)) == read_q));
      end
    end
  end
endmodule
`default_nettype wire
