// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_fetch_flat: nvmearb_axi_fetch with the fields of its structs as ports of their own, for
// tests in C++.
`default_nettype none
module nvmearb_fetch_flat
  import nvmearb_pkg::*;
#(
    parameter int NumSqs = 16,
    parameter int PtrW = 16,
    parameter int DataW = 512,
    parameter int MaxReads = 32,
    parameter bit AddrReg = 1'b0
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    input  wire logic             base_valid_i,
    input  wire logic [15:0]      base_sqid_i,
    input  wire logic [63:0]      base_i,
    input  wire logic             clear_i,
    input  wire logic             drain_i,
    input  wire logic             grant_valid_i,
    output logic                  grant_ready_o,
    input  wire logic [15:0]      grant_sqid_i,
    input  wire logic [15:0]      grant_cqid_i,
    input  wire logic [15:0]      grant_head_i,
    input  wire logic [15:0]      grant_size_zb_i,
    input  wire logic [3:0]       grant_count_i,
    input  wire logic [2:0]       grant_class_i,
    output logic                  hold_o,
    output logic                  commit_valid_o,
    output logic [15:0]           commit_sqid_o,
    output logic [3:0]            commit_count_o,
    output logic                  m_axi_arvalid_o,
    input  wire logic             m_axi_arready_i,
    output logic [63:0]           m_axi_araddr_o,
    output logic [7:0]            m_axi_arlen_o,
    output logic [2:0]            m_axi_arsize_o,
    output logic [1:0]            m_axi_arburst_o,
    input  wire logic             m_axi_rvalid_i,
    output logic                  m_axi_rready_o,
    input  wire logic [DataW-1:0] m_axi_rdata_i,
    input  wire logic [1:0]       m_axi_rresp_i,
    input  wire logic             m_axi_rlast_i,
    output logic                  sqe_valid_o,
    input  wire logic             sqe_ready_i,
    output logic [511:0]          sqe_data_o,
    output logic [15:0]           sqe_sqid_o,
    output logic [15:0]           sqe_cqid_o,
    output logic [15:0]           sqe_sqhd_o,
    output logic [2:0]            sqe_class_o,
    output logic                  err_valid_o,
    output logic [15:0]           err_sqid_o,
    output logic                  silent_o,
    output logic                  idle_o,
    output logic                  quiescent_o
);
  logic [3:0] unused_arcache;
  logic [2:0] unused_arprot;
  logic [1:0] unused_sqe_count;
  logic unused_sqe_take;
  grant_t grant;
  sqe_user_t user;

  assign grant = {grant_sqid_i, grant_cqid_i, grant_head_i, grant_size_zb_i, grant_count_i,
                  grant_class_i, 1'b0};
  assign {sqe_sqid_o, sqe_cqid_o, sqe_sqhd_o, sqe_class_o} = user;

  nvmearb_axi_fetch #(
      .NumSqs  (NumSqs),
      .PtrW    (PtrW),
      .DataW   (DataW),
      .MaxReads(MaxReads),
      .AddrReg (AddrReg)
  ) u_fetch (
      .clk_i,
      .rst_ni,
      .base_valid_i,
      .base_sqid_i,
      .base_i             (base_i[63:6]),
      .clear_i,
      .drain_i,
      .grant_valid_i,
      .grant_ready_o,
      .grant_i            (grant),
      .hold_o,
      .commit_valid_o,
      .commit_sqid_o,
      .commit_count_o,
      .m_axi_arvalid_o,
      .m_axi_arready_i,
      .m_axi_araddr_o,
      .m_axi_arlen_o,
      .m_axi_arsize_o,
      .m_axi_arburst_o,
      .m_axi_arcache_o    (unused_arcache),
      .m_axi_arprot_o     (unused_arprot),
      .m_axi_rvalid_i,
      .m_axi_rready_o,
      .m_axi_rdata_i,
      .m_axi_rresp_i,
      .m_axi_rlast_i,
      .m_axis_sqe_tvalid_o(sqe_valid_o),
      .m_axis_sqe_tready_i(sqe_ready_i),
      .m_axis_sqe_tdata_o (sqe_data_o),
      .m_axis_sqe_tuser_o (user),
      .sqe_count_o        (unused_sqe_count),
      .sqe_take_o         (unused_sqe_take),
      .err_valid_o,
      .err_sqid_o,
      .silent_o,
      .idle_o,
      .quiescent_o
  );
endmodule
`default_nettype wire
