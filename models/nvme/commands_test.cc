// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "nvme/admin_commands.h"
#include "nvme/cqe.h"
#include "nvme/io_commands.h"

namespace nvmearb::nvme {
namespace {

TEST(Sqe, KeepsOpcodeAndCommandIdApart) {
  Sqe sqe = MakeAdmin(AdminOpcode::kIdentify, 0xbeef);
  EXPECT_EQ(sqe.cdw0, 0xbeef0006u);
  sqe.SetCommandId(0x1234);
  EXPECT_EQ(sqe.Opcode(), 0x06);
  EXPECT_EQ(sqe.CommandId(), 0x1234);
  EXPECT_EQ(sqe.FuseBits(), 0);
  sqe.cdw0 |= 2u << 8 | 1u << 14;
  EXPECT_EQ(sqe.FuseBits(), 2);
  EXPECT_EQ(sqe.Psdt(), 1);
}

TEST(DatasetManagement, PutsEveryFieldWhereTheSpecificationHasIt) {
  DatasetManagement command;
  command.range_count = 256;
  command.prp1 = 0x123456000;
  const Sqe sqe = command.Encode(7);
  EXPECT_EQ(sqe.Opcode(), 0x09);
  EXPECT_EQ(sqe.nsid, 1u);
  EXPECT_EQ(sqe.cdw10, 0xffu);  // 0's based
  EXPECT_EQ(sqe.cdw11, 0x4u);   // AD
  const DatasetManagement decoded = DatasetManagement::Decode(sqe);
  EXPECT_EQ(decoded.range_count, 256u);
  EXPECT_TRUE(decoded.deallocate);
  EXPECT_EQ(decoded.prp1, 0x123456000u);
}

TEST(CreateIoSq, PutsEveryFieldWhereTheSpecificationHasIt) {
  CreateIoSq command;
  command.prp1 = 0x123456000;
  command.qid = 0x0102;
  command.size_zb = 0x03ff;
  command.cqid = 0x0304;
  command.qprio = 2;
  const Sqe sqe = command.Encode(9);
  EXPECT_EQ(sqe.Opcode(), 0x01);
  EXPECT_EQ(sqe.prp1, 0x123456000u);
  EXPECT_EQ(sqe.cdw10, 0x03ff0102u);
  EXPECT_EQ(sqe.cdw11, 0x03040005u);  // CQID, QPRIO 10b, PC
  const CreateIoSq decoded = CreateIoSq::Decode(sqe);
  EXPECT_EQ(decoded.qid, 0x0102);
  EXPECT_EQ(decoded.size_zb, 0x03ff);
  EXPECT_EQ(decoded.cqid, 0x0304);
  EXPECT_EQ(decoded.qprio, 2);
  EXPECT_TRUE(decoded.contiguous);
}

TEST(CreateIoCq, PutsEveryFieldWhereTheSpecificationHasIt) {
  CreateIoCq command;
  command.qid = 7;
  command.size_zb = 31;
  command.vector = 5;
  command.interrupts = true;
  command.contiguous = false;
  const Sqe sqe = command.Encode(1);
  EXPECT_EQ(sqe.Opcode(), 0x05);
  EXPECT_EQ(sqe.cdw10, 0x001f0007u);
  EXPECT_EQ(sqe.cdw11, 0x00050002u);
  const CreateIoCq decoded = CreateIoCq::Decode(sqe);
  EXPECT_EQ(decoded.vector, 5);
  EXPECT_TRUE(decoded.interrupts);
  EXPECT_FALSE(decoded.contiguous);
}

TEST(AdminCommands, SurviveEncodingAndDecoding) {
  EXPECT_EQ(DeleteIoSq::Decode(DeleteIoSq{0x1234}.Encode(1)).qid, 0x1234);
  EXPECT_EQ(DeleteIoSq{1}.Encode(1).Opcode(), 0x00);
  EXPECT_EQ(DeleteIoCq{1}.Encode(1).Opcode(), 0x04);
  const Abort abort = Abort::Decode(Abort{3, 0xabcd}.Encode(1));
  EXPECT_EQ(abort.sqid, 3);
  EXPECT_EQ(abort.abort_cid, 0xabcd);
  const Sqe set = SetFeatures{0x07, true, 0xdeadbeef, 1}.Encode(1);
  EXPECT_EQ(set.cdw10, 0x80000007u);
  EXPECT_TRUE(SetFeatures::Decode(set).save);
  EXPECT_EQ(SetFeatures::Decode(set).cdw11, 0xdeadbeefu);
  const Sqe get = GetFeatures{0x01, 3, 0}.Encode(1);
  EXPECT_EQ(get.cdw10, 0x00000301u);
  EXPECT_EQ(GetFeatures::Decode(get).sel, 3);
  EXPECT_EQ(AsyncEventRequest::Encode(1).Opcode(), 0x0c);
}

TEST(GetLogPage, CountsDwordsOverBothHalves) {
  GetLogPage command;
  command.lid = 1;
  command.dword_count = 0x12346;
  command.offset_bytes = 0x500000004;
  command.retain_event = true;
  const Sqe sqe = command.Encode(1);
  EXPECT_EQ(sqe.cdw10, 0x23458001u);
  EXPECT_EQ(sqe.cdw11, 0x0001u);
  const GetLogPage decoded = GetLogPage::Decode(sqe);
  EXPECT_EQ(decoded.dword_count, 0x12346u);
  EXPECT_EQ(decoded.offset_bytes, 0x500000004u);
  EXPECT_TRUE(decoded.retain_event);
}

TEST(ReadWrite, HasCountsInMemoryAndZeroBasedFieldsOnTheWire) {
  ReadWrite command;
  command.opcode = IoOpcode::kWrite;
  command.slba = 0x1122334455;
  command.block_count = 8;
  command.fua = true;
  const Sqe sqe = command.Encode(2);
  EXPECT_EQ(sqe.Opcode(), 0x01);
  EXPECT_EQ(sqe.cdw10, 0x22334455u);
  EXPECT_EQ(sqe.cdw11, 0x11u);
  EXPECT_EQ(sqe.cdw12, 0x40000007u);
  command.block_count = 65536;
  const ReadWrite decoded = ReadWrite::Decode(command.Encode(2));
  EXPECT_EQ(decoded.block_count, 65536u);
  EXPECT_EQ(decoded.slba, 0x1122334455u);
  EXPECT_TRUE(decoded.fua);
}

TEST(Cqe, PacksStatusAboveThePhase) {
  Cqe cqe;
  cqe.SetStatusPhase(Status::kInvalidQueueDeletion, true, true);
  EXPECT_EQ(cqe.status_phase, 0x8000 | 0x1 << 9 | 0x0c << 1 | 1);
  EXPECT_EQ(cqe.GetStatus(), Status::kInvalidQueueDeletion);
  EXPECT_TRUE(cqe.Phase());
  EXPECT_TRUE(cqe.Dnr());
  cqe.SetStatusPhase(Status::kSuccess, false, false);
  EXPECT_EQ(cqe.status_phase, 0);
}

TEST(Status, KnowsTypeCodeAndName) {
  EXPECT_EQ(StatusCodeType(Status::kInvalidQueueIdentifier), 1);
  EXPECT_EQ(StatusCode(Status::kInvalidQueueIdentifier), 1);
  EXPECT_STREQ(Name(Status::kInvalidQueueIdentifier), "Invalid Queue Identifier");
  EXPECT_STREQ(Name(static_cast<Status>(0x7ff)), "unknown status");
}

TEST(Opcodes, HaveTheSpecificationsNames) {
  EXPECT_STREQ(Name(AdminOpcode::kCreateIoSq), "Create I/O Submission Queue");
  EXPECT_STREQ(Name(static_cast<AdminOpcode>(0x7f)), "unknown admin opcode");
  EXPECT_STREQ(Name(IoOpcode::kRead), "Read");
}

}  // namespace
}  // namespace nvmearb::nvme
