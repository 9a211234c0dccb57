// SPDX-License-Identifier: Apache-2.0
//
// QuietPins: the inputs of nvmearb_top when nobody asks for anything.
#ifndef NVMEARB_TB_BLOCK_QUIET_PINS_H_
#define NVMEARB_TB_BLOCK_QUIET_PINS_H_

namespace nvmearb::tb {

/// All inputs but straps, max_count_i and payloads that a valid bit guards; ready to take anything,
/// reads are answered with OKAY.
template <typename Model>
void QuietPins(Model* model) {
  model->clk_regs_i = model->clk_ctrl_i = model->clk_core_i = model->clk_fetch_i = 0;
  model->clk_event_i = model->clk_grant_i = 0;
  model->s_axil_awvalid_i = model->s_axil_wvalid_i = model->s_axil_arvalid_i = 0;
  model->s_axil_bready_i = model->s_axil_rready_i = 1;
  model->m_axi_arready_i = model->m_axis_sqe_tready_i = 1;
  model->m_axi_rvalid_i = model->m_axi_rresp_i = 0;  // OKAY
  model->dev_cfg_valid_i = model->complete_valid_i = model->shst_valid_i = 0;
  model->slot_give_i = 0;
  model->device_ready_i = model->fatal_i = 0;
}

}  // namespace nvmearb::tb
#endif  // NVMEARB_TB_BLOCK_QUIET_PINS_H_
