// SPDX-License-Identifier: Apache-2.0
// Bus adapters and the top; after nvmearb_core.f. Paths are relative to the folder above rtl/.
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
