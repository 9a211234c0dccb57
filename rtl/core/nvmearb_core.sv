// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core: bus-agnostic SQ arbitration engine (port contract; logic follows).
`default_nettype none
module nvmearb_core
  import nvmearb_pkg::*;
#(
    // Number of SQs including SQ 0, and of CQs: 2..1024 (ids 0 .. NumSqs-1), any number.
    parameter int unsigned NumSqs = 16,
    // Width of queue pointers: largest queue is 2^PtrW entries. 2..16.
    parameter int unsigned PtrW = 16,
    // Width of the command slot counter: at most 2^SlotW - 1 slots. 2..16.
    parameter int unsigned SlotW = 10
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,        // synchronous release, see house style
    // Configuration, one request at a time; cfg_done_o pulses once when it has taken effect.
    input  wire logic             cfg_valid_i,
    output logic                  cfg_ready_o,
    input  wire cfg_req_t         cfg_i,
    output logic                  cfg_done_o,
    // Doorbells, in order.
    input  wire logic             db_valid_i,
    output logic                  db_ready_o,
    input  wire doorbell_t        db_i,
    // Refused doorbells (one clock, no back-pressure): value for AER.
    output logic                  err_valid_o,
    output logic [7:0]            err_info_o,
    output doorbell_t             err_db_o,
    // Command slots handed to the arbiter in this clock, 0..15.
    input  wire logic [3:0]       slot_give_i,
    // Largest count of a grant, 1..8; quasi-static.
    input  wire logic [3:0]       max_count_i,
    // Freezes: no new grant of I/O SQs / of any SQ, from the decision after the next clock on.
    input  wire logic             hold_io_i,
    input  wire logic             hold_all_i,
    // Grants, in arbitration order. A decision is made only while a slot is held.
    output logic                  grant_valid_o,
    input  wire logic             grant_ready_i,
    output grant_t                grant_o,
    // Fetch commit: commit_count_i SQEs of commit_sqid_i are captured, in grant order of that SQ.
    input  wire logic             commit_valid_i,
    input  wire logic [15:0]      commit_sqid_i,
    input  wire logic [3:0]       commit_count_i,
    // A granted command has left the controller.
    input  wire logic             complete_valid_i,
    output logic                  complete_ready_o,
    input  wire complete_t        complete_i,
    // Nothing changes any more unless an input does.
    output logic                  quiescent_o,
    output obs_t                  obs_o
);
endmodule
`default_nettype wire
