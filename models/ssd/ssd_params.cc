// SPDX-License-Identifier: Apache-2.0
#include "ssd/ssd_params.h"

#include <fmt/format.h>

#include "nvme/registers.h"

namespace nvmearb::ssd {
namespace {

/// Intel P4510 2 TB. Registers as its owner dumped them (CAP, VS); power-on weights 6:3:1 and AB 0,
/// which its published shares show; media numbers fitted to its published tables.
SsdParams P4510() {
  SsdParams p;
  p.identity.cap = 0x2078030fff;
  p.identity.vs = nvme::MakeVersion(1, 2, 0);
  p.identity.pci_vendor = 0x8086;
  p.identity.ieee_oui = 0x5cd2e4;
  p.identity.model = "INTEL SSDPE2KX020T8";
  p.identity.serial = "NVMEARB00000001";
  p.identity.firmware = "VDV10131";
  p.identity.rab = 0;
  p.identity.mdts = 5;
  p.identity.capacity_bytes = 2'000'398'934'016;
  p.identity.lba_shift = 9;
  p.identity.volatile_write_cache = false;  // the buffer survives a power loss
  p.firmware.arbitration_default = nvme::ArbitrationFeature::FromCounts(0, 6, 3, 1);
  return p;
}

/// The same drive before its first full write: programs go faster.
SsdParams P4510Fresh() {
  SsdParams p = P4510();
  p.media.die_program_ps = 1'690'000'000;
  return p;
}

/// The drive of source 001 (March 2020, model not stated, registers as the P4510's): pure random
/// reads end at 760,000 per second; everything else as the P4510.
SsdParams S001() {
  SsdParams p = P4510();
  p.media.fetch_spacing_ps = 1'300'000;
  return p;
}

/// What scsi_debug with ndelay=1000000 max_queue=16 is to a host: one queue of 16 commands, each of
/// which takes 1 ms whatever the others do.
SsdParams OneMillisecond() {
  SsdParams p = P4510();
  p.identity.max_io_queues = 1;
  p.identity.cap = (p.identity.cap & ~std::uint64_t{0xffff}) | 16;  // MQES: 17 entries, 16 tags
  p.identity.model = "NVMEARB 1 MS 16 TAGS";
  p.media.window_slots = 64;
  p.media.fetch_spacing_ps = 0;
  p.media.die_read_ps = 0;
  p.media.die_switch_ps = 0;
  p.media.die_program_ps = 0;
  p.media.read_link_bytes_per_s = 1'000'000'000'000;
  p.media.write_link_bytes_per_s = 1'000'000'000'000;
  p.media.read_completion_ps = 1'000'000'000;
  p.media.write_completion_ps = 1'000'000'000;
  return p;
}

/// INTEL SSDPEKKR128G7 (Pro 6000p 128 GB), the drive of source 004, as its published numbers show
/// it: 153,000 commands per second whatever their size up to 16K, and 1.8 GB/s.
SsdParams Pro6000p() {
  SsdParams p = P4510();
  p.identity.ieee_oui = 0x5cd2e4;
  p.identity.model = "INTEL SSDPEKKR128G7";
  p.identity.capacity_bytes = 128'035'676'160;
  p.identity.max_io_queues = 8;
  p.media.window_slots = 512;
  p.media.fetch_spacing_ps = 6'500'000;
  p.media.die_count = 64;
  p.media.die_read_ps = 60'000'000;
  p.media.read_link_bytes_per_s = 1'800'000'000;
  return p;
}

/// One controller of the target of source 003: a RAM disk behind Linux's nvmet. Nothing in it is
/// slow but the software around it; its numbers are fitted in sim_configs/s003_iopolicy.toml.
SsdParams RamDiskTarget() {
  SsdParams p = P4510();
  p.identity.model = "NVMEARB RAM DISK";
  p.identity.capacity_bytes = 64'000'000'000;
  p.media.window_slots = 1024;
  p.media.fetch_spacing_ps = 0;
  p.media.die_read_ps = 0;
  p.media.die_switch_ps = 0;
  p.media.die_program_ps = 0;
  p.media.read_link_bytes_per_s = 10'000'000'000;
  p.media.write_link_bytes_per_s = 10'000'000'000;
  return p;
}

}  // namespace

std::string SsdParams::Problem() const {
  const std::uint64_t transfer = MaxTransferBytes();
  if (media.window_slots == 0) return "the fetch window needs at least one slot";
  if (media.die_count == 0) return "a drive needs at least one die";
  if (media.die_read_bytes == 0 || media.program_unit_bytes == 0) {
    return "read and program units need at least one byte";
  }
  if (media.read_link_bytes_per_s == 0 || media.write_link_bytes_per_s == 0) {
    return "a link needs a rate above 0";
  }
  if (identity.mdts < 1 || identity.mdts > 12) return "mdts has to be 1..12 (8 KiB to 16 MiB)";
  if (media.write_buffer_bytes < transfer) {
    return fmt::format("a write buffer of {} bytes cannot take one command of {} bytes",
                       media.write_buffer_bytes, transfer);
  }
  if (media.write_buffer_bytes < media.program_unit_bytes + transfer) {
    return fmt::format("a write buffer of {} bytes cannot fill a program unit of {} bytes",
                       media.write_buffer_bytes, media.program_unit_bytes);
  }
  if (BlockCount() == 0) return "the capacity is below one block";
  return {};
}

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> presets = {
      {"p4510", "Intel P4510 2 TB, used: programs at 2.0 GB/s", &P4510},
      {"p4510-fresh", "Intel P4510 2 TB, fresh: programs at 2.8 GB/s", &P4510Fresh},
      {"s001", "drive of the policy comparison of 2020-03: 760,000 reads per second", &S001},
      {"1ms-16tags", "each command takes 1 ms, one queue of 16 commands", &OneMillisecond},
      {"pro6000p-128g", "Intel Pro 6000p 128 GB: 153,000 commands per second", &Pro6000p},
      {"ram-disk-target", "RAM disk behind an NVMe over Fabrics target", &RamDiskTarget}};
  return presets;
}

const Preset* FindPreset(std::string_view name) {
  for (const Preset& preset : Presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace nvmearb::ssd
