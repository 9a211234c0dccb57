// SPDX-License-Identifier: Apache-2.0
//
// Admin commands from fetch to CQE.
#include "ssd/admin.h"

#include <gtest/gtest.h>

#include <vector>

#include "nvme/identify.h"
#include "nvme/log_pages.h"
#include "ssd/testing/firmware_fixture.h"

namespace nvmearb::ssd {
namespace {

using AdminTest = FirmwareTest;

TEST_F(AdminTest, AdminCommandReturnsItsSlotAtOnce) {
  Enable();
  const unsigned before = front_end_.slots_given;
  Fetched(0, nvme::GetFeatures{1, 0, 0}.Encode(5));
  EXPECT_EQ(front_end_.slots_given, before + 1);
  EXPECT_TRUE(AdminCqIsEmpty()) << "execution takes its time";
}

TEST_F(AdminTest, CqeCarriesTheLatestSqHeadAndInterrupts) {
  Enable();
  Fetched(0, nvme::GetFeatures{1, 0, 0}.Encode(5));
  Fetched(0, nvme::GetFeatures{1, 0, 0}.Encode(6));
  Run();
  const nvme::Cqe first = Take(kAdminCq, &admin_head_);
  EXPECT_EQ(first.cid, 5);
  EXPECT_EQ(first.sqhd, 2) << "both have been fetched";
  EXPECT_EQ(first.dw0, 0x05020000u);
  EXPECT_EQ(Take(kAdminCq, &admin_head_).cid, 6);
  EXPECT_EQ(interrupts_.vectors, (std::vector<std::uint16_t>{0, 0}));
}

TEST_F(AdminTest, UnknownOpcodesAndFusedCommandsAreRefused) {
  Enable();
  EXPECT_EQ(Admin(nvme::Sqe::Make(0x7f, 1)).GetStatus(), Status::kInvalidOpcode);
  nvme::Sqe fused = nvme::GetFeatures{1, 0, 0}.Encode(2);
  fused.cdw0 |= 1u << 8;
  EXPECT_EQ(Admin(fused).GetStatus(), Status::kInvalidField);
}

TEST_F(AdminTest, SetArbitrationIsAnsweredAfterTheArbiter) {
  Enable();
  front_end_.calls.clear();
  Fetched(0, nvme::SetFeatures{1, false, 0x1f0f0703, 0}.Encode(9));
  Run();
  EXPECT_EQ(front_end_.calls, "set_arb(32:16:8/3) ");
  EXPECT_TRUE(AdminCqIsEmpty());
  firmware_->OnConfigDone();
  EXPECT_EQ(Take(kAdminCq, &admin_head_).GetStatus(), Status::kSuccess);
}

TEST_F(AdminTest, QueuesAreCreatedInTheFrontEndBeforeTheCqe) {
  Enable();
  front_end_.calls.clear();
  Fetched(0, Cq(1).Encode(1));
  Run();
  EXPECT_TRUE(AdminCqIsEmpty());
  firmware_->OnConfigDone();
  EXPECT_EQ(Take(kAdminCq, &admin_head_).GetStatus(), Status::kSuccess);
  EXPECT_EQ(Admin(Sq(1).Encode(2), 1).GetStatus(), Status::kSuccess);
  EXPECT_EQ(front_end_.calls, "create_cq(1) create_sq(1) ");
  EXPECT_EQ(front_end_.last_sq.size_count, 64u);
  EXPECT_EQ(front_end_.last_sq.base, kIoSq);
  EXPECT_EQ(front_end_.last_sq.sq_class, arbiter::SqClass::kHigh);
}

TEST_F(AdminTest, FailedCreateReachesNeitherFrontEndNorTable) {
  Enable();
  front_end_.calls.clear();
  EXPECT_EQ(Admin(Sq(1).Encode(2)).GetStatus(), Status::kCompletionQueueInvalid);
  EXPECT_EQ(front_end_.calls, "");
  EXPECT_FALSE(firmware_->queues().sq(1).exists);
}

TEST_F(AdminTest, DeleteSqWaitsForTheFrontEndAndForItsCommands) {
  Enable();
  CreatePair(1);
  front_end_.calls.clear();
  Fetched(1, nvme::ReadWrite{}.Encode(7));
  Fetched(0, nvme::DeleteIoSq{1}.Encode(3));
  Run(20'000'000);  // 20 us: the command is executed, the read (86 us) is not done
  EXPECT_EQ(front_end_.calls, "delete_sq(1) ");
  firmware_->OnConfigDone();
  EXPECT_TRUE(AdminCqIsEmpty()) << "a command is still in the device";
  Run();
  EXPECT_EQ(Take(kIoCq, &io_head_).cid, 7);
  EXPECT_EQ(Take(kAdminCq, &admin_head_).GetStatus(), Status::kSuccess);
  EXPECT_EQ(Admin(nvme::DeleteIoSq{1}.Encode(4)).GetStatus(), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(Admin(nvme::DeleteIoCq{1}.Encode(5), 1).GetStatus(), Status::kSuccess);
}

TEST_F(AdminTest, CqWithAnSqIsNotDeleted) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Admin(nvme::DeleteIoCq{1}.Encode(5)).GetStatus(), Status::kInvalidQueueDeletion);
}

TEST_F(AdminTest, RecreatedSqStartsAnew) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Io(nvme::ReadWrite{}.Encode(1)), Status::kSuccess);
  EXPECT_EQ(Admin(nvme::DeleteIoSq{1}.Encode(3), 1).GetStatus(), Status::kSuccess);
  nvme::CreateIoSq again = Sq(1);
  again.qprio = 3;
  again.size_zb = 7;
  EXPECT_EQ(Admin(again.Encode(4), 1).GetStatus(), Status::kSuccess);
  EXPECT_EQ(front_end_.last_sq.sq_class, arbiter::SqClass::kLow);
  EXPECT_EQ(front_end_.last_sq.size_count, 8u);
  EXPECT_EQ(firmware_->queues().sq(1).fetched_head, 0);
}

TEST_F(AdminTest, IdentifyControllerShowsThePreset) {
  Enable();
  nvme::Identify identify;
  identify.cns = 1;
  identify.prp1 = kData + 0x200;  // crosses a page
  identify.prp2 = kData + 0x4000;
  ASSERT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kSuccess);
  nvme::IdentifyController page;
  auto* bytes = reinterpret_cast<std::uint8_t*>(&page);
  ASSERT_TRUE(memory_.Read(kData + 0x200, bytes, 0xe00));
  ASSERT_TRUE(memory_.Read(kData + 0x4000, bytes + 0xe00, 0x200));
  EXPECT_EQ(nvme::GetAscii(page.mn), "INTEL SSDPE2KX020T8");
  EXPECT_EQ(page.vid, 0x8086);
  EXPECT_EQ(page.mdts, 5);
  EXPECT_EQ(page.nn, 1u);
  EXPECT_EQ(page.sqes, 0x66);
  EXPECT_EQ(page.cqes, 0x44);
  EXPECT_EQ(page.ver, 0x10200u);
}

TEST_F(AdminTest, IdentifyNamespaceAndLists) {
  Enable();
  nvme::Identify identify;
  identify.prp1 = kData;
  identify.nsid = 1;
  ASSERT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kSuccess);
  const auto page = memory_.Get<nvme::IdentifyNamespace>(kData);
  EXPECT_EQ(page.nsze, 2'000'398'934'016u / 512);
  EXPECT_EQ(page.lbaf[0].lbads, 9);
  identify.nsid = 2;
  EXPECT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kInvalidNamespace);
  identify.cns = 2;
  identify.nsid = 0;
  ASSERT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kSuccess);
  EXPECT_EQ(memory_.Get<std::uint32_t>(kData), 1u);
  EXPECT_EQ(memory_.Get<std::uint32_t>(kData + 4), 0u);
  identify.nsid = 1;
  ASSERT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kSuccess);
  EXPECT_EQ(memory_.Get<std::uint32_t>(kData), 0u);
  identify.nsid = nvme::kBroadcastNsid;
  EXPECT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kInvalidNamespace);
  identify.cns = 3;
  identify.nsid = 1;
  ASSERT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kSuccess);
  EXPECT_EQ(memory_.Get<std::uint8_t>(kData), nvme::NamespaceDescriptor::kTypeEui64);
  EXPECT_EQ(memory_.Get<std::uint8_t>(kData + 4), 0x5c) << "the OUI comes first";
  identify.cns = 0x10;
  EXPECT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kInvalidField);
  identify.cns = 1;
  identify.prp1 = kData + 1;
  EXPECT_EQ(Admin(identify.Encode(1)).GetStatus(), Status::kPrpOffsetInvalid);
}

TEST_F(AdminTest, DoorbellErrorsReachTheHostThroughEventAndLog) {
  Enable();
  Fetched(0, nvme::AsyncEventRequest::Encode(30));
  Run();
  EXPECT_TRUE(AdminCqIsEmpty());
  firmware_->OnDoorbellError(arbiter::DoorbellError::kInvalidValue, false, 3);
  nvme::Cqe cqe = Take(kAdminCq, &admin_head_);
  EXPECT_EQ(cqe.cid, 30);
  EXPECT_EQ(cqe.dw0, 0x00010100u);
  nvme::GetLogPage log;
  log.lid = 1;
  log.dword_count = 32;
  log.prp1 = kData;
  ASSERT_EQ(Admin(log.Encode(31)).GetStatus(), Status::kSuccess);
  EXPECT_EQ(memory_.Get<nvme::ErrorLogEntry>(kData).error_count, 1u);
  EXPECT_EQ(memory_.Get<nvme::ErrorLogEntry>(kData).sqid, 3);
  EXPECT_EQ(memory_.Get<nvme::ErrorLogEntry>(kData + 64).error_count, 0u);
  Fetched(0, nvme::AsyncEventRequest::Encode(32));
  Run();
  firmware_->OnDoorbellError(arbiter::DoorbellError::kInvalidRegister, false, 9);
  EXPECT_EQ(Take(kAdminCq, &admin_head_).dw0, 0x00010000u) << "unmasked by the read of the log";
}

TEST_F(AdminTest, RetainedLogReadKeepsTheMask) {
  Enable();
  for (std::uint16_t cid = 1; cid <= 2; ++cid) Fetched(0, nvme::AsyncEventRequest::Encode(cid));
  Run();
  firmware_->OnDoorbellError(arbiter::DoorbellError::kInvalidValue, false, 3);
  Take(kAdminCq, &admin_head_);
  nvme::GetLogPage log;
  log.lid = 1;
  log.dword_count = 16;
  log.retain_event = true;
  log.prp1 = kData;
  ASSERT_EQ(Admin(log.Encode(31)).GetStatus(), Status::kSuccess);
  firmware_->OnDoorbellError(arbiter::DoorbellError::kInvalidValue, false, 3);
  EXPECT_TRUE(AdminCqIsEmpty());
}

TEST_F(AdminTest, LogPagesCheckWhatIsAskedFor) {
  Enable();
  nvme::GetLogPage log;
  log.lid = 2;
  log.dword_count = 128;
  log.prp1 = kData;
  ASSERT_EQ(Admin(log.Encode(1)).GetStatus(), Status::kSuccess);
  EXPECT_EQ(memory_.Get<nvme::SmartLog>(kData).available_spare_percent, 100);
  log.offset_bytes = 2;
  EXPECT_EQ(Admin(log.Encode(1)).GetStatus(), Status::kInvalidField);
  log.offset_bytes = 516;
  EXPECT_EQ(Admin(log.Encode(1)).GetStatus(), Status::kInvalidField);
  log.offset_bytes = 0;
  log.dword_count = 1u << 20;
  EXPECT_EQ(Admin(log.Encode(1)).GetStatus(), Status::kInvalidField);
  log.lid = 0x70;
  EXPECT_EQ(Admin(log.Encode(1)).GetStatus(), Status::kInvalidLogPage);
}

TEST_F(AdminTest, AbortReachesWritesThatWaitForTheBuffer) {
  params_.media.write_buffer_bytes = 65536 + 131072;
  params_.media.die_count = 1;
  Build();
  Enable();
  CreatePair(1);
  nvme::ReadWrite write;
  write.opcode = nvme::IoOpcode::kWrite;
  write.block_count = 256;
  Fetched(1, write.Encode(40));
  Run(1'000'000);
  Fetched(1, write.Encode(41));  // waits for the buffer
  Run(100'000'000);
  EXPECT_EQ(firmware_->UpdatedStatistics().stalls, 1u);
  const nvme::Cqe abort = Admin(nvme::Abort{1, 41}.Encode(9));
  EXPECT_EQ(abort.GetStatus(), Status::kSuccess);
  EXPECT_EQ(abort.dw0 & 1, 0u) << "aborted";
  EXPECT_EQ(Take(kIoCq, &io_head_).cid, 40);
  const nvme::Cqe aborted = Take(kIoCq, &io_head_);
  EXPECT_EQ(aborted.cid, 41);
  EXPECT_EQ(aborted.GetStatus(), Status::kAbortRequested);
}

TEST_F(AdminTest, AbortOfACommandThatIsNotThereSaysSo) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Admin(nvme::Abort{1, 99}.Encode(9)).dw0 & 1, 1u);
  EXPECT_EQ(Admin(nvme::Abort{0, 99}.Encode(9)).dw0 & 1, 1u);
}

TEST_F(AdminTest, AbortEndsAnAsyncEventRequest) {
  Enable();
  Fetched(0, nvme::AsyncEventRequest::Encode(30));
  Run();
  Fetched(0, nvme::Abort{0, 30}.Encode(31));
  Run();
  nvme::Cqe cqe = Take(kAdminCq, &admin_head_);
  EXPECT_EQ(cqe.cid, 30);
  EXPECT_EQ(cqe.GetStatus(), Status::kAbortRequested);
  cqe = Take(kAdminCq, &admin_head_);
  EXPECT_EQ(cqe.cid, 31);
  EXPECT_EQ(cqe.dw0, 0u);
}

}  // namespace
}  // namespace nvmearb::ssd
