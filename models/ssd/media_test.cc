// SPDX-License-Identifier: Apache-2.0
//
// The stations of Media one by one, with times worked out by hand.
#include "ssd/media.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "ssd/platform.h"

namespace nvmearb::ssd {
namespace {

constexpr TimePs kUs = 1'000'000;

class MediaTest : public testing::Test, public MediaSink {
 protected:
  struct Done {
    std::uint32_t command;
    TimePs when;
  };

  MediaTest() : kernel_(Platform::Instance().kernel()), pool_(64) {
    Platform::Instance().Reset();
    params_.die_count = 4;
    params_.die_read_ps = 80 * kUs;
    params_.die_switch_ps = 120 * kUs;
    params_.die_program_ps = 1000 * kUs;
    params_.program_unit_bytes = 65536;
    params_.write_buffer_bytes = 4 * 65536;
    params_.read_link_bytes_per_s = 1'024'000'000;  // 4 us for 4 KiB, 16 us for 16 KiB
    params_.write_link_bytes_per_s = 1'024'000'000;
    params_.read_completion_ps = 6 * kUs;
    params_.write_completion_ps = 12 * kUs;
  }

  Media Make() { return Media(&kernel_, params_, 1, 4, &pool_, this); }
  std::uint32_t Command(std::uint32_t bytes, std::uint16_t sqid = 1) {
    const std::uint32_t index = pool_.Allocate();
    pool_[index].bytes = bytes;
    pool_[index].sqid = sqid;
    return index;
  }
  void OnMediaDone(std::uint32_t command) override { done_.push_back({command, kernel_.Now()}); }
  void OnBufferSpace() override { space_.push_back(kernel_.Now()); }

  Kernel& kernel_;
  IoCommandPool pool_;
  MediaParams params_;
  std::vector<Done> done_;
  std::vector<TimePs> space_;
};

TEST_F(MediaTest, LoneReadTakesDieLinkAndCompletion) {
  Media media = Make();
  media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].when, (80 + 4 + 6) * kUs);
}

TEST_F(MediaTest, ReadIsCutIntoDieReadsThatShareTheLink) {
  Media media = Make();
  media.StartRead(Command(4 * 16384));  // one piece for each of the four dies
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].when, (80 + 4 * 16 + 6) * kUs);
}

TEST_F(MediaTest, DieWorksOnOneReadAtATime) {
  params_.die_count = 1;
  Media media = Make();
  for (int i = 0; i < 3; ++i) media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(done_[i].when, (80 * (i + 1) + 4 + 6) * kUs);
    EXPECT_EQ(done_[i].command, i) << "in order of arrival";
  }
}

TEST_F(MediaTest, WriteIsDoneWhenItIsInTheBuffer) {
  Media media = Make();
  ASSERT_TRUE(media.TryStartWrite(Command(4096)));
  ASSERT_TRUE(media.TryStartWrite(Command(4096)));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 2u);
  EXPECT_EQ(done_[0].when, (4 + 12) * kUs);
  EXPECT_EQ(done_[1].when, (8 + 12) * kUs) << "one after the other over the link";
  EXPECT_EQ(media.buffer_used_bytes(), 8192u) << "no unit is full yet";
  EXPECT_TRUE(space_.empty());
}

TEST_F(MediaTest, BufferRefusesWhatDoesNotFitAndEmptiesByUnits) {
  Media media = Make();
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  EXPECT_FALSE(media.TryStartWrite(Command(512)));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(space_.size(), 4u);
  // Unit i is over the link at 64 us * (i + 1), acknowledged 12 us later, and programmed on a die
  // of its own.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(space_[i], (64 * (i + 1) + 12 + 1000) * kUs);
  EXPECT_EQ(media.buffer_used_bytes(), 0u);
  EXPECT_TRUE(media.TryStartWrite(Command(512)));
}

TEST_F(MediaTest, ReadWaitsForTheRunningProgramOnly) {
  params_.die_count = 1;
  Media media = Make();
  ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  kernel_.RunUntil(200 * kUs);  // the first program runs since 76 us, the second waits
  media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 3u);
  // Begins behind the first program, before the second, and pays for the switch.
  EXPECT_EQ(done_[2].when, (76 + 1000 + 80 + 120 + 4 + 6) * kUs);
  ASSERT_EQ(space_.size(), 2u);
  EXPECT_EQ(space_[1], (76 + 1000 + 80 + 120 + 1000) * kUs);
}

TEST_F(MediaTest, ReadsInOneTurnShareTheSwitch) {
  params_.die_count = 1;
  Media media = Make();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  kernel_.RunUntil(300 * kUs);  // the first program runs since 76 us, two wait
  for (int i = 0; i < 3; ++i) media.StartRead(Command(4096));
  kernel_.RunUntil((76 + 1000 + 120 + 3 * 80 + 500) * kUs);  // within the second program
  media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 7u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(done_[3 + i].when, (76 + 1000 + 120 + 80 * (i + 1) + 4 + 6) * kUs);
  }
  // The next turn of reads pays anew.
  EXPECT_EQ(done_[6].when, (76 + 1000 + 120 + 3 * 80 + 1000 + 120 + 80 + 4 + 6) * kUs);
}

TEST_F(MediaTest, ReadBehindTheLastProgramPaysNoSwitch) {
  params_.die_count = 1;
  Media media = Make();
  ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  kernel_.RunUntil(200 * kUs);
  media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  EXPECT_EQ(done_[1].when, (76 + 1000 + 80 + 4 + 6) * kUs);
}

TEST_F(MediaTest, ResetDropsEverythingOnItsWay) {
  Media media = Make();
  media.StartRead(Command(65536));
  ASSERT_TRUE(media.TryStartWrite(Command(65536)));
  kernel_.RunUntil(90 * kUs);
  media.Reset();
  EXPECT_EQ(media.buffer_used_bytes(), 0u);
  kernel_.RunUntil(kNever);
  EXPECT_EQ(done_.size(), 1u) << "only the write, which was done before";
  EXPECT_TRUE(space_.empty());
  media.StartRead(Command(4096));
  kernel_.RunUntil(kNever);
  EXPECT_EQ(done_.size(), 2u) << "and works again";
}

/// Completion times of the reads of SQ 1: bursts of eight, whose times show how they fell on four
/// dies. With `with_sq2`, SQ 2 has a read between any two bursts, alone in the drive.
std::vector<TimePs> ReadsOfSq1(Kernel* kernel, const MediaParams& params, std::uint64_t seed,
                               bool with_sq2) {
  struct Sink : MediaSink {
    Kernel* kernel = nullptr;
    IoCommandPool* pool = nullptr;
    std::vector<TimePs> done;
    void OnMediaDone(std::uint32_t command) override {
      if ((*pool)[command].sqid == 1) done.push_back(kernel->Now());
    }
    void OnBufferSpace() override {}
  } sink;
  Platform::Instance().Reset();
  IoCommandPool pool(64);
  sink.kernel = kernel;
  sink.pool = &pool;
  Media media(kernel, params, seed, 4, &pool, &sink);
  const auto read = [&](std::uint16_t sqid) {
    const std::uint32_t command = pool.Allocate();
    pool[command].bytes = 4096;
    pool[command].sqid = sqid;
    media.StartRead(command);
  };
  for (int burst = 0; burst < 8; ++burst) {
    for (int i = 0; i < 8; ++i) read(1);
    kernel->RunUntil(kernel->Now() + 2000 * kUs);
    if (with_sq2) read(2);
    kernel->RunUntil(kernel->Now() + 2000 * kUs);
  }
  return sink.done;
}

TEST_F(MediaTest, DiesOfAnSqDoNotDependOnOtherSqs) {
  const std::vector<TimePs> alone = ReadsOfSq1(&kernel_, params_, 7, false);
  EXPECT_EQ(alone, ReadsOfSq1(&kernel_, params_, 7, true));
  EXPECT_NE(alone, ReadsOfSq1(&kernel_, params_, 8, false)) << "but on the seed";
}

TEST_F(MediaTest, ResetBeginsTheRandomStreamsAnew) {
  Media media = Make();
  std::vector<TimePs> times[2];
  for (std::vector<TimePs>& round : times) {
    const TimePs start = kernel_.Now();
    done_.clear();
    for (int i = 0; i < 12; ++i) media.StartRead(Command(4096));
    kernel_.RunUntil(kNever);
    for (const Done& done : done_) round.push_back(done.when - start);
    media.Reset();
  }
  EXPECT_EQ(times[0], times[1]);
}

TEST_F(MediaTest, SqsHaveDifferentStreams) {
  std::vector<TimePs> times[2];
  for (std::uint16_t sqid = 0; sqid < 2; ++sqid) {
    Platform::Instance().Reset();
    Media media = Make();
    done_.clear();
    for (int i = 0; i < 12; ++i) media.StartRead(Command(4096, sqid));
    kernel_.RunUntil(kNever);
    for (const Done& done : done_) times[sqid].push_back(done.when);
  }
  EXPECT_NE(times[0], times[1]);
}

TEST_F(MediaTest, DescribesItself) {
  Media media = Make();
  media.StartRead(Command(4096));
  EXPECT_EQ(media.Describe(),
            "media: 1 of 4 dies busy, 0 programs waiting, write buffer 0 of 262144 bytes");
}

/// Another controller of the same drive.
class OtherUser : public MediaSink {
 public:
  void OnMediaDone(std::uint32_t) override { ++done; }
  void OnBufferSpace() override { ++told; }
  unsigned done = 0;
  unsigned told = 0;
};

class SharedFlashTest : public MediaTest {
 protected:
  SharedFlashTest() {
    flash_ = std::make_unique<Flash>(&kernel_, params_);
    mine_ = std::make_unique<Media>(&kernel_, params_, 1, 4, &pool_, this, flash_.get());
    other_ =
        std::make_unique<Media>(&kernel_, params_, 2, 4, &other_pool_, &other_sink_, flash_.get());
  }
  std::uint32_t Other(std::uint32_t bytes) {
    const std::uint32_t index = other_pool_.Allocate();
    other_pool_[index].bytes = bytes;
    return index;
  }
  IoCommandPool other_pool_{64};
  OtherUser other_sink_;
  std::unique_ptr<Flash> flash_;
  std::unique_ptr<Media> mine_;
  std::unique_ptr<Media> other_;
};

TEST_F(SharedFlashTest, ReadsOfTwoControllersWaitForTheSameDiesAndUseLinksOfTheirOwn) {
  mine_->StartRead(Command(4 * 16384));
  other_->StartRead(Other(4 * 16384));
  kernel_.RunUntil(100 * kUs);
  EXPECT_EQ(other_sink_.done, 0u);
  kernel_.RunUntil(kNever);
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].when, (80 + 4 * 16 + 6) * kUs);
  EXPECT_EQ(other_sink_.done, 1u);
  EXPECT_EQ(kernel_.Now(), (80 + 80 + 4 * 16 + 6) * kUs) << "behind the other's reads";
}

TEST_F(SharedFlashTest, TheBufferIsOneAndBothAreToldOfSpace) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(mine_->TryStartWrite(Command(65536)));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(other_->TryStartWrite(Other(65536)));
  EXPECT_FALSE(mine_->TryStartWrite(Command(512)));
  EXPECT_FALSE(other_->TryStartWrite(Other(512)));
  kernel_.RunUntil(kNever);
  EXPECT_EQ(space_.size(), 4u);
  EXPECT_EQ(other_sink_.told, 4u);
  EXPECT_EQ(flash_->buffer_used_bytes(), 0u);
}

TEST_F(SharedFlashTest, AResetOfOneControllerTakesBackWhatIsOnItsWayAndLeavesTheOtherAlone) {
  mine_->StartRead(Command(4 * 16384));
  ASSERT_TRUE(mine_->TryStartWrite(Command(65536)));
  other_->StartRead(Other(4 * 16384));
  ASSERT_TRUE(other_->TryStartWrite(Other(65536)));
  mine_->Reset();
  EXPECT_EQ(flash_->buffer_used_bytes(), 65536u);
  EXPECT_EQ(other_sink_.told, 1u);
  kernel_.RunUntil(kNever);
  EXPECT_TRUE(done_.empty());
  EXPECT_EQ(other_sink_.done, 2u);
  EXPECT_EQ(flash_->buffer_used_bytes(), 0u);
}

}  // namespace
}  // namespace nvmearb::ssd
