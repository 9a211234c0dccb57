// SPDX-License-Identifier: Apache-2.0
// Written by tools/packaging.py from the other file lists of rtl/; do not edit.
// The RTL with the compact engine in the order of compilation; paths are relative to the
// folder above rtl/.
rtl/nvmearb_pkg.sv
rtl/core/nvmearb_core_pkg.sv
rtl/leaf/nvmearb_ram.sv
rtl/core/nvmearb_cfg_seq.sv
rtl/core/nvmearb_completions.sv
rtl/core/nvmearb_cq_table.sv
rtl/core/nvmearb_credits.sv
rtl/core/nvmearb_event_pipe.sv
rtl/core/nvmearb_fetch_commit.sv
rtl/core/nvmearb_grant_size.sv
rtl/core/nvmearb_grant_unit.sv
rtl/core/nvmearb_pick.sv
rtl/core/nvmearb_rings.sv
rtl/core/nvmearb_sq_table.sv
rtl/core/nvmearb_core.sv
rtl/bus/nvmearb_bus_fifo.sv
rtl/bus/nvmearb_db_shadow.sv
rtl/bus/nvmearb_axil_port.sv
rtl/bus/nvmearb_axil_regs.sv
rtl/bus/nvmearb_enable_seq.sv
rtl/bus/nvmearb_cfg_mux.sv
rtl/bus/nvmearb_fetch_cut.sv
rtl/bus/nvmearb_fetch_merge.sv
rtl/bus/nvmearb_fetch_capture.sv
rtl/bus/nvmearb_axi_fetch.sv
rtl/nvmearb_top.sv
