// SPDX-License-Identifier: Apache-2.0
//
// The Judge reports each kind of falsification, by its name, with a sentence and the events.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scoreboard/golden_system.h"

namespace nvmearb::tb {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::Mechanism;
using arbiter::SqClass;

constexpr Mechanism kRr = Mechanism::kRoundRobin;
constexpr Mechanism kWrr = Mechanism::kWeightedRoundRobin;

bool Reports(const std::vector<Finding>& findings, Rule rule) {
  return std::any_of(findings.begin(), findings.end(),
                     [rule](const Finding& finding) { return finding.rule == rule; });
}

std::string All(const std::vector<Finding>& findings) {
  std::string text = std::to_string(findings.size()) + " findings\n";
  for (const Finding& finding : findings) text += Describe(finding);
  return text;
}

/// A recording under construction: a golden system with some queues, and what the Judge says.
class JudgeTest : public testing::Test {
 protected:
  /// SQ 0 (admin) and SQs 1.. of the classes given, each with a CQ of its own.
  void Start(Mechanism mechanism, const arbiter::ArbitrationSettings& settings,
             const std::vector<SqClass>& classes, std::uint32_t cq_size_count = 1024,
             std::uint32_t size_count = 64) {
    system_.emplace(static_cast<unsigned>(classes.size()) + 1, mechanism, settings);
    system_->CreateCq(0, 1024);
    system_->CreateSq(0, 0, size_count, SqClass::kAdmin);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto id = static_cast<std::uint16_t>(i + 1);
      system_->CreateCq(id, cq_size_count);
      system_->CreateSq(id, id, size_count, classes[i]);
    }
    system_->GiveSlots(100000);
    system_->Advance(20);
  }
  void Grants(int count, std::uint32_t max_count = 1) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(system_->Grant(max_count));
      system_->Advance(3);
      system_->Fetch();
      system_->Complete(true);
    }
  }
  GoldenSystem& system() { return *system_; }

  std::vector<Finding> JudgeIt(const Recording& recording, bool at_rest = false) {
    Judge judge(system_->golden().sq_count());
    Replay(recording, &judge);
    if (at_rest) judge.ExpectQuiet();
    return judge.findings();
  }
  /// The recording with its `which`-th event of `kind` changed by `change`.
  Recording Changed(EventKind kind, std::size_t which, const std::function<void(Event*)>& change) {
    Recording recording = system_->recording();
    const std::vector<std::size_t> indices = Find(recording, kind);
    EXPECT_LT(which, indices.size());
    change(&recording[indices[which]].event);
    return recording;
  }
  Recording Without(EventKind kind, std::size_t which) {
    Recording recording = system_->recording();
    recording.erase(recording.begin() + static_cast<long>(Find(recording, kind)[which]));
    return recording;
  }
  /// The whole recording is clean, and `falsified` is reported as `rule`.
  void ExpectReported(const Recording& falsified, Rule rule, bool at_rest = false) {
    const std::vector<Finding> clean = JudgeIt(system_->recording(), at_rest);
    EXPECT_TRUE(clean.empty()) << All(clean);
    const std::vector<Finding> findings = JudgeIt(falsified, at_rest);
    EXPECT_TRUE(Reports(findings, rule))
        << "no finding '" << Name(rule) << "' among " << All(findings);
  }

  std::optional<GoldenSystem> system_;
};

// Order of grants.

TEST_F(JudgeTest, ReportsTwoGrantsInSwappedOrder) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh, SqClass::kHigh});
  for (const std::uint16_t sqid : std::vector<std::uint16_t>{1, 2, 3}) system().Submit(sqid, 4);
  system().Advance(20);
  Grants(12);
  // 1 2 3 1 ... becomes 1 3 2 1 ...
  Recording recording = system().recording();
  const auto grants = Find(recording, EventKind::kGrant);
  const auto fetches = Find(recording, EventKind::kFetch);
  const auto completes = Find(recording, EventKind::kComplete);
  for (const auto& events : {grants, fetches, completes}) {
    std::swap(recording[events[4]].event.sqid, recording[events[5]].event.sqid);
    std::swap(recording[events[4]].event.cqid, recording[events[5]].event.cqid);
    std::swap(recording[events[4]].event.head, recording[events[5]].event.head);
  }
  ExpectReported(recording, Rule::kRingOrder);
}

TEST_F(JudgeTest, ReportsAQueueOfTheRingPassedOver) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 4);
  system().Advance(10);
  Grants(4);
  const Recording alone = system().recording();
  // The same four visits of SQ 1, but SQ 2 had been waiting all the time.
  system().Submit(2, 1);
  Recording recording = system().recording();
  const Note doorbell = recording.back();
  const std::size_t at = Find(recording, EventKind::kDoorbell)[0];
  recording.pop_back();
  recording.insert(recording.begin() + static_cast<long>(at), doorbell);
  recording[at].event.cycle = recording[at + 1].event.cycle;
  EXPECT_TRUE(JudgeIt(alone).empty());
  EXPECT_TRUE(Reports(JudgeIt(recording), Rule::kRingOrder)) << All(JudgeIt(recording));
}

TEST_F(JudgeTest, AcceptsAQueueThatJoinedTheRingUpToEightClocksBeforeTheVisitEnded) {
  // SQ 1 visited at cycle g, to the back; then again, although SQ 2 was rung `age` clocks before g.
  for (const std::uint64_t age : {8u, 9u}) {
    Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
    system().Submit(1, 4);
    system().Advance(30);
    Grants(3);
    Recording recording = system().recording();
    const std::size_t grant = Find(recording, EventKind::kGrant)[1];
    Note doorbell = recording[Find(recording, EventKind::kDoorbell)[0]];
    doorbell.event.sqid = 2;
    doorbell.event.tail = 1;
    doorbell.event.cycle = recording[grant].event.cycle - age;
    const auto place = std::find_if(recording.begin(), recording.end(), [&](const Note& note) {
      return note.kind == Note::Kind::kEvent && note.event.cycle > doorbell.event.cycle;
    });
    recording.insert(place, doorbell);
    EXPECT_EQ(Reports(JudgeIt(recording), Rule::kRingOrder), age > 8) << "age " << age;
  }
}

TEST_F(JudgeTest, ReportsAdminAndUrgentPassedOverAfterEightClocksAndNotBefore) {
  for (const SqClass above : {SqClass::kAdmin, SqClass::kUrgent}) {
    for (const std::uint64_t age : {8u, 9u}) {
      Start(kWrr, {0, 3, 1, 0}, {SqClass::kUrgent, SqClass::kLow});
      system().Submit(2, 8);
      system().Advance(30);
      Grants(2);
      Recording recording = system().recording();
      const std::size_t grant = Find(recording, EventKind::kGrant)[1];
      Note doorbell = recording[Find(recording, EventKind::kDoorbell)[0]];
      doorbell.event.sqid = above == SqClass::kAdmin ? 0 : 1;
      doorbell.event.tail = 1;
      doorbell.event.cycle = recording[grant].event.cycle - age;
      const auto place = std::find_if(recording.begin(), recording.end(), [&](const Note& note) {
        return note.kind == Note::Kind::kEvent && note.event.cycle > doorbell.event.cycle;
      });
      recording.insert(place, doorbell);
      EXPECT_EQ(Reports(JudgeIt(recording), Rule::kClassOrder), age > 8)
          << "class " << static_cast<int>(above) << " age " << age;
    }
  }
}

TEST_F(JudgeTest, ReportsALowerLevelWhileAHigherOneIsOpen) {
  Start(kWrr, {0, 3, 1, 0}, {SqClass::kHigh, SqClass::kLow});
  system().Submit(2, 1);
  system().Advance(20);
  Grants(1);
  // SQ 1 (high) was there before.
  Recording recording = system().recording();
  const std::size_t at = Find(recording, EventKind::kDoorbell)[0];
  Note doorbell = recording[at];
  doorbell.event.sqid = 1;
  recording.insert(recording.begin() + static_cast<long>(at), doorbell);
  ExpectReported(recording, Rule::kLevelOrder);
}

TEST_F(JudgeTest, ReportsALevelChangeInTheMiddleOfAVisit) {
  // Burst 2 of SQ 2 (medium) is cut by a grant to SQ 1 (high), rung in between.
  Start(kWrr, {1, 3, 3, 3}, {SqClass::kHigh, SqClass::kMedium});
  system().Submit(2, 4);
  system().Advance(20);
  Grants(1);
  system().Submit(1, 1);
  system().Advance(20);
  Grants(2);
  Recording recording = system().recording();
  const auto grants = Find(recording, EventKind::kGrant);
  ASSERT_EQ(recording[grants[1]].event.sqid, 2);
  ASSERT_EQ(recording[grants[2]].event.sqid, 1);
  Event& second = recording[grants[1]].event;
  const std::uint64_t cycle = second.cycle;
  second = recording[grants[2]].event;
  second.cycle = cycle;
  second.credit = {3, 3, 4};
  ExpectReported(recording, Rule::kLevelOrder);
}

// Credits and bursts.

TEST_F(JudgeTest, ReportsWrongCreditsOfAnyLevel) {
  Start(kWrr, {0, 3, 1, 0}, {SqClass::kHigh, SqClass::kMedium, SqClass::kLow});
  for (const std::uint16_t sqid : std::vector<std::uint16_t>{1, 2, 3}) system().Submit(sqid, 8);
  system().Advance(20);
  Grants(14);
  for (std::size_t which = 0; which < 14; ++which) {
    for (std::size_t level = 0; level < 3; ++level) {
      for (const int change : {-1, 1}) {
        ExpectReported(Changed(EventKind::kGrant, which,
                               [&](Event* event) {
                                 event->credit[level] =
                                     static_cast<std::uint16_t>(event->credit[level] + change);
                               }),
                       Rule::kCredit);
      }
    }
  }
}

TEST_F(JudgeTest, ReportsCreditsReloadedWhileALevelIsOpen) {
  Start(kWrr, {0, 3, 1, 0}, {SqClass::kHigh, SqClass::kMedium});
  system().Submit(1, 8);
  system().Submit(2, 8);
  system().Advance(20);
  Grants(4);
  ExpectReported(Changed(EventKind::kGrant, 2,
                         [](Event* event) {
                           event->credit = {3, 2, 1};
                         }),
                 Rule::kReplenish);
}

TEST_F(JudgeTest, ReportsAVisitLongerThanTheBurst) {
  Start(kRr, {1, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 8);
  system().Advance(20);
  Grants(4);
  // One grant of the burst of 2 says 3; and a visit that does not begin anew after 2.
  ExpectReported(Changed(EventKind::kGrant, 0, [](Event* event) { event->count = 3; }),
                 Rule::kBurst);
  ExpectReported(Changed(EventKind::kGrant, 2, [](Event* event) { event->first = false; }),
                 Rule::kVisit);
}

TEST_F(JudgeTest, ReportsAVisitLongerThanTheWeight) {
  Start(kWrr, {7, 1, 1, 1}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 8);
  system().Advance(20);
  Grants(2, 8);
  ExpectReported(Changed(EventKind::kGrant, 1, [](Event* event) { event->first = false; }),
                 Rule::kVisit);
}

TEST_F(JudgeTest, ReportsAVisitCutShort) {
  Start(kRr, {2, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 8);
  system().Submit(2, 8);
  system().Advance(20);
  Grants(8);
  ExpectReported(Changed(EventKind::kGrant, 1, [](Event* event) { event->first = true; }),
                 Rule::kVisit);
}

TEST_F(JudgeTest, ReportsAVisitThatGoesOnAfterTheQueueWasEmpty) {
  Start(kRr, {3, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 2);
  system().Advance(20);
  Grants(2);
  system().Advance(20);
  system().Submit(1, 2);
  system().Advance(20);
  Grants(2);
  ExpectReported(Changed(EventKind::kGrant, 2, [](Event* event) { event->first = false; }),
                 Rule::kVisit);
}

// Slots of the queue, and queues that may not be granted.

TEST_F(JudgeTest, ReportsAWrongHead) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 5);
  system().Advance(20);
  Grants(5);
  ExpectReported(Changed(EventKind::kGrant, 2, [](Event* event) { ++event->head; }), Rule::kHead);
}

TEST_F(JudgeTest, ReportsACommandGrantedTwiceAndOneLeftOut) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 5);
  system().Advance(20);
  Grants(5);
  Recording twice = system().recording();
  const std::size_t at = Find(twice, EventKind::kGrant)[2];
  twice.insert(twice.begin() + static_cast<long>(at), twice[at]);
  ExpectReported(twice, Rule::kHead);
  ExpectReported(Without(EventKind::kGrant, 2), Rule::kHead);
}

TEST_F(JudgeTest, ReportsAGrantPastTheTail) {
  Start(kRr, {7, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 5);
  system().Advance(20);
  Grants(1, 8);
  ExpectReported(Changed(EventKind::kGrant, 0, [](Event* event) { event->count = 6; }),
                 Rule::kPastTail);
}

TEST_F(JudgeTest, ReportsAGrantAcrossTheRingEndAndOneThatIsTooLarge) {
  Start(kRr, {7, 0, 0, 0}, {SqClass::kHigh}, 1024, 8);
  system().Submit(1, 6);
  system().Advance(20);
  Grants(1, 8);
  system().Submit(1, 6);
  system().Advance(20);
  Grants(1, 8);
  ExpectReported(Changed(EventKind::kGrant, 1, [](Event* event) { event->count = 4; }),
                 Rule::kCount);
  ExpectReported(Changed(EventKind::kGrant, 0, [](Event* event) { event->count = 0; }),
                 Rule::kCount);
}

TEST_F(JudgeTest, ReportsAGrantToADeletedQueue) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 3);
  system().Submit(2, 3);
  system().Advance(20);
  Grants(2);
  system().RequestDelete(2);
  system().Advance(20);
  Grants(1);
  ExpectReported(Changed(EventKind::kGrant, 2,
                         [](Event* event) {
                           event->sqid = 2;
                           event->head = 1;
                         }),
                 Rule::kQueue);
}

TEST_F(JudgeTest, ReportsAGrantToAHaltedQueueAfterEightClocks) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 3);
  system().Submit(2, 3);
  system().Advance(20);
  Grants(2);
  system().RingSq(2, 999);
  system().Advance(9);
  Grants(1);
  ExpectReported(Changed(EventKind::kGrant, 2,
                         [](Event* event) {
                           event->sqid = 2;
                           event->head = 1;
                         }),
                 Rule::kHalted);
}

TEST_F(JudgeTest, ReportsAGrantIntoAFullCq) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh}, 3);
  system().Submit(1, 6);
  system().Submit(2, 6);
  system().Advance(20);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(system().Grant(1));
    system().Advance(3);
    system().Fetch();
  }
  EXPECT_FALSE(system().Grant(1));  // two commands each, no room for a third
  Recording recording = system().recording();
  Note grant = recording[Find(recording, EventKind::kGrant)[2]];
  grant.event.head = 2;
  grant.event.cycle += 30;
  recording.push_back(grant);
  ExpectReported(recording, Rule::kCqRoom);
}

TEST_F(JudgeTest, ReportsAGrantWithoutASlotAndOneThatTakesTheLastOfWrr) {
  Start(kWrr, {0, 3, 1, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(3);
  Recording recording = system().recording();
  for (Note& note : recording) {
    if (note.kind == Note::Kind::kSlots) note.value = 3;  // 4 are needed: one stays for SQ 0
  }
  ExpectReported(recording, Rule::kSlots);
}

TEST_F(JudgeTest, ReportsAWrongClass) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(3);
  ExpectReported(
      Changed(EventKind::kGrant, 1, [](Event* event) { event->sq_class = SqClass::kLow; }),
      Rule::kQueue);
}

TEST_F(JudgeTest, ReportsIoGrantsUnderHold) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(2);
  Judge judge(2);
  Replay(system().recording(), &judge);
  judge.OnHold(true, false);
  Event grant = system().recording()[Find(system().recording(), EventKind::kGrant)[1]].event;
  grant.head = 2;
  Event fetch = grant;
  fetch.kind = EventKind::kComplete;  // any event: from here on the hold counts
  fetch.cycle += 20;
  judge.OnEvent(fetch);
  grant.cycle = fetch.cycle + kHoldBoundClocks + 1;
  judge.OnEvent(grant);
  EXPECT_TRUE(Reports(judge.findings(), Rule::kHold)) << All(judge.findings());
}

TEST_F(JudgeTest, BoundsDecisionsAfterAHoldByTheEngine) {
  constexpr std::uint64_t kClocks = 3, kHold = 20;
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(2);
  Event grant = system().recording()[Find(system().recording(), EventKind::kGrant)[1]].event;
  const std::uint64_t since = system().recording().back().event.cycle + kHold;
  grant.head = 2;
  for (const std::uint64_t late : {kClocks, kClocks + 1}) {
    Judge judge(2);
    judge.SetHoldBoundClocks(kClocks);
    Replay(system().recording(), &judge);
    judge.OnHoldAt(since, true, false);
    grant.cycle = since + late;
    judge.OnEvent(grant);
    EXPECT_EQ(Reports(judge.findings(), Rule::kHold), late > kClocks) << All(judge.findings());
  }
}

// Exactly once.

TEST_F(JudgeTest, ReportsALostFetch) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 5);
  system().Advance(20);
  Grants(5);
  system().Drain(1);
  // In the middle of a run the next fetch shows it, at its end the rest.
  ExpectReported(Without(EventKind::kFetch, 2), Rule::kFetch);
  ExpectReported(Without(EventKind::kFetch, 4), Rule::kFetch, true);
}

TEST_F(JudgeTest, ReportsAFetchOfNothingAndAWrongFetchedHead) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 5);
  system().Advance(20);
  Grants(5);
  Recording twice = system().recording();
  const std::size_t at = Find(twice, EventKind::kFetch)[2];
  twice.insert(twice.begin() + static_cast<long>(at), twice[at]);
  ExpectReported(twice, Rule::kFetch);
  ExpectReported(Changed(EventKind::kFetch, 2, [](Event* event) { ++event->head; }), Rule::kFetch);
  ExpectReported(Changed(EventKind::kFetch, 2, [](Event* event) { event->count = 2; }),
                 Rule::kFetch);
}

TEST_F(JudgeTest, ReportsACommandCompletedTwice) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(3);
  Recording twice = system().recording();
  const std::size_t at = Find(twice, EventKind::kComplete)[0];
  twice.insert(twice.begin() + static_cast<long>(at), twice[at]);
  ExpectReported(twice, Rule::kComplete);
}

TEST_F(JudgeTest, ReportsACommandHandedOnTwiceOrWithAWrongSqhd) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 3);
  system().Advance(20);
  Grants(3);
  Recording recording = system().recording();
  const auto delivered = std::find_if(recording.begin(), recording.end(), [](const Note& note) {
    return note.kind == Note::Kind::kDelivered;
  });
  const auto at = delivered - recording.begin();
  Recording twice = recording;
  twice.insert(twice.begin() + at, *delivered);
  ExpectReported(twice, Rule::kDelivery);
  recording[static_cast<std::size_t>(at)].value += 1;
  ExpectReported(recording, Rule::kSqhd);
}

// Doorbells.

TEST_F(JudgeTest, ReportsAnIllegalDoorbellAccepted) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh}, 1024, 8);
  system().Submit(1, 4);
  system().Advance(20);
  const auto with_tail = [&](std::uint16_t tail) {
    return Changed(EventKind::kDoorbell, 0, [tail](Event* event) { event->tail = tail; });
  };
  ExpectReported(with_tail(8), Rule::kDoorbell);  // beyond the ring
  ExpectReported(with_tail(0), Rule::kDoorbell);  // the same again
  system().Submit(1, 2);
  Recording recording = system().recording();
  recording[Find(recording, EventKind::kDoorbell)[1]].event.tail = 1;  // 5 more, 3 free
  ExpectReported(recording, Rule::kDoorbell);
}

TEST_F(JudgeTest, ReportsALegalDoorbellRefusedAndAWrongInfo) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh}, 1024, 8);
  system().Submit(1, 4);
  system().Advance(20);
  ExpectReported(Changed(EventKind::kDoorbell, 0,
                         [](Event* event) {
                           event->kind = EventKind::kReject;
                           event->error = arbiter::DoorbellError::kInvalidValue;
                         }),
                 Rule::kDoorbell);
  system().RingSq(1, 8);
  ExpectReported(
      Changed(EventKind::kReject, 0,
              [](Event* event) { event->error = arbiter::DoorbellError::kInvalidRegister; }),
      Rule::kDoorbell);
}

TEST_F(JudgeTest, ReportsADoorbellOfAnAbsentOrHaltedQueueAccepted) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh}, 1024, 8);
  system().RequestDelete(2);
  system().Advance(1);
  system().RingSq(2, 1);  // refused, no such queue
  ExpectReported(
      Changed(EventKind::kReject, 0, [](Event* event) { event->kind = EventKind::kDoorbell; }),
      Rule::kDoorbell);
  system().RingSq(1, 9);  // halts
  Recording recording = system().recording();
  Note again = recording.back();
  again.event.kind = EventKind::kDoorbell;
  again.event.tail = 1;
  recording.push_back(again);
  ExpectReported(recording, Rule::kDoorbell);
}

TEST_F(JudgeTest, ReportsWrongAnswersToCqDoorbells) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh}, 8);
  system().Submit(1, 3);
  system().Advance(20);
  Grants(3);
  system().Advance(20);
  system().Consume(1, 2);
  ExpectReported(Changed(EventKind::kDoorbell, 1, [](Event* event) { event->tail = 4; }),
                 Rule::kDoorbell);  // past the entries posted
  ExpectReported(Changed(EventKind::kDoorbell, 1, [](Event* event) { event->tail = 0; }),
                 Rule::kDoorbell);  // the same again
  ExpectReported(Changed(EventKind::kDoorbell, 1,
                         [](Event* event) {
                           event->kind = EventKind::kReject;
                           event->error = arbiter::DoorbellError::kInvalidValue;
                         }),
                 Rule::kDoorbell);
}

// Time, queues, rest.

TEST_F(JudgeTest, ReportsIdlenessBeyondTheBound) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 2);
  system().Advance(20);
  Grants(1);
  system().Advance(10);
  EXPECT_TRUE(JudgeIt(system().recording()).empty());
  Recording recording = system().recording();
  Note late = recording[Find(recording, EventKind::kGrant)[0]];
  late.event.head = 1;
  late.event.cycle += kIdleBoundClocks + 20;
  recording.push_back(late);
  EXPECT_TRUE(Reports(JudgeIt(recording), Rule::kIdle)) << All(JudgeIt(recording));
  EXPECT_TRUE(Reports(JudgeIt(system().recording(), true), Rule::kIdle));  // at rest with work
}

TEST_F(JudgeTest, BoundsIdlenessByTheQueuesWithoutCqRoom) {
  constexpr std::uint64_t kLook = 8, kLetGo = 4;
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh}, 3);
  system().Submit(1, 6);
  system().Submit(2, 6);
  system().Advance(20);
  Grants(4);  // two commands each, no room for a third
  system().Advance(20);
  system().Submit(0, 1);
  ASSERT_TRUE(system().Grant(1));
  const Recording recording = system().recording();
  const std::size_t grant = Find(recording, EventKind::kGrant).back();
  const std::uint64_t since = recording[Find(recording, EventKind::kDoorbell).back()].event.cycle;
  for (const std::uint64_t look : {std::uint64_t{0}, kLook}) {
    const std::uint64_t let_go = look == 0 ? 0 : kLetGo;
    // Two SQs, one of them visited.
    const std::uint64_t bound = kIdleBoundClocks + 3 * look + 2 * let_go;
    for (const std::uint64_t late : {bound, bound + 1}) {
      Judge judge(system().golden().sq_count());
      judge.SetClocksPerBlockedSq(look, let_go);
      Recording changed(recording.begin(), recording.begin() + static_cast<long>(grant) + 1);
      changed[grant].event.cycle = since + late;
      Replay(changed, &judge);
      EXPECT_EQ(Reports(judge.findings(), Rule::kIdle), late > bound) << All(judge.findings());
    }
  }
}

TEST_F(JudgeTest, BoundsIdlenessByTheQueuesOfTheRingThatAHaltTurns) {
  constexpr std::uint64_t kClocksPerTurnedSq = 3;
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(0, 1);
  system().Submit(1, 3);
  system().Advance(20);
  Grants(2);
  system().Advance(20);
  system().RingSq(2, 99);  // halts; SQ 1 is in the ring
  ASSERT_TRUE(system().Grant(1));
  const Recording recording = system().recording();
  const std::vector<std::size_t> grants = Find(recording, EventKind::kGrant);
  const std::uint64_t since = recording[Find(recording, EventKind::kFetch)[1]].event.cycle;
  for (const std::uint64_t clocks : {std::uint64_t{0}, kClocksPerTurnedSq}) {
    const std::uint64_t bound = kIdleBoundClocks + clocks;
    for (const std::uint64_t late : {bound, bound + 1}) {
      Judge judge(system().golden().sq_count());
      judge.SetClocksPerTurnedSq(clocks);
      Recording changed(recording.begin(), recording.begin() + static_cast<long>(grants[2]) + 1);
      changed[grants[2]].event.cycle = since + late;
      Replay(changed, &judge);
      EXPECT_EQ(Reports(judge.findings(), Rule::kIdle), late > bound) << All(judge.findings());
    }
  }
}

TEST_F(JudgeTest, AllowsForTheClocksThatRegisterReadsRunAhead) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 2);
  system().Advance(20);
  Grants(1);
  system().Advance(10);
  const Recording recording = system().recording();
  arbiter::Event late = recording[Find(recording, EventKind::kGrant)[0]].event;
  late.head = 1;
  late.cycle += kIdleBoundClocks + 2 * kReadBoundClocks;
  for (const unsigned reads : {0u, 3u}) {
    Judge judge(system().golden().sq_count());
    // The reads come before the events of the clocks that they ran ahead.
    for (const Note& note : recording) {
      if (note.kind == Note::Kind::kEvent && note.event.kind == EventKind::kGrant) {
        for (unsigned i = 0; i < reads; ++i) judge.OnRegisterRead();
      }
      Replay({note}, &judge);
    }
    judge.OnEvent(late);
    EXPECT_EQ(judge.log().finding_count() == 0, reads != 0) << All(judge.log().findings());
  }
}

TEST_F(JudgeTest, ReportsTimeThatRunsBackwardsAndUnknownQueues) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 2);
  system().Advance(20);
  Grants(2);
  ExpectReported(Changed(EventKind::kGrant, 1, [](Event* event) { event->cycle = 1; }),
                 Rule::kEvents);
  ExpectReported(Changed(EventKind::kGrant, 1, [](Event* event) { event->sqid = 77; }),
                 Rule::kQueue);
  ExpectReported(Changed(EventKind::kCreate, 1, [](Event* event) { event->sqid = 0; }),
                 Rule::kQueue);
}

TEST_F(JudgeTest, ReportsADeletionWithFetchesUnderWay) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 2);
  system().Advance(20);
  Grants(2);
  system().RequestDelete(1);
  system().Advance(1);
  Recording recording = Without(EventKind::kFetch, 1);
  ExpectReported(recording, Rule::kFetch);
}

// The exact order.

TEST_F(JudgeTest, ExactOrderReportsAnAdmissibleOrderThatIsNotTheGoldenOne) {
  // Two queues rung within the tolerance: the Judge takes either order, ExactOrder the golden one.
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh, SqClass::kHigh});
  system().Submit(1, 1);
  system().Submit(2, 1);
  system().Advance(20);
  Grants(2);
  Recording recording = system().recording();
  for (const EventKind kind : {EventKind::kGrant, EventKind::kFetch, EventKind::kComplete}) {
    const auto events = Find(recording, kind);
    std::swap(recording[events[0]].event.sqid, recording[events[1]].event.sqid);
    std::swap(recording[events[0]].event.cqid, recording[events[1]].event.cqid);
  }
  // Keep the deliveries in step.
  for (Note& note : recording) {
    if (note.kind == Note::Kind::kDelivered) note.id = note.id == 1 ? 2 : 1;
  }
  EXPECT_TRUE(JudgeIt(recording).empty()) << All(JudgeIt(recording));
  ExactOrder exact(3);
  Replay(recording, &exact);
  ASSERT_EQ(exact.findings().size(), 1u);
  EXPECT_EQ(exact.findings()[0].text,
            "golden grant is SQ 1 head 0 count 1 new visit credits 1/1/1");
}

// What a finding says.

TEST_F(JudgeTest, AFindingHasASentenceACycleAQueueAndTheLastEvents) {
  Start(kRr, {0, 0, 0, 0}, {SqClass::kHigh});
  system().Submit(1, 20);
  system().Advance(20);
  Grants(20);
  const std::vector<Finding> findings =
      JudgeIt(Changed(EventKind::kGrant, 15, [](Event* event) { event->head = 40; }));
  ASSERT_FALSE(findings.empty());
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.text, "grant of SQ 1 begins at slot 40, expected 15");
  EXPECT_EQ(finding.sqid, 1);
  ASSERT_EQ(finding.events.size(), FindingLog::kEventCount);
  EXPECT_EQ(finding.events.back().head, 40);
  EXPECT_EQ(finding.cycle, finding.events.back().cycle);
  EXPECT_NE(Describe(finding).find("SQ 1: head: grant of SQ 1"), std::string::npos);
}

TEST_F(JudgeTest, KeepsTheFirstFindingsAndCountsTheRest) {
  FindingLog log;
  for (int i = 0; i < 250; ++i) log.Report(Rule::kIdle, 0, "again");
  EXPECT_EQ(log.findings().size(), FindingLog::kKeptCount);
  EXPECT_EQ(log.finding_count(), 250u);
}

}  // namespace
}  // namespace nvmearb::tb
