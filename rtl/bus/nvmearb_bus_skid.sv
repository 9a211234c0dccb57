// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_bus_skid: lets a word through in the same clock, and holds it if nobody takes it.
//
// Purpose: gives a channel a ready that comes from a register, without a clock of latency.
// Behaviour:
//  1. A word is shown on out_* in the clock in which it comes, while nothing is held.
//  2. If it is not taken in that clock it is held, in_ready_o falls, and it is shown until taken.
// Guarantees: order is kept, nothing is lost or invented; what is shown is held until taken
//  (OutputIsHeld_A).
// Requires: nothing.
// Timing: no clock from in to out; in_ready_o and held_o from registers. One word per clock.
`default_nettype none
module nvmearb_bus_skid #(
    // Bits of a word, 1 or more.
    parameter int Width = 8
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    // Writing side.
    input  wire logic             in_valid_i,
    output logic                  in_ready_o,
    input  wire logic [Width-1:0] in_data_i,
    // Reading side.
    output logic                  out_valid_o,
    input  wire logic             out_ready_i,
    output logic [Width-1:0]      out_data_o,
    // A word is held.
    output logic                  held_o
);
  if (Width < 1) begin : gen_bad_width
    nvmearb_error_bus_skid_width_has_to_be_at_least_1 u_error ();
  end

  logic held_q;
  logic [Width-1:0] data_q;

  assign in_ready_o = !held_q;
  assign out_valid_o = held_q | in_valid_i;
  assign out_data_o = held_q ? data_q : in_data_i;
  assign held_o = held_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= out_valid_o & !out_ready_i;
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i & !held_q) data_q <= in_data_i;
  end

  // Implementation checks.
  logic shown_q;
  logic [Width-1:0] shown_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shown_q <= 1'b0;
      shown_data_q <= '0;
    end else begin
      shown_q <= out_valid_o & !out_ready_i;
      if (out_valid_o & !out_ready_i) shown_data_q <= out_data_o;
      if (shown_q) begin : OutputIsHeld_A
        assert (out_valid_o && out_data_o == shown_data_q);
      end
    end
  end
endmodule
`default_nettype wire
