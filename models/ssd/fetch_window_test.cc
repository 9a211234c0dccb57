// SPDX-License-Identifier: Apache-2.0
#include "ssd/fetch_window.h"

#include <gtest/gtest.h>

#include <vector>

#include "ssd/platform.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {
namespace {

constexpr TimePs kUs = 1'000'000;

class FetchWindowTest : public testing::Test, public IoCompletionSink {
 protected:
  struct Done {
    std::uint16_t cid;
    TimePs when;
    nvme::Status status;
  };
  FetchWindowTest() : pool_(64), params_(FindPreset("p4510")->make()) {
    Platform::Instance().Reset();
    params_.media.window_slots = 4;
    params_.media.fetch_spacing_ps = 10 * kUs;
    params_.media.die_count = 1;
    params_.media.write_buffer_bytes = 128 * 1024;
    params_.media.program_unit_bytes = 64 * 1024;
    params_.media.die_program_ps = 1000 * kUs;
  }
  void Start(bool wrr) {
    window_ = std::make_unique<FetchWindow>(&kernel_, params_, &front_end_, &pool_, this, &stats_);
    media_ = std::make_unique<Media>(&kernel_, params_.media, 1, 4, &pool_, window_.get());
    window_->Attach(media_.get());
    window_->Start(wrr);
  }
  void Fetch(std::uint16_t cid, nvme::IoOpcode opcode, std::uint32_t bytes = 4096,
             nvme::Status status = nvme::Status::kSuccess, std::uint64_t slba = 0) {
    const std::uint32_t index = pool_.Allocate();
    IoCommand& io = pool_[index];
    io.sqid = 1;
    io.cid = cid;
    io.opcode = opcode;
    io.bytes = bytes;
    io.status = status;
    io.slba = slba;
    window_->Enqueue(index);
  }
  void OnIoComplete(std::uint32_t command) override {
    done_.push_back({pool_[command].cid, kernel_.Now(), pool_[command].status});
    pool_.Free(command);
  }
  void RunTo(TimePs when) { kernel_.RunUntil(when); }

  static constexpr nvme::IoOpcode kRead = nvme::IoOpcode::kRead;
  static constexpr nvme::IoOpcode kWrite = nvme::IoOpcode::kWrite;

  Kernel& kernel_ = Platform::Instance().kernel();
  IoCommandPool pool_;
  SsdParams params_;
  FakeFrontEnd front_end_;
  Statistics stats_;
  std::unique_ptr<FetchWindow> window_;
  std::unique_ptr<Media> media_;
  std::vector<Done> done_;
};

TEST_F(FetchWindowTest, NextSlotComesWhenACommandWasDispatched) {
  Start(true);
  EXPECT_EQ(front_end_.slots_given, 2u);
  Fetch(1, kRead);
  EXPECT_EQ(front_end_.slots_given, 3u) << "dispatched at once";
  Fetch(2, kRead);
  EXPECT_EQ(front_end_.slots_given, 3u) << "waits for its turn";
  RunTo(10 * kUs);
  EXPECT_EQ(front_end_.slots_given, 4u);
}

TEST_F(FetchWindowTest, DispatchesAreSpaced) {
  params_.media.die_read_ps = 1 * kUs;
  Start(false);
  for (std::uint16_t cid = 0; cid < 3; ++cid) Fetch(cid, kRead);
  RunTo(kNever);
  ASSERT_EQ(done_.size(), 3u);
  EXPECT_EQ(done_[1].when - done_[0].when, 10 * kUs);
  EXPECT_EQ(done_[2].when - done_[1].when, 10 * kUs);
}

TEST_F(FetchWindowTest, FullWindowGivesNoSlotUntilACompletion) {
  params_.media.fetch_spacing_ps = 0;
  Start(false);
  for (std::uint16_t cid = 0; cid < 4; ++cid) Fetch(cid, kRead);
  EXPECT_EQ(front_end_.slots_given, 4u) << "one at the start, three behind commands 0, 1 and 2";
  EXPECT_EQ(window_->window_count(), 4u);
  RunTo(95 * kUs);  // the first read is done
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(front_end_.slots_given, 5u);
  RunTo(kNever);
  EXPECT_EQ(front_end_.slots_given, 5u) << "one slot is out; more are not given";
  EXPECT_EQ(window_->window_count(), 0u);
}

TEST_F(FetchWindowTest, WriteWithoutRoomStopsEverythingBehindIt) {
  params_.media.fetch_spacing_ps = 0;
  Start(false);
  Fetch(1, kWrite, 128 * 1024);
  Fetch(2, kWrite, 4096);
  const unsigned slots = front_end_.slots_given;
  Fetch(3, kRead);
  RunTo(500 * kUs);
  ASSERT_EQ(done_.size(), 1u) << "the read could run, but it is behind the write";
  EXPECT_EQ(front_end_.slots_given, slots);
  EXPECT_EQ(stats_.stalls, 1u);
  RunTo(kNever);
  ASSERT_EQ(done_.size(), 3u);
  EXPECT_EQ(done_[1].cid, 2);
  EXPECT_EQ(done_[2].cid, 3);
  // 128 KiB are over the link at 43.69 us and acknowledged 12 us later; the first program then
  // takes 1000 us.
  EXPECT_NEAR(static_cast<double>(stats_.stalled_ps), 1055.69e6, 0.1e6);
}

TEST_F(FetchWindowTest, FailedCommandsCompleteWithoutTheMedia) {
  Start(false);
  Fetch(1, kRead, 4096, nvme::Status::kLbaOutOfRange);
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].status, nvme::Status::kLbaOutOfRange);
  Fetch(2, kRead, 4096, nvme::Status::kInvalidField);
  EXPECT_EQ(done_.size(), 1u) << "they take their turn, though";
  RunTo(10 * kUs);
  EXPECT_EQ(done_.size(), 2u);
}

TEST_F(FetchWindowTest, AbortTakesOutOneThatWaitsAndTheRestGoesOn) {
  params_.media.fetch_spacing_ps = 0;
  Start(false);
  Fetch(1, kWrite, 128 * 1024);
  Fetch(2, kWrite, 4096);
  Fetch(3, kRead);
  Fetch(4, kRead);
  EXPECT_FALSE(window_->AbortWaiting(1, 1, nvme::Status::kAbortRequested)) << "on its way already";
  EXPECT_FALSE(window_->AbortWaiting(2, 2, nvme::Status::kAbortRequested)) << "another SQ";
  EXPECT_TRUE(window_->AbortWaiting(1, 3, nvme::Status::kAbortRequested));
  EXPECT_TRUE(window_->AbortWaiting(1, 2, nvme::Status::kAbortRequested));
  RunTo(200 * kUs);
  ASSERT_EQ(done_.size(), 4u);
  EXPECT_EQ(done_[0].cid, 3);
  EXPECT_EQ(done_[0].status, nvme::Status::kAbortRequested);
  EXPECT_EQ(done_[1].cid, 2);
  EXPECT_EQ(done_[3].cid, 4) << "nothing blocks the last read any more";
}

TEST_F(FetchWindowTest, StopForgetsCommandsAndTimers) {
  Start(false);
  Fetch(1, kRead);
  Fetch(2, kRead);
  window_->Stop();
  media_->Reset();
  pool_.Clear();
  const unsigned slots = front_end_.slots_given;
  RunTo(kNever);
  EXPECT_TRUE(done_.empty());
  EXPECT_EQ(front_end_.slots_given, slots);
  EXPECT_EQ(window_->window_count(), 0u);
}

TEST_F(FetchWindowTest, AWriteElsewhereMakesTheDriveTidyUpFirst) {
  params_.media.window_slots = 64;
  params_.media.fetch_spacing_ps = 0;
  params_.media.random_write_share = 1;
  params_.media.random_write_ps = 100 * kUs;
  Start(false);
  const auto write = [this](std::uint64_t byte) {
    Fetch(0, kWrite, 512, nvme::Status::kSuccess, byte / 512);
    const TimePs begin = kernel_.Now();
    kernel_.RunUntil(begin + 100'000 * kUs);
    const TimePs time = done_.back().when - begin;
    return time - time % kUs;
  };
  EXPECT_EQ(write(0), 12 * kUs);              // goes on where its queue stands
  EXPECT_EQ(write(512), 12 * kUs);            // the next
  EXPECT_EQ(write(1024 + 65536), 12 * kUs);   // 64 KiB ahead: its queue is not alone
  EXPECT_GT(write(67072 + 66048), 12 * kUs);  // farther
  EXPECT_GT(write(0), 12 * kUs);              // back
  TimePs sum = 0;
  for (std::uint64_t i = 1; i <= 2000; ++i) sum += write(i * 1'000'448) - 12 * kUs;
  EXPECT_NEAR(static_cast<double>(sum) / 2000 / kUs, 100, 8);  // 3.5 standard errors
  // What is behind it waits: a read of 80 us, too.
  done_.clear();
  Fetch(1, kWrite, 512, nvme::Status::kSuccess, 5);
  Fetch(2, kRead);
  kernel_.RunUntil(kernel_.Now() + 100'000 * kUs);
  ASSERT_EQ(done_.size(), 2u);
  EXPECT_GE(done_[1].when - done_[0].when, (80 - 12) * kUs);
}

TEST_F(FetchWindowTest, FlushTakesItsTime) {
  Start(false);
  Fetch(1, nvme::IoOpcode::kFlush, 0);
  RunTo(kNever);
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].when, params_.firmware.flush_ps);
}

TEST_F(FetchWindowTest, WindowOccupancyIsIntegratedOverTime) {
  Start(false);
  Fetch(1, kRead);
  RunTo(200 * kUs);
  window_->UpdateStatistics();
  EXPECT_NEAR(stats_.MeanWindow(200 * kUs), (80 + 1.365 + 6) / 200, 0.001);
  EXPECT_EQ(stats_.window_peak, 1u);
}

}  // namespace
}  // namespace nvmearb::ssd
