// SPDX-License-Identifier: Apache-2.0
#include "coverage/functional_coverage.h"

#include <gtest/gtest.h>

namespace nvmearb::coverage {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

Event Make(EventKind kind, std::uint16_t sqid) {
  Event event;
  event.kind = kind;
  event.sqid = sqid;
  return event;
}

class FunctionalCoverageTest : public testing::Test {
 protected:
  void Config(std::uint32_t burst_count, std::uint16_t high_count) {
    Event event = Make(EventKind::kConfig, 0);
    event.mechanism = arbiter::Mechanism::kWeightedRoundRobin;
    event.count = burst_count;
    event.credit = {high_count, 1, 1};
    coverage_.OnEvent(event);
  }
  void Create(std::uint16_t sqid, SqClass sq_class, std::uint32_t size_count) {
    Event event = Make(EventKind::kCreate, sqid);
    event.sq_class = sq_class;
    event.count = size_count;
    coverage_.OnEvent(event);
  }
  void Ring(std::uint16_t sqid, std::uint16_t tail, EventKind kind = EventKind::kDoorbell) {
    Event event = Make(kind, sqid);
    event.tail = tail;
    event.error = arbiter::DoorbellError::kInvalidValue;
    coverage_.OnEvent(event);
  }
  void Grant(std::uint16_t sqid, std::uint16_t head, std::uint32_t count, std::uint16_t credit) {
    Event event = Make(EventKind::kGrant, sqid);
    event.head = head;
    event.count = count;
    event.first = true;
    event.credit = {credit, 1, 1};
    coverage_.OnEvent(event);
  }
  void Fetch(std::uint16_t sqid, std::uint16_t head) {
    Event event = Make(EventKind::kFetch, sqid);
    event.head = head;
    event.count = 1;
    coverage_.OnEvent(event);
  }

  /// How much more often than at the last call for it.
  static std::uint64_t Since(std::uint64_t* last, std::string_view cross,
                             const std::vector<std::string_view>& bins) {
    const std::uint64_t now = FunctionalCoverage::Count(cross, bins);
    const std::uint64_t more = now - *last;
    *last = now;
    return more;
  }

  FunctionalCoverage coverage_{8};
  std::uint64_t last_ = 0;
};

TEST_F(FunctionalCoverageTest, AGrantCountsUnderItsSettings) {
  Config(4, 3);
  Create(1, SqClass::kHigh, 16);
  Ring(1, 5);
  Since(&last_, "grant_under_settings",
        {"wrr", "high", "two_to_eight", "two_to_sixteen", "two_to_eight"});
  Grant(1, 0, 3, 0);
  EXPECT_EQ(Since(&last_, "grant_under_settings",
                  {"wrr", "high", "two_to_eight", "two_to_sixteen", "two_to_eight"}),
            1u);
  // Two of five are left.
  Config(0, 256);
  Since(&last_, "grant_under_settings", {"wrr", "high", "no_limit", "greatest", "two_to_eight"});
  Grant(1, 3, 2, 254);
  EXPECT_EQ(Since(&last_, "grant_under_settings",
                  {"wrr", "high", "no_limit", "greatest", "two_to_eight"}),
            1u);
}

TEST_F(FunctionalCoverageTest, CommandsThatAreGrantedAndNotFetchedAreOutstanding) {
  Create(1, SqClass::kUrgent, 4);
  Ring(1, 2);
  Grant(1, 0, 1, 0);
  Since(&last_, "overlap", {"doorbell", "urgent", "some"});
  Ring(1, 3);
  EXPECT_EQ(Since(&last_, "overlap", {"doorbell", "urgent", "some"}), 1u);
  Fetch(1, 1);
  Ring(1, 0);
  EXPECT_EQ(Since(&last_, "overlap", {"doorbell", "urgent", "some"}), 0u);
}

TEST_F(FunctionalCoverageTest, ADoorbellThatFillsTheRingLeavesNoRoom) {
  Create(1, SqClass::kLow, 4);
  Since(&last_, "doorbells", {"low", "none", "full"});
  Ring(1, 2);
  EXPECT_EQ(Since(&last_, "doorbells", {"low", "none", "full"}), 0u);
  Since(&last_, "doorbells", {"low", "two_to_eight", "full"});
  Ring(1, 3);
  EXPECT_EQ(Since(&last_, "doorbells", {"low", "two_to_eight", "full"}), 1u);
}

TEST_F(FunctionalCoverageTest, RefusalsAreToldApart) {
  Create(1, SqClass::kLow, 8);
  Ring(1, 3);
  const char* const names[] = {"beyond", "same", "too_many"};
  const std::uint16_t tails[] = {8, 3, 2};
  for (int i = 0; i < 3; ++i) {
    std::uint64_t before = 0;
    Since(&before, "sq_refusals", {names[i]});
    Ring(1, tails[i], EventKind::kReject);
    EXPECT_EQ(Since(&before, "sq_refusals", {names[i]}), 1u) << names[i];
  }
}

TEST_F(FunctionalCoverageTest, RivalsAreOtherQueuesThatWait) {
  Create(1, SqClass::kLow, 8);
  Create(2, SqClass::kHigh, 8);
  Ring(1, 1);
  Ring(2, 1);
  Since(&last_, "priority", {"rr", "low", "one"});
  Grant(1, 0, 1, 0);
  EXPECT_EQ(Since(&last_, "priority", {"rr", "low", "one"}), 1u);
  Ring(1, 2);
  Grant(2, 0, 1, 0);
  Since(&last_, "priority", {"rr", "low", "none"});
  Grant(1, 1, 1, 0);
  EXPECT_EQ(Since(&last_, "priority", {"rr", "low", "none"}), 1u);
}

TEST_F(FunctionalCoverageTest, AResetForgetsWhatWaits) {
  Create(1, SqClass::kLow, 8);
  Ring(1, 1);
  Since(&last_, "changes", {"reset", "one"});
  coverage_.OnEvent(Make(EventKind::kReset, 0));
  EXPECT_EQ(Since(&last_, "changes", {"reset", "one"}), 1u);
  Since(&last_, "changes", {"reset", "none"});
  coverage_.OnEvent(Make(EventKind::kReset, 0));
  EXPECT_EQ(Since(&last_, "changes", {"reset", "none"}), 1u);
}

TEST_F(FunctionalCoverageTest, AGrantBehindAHigherClassIsSeen) {
  Config(1, 1);
  Create(0, SqClass::kAdmin, 8);
  Create(1, SqClass::kMedium, 8);
  Ring(1, 1);
  Ring(0, 1);
  Since(&last_, "late_winner", {"medium", "higher_class"});
  Grant(1, 0, 1, 0);
  EXPECT_EQ(Since(&last_, "late_winner", {"medium", "higher_class"}), 1u);
}

}  // namespace
}  // namespace nvmearb::coverage
