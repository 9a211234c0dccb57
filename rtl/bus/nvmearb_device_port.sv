// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_device_port: takes the device side's slots into registers.
//
// Purpose: keeps combinational paths from the device side out of the decision logic. Completions do
//  not pass
// through here: one that is reported together with a CQ head doorbell has to count before it.
// Behaviour: slots and the largest grant count reach the core one clock later.
// Guarantees: no slot is lost or repeated.
// Timing: one clock.
`default_nettype none
module nvmearb_device_port (
    input  wire logic       clk_i,
    input  wire logic       rst_ni,
    // Device side.
    input  wire logic [3:0] slot_give_i,
    input  wire logic [3:0] max_count_i,
    // The core.
    output logic [3:0]      slot_give_o,
    output logic [3:0]      max_count_o,
    // Nothing is held.
    output logic            idle_o
);
  logic [3:0] slot_give_q, max_count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_give_q <= '0;
      max_count_q <= 4'd1;
    end else begin
      slot_give_q <= slot_give_i;
      max_count_q <= max_count_i;
    end
  end

  assign slot_give_o = slot_give_q;
  assign max_count_o = max_count_q;
  assign idle_o = slot_give_q == '0;
endmodule
`default_nettype wire
