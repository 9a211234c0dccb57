// SPDX-License-Identifier: Apache-2.0
#include "host_driver/workload/io_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr std::uint64_t kRanksPerFile = 1024;

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
    : sizes_(spec.block_sizes),
      random_percent_(spec.random_percent),
      shares_(spec.cmdprio),
      priority_(spec.JobPriority()),
      random_(seed, stream),
      file_service_(spec.file_service),
      file_service_ios_(spec.file_service_ios),
      file_distribution_(spec.file_distribution),
      read_percent_(spec.read_percent),
      sequence_count_(spec.sequence_count),
      sequence_add_(spec.sequence_add),
      only_direction_(spec.reads    ? kDirRead
                      : spec.writes ? kDirWrite
                                    : kDirTrim),
      mixed_(spec.IsMixed() || spec.TrimsThenWrites()),
      trim_write_(spec.TrimsThenWrites()),
      is_random_(spec.random),
      identical_(spec.sequence_identical),
      once_per_pass_(!spec.norandommap),
      size_by_place_(spec.bs_is_seq_rand) {
  std::uint32_t smallest = ~std::uint32_t{0};
  for (std::size_t d = 0; d < kDirCount; ++d) {
    fixed_size_[d] = sizes_[d].split.empty() && sizes_[d].min_bytes == sizes_[d].max_bytes;
    unit_[d] = spec.block_align[d] != 0 ? spec.block_align[d] : sizes_[d].min_bytes;
    is_uniform_[d] = spec.distribution[d].kind == DistributionKind::kUniform;
    order_of_[d] = unit_[d] == unit_[kDirRead] ? static_cast<std::size_t>(kDirRead) : d;
    for (PriorityShare& share : shares_[d]) {
      if (!share.has_own) share.priority = spec.cmdprio_default[d];
    }
    const bool by_place = size_by_place_ && d != kDirTrim;
    if (!by_place && !spec.Does(static_cast<int>(d))) continue;
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
      region.blocks[d] = std::max<std::uint64_t>(1, extent.length / unit_[d]);
      // Trims draw nothing from the job's numbers: reads and writes stay where they were.
      const std::uint64_t order_seed = d == kDirTrim ? seed ^ (stream + i) : random_.Next();
      region.order[d] = BlockPermutation(region.blocks[d], order_seed, d);
      if (is_uniform_[d]) continue;
      region.distribution[d] =
          RandomDistribution(spec.distribution[d], region.blocks[d], unit_[d], random_.Next());
    }
    region_bytes_ += region.length;
    regions_.push_back(region);
  }
  const DistributionKind kind = file_distribution_.kind;
  if (kind == DistributionKind::kZipf || kind == DistributionKind::kPareto) {
    file_distribution_.center = random_.Unit();  // in order, from anywhere on
    file_ranks_ =
        RandomDistribution(file_distribution_, regions_.size() * kRanksPerFile, 1, random_.Next());
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

/// Whether the next I/O of a random job goes to a new place.
bool IoGenerator::DrawsPlace(std::size_t direction) {
  if (sequence_count_ > 1) {
    if (sequence_left_ > 0) {
      --sequence_left_;
      return false;
    }
    sequence_left_ = sequence_count_ - 1;
  }
  const std::uint32_t percent = random_percent_[direction];
  return percent >= 100 || random_.Below(100) < percent;
}

std::uint64_t IoGenerator::RandomOffset(Region* region, std::size_t direction,
                                        std::uint32_t bytes) {
  const std::uint64_t block = !is_uniform_[direction]
                                  ? region->distribution[direction].Next(&random_)
                              : once_per_pass_ ? region->order[order_of_[direction]].Next()
                                               : random_.Below(region->blocks[direction]);
  std::uint64_t offset = block * unit_[direction];
  if (offset + bytes > region->length) {
    offset = region->length - bytes;
    offset -= offset % sizes_[direction].min_bytes;
  }
  return offset;
}

std::uint64_t IoGenerator::SequentialOffset(const Region& region, std::size_t direction,
                                            std::uint32_t bytes) {
  const std::uint64_t offset = region.position[direction];
  if (offset <= region.length && bytes <= region.length - offset) return offset;
  // Behind the end, or before the begin of a backward job.
  return sequence_add_ < 0 ? (region.length - bytes) / unit_[direction] * unit_[direction] : 0;
}

/// A file at random. As fio does it, ranks are finer than files: the first file takes a whole
/// kRanksPerFile of them; and normal is the mean of twelve uniform numbers, moved by one more that
/// is as wide as the deviation says.
std::size_t IoGenerator::DrawRegion() {
  const std::size_t count = regions_.size();
  switch (file_distribution_.kind) {
    case DistributionKind::kZipf:
    case DistributionKind::kPareto:
      return static_cast<std::size_t>(file_ranks_.Next(&random_) / kRanksPerFile);
    case DistributionKind::kNormal: {
      double sum = 0;
      for (int i = 0; i < 12; ++i) sum += random_.Unit();
      const double width = std::min(file_distribution_.parameter / 100, 0.5);
      double at = sum / 12 + (random_.Unit() - 0.5) * width;
      at -= std::floor(at);
      return std::min(count - 1, static_cast<std::size_t>(at * static_cast<double>(count)));
    }
    default:
      return static_cast<std::size_t>(random_.Below(count));
  }
}

/// file_service_type.
std::size_t IoGenerator::PickRegion() {
  if (regions_.size() == 1) return 0;
  const std::size_t following = region_ + 1 == regions_.size() ? 0 : region_ + 1;
  if (file_service_ == FileService::kSequential) {
    if (std::exchange(region_begun_, true) && region_bytes_left_ < max_io_bytes_) {
      region_ = following;
      region_bytes_left_ = 0;
    }
    if (region_bytes_left_ == 0) region_bytes_left_ = regions_[region_].length;
    return region_;
  }
  if (region_ios_left_ == 0) {
    region_ios_left_ = file_service_ios_;
    if (file_service_ == FileService::kRandom) {
      region_ = DrawRegion();
    } else if (std::exchange(region_begun_, true)) {
      region_ = following;
    }
  }
  --region_ios_left_;
  return region_;
}

PlannedIo IoGenerator::Next(int direction) {
  const auto dir = static_cast<std::size_t>(direction);
  if (trim_write_) {
    last_was_trim_ = direction == kDirTrim;
    if (direction == kDirWrite) return trimmed_;
  }
  Region& region = regions_[PickRegion()];

  PlannedIo io;
  io.device = region.device;
  bool draws_place = size_by_place_ && is_random_ && DrawsPlace(dir);
  const std::size_t by_place = draws_place ? std::size_t{kDirWrite} : std::size_t{kDirRead};
  const std::size_t kind = size_by_place_ ? by_place : dir;
  io.bytes = fixed_size_[kind] ? sizes_[kind].min_bytes : NextLength(sizes_[kind]);
  if (!size_by_place_) draws_place = is_random_ && DrawsPlace(dir);
  std::uint64_t offset = 0;
  if (draws_place) {
    offset = RandomOffset(&region, kind, io.bytes);
  } else if (is_random_ && identical_ && sequence_count_ > 1) {
    offset = std::min(region.last[dir], region.length - io.bytes);
  } else {
    offset = SequentialOffset(region, dir, io.bytes);
  }
  region.last[dir] = offset;
  region_bytes_left_ -= std::min<std::uint64_t>(region_bytes_left_, io.bytes);
  // Below 0 wraps to a place behind the end, which is what SequentialOffset() looks for.
  region.position[dir] = offset + io.bytes + static_cast<std::uint64_t>(sequence_add_);
  io.offset = region.begin + offset;
  if (trim_write_) trimmed_ = io;
  return io;
}

IoPriority IoGenerator::NextPriority(int direction, std::uint32_t bytes) {
  std::vector<PriorityShare>& shares = shares_[static_cast<std::size_t>(direction)];
  if (shares.empty()) return priority_;
  auto draw = static_cast<std::uint32_t>(random_.Below(100));
  for (const PriorityShare& share : shares) {
    if (share.bytes != 0 && share.bytes != bytes) continue;
    if (draw < share.percent) return share.priority;
    draw -= share.percent;
  }
  return priority_;
}

}  // namespace nvmearb::host
