// SPDX-License-Identifier: Apache-2.0
#include "ssd/completion_writer.h"

#include <gtest/gtest.h>

#include "nvme/cqe.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {
namespace {

using nvme::Status;

constexpr std::uint64_t kBase = FakeMemory::kBase;

class CompletionWriterTest : public testing::Test {
 protected:
  CompletionWriterTest() : writer_(&front_end_, &memory_, &interrupts_, 8) {}
  nvme::Cqe Entry(std::uint64_t index) { return memory_.Get<nvme::Cqe>(kBase + 16 * index); }

  FakeFrontEnd front_end_;
  FakeMemory memory_;
  FakeInterrupts interrupts_;
  CompletionWriter writer_;
};

TEST_F(CompletionWriterTest, WritesEveryFieldAndTellsFrontEndAndHost) {
  writer_.Open(2, {kBase, 4, 5, true});
  writer_.Post({3, 2, 0xabcd, 17, Status::kLbaOutOfRange, 0x12345678});
  const nvme::Cqe cqe = Entry(0);
  EXPECT_EQ(cqe.dw0, 0x12345678u);
  EXPECT_EQ(cqe.sqhd, 17);
  EXPECT_EQ(cqe.sqid, 3);
  EXPECT_EQ(cqe.cid, 0xabcd);
  EXPECT_EQ(cqe.GetStatus(), Status::kLbaOutOfRange);
  EXPECT_TRUE(cqe.Dnr()) << "the same command would fail again";
  EXPECT_TRUE(cqe.Phase());
  ASSERT_EQ(front_end_.completed.size(), 1u);
  EXPECT_EQ(front_end_.completed[0].sqid, 3);
  EXPECT_EQ(front_end_.completed[0].cqid, 2);
  EXPECT_TRUE(front_end_.completed[0].posted);
  EXPECT_EQ(interrupts_.vectors, (std::vector<std::uint16_t>{5}));
}

TEST_F(CompletionWriterTest, TurnsThePhaseWhenTheTailWraps) {
  writer_.Open(1, {kBase, 3, 0, false});
  for (std::uint16_t i = 0; i < 7; ++i) writer_.Post({1, 1, i, 0, Status::kSuccess, 0});
  EXPECT_EQ(writer_.tail(1), 1u);
  EXPECT_EQ(Entry(0).cid, 6);
  EXPECT_TRUE(Entry(0).Phase()) << "third round";
  EXPECT_EQ(Entry(1).cid, 4);
  EXPECT_FALSE(Entry(1).Phase());
  EXPECT_TRUE(interrupts_.vectors.empty());
  EXPECT_EQ(writer_.posted_count(), 7u);
}

TEST_F(CompletionWriterTest, StartsAnewWhenTheQueueIsCreatedAgain) {
  writer_.Open(1, {kBase, 3, 0, false});
  writer_.Post({1, 1, 1, 0, Status::kSuccess, 0});
  writer_.Close(1);
  writer_.Open(1, {kBase + 256, 3, 0, false});
  writer_.Post({1, 1, 9, 0, Status::kSuccess, 0});
  EXPECT_EQ(Entry(16).cid, 9);
  EXPECT_TRUE(Entry(16).Phase());
}

TEST_F(CompletionWriterTest, AbortedCommandsMayBeSentAgain) {
  writer_.Open(1, {kBase, 8, 0, false});
  writer_.Post({1, 1, 1, 0, Status::kAbortRequested, 0});
  EXPECT_FALSE(Entry(0).Dnr());
}

TEST_F(CompletionWriterTest, LostMemoryIsFatalAndPostsNothing) {
  writer_.Open(1, {0x100, 8, 3, true});
  writer_.Post({1, 1, 1, 0, Status::kSuccess, 0});
  EXPECT_TRUE(front_end_.fatal);
  ASSERT_EQ(front_end_.completed.size(), 1u);
  EXPECT_FALSE(front_end_.completed[0].posted);
  EXPECT_TRUE(interrupts_.vectors.empty());
  EXPECT_EQ(writer_.tail(1), 0u);
}

using CompletionWriterDeathTest = CompletionWriterTest;

TEST_F(CompletionWriterDeathTest, RefusesAQueueThatIsNotThere) {
  EXPECT_DEATH(writer_.Post({1, 1, 1, 0, Status::kSuccess, 0}), "does not exist");
}

}  // namespace
}  // namespace nvmearb::ssd
