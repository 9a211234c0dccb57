// SPDX-License-Identifier: Apache-2.0
#include "host_driver/cgroup/wrr.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr const char* kGrammar =
    "write MAJ:MIN LEVEL, such as '259:0 high', LEVEL one of none, low, medium, high, urgent";

// Takes a decimal number off the front of `text`.
std::optional<unsigned> TakeNumber(std::string_view& text) {
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

std::size_t LeadingBlanks(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

std::optional<WrrLevel> ParseLevel(std::string_view text) {
  for (int i = 0; i < kWrrLevelCount; ++i) {
    if (text == WrrLevelName(static_cast<WrrLevel>(i))) return static_cast<WrrLevel>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string WrrFile::Read(const CgroupTree& tree, const Cgroup& cgroup) const {
  std::string text;
  const auto& disks = tree.disks();
  for (unsigned i = 0; i < disks.size(); ++i) {
    if (!cgroup.Knows(i)) continue;
    const char* level = cgroup.IsWrongLevel(i) ? "wrong" : WrrLevelName(cgroup.Level(i));
    text += fmt::format("{}:{} {}\n", disks[i].major, disks[i].minor, level);
  }
  return text;
}

void WrrFile::Write(CgroupTree& tree, Cgroup& cgroup, std::string_view text) {
  const std::string where = fmt::format("{} of cgroup {}", name_, cgroup.path());
  std::string_view rest = text;
  if (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  const std::string shown(rest);

  const auto major = TakeNumber(rest);
  const bool colon = major && !rest.empty() && rest.front() == ':';
  if (colon) rest.remove_prefix(1);
  const auto minor = colon ? TakeNumber(rest) : std::nullopt;
  if (!minor) {
    throw UserError(where, fmt::format("EINVAL: '{}' does not begin with MAJ:MIN", shown),
                    kGrammar);
  }
  const std::size_t blanks = LeadingBlanks(rest);
  if (blanks == 0) {
    throw UserError(where, fmt::format("EINVAL: no blank after MAJ:MIN in '{}'", shown), kGrammar);
  }
  rest.remove_prefix(blanks);

  const auto& disks = tree.disks();
  for (unsigned i = 0; i < disks.size(); ++i) {
    const DiskId& disk = disks[i];
    if (disk.major != *major || *minor < disk.minor) continue;
    const unsigned partition = *minor - disk.minor;
    if (partition > disk.partition_count) continue;
    if (partition > 0) {
      throw UserError(where, fmt::format("EINVAL: {}:{} is a partition", *major, *minor),
                      fmt::format("name the whole disk, {}:{}", disk.major, disk.minor));
    }
    const auto level = ParseLevel(rest);
    if (level) {
      cgroup.SetLevel(i, *level);
    } else if (options_.posted_bugs) {
      cgroup.SetWrongLevel(i);
    } else {
      throw UserError(where, fmt::format("EINVAL: unknown level '{}'", rest), kGrammar);
    }
    return;
  }
  std::string known;
  for (const DiskId& disk : disks) {
    known +=
        fmt::format("{}{} is {}:{}", known.empty() ? "" : ", ", disk.name, disk.major, disk.minor);
  }
  throw UserError(where, fmt::format("ENODEV: no disk {}:{}", *major, *minor), known);
}

}  // namespace nvmearb::host
