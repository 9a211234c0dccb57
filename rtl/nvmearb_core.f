// SPDX-License-Identifier: Apache-2.0
// Packages, leaf blocks and the bus-agnostic core. Paths are relative to the folder above rtl/.
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
