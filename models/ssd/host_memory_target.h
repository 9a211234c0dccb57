// SPDX-License-Identifier: Apache-2.0
//
// HostMemoryTarget: host memory as a TLM-2.0 target. Every byte comes from the nvme::HostPort of
// the moment; a range that is not wholly mapped answers TLM_ADDRESS_ERROR_RESPONSE and moves
// nothing. No DMI: host memory may come and go. Takes no time of its own: the transport time is the
// initiator's affair.
#ifndef NVMEARB_MODELS_SSD_HOST_MEMORY_TARGET_H_
#define NVMEARB_MODELS_SSD_HOST_MEMORY_TARGET_H_

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "nvme/device_port.h"

namespace nvmearb::ssd {

class HostMemoryTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket_optional<HostMemoryTarget> socket;

  explicit HostMemoryTarget(sc_core::sc_module_name name);

  /// The memory to use from now on; null: nothing is mapped. Not owned.
  void AttachHost(nvme::HostPort* host) { host_ = host; }

 private:
  void Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  nvme::HostPort* host_ = nullptr;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_HOST_MEMORY_TARGET_H_
