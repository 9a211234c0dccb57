// SPDX-License-Identifier: Apache-2.0
//
// The format is GTKWave's: a line of flags in hexadecimal ("@22") holds for the signals after it.
#include "sim/report/gtkwave.h"

#include <fmt/format.h>

namespace nvmearb::sim {
namespace {

constexpr const char* kTop = "TOP.nvmearb_top.";
// GTKWave's flags: hexadecimal 2, decimal 4, binary 8, right-justified 20, names of an enum 1 <<
// 32, blank line 200, group begins 800000, group ends 1000000.
const char* FlagsOf(WaveSignal::Form form) {
  switch (form) {
    case WaveSignal::Form::kBit:
      return "28";
    case WaveSignal::Form::kHex:
      return "22";
    case WaveSignal::Form::kDecimal:
      return "24";
    case WaveSignal::Form::kState:
      return "100000028";
  }
  return "22";
}

WaveSignal Bit(const char* name) { return {std::string(kTop) + name, WaveSignal::Form::kBit}; }
WaveSignal Hex(const char* name) { return {std::string(kTop) + name, WaveSignal::Form::kHex}; }
WaveSignal Decimal(const char* name) {
  return {std::string(kTop) + name, WaveSignal::Form::kDecimal};
}
WaveSignal State(const char* name) { return {std::string(kTop) + name, WaveSignal::Form::kState}; }

}  // namespace

const std::vector<WaveGroup>& WaveGroups() {
  static const std::vector<WaveGroup> groups = {
      {"Clocks",
       {Bit("clk_core_i"), Bit("clk_event_i"), Bit("clk_grant_i"), Bit("clk_regs_i"),
        Bit("clk_ctrl_i"), Bit("clk_fetch_i"), Bit("rst_ni"), Bit("awake_o[5:0]"),
        Bit("quiescent_o")}},
      {"Host: registers and doorbells",
       {Bit("s_axil_awvalid_i"), Bit("s_axil_awready_o"), Hex("s_axil_awaddr_i[12:0]"),
        Bit("s_axil_wvalid_i"), Bit("s_axil_wready_o"), Hex("s_axil_wdata_i[31:0]"),
        Bit("s_axil_arvalid_i"), Bit("s_axil_arready_o"), Hex("s_axil_araddr_i[12:0]"),
        Bit("s_axil_rvalid_o"), Hex("s_axil_rdata_o[31:0]")}},
      {"Doorbells as the arbiter takes them",
       {Bit("obs_o.db_valid"), Bit("obs_o.db_reject"), Bit("obs_o.db.is_cq"),
        Decimal("obs_o.db.qid[15:0]"), Decimal("obs_o.db.value[15:0]")}},
      {"Controller",
       {State("u_seq.state_q[3:0]"), State("u_core.u_cfg_seq.state_q[3:0]"), Bit("obs_o.cfg_valid"),
        State("obs_o.cfg.op[2:0]"), Decimal("obs_o.cfg.id[15:0]"),
        State("obs_o.cfg.sq_class[2:0]")}},
      {"Arbiter",
       {State("u_core.u_grant_unit.state_q[1:0]"), Decimal("slot_give_i[3:0]"),
        Bit("obs_o.grant_valid"), Decimal("obs_o.grant.sqid[15:0]"),
        State("obs_o.grant.sq_class[2:0]"), Decimal("obs_o.grant.head[15:0]"),
        Decimal("obs_o.grant.count[3:0]"), Bit("obs_o.grant.first"), Decimal("obs_o.credit_h[8:0]"),
        Decimal("obs_o.credit_m[8:0]"), Decimal("obs_o.credit_l[8:0]")}},
      {"Fetch",
       {Bit("m_axi_arvalid_o"), Bit("m_axi_arready_i"), Hex("m_axi_araddr_o[63:0]"),
        Decimal("m_axi_arlen_o[7:0]"), Bit("m_axi_rvalid_i"), Bit("m_axi_rready_o"),
        Bit("m_axi_rlast_i"), Bit("obs_o.fetch_valid"), Decimal("obs_o.fetch_sqid[15:0]"),
        Decimal("obs_o.fetch_head[15:0]"), Decimal("obs_o.fetch_count[3:0]")}},
      {"Commands to the device side",
       {Bit("m_axis_sqe_tvalid_o"), Bit("m_axis_sqe_tready_i"),
        Decimal("m_axis_sqe_tuser_o.sqid[15:0]"), Decimal("m_axis_sqe_tuser_o.sqhd[15:0]"),
        State("m_axis_sqe_tuser_o.sq_class[2:0]"), Hex("m_axis_sqe_tdata_o[511:0]")}},
      {"Completions",
       {Bit("complete_valid_i"), Bit("complete_ready_o"), Decimal("complete_i.sqid[15:0]"),
        Decimal("complete_i.cqid[15:0]"), Bit("complete_i.posted")}}};
  return groups;
}

std::string GtkwaveSaveFile(const std::string& dump) {
  std::string text = fmt::format("[*] nvmearb: signals by group\n[dumpfile] \"{}\"\n", dump);
  text += "[timestart] 0\n[sst_expanded] 1\n";
  for (const WaveGroup& group : WaveGroups()) {
    text += fmt::format("@800200\n-{}\n", group.title);
    for (const WaveSignal& signal : group.signals) {
      text += fmt::format("@{}\n{}\n", FlagsOf(signal.form), signal.name);
    }
    text += fmt::format("@1000200\n-{}\n", group.title);
  }
  return text;
}

}  // namespace nvmearb::sim
