// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_pkg: types that the modules inside nvmearb_core share.
`default_nettype none
package nvmearb_fr_pkg;

  // Rings have the numbers of the classes (sq_class_e). Round robin uses RingRr for every SQ;
  // RingAdmin then holds SQ 0 while hold_io gives it the turn (decision 0002, rule 14).
  localparam int RingCount = 5;
  localparam logic [2:0] RingRr = 3'd0;
  localparam logic [2:0] RingUrgent = 3'd0;
  localparam logic [2:0] RingAdmin = 3'd4;

  // Class, as the event pipe sees it, of an SQ that does not exist, or is halted.
  localparam logic [2:0] SqAbsent = 3'd6;
  localparam logic [2:0] SqHalted = 3'd7;

  // Entries of a ring that are held in flip-flops, with the number of their commands. An SQ that
  // goes through the memory of its ring can be granted again RingWindow + 1 clocks later (decision
  // 0023).
  localparam int RingWindow = 4;

  // The number of commands of an SQ as a ring knows it: exactly `known`, or with `more` at least
  // that.
  localparam int KnownW = 5;
  typedef struct packed {
    logic              more;
    logic [KnownW-1:0] known;
  } left_t;
  // A number that is added to one below 2^(KnownW-1): 2^(KnownW-1) at most.
  typedef left_t more_t;

  // A number of commands as far as a ring can hold it.
  function automatic left_t as_left(input logic [15:0] count);
    logic high;
    high = count[15:KnownW] != '0;
    return {high, count[KnownW-1:0] | {KnownW{high}}};
  endfunction

  // As far as it can be added.
  function automatic more_t as_more(input logic [15:0] count);
    logic high;
    high = count[15:KnownW-1] != '0;
    return {high && (count[15:KnownW] != '0 || count[KnownW-2:0] != '0), high,
            count[KnownW-2:0] & {(KnownW-1){!high}}};
  endfunction

  // The same of a number that a ring holds.
  function automatic more_t more_of(input left_t left);
    logic high;
    high = left.known[KnownW-1];
    return {high && (left.more || left.known[KnownW-2:0] != '0), high,
            left.known[KnownW-2:0] & {(KnownW-1){!high}}};
  endfunction

endpackage
`default_nettype wire
