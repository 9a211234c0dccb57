// SPDX-License-Identifier: Apache-2.0
//
// Systematic falsification: recordings of random golden runs, each kind of change at every place
// where it makes a difference; the Judge has to report every one. Grants without arrivals near by,
// so that no tolerance covers a change.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scoreboard/golden_system.h"

namespace nvmearb::tb {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::Mechanism;
using arbiter::SqClass;

/// Deep backlogs, rung long before the first decision, served to the end.
class Backlogged {
 public:
  explicit Backlogged(std::uint64_t seed)
      : random_(seed),
        system_(7, seed % 3 == 0 ? Mechanism::kRoundRobin : Mechanism::kWeightedRoundRobin,
                {static_cast<std::uint8_t>(random_.Below(4)),
                 static_cast<std::uint8_t>(random_.Below(6)),
                 static_cast<std::uint8_t>(random_.Below(4)),
                 static_cast<std::uint8_t>(random_.Below(3))}) {
    for (std::uint16_t id = 0; id < 7; ++id) {
      system_.CreateCq(id, 256);
      system_.CreateSq(id, id, 64, id == 0 ? SqClass::kAdmin : static_cast<SqClass>((id - 1) % 4));
    }
    for (std::uint16_t id = 0; id < 7; ++id) {
      system_.Submit(id, static_cast<std::uint32_t>(random_.InRange(2, 12)));
      system_.Advance(10);  // apart, so that the order of activation is certain
    }
    system_.GiveSlots(10000);
    system_.Advance(20);
    while (system_.Grant(1)) {
      system_.Advance(2);
      system_.Fetch();
      system_.Complete(true);
    }
    system_.Advance(20);
  }
  const Recording& recording() const { return system_.recording(); }

 private:
  base::Random random_;
  GoldenSystem system_;
};

std::uint64_t FindingCount(const Recording& recording) {
  Judge judge(7);
  Replay(recording, &judge);
  judge.ExpectQuiet();
  return judge.log().finding_count();
}

struct Tally {
  int tried_count = 0;
  int missed_count = 0;
  std::string first_missed;
};

/// Applies `mutate` to every event of `kind` in turn; it returns false where it changes nothing.
Tally MutateEach(EventKind kind, const std::function<bool(Recording*, std::size_t)>& mutate) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const Backlogged run(seed);
    EXPECT_EQ(FindingCount(run.recording()), 0u) << "seed " << seed;
    for (const std::size_t at : Find(run.recording(), kind)) {
      Recording recording = run.recording();
      if (!mutate(&recording, at)) continue;
      ++tally.tried_count;
      if (FindingCount(recording) > 0) continue;
      if (tally.missed_count++ == 0) {
        tally.first_missed =
            "seed " + std::to_string(seed) + ": " + Describe(run.recording()[at].event);
      }
    }
  }
  return tally;
}

void ExpectAllReported(EventKind kind, const std::function<bool(Recording*, std::size_t)>& mutate) {
  const Tally tally = MutateEach(kind, mutate);
  EXPECT_GT(tally.tried_count, 50);
  EXPECT_EQ(tally.missed_count, 0)
      << "of " << tally.tried_count << ", first at " << tally.first_missed;
}

TEST(JudgeMutation, EveryGrantLeftOut) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    r->erase(r->begin() + static_cast<long>(at));
    return true;
  });
}

TEST(JudgeMutation, EveryGrantRepeated) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    r->insert(r->begin() + static_cast<long>(at), (*r)[at]);
    return true;
  });
}

TEST(JudgeMutation, EveryHeadOffByOne) {
  for (const int change : {-1, 1}) {
    ExpectAllReported(EventKind::kGrant, [change](Recording* r, std::size_t at) {
      Event& event = (*r)[at].event;
      event.head = static_cast<std::uint16_t>(event.head + change);
      return true;
    });
  }
}

TEST(JudgeMutation, EveryCountOneMore) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    ++(*r)[at].event.count;
    return true;
  });
}

TEST(JudgeMutation, EveryCreditOffByOne) {
  for (std::size_t level = 0; level < 3; ++level) {
    for (const int change : {-1, 1}) {
      ExpectAllReported(EventKind::kGrant, [=](Recording* r, std::size_t at) {
        std::uint16_t& credit = (*r)[at].event.credit[level];
        credit = static_cast<std::uint16_t>(credit + change);
        return true;
      });
    }
  }
}

TEST(JudgeMutation, EveryVisitMarkFlipped) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    (*r)[at].event.first = !(*r)[at].event.first;
    return true;
  });
}

TEST(JudgeMutation, EveryGrantToAnotherQueue) {
  for (std::uint16_t other = 0; other < 7; ++other) {
    ExpectAllReported(EventKind::kGrant, [other](Recording* r, std::size_t at) {
      Event& event = (*r)[at].event;
      if (event.sqid == other) return false;
      event.sqid = other;
      return true;
    });
  }
}

TEST(JudgeMutation, EveryWrongClass) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    Event& event = (*r)[at].event;
    event.sq_class = static_cast<SqClass>((static_cast<int>(event.sq_class) + 1) % 5);
    return true;
  });
}

/// Two grants of different queues change places, with everything that belongs to them, credits made
/// to fit; all else stays as it was.
TEST(JudgeMutation, EverySwapOfNeighbouringGrants) {
  ExpectAllReported(EventKind::kGrant, [](Recording* r, std::size_t at) {
    const std::vector<std::size_t> grants = Find(*r, EventKind::kGrant);
    std::size_t next = 0;
    for (const std::size_t g : grants) {
      if (g > at) {
        next = g;
        break;
      }
    }
    if (next == 0 || (*r)[at].event.sqid == (*r)[next].event.sqid) return false;
    std::swap((*r)[at].event, (*r)[next].event);
    std::swap((*r)[at].event.cycle, (*r)[next].event.cycle);
    std::swap((*r)[at].event.time_ps, (*r)[next].event.time_ps);
    return true;
  });
}

TEST(JudgeMutation, EveryFetchLeftOutRepeatedOrWrong) {
  ExpectAllReported(EventKind::kFetch, [](Recording* r, std::size_t at) {
    r->erase(r->begin() + static_cast<long>(at));
    return true;
  });
  ExpectAllReported(EventKind::kFetch, [](Recording* r, std::size_t at) {
    r->insert(r->begin() + static_cast<long>(at), (*r)[at]);
    return true;
  });
  ExpectAllReported(EventKind::kFetch, [](Recording* r, std::size_t at) {
    ++(*r)[at].event.head;
    return true;
  });
}

TEST(JudgeMutation, EveryCompletionRepeated) {
  ExpectAllReported(EventKind::kComplete, [](Recording* r, std::size_t at) {
    // At the end, when all are complete, one more of the same queue is one too many.
    Note again = (*r)[at];
    again.event.cycle =
        r->back().event.cycle > again.event.cycle ? r->back().event.cycle : again.event.cycle;
    r->push_back(again);
    return true;
  });
}

TEST(JudgeMutation, EveryDoorbellLate) {
  // The doorbell is seen 200 clocks and more after the grants that it made possible.
  ExpectAllReported(EventKind::kDoorbell, [](Recording* r, std::size_t at) {
    Note doorbell = (*r)[at];
    r->erase(r->begin() + static_cast<long>(at));
    doorbell.event.cycle = r->back().event.cycle + 200;
    r->push_back(doorbell);
    return true;
  });
}

}  // namespace
}  // namespace nvmearb::tb
