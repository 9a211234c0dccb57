// SPDX-License-Identifier: Apache-2.0
#include "harness/event_decoder.h"

#include <gtest/gtest.h>

#include <array>

#include "harness/obs_layout.h"

namespace nvmearb::tb {
namespace {

using Words = std::array<std::uint32_t, (obs::kWidth + 31) / 32>;

Words WithCredits(std::uint32_t high, std::uint32_t medium, std::uint32_t low) {
  Words words{};
  Set(words.data(), obs::kCreditH, high);
  Set(words.data(), obs::kCreditM, medium);
  Set(words.data(), obs::kCreditL, low);
  return words;
}

TEST(EventDecoder, ShowsADoorbellTheCreditsBeforeTheGrantOfItsClock) {
  EventDecoder decoder;
  std::array<arbiter::Event, EventDecoder::kMaxEvents> events;
  using Credits = std::array<std::uint16_t, arbiter::kLevelCount>;

  Words words = WithCredits(6, 3, 1);
  Set(words.data(), obs::kGrantValid, 1);
  ASSERT_EQ(decoder.Decode(words.data(), 10, 40'000, events), 1u);
  EXPECT_EQ(events[0].credit, (Credits{6, 3, 1}));

  words = WithCredits(5, 3, 1);
  Set(words.data(), obs::kDbValid, 1);
  Set(words.data(), obs::kGrantValid, 1);
  Set(words.data(), obs::kFetchValid, 1);
  ASSERT_EQ(decoder.Decode(words.data(), 11, 44'000, events), 3u);
  EXPECT_EQ(events[0].kind, arbiter::EventKind::kDoorbell);
  EXPECT_EQ(events[0].credit, (Credits{6, 3, 1}));
  EXPECT_EQ(events[1].kind, arbiter::EventKind::kGrant);
  EXPECT_EQ(events[1].credit, (Credits{5, 3, 1}));
  EXPECT_EQ(events[2].kind, arbiter::EventKind::kFetch);
  EXPECT_EQ(events[2].credit, (Credits{5, 3, 1}));
}

}  // namespace
}  // namespace nvmearb::tb
