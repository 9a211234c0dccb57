// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_core_pkg: types that the modules inside nvmearb_core share.
`default_nettype none
package nvmearb_core_pkg;

  // Rings have the numbers of the classes (sq_class_e). Round robin uses RingRr for every SQ.
  localparam int RingCount = 5;
  localparam logic [2:0] RingRr = 3'd0;
  localparam logic [2:0] RingUrgent = 3'd0;
  localparam logic [2:0] RingAdmin = 3'd4;

  // How a decision ends (decision 0002, rules 5 to 7).
  typedef enum logic [2:0] {
    StepKeep    = 3'd0,  // granted, the visit goes on
    StepRequeue = 3'd1,  // granted, burst used up: to the back of the ring
    StepEmpty   = 3'd2,  // granted the last command: inactive
    StepDrop    = 3'd3,  // not granted, the SQ is halted: inactive
    StepPark    = 3'd4   // not granted, no room in the CQ: to its parking place
  } step_e;

  // Operation on the rings, at most one per clock.
  typedef enum logic [2:0] {
    RingNop      = 3'd0,
    RingAppend   = 3'd1,  // a chain of SQs to the back
    RingStep     = 3'd2,  // outcome of a decision
    RingSet      = 3'd3,  // ends of the list after an SQ was taken out of it
    RingEndVisit = 3'd4,  // the visited SQ leaves
    RingFront    = 3'd5,  // an SQ to the front; the visit, if any, to the back
    RingClear    = 3'd6   // nothing is left in any ring
  } ring_op_e;

endpackage
`default_nettype wire
