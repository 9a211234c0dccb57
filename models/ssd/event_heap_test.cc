// SPDX-License-Identifier: Apache-2.0
#include "ssd/event_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "nvme/base/random.h"

namespace nvmearb::ssd {
namespace {

EventHeap::Entry Make(std::uint64_t when, std::uint64_t key) {
  return {when, key, nullptr, nullptr, 0};
}

TEST(EventHeap, GivesEntriesByTimeThenKeyWhateverTheOrderOfPushes) {
  base::Random random(11);
  for (int round = 0; round < 50; ++round) {
    EventHeap heap(4);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
    const std::uint64_t count = random.InRange(1, 200);
    for (std::uint64_t key = 0; key < count; ++key) {
      const std::uint64_t when = random.Below(20);
      heap.Push(Make(when, key));
      expected.emplace_back(when, key);
    }
    std::sort(expected.begin(), expected.end());
    for (const auto& [when, key] : expected) {
      ASSERT_EQ(heap.front().when, when);
      const EventHeap::Entry entry = heap.Pop();
      ASSERT_EQ(entry.when, when);
      ASSERT_EQ(entry.key, key);
    }
    EXPECT_TRUE(heap.empty());
  }
}

TEST(EventHeap, KeepsOrderWhilePushesAndPopsAlternate) {
  base::Random random(12);
  EventHeap heap(4);
  std::uint64_t now = 0;
  std::uint64_t key = 0;
  for (int i = 0; i < 64; ++i) heap.Push(Make(random.Below(100), key++));
  for (int i = 0; i < 10000; ++i) {
    const EventHeap::Entry entry = heap.Pop();
    ASSERT_GE(entry.when, now);
    now = entry.when;
    heap.Push(Make(now + random.Below(100), key++));
  }
  EXPECT_EQ(heap.size(), 64u);
  heap.clear();
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace nvmearb::ssd
