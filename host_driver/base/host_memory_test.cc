// SPDX-License-Identifier: Apache-2.0
#include "host_driver/base/host_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace nvmearb::host {
namespace {

TEST(HostMemory, BusAndProcessSeeTheSameBytes) {
  HostMemory memory;
  const auto region = memory.Allocate(8192);
  std::array<std::uint8_t, 64> out{};
  std::iota(out.begin(), out.end(), std::uint8_t{1});
  ASSERT_TRUE(memory.Write(region.address + 64, out.data(), out.size()));
  EXPECT_EQ(region.data[64], 1);
  EXPECT_EQ(region.data[127], 64);
  region.data[4095] = 0xaa;
  region.data[4096] = 0xbb;
  std::array<std::uint8_t, 2> in{};
  ASSERT_TRUE(memory.Read(region.address + 4095, in.data(), 2));  // across a page
  EXPECT_EQ(in[0], 0xaa);
  EXPECT_EQ(in[1], 0xbb);
}

TEST(HostMemory, AlignsAndLeavesAHoleBetweenRegions) {
  HostMemory memory;
  const auto first = memory.Allocate(100);
  const auto second = memory.Allocate(4096, 65536);
  EXPECT_EQ(second.address % 65536, 0u);
  EXPECT_GE(second.address, first.address + 2 * HostMemory::kPageBytes);
  const auto third = memory.Allocate(4096);
  EXPECT_EQ(third.address, second.address + 2 * HostMemory::kPageBytes);
}

TEST(HostMemory, RefusesUnmappedBytesAndTouchesNothing) {
  HostMemory memory;
  const auto region = memory.Allocate(4096);
  std::array<std::uint8_t, 64> data{};
  data.fill(0x55);
  EXPECT_FALSE(memory.Write(region.address + 4096 - 32, data.data(), 64));
  EXPECT_EQ(region.data[4095], 0);  // not even the part that is mapped
  EXPECT_FALSE(memory.Read(region.address - 64, data.data(), 64));
  EXPECT_FALSE(memory.Read(0, data.data(), 64));
  EXPECT_FALSE(memory.Read(~std::uint64_t{0} - 3, data.data(), 64));
  EXPECT_EQ(data[0], 0x55);
}

TEST(HostMemory, ReservedPagesReadZeroAndGetMemoryWhenWritten) {
  HostMemory memory;
  const auto window = memory.Reserve(std::size_t{1} << 30);
  EXPECT_EQ(memory.backed_bytes(), 0u);
  std::array<std::uint8_t, 16> data{};
  data.fill(7);
  ASSERT_TRUE(memory.Read(window.address + 12345, data.data(), data.size()));
  EXPECT_EQ(data[0], 0);
  data.fill(9);
  ASSERT_TRUE(memory.Write(window.address + 8190, data.data(), data.size()));
  EXPECT_EQ(memory.backed_bytes(), 2 * HostMemory::kPageBytes);
  data.fill(0);
  ASSERT_TRUE(memory.Read(window.address + 8190, data.data(), data.size()));
  EXPECT_EQ(data[15], 9);
}

TEST(HostMemory, FreedMemoryIsABusErrorAndItsAddressIsNotReused) {
  HostMemory memory;
  const auto region = memory.Allocate(4096);
  const auto window = memory.Reserve(8192);
  std::uint32_t word = 1;
  ASSERT_TRUE(memory.Write(window.address, &word, 4));
  memory.Free(region);
  memory.Free(window);
  EXPECT_FALSE(memory.Read(region.address, &word, 4));
  EXPECT_FALSE(memory.Write(window.address, &word, 4));
  EXPECT_EQ(memory.backed_bytes(), 0u);
  EXPECT_GT(memory.Allocate(4096).address, window.address);
}

}  // namespace
}  // namespace nvmearb::host
