// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_sq_table: the state of every SQ, in memories.
//
// Purpose: gives each reader (event pipe, grant unit, fetch commit) its own read port by keeping a
//  copy of a field per reader; each field has one write port, so copies cannot differ.
// Behaviour: see nvmearb_ram; a read shows the write of the same edge.
// Fields and their only writers: configuration (config sequencer); tail and halted, active (event
//  pipe, grant unit, in different clocks; config sequencer under lock); issue head (grant unit);
//  fetched head (fetch commit).
// Requires: one write per field and clock, ids below NumSqs.
// Timing: one clock from address to data.
`default_nettype none
module nvmearb_sq_table #(
    // SQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4
) (
    input  wire logic            clk_i,
    input  wire logic            clk_event_i,
    input  wire logic            clk_grant_i,
    // Write: does it exist? With the fields of the event pipe; those of the others stay when it is
    // gone.
    input  wire logic            exists_we_i,
    input  wire logic [QidW-1:0] cfg_sqid_i,
    input  wire logic            exists_i,
    // Write: configuration, of the same SQ.
    input  wire logic            cfg_we_i,
    input  wire logic [2:0]      cfg_class_i,
    input  wire logic [QidW-1:0] cfg_cqid_i,
    input  wire logic [PtrW-1:0] cfg_size_zb_i,
    // Write: tail.
    input  wire logic            tail_we_i,
    input  wire logic [QidW-1:0] tail_sqid_i,
    input  wire logic            tail_halted_i,
    input  wire logic [PtrW-1:0] tail_i,
    // Write: is the SQ in a ring, visited or parked?
    input  wire logic            active_we_i,
    input  wire logic [QidW-1:0] active_sqid_i,
    input  wire logic            active_i,
    // Write: issue head.
    input  wire logic            head_we_i,
    input  wire logic [QidW-1:0] head_sqid_i,
    input  wire logic [PtrW-1:0] head_i,
    // Write: fetched head.
    input  wire logic            fetched_we_i,
    input  wire logic [QidW-1:0] fetched_sqid_i,
    input  wire logic [PtrW-1:0] fetched_i,
    // Read: event pipe.
    input  wire logic            ev_re_i,
    input  wire logic [QidW-1:0] ev_sqid_i,
    output logic                 ev_exists_o,
    output logic [2:0]           ev_class_o,
    output logic [PtrW-1:0]      ev_size_zb_o,
    output logic                 ev_halted_o,
    output logic [PtrW-1:0]      ev_tail_o,
    output logic [PtrW-1:0]      ev_fetched_o,
    output logic                 ev_active_o,
    // Read: grant unit.
    input  wire logic            gr_re_i,
    input  wire logic [QidW-1:0] gr_sqid_i,
    output logic [2:0]           gr_class_o,
    output logic [QidW-1:0]      gr_cqid_o,
    output logic [PtrW-1:0]      gr_size_zb_o,
    output logic                 gr_halted_o,
    output logic [PtrW-1:0]      gr_tail_o,
    output logic [PtrW-1:0]      gr_head_o,
    // Read: fetch commit.
    input  wire logic            fc_re_i,
    input  wire logic [QidW-1:0] fc_sqid_i,
    output logic [PtrW-1:0]      fc_size_zb_o,
    output logic [PtrW-1:0]      fc_fetched_o
);
  // Event pipe.
  nvmearb_ram #(.Width(4 + PtrW), .Depth(NumSqs)) u_ev_cfg (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(exists_we_i), .waddr_i(cfg_sqid_i),
      .wdata_i({exists_i, cfg_class_i, cfg_size_zb_i}),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o({ev_exists_o, ev_class_o, ev_size_zb_o}));
  nvmearb_ram #(.Width(1 + PtrW), .Depth(NumSqs)) u_ev_tail (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(tail_we_i), .waddr_i(tail_sqid_i), .wdata_i({tail_halted_i, tail_i}),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o({ev_halted_o, ev_tail_o}));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_fetched (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(fetched_we_i), .waddr_i(fetched_sqid_i), .wdata_i(fetched_i),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o(ev_fetched_o));
  nvmearb_ram #(.Width(1), .Depth(NumSqs)) u_ev_active (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(active_we_i), .waddr_i(active_sqid_i), .wdata_i(active_i),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o(ev_active_o));

  // Grant unit.
  nvmearb_ram #(.Width(3 + QidW + PtrW), .Depth(NumSqs)) u_gr_cfg (
      .clk_i, .clk_read_i(clk_grant_i),
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i), .wdata_i({cfg_class_i, cfg_cqid_i, cfg_size_zb_i}),
      .re_i(gr_re_i), .raddr_i(gr_sqid_i), .rdata_o({gr_class_o, gr_cqid_o, gr_size_zb_o}));
  nvmearb_ram #(.Width(1 + PtrW), .Depth(NumSqs)) u_gr_tail (
      .clk_i, .clk_read_i(clk_grant_i),
      .we_i(tail_we_i), .waddr_i(tail_sqid_i), .wdata_i({tail_halted_i, tail_i}),
      .re_i(gr_re_i), .raddr_i(gr_sqid_i), .rdata_o({gr_halted_o, gr_tail_o}));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_gr_head (
      .clk_i, .clk_read_i(clk_grant_i),
      .we_i(head_we_i), .waddr_i(head_sqid_i), .wdata_i(head_i),
      .re_i(gr_re_i), .raddr_i(gr_sqid_i), .rdata_o(gr_head_o));

  // Fetch commit.
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_fc_size (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(fc_re_i), .raddr_i(fc_sqid_i), .rdata_o(fc_size_zb_o));
  nvmearb_ram #(.Width(PtrW), .Depth(NumSqs)) u_fc_fetched (
      .clk_i, .clk_read_i(clk_event_i),
      .we_i(fetched_we_i), .waddr_i(fetched_sqid_i), .wdata_i(fetched_i),
      .re_i(fc_re_i), .raddr_i(fc_sqid_i), .rdata_o(fc_fetched_o));
endmodule
`default_nettype wire
