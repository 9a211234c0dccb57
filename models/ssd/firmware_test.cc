// SPDX-License-Identifier: Apache-2.0
//
// The firmware's part in the life of the controller, and I/O.
#include "ssd/firmware.h"

#include <gtest/gtest.h>

#include <string>

#include "ssd/testing/firmware_fixture.h"

namespace nvmearb::ssd {
namespace {

TEST_F(FirmwareTest, StrapsShowThePresetNarrowedToTheFrontEnd) {
  EXPECT_EQ(front_end_.cap, 0x2078030fffu);
  EXPECT_EQ(front_end_.vs, 0x10200u);
  front_end_.limits = {8, 256, 2};
  Build();
  const nvme::Cap cap = nvme::Cap::Decode(front_end_.cap);
  EXPECT_EQ(cap.mqes_zb, 255);
  EXPECT_EQ(cap.dstrd, 2);
}

TEST_F(FirmwareTest, EnableProgramsTheArbiterGivesSlotsAndBecomesReady) {
  firmware_->OnEnable({kCcWrr, kAqa32, 0x7000, kAdminCq});
  EXPECT_EQ(front_end_.calls, "set_arb(6:3:1/0) ");
  EXPECT_EQ(front_end_.slots_given, 2u) << "one for I/O, one for SQ 0";
  Run();
  EXPECT_FALSE(front_end_.ready) << "not before the arbiter has acknowledged";
  firmware_->OnConfigDone();
  EXPECT_FALSE(front_end_.ready);
  Run();
  EXPECT_TRUE(front_end_.ready);
}

TEST_F(FirmwareTest, RoundRobinStartsWithOneSlot) {
  firmware_->OnEnable({kCcRr, kAqa32, 0x7000, kAdminCq});
  EXPECT_EQ(front_end_.slots_given, 1u);
}

TEST_F(FirmwareTest, PageSizeThatCapDoesNotOfferIsFatal) {
  firmware_->OnEnable({kCcWrr | 1u << 7, kAqa32, 0x7000, kAdminCq});
  Run();
  EXPECT_TRUE(front_end_.fatal);
  EXPECT_FALSE(front_end_.ready);
}

TEST_F(FirmwareTest, ResetBetweenEnableAndReadyIsNotReady) {
  firmware_->OnEnable({kCcWrr, kAqa32, 0x7000, kAdminCq});
  firmware_->OnConfigDone();
  firmware_->OnDisable();
  Run();
  EXPECT_FALSE(front_end_.ready);
}

TEST_F(FirmwareTest, IoChecksAnswerWithTheirStatus) {
  Enable();
  CreatePair(1);
  nvme::ReadWrite read;
  EXPECT_EQ(Io(read.Encode(1)), Status::kSuccess);
  read.slba = params_.BlockCount() - 1;
  EXPECT_EQ(Io(read.Encode(1)), Status::kSuccess);
  read.block_count = 2;
  EXPECT_EQ(Io(read.Encode(1)), Status::kLbaOutOfRange);
  read.slba = ~std::uint64_t{0};
  EXPECT_EQ(Io(read.Encode(1)), Status::kLbaOutOfRange);
  read.slba = 0;
  read.block_count = 256;
  EXPECT_EQ(Io(read.Encode(1)), Status::kSuccess) << "128 KiB, the limit";
  read.block_count = 257;
  EXPECT_EQ(Io(read.Encode(1)), Status::kInvalidField);
  read.block_count = 1;
  read.nsid = 2;
  EXPECT_EQ(Io(read.Encode(1)), Status::kInvalidNamespace);
  read.nsid = 1;
  read.prp1 = 2;
  EXPECT_EQ(Io(read.Encode(1)), Status::kPrpOffsetInvalid);
  nvme::Sqe fused = nvme::ReadWrite{}.Encode(1);
  fused.cdw0 |= 1u << 8;
  EXPECT_EQ(Io(fused), Status::kInvalidField);
  EXPECT_EQ(Io(nvme::Sqe::Make(0x55, 1)), Status::kInvalidOpcode);
  EXPECT_EQ(Io(nvme::Flush{}.Encode(1)), Status::kSuccess);
  EXPECT_EQ(Io(nvme::Flush{9}.Encode(1)), Status::kInvalidNamespace);
  EXPECT_EQ(firmware_->queues().sq(1).in_flight, 0u);
}

TEST_F(FirmwareTest, TrimsAreReadFromHostMemoryAndChecked) {
  Enable();
  CreatePair(1);
  const auto put = [this](std::uint64_t address, std::uint32_t blocks, std::uint64_t slba) {
    const nvme::DsmRange range{0, blocks, slba};
    ASSERT_TRUE(memory_.Write(address, &range, sizeof range));
  };
  put(kData, 8, 0);
  nvme::DatasetManagement trim;
  trim.prp1 = kData;
  EXPECT_EQ(Io(trim.Encode(1)), Status::kSuccess);
  put(kData, 8, params_.BlockCount() - 8);
  EXPECT_EQ(Io(trim.Encode(1)), Status::kSuccess);
  put(kData, 9, params_.BlockCount() - 8);
  EXPECT_EQ(Io(trim.Encode(1)), Status::kLbaOutOfRange);
  // The second of two ranges counts, also behind the end of a page.
  put(kData + 0x1000 - 16, 8, 0);
  put(kData + 0x3000, 8, params_.BlockCount());
  trim.range_count = 2;
  trim.prp1 = kData + 0x1000 - 16;
  trim.prp2 = kData + 0x3000;
  EXPECT_EQ(Io(trim.Encode(1)), Status::kLbaOutOfRange);
  put(kData + 0x3000, 8, 8);
  EXPECT_EQ(Io(trim.Encode(1)), Status::kSuccess);
  trim.nsid = 2;
  EXPECT_EQ(Io(trim.Encode(1)), Status::kInvalidNamespace);
  trim.nsid = 1;
  trim.prp1 = 2;
  EXPECT_EQ(Io(trim.Encode(1)), Status::kPrpOffsetInvalid);
  EXPECT_EQ(firmware_->queues().sq(1).in_flight, 0u);
}

TEST_F(FirmwareTest, StatisticsCountWhatHappened) {
  Enable();
  CreatePair(1);
  nvme::ReadWrite command;
  command.block_count = 8;
  Io(command.Encode(1));
  command.opcode = nvme::IoOpcode::kWrite;
  Io(command.Encode(1));
  Io(nvme::Flush{}.Encode(1));
  const Statistics& s = firmware_->UpdatedStatistics();
  EXPECT_EQ(s.reads_completed, 1u);
  EXPECT_EQ(s.writes_completed, 1u);
  EXPECT_EQ(s.other_completed, 1u);
  EXPECT_EQ(s.read_bytes, 4096u);
  EXPECT_EQ(s.written_bytes, 4096u);
  EXPECT_EQ(s.fetched_by_class[static_cast<int>(arbiter::SqClass::kHigh)], 3u);
  EXPECT_EQ(s.fetched_by_class[static_cast<int>(arbiter::SqClass::kAdmin)], 2u);
  EXPECT_EQ(s.fetched_by_sq[1], 3u);
  // 80 + 1.365 + 6, 1.365 + 12 and 12 us; the window held one command for as long.
  EXPECT_NEAR(s.MeanLatencyPs() * 3e-6, 87.365 + 13.365 + 12, 0.01);
  EXPECT_EQ(s.window_area_ps, s.latency_sum_ps);
  EXPECT_EQ(s.window_peak, 1u);
}

TEST_F(FirmwareTest, ShutdownIsCompleteWhenTheDeviceIsEmpty) {
  Enable();
  CreatePair(1);
  Fetched(1, nvme::ReadWrite{}.Encode(1));
  firmware_->OnShutdown(1);
  EXPECT_EQ(front_end_.shst, 1);
  Run();
  EXPECT_EQ(front_end_.shst, 2);
  EXPECT_EQ(Take(kIoCq, &io_head_).cid, 1);
}

TEST_F(FirmwareTest, IdleShutdownIsCompleteAtOnce) {
  Enable();
  firmware_->OnShutdown(2);
  EXPECT_EQ(front_end_.shst, 2);
}

TEST_F(FirmwareTest, ResetPostsNothingAnyMoreAndForgetsEverything) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Admin(nvme::SetFeatures{1, false, 7, 0}.Encode(9), 1).GetStatus(), Status::kSuccess);
  Fetched(1, nvme::ReadWrite{}.Encode(1));
  Fetched(0, nvme::AsyncEventRequest::Encode(2));
  Fetched(0, nvme::GetFeatures{1, 0, 0}.Encode(3));
  firmware_->OnDisable();
  EXPECT_FALSE(front_end_.ready);
  Run();
  EXPECT_TRUE(AdminCqIsEmpty());
  EXPECT_FALSE(memory_.Get<nvme::Cqe>(kIoCq).Phase());
  front_end_.calls.clear();
  memory_.Put(kAdminCq, nvme::Cqe{});
  admin_head_ = 0;
  Enable();
  EXPECT_EQ(front_end_.calls, "set_arb(6:3:1/0) ") << "the default is back";
  EXPECT_EQ(Admin(nvme::GetFeatures{1, 0, 0}.Encode(4)).dw0, 0x05020000u);
  EXPECT_FALSE(firmware_->queues().sq(1).exists);
}

TEST_F(FirmwareTest, StrayAcknowledgeAfterAResetIsIgnored) {
  Enable();
  Fetched(0, Cq(1).Encode(1));
  Run();
  firmware_->OnDisable();
  firmware_->OnConfigDone();
  EXPECT_TRUE(AdminCqIsEmpty());
}

TEST_F(FirmwareTest, DescribeNamesQueuesWindowAndMedia) {
  Enable();
  CreatePair(1);
  Fetched(1, nvme::ReadWrite{}.Encode(1));
  const std::string text = firmware_->Describe();
  EXPECT_NE(text.find("SQ 1: fetched head 1, 1 in the device, CQ 1 tail 0"), std::string::npos);
  EXPECT_NE(text.find("window: 1 of 256 slots used"), std::string::npos);
  EXPECT_NE(text.find("media: 1 of 72 dies busy"), std::string::npos);
}

}  // namespace
}  // namespace nvmearb::ssd
