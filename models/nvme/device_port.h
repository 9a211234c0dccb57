// SPDX-License-Identifier: Apache-2.0
//
// DevicePort and HostPort: the one narrow door between a host and an NVMe device.
//
// A host holds a DevicePort and performs register accesses through it. A device holds a HostPort
// and reaches host memory and interrupt vectors through it. Neither knows what is behind the
// door: the host may be the in-process driver model or an external virtual machine, the device
// may be RTL or pure C++. So a device must not assume that host memory is one array (pieces may be
// mapped and unmapped at any time), that register accesses come at particular times, or
// that an interrupt is handled at once.
#ifndef NVMEARB_MODELS_NVME_DEVICE_PORT_H_
#define NVMEARB_MODELS_NVME_DEVICE_PORT_H_

#include <cstddef>
#include <cstdint>

namespace nvmearb::nvme {

/// What a device may ask of its host. Called at the device's current simulated time.
class HostPort {
 public:
  virtual ~HostPort() = default;

  /// Copies `bytes` bytes of host memory at bus address `address` to `destination`.
  /// Returns false, with nothing copied, when any byte of the range is not mapped (the bus error
  /// that an AXI read sees as DECERR).
  [[nodiscard]] virtual bool DmaRead(std::uint64_t address, void* destination,
                                     std::size_t bytes) = 0;

  /// Copies `bytes` bytes to host memory. Returns false, with nothing written, as for DmaRead().
  [[nodiscard]] virtual bool DmaWrite(std::uint64_t address, const void* source,
                                      std::size_t bytes) = 0;

  /// Signals interrupt vector `vector` (MSI-X message; 0 is the admin queue's by convention of the
  /// driver that created the completion queues). Returns at once; the host handles it later.
  virtual void Interrupt(std::uint16_t vector) = 0;
};

/// What a host may do to a device: aligned accesses to its BAR 0 (NVMe controller properties and
/// doorbells). Called at the host's current simulated time, which never runs backwards.
class DevicePort {
 public:
  virtual ~DevicePort() = default;

  /// Connects the host side. Must be called before the first access; not owned.
  virtual void AttachHost(HostPort* host) = 0;

  /// Reads `bytes` (4 or 8, aligned) at `offset`. Takes no simulated host time. Ordered behind all
  /// earlier MmioWrite() calls, as PCIe orders a read behind posted writes.
  virtual std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) = 0;

  /// Posts a write of `bytes` (4 or 8, aligned) at `offset`. Accepted always; arrives in order.
  virtual void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) = 0;
};

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_DEVICE_PORT_H_
