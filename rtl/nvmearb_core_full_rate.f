// SPDX-License-Identifier: Apache-2.0
// The engine of one command per clock, in place of nvmearb_core.f (decision 0023). Paths are
// relative to the folder above rtl/.
rtl/nvmearb_pkg.sv
rtl/leaf/nvmearb_ram.sv
rtl/full_rate/nvmearb_fr_pkg.sv
rtl/full_rate/nvmearb_fr_ram.sv
rtl/full_rate/nvmearb_fr_ram_pair.sv
rtl/full_rate/nvmearb_fr_completions.sv
rtl/full_rate/nvmearb_fr_cq_table.sv
rtl/full_rate/nvmearb_fr_credits.sv
rtl/full_rate/nvmearb_fr_pick.sv
rtl/full_rate/nvmearb_fr_decide.sv
rtl/full_rate/nvmearb_fr_event_pipe.sv
rtl/full_rate/nvmearb_fr_fetch_commit.sv
rtl/full_rate/nvmearb_fr_grant_pipe.sv
rtl/full_rate/nvmearb_fr_refill.sv
rtl/full_rate/nvmearb_fr_ring.sv
rtl/full_rate/nvmearb_fr_ring_store.sv
rtl/full_rate/nvmearb_fr_room.sv
rtl/full_rate/nvmearb_fr_sequencer.sv
rtl/full_rate/nvmearb_fr_sq_table.sv
rtl/full_rate/nvmearb_core.sv
