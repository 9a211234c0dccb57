// SPDX-License-Identifier: Apache-2.0
#include "host_driver/base/host_memory.h"

#include <algorithm>
#include <cstdlib>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

std::uint64_t PagesFor(std::size_t bytes) {
  return (bytes + HostMemory::kPageBytes - 1) / HostMemory::kPageBytes;
}

}  // namespace

void HostMemory::FreeDeleter::operator()(void* memory) const { std::free(memory); }

HostMemory::Block HostMemory::NewZeroed(std::size_t bytes) {
  // calloc leaves large blocks untouched, so that memory nobody writes costs nothing.
  Block block(static_cast<std::uint8_t*>(std::calloc(1, bytes)));
  NVMEARB_CHECK(block != nullptr, "out of memory");
  return block;
}

std::uint64_t HostMemory::NextAddress(std::size_t bytes, std::size_t align) {
  NVMEARB_CHECK(bytes > 0, "an empty region");
  NVMEARB_CHECK((align & (align - 1)) == 0, "alignment is a power of two");
  const std::uint64_t step = std::max<std::uint64_t>(align, kPageBytes);
  const std::uint64_t end = kBase + pages_.size() * kPageBytes;
  const std::uint64_t gap = pages_.empty() ? 0 : kPageBytes;
  const std::uint64_t address = (end + gap + step - 1) & ~(step - 1);
  pages_.resize((address - kBase) / kPageBytes + PagesFor(bytes));
  return address;
}

HostMemory::Region HostMemory::Allocate(std::size_t bytes, std::size_t align) {
  const std::uint64_t address = NextAddress(bytes, align);
  const std::uint64_t count = PagesFor(bytes);
  blocks_.push_back(NewZeroed(count * kPageBytes));
  std::uint8_t* const data = blocks_.back().get();
  const std::uint64_t first = (address - kBase) / kPageBytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    pages_[first + i] = {data + i * kPageBytes, true, false};
  }
  backed_pages_ += count;
  return {address, data, bytes};
}

HostMemory::Region HostMemory::Reserve(std::size_t bytes, std::size_t align) {
  const std::uint64_t address = NextAddress(bytes, align);
  const std::uint64_t first = (address - kBase) / kPageBytes;
  for (std::uint64_t i = 0; i < PagesFor(bytes); ++i) pages_[first + i].mapped = true;
  return {address, nullptr, bytes};
}

void HostMemory::Free(const Region& region) {
  NVMEARB_CHECK(Mapped(region.address, region.bytes), "freeing memory that is not mapped");
  const auto drop = [this](const std::uint8_t* data) {
    blocks_.erase(std::find_if(blocks_.begin(), blocks_.end(),
                               [data](const Block& block) { return block.get() == data; }));
  };
  const std::uint64_t first = (region.address - kBase) / kPageBytes;
  for (std::uint64_t i = 0; i < PagesFor(region.bytes); ++i) {
    Page& page = pages_[first + i];
    if (page.data != nullptr) --backed_pages_;
    if (page.owned) drop(page.data);
    page = Page{};
  }
  if (region.data != nullptr) drop(region.data);
}

bool HostMemory::Mapped(std::uint64_t address, std::size_t bytes) const {
  if (address < kBase || bytes > pages_.size() * kPageBytes) return false;
  const std::uint64_t first = (address - kBase) / kPageBytes;
  const std::uint64_t last = (address - kBase + (bytes == 0 ? 0 : bytes - 1)) / kPageBytes;
  for (std::uint64_t page = first; page <= last; ++page) {
    if (page >= pages_.size() || !pages_[page].mapped) return false;
  }
  return true;
}

bool HostMemory::ReadSlow(std::uint64_t address, void* destination, std::size_t bytes) const {
  if (!Mapped(address, bytes)) return false;
  auto* to = static_cast<std::uint8_t*>(destination);
  std::uint64_t offset = address - kBase;
  while (bytes > 0) {
    const std::uint64_t within = offset % kPageBytes;
    const std::size_t part = std::min<std::size_t>(bytes, kPageBytes - within);
    const Page& page = pages_[offset / kPageBytes];
    if (page.data != nullptr) {
      std::memcpy(to, page.data + within, part);
    } else {
      std::memset(to, 0, part);
    }
    to += part;
    offset += part;
    bytes -= part;
  }
  return true;
}

bool HostMemory::WriteSlow(std::uint64_t address, const void* source, std::size_t bytes) {
  if (!Mapped(address, bytes)) return false;
  const auto* from = static_cast<const std::uint8_t*>(source);
  std::uint64_t offset = address - kBase;
  while (bytes > 0) {
    const std::uint64_t within = offset % kPageBytes;
    const std::size_t part = std::min<std::size_t>(bytes, kPageBytes - within);
    Page& page = pages_[offset / kPageBytes];
    if (page.data == nullptr) {
      blocks_.push_back(NewZeroed(kPageBytes));
      page.data = blocks_.back().get();
      page.owned = true;
      ++backed_pages_;
    }
    std::memcpy(page.data + within, from, part);
    from += part;
    offset += part;
    bytes -= part;
  }
  return true;
}

}  // namespace nvmearb::host
