// SPDX-License-Identifier: Apache-2.0
//
// kyber: domains, tokens, CPU queues and their merges, both throttles.
#include "host_driver/block/sched/kyber.h"

#include <gtest/gtest.h>

#include "host_driver/block/testing/blk_mq_fixture.h"

namespace nvmearb::host {
namespace {

class KyberTest : public BlkMqTest {
 protected:
  KyberTest() {
    config_.scheduler = "kyber-4.17-kcq";
    config_.depth = 1000;
    config_.nr_requests = 2000;
  }
  void Settle() { clock_.RunUntil(clock_.Now()); }
  [[nodiscard]] const Kyber& kyber() const { return static_cast<const Kyber&>(*mq_->elevator()); }
  // Reads that use up all tokens of their domain.
  void TakeAllReadTokens() {
    for (int i = 0; i < 256; ++i) Io(100'000 + static_cast<std::uint64_t>(i) * 10);
    Settle();
    EXPECT_EQ(ops_.held.size(), 256u);
    EXPECT_EQ(kyber().InUse(0), 256);
    TakeLog();
  }
};

TEST_F(KyberTest, WithoutATokenRequestsStayWhereBiosJoinThem) {
  Make();
  TakeAllReadTokens();
  for (std::uint64_t at = 0; at < 10; ++at) {
    Io(at);
    Settle();  // the dispatcher looks, finds no token, and leaves the queue alone
  }
  EXPECT_EQ(mq_->stats().merges, 9u);
  ops_.Complete();
  Settle();
  EXPECT_EQ(TakeLog(), "0:0+10! ");
}

TEST_F(KyberTest, SharedQueuesAreEmptiedByTheNextDomainSoThatNothingJoins) {
  config_.scheduler = "kyber-4.17";
  Make();
  TakeAllReadTokens();
  for (std::uint64_t at = 0; at < 10; ++at) {
    Io(at);
    Settle();
  }
  EXPECT_EQ(mq_->stats().merges, 0u);
}

TEST_F(KyberTest, RandomBiosFindNothingToJoin) {
  Make();
  TakeAllReadTokens();
  for (std::uint64_t i = 0; i < 200; ++i) {
    Io(i * 7919 % 50'000 * 2);
    Settle();
  }
  EXPECT_EQ(mq_->stats().merges, 0u);
}

TEST_F(KyberTest, OnlyTheLastEightRequestsOfTheCpuAreLookedAt) {
  Make();
  TakeAllReadTokens();
  Io(0);
  for (std::uint64_t i = 1; i <= 8; ++i) Io(i * 100);
  Io(1);  // would fit the first, nine back
  EXPECT_EQ(mq_->stats().merges, 0u);
  Io(101);  // eight back
  EXPECT_EQ(mq_->stats().merges, 0u);
  Io(301);
  EXPECT_EQ(mq_->stats().merges, 1u);
}

TEST_F(KyberTest, DomainsHaveTokensOfTheirOwn) {
  Make();
  TakeAllReadTokens();
  Io(5, 1, BioOp::kWrite);
  sync_ = false;
  Io(7, 1, BioOp::kWrite);
  Settle();
  EXPECT_EQ(TakeLog(), "0:5+1 0:7+1! ");
  EXPECT_EQ(kyber().InUse(1), 1);
  EXPECT_EQ(kyber().InUse(2), 1);
}

TEST_F(KyberTest, BatchesOfSixteenReadsAndEightWritesTakeTurns) {
  config_.depth = 1;
  Make();
  Io(100'000);
  Settle();
  for (std::uint64_t i = 0; i < 40; ++i) Io(i * 10, 1, BioOp::kRead);
  for (std::uint64_t i = 0; i < 20; ++i) Io(5000 + i * 10, 1, BioOp::kWrite);
  std::string kinds;
  Settle();
  while (!ops_.held.empty()) {
    ops_.Complete();
    Settle();
    if (!ops_.held.empty()) kinds += ops_.held.back()->IsRead() ? 'r' : 'w';
  }
  const std::string r16(16, 'r');
  const std::string w8(8, 'w');
  // One read went before; the queue's first look made one more part of that batch.
  EXPECT_EQ(kinds, std::string(15, 'r') + w8 + r16 + w8 + std::string(9, 'r') + "wwww");
}

TEST_F(KyberTest, EarlyThrottleMakesRoomForTheDomainThatMissesItsTarget) {
  Make();
  mq_->SetTunable("read_lat_nsec", 1'000'000, "test");
  const auto pair = [&](TimePs read_time) {
    Io(0, 1, BioOp::kRead);
    Io(10, 1, BioOp::kWrite);
    Settle();
    const bool read_first = ops_.held.front()->IsRead();
    Request* const read = read_first ? ops_.held.front() : ops_.held.back();
    Request* const write = read_first ? ops_.held.back() : ops_.held.front();
    clock_.RunUntil(clock_.Now() + 100 * kUs);
    ops_.Take(write);
    mq_->Complete(write, 0, write->cpu);  // 0.1 ms of 10: great
    clock_.RunUntil(clock_.Now() + read_time - 100 * kUs);
    ops_.Take(read);
    mq_->Complete(read, 0, read->cpu);
  };
  pair(3 * kMs);  // a miss opens the window of 10 ms
  pair(3 * kMs);
  clock_.RunUntil(clock_.Now() + 11 * kMs);
  EXPECT_EQ(kyber().Depth(1), 64);   // great beside awful: half
  EXPECT_EQ(kyber().Depth(0), 256);  // more, at its cap
  EXPECT_EQ(kyber().Depth(2), 64);
  pair(3 * kMs);  // within the window of 100 ms that a miss keeps open
  clock_.RunUntil(clock_.Now() + 101 * kMs);
  EXPECT_EQ(kyber().Depth(1), 32);
}

TEST_F(KyberTest, PercentileThrottleShrinksWhatIsGoodWhileTheDeviceIsCongested) {
  config_.scheduler = "kyber";
  config_.depth = 2000;
  Make();
  mq_->SetTunable("read_lat_nsec", 1'000'000, "test");
  const auto many = [&](BioOp op, TimePs time) {
    for (int i = 0; i < 600; ++i) {
      Io(static_cast<std::uint64_t>(i) * 10, 1, op);
      Settle();
      if (i % 100 != 99) continue;
      clock_.RunUntil(clock_.Now() + time);
      ops_.CompleteAll();
      Settle();
    }
  };
  many(BioOp::kWrite, 1 * kMs);  // bucket 0 of 8: p99 = 0
  many(BioOp::kRead, 3 * kMs);   // bucket 7 of 8: congested, p99 = 7
  clock_.RunUntil(clock_.Now() + 101 * kMs);
  EXPECT_EQ(kyber().Depth(1), 128 * 1 / 4);
  EXPECT_EQ(kyber().Depth(0), 256);  // 256 * 8 / 4, at its cap
}

TEST_F(KyberTest, RandomTrafficReturnsEveryToken) {
  config_.depth = 8;
  config_.nr_requests = 32;
  for (const char* scheduler : {"kyber", "kyber-4.17", "kyber-4.17-kcq"}) {
    config_.scheduler = scheduler;
    config_.queue_count = {2, 0, 0, 0, 0, 0, 0};
    Make();
    std::uint32_t x = 99;
    std::uint64_t at = 0;
    const auto below = [&x](std::uint32_t n) {
      x = x * 1664525 + 1013904223;
      return (x >> 8) % n;
    };
    for (int i = 0; i < 10'000; ++i) {
      if (below(2) == 0) {
        EndOneHeld(below);
        clock_.RunUntil(clock_.Now() + below(1000) * kUs);
      } else if (mq_->InFlight() < 100) {
        sync_ = below(8) != 0;
        at = below(4) == 0 ? below(200) : at + 1;
        Io(at, 1, below(8) == 0 ? BioOp::kWrite : BioOp::kRead,
           static_cast<std::uint16_t>(at / 16 % 4));
      }
    }
    for (int i = 0; i < 1000 && mq_->InFlight() > 0; ++i) {
      ops_.CompleteAll();
      clock_.RunUntil(clock_.Now() + 3 * kMs);
    }
    EXPECT_EQ(mq_->InFlight(), 0u) << scheduler;
    for (int domain = 0; domain < 3; ++domain) EXPECT_EQ(kyber().InUse(domain), 0) << scheduler;
    EXPECT_GT(mq_->stats().merges, 100u) << scheduler;
  }
}

}  // namespace
}  // namespace nvmearb::host
