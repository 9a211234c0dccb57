// SPDX-License-Identifier: Apache-2.0
//
// rw, bs, bsrange, bssplit, rwmixread, rwmixwrite.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host_driver/fio/option_parsers.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::uint64_t kSector = 512;
constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 30;
constexpr const char* kRwHelp = "read write randread randwrite rw readwrite randrw";

std::uint32_t ParseBlock(const RawOption& option, std::string_view text, unsigned kb_base) {
  const std::uint64_t bytes = ParseNumber(option, text, kb_base, kSector, kMaxBlock);
  if (bytes % kSector != 0) {
    BadValue(option, fmt::format("{} is not a multiple of 512", bytes),
             "direct I/O needs whole logical blocks");
  }
  return static_cast<std::uint32_t>(bytes);
}

// Applies `parse(text)` to the comma separated parts: the first counts for all directions, the
// second for writes (and trims), a third, for trims, is checked and dropped. Empty parts change
// nothing.
template <typename Value, typename Parse>
void PerDirection(const RawOption& option, Parse parse, Value* read, Value* write) {
  const std::vector<std::string> parts = Split(option.value, ',');
  if (parts.size() > 3) BadValue(option, "too many parts", "read,write,trim");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const Value value = parse(parts[i]);
    if (i == 0) *read = value;
    if (i <= 1) *write = value;
  }
}

BlockSizes ParseSplit(const RawOption& option, const std::string& text,
                      const OptionContext& context) {
  BlockSizes sizes;
  std::vector<std::size_t> without_percent;
  std::uint32_t sum = 0;
  for (const std::string& entry : Split(text, ':')) {
    const std::vector<std::string> halves = Split(entry, '/');
    if (halves.size() > 2) BadValue(option, fmt::format("'{}' is no size/percent", entry), "4k/80");
    BlockSizeShare share;
    share.bytes = ParseBlock(option, halves[0], context.kb_base);
    if (halves.size() == 2 && !halves[1].empty()) {
      share.percent = static_cast<std::uint32_t>(ParseNumber(option, halves[1], 1024, 0, 100));
      sum += share.percent;
    } else {
      without_percent.push_back(sizes.split.size());
    }
    sizes.split.push_back(share);
  }
  if (sum > 100) BadValue(option, fmt::format("the shares add up to {} %", sum), "at most 100");
  const std::uint32_t rest = 100 - sum;
  if (!without_percent.empty()) {
    const auto count = static_cast<std::uint32_t>(without_percent.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      sizes.split[without_percent[i]].percent = rest / count + (i < rest % count ? 1 : 0);
    }
  } else if (rest != 0) {
    sizes.split.back().percent += rest;  // as fio's draw does
    context.warnings->push_back(
        fmt::format("{}: {}={}: the shares add up to {} %, the last one gets the rest",
                    option.where, option.key, option.value, sum));
  }
  sizes.min_bytes = sizes.split.front().bytes;
  sizes.max_bytes = sizes.min_bytes;
  for (const BlockSizeShare& share : sizes.split) {
    sizes.min_bytes = std::min(sizes.min_bytes, share.bytes);
    sizes.max_bytes = std::max(sizes.max_bytes, share.bytes);
  }
  return sizes;
}

}  // namespace

void ParseRw(const RawOption& option, const OptionContext& context) {
  std::string value = option.value;
  const std::size_t comma = value.find(',');
  if (comma != std::string::npos) {
    context.warnings->push_back(fmt::format("{}: {}={}: only '{}' counts, as in fio", option.where,
                                            option.key, option.value, value.substr(0, comma)));
    value = value.substr(0, comma);
  }
  if (value.find(':') != std::string::npos) {
    BadValue(option, "the sequence modifier behind ':' is not supported", kRwHelp);
  }
  value = Trim(value);
  if (value.find("trim") != std::string::npos) BadValue(option, "trim is not supported", kRwHelp);
  std::string_view pattern = value;
  JobSpec& spec = *context.spec;
  spec.random = pattern.substr(0, 4) == "rand";
  if (spec.random) pattern.remove_prefix(4);
  const bool both = pattern == "rw" || (pattern == "readwrite" && !spec.random);
  spec.reads = both || pattern == "read";
  spec.writes = both || pattern == "write";
  if (!spec.reads && !spec.writes) BadValue(option, "unknown pattern", kRwHelp);
}

void ParseBs(const RawOption& option, const OptionContext& context) {
  if (option.value.find_first_of("-:") != std::string::npos) {
    BadValue(option, "not a size", "4k or 4k,64k (read,write); bsrange=4k-64k for a range");
  }
  BlockSizes read = context.spec->block_sizes[kDirRead];
  BlockSizes write = context.spec->block_sizes[kDirWrite];
  const auto parse = [&](const std::string& text) {
    const std::uint32_t bytes = ParseBlock(option, text, context.kb_base);
    return BlockSizes{bytes, bytes, {}};
  };
  PerDirection<BlockSizes>(option, parse, &read, &write);
  context.spec->block_sizes = {read, write};
}

void ParseBsRange(const RawOption& option, const OptionContext& context) {
  // fio takes '/' as well as ',' between directions, and ':' as well as '-' inside a range.
  RawOption normal = option;
  std::replace(normal.value.begin(), normal.value.end(), '/', ',');
  std::replace(normal.value.begin(), normal.value.end(), ':', '-');
  BlockSizes read = context.spec->block_sizes[kDirRead];
  BlockSizes write = context.spec->block_sizes[kDirWrite];
  const auto parse = [&](const std::string& text) {
    const std::vector<std::string> ends = Split(text, '-');
    if (ends.size() != 2) BadValue(option, fmt::format("'{}' is no range", text), "4k-64k");
    std::uint32_t low = ParseBlock(option, ends[0], context.kb_base);
    std::uint32_t high = ParseBlock(option, ends[1], context.kb_base);
    if (low > high) std::swap(low, high);
    return BlockSizes{low, high, {}};
  };
  PerDirection<BlockSizes>(normal, parse, &read, &write);
  context.spec->block_sizes = {read, write};
}

void ParseBsSplit(const RawOption& option, const OptionContext& context) {
  BlockSizes read = context.spec->block_sizes[kDirRead];
  BlockSizes write = context.spec->block_sizes[kDirWrite];
  const auto parse = [&](const std::string& text) { return ParseSplit(option, text, context); };
  PerDirection<BlockSizes>(option, parse, &read, &write);
  context.spec->block_sizes = {read, write};
}

void ParseRwMixRead(const RawOption& option, const OptionContext& context) {
  context.spec->read_percent =
      static_cast<std::uint32_t>(ParseNumber(option, option.value, context.kb_base, 0, 100));
}

void ParseRwMixWrite(const RawOption& option, const OptionContext& context) {
  context.spec->read_percent =
      100 - static_cast<std::uint32_t>(ParseNumber(option, option.value, context.kb_base, 0, 100));
}

}  // namespace nvmearb::host::fio
