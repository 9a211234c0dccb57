// SPDX-License-Identifier: Apache-2.0
//
// axi_read_rules: an AXI4 read master of whole SQEs with one ID, and the memory behind it.
//
// Checked of the master (AMBA AXI4 A3.2 to A3.4, decision 0045):
//  1. AR keeps what it shows; it is quiet after a reset.
//  2. INCR bursts of full beats, of whole SQEs, aligned to 64 bytes, within 4 KiB.
//  3. At most MaxReads bursts are outstanding.
// Assumed of the memory: R beats only for bursts that AR asked for, in order, kept until taken;
// RLAST with the last of each.
`default_nettype none
module axi_read_rules #(
    parameter int DataW = 512,
    parameter int MaxReads = 2
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    input  wire logic             arvalid_i,
    input  wire logic             arready_i,
    input  wire logic [63:0]      araddr_i,
    input  wire logic [7:0]       arlen_i,
    input  wire logic [2:0]       arsize_i,
    input  wire logic [1:0]       arburst_i,
    input  wire logic             rvalid_i,
    input  wire logic             rready_i,
    input  wire logic [DataW-1:0] rdata_i,
    input  wire logic [1:0]       rresp_i,
    input  wire logic             rlast_i,
    // Commands that the AR of this clock asks for.
    output logic [6:0]            ar_count_o
);
  localparam int BeatsPerSqe = 512 / DataW;
  localparam int Depth = MaxReads + 1;
  localparam int CountW = $clog2(Depth + 1);

  channel_rules #(.Width(64 + 8 + 3 + 2)) u_ar (
      .clk_i, .rst_ni, .valid_i(arvalid_i), .ready_i(arready_i),
      .payload_i({araddr_i, arlen_i, arsize_i, arburst_i}));
  // All bits of the data go the same way: the outermost stand for them.
  channel_rules #(.Width(5), .Assume(1'b1)) u_r (
      .clk_i, .rst_ni, .valid_i(rvalid_i), .ready_i(rready_i),
      .payload_i({rdata_i[DataW-1], rdata_i[0], rresp_i, rlast_i}));

  // Bursts asked for, oldest first: beats left of each, minus one.
  logic [Depth-1:0][7:0] left_q, left_d;
  logic [CountW-1:0] bursts_q, bursts_d;
  logic [8:0] beats;
  assign beats = 9'(arlen_i) + 9'd1;
  assign ar_count_o = 7'(beats / 9'(BeatsPerSqe));
  always_comb begin
    left_d = left_q;
    bursts_d = bursts_q;
    if (rvalid_i && rready_i) begin
      if (left_d[0] == '0) begin
        left_d = {8'd0, left_q[Depth-1:1]};
        bursts_d = bursts_d - CountW'(1);
      end else begin
        left_d[0] = left_d[0] - 8'd1;
      end
    end
    if (arvalid_i && arready_i) begin
      for (int i = 0; i < Depth; i++) if (CountW'(i) == bursts_d) left_d[i] = arlen_i;
      bursts_d = bursts_d + CountW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    bursts_q <= rst_ni ? bursts_d : '0;
  end

  logic unused;
  assign unused = ^rdata_i;

  always @(posedge clk_i) begin
    if (rst_ni && rvalid_i) begin
      begin : DataWasAskedFor_M assume (bursts_q != '0); end
      begin : LastIsLast_M assume (rlast_i == (left_q[0] == '0)); end
    end
    if (rst_ni && arvalid_i) begin
      begin : IncrOfFullBeats_A
        assert (arburst_i == 2'b01 && 32'(arsize_i) == $clog2(DataW / 8));
      end
      begin : AlignedWholeSqes_A
        assert (araddr_i[5:0] == '0 && beats % 9'(BeatsPerSqe) == '0);
      end
      begin : StaysWithin4KiB_A
        assert (8'(araddr_i[11:6]) + 8'(ar_count_o) <= 8'd64);
      end
      begin : NoMoreReadsThanAllowed_A assert (bursts_q < CountW'(MaxReads)); end
    end
  end
endmodule
`default_nettype wire
