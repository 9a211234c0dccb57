// SPDX-License-Identifier: Apache-2.0
//
// Registers, doorbells, enable, shutdown and reset of ModelFrontEnd.
#include <gtest/gtest.h>

#include <string>

#include "ssd/testing/front_end_fixture.h"

namespace nvmearb::ssd {
namespace {

TEST_F(ModelFrontEndTest, EnableHandsOnTheRegistersAndIsReadyWhenToldSo) {
  EXPECT_EQ(Read(nvme::kRegCap, 8), 0x2078030fffu);
  Enable(kWrr);
  EXPECT_EQ(told_, "enable ");
  EXPECT_EQ(enable_.cc, kWrr);
  EXPECT_EQ(enable_.aqa, 0x000f000fu);
  EXPECT_EQ(enable_.asq, kSqBase);
  EXPECT_EQ(enable_.acq, 0x9000u);
  EXPECT_EQ(Read(nvme::kRegCsts), 1u);
  EXPECT_EQ(front_end_->arbiter().mechanism(), arbiter::Mechanism::kWeightedRoundRobin);
  ASSERT_EQ(events_.size(), 3u);
  EXPECT_EQ(events_[0].kind, EventKind::kReset);
  EXPECT_EQ(events_[1].kind, EventKind::kCreate);
  EXPECT_EQ(events_[1].count, 16u);
  EXPECT_EQ(events_[2].kind, EventKind::kConfig);
}

TEST_F(ModelFrontEndTest, AdminQueueWithoutEntriesIsFatalUntilEnIsCleared) {
  Write(nvme::kRegCc, kRr);
  EXPECT_EQ(Read(nvme::kRegCsts), 2u);
  EXPECT_EQ(told_, "");
  Write(nvme::kRegCc, 0);
  EXPECT_EQ(Read(nvme::kRegCsts), 0u);
  Enable(kRr);
  EXPECT_EQ(Read(nvme::kRegCsts), 1u);
}

TEST_F(ModelFrontEndTest, RefusedDoorbellsAreReported) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh, 16);
  told_.clear();
  Ring(5, 1);
  Ring(1, 16);
  Write(nvme::CqHeadDoorbell(1, 0), 3);
  EXPECT_EQ(told_, "error_sq5_0 error_sq1_1 error_cq1_1 ");
  EXPECT_EQ(Count(EventKind::kReject), 3);
  Ring(1, 3);
  EXPECT_EQ(Count(EventKind::kDoorbell), 0) << "the SQ is halted, silently";
  Ring(7, 0xffff0001);
  Write(0x1000 + 8 * 9000, 1);  // beyond what this build has
  EXPECT_EQ(told_, "error_sq5_0 error_sq1_1 error_cq1_1 error_sq7_0 error_sq9000_0 ");
}

TEST_F(ModelFrontEndTest, DoorbellsOutsideEnableAndReadyAreIgnored) {
  Ring(0, 1);
  Write(nvme::kRegAqa, 0x000f000f);
  Write(nvme::kRegAsq, kSqBase, 8);
  Write(nvme::kRegCc, kRr);
  Ring(0, 1);
  EXPECT_EQ(Read(nvme::SqTailDoorbell(0, 0)), 0u);
  front_end_->SetReady(true);
  front_end_->GiveSlots(4);
  Run();
  EXPECT_EQ(order_, "");
  Ring(0, 1);
  Run();
  EXPECT_EQ(order_, "0 ");
}

TEST_F(ModelFrontEndTest, ShutdownNoticeStopsIoAndCompleteStopsAll) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  Ring(1, 2);
  Write(nvme::kRegCc, kRr | 1u << 14);
  EXPECT_NE(told_.find("shutdown1 "), std::string::npos);
  front_end_->GiveSlots(8);
  Ring(1, 4);
  Ring(0, 1);
  Run();
  EXPECT_EQ(order_, "0 ") << "only admin";
  EXPECT_EQ(Read(nvme::SqTailDoorbell(1, 0)), 2u) << "the doorbell was ignored";
  front_end_->SetShutdownStatus(2);
  EXPECT_EQ(Read(nvme::kRegCsts), 0x9u);
  Ring(0, 2);
  Run();
  EXPECT_EQ(order_, "0 ");
  // The way back: reset, then enable, which clears SHST.
  Write(nvme::kRegCc, 0);
  Run();
  front_end_->SetReady(false);
  EXPECT_EQ(Read(nvme::kRegCsts), 0x8u);
  Enable(kRr);
  EXPECT_EQ(Read(nvme::kRegCsts), 0x1u);
}

TEST_F(ModelFrontEndTest, ResetDropsFetchesAnswersRequestsAndForgets) {
  Enable(kWrr);
  CreateSq(1, SqClass::kHigh);
  front_end_->GiveSlots(8);
  Ring(1, 3);
  Run(50'000);
  told_.clear();
  front_end_->SetArbitration({1, 1, 1, 1});
  Write(nvme::kRegCc, 0);
  EXPECT_EQ(told_, "") << "waits for what is on its way";
  EXPECT_EQ(Read(nvme::kRegCc), 0u);
  EXPECT_EQ(Read(nvme::kRegCsts), 1u) << "RDY falls when the firmware says so";
  Run();
  EXPECT_EQ(told_, "done disable ");
  EXPECT_EQ(order_, "");
  front_end_->SetReady(false);
  EXPECT_EQ(Read(nvme::kRegCsts), 0u);
  EXPECT_EQ(Read(nvme::kRegAsq, 8), kSqBase) << "kept";
  EXPECT_FALSE(front_end_->arbiter().SqExists(1));
  EXPECT_EQ(events_.back().kind, EventKind::kReset);
  Enable(kRr);
  EXPECT_EQ(front_end_->arbiter().slot_count(), 0u);
  front_end_->GiveSlots(1);
  Ring(0, 1);
  Run();
  EXPECT_EQ(order_, "0 ");
  EXPECT_EQ(commands_[0].sqhd, 1) << "from slot 0 again";
}

TEST_F(ModelFrontEndTest, EnableDuringAResetFollowsIt) {
  Enable(kRr);
  told_.clear();
  Write(nvme::kRegCc, 0);
  Write(nvme::kRegCc, kWrr);
  EXPECT_EQ(told_, "disable ");
  front_end_->SetReady(false);
  EXPECT_EQ(told_, "disable enable ");
  EXPECT_EQ(Read(nvme::kRegCc), kWrr);
  EXPECT_EQ(front_end_->arbiter().mechanism(), arbiter::Mechanism::kWeightedRoundRobin);
}

TEST_F(ModelFrontEndTest, DescribeShowsHeadsTailsAndRoom) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  Ring(1, 3);
  EXPECT_NE(front_end_->Describe().find("SQ 1: head 0 tail 3 of 64, CQ 1 room 63"),
            std::string::npos);
}

}  // namespace
}  // namespace nvmearb::ssd
