// SPDX-License-Identifier: Apache-2.0
//
// NvmeParams: module parameters of the nvme driver, by the kernel's names, and what else decides
// how it brings a controller up.
#ifndef NVMEARB_HOST_DRIVER_NVME_PARAMS_H_
#define NVMEARB_HOST_DRIVER_NVME_PARAMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host_driver/base/clock.h"
#include "host_driver/block/blk_mq.h"
#include "host_driver/block/hctx_type.h"

namespace nvmearb::host {

struct NvmeParams {
  // Module parameters.
  unsigned read_queues = 0;     ///< 0..CPUs
  unsigned poll_queues = 0;     ///< 0..CPUs
  unsigned wrr_low_queues = 0;  ///< 0..CPUs; these four come out of the CPU count
  unsigned wrr_medium_queues = 0;
  unsigned wrr_high_queues = 0;
  unsigned wrr_urgent_queues = 0;
  unsigned io_queue_depth = 1024;  ///< entries, 2..4,095
  unsigned io_timeout = 30;        ///< seconds, 1..3,600
  unsigned admin_timeout = 60;     ///< seconds, 1..3,600
  unsigned max_retries = 5;        ///< 0..255

  // Quirks of a device (NVME_QUIRK_... of Linux).
  bool quirk_single_vector = false;
  bool quirk_shared_tags = false;  ///< one I/O queue only
  bool quirk_medium_prio = false;  ///< QPRIO medium without WRR

  // The machine.
  unsigned vectors = 0;         ///< interrupt vectors granted at most; 0 = as many as asked for
  std::uint32_t bar_bytes = 0;  ///< size of the doorbell BAR; 0 = large enough

  /// Shows the defects of the posted patches (get_ams overwrites the module's parameters; WRR
  /// without WRR queues makes every queue urgent) instead of the corrected behaviour.
  bool posted_bugs = false;
  /// Value of Set Features 01h during bring-up; none = the device's own weights.
  std::optional<std::uint32_t> arbitration;

  /// The controller is reached over a fabric and is one of several ways to its namespace: whatever
  /// a lost connection takes back, or finds waiting, ends with a path error at once, and the driver
  /// connects again. Without it a reset repeats its commands on the same controller, as PCIe does.
  bool fabrics = false;
  TimePs reconnect_delay = 10 * kSec;  ///< between two attempts (nvme-cli's default)
  TimePs ctrl_loss_tmo = 600 * kSec;   ///< lost for so long: given up
  unsigned instance = 0;               ///< the 0 of nvme0, in messages

  unsigned disk_number = 0;  ///< of CgroupTree::AddDisk(), for the cgroup levels
  PlugStyle plug_style = PlugStyle::kQueueRqs;

  // The disk's queue attributes.
  std::string scheduler = "none";  ///< queue/scheduler
  Iosched iosched;                 ///< queue/iosched/<name>
  IocostParams iocost;             ///< io.cost.qos and io.cost.model of the disk
  bool nomerges = false;           ///< queue/nomerges = 2
  bool shared_tags = false;        ///< the queues share one set of driver tags (as SCSI hosts do)
  unsigned nr_requests = 0;  ///< queue/nr_requests, with a scheduler; 0 = the kernel's default

  /// Queues asked for per class; DEFAULT is 0 (it gets what is left).
  [[nodiscard]] PerHctxType<unsigned> QueuesAsked() const;
  [[nodiscard]] unsigned WrrQueuesAsked() const;
  void ClearWrr();

  /// Sets a module parameter from text, as "modprobe nvme name=value". Throws UserError that names
  /// the parameter and what is allowed; ranges that need the CPU count are checked by Validate().
  void Set(std::string_view name, std::string_view value, const std::string& where);
  /// Throws UserError for a value out of range.
  void Validate(unsigned cpu_count, const std::string& where = "nvme") const;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_PARAMS_H_
