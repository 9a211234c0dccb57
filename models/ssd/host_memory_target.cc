// SPDX-License-Identifier: Apache-2.0
#include "ssd/host_memory_target.h"

namespace nvmearb::ssd {

HostMemoryTarget::HostMemoryTarget(sc_core::sc_module_name name)
    : sc_core::sc_module(name), socket("socket") {
  socket.register_b_transport(this, &HostMemoryTarget::Transport);
}

void HostMemoryTarget::Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (payload.get_streaming_width() < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  bool good = host_ != nullptr;
  if (good && payload.is_read()) {
    good = host_->DmaRead(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  } else if (good && payload.is_write()) {
    good =
        host_->DmaWrite(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  }
  payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace nvmearb::ssd
