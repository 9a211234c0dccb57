// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_pkg: types and constants that more than one module shares. Encodings are those of the
// NVMe specification where it has one.
`default_nettype none
package nvmearb_pkg;

  // Error Information of a refused doorbell (Base 2.1 AER, DW0[15:8]).
  localparam logic [7:0] DbErrInvalidRegister = 8'h00;
  localparam logic [7:0] DbErrInvalidValue = 8'h01;

  // Class of an SQ. Bits [1:0] are QPRIO of Create I/O SQ (CDW11[2:1]); SqAdmin is SQ 0.
  typedef enum logic [2:0] {
    SqUrgent = 3'd0,
    SqHigh   = 3'd1,
    SqMedium = 3'd2,
    SqLow    = 3'd3,
    SqAdmin  = 3'd4
  } sq_class_e;

  // Configuration request of the device side (firmware, or the enable sequencer).
  typedef enum logic [2:0] {
    CfgReset    = 3'd0,  // forget every queue; wrr and settings take their power-on values
    CfgCreateCq = 3'd1,  // id, size_zb
    CfgDeleteCq = 3'd2,  // id; no SQ may be mapped to it
    CfgCreateSq = 3'd3,  // id, cqid, size_zb, sq_class, base
    CfgDeleteSq = 3'd4,  // id; answered when nothing of it is granted any more and all is fetched
    CfgSetArb   = 3'd5,  // ab, hpw_zb, mpw_zb, lpw_zb: reloads credits (feature 01h)
    CfgSetMech  = 3'd6   // wrr
  } cfg_op_e;

  typedef struct packed {
    cfg_op_e     op;
    logic [15:0] id;
    logic [15:0] cqid;
    logic [15:0] size_zb;  // entries - 1
    sq_class_e   sq_class;
    logic [63:6] base;     // bus address of slot 0
    logic        wrr;      // 1: weighted round robin with urgent class
    logic [2:0]  ab;       // 2^ab commands, 7 = no limit
    logic [7:0]  hpw_zb;
    logic [7:0]  mpw_zb;
    logic [7:0]  lpw_zb;
  } cfg_req_t;

  // A doorbell write, already decoded.
  typedef struct packed {
    logic        is_cq;
    logic [15:0] qid;
    logic [15:0] value;
  } doorbell_t;

  // count commands of one SQ from slot head on; never crosses the ring end.
  typedef struct packed {
    logic [15:0] sqid;
    logic [15:0] cqid;
    logic [15:0] head;
    logic [15:0] size_zb;
    logic [3:0]  count;    // 1..8
    sq_class_e   sq_class;
    logic        first;    // begins a new visit
  } grant_t;

  // A granted command has left the controller.
  typedef struct packed {
    logic [15:0] sqid;
    logic [15:0] cqid;
    logic        posted;   // a CQE was written
  } complete_t;

  // What goes with a fetched SQE on the SQE stream (tuser).
  typedef struct packed {
    logic [15:0] sqid;
    logic [15:0] cqid;
    logic [15:0] sqhd;     // fetched head after this command: SQHD of its completion
    sq_class_e   sq_class;
  } sqe_user_t;

  // Commands of one SQ that are read in one burst: count slots from head on.
  typedef struct packed {
    logic [15:0] sqid;
    logic [15:0] cqid;
    logic [15:0] head;
    logic [6:0]  count;    // 1..64
    logic        wraps;    // ends with the last slot of the ring
    sq_class_e   sq_class;
  } sqe_burst_t;

  // Observation port: every decision, doorbell, fetch and commit. Events of one clock are read in
  // the order of the fields (config first).
  typedef struct packed {
    logic        cfg_valid;      // a configuration request took effect (create, delete, set, reset)
    cfg_req_t    cfg;
    logic        db_valid;       // a doorbell was accepted
    logic        db_reject;      // a doorbell was refused: db_error
    logic [7:0]  db_error;
    doorbell_t   db;
    logic        grant_valid;    // grant handshake
    grant_t      grant;
    logic        fetch_valid;    // fetch commit: fetch_count SQEs of fetch_sqid captured
    logic [15:0] fetch_sqid;
    logic [3:0]  fetch_count;
    logic [15:0] fetch_head;     // fetched head after it
    logic        complete_valid;
    complete_t   complete;
    logic [8:0]  credit_h;       // after the grant of this clock, 0..256
    logic [8:0]  credit_m;
    logic [8:0]  credit_l;
  } obs_t;

endpackage
`default_nettype wire
