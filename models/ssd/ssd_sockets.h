// SPDX-License-Identifier: Apache-2.0
//
// SsdSockets: the TLM-2.0 face of one drive. `dma` is its bus master: every access of the device to
// host memory, SQE fetches included, goes out there. `bar0` is its register space: another SystemC
// initiator may drive the device with it; its accesses end in the same functions as those of
// nvme::DevicePort.
//
// SystemC wants all modules before its first start, drives come and go with every run: so the
// sockets are made once (see Platform), and a drive plugs itself in for its lifetime.
#ifndef NVMEARB_MODELS_SSD_SSD_SOCKETS_H_
#define NVMEARB_MODELS_SSD_SSD_SOCKETS_H_

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "nvme/device_port.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::ssd {

class SsdSockets : public sc_core::sc_module, public FrontEndDma {
 public:
  tlm_utils::simple_initiator_socket_optional<SsdSockets> dma;
  tlm_utils::simple_target_socket_optional<SsdSockets> bar0;

  /// `kernel` gives the local time; not owned.
  SsdSockets(sc_core::sc_module_name name, Kernel* kernel);

  /// The drive behind the sockets from now on, or null. Not owned.
  void Plug(nvme::DevicePort* device) { device_ = device; }
  [[nodiscard]] bool IsPlugged() const { return device_ != nullptr; }

  /// FrontEndDma over `dma`: blocking transports with Kernel::LocalDelay() as their delay. False
  /// for any response but TLM_OK_RESPONSE.
  [[nodiscard]] bool Read(std::uint64_t address, void* destination, std::size_t bytes) override;
  [[nodiscard]] bool Write(std::uint64_t address, const void* source, std::size_t bytes) override;

 private:
  [[nodiscard]] bool Transfer(tlm::tlm_command command, std::uint64_t address, void* data,
                              std::size_t bytes);
  void RegisterAccess(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Kernel* kernel_;
  nvme::DevicePort* device_ = nullptr;
  tlm::tlm_generic_payload payload_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_SSD_SOCKETS_H_
