// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_cq_table: the state of every CQ, in memories.
//
// Purpose: as nvmearb_sq_table, for CQs: size, head, tail, room, and the lists of SQs parked there.
// Behaviour: see nvmearb_ram. `room` is the number of commands that may still be granted into the
//  CQ; `parked` has one bit per ring: its parking list is not empty. A parking list is addressed by
//  {CQ, ring}; its links are those of nvmearb_rings.
// Fields and their only writers: configuration (config sequencer); head (event pipe); tail
//  (completions); room and parked (event pipe and grant unit, in different clocks; config sequencer
//  under lock); list ends (grant unit; config sequencer under lock).
// Requires: one write per field and clock, ids below NumSqs.
// Timing: one clock from address to data.
`default_nettype none
module nvmearb_cq_table
  import nvmearb_core_pkg::*;
#(
    // CQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4
) (
    input  wire logic                 clk_i,
    input  wire logic                 clk_event_i,
    input  wire logic                 clk_grant_i,
    // Write: does it exist?
    input  wire logic                 exists_we_i,
    input  wire logic [QidW-1:0]      cfg_cqid_i,
    input  wire logic                 exists_i,
    // Write: configuration, of the same CQ.
    input  wire logic                 cfg_we_i,
    input  wire logic [PtrW-1:0]      cfg_size_zb_i,
    // Write: head.
    input  wire logic                 head_we_i,
    input  wire logic [QidW-1:0]      head_cqid_i,
    input  wire logic [PtrW-1:0]      head_i,
    // Write: tail.
    input  wire logic                 tail_we_i,
    input  wire logic [QidW-1:0]      tail_cqid_i,
    input  wire logic [PtrW-1:0]      tail_i,
    // Write: room and which parking lists are in use.
    input  wire logic                 room_we_i,
    input  wire logic [QidW-1:0]      room_cqid_i,
    input  wire logic [RingCount-1:0] room_parked_i,
    input  wire logic [PtrW-1:0]      room_i,
    // Write: ends of a parking list.
    input  wire logic                 park_we_i,
    input  wire logic [QidW+2:0]      park_waddr_i,
    input  wire logic [QidW-1:0]      park_first_i,
    input  wire logic [QidW-1:0]      park_last_i,
    // Read: event pipe.
    input  wire logic                 ev_re_i,
    input  wire logic [QidW-1:0]      ev_cqid_i,
    output logic                      ev_exists_o,
    output logic [PtrW-1:0]           ev_size_zb_o,
    output logic [PtrW-1:0]           ev_head_o,
    output logic [PtrW-1:0]           ev_tail_o,
    output logic [RingCount-1:0]      ev_parked_o,
    output logic [PtrW-1:0]           ev_room_o,
    // Read: grant unit.
    input  wire logic                 gr_re_i,
    input  wire logic [QidW-1:0]      gr_cqid_i,
    output logic [RingCount-1:0]      gr_parked_o,
    output logic [PtrW-1:0]           gr_room_o,
    // Read: ends of a parking list.
    input  wire logic                 park_re_i,
    input  wire logic [QidW+2:0]      park_raddr_i,
    output logic [QidW-1:0]           park_first_o,
    output logic [QidW-1:0]           park_last_o,
    // Read: completions.
    input  wire logic                 co_re_i,
    input  wire logic [QidW-1:0]      co_cqid_i,
    output logic [PtrW-1:0]           co_size_zb_o,
    output logic [PtrW-1:0]           co_tail_o
);
  // Event pipe.
  nvmearb_ram #(.Width(1), .Depth(NumSqs)) u_ev_exists (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(exists_we_i), .waddr_i(cfg_cqid_i), .wdata_i(exists_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_exists_o));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_size (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(cfg_we_i), .waddr_i(cfg_cqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_size_zb_o));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_head (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(head_we_i), .waddr_i(head_cqid_i), .wdata_i(head_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_head_o));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_tail (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(tail_we_i), .waddr_i(tail_cqid_i), .wdata_i(tail_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_tail_o));
  nvmearb_ram #(.Width(RingCount + PtrW), .Depth(NumSqs)) u_ev_room (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(room_we_i), .waddr_i(room_cqid_i), .wdata_i({room_parked_i, room_i}),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o({ev_parked_o, ev_room_o}));

  // Grant unit.
  nvmearb_ram #(.Width(RingCount + PtrW), .Depth(NumSqs)) u_gr_room (
      .clk_i, .clk_read_i(clk_grant_i),
      .we_i(room_we_i), .waddr_i(room_cqid_i), .wdata_i({room_parked_i, room_i}),
      .re_i(gr_re_i), .raddr_i(gr_cqid_i), .rdata_o({gr_parked_o, gr_room_o}));

  // Parking lists: a row of 8 per CQ, of which RingCount are used.
  nvmearb_ram #(.Width(2 * QidW), .Depth(8 * NumSqs)) u_park (
      .clk_i, .clk_read_i(clk_grant_i),
      .we_i(park_we_i), .waddr_i(park_waddr_i), .wdata_i({park_first_i, park_last_i}),
      .re_i(park_re_i), .raddr_i(park_raddr_i), .rdata_o({park_first_o, park_last_o}));

  // Completions.
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_co_size (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(cfg_we_i), .waddr_i(cfg_cqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(co_re_i), .raddr_i(co_cqid_i), .rdata_o(co_size_zb_o));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_co_tail (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(tail_we_i), .waddr_i(tail_cqid_i), .wdata_i(tail_i),
      .re_i(co_re_i), .raddr_i(co_cqid_i), .rdata_o(co_tail_o));
endmodule
`default_nettype wire
