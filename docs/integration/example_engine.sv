// SPDX-License-Identifier: Apache-2.0
//
// example_engine: a controller with registers, firmware and DMA of its own takes the arbitration
// engine alone. Copy the instance; the ports of this module are what your blocks connect to.
`default_nettype none
module example_engine
  import nvmearb_pkg::*;
(
    input  wire logic         clk_i,
    input  wire logic         rst_ni,
    // Firmware: one request at a time; cfg_done_o answers it.
    input  wire logic         cfg_valid_i,
    output logic              cfg_ready_o,
    input  wire cfg_req_t     cfg_i,
    output logic              cfg_done_o,
    // Your doorbell decoder: which queue, which value.
    input  wire logic         db_valid_i,
    output logic              db_ready_o,
    input  wire logic         db_is_cq_i,
    input  wire logic [15:0]  db_qid_i,
    input  wire logic [15:0]  db_value_i,
    // Refused doorbells: post an asynchronous event with this error information.
    output logic              aer_valid_o,
    output logic [7:0]        aer_info_o,
    // Your command buffer: entries that became free in this clock.
    input  wire logic [3:0]   freed_i,
    // Firmware: stop I/O; stop everything.
    input  wire logic         stop_io_i,
    input  wire logic         stop_all_i,
    // Your DMA: read count SQEs of 64 bytes from base(sqid) + 64 * head.
    output logic              read_valid_o,
    input  wire logic         read_ready_i,
    output grant_t            read_o,
    // Your DMA: so many of them are in the command buffer now.
    input  wire logic         captured_valid_i,
    input  wire logic [15:0]  captured_sqid_i,
    input  wire logic [3:0]   captured_count_i,
    // Your completion unit: a command is done, with or without a CQE.
    input  wire logic         done_valid_i,
    output logic              done_ready_o,
    input  wire complete_t    done_i,
    // The engine has nothing to do.
    output logic              idle_o
);
  doorbell_t doorbell, refused;
  obs_t seen;
  logic [2:0] awake;

  assign doorbell.is_cq = db_is_cq_i;
  assign doorbell.qid = db_qid_i;
  assign doorbell.value = db_value_i;

  nvmearb_core #(
      .NumSqs(129),  // SQ 0 and 128 I/O SQs
      .PtrW  (12),   // queues of up to 4096 entries
      .SlotW (8)     // up to 255 commands in the buffer
  ) u_engine (
      .clk_i,
      .clk_cfg_i  (clk_i),  // no clock gating
      .clk_event_i(clk_i),
      .clk_grant_i(clk_i),
      .awake_o    (awake),
      .rst_ni,
      .cfg_valid_i,
      .cfg_ready_o,
      .cfg_i,
      .cfg_done_o,
      .db_valid_i,
      .db_ready_o,
      .db_i            (doorbell),
      .err_valid_o     (aer_valid_o),
      .err_info_o      (aer_info_o),
      .err_db_o        (refused),
      .slot_give_i     (freed_i),
      .max_count_i     (4'd8),
      .hold_io_i       (stop_io_i),
      .hold_all_i      (stop_all_i),
      .grant_valid_o   (read_valid_o),
      .grant_ready_i   (read_ready_i),
      .grant_o         (read_o),
      .commit_valid_i  (captured_valid_i),
      .commit_sqid_i   (captured_sqid_i),
      .commit_count_i  (captured_count_i),
      .complete_valid_i(done_valid_i),
      .complete_ready_o(done_ready_o),
      .complete_i      (done_i),
      .quiescent_o     (idle_o),
      .obs_o           (seen)
  );

  logic unused;
  assign unused = &{1'b0, refused, seen, awake};
endmodule
`default_nettype wire
