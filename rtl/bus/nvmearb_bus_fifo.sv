// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_bus_fifo: small first-in first-out buffer in flip-flops.
//
// Purpose: decouples the two sides of a valid/ready channel, so that neither sees the other's
// combinational path.
// Behaviour:
//  1. A word is taken when in_valid_i and in_ready_o are high at a rising edge.
//  2. The oldest word is shown on out_data_o while out_valid_o is high, and leaves with
//     out_ready_i.
// Guarantees: order is kept, nothing is lost or invented; out_valid_o and out_data_o are held until
//  taken (OutputIsHeld_A).
// Requires: nothing.
// Timing: one clock from in to out. in_ready_o, out_valid_o, out_data_o and empty_o come from
//  registers only. Depth 2 or more sustains one word per clock, Depth 1 every other clock.
`default_nettype none
module nvmearb_bus_fifo #(
    // Bits of a word, 1 or more.
    parameter int Width = 8,
    // Words held, 1 or more, any number.
    parameter int Depth = 2
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
    // Words held now.
    output logic [$clog2(Depth + 1)-1:0] count_o
);
  if (Width < 1) begin : gen_bad_width
    nvmearb_error_bus_fifo_width_has_to_be_at_least_1 u_error ();
  end
  if (Depth < 1) begin : gen_bad_depth
    nvmearb_error_bus_fifo_depth_has_to_be_at_least_1 u_error ();
  end

  localparam int PtrW = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int CountW = $clog2(Depth + 1);
  localparam logic [PtrW-1:0] Last = PtrW'(Depth - 1);

  logic [Width-1:0] mem_q [Depth];
  logic [PtrW-1:0] rd_q, wr_q;
  logic [CountW-1:0] count_q;
  logic push, pop;

  assign in_ready_o = count_q != CountW'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o = mem_q[rd_q];
  assign count_o = count_q;
  assign push = in_valid_i & in_ready_o;
  assign pop = out_valid_o & out_ready_i;

  always_ff @(posedge clk_i) begin
    if (push) mem_q[wr_q] <= in_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_q <= '0;
      wr_q <= '0;
      count_q <= '0;
    end else if (push | pop) begin
      if (push) wr_q <= (wr_q == Last) ? '0 : wr_q + 1'b1;
      if (pop) rd_q <= (rd_q == Last) ? '0 : rd_q + 1'b1;
      if (push & !pop) count_q <= count_q + 1'b1;
      if (pop & !push) count_q <= count_q - 1'b1;
    end
  end

  // Implementation checks.
  logic held_q;
  logic [Width-1:0] held_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      held_data_q <= '0;
    end else begin
      held_q <= out_valid_o & !out_ready_i;
      if (out_valid_o & !out_ready_i) held_data_q <= out_data_o;
      if (held_q) begin : OutputIsHeld_A
        assert (out_valid_o && out_data_o == held_data_q);
      end
      if (push) begin : CountFits_A
        assert (count_q < CountW'(Depth));
      end
    end
  end
endmodule
`default_nettype wire
