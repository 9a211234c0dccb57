// SPDX-License-Identifier: Apache-2.0
#include "ssd/events.h"

#include <gtest/gtest.h>

#include <vector>

namespace nvmearb::ssd {
namespace {

using arbiter::DoorbellError;
using nvme::Status;

class EventsTest : public testing::Test, public AdminCompleter {
 protected:
  struct Posted {
    std::uint16_t cid;
    Status status;
    std::uint32_t dw0;
  };
  EventsTest() : events_(3, 3, this) {}
  void CompleteAdmin(std::uint16_t cid, Status status, std::uint32_t dw0) override {
    posted_.push_back({cid, status, dw0});
  }
  void Bad(DoorbellError error = DoorbellError::kInvalidValue, std::uint16_t qid = 5) {
    events_.OnDoorbellError(error, false, qid);
  }
  std::vector<Posted> posted_;
  EventReporter events_;
};

TEST_F(EventsTest, OutstandingRequestCompletesAtOnce) {
  events_.OnRequest(11);
  EXPECT_TRUE(posted_.empty());
  Bad(DoorbellError::kInvalidRegister);
  ASSERT_EQ(posted_.size(), 1u);
  EXPECT_EQ(posted_[0].cid, 11);
  EXPECT_EQ(posted_[0].status, Status::kSuccess);
  EXPECT_EQ(posted_[0].dw0, 0x00010000u);
}

TEST_F(EventsTest, EventWithoutARequestIsKeptForTheNext) {
  Bad();
  events_.OnRequest(12);
  ASSERT_EQ(posted_.size(), 1u);
  EXPECT_EQ(posted_[0].dw0, 0x00010100u);
}

TEST_F(EventsTest, ManyBadDoorbellsAreOneEventUntilTheLogIsRead) {
  events_.OnRequest(1);
  events_.OnRequest(2);
  for (int i = 0; i < 10; ++i) Bad();
  EXPECT_EQ(posted_.size(), 1u);
  events_.OnErrorLogRead();
  EXPECT_EQ(posted_.size(), 1u) << "what was kept meanwhile went with the log";
  Bad();
  EXPECT_EQ(posted_.size(), 2u);
  EXPECT_EQ(posted_[1].cid, 2);
}

TEST_F(EventsTest, OneEventOfEachKindIsKept) {
  Bad(DoorbellError::kInvalidRegister);
  Bad(DoorbellError::kInvalidValue);
  events_.OnRequest(1);
  events_.OnRequest(2);
  EXPECT_EQ(posted_.size(), 1u) << "the second one is masked by the first";
}

TEST_F(EventsTest, FifthRequestIsOneTooMany) {
  for (std::uint16_t cid = 1; cid <= 5; ++cid) events_.OnRequest(cid);
  ASSERT_EQ(posted_.size(), 1u);
  EXPECT_EQ(posted_[0].cid, 5);
  EXPECT_EQ(posted_[0].status, Status::kAerLimitExceeded);
  EXPECT_EQ(events_.outstanding_count(), 4u);
}

TEST_F(EventsTest, RequestCanBeAborted) {
  events_.OnRequest(1);
  EXPECT_FALSE(events_.AbortRequest(2));
  EXPECT_TRUE(events_.AbortRequest(1));
  ASSERT_EQ(posted_.size(), 1u);
  EXPECT_EQ(posted_[0].status, Status::kAbortRequested);
  Bad();
  EXPECT_EQ(posted_.size(), 1u);
}

TEST_F(EventsTest, ResetDropsRequestsAndEventsSilently) {
  events_.OnRequest(1);
  events_.Reset();
  Bad();
  events_.Reset();
  events_.OnRequest(2);
  EXPECT_TRUE(posted_.empty());
}

TEST_F(EventsTest, LogHoldsTheNewestEntriesFirst) {
  for (std::uint16_t qid = 1; qid <= 6; ++qid) Bad(DoorbellError::kInvalidValue, qid);
  EXPECT_EQ(events_.error_count(), 6u);
  for (std::uint16_t age = 0; age < 4; ++age) {
    EXPECT_EQ(events_.LogEntry(age).error_count, 6u - age);
    EXPECT_EQ(events_.LogEntry(age).sqid, 6 - age);
    EXPECT_EQ(events_.LogEntry(age).cid, 0xffff);
  }
  EXPECT_EQ(events_.LogEntry(4).error_count, 0u) << "the log has four entries";
}

}  // namespace
}  // namespace nvmearb::ssd
