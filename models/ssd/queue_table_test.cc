// SPDX-License-Identifier: Apache-2.0
#include "ssd/queue_table.h"

#include <gtest/gtest.h>

namespace nvmearb::ssd {
namespace {

using nvme::Status;

class QueueTableTest : public testing::Test {
 protected:
  QueueTableTest() : table_(8) { Reset({}); }

  struct Setup {
    std::uint8_t iosqes = 6;
    std::uint8_t iocqes = 4;
    std::uint8_t mps = 0;
  };
  void Reset(const Setup& setup) {
    nvme::Cap cap;
    cap.mqes_zb = 1023;
    nvme::Cc cc;
    cc.iosqes = setup.iosqes;
    cc.iocqes = setup.iocqes;
    cc.mps = setup.mps;
    table_.Reset(cap, cc);
  }
  static nvme::CreateIoCq Cq(std::uint16_t qid) {
    nvme::CreateIoCq command;
    command.qid = qid;
    command.size_zb = 31;
    command.prp1 = 0x10000;
    return command;
  }
  static nvme::CreateIoSq Sq(std::uint16_t qid, std::uint16_t cqid) {
    nvme::CreateIoSq command;
    command.qid = qid;
    command.cqid = cqid;
    command.size_zb = 31;
    command.prp1 = 0x20000;
    return command;
  }
  QueueTable table_;
};

TEST_F(QueueTableTest, CqNeedsAnIdThatIsAllocatedAndFree) {
  EXPECT_EQ(table_.CheckCreateCq(Cq(0)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateCq(Cq(8)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateCq(Cq(7)), Status::kSuccess);
  table_.AddCq(Cq(7));
  EXPECT_EQ(table_.CheckCreateCq(Cq(7)), Status::kInvalidQueueIdentifier);
  table_.Allocate(2, 3);
  EXPECT_EQ(table_.CheckCreateCq(Cq(3)), Status::kSuccess);
  EXPECT_EQ(table_.CheckCreateCq(Cq(4)), Status::kInvalidQueueIdentifier);
}

TEST_F(QueueTableTest, SizeIsTwoToMqesPlusOne) {
  nvme::CreateIoCq command = Cq(1);
  command.size_zb = 0;
  EXPECT_EQ(table_.CheckCreateCq(command), Status::kInvalidQueueSize);
  command.size_zb = 1024;
  EXPECT_EQ(table_.CheckCreateCq(command), Status::kInvalidQueueSize);
  command.size_zb = 0xffff;
  EXPECT_EQ(table_.CheckCreateCq(command), Status::kInvalidQueueSize);
  command.size_zb = 1;
  EXPECT_EQ(table_.CheckCreateCq(command), Status::kSuccess);
  command.size_zb = 1023;
  EXPECT_EQ(table_.CheckCreateCq(command), Status::kSuccess);
}

TEST_F(QueueTableTest, EntrySizesHaveToBeSetInCc) {
  Reset({0, 4, 0});
  EXPECT_EQ(table_.CheckCreateCq(Cq(1)), Status::kSuccess) << "IOCQES is set";
  table_.AddCq(Cq(1));
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 1)), Status::kInvalidQueueSize);
  Reset({6, 0, 0});
  EXPECT_EQ(table_.CheckCreateCq(Cq(1)), Status::kInvalidQueueSize);
}

TEST_F(QueueTableTest, MemoryIsContiguousAndPageAligned) {
  nvme::CreateIoCq cq = Cq(1);
  cq.contiguous = false;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kInvalidField);
  cq = Cq(1);
  cq.prp1 = 0x10010;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kPrpOffsetInvalid);
  Reset({6, 4, 1});
  cq.prp1 = 0x11000;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kPrpOffsetInvalid) << "pages of 8 KiB";
}

TEST_F(QueueTableTest, VectorIsCheckedOnlyWithInterrupts) {
  nvme::CreateIoCq cq = Cq(1);
  cq.vector = 8;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kSuccess);
  cq.interrupts = true;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kInvalidInterruptVector);
  cq.vector = 7;
  EXPECT_EQ(table_.CheckCreateCq(cq), Status::kSuccess);
}

TEST_F(QueueTableTest, SqNeedsItsCqFirst) {
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 0)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 9)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 2)), Status::kCompletionQueueInvalid);
  table_.AddCq(Cq(2));
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 2)), Status::kSuccess);
  EXPECT_EQ(table_.CheckCreateSq(Sq(0, 2)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateSq(Sq(8, 2)), Status::kInvalidQueueIdentifier);
  table_.AddSq(Sq(1, 2));
  EXPECT_EQ(table_.CheckCreateSq(Sq(1, 2)), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckCreateSq(Sq(2, 2)), Status::kSuccess) << "SQs may share a CQ";
}

TEST_F(QueueTableTest, EveryPriorityIsKept) {
  table_.AddCq(Cq(1));
  for (std::uint8_t qprio = 0; qprio < 4; ++qprio) {
    nvme::CreateIoSq command = Sq(static_cast<std::uint16_t>(qprio + 1), 1);
    command.qprio = qprio;
    ASSERT_EQ(table_.CheckCreateSq(command), Status::kSuccess);
    table_.AddSq(command);
    EXPECT_EQ(static_cast<std::uint8_t>(table_.sq(command.qid).sq_class), qprio);
  }
}

TEST_F(QueueTableTest, DeleteNeedsAnIoQueueThatExists) {
  EXPECT_EQ(table_.CheckDeleteSq({0}), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckDeleteSq({3}), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckDeleteSq({900}), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckDeleteCq({0}), Status::kInvalidQueueIdentifier);
  EXPECT_EQ(table_.CheckDeleteCq({900}), Status::kInvalidQueueIdentifier);
}

TEST_F(QueueTableTest, CqGoesAfterItsLastSq) {
  table_.AddCq(Cq(1));
  table_.AddSq(Sq(1, 1));
  table_.AddSq(Sq(2, 1));
  EXPECT_EQ(table_.CheckDeleteCq({1}), Status::kInvalidQueueDeletion);
  table_.RemoveSq(1);
  EXPECT_EQ(table_.CheckDeleteCq({1}), Status::kInvalidQueueDeletion);
  table_.RemoveSq(2);
  EXPECT_EQ(table_.CheckDeleteCq({1}), Status::kSuccess);
  table_.RemoveCq(1);
  EXPECT_EQ(table_.CheckDeleteCq({1}), Status::kInvalidQueueIdentifier);
}

TEST_F(QueueTableTest, ResetLeavesTheAdminPair) {
  table_.AddCq(Cq(1));
  table_.AddSq(Sq(1, 1));
  table_.Allocate(1, 1);
  EXPECT_TRUE(table_.io_queue_was_created());
  Reset({});
  EXPECT_FALSE(table_.sq(1).exists);
  EXPECT_TRUE(table_.sq(0).exists);
  EXPECT_EQ(table_.allocated_sq_count(), 7u);
  EXPECT_FALSE(table_.io_queue_was_created());
}

}  // namespace
}  // namespace nvmearb::ssd
