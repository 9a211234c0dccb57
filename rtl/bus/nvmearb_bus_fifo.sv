// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_bus_fifo: first-in first-out buffer with its oldest word in a register.
//
// Purpose: decouples the two sides of a valid/ready channel, so that neither sees the other's
// combinational path.
// Behaviour:
//  1. A word is taken when in_valid_i and in_ready_o are high at a rising edge.
//  2. The oldest word is shown on out_data_o while out_valid_o is high, and leaves with
//     out_ready_i.
//  3. It stands in a register; the words behind it in a memory that is read without a clock (a few
//     flip-flops, or distributed RAM where there are many).
//  4. FallThrough: while nothing is held a word is shown in the clock in which it comes, and only
//     kept if it is not taken in that clock.
// Guarantees: order is kept, nothing is lost or invented; out_valid_o and out_data_o are held until
//  taken (OutputIsHeld_A).
// Requires: nothing.
// Timing: one clock from in to out, and all outputs from registers only; with FallThrough no clock,
//  and in_ready_o and count_o from registers only. One word per clock; every other clock with Depth
//  1 and not FallThrough.
`default_nettype none
module nvmearb_bus_fifo #(
    // Bits of a word, 1 or more.
    parameter int Width = 8,
    // Words held, 1 or more, any number.
    parameter int Depth = 2,
    // 1: no clock from in to out while nothing is held.
    parameter bit FallThrough = 1'b0
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

  localparam int CountW = $clog2(Depth + 1);

  logic valid_q, full_q;
  logic [CountW-1:0] count_q;
  logic [Width-1:0] out_q;
  logic push, pop;

  assign in_ready_o = !full_q;
  assign count_o = count_q;
  if (FallThrough) begin : gen_through
    assign out_valid_o = valid_q | in_valid_i;
    assign out_data_o = valid_q ? out_q : in_data_i;
    assign push = in_valid_i & !full_q & (valid_q | !out_ready_i);
  end else begin : gen_register
    assign out_valid_o = valid_q;
    assign out_data_o = out_q;
    assign push = in_valid_i & !full_q;
  end
  assign pop = valid_q & out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      full_q <= 1'b0;
      count_q <= '0;
    end else if (push & !pop) begin
      valid_q <= 1'b1;
      full_q <= count_q == CountW'(Depth - 1);
      count_q <= count_q + 1'b1;
    end else if (pop & !push) begin
      valid_q <= count_q != CountW'(1);
      full_q <= 1'b0;
      count_q <= count_q - 1'b1;
    end
  end

  if (Depth == 1) begin : gen_one
    always_ff @(posedge clk_i) begin
      if (push) out_q <= in_data_i;
    end
  end else begin : gen_more
    localparam int Behind = Depth - 1;
    localparam int PtrW = (Behind > 1) ? $clog2(Behind) : 1;
    localparam logic [PtrW-1:0] Last = PtrW'(Behind - 1);
    logic [Width-1:0] mem_q [Behind];
    logic [PtrW-1:0] rd_q, wr_q;
    logic behind;  // words behind the oldest

    assign behind = count_q > CountW'(1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        rd_q <= '0;
        wr_q <= '0;
      end else begin
        if (pop & behind) begin
          out_q <= mem_q[rd_q];
          rd_q <= (rd_q == Last) ? '0 : rd_q + 1'b1;
        end
        // A word goes past the memory when nothing is left in front of it.
        if (push) begin
          if (!valid_q | (pop & !behind)) out_q <= in_data_i;
          else wr_q <= (wr_q == Last) ? '0 : wr_q + 1'b1;
        end
      end
    end
    // Written in any case, to a place that is free: no enable that waits for the reading side.
    always_ff @(posedge clk_i) begin
      if (in_valid_i & !full_q) mem_q[wr_q] <= in_data_i;
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
