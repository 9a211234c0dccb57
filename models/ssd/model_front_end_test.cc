// SPDX-License-Identifier: Apache-2.0
//
// ModelFrontEnd alone: registers, doorbells, order of grants, fetches, reset. The sink is the test.
#include "ssd/model_front_end.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nvme/sqe.h"
#include "ssd/platform.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {
namespace {

using arbiter::EventKind;
using arbiter::SqClass;

constexpr TimePs kUs = 1'000'000;
constexpr std::uint64_t kSqBase = FakeMemory::kBase;
constexpr std::uint64_t kQueueBytes = 0x2000;
constexpr std::uint32_t kRr = 0x460001;
constexpr std::uint32_t kWrr = 0x460801;

class ModelFrontEndTest : public testing::Test, public FrontEndSink, public arbiter::EventSink {
 protected:
  ModelFrontEndTest() {
    Platform::Instance().Reset();
    ModelFrontEndParams params;
    params.limits = {8, 65536, 0};
    Build(params);
  }
  void Build(const ModelFrontEndParams& params) {
    front_end_ = std::make_unique<ModelFrontEnd>(&kernel_, params);
    front_end_->Attach(this, &memory_, this);
    front_end_->SetStraps(0x2078030fff, 0x10200);
  }

  // FrontEndSink.
  void OnEnable(const EnableConfig& config) override {
    told_ += "enable ";
    enable_ = config;
  }
  void OnDisable() override { told_ += "disable "; }
  void OnShutdown(std::uint8_t shn) override { told_ += "shutdown" + std::to_string(shn) + " "; }
  void OnConfigDone() override { told_ += "done "; }
  void OnCommand(const FetchedCommand& command) override {
    commands_.push_back(command);
    order_ += std::to_string(command.sqid) + " ";
    command_times_.push_back(kernel_.Now());
  }
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override {
    told_ += std::string("error") + (is_cq ? "_cq" : "_sq") + std::to_string(qid) + "_" +
             std::to_string(static_cast<int>(error)) + " ";
  }
  void OnFetchError(std::uint16_t sqid) override {
    told_ += "fetch_error" + std::to_string(sqid) + " ";
  }
  void OnEvent(const arbiter::Event& event) override { events_.push_back(event); }

  void Run(TimePs duration = 10 * kUs) { kernel_.RunUntil(kernel_.Now() + duration); }
  void Write(std::uint32_t offset, std::uint64_t value, unsigned bytes = 4) {
    front_end_->MmioWrite(offset, value, bytes);
  }
  [[nodiscard]] std::uint64_t Read(std::uint32_t offset, unsigned bytes = 4) {
    return front_end_->MmioRead(offset, bytes);
  }
  void Enable(std::uint32_t cc) {
    Write(nvme::kRegAqa, 0x000f000f);  // 16 entries
    Write(nvme::kRegAsq, kSqBase, 8);
    Write(nvme::kRegAcq, 0x9000, 8);
    Write(nvme::kRegCc, cc);
    Run();
    front_end_->SetReady(true);
  }
  void CreateSq(std::uint16_t sqid, SqClass sq_class, std::uint32_t size_count = 64) {
    front_end_->CreateCq({sqid, 64});
    front_end_->CreateSq({sqid, sqid, size_count, sq_class, kSqBase + sqid * kQueueBytes});
    Run();
  }
  void Ring(std::uint16_t sqid, std::uint32_t tail) { Write(nvme::SqTailDoorbell(sqid, 0), tail); }
  int Count(EventKind kind) const {
    int count = 0;
    for (const arbiter::Event& event : events_) count += event.kind == kind ? 1 : 0;
    return count;
  }

  Kernel& kernel_ = Platform::Instance().kernel();
  FakeMemory memory_;
  std::unique_ptr<ModelFrontEnd> front_end_;
  EnableConfig enable_;
  std::string told_;
  std::string order_;
  std::vector<FetchedCommand> commands_;
  std::vector<TimePs> command_times_;
  std::vector<arbiter::Event> events_;
};

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

TEST_F(ModelFrontEndTest, FetchesWhatWasRungWithTheRightBytesAndHeads) {
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

TEST_F(ModelFrontEndTest, GrantTakesTheCommandsOfAVisitInOneFetch) {
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
TEST_F(ModelFrontEndTest, OrderIsThatOfTheArbiter) {
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

TEST_F(ModelFrontEndTest, NoSlotNoGrantAndTheLastOneIsForAdmin) {
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

TEST_F(ModelFrontEndTest, FullCompletionQueueParksUntilItsHeadMoves) {
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

TEST_F(ModelFrontEndTest, ConfigurationIsAnsweredInOrderOncePerRequest) {
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

TEST_F(ModelFrontEndTest, DeleteIsAnsweredWhenItsFetchesAreIn) {
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

TEST_F(ModelFrontEndTest, FailedReadIsFatalAndAResetRecovers) {
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

TEST_F(ModelFrontEndTest, TimesAreOnTheClockGrid) {
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

TEST_F(ModelFrontEndTest, ManySlotsKeepManyFetchesOnTheirWay) {
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

TEST_F(ModelFrontEndTest, DescribeShowsHeadsTailsAndRoom) {
  Enable(kRr);
  CreateSq(1, SqClass::kHigh);
  Ring(1, 3);
  EXPECT_NE(front_end_->Describe().find("SQ 1: head 0 tail 3 of 64, CQ 1 room 63"),
            std::string::npos);
}

}  // namespace
}  // namespace nvmearb::ssd
