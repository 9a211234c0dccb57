// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fr_cq_table: the state of every CQ, in memories.
//
// Purpose: as nvmearb_fr_sq_table, for CQs.
// Behaviour: see nvmearb_fr_ram. Counts are modulo 2^PtrW: limit - granted is the room of a CQ,
//  that is, how many more commands may be granted into it; posted - limit the entries that the host
//  has not consumed. `parked`: its parking list is not empty; the links are in nvmearb_fr_sq_table.
// Fields and their only writers: size (sequencer); head, limit (event pipe; sequencer at creation);
//  posted (completions; sequencer at creation); granted, near full (grant pipe; sequencer in a
//  sweep); parking list (sequencer).
// Requires: one write per field and clock, ids below NumSqs.
// Timing: one clock from address to data.
`default_nettype none
module nvmearb_fr_cq_table #(
    // CQs, 2..1024.
    parameter int NumSqs = 16,
    // Width of queue pointers, 2..16.
    parameter int PtrW = 16,
    // Width of a queue id; derived: $clog2(NumSqs).
    parameter int QidW = 4
) (
    input  wire logic            clk_i,
    // Write: size; 0: it does not exist.
    input  wire logic            size_we_i,
    input  wire logic [QidW-1:0] size_cqid_i,
    input  wire logic [PtrW-1:0] size_zb_i,
    // Write: head.
    input  wire logic            head_we_i,
    input  wire logic [QidW-1:0] head_cqid_i,
    input  wire logic [PtrW-1:0] head_i,
    // Write: posted.
    input  wire logic            posted_we_i,
    input  wire logic [QidW-1:0] posted_cqid_i,
    input  wire logic [PtrW-1:0] posted_i,
    // Write: limit.
    input  wire logic            limit_we_i,
    input  wire logic [QidW-1:0] limit_cqid_i,
    input  wire logic [PtrW-1:0] limit_i,
    // Write: granted, near full.
    input  wire logic            granted_we_i,
    input  wire logic [QidW-1:0] granted_cqid_i,
    input  wire logic [PtrW-1:0] granted_i,
    input  wire logic            near_i,
    // Write: parking list.
    input  wire logic            park_we_i,
    input  wire logic [QidW-1:0] park_cqid_i,
    input  wire logic            parked_i,
    input  wire logic [QidW-1:0] park_first_i,
    input  wire logic [QidW-1:0] park_last_i,
    // Read: event pipe.
    input  wire logic            ev_re_i,
    input  wire logic [QidW-1:0] ev_cqid_i,
    output logic [PtrW-1:0]      ev_size_zb_o,
    output logic [PtrW-1:0]      ev_head_o,
    output logic [PtrW-1:0]      ev_posted_o,
    output logic [PtrW-1:0]      ev_limit_o,
    // Read: grant pipe.
    input  wire logic            gr_re_i,
    input  wire logic [QidW-1:0] gr_cqid_i,
    output logic [PtrW-1:0]      gr_limit_o,
    output logic [PtrW-1:0]      gr_granted_o,
    output logic                 gr_near_o,
    // Read: sequencer.
    input  wire logic            cs_re_i,
    input  wire logic [QidW-1:0] cs_cqid_i,
    output logic                 cs_parked_o,
    output logic [QidW-1:0]      cs_first_o,
    output logic [QidW-1:0]      cs_last_o,
    // Read: completions.
    input  wire logic            co_re_i,
    input  wire logic [QidW-1:0] co_cqid_i,
    output logic [PtrW-1:0]      co_posted_o
);
  // Event pipe.
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_ev_size (
      .clk_i,
      .we_i(size_we_i), .waddr_i(size_cqid_i), .wdata_i(size_zb_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_size_zb_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_ev_head (
      .clk_i,
      .we_i(head_we_i), .waddr_i(head_cqid_i), .wdata_i(head_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_head_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_ev_posted (
      .clk_i,
      .we_i(posted_we_i), .waddr_i(posted_cqid_i), .wdata_i(posted_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_posted_o));
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_ev_limit (
      .clk_i,
      .we_i(limit_we_i), .waddr_i(limit_cqid_i), .wdata_i(limit_i),
      .re_i(ev_re_i), .raddr_i(ev_cqid_i), .rdata_o(ev_limit_o));

  // Grant pipe: a limit that is written meanwhile is shown to it.
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_gr_limit (
      .clk_i,
      .we_i(limit_we_i), .waddr_i(limit_cqid_i), .wdata_i(limit_i),
      .re_i(gr_re_i), .raddr_i(gr_cqid_i), .rdata_o(gr_limit_o));
  nvmearb_fr_ram #(.Width(1 + PtrW), .Depth(NumSqs), .Bypass(1'b0)) u_gr_granted (
      .clk_i,
      .we_i(granted_we_i), .waddr_i(granted_cqid_i), .wdata_i({near_i, granted_i}),
      .re_i(gr_re_i), .raddr_i(gr_cqid_i), .rdata_o({gr_near_o, gr_granted_o}));

  // Sequencer.
  nvmearb_fr_ram #(.Width(1 + 2 * QidW), .Depth(NumSqs), .Bypass(1'b0)) u_cs_park (
      .clk_i,
      .we_i(park_we_i), .waddr_i(park_cqid_i), .wdata_i({parked_i, park_first_i, park_last_i}),
      .re_i(cs_re_i), .raddr_i(cs_cqid_i), .rdata_o({cs_parked_o, cs_first_o, cs_last_o}));

  // Completions.
  nvmearb_fr_ram #(.Width(PtrW), .Depth(NumSqs)) u_co_posted (
      .clk_i,
      .we_i(posted_we_i), .waddr_i(posted_cqid_i), .wdata_i(posted_i),
      .re_i(co_re_i), .raddr_i(co_cqid_i), .rdata_o(co_posted_o));
endmodule
`default_nettype wire
