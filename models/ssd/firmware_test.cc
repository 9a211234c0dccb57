// SPDX-License-Identifier: Apache-2.0
//
// The firmware between a fake front end and fake memory: what it asks of the one and writes to the
// other.
#include "ssd/firmware.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "nvme/admin_commands.h"
#include "nvme/cqe.h"
#include "nvme/identify.h"
#include "nvme/io_commands.h"
#include "nvme/log_pages.h"
#include "ssd/platform.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {
namespace {

using nvme::Status;

constexpr TimePs kMs = 1'000'000'000;
constexpr std::uint64_t kAdminCq = FakeMemory::kBase;
constexpr std::uint64_t kIoCq = FakeMemory::kBase + 0x1000;
constexpr std::uint64_t kIoSq = FakeMemory::kBase + 0x2000;
constexpr std::uint64_t kData = FakeMemory::kBase + 0x8000;
constexpr std::uint32_t kCcWrr = 0x460801;
constexpr std::uint32_t kCcRr = 0x460001;
constexpr std::uint32_t kAqa32 = 0x1f001f;

class FirmwareTest : public testing::Test {
 protected:
  FirmwareTest() : params_(FindPreset("p4510")->make()) {
    Platform::Instance().Reset();
    Build();
  }
  void Build() {
    firmware_ = std::make_unique<Firmware>(&kernel_, params_, &front_end_, &memory_, &interrupts_);
  }
  void Run(TimePs duration = kMs) { kernel_.RunUntil(kernel_.Now() + duration); }
  void Enable(std::uint32_t cc = kCcWrr) {
    firmware_->OnEnable({cc, kAqa32, 0x7000, kAdminCq});
    firmware_->OnConfigDone();
    Run();
  }
  void Fetched(std::uint16_t sqid, const nvme::Sqe& sqe) {
    FetchedCommand command;
    std::memcpy(command.sqe.data(), &sqe, sizeof sqe);
    command.sqid = sqid;
    command.cqid = sqid;
    command.sqhd = ++sqhd_[sqid];
    command.sq_class = sqid == 0 ? arbiter::SqClass::kAdmin : arbiter::SqClass::kHigh;
    firmware_->OnCommand(command);
  }
  /// One admin command from fetch to CQE; `answers` configuration requests are acknowledged.
  nvme::Cqe Admin(const nvme::Sqe& sqe, int answers = 0) {
    Fetched(0, sqe);
    Run();
    for (int i = 0; i < answers; ++i) firmware_->OnConfigDone();
    Run();
    return Take(kAdminCq, &admin_head_);
  }
  nvme::Cqe Take(std::uint64_t base, unsigned* head) {
    const auto cqe = memory_.Get<nvme::Cqe>(base + 16 * *head);
    if (cqe.Phase()) ++*head;
    return cqe;
  }
  bool AdminCqIsEmpty() { return !memory_.Get<nvme::Cqe>(kAdminCq + 16 * admin_head_).Phase(); }

  static nvme::CreateIoCq Cq(std::uint16_t qid) {
    nvme::CreateIoCq command;
    command.prp1 = kIoCq;
    command.qid = qid;
    command.size_zb = 63;
    command.vector = qid;
    command.interrupts = true;
    return command;
  }
  static nvme::CreateIoSq Sq(std::uint16_t qid) {
    nvme::CreateIoSq command;
    command.prp1 = kIoSq;
    command.qid = qid;
    command.size_zb = 63;
    command.cqid = qid;
    command.qprio = 1;
    return command;
  }
  void CreatePair(std::uint16_t qid) {
    ASSERT_EQ(Admin(Cq(qid).Encode(1), 1).GetStatus(), Status::kSuccess);
    ASSERT_EQ(Admin(Sq(qid).Encode(2), 1).GetStatus(), Status::kSuccess);
  }
  /// Status of one I/O command.
  Status Io(const nvme::Sqe& sqe) {
    Fetched(1, sqe);
    Run(10 * kMs);
    const nvme::Cqe cqe = Take(kIoCq, &io_head_);
    EXPECT_TRUE(cqe.Phase());
    return cqe.GetStatus();
  }

  Kernel& kernel_ = Platform::Instance().kernel();
  SsdParams params_;
  FakeFrontEnd front_end_;
  FakeMemory memory_;
  FakeInterrupts interrupts_;
  std::unique_ptr<Firmware> firmware_;
  std::uint16_t sqhd_[8] = {};
  unsigned admin_head_ = 0;
  unsigned io_head_ = 0;
};

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

TEST_F(FirmwareTest, AdminCommandReturnsItsSlotAtOnce) {
  Enable();
  const unsigned before = front_end_.slots_given;
  Fetched(0, nvme::GetFeatures{1, 0, 0}.Encode(5));
  EXPECT_EQ(front_end_.slots_given, before + 1);
  EXPECT_TRUE(AdminCqIsEmpty()) << "execution takes its time";
}

TEST_F(FirmwareTest, CqeCarriesTheLatestSqHeadAndInterrupts) {
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

TEST_F(FirmwareTest, UnknownOpcodesAndFusedCommandsAreRefused) {
  Enable();
  EXPECT_EQ(Admin(nvme::Sqe::Make(0x7f, 1)).GetStatus(), Status::kInvalidOpcode);
  nvme::Sqe fused = nvme::GetFeatures{1, 0, 0}.Encode(2);
  fused.cdw0 |= 1u << 8;
  EXPECT_EQ(Admin(fused).GetStatus(), Status::kInvalidField);
}

TEST_F(FirmwareTest, SetArbitrationIsAnsweredAfterTheArbiter) {
  Enable();
  front_end_.calls.clear();
  Fetched(0, nvme::SetFeatures{1, false, 0x1f0f0703, 0}.Encode(9));
  Run();
  EXPECT_EQ(front_end_.calls, "set_arb(32:16:8/3) ");
  EXPECT_TRUE(AdminCqIsEmpty());
  firmware_->OnConfigDone();
  EXPECT_EQ(Take(kAdminCq, &admin_head_).GetStatus(), Status::kSuccess);
}

TEST_F(FirmwareTest, QueuesAreCreatedInTheFrontEndBeforeTheCqe) {
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

TEST_F(FirmwareTest, FailedCreateReachesNeitherFrontEndNorTable) {
  Enable();
  front_end_.calls.clear();
  EXPECT_EQ(Admin(Sq(1).Encode(2)).GetStatus(), Status::kCompletionQueueInvalid);
  EXPECT_EQ(front_end_.calls, "");
  EXPECT_FALSE(firmware_->queues().sq(1).exists);
}

TEST_F(FirmwareTest, DeleteSqWaitsForTheFrontEndAndForItsCommands) {
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

TEST_F(FirmwareTest, CqWithAnSqIsNotDeleted) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Admin(nvme::DeleteIoCq{1}.Encode(5)).GetStatus(), Status::kInvalidQueueDeletion);
}

TEST_F(FirmwareTest, RecreatedSqStartsAnew) {
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

TEST_F(FirmwareTest, IdentifyControllerShowsThePreset) {
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

TEST_F(FirmwareTest, IdentifyNamespaceAndLists) {
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

TEST_F(FirmwareTest, DoorbellErrorsReachTheHostThroughEventAndLog) {
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

TEST_F(FirmwareTest, RetainedLogReadKeepsTheMask) {
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

TEST_F(FirmwareTest, LogPagesCheckWhatIsAskedFor) {
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

TEST_F(FirmwareTest, AbortReachesWritesThatWaitForTheBuffer) {
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

TEST_F(FirmwareTest, AbortOfACommandThatIsNotThereSaysSo) {
  Enable();
  CreatePair(1);
  EXPECT_EQ(Admin(nvme::Abort{1, 99}.Encode(9)).dw0 & 1, 1u);
  EXPECT_EQ(Admin(nvme::Abort{0, 99}.Encode(9)).dw0 & 1, 1u);
}

TEST_F(FirmwareTest, AbortEndsAnAsyncEventRequest) {
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
