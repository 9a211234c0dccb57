// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/params.h"

#include <fmt/format.h>

#include <charconv>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr unsigned kUpToCpus = ~0u;

// One place for names and ranges.
struct Parameter {
  const char* name;
  unsigned NvmeParams::*member;
  unsigned low;
  unsigned high;
};

constexpr Parameter kParameters[] = {
    {"read_queues", &NvmeParams::read_queues, 0, kUpToCpus},
    {"poll_queues", &NvmeParams::poll_queues, 0, kUpToCpus},
    {"wrr_low_queues", &NvmeParams::wrr_low_queues, 0, kUpToCpus},
    {"wrr_medium_queues", &NvmeParams::wrr_medium_queues, 0, kUpToCpus},
    {"wrr_high_queues", &NvmeParams::wrr_high_queues, 0, kUpToCpus},
    {"wrr_urgent_queues", &NvmeParams::wrr_urgent_queues, 0, kUpToCpus},
    {"io_queue_depth", &NvmeParams::io_queue_depth, 2, 4095},
    {"io_timeout", &NvmeParams::io_timeout, 1, 3600},
    {"admin_timeout", &NvmeParams::admin_timeout, 1, 3600},
    {"max_retries", &NvmeParams::max_retries, 0, 255},
};

void CheckRange(const Parameter& parameter, unsigned value, unsigned cpu_count,
                const std::string& where) {
  const unsigned high = parameter.high == kUpToCpus ? cpu_count : parameter.high;
  if (value >= parameter.low && value <= high) return;
  throw UserError(where, fmt::format("{} = {}", parameter.name, value),
                  fmt::format("allowed is {}..{}{}", parameter.low, high,
                              parameter.high == kUpToCpus ? " (the number of CPUs)" : ""));
}

}  // namespace

PerHctxType<unsigned> NvmeParams::QueuesAsked() const {
  return {0,
          read_queues,
          wrr_low_queues,
          wrr_medium_queues,
          wrr_high_queues,
          wrr_urgent_queues,
          poll_queues};
}

unsigned NvmeParams::WrrQueuesAsked() const {
  return wrr_low_queues + wrr_medium_queues + wrr_high_queues + wrr_urgent_queues;
}

void NvmeParams::ClearWrr() {
  wrr_low_queues = wrr_medium_queues = wrr_high_queues = wrr_urgent_queues = 0;
}

void NvmeParams::Set(std::string_view name, std::string_view value, const std::string& where) {
  std::string names;
  for (const Parameter& parameter : kParameters) {
    if (name != parameter.name) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name);
      continue;
    }
    unsigned number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || stop != value.data() + value.size()) {
      throw UserError(where, fmt::format("{} = '{}'", name, value), "write a decimal number");
    }
    CheckRange(parameter, number, kUpToCpus, where);
    this->*parameter.member = number;
    return;
  }
  throw UserError(where, fmt::format("unknown parameter '{}'", name), "known are " + names);
}

void NvmeParams::Validate(unsigned cpu_count, const std::string& where) const {
  for (const Parameter& parameter : kParameters) {
    CheckRange(parameter, this->*parameter.member, cpu_count, where);
  }
}

}  // namespace nvmearb::host
