// SPDX-License-Identifier: Apache-2.0
#include "host_driver/base/cpu_topology.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr unsigned kMaxCpus = 1024;
constexpr const char* kAllowed =
    "write SOCKETSxCORESxTHREADS such as 2x24x2: 1..16 sockets, 1..256 cores each, 1..8 threads "
    "each, at most 1024 CPUs";

void CheckShape(unsigned sockets, unsigned cores, unsigned threads, const std::string& where) {
  const bool in_range =
      sockets >= 1 && sockets <= 16 && cores >= 1 && cores <= 256 && threads >= 1 && threads <= 8;
  if (!in_range || sockets * cores * threads > kMaxCpus) {
    throw UserError(where, fmt::format("{}x{}x{} is no CPU topology", sockets, cores, threads),
                    kAllowed);
  }
}

}  // namespace

CpuTopology::CpuTopology(unsigned sockets, unsigned cores, unsigned threads)
    : sockets_(sockets), cores_(cores), threads_(threads) {
  CheckShape(sockets, cores, threads, "cpus");
}

CpuTopology CpuTopology::Parse(std::string_view text, const std::string& where) {
  std::array<unsigned, 3> part{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool separated = i == 0 || (at != end && *at++ == 'x');
    const auto [stop, error] = std::from_chars(at, end, part[i]);
    if (!separated || error != std::errc{} || stop == at) {
      throw UserError(where, fmt::format("'{}' is no CPU topology", text), kAllowed);
    }
    at = stop;
  }
  if (at != end) throw UserError(where, fmt::format("'{}' is no CPU topology", text), kAllowed);
  CheckShape(part[0], part[1], part[2], where);
  return {part[0], part[1], part[2]};
}

std::vector<std::uint16_t> CpuTopology::CpusOfNode(unsigned node) const {
  std::vector<std::uint16_t> cpus;
  for (unsigned cpu = 0; cpu < cpu_count(); ++cpu) {
    if (NodeOf(cpu) == node) cpus.push_back(static_cast<std::uint16_t>(cpu));
  }
  return cpus;
}

std::vector<std::uint16_t> CpuTopology::Siblings(unsigned cpu) const {
  std::vector<std::uint16_t> cpus;
  for (unsigned sibling = FirstSibling(cpu); sibling < cpu_count(); sibling += sockets_ * cores_) {
    cpus.push_back(static_cast<std::uint16_t>(sibling));
  }
  return cpus;
}

std::string CpuTopology::ToString() const {
  return fmt::format("{}x{}x{}", sockets_, cores_, threads_);
}

}  // namespace nvmearb::host
