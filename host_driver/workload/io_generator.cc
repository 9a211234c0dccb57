// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/io_generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t length = 0;
};

// Region of one device for clone number `clone`. `file_count` devices share size=.
Extent ResolveExtent(const JobSpec& spec, const std::string& filename, std::uint64_t capacity,
                     unsigned clone, std::size_t file_count, std::uint32_t unit) {
  const std::string place = fmt::format("{}: job '{}'", spec.where, spec.name);
  Extent extent;
  extent.begin = spec.offset.Resolve(capacity) + clone * spec.offset_increment.Resolve(capacity);
  // A percentage need not be a whole number of blocks: fio rounds it down.
  if (spec.offset.percent != 0 || spec.offset_increment.percent != 0) {
    extent.begin -= extent.begin % unit;
  }
  if (extent.begin >= capacity) {
    throw UserError(place,
                    fmt::format("offset {} of clone {} is not inside {}", extent.begin, clone,
                                filename.empty() ? "the device" : filename),
                    fmt::format("it has {} bytes", capacity));
  }
  if (extent.begin % 512 != 0) {
    throw UserError(place, fmt::format("offset {} is not a multiple of 512", extent.begin),
                    "direct I/O needs whole logical blocks");
  }
  extent.length = capacity - extent.begin;
  if (spec.size.IsSet()) {
    std::uint64_t size = spec.size.Resolve(capacity);
    if (spec.size.percent == 0) size /= file_count;
    if (size > extent.length && spec.size.percent == 0) {
      throw UserError(place,
                      fmt::format("size {} from offset {} goes beyond {}", size, extent.begin,
                                  filename.empty() ? "the device" : filename),
                      fmt::format("it has {} bytes; leave size out to use all of it", capacity));
    }
    extent.length = std::min(extent.length, size);
  }
  extent.length -= extent.length % unit;
  return extent;
}

}  // namespace

IoGenerator::IoGenerator(const JobSpec& spec, const std::vector<BlockDevice*>& devices,
                         unsigned clone, std::uint64_t seed, std::uint64_t stream)
    : sizes_(spec.block_sizes), random_(seed, stream) {
  mixed_ = spec.IsMixed();
  only_direction_ = spec.reads ? kDirRead : kDirWrite;
  read_percent_ = spec.read_percent;
  is_random_ = spec.random;
  once_per_pass_ = !spec.norandommap;
  const std::uint32_t read_unit = sizes_[kDirRead].min_bytes;
  const std::uint32_t write_unit = sizes_[kDirWrite].min_bytes;
  if (read_unit == write_unit) order_of_write_ = kDirRead;

  std::uint32_t smallest = ~std::uint32_t{0};
  for (std::size_t d = 0; d < kDirCount; ++d) {
    fixed_size_[d] = sizes_[d].split.empty() && sizes_[d].min_bytes == sizes_[d].max_bytes;
    if (d == kDirRead ? !spec.reads : !spec.writes) continue;
    max_io_bytes_ = std::max(max_io_bytes_, sizes_[d].max_bytes);
    smallest = std::min(smallest, sizes_[d].min_bytes);
  }

  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string& filename = i < spec.filenames.size() ? spec.filenames[i] : std::string();
    const Extent extent =
        ResolveExtent(spec, filename, devices[i]->CapacityBytes(), clone, devices.size(), smallest);
    if (extent.length < max_io_bytes_) {
      throw UserError(fmt::format("{}: job '{}'", spec.where, spec.name),
                      fmt::format("the region of {} bytes is smaller than a block of {} bytes",
                                  extent.length, max_io_bytes_),
                      "raise size or lower bs");
    }
    Region region;
    region.device = devices[i];
    region.begin = extent.begin;
    region.length = extent.length;
    for (std::size_t d = 0; d < kDirCount; ++d) {
      region.blocks[d] = std::max<std::uint64_t>(1, extent.length / sizes_[d].min_bytes);
      region.order[d] = BlockPermutation(region.blocks[d], random_.Next(), d);
    }
    region_bytes_ += region.length;
    regions_.push_back(region);
  }
}

std::uint32_t IoGenerator::NextLength(const BlockSizes& sizes) {
  if (sizes.split.empty()) {
    return sizes.min_bytes *
           static_cast<std::uint32_t>(random_.InRange(1, sizes.max_bytes / sizes.min_bytes));
  }
  auto draw = static_cast<std::uint32_t>(random_.Below(100));
  for (const BlockSizeShare& share : sizes.split) {
    if (draw < share.percent) return share.bytes;
    draw -= share.percent;
  }
  return sizes.split.back().bytes;
}

PlannedIo IoGenerator::Next(int direction) {
  const auto dir = static_cast<std::size_t>(direction);
  Region& region = regions_[next_region_];
  if (++next_region_ == regions_.size()) next_region_ = 0;

  PlannedIo io;
  io.device = region.device;
  io.bytes = fixed_size_[dir] ? sizes_[dir].min_bytes : NextLength(sizes_[dir]);
  std::uint64_t offset = 0;
  if (is_random_) {
    const auto order = dir == kDirWrite ? static_cast<std::size_t>(order_of_write_) : dir;
    const std::uint64_t block =
        once_per_pass_ ? region.order[order].Next() : random_.Below(region.blocks[dir]);
    offset = block * sizes_[dir].min_bytes;
    if (offset + io.bytes > region.length) {
      offset = region.length - io.bytes;
      offset -= offset % sizes_[dir].min_bytes;
    }
  } else {
    offset = region.position[dir];
    if (offset + io.bytes > region.length) offset = 0;
    region.position[dir] = offset + io.bytes;
  }
  io.offset = region.begin + offset;
  return io;
}

}  // namespace nvmearb::host
