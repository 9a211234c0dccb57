// SPDX-License-Identifier: Apache-2.0
#include "ssd/log_data.h"

#include <algorithm>
#include <cstring>

#include "nvme/log_pages.h"

namespace nvmearb::ssd {

using nvme::Status;

namespace {

std::vector<std::uint8_t> ErrorLog(const EventReporter& events) {
  std::vector<std::uint8_t> page(events.log_entry_count() * sizeof(nvme::ErrorLogEntry));
  for (std::size_t age = 0; age < events.log_entry_count(); ++age) {
    const nvme::ErrorLogEntry entry = events.LogEntry(age);
    std::memcpy(page.data() + age * sizeof entry, &entry, sizeof entry);
  }
  return page;
}

/// Data units are thousands of 512-byte blocks, rounded up.
std::uint64_t DataUnits(std::uint64_t bytes) {
  constexpr std::uint64_t kUnitBytes = 512'000;
  return (bytes + kUnitBytes - 1) / kUnitBytes;
}

std::vector<std::uint8_t> SmartLog(const EventReporter& events, const Statistics& statistics) {
  nvme::SmartLog log{};
  log.temperature_kelvin = 273 + 35;
  log.available_spare_percent = 100;
  log.spare_threshold_percent = 10;
  log.data_units_read = DataUnits(statistics.read_bytes);
  log.data_units_written = DataUnits(statistics.written_bytes);
  log.host_reads = statistics.reads_completed;
  log.host_writes = statistics.writes_completed;
  log.error_log_entries = events.error_count();
  std::vector<std::uint8_t> page(sizeof log);
  std::memcpy(page.data(), &log, sizeof log);
  return page;
}

}  // namespace

Status BuildLogPage(const nvme::GetLogPage& command, std::uint64_t max_bytes,
                    const EventReporter& events, const Statistics& statistics,
                    std::vector<std::uint8_t>* data) {
  std::vector<std::uint8_t> page;
  switch (static_cast<nvme::LogPage>(command.lid)) {
    case nvme::LogPage::kErrorInformation:
      page = ErrorLog(events);
      break;
    case nvme::LogPage::kSmartHealth:
      page = SmartLog(events, statistics);
      break;
    default:
      return Status::kInvalidLogPage;
  }
  const std::uint64_t bytes = command.dword_count * 4;
  if (bytes > max_bytes || command.offset_bytes > page.size() || command.offset_bytes % 4 != 0) {
    return Status::kInvalidField;
  }
  data->assign(bytes, 0);
  const std::uint64_t available = page.size() - command.offset_bytes;
  std::memcpy(data->data(), page.data() + command.offset_bytes, std::min(bytes, available));
  return Status::kSuccess;
}

}  // namespace nvmearb::ssd
