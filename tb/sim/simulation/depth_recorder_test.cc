// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/depth_recorder.h"

#include <gtest/gtest.h>

namespace nvmearb::sim {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

constexpr std::size_t kHigh = 1;
constexpr std::size_t kDrive = 5;

Event At(std::uint64_t time_ps, EventKind kind, std::uint16_t sqid = 1) {
  Event event;
  event.time_ps = time_ps;
  event.kind = kind;
  event.sqid = sqid;
  event.sq_class = SqClass::kHigh;
  return event;
}

void Create(DepthRecorder* recorder, std::uint32_t size) {
  Event event = At(0, EventKind::kCreate);
  event.count = size;
  recorder->OnEvent(event);
}
void Ring(DepthRecorder* recorder, std::uint64_t time_ps, std::uint16_t tail) {
  Event event = At(time_ps, EventKind::kDoorbell);
  event.tail = tail;
  recorder->OnEvent(event);
}
void Fetch(DepthRecorder* recorder, std::uint64_t time_ps, std::uint32_t count) {
  Event event = At(time_ps, EventKind::kFetch);
  event.count = count;
  recorder->OnEvent(event);
}

TEST(DepthRecorder, IsTheMeanOverEachBucket) {
  DepthRecorder recorder(100, 8);
  Create(&recorder, 4);
  Ring(&recorder, 50, 3);    // three wait
  Fetch(&recorder, 150, 2);  // one waits, two in the drive
  recorder.OnEvent(At(250, EventKind::kComplete));
  const DepthSeries series = recorder.Take(300);
  ASSERT_EQ(series.points.size(), 3u);
  EXPECT_EQ(series.bucket_ps, 100u);
  EXPECT_DOUBLE_EQ(series.points[0][kHigh], 1.5);
  EXPECT_DOUBLE_EQ(series.points[1][kHigh], 2.0);
  EXPECT_DOUBLE_EQ(series.points[2][kHigh], 1.0);
  EXPECT_DOUBLE_EQ(series.points[1][kDrive], 1.0);
  EXPECT_DOUBLE_EQ(series.points[2][kDrive], 1.5);
}

TEST(DepthRecorder, TheTailWrapsWithTheQueue) {
  DepthRecorder recorder(100, 8);
  Create(&recorder, 4);
  Ring(&recorder, 0, 3);
  Fetch(&recorder, 0, 3);
  Ring(&recorder, 0, 1);  // slots 3 and 0
  EXPECT_DOUBLE_EQ(recorder.Take(100).points.at(0)[kHigh], 2.0);
}

TEST(DepthRecorder, JoinsPairsWhenItIsFull) {
  DepthRecorder recorder(100, 4);
  Create(&recorder, 8);
  Ring(&recorder, 0, 1);
  Ring(&recorder, 100, 3);
  Ring(&recorder, 900, 4);
  const DepthSeries series = recorder.Take(1600);
  EXPECT_EQ(series.bucket_ps, 400u);
  ASSERT_EQ(series.points.size(), 4u);
  EXPECT_DOUBLE_EQ(series.points[0][kHigh], (1.0 + 3 * 3) / 4);
  EXPECT_DOUBLE_EQ(series.points[1][kHigh], 3.0);
  EXPECT_DOUBLE_EQ(series.points[2][kHigh], (3.0 + 3 * 4) / 4);
  EXPECT_DOUBLE_EQ(series.points[3][kHigh], 4.0);
}

TEST(DepthRecorder, ADeletedQueueHoldsNothing) {
  DepthRecorder recorder(100, 4);
  Create(&recorder, 8);
  Ring(&recorder, 0, 5);
  recorder.OnEvent(At(100, EventKind::kDelete));
  const DepthSeries series = recorder.Take(200);
  EXPECT_DOUBLE_EQ(series.points.at(0)[kHigh], 5.0);
  EXPECT_DOUBLE_EQ(series.points.at(1)[kHigh], 0.0);
}

}  // namespace
}  // namespace nvmearb::sim
