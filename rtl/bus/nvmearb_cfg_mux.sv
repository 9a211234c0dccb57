// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_cfg_mux: one configuration port of the core for two owners.
//
// Purpose: lets the enable sequencer and the device side configure the core, one request at a time.
// Behaviour:
//  1. A request is taken into a register when none is under way, and shown to the core from there;
//     the sequencer goes first.
//  2. The device side is served only while dev_allow_i; a request that stands while it falls is not
//     taken, and the device side withdraws it when it sees the disable report.
//  3. done is handed to the owner of the request. That of a CfgDeleteSq of the device side waits
//     until the stream took the SQEs that stood in front of it (sqe_count_i): the last commands of
//     the SQ may be among them.
// Guarantees: at most one request under way; every done has an owner (DoneHasOwner_A).
// Requires: the core answers no earlier than the clock after it took the request.
// Timing: one clock from request to core; ready from registers; done follows core_done_i without a
//  clock, or the last of those SQEs by two.
`default_nettype none
module nvmearb_cfg_mux
  import nvmearb_pkg::*;
(
    input  wire logic     clk_i,
    input  wire logic     rst_ni,
    // Enable sequencer.
    input  wire logic     seq_valid_i,
    output logic          seq_ready_o,
    input  wire cfg_req_t seq_cfg_i,
    output logic          seq_done_o,
    // Device side.
    input  wire logic     dev_allow_i,
    input  wire logic     dev_valid_i,
    output logic          dev_ready_o,
    input  wire cfg_req_t dev_cfg_i,
    output logic          dev_done_o,
    // The core.
    output logic          core_valid_o,
    input  wire logic     core_ready_i,
    output cfg_req_t      core_cfg_o,
    input  wire logic     core_done_i,
    // SQEs in front of the stream, 0..2; one is taken in this clock.
    input  wire logic [1:0] sqe_count_i,
    input  wire logic sqe_take_i,
    // A request is under way.
    output logic          busy_o,
    // A request waits for the core, or its answer for the stream.
    output logic          pending_o
);
  logic busy_q, valid_q, dev_q, late_q, wait_for_stream, done;
  logic [1:0] sqes_q;  // SQEs that are waited for
  cfg_req_t cfg_q;

  assign seq_ready_o = !busy_q;
  assign dev_ready_o = !busy_q & !seq_valid_i & dev_allow_i;
  assign core_valid_o = valid_q;
  assign core_cfg_o = cfg_q;
  always_comb begin
    wait_for_stream = 1'b0;
    done = 1'b0;
    if (busy_q) begin
      wait_for_stream = core_done_i & dev_q & (cfg_q.op == CfgDeleteSq) & (sqe_count_i != '0);
      done = (core_done_i & !wait_for_stream) | (late_q & (sqes_q == '0));
    end
  end
  assign seq_done_o = done & !dev_q;
  assign dev_done_o = done & dev_q;
  assign busy_o = busy_q;
  assign pending_o = valid_q | late_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      valid_q <= 1'b0;
      dev_q <= 1'b0;
      late_q <= 1'b0;
      sqes_q <= '0;
    end else if (!busy_q) begin
      if (seq_valid_i | (dev_valid_i & dev_allow_i)) begin
        busy_q <= 1'b1;
        valid_q <= 1'b1;
        dev_q <= !seq_valid_i;
      end
    end else begin
      if (core_ready_i) valid_q <= 1'b0;
      if (done) busy_q <= 1'b0;
      if (wait_for_stream) begin
        late_q <= 1'b1;
        sqes_q <= sqe_count_i - 2'(sqe_take_i);
      end else if (late_q) begin
        if (sqes_q == '0) late_q <= 1'b0;
        else sqes_q <= sqes_q - 2'(sqe_take_i);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q & (seq_valid_i | dev_valid_i)) cfg_q <= seq_valid_i ? seq_cfg_i : dev_cfg_i;
  end

  // Implementation checks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
    end else begin
      if (core_done_i) begin : DoneHasOwner_A
        assert (busy_q && !valid_q && !late_q);
      end
      begin : DeviceWaitsForSequencer_C
        cover (seq_valid_i && dev_valid_i);
      end
      begin : DeleteWaitsForStream_C
        cover (late_q && sqes_q != '0);
      end
    end
  end
endmodule
`default_nettype wire
