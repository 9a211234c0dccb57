// SPDX-License-Identifier: Apache-2.0
//
// Contract of nvmearb_bus_fifo: a reference queue beside it, word by word.
`default_nettype none
module bus_fifo_props #(
    parameter int Width = 8,
    parameter int Depth = 2,
    parameter bit FallThrough = 1'b0,
    // 1: adds a property that does not hold.
    parameter bit Lie = 1'b0
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             in_valid_i,
    input wire logic [Width-1:0] in_data_i,
    input wire logic             out_ready_i
);
  logic in_ready, out_valid;
  logic [Width-1:0] out_data;
  logic [$clog2(Depth + 1)-1:0] count;

  nvmearb_bus_fifo #(.Width(Width), .Depth(Depth), .FallThrough(FallThrough)) u_dut (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o(in_ready), .in_data_i,
      .out_valid_o(out_valid), .out_ready_i, .out_data_o(out_data), .count_o(count));

  // The words held, oldest at index 0.
  logic [Depth-1:0][Width-1:0] ref_q, ref_d;
  int unsigned held_q, held_d;
  logic started_q = 1'b0;
  always_comb begin
    ref_d = ref_q;
    held_d = held_q;
    if (in_valid_i && in_ready) begin
      for (int i = 0; i < Depth; i++) if (32'(i) == held_d) ref_d[i] = in_data_i;
      held_d = held_d + 1;
    end
    // With FallThrough a word may leave in the clock in which it comes.
    if (out_valid && out_ready_i) begin
      for (int i = 0; i + 1 < Depth; i++) ref_d[i] = ref_d[i+1];
      held_d = held_d - 1;
    end
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    ref_q <= ref_d;
    held_q <= rst_ni ? held_d : 0;
  end

  always @(posedge clk_i) begin
    if (!started_q) begin : StartsWithReset_M assume (!rst_ni); end
    if (rst_ni) begin
      begin : Counts_A assert (32'(count) == held_q); end
      begin : ReadyWhileNotFull_A assert (in_ready == (held_q < Depth)); end
      begin : ShowsWhatItHas_A
        assert (out_valid == (held_q > 0 || (FallThrough && in_valid_i)));
      end
      if (out_valid) begin : OldestFirst_A
        assert (out_data == (held_q > 0 ? ref_q[0] : in_data_i));
      end
      begin : FullBothWays_C cover (held_q == Depth && in_valid_i && out_ready_i); end
    end
  end
  if (Lie) begin : gen_lie
    always @(posedge clk_i) begin
      if (rst_ni) begin : False_A assert (!(out_valid && held_q == Depth)); end
    end
  end
endmodule
`default_nettype wire
