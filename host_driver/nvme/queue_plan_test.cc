// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/queue_plan.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

NvmeParams Wrr(unsigned low, unsigned medium, unsigned high, unsigned urgent = 0) {
  NvmeParams params;
  params.wrr_low_queues = low;
  params.wrr_medium_queues = medium;
  params.wrr_high_queues = high;
  params.wrr_urgent_queues = urgent;
  return params;
}

TEST(QueuePlan, NinetySixCpusAndTwentyFourPerClass) {
  const NvmeParams params = Wrr(24, 24, 24);
  EXPECT_EQ(QueuesToAskFor(params, 96), 96u);  // WRR queues come out of the CPU count
  const QueuePlan plan = PlanQueues(params, 96);
  EXPECT_EQ(plan.vectors, 97u);
  EXPECT_EQ(plan.Summary(), "24/0/0/24/24/24/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(plan.Total(), 96u);
  EXPECT_EQ(plan.TypeOfQueue(1), HctxType::kDefault);
  EXPECT_EQ(plan.TypeOfQueue(24), HctxType::kDefault);
  EXPECT_EQ(plan.TypeOfQueue(25), HctxType::kWrrLow);
  EXPECT_EQ(plan.TypeOfQueue(48), HctxType::kWrrLow);
  EXPECT_EQ(plan.TypeOfQueue(49), HctxType::kWrrMedium);
  EXPECT_EQ(plan.TypeOfQueue(73), HctxType::kWrrHigh);
  EXPECT_EQ(plan.TypeOfQueue(96), HctxType::kWrrHigh);
  EXPECT_EQ(plan.VectorOf(96), 96);
}

TEST(QueuePlan, NineVectorsServeLowBeforeMediumAndHigh) {
  NvmeParams params = Wrr(24, 24, 24);
  params.vectors = 9;
  const QueuePlan plan = PlanQueues(params, 96);
  EXPECT_EQ(plan.irq_queues, 8u);
  EXPECT_EQ(plan.Summary(), "1/0/0/7/0/0/0 default/read/poll/low/medium/high/urgent queues");
}

TEST(QueuePlan, ReadComesFirstAndUrgentLast) {
  NvmeParams params = Wrr(2, 2, 2, 2);
  params.read_queues = 3;
  EXPECT_EQ(PlanQueues(params, 8).Summary(),
            "1/3/0/2/2/0/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(PlanQueues(params, 14).Summary(),
            "3/3/0/2/2/2/2 default/read/poll/low/medium/high/urgent queues");
}

TEST(QueuePlan, PollQueuesHaveNoVectorAndTheHighestIds) {
  NvmeParams params = Wrr(1, 0, 1);
  params.poll_queues = 2;
  EXPECT_EQ(QueuesToAskFor(params, 8), 10u);
  const QueuePlan plan = PlanQueues(params, 10);
  EXPECT_EQ(plan.vectors, 9u);
  EXPECT_EQ(plan.Summary(), "6/0/2/1/0/1/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(plan.TypeOfQueue(8), HctxType::kWrrHigh);
  EXPECT_EQ(plan.TypeOfQueue(9), HctxType::kPoll);
}

TEST(QueuePlan, MorePollQueuesThanQueuesLeaveOneForInterrupts) {
  NvmeParams params;
  params.poll_queues = 8;
  const QueuePlan plan = PlanQueues(params, 4);
  EXPECT_EQ(plan.vectors, 1u);
  EXPECT_EQ(plan.Summary(), "1/0/3/0/0/0/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(plan.VectorOf(1), 0);
}

TEST(QueuePlan, SingleVectorQuirkLeavesOneQueue) {
  NvmeParams params = Wrr(4, 4, 4);
  params.quirk_single_vector = true;
  EXPECT_EQ(PlanQueues(params, 96).Summary(),
            "1/0/0/0/0/0/0 default/read/poll/low/medium/high/urgent queues");
  params.quirk_shared_tags = true;
  EXPECT_EQ(QueuesToAskFor(params, 96), 1u);
}

TEST(QueuePlan, GrantIsTheSmallestOfAskedGrantedAndWhatTheBarHolds) {
  NvmeParams params;
  EXPECT_EQ(QueuesGranted(params, 96, 128, 100, 0), 96u);
  EXPECT_EQ(QueuesGranted(params, 96, 64, 100, 0), 64u);
  EXPECT_EQ(QueuesGranted(params, 96, 64, 31, 0), 31u);
  params.bar_bytes = 8192;  // 4096 / 8 = 512 pairs, the admin queue's included
  EXPECT_EQ(QueuesGranted(params, 1000, 1000, 1000, 0), 511u);
  EXPECT_EQ(QueuesGranted(params, 1000, 1000, 1000, 2), 127u);
  params.bar_bytes = 4096;
  EXPECT_EQ(QueuesGranted(params, 1000, 1000, 1000, 0), 0u);
}

TEST(Qprio, FollowsTheClassUnderWrr) {
  const NvmeParams params = Wrr(1, 1, 1, 1);
  const QueuePlan plan = PlanQueues(params, 8);
  const PerHctxType<std::uint8_t> expected = {2, 2, 3, 2, 1, 0, 2};
  for (std::size_t type = 0; type < kHctxTypeCount; ++type) {
    EXPECT_EQ(QprioOf(params, plan, true, static_cast<HctxType>(type)), expected[type]) << type;
  }
}

TEST(Qprio, IsUrgentOrMediumWithoutWrr) {
  NvmeParams params;
  const QueuePlan plan = PlanQueues(params, 8);
  EXPECT_EQ(QprioOf(params, plan, false, HctxType::kDefault), 0);
  params.quirk_medium_prio = true;
  EXPECT_EQ(QprioOf(params, plan, false, HctxType::kDefault), 2);
}

TEST(Qprio, WrrWithoutWrrQueuesIsMediumAndUrgentInThePostedCode) {
  NvmeParams params = Wrr(4, 4, 4);
  params.vectors = 2;
  const QueuePlan plan = PlanQueues(params, 96);
  EXPECT_EQ(plan.WrrTotal(), 0u);
  EXPECT_EQ(QprioOf(params, plan, true, HctxType::kDefault), 2);
  params.posted_bugs = true;
  EXPECT_EQ(QprioOf(params, plan, true, HctxType::kDefault), 0);
}

TEST(NvmeParams, TakesTheKernelsNames) {
  NvmeParams params;
  params.Set("wrr_low_queues", "24", "modprobe");
  params.Set("io_queue_depth", "64", "modprobe");
  params.Set("poll_queues", "2", "modprobe");
  EXPECT_EQ(params.wrr_low_queues, 24u);
  EXPECT_EQ(params.io_queue_depth, 64u);
  EXPECT_EQ(params.poll_queues, 2u);
  params.Validate(24);
}

TEST(NvmeParams, RefusesUnknownNamesAndValuesOutOfRange) {
  NvmeParams params;
  EXPECT_THROW(params.Set("write_queues", "1", "modprobe"), UserError);
  for (const char* bad : {"", "x", "1x", "-1", "1.5", "99999999999"}) {
    EXPECT_THROW(params.Set("read_queues", bad, "modprobe"), UserError) << bad;
  }
  EXPECT_THROW(params.Set("io_queue_depth", "1", "modprobe"), UserError);
  EXPECT_THROW(params.Set("io_queue_depth", "4096", "modprobe"), UserError);
  EXPECT_THROW(params.Set("io_timeout", "0", "modprobe"), UserError);
  params.wrr_high_queues = 25;
  try {
    params.Validate(24, "a.toml:7");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "a.toml:7: wrr_high_queues = 25; allowed is 0..24 (the number of CPUs)");
  }
}

}  // namespace
}  // namespace nvmearb::host
