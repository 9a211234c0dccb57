// SPDX-License-Identifier: Apache-2.0
//
// Grants, fetches and configuration requests of ModelFrontEnd.
#include <gtest/gtest.h>

#include <string>

#include "ssd/testing/front_end_fixture.h"

namespace nvmearb::ssd {
namespace {

using ModelFetchTest = ModelFrontEndTest;

TEST_F(ModelFetchTest, FetchesWhatWasRungWithTheRightBytesAndHeads) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh, 4);
  front_end_->GiveSlots(8);
  std::uint32_t tail = 0;
  for (std::uint16_t i = 0; i < 6; ++i) {  // wraps
    memory_.Put(kSqBase + kQueueBytes + 64 * tail,
                nvme::Sqe::Make(0x02, static_cast<std::uint16_t>(100 + i)));
    tail = (tail + 1) % 4;
    Ring(1, tail);
    Run();
    ASSERT_EQ(commands_.size(), i + 1u);
    nvme::Sqe sqe;
    std::memcpy(&sqe, commands_.back().sqe.data(), sizeof sqe);
    EXPECT_EQ(sqe.CommandId(), 100 + i);
    EXPECT_EQ(commands_.back().sqhd, tail);
    EXPECT_EQ(commands_.back().sqid, 1);
    EXPECT_EQ(commands_.back().cqid, 1);
    EXPECT_EQ(commands_.back().sq_class, SqClass::kHigh);
  }
  EXPECT_EQ(Read(nvme::SqTailDoorbell(1, 0)), 2u);
}

TEST_F(ModelFetchTest, GrantTakesTheCommandsOfAVisitInOneFetch) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  front_end_->SetArbitration({7, 0, 0, 0});
  Run();
  Ring(1, 11);
  front_end_->GiveSlots(11);
  Run();
  EXPECT_EQ(commands_.size(), 11u);
  EXPECT_EQ(Count(EventKind::kGrant), 2) << "eight and three";
  EXPECT_EQ(Count(EventKind::kFetch), 2);
}

// Golden vector G3: 3/1/0, no burst limit; SQ1 high 12, SQ2 medium 6, SQ3 low 3.
TEST_F(ModelFetchTest, OrderIsThatOfTheArbiter) {
  ModelFrontEndParams params;
  params.limits = {8, 65536, 0};
  params.max_grant_count = 1;
  Build(params);
  Enable(kWrr);
  CreateSq(1, SqClass::kHigh);
  CreateSq(2, SqClass::kMedium);
  CreateSq(3, SqClass::kLow);
  front_end_->SetArbitration({7, 3, 1, 0});
  Run();
  Ring(1, 12);
  Ring(2, 6);
  Ring(3, 3);
  front_end_->GiveSlots(22);
  Run(100 * kUs);
  const std::string round = "1 1 1 1 2 2 3 ";
  EXPECT_EQ(order_, round + round + round);
}

TEST_F(ModelFetchTest, NoSlotNoGrantAndTheLastOneIsForAdmin) {
  Enable(kWrr);
  CreateSq(1, SqClass::kUrgent);
  Ring(1, 5);
  Run();
  EXPECT_EQ(order_, "");
  front_end_->GiveSlots(1);
  Run();
  EXPECT_EQ(order_, "") << "kept for SQ 0";
  Ring(0, 1);
  Run();
  EXPECT_EQ(order_, "0 ");
  front_end_->GiveSlots(2);
  Run();
  EXPECT_EQ(order_, "0 1 ");
}

TEST_F(ModelFetchTest, FullCompletionQueueParksUntilItsHeadMoves) {
  Enable(kRr);
  front_end_->CreateCq({1, 4});  // room for three
  front_end_->CreateSq({1, 1, 64, SqClass::kHigh, kSqBase + kQueueBytes});
  Run();
  front_end_->GiveSlots(10);
  Ring(1, 5);
  Run();
  EXPECT_EQ(commands_.size(), 3u);
  front_end_->Complete(1, 1, true);
  Run();
  EXPECT_EQ(commands_.size(), 3u) << "the CQE takes the place";
  Write(nvme::CqHeadDoorbell(1, 0), 1);
  Run();
  EXPECT_EQ(commands_.size(), 4u);
  EXPECT_EQ(Read(nvme::CqHeadDoorbell(1, 0)), 1u);
  // A command that left without a CQE gives its place back; the SQ is let go by the next head.
  front_end_->Complete(1, 1, true);
  front_end_->Complete(1, 1, false);
  Write(nvme::CqHeadDoorbell(1, 0), 2);
  Run();
  EXPECT_EQ(commands_.size(), 5u);
}

TEST_F(ModelFetchTest, ConfigurationIsAnsweredInOrderOncePerRequest) {
  Enable(kRr);
  told_.clear();
  front_end_->CreateCq({1, 64});
  front_end_->CreateSq({1, 1, 64, SqClass::kHigh, kSqBase});
  front_end_->SetArbitration({0, 5, 2, 0});
  EXPECT_EQ(told_, "");
  Run();
  EXPECT_EQ(told_, "done done done ");
  EXPECT_EQ(events_.back().kind, EventKind::kConfig);
  EXPECT_EQ(events_.back().count, 1u);
  EXPECT_EQ(events_.back().credit[0], 6);
}

TEST_F(ModelFetchTest, DeleteIsAnsweredWhenItsFetchesAreIn) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  CreateSq(2, SqClass::kHigh);
  told_.clear();
  front_end_->GiveSlots(8);
  Ring(1, 3);
  Ring(2, 1);
  Run(50'000);  // 12 clocks: granted, the read takes a hundred
  front_end_->DeleteSq(1);
  Run(100'000);
  EXPECT_EQ(told_, "") << "reads are on their way";
  EXPECT_EQ(commands_.size(), 0u);
  Run();
  EXPECT_EQ(told_, "done ");
  EXPECT_EQ(order_.find("1 1 1 1"), std::string::npos);
  const auto granted = commands_.size();
  told_.clear();
  Ring(1, 4);
  EXPECT_EQ(told_, "error_sq1_0 ") << "it does not exist any more";
  Run();
  EXPECT_EQ(commands_.size(), granted);
  EXPECT_EQ(Count(EventKind::kDelete), 1);
  EXPECT_NE(order_.find('2'), std::string::npos) << "others go on";
}

TEST_F(ModelFetchTest, FailedReadIsFatalAndAResetRecovers) {
  Enable(kRr);
  front_end_->CreateCq({1, 64});
  front_end_->CreateSq({1, 1, 64, SqClass::kHigh, 0x100});  // not mapped
  Run();
  CreateSq(2, SqClass::kHigh);
  front_end_->GiveSlots(1);
  told_.clear();
  Ring(1, 1);
  Run();
  EXPECT_EQ(told_, "fetch_error1 ");
  EXPECT_EQ(Read(nvme::kRegCsts), 3u);
  front_end_->GiveSlots(4);
  Ring(2, 1);
  front_end_->DeleteSq(1);
  Run();
  EXPECT_EQ(order_, "") << "nothing is granted any more";
  Write(nvme::kRegCc, 0);
  Run();
  EXPECT_EQ(told_, "fetch_error1 done disable ") << "the delete was answered";
  front_end_->SetReady(false);
  Enable(kRr);
  EXPECT_EQ(Read(nvme::kRegCsts), 1u);
}

TEST_F(ModelFetchTest, TimesAreOnTheClockGrid) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  front_end_->GiveSlots(1);
  Run();
  kernel_.RunUntil(kernel_.Now() + 1'001);  // between two edges of 4 ns
  const TimePs rung = kernel_.Now();
  events_.clear();
  Ring(1, 1);
  Run();
  ASSERT_EQ(events_.size(), 3u);
  const TimePs edge = (rung + 3999) / 4000 * 4000;
  EXPECT_EQ(events_[0].kind, EventKind::kDoorbell);
  EXPECT_EQ(events_[0].cycle, edge / 4000);
  EXPECT_EQ(events_[1].kind, EventKind::kGrant);
  EXPECT_EQ(events_[1].time_ps, edge + 6 * 4000);
  EXPECT_EQ(events_[2].kind, EventKind::kFetch);
  EXPECT_EQ(events_[2].time_ps, edge + (6 + 104) * 4000);
  EXPECT_EQ(command_times_.back(), events_[2].time_ps);
}

TEST_F(ModelFetchTest, ManySlotsKeepManyFetchesOnTheirWay) {
  ModelFrontEndParams params;
  params.limits = {8, 65536, 0};
  params.max_grant_count = 1;
  params.fetch_cycles = 10000;
  Build(params);
  Enable(kRr);
  front_end_->CreateCq({1, 1024});
  front_end_->CreateSq({1, 1, 1024, SqClass::kHigh, kSqBase});
  Run();
  Ring(1, 500);
  front_end_->GiveSlots(500);
  Run(1000 * kUs);
  ASSERT_EQ(commands_.size(), 500u);
  for (std::uint16_t i = 0; i < 500; ++i) ASSERT_EQ(commands_[i].sqhd, i + 1) << "in order";
}

}  // namespace
}  // namespace nvmearb::ssd
