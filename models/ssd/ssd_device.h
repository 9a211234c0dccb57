// SPDX-License-Identifier: Apache-2.0
//
// SsdDevice: a whole drive behind nvme::DevicePort: a front end (ModelFrontEnd or the RTL's),
// Firmware and Media, plugged into one slot of the Platform. Every DMA access leaves through the
// slot's TLM socket; register accesses arrive here or at the slot's `bar0` socket.
//
// I/O data is timed but not moved: a read completes without a byte written to its buffers, a write
// without its buffers being read. Admin data, SQEs and CQEs are real DMA.
//
// Owns the front end if it was given as a unique_ptr. Lives for one run. Not thread safe. Time
// base: the Platform's Kernel.
#ifndef NVMEARB_MODELS_SSD_SSD_DEVICE_H_
#define NVMEARB_MODELS_SSD_SSD_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "arbiter/types.h"
#include "nvme/device_port.h"
#include "ssd/firmware.h"
#include "ssd/front_end.h"
#include "ssd/platform.h"
#include "ssd/ssd_params.h"
#include "ssd/statistics.h"

namespace nvmearb::ssd {

class SsdDevice : public nvme::DevicePort, private InterruptSink {
 public:
  /// Plugs into slot `slot` < Platform::kSlotCount, which has to be free. `events` receives the
  /// observation port of the front end and may be null. `params.Problem()` has to be empty.
  /// `flash`: dies and buffer that it shares with other controllers, of the same parameters, and
  /// that outlive it; null: its own.
  SsdDevice(Platform* platform, std::size_t slot, const SsdParams& params,
            std::unique_ptr<FrontEnd> front_end, arbiter::EventSink* events = nullptr,
            Flash* flash = nullptr);
  /// The same with a front end that outlives the device.
  SsdDevice(Platform* platform, std::size_t slot, const SsdParams& params, FrontEnd* front_end,
            arbiter::EventSink* events = nullptr, Flash* flash = nullptr);
  ~SsdDevice() override;

  SsdDevice(const SsdDevice&) = delete;
  SsdDevice& operator=(const SsdDevice&) = delete;

  void AttachHost(nvme::HostPort* host) override;
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    return front_end_->MmioRead(offset, bytes);
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    front_end_->MmioWrite(offset, value, bytes);
  }

  /// Counters of this run, up to now.
  [[nodiscard]] const Statistics& UpdatedStatistics() { return firmware_->UpdatedStatistics(); }
  /// Heads, tails, room, window and media in lines of text, for messages about a run that stands
  /// still.
  [[nodiscard]] std::string DescribeQueues() const {
    return front_end_->Describe() + firmware_->Describe();
  }
  [[nodiscard]] FrontEnd& front_end() { return *front_end_; }
  [[nodiscard]] const Firmware& firmware() const { return *firmware_; }

 private:
  void Interrupt(std::uint16_t vector) override;

  Platform::Slot* slot_;
  std::unique_ptr<FrontEnd> owned_front_end_;
  FrontEnd* front_end_;
  std::unique_ptr<Firmware> firmware_;
  nvme::HostPort* host_ = nullptr;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_SSD_DEVICE_H_
