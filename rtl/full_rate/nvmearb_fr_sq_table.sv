// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_sq_table: the state of every SQ, in memories.
//
// Purpose: gives each reader (event pipe, refill, grant pipe, fetch commit) its own read port by
//  keeping a copy of a field per reader; each field has one write port, so copies cannot differ.
// Behaviour: see nvmearb_fr_ram. A read that meets the write of its word shows the new word where
//  it says so; elsewhere the reader knows.
// Fields and their only writers: configuration (sequencer); tail (event pipe; sequencer at
//  creation); phase of the last activation (event pipe) and of the last retirement (grant pipe):
//  the SQ is active while they differ; issue head (grant pipe; sequencer at deletion); fetched head
//  (fetch commit; sequencer at creation); links of parking lists (sequencer). During a sweep the
//  sequencer writes phases and heads.
// Requires: one write per field and clock, ids below NumSqs.
// Timing: one clock from address to data.
`default_nettype none
module nvmearb_fr_sq_table
  import nvmearb_fr_pkg::*;
#(
    // SQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4
) (
    input  wire logic            clk_i,
    // Write: configuration, at creation.
    input  wire logic            cfg_we_i,
    input  wire logic [QidW-1:0] cfg_sqid_i,
    input  wire logic [2:0]      cfg_class_i,
    input  wire logic [QidW-1:0] cfg_cqid_i,
    input  wire logic [PtrW-1:0] cfg_size_zb_i,
    // Write: class as the event pipe sees it, of the same SQ: SqAbsent does not exist, SqHalted is
    // halted.
    input  wire logic            class_we_i,
    input  wire logic [2:0]      class_i,
    // Write: tail.
    input  wire logic            tail_we_i,
    input  wire logic [QidW-1:0] tail_sqid_i,
    input  wire logic [PtrW-1:0] tail_i,
    // Write: phases.
    input  wire logic            act_we_i,
    input  wire logic [QidW-1:0] act_sqid_i,
    input  wire logic            act_i,
    input  wire logic            retired_we_i,
    input  wire logic [QidW-1:0] retired_sqid_i,
    input  wire logic            retired_i,
    // Write: issue head.
    input  wire logic            head_we_i,
    input  wire logic [QidW-1:0] head_sqid_i,
    input  wire logic [PtrW-1:0] head_i,
    // Write: fetched head.
    input  wire logic            fetched_we_i,
    input  wire logic [QidW-1:0] fetched_sqid_i,
    input  wire logic [PtrW-1:0] fetched_i,
    // Write: link; not with a class.
    input  wire logic            next_we_i,
    input  wire logic [QidW-1:0] next_sqid_i,
    input  wire logic [QidW-1:0] next_i,
    // Read: event pipe.
    input  wire logic            ev_re_i,
    input  wire logic [QidW-1:0] ev_sqid_i,
    output logic [2:0]           ev_class_o,
    output logic [QidW-1:0]      ev_next_o,
    output logic [PtrW-1:0]      ev_size_zb_o,
    output logic [PtrW-1:0]      ev_tail_o,
    output logic [PtrW-1:0]      ev_fetched_o,
    // Read: event pipe, phases.
    input  wire logic            ph_re_i,
    input  wire logic [QidW-1:0] ph_sqid_i,
    output logic                 ph_act_o,
    output logic                 ph_retired_o,
    // Read: refill.
    input  wire logic            rf_re_i,
    input  wire logic [QidW-1:0] rf_sqid_i,
    output logic [PtrW-1:0]      rf_size_zb_o,
    output logic [PtrW-1:0]      rf_tail_o,
    output logic [PtrW-1:0]      rf_head_o,
    // Read: grant pipe.
    input  wire logic            gr_re_i,
    input  wire logic [QidW-1:0] gr_sqid_i,
    output logic [2:0]           gr_class_o,
    output logic [QidW-1:0]      gr_cqid_o,
    output logic [PtrW-1:0]      gr_size_zb_o,
    output logic [PtrW-1:0]      gr_head_o,
    // Read: fetch commit.
    input  wire logic            fc_re_i,
    input  wire logic [QidW-1:0] fc_sqid_i,
    output logic [PtrW-1:0]      fc_size_zb_o,
    output logic [PtrW-1:0]      fc_fetched_o
);
  // Event pipe: reads again what the sequencer writes; retirements are shown to it. The sequencer
  // reads links by its port.
  nvmearb_fr_ram_pair #(.HighW(3), .LowW(QidW), .Depth(NumSqs)) u_ev_class (
      .clk_i,
      .high_we_i(class_we_i), .low_we_i(next_we_i),
      .waddr_i(next_we_i ? next_sqid_i : cfg_sqid_i), .wdata_i({class_i, next_i}),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o({ev_class_o, ev_next_o}));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_ev_size (
      .clk_i,
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o(ev_size_zb_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_ev_tail (
      .clk_i,
      .we_i(tail_we_i), .waddr_i(tail_sqid_i), .wdata_i(tail_i),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o(ev_tail_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_fetched (
      .clk_i,
      .we_i(fetched_we_i), .waddr_i(fetched_sqid_i), .wdata_i(fetched_i),
      .re_i(ev_re_i), .raddr_i(ev_sqid_i), .rdata_o(ev_fetched_o));
  nvmearb_fr_ram #(.Width(1), .Depth(NumSqs), .Bypass(1'b0)) u_ph_act (
      .clk_i,
      .we_i(act_we_i), .waddr_i(act_sqid_i), .wdata_i(act_i),
      .re_i(ph_re_i), .raddr_i(ph_sqid_i), .rdata_o(ph_act_o));
  nvmearb_fr_ram #(.Width(1), .Depth(NumSqs), .Bypass(1'b0)) u_ph_retired (
      .clk_i,
      .we_i(retired_we_i), .waddr_i(retired_sqid_i), .wdata_i(retired_i),
      .re_i(ph_re_i), .raddr_i(ph_sqid_i), .rdata_o(ph_retired_o));

  // Refill: a tail that is written meanwhile is shown to it.
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_rf_size (
      .clk_i,
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(rf_re_i), .raddr_i(rf_sqid_i), .rdata_o(rf_size_zb_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_rf_tail (
      .clk_i,
      .we_i(tail_we_i), .waddr_i(tail_sqid_i), .wdata_i(tail_i),
      .re_i(rf_re_i), .raddr_i(rf_sqid_i), .rdata_o(rf_tail_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_rf_head (
      .clk_i,
      .we_i(head_we_i), .waddr_i(head_sqid_i), .wdata_i(head_i),
      .re_i(rf_re_i), .raddr_i(rf_sqid_i), .rdata_o(rf_head_o));

  // Grant pipe.
  nvmearb_fr_ram #(.Width(3 + QidW + PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_gr_cfg (
      .clk_i,
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i),
      .wdata_i({cfg_class_i, cfg_cqid_i, cfg_size_zb_i}),
      .re_i(gr_re_i), .raddr_i(gr_sqid_i),
      .rdata_o({gr_class_o, gr_cqid_o, gr_size_zb_o}));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_gr_head (
      .clk_i,
      .we_i(head_we_i), .waddr_i(head_sqid_i), .wdata_i(head_i),
      .re_i(gr_re_i), .raddr_i(gr_sqid_i), .rdata_o(gr_head_o));

  // Fetch commit.
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_fc_size (
      .clk_i,
      .we_i(cfg_we_i), .waddr_i(cfg_sqid_i), .wdata_i(cfg_size_zb_i),
      .re_i(fc_re_i), .raddr_i(fc_sqid_i), .rdata_o(fc_size_zb_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_fc_fetched (
      .clk_i,
      .we_i(fetched_we_i), .waddr_i(fetched_sqid_i), .wdata_i(fetched_i),
      .re_i(fc_re_i), .raddr_i(fc_sqid_i), .rdata_o(fc_fetched_o));
endmodule
`default_nettype wire
