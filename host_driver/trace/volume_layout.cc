// SPDX-License-Identifier: Apache-2.0
#include "trace/volume_layout.h"

#include <algorithm>

namespace nvmearb::trace {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kGoldenFraction = 0x9e3779b97f4a7c15;  // of 2^64

}  // namespace

std::uint64_t VolumeLayout::BeginOf(std::string_view volume) {
  const auto known = begins_.find(volume);
  if (known != begins_.end()) return known->second;
  const std::uint64_t fraction = begins_.size() * kGoldenFraction;
  auto begin =
      static_cast<std::uint64_t>((static_cast<unsigned __int128>(fraction) * capacity_) >> 64);
  begin -= begin % kAlignment;
  begins_.emplace(volume, begin);
  return begin;
}

VolumeLayout::Extent VolumeLayout::Place(const TraceRecord& record) {
  const std::uint64_t first = record.offset - record.offset % kBlock;
  const std::uint64_t end = (record.offset + record.bytes + kBlock - 1) / kBlock * kBlock;
  if (first != record.offset || end != record.offset + record.bytes) ++widened_;
  Extent extent;
  extent.bytes = static_cast<std::uint32_t>(std::min(end - first, capacity_));
  const std::uint64_t wanted = BeginOf(record.device) + first;
  extent.offset = wanted % capacity_;
  if (wanted + extent.bytes > capacity_) ++wrapped_;
  extent.offset = std::min(extent.offset, capacity_ - extent.bytes);
  return extent;
}

}  // namespace nvmearb::trace
