// SPDX-License-Identifier: Apache-2.0
//
// SsdParams: everything that makes one drive differ from another, in one plain struct with the
// units in the names, and the table of presets. The media numbers are those of a station model:
// dies, two links, a write buffer and a fetch window (see media.h and fetch_window.h).
#ifndef NVMEARB_MODELS_SSD_SSD_PARAMS_H_
#define NVMEARB_MODELS_SSD_SSD_PARAMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nvme/features.h"

namespace nvmearb::ssd {

struct MediaParams {
  /// Commands between fetch and completion (window of K slots).
  std::uint32_t window_slots = 256;
  /// Least time between two dispatched I/O commands.
  std::uint64_t fetch_spacing_ps = 1'515'000;

  std::uint32_t die_count = 72;
  std::uint64_t die_read_ps = 80'000'000;
  std::uint32_t die_read_bytes = 16 * 1024;  ///< one die read delivers at most this
  /// Extra time of the first read behind a program where more programs wait.
  std::uint64_t die_switch_ps = 500'000'000;
  std::uint64_t die_program_ps = 2'360'000'000;
  std::uint32_t program_unit_bytes = 64 * 1024;

  /// Share of the writes away from where their queue wrote last (see fetch_window.h) that make the
  /// drive tidy up first, for an exponential time of this mean. 0: none.
  double random_write_share = 0;
  std::uint64_t random_write_ps = 0;

  std::uint64_t write_buffer_bytes = 8'000'000;
  std::uint64_t read_link_bytes_per_s = 3'000'000'000;
  std::uint64_t write_link_bytes_per_s = 3'000'000'000;
  std::uint64_t read_completion_ps = 6'000'000;
  std::uint64_t write_completion_ps = 12'000'000;
};

struct FirmwareParams {
  std::uint64_t ready_ps = 100'000'000;  ///< CC.EN = 1 to CSTS.RDY = 1
  std::uint64_t admin_ps = 10'000'000;   ///< execution of one admin command
  std::uint64_t flush_ps = 12'000'000;   ///< a Flush, with nothing volatile to write back
  /// Dataset Management, whatever the number of blocks: a table update, no die takes part. Assumed:
  /// no published figure of this drive.
  std::uint64_t trim_ps = 40'000'000;
  std::uint8_t aerl_zb = 3;   ///< outstanding Asynchronous Event Requests, 0's based
  std::uint8_t acl_zb = 3;    ///< concurrent Aborts, 0's based
  std::uint8_t elpe_zb = 63;  ///< entries of the error log, 0's based
  nvme::ArbitrationFeature arbitration_default;
};

struct IdentityParams {
  /// I/O queues of each kind that Number of Queues grants at most; 0 = as the front end has.
  std::uint32_t max_io_queues = 0;
  std::uint64_t cap = 0;  ///< MQES and DSTRD are narrowed to what the front end can do
  std::uint32_t vs = 0;
  std::uint16_t pci_vendor = 0;
  std::uint32_t ieee_oui = 0;
  std::string model;
  std::string serial;
  std::string firmware;
  std::uint8_t rab = 0;
  std::uint8_t mdts = 0;  ///< 2^mdts pages of 4 KiB; 0 = no limit
  std::uint64_t capacity_bytes = 0;
  std::uint8_t lba_shift = 9;
  bool volatile_write_cache = false;
};

struct SsdParams {
  IdentityParams identity;
  FirmwareParams firmware;
  MediaParams media;
  std::uint64_t seed = 1;  ///< of the die picks

  /// Largest transfer of one command in bytes; 0 = no limit.
  [[nodiscard]] std::uint64_t MaxTransferBytes() const {
    return identity.mdts == 0 ? 0 : std::uint64_t{4096} << identity.mdts;
  }
  [[nodiscard]] std::uint64_t BlockCount() const {
    return identity.capacity_bytes >> identity.lba_shift;
  }
  /// What is wrong with these numbers, as a sentence for the user; empty when nothing is.
  [[nodiscard]] std::string Problem() const;
};

/// One line of the preset table.
struct Preset {
  std::string_view name;
  std::string_view summary;
  SsdParams (*make)();
};

/// All presets; each function in ssd_params.cc says where its numbers come from.
const std::vector<Preset>& Presets();

/// The preset of that name, or nullptr.
const Preset* FindPreset(std::string_view name);

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_SSD_PARAMS_H_
