// SPDX-License-Identifier: Apache-2.0
//
// channel_rules: what the sender of a valid/ready channel owes (AMBA AXI A3.2.1).
//
// Behaviour, checked at every clock:
//  1. Once shown, valid and payload stay until the clock in which ready takes them.
//  2. Valid is low in the first clock after a reset.
`default_nettype none
module channel_rules #(
    // Bits of the payload, all of them together.
    parameter int Width = 1,
    // 1: the sender is the environment, and the rules are what it is assumed to do.
    parameter bit Assume = 1'b0
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             valid_i,
    input wire logic             ready_i,
    input wire logic [Width-1:0] payload_i
);
  logic held_q, reset_q;
  logic [Width-1:0] payload_q;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && valid_i && !ready_i;
    reset_q <= !rst_ni;
    payload_q <= payload_i;
  end

  logic keeps, quiet;
  assign keeps = !held_q || (valid_i && payload_i == payload_q);
  assign quiet = !reset_q || !valid_i;
  if (Assume) begin : gen_assume
    always @(posedge clk_i) begin
      if (rst_ni) begin : KeepsWhatItShows_M assume (keeps); end
      if (rst_ni) begin : QuietAfterReset_M assume (quiet); end
    end
  end else begin : gen_assert
    always @(posedge clk_i) begin
      if (rst_ni) begin : KeepsWhatItShows_A assert (keeps); end
      if (rst_ni) begin : QuietAfterReset_A assert (quiet); end
    end
  end
endmodule
`default_nettype wire
