// SPDX-License-Identifier: Apache-2.0
//
// Log pages 01h (Error Information, 64 bytes an entry) and 02h (SMART / Health, 512 bytes).
#ifndef NVMEARB_MODELS_NVME_LOG_PAGES_H_
#define NVMEARB_MODELS_NVME_LOG_PAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace nvmearb::nvme {

enum class LogPage : std::uint8_t { kErrorInformation = 0x01, kSmartHealth = 0x02 };

#pragma pack(push, 1)

/// One entry of log 01h; the newest comes first.
struct ErrorLogEntry {
  std::uint64_t error_count;  ///< 1, 2, ...; 0 = the entry is not used
  std::uint16_t sqid;
  std::uint16_t cid;  ///< FFFFh when the error belongs to no command
  std::uint16_t status_phase;
  std::uint16_t parameter_location;
  std::uint64_t lba;
  std::uint32_t nsid;
  std::uint8_t vendor;
  std::uint8_t trtype;
  std::uint16_t reserved30;
  std::uint64_t command_specific;
  std::array<std::uint8_t, 24> reserved40;
};

/// Log 02h. Counters of 128 bits have their low half named.
struct SmartLog {
  std::uint8_t critical_warning;
  std::uint16_t temperature_kelvin;
  std::uint8_t available_spare_percent;
  std::uint8_t spare_threshold_percent;
  std::uint8_t used_percent;
  std::array<std::uint8_t, 26> reserved6;
  std::uint64_t data_units_read;  ///< thousands of 512-byte blocks, rounded up
  std::uint64_t data_units_read_high;
  std::uint64_t data_units_written;
  std::uint64_t data_units_written_high;
  std::uint64_t host_reads;
  std::uint64_t host_reads_high;
  std::uint64_t host_writes;
  std::uint64_t host_writes_high;
  std::array<std::uint8_t, 80> reserved96;  ///< busy time, power cycles, hours, media errors
  std::uint64_t error_log_entries;          ///< byte 176
  std::uint64_t error_log_entries_high;
  std::array<std::uint8_t, 320> reserved192;
};

#pragma pack(pop)

static_assert(sizeof(ErrorLogEntry) == 64 && sizeof(SmartLog) == 512);
static_assert(offsetof(ErrorLogEntry, status_phase) == 12 && offsetof(ErrorLogEntry, lba) == 16);
static_assert(offsetof(SmartLog, data_units_read) == 32 && offsetof(SmartLog, host_reads) == 64);
static_assert(offsetof(SmartLog, error_log_entries) == 176);
static_assert(std::is_trivially_copyable_v<SmartLog>);

}  // namespace nvmearb::nvme

#endif  // NVMEARB_MODELS_NVME_LOG_PAGES_H_
