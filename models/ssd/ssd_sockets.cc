// SPDX-License-Identifier: Apache-2.0
#include "ssd/ssd_sockets.h"

#include <cstring>

namespace nvmearb::ssd {

SsdSockets::SsdSockets(sc_core::sc_module_name name, Kernel* kernel)
    : sc_core::sc_module(name), dma("dma"), bar0("bar0"), kernel_(kernel) {
  bar0.register_b_transport(this, &SsdSockets::RegisterAccess);
}

bool SsdSockets::Read(std::uint64_t address, void* destination, std::size_t bytes) {
  return Transfer(tlm::TLM_READ_COMMAND, address, destination, bytes);
}

bool SsdSockets::Write(std::uint64_t address, const void* source, std::size_t bytes) {
  // A TLM write does not change its data; the interface has one pointer for both directions.
  return Transfer(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(source), bytes);
}

bool SsdSockets::Transfer(tlm::tlm_command command, std::uint64_t address, void* data,
                          std::size_t bytes) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(static_cast<unsigned char*>(data));
  payload_.set_data_length(static_cast<unsigned>(bytes));
  payload_.set_streaming_width(static_cast<unsigned>(bytes));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = kernel_->LocalDelay();
  dma->b_transport(payload_, delay);
  kernel_->TouchSystemC();
  return payload_.is_response_ok();
}

/// Register accesses are 4 or 8 aligned bytes. A delay that an initiator annotated is waited for
/// first, so that the access happens at its own time and in order with everything else.
void SsdSockets::RegisterAccess(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned bytes = payload.get_data_length();
  const std::uint64_t offset = payload.get_address();
  if (device_ == nullptr || payload.get_byte_enable_ptr() != nullptr || offset >> 32 != 0) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if ((bytes != 4 && bytes != 8) || offset % bytes != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (!kernel_->InCallback()) {
    if (delay != sc_core::SC_ZERO_TIME) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    kernel_->CatchUp();
  }
  if (payload.is_read()) {
    const std::uint64_t value = device_->MmioRead(static_cast<std::uint32_t>(offset), bytes);
    std::memcpy(payload.get_data_ptr(), &value, bytes);
  } else if (payload.is_write()) {
    std::uint64_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), bytes);
    device_->MmioWrite(static_cast<std::uint32_t>(offset), value, bytes);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace nvmearb::ssd
