// SPDX-License-Identifier: Apache-2.0
//
// rw, rw_sequencer, bs, bsrange, bssplit, ba, rwmixread, rwmixwrite.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host_driver/fio/option_parsers.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::uint64_t kSector = 512;
constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 30;
constexpr const char* kRwHelp =
    "read write trim randread randwrite randtrim rw readwrite randrw trimwrite randtrimwrite, "
    "and :N behind it";

std::uint32_t ParseBlock(const RawOption& option, std::string_view text, unsigned kb_base) {
  const std::uint64_t bytes = ParseNumber(option, text, kb_base, kSector, kMaxBlock);
  if (bytes % kSector != 0) {
    BadValue(option, fmt::format("{} is not a multiple of 512", bytes),
             "direct I/O needs whole logical blocks");
  }
  return static_cast<std::uint32_t>(bytes);
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

namespace {

/// What follows ':' in rw=: of a random job how many I/Os come from one place, of a sequential one
/// the gap between I/Os, negative for backwards.
void ParseSequence(const RawOption& option, const std::string& text, unsigned kb_base,
                   JobSpec* spec) {
  if (spec->random) {
    spec->sequence_count = static_cast<std::uint32_t>(ParseNumber(option, text, 1024, 1, 1u << 20));
    return;
  }
  const bool backwards = !text.empty() && text[0] == '-';
  const std::uint64_t gap = ParseNumber(option, std::string_view(text).substr(backwards ? 1 : 0),
                                        kb_base, 0, std::uint64_t{1} << 50);
  if (gap % kSector != 0) {
    BadValue(option, fmt::format("{} is not a multiple of 512", gap),
             "direct I/O needs whole logical blocks");
  }
  spec->sequence_add = static_cast<std::int64_t>(gap) * (backwards ? -1 : 1);
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
  const std::size_t colon = value.find(':');
  const std::string sequence = colon == std::string::npos ? "" : Trim(value.substr(colon + 1));
  value = Trim(value.substr(0, colon));
  std::string_view pattern = value;
  JobSpec& spec = *context.spec;
  spec.random = pattern.substr(0, 4) == "rand";
  if (spec.random) pattern.remove_prefix(4);
  const bool both = pattern == "rw" || (pattern == "readwrite" && !spec.random);
  const bool trim_write = pattern == "trimwrite";
  spec.reads = both || pattern == "read";
  spec.writes = both || trim_write || pattern == "write";
  spec.trims = trim_write || pattern == "trim";
  if (!spec.reads && !spec.writes && !spec.trims) BadValue(option, "unknown pattern", kRwHelp);
  spec.sequence_count = 1;
  spec.sequence_add = 0;
  if (colon != std::string::npos) ParseSequence(option, sequence, context.kb_base, &spec);
}

void ParseSequencer(const RawOption& option, const OptionContext& context) {
  if (option.value != "sequential" && option.value != "identical") {
    BadValue(option, "unknown sequencer", "sequential or identical");
  }
  context.spec->sequence_identical = option.value == "identical";
}

void ParseBs(const RawOption& option, const OptionContext& context) {
  if (option.value.find_first_of("-:") != std::string::npos) {
    BadValue(option, "not a size", "4k or 4k,64k (read,write); bsrange=4k-64k for a range");
  }
  const auto parse = [&](const std::string& text) {
    const std::uint32_t bytes = ParseBlock(option, text, context.kb_base);
    return BlockSizes{bytes, bytes, {}};
  };
  PerDirection<BlockSizes>(option, parse, &context.spec->block_sizes);
}

void ParseBsRange(const RawOption& option, const OptionContext& context) {
  // fio takes '/' as well as ',' between directions, and ':' as well as '-' inside a range.
  RawOption normal = option;
  std::replace(normal.value.begin(), normal.value.end(), '/', ',');
  std::replace(normal.value.begin(), normal.value.end(), ':', '-');
  const auto parse = [&](const std::string& text) {
    const std::vector<std::string> ends = Split(text, '-');
    if (ends.size() != 2) BadValue(option, fmt::format("'{}' is no range", text), "4k-64k");
    std::uint32_t low = ParseBlock(option, ends[0], context.kb_base);
    std::uint32_t high = ParseBlock(option, ends[1], context.kb_base);
    if (low > high) std::swap(low, high);
    return BlockSizes{low, high, {}};
  };
  PerDirection<BlockSizes>(normal, parse, &context.spec->block_sizes);
}

void ParseBsSplit(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) { return ParseSplit(option, text, context); };
  PerDirection<BlockSizes>(option, parse, &context.spec->block_sizes);
}

void ParseBlockAlign(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return text == "0" ? 0 : ParseBlock(option, text, context.kb_base);
  };
  PerDirection<std::uint32_t>(option, parse, &context.spec->block_align);
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
