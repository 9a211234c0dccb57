// SPDX-License-Identifier: Apache-2.0
//
// Errors, retries, timeouts, aborts and resets.
#include <gtest/gtest.h>

#include "host_driver/nvme/testing/pci_fixture.h"

namespace nvmearb::host {
namespace {

class NvmePciError : public NvmePciTest {};

TEST_F(NvmePciError, DeviceErrorBecomesTheStatusOfTheBio) {
  Up();
  device_->FailIo(nvme::Status::kLbaOutOfRange, true);
  Io(0);
  Run(kSec);
  EXPECT_EQ(bios_[0].status, 0x080);
  EXPECT_EQ(device_->io_count(), 1u);
  EXPECT_EQ(driver_->stats().failed, 1u);
}

TEST_F(NvmePciError, ErrorThatMayBeRetriedIsTriedFiveTimesMore) {
  Up();
  device_->FailIo(nvme::Status::kInternalError, false);
  Io(0);
  Run(kSec);
  EXPECT_EQ(device_->io_count(), 6u);
  EXPECT_EQ(bios_[0].status, 0x006);
  device_->FailIo(nvme::Status::kInternalError, false);
  Io(10);
  Run(100 * kUs);
  device_->FailIo(nvme::Status::kSuccess, false);
  Run(kSec);
  EXPECT_EQ(bios_[1].status, 0);
}

TEST_F(NvmePciError, StrayCompletionIsCountedAndReportedOnce) {
  Up();
  device_->PostStray(1, 5);
  device_->PostStray(1, 4000);
  Io(0);
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(driver_->stats().invalid_cids, 2u);
  EXPECT_TRUE(HasNotice("queue 1 completed command id 5, which was not outstanding"));
  EXPECT_EQ(driver_->notices().size(), 1u);
}

TEST_F(NvmePciError, LostInterruptIsFoundByTheTimeout) {
  Up();
  device_->LoseInterrupts(true);
  Io(0);
  Run(29 * kSec);
  EXPECT_EQ(done_, 0u);
  Run(2 * kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(driver_->stats().aborts, 0u);
  EXPECT_TRUE(HasNotice("timeout, the completion was there"));
}

TEST_F(NvmePciError, CommandThatStarvesIsAbortedAfterThirtySecondsAndRetried) {
  Up();
  device_->Hold(true);
  Io(0);
  Run(31 * kSec);
  EXPECT_EQ(driver_->stats().aborts, 1u);
  EXPECT_EQ(device_->io_count(), 2u);  // Command Abort Requested may be retried
  device_->Hold(false);
  device_->CompleteAllHeld();
  Run(kSec);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(NvmePciError, AbortsAreBoundedByTheAbortCommandLimit) {
  Up();  // ACL 0: one at a time
  device_->Hold(true);
  device_->IgnoreAdmin(nvme::AdminOpcode::kAbort);
  for (std::uint64_t i = 0; i < 5; ++i) Io(i * 10);
  Run(31 * kSec);
  EXPECT_EQ(driver_->stats().aborts, 1u);
  EXPECT_EQ(driver_->stats().resets, 0u);
}

TEST_F(NvmePciError, CommandThatSurvivesItsAbortResetsTheControllerAndIsSentAgain) {
  Up();
  device_->Hold(true);
  device_->FailAdmin(nvme::AdminOpcode::kAbort, nvme::Status::kInternalError);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  Run(59 * kSec);
  EXPECT_EQ(driver_->stats().resets, 0u);
  device_->Hold(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  Run(kSec);
  EXPECT_TRUE(driver_->live());
  EXPECT_EQ(done_, 3u);
  EXPECT_EQ(failed_, 0u);
  EXPECT_EQ(device_->io_count(), 6u);
  EXPECT_EQ(driver_->stats().submitted, 6u);
  EXPECT_EQ(driver_->stats().completed, 3u);
  EXPECT_EQ(driver_->stats().cancelled, 3u);
  EXPECT_TRUE(HasNotice("resetting: queue 1 tag 0: timeout after an abort"));
  Io(100);  // and the disk goes on
  Run(kSec);
  EXPECT_EQ(done_, 4u);
}

TEST_F(NvmePciError, CompletionsThatBeatAResetCountAndRingNothing) {
  Up();
  device_->Hold(true);
  device_->LoseInterrupts(true);
  Io(0);
  Io(10);
  Run(30 * kSec - kMs);
  device_->SetFatal();  // seen by the first timeout, before it looks at the queue
  device_->CompleteHeld(1);
  device_->Hold(false);
  device_->LoseInterrupts(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_EQ(done_, 2u);
  EXPECT_EQ(device_->io_count(), 3u);  // only the one that was not completed went out again
}

TEST_F(NvmePciError, FatalStatusResetsAtTheTimeout) {
  Up();
  device_->Hold(true);
  Io(0);
  device_->SetFatal();
  Run(30 * kSec);
  device_->Hold(false);
  Run(2 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(failed_, 0u);
}

TEST_F(NvmePciError, AdminTimeoutResetsALiveController) {
  params_.admin_timeout = 5;
  Up();
  device_->IgnoreAdmin(nvme::AdminOpcode::kAbort);
  struct Handler {
    void Done(std::uint64_t, const nvme::Cqe& cqe) {
      status = static_cast<std::uint16_t>(cqe.GetStatus());
    }
    std::uint16_t status = 0;
  } handler;
  driver_->AdminCommand(nvme::Abort{1, 0}.Encode(0), BindAdmin<&Handler::Done>(&handler));
  Run(7 * kSec);
  EXPECT_EQ(driver_->stats().resets, 1u);
  EXPECT_TRUE(driver_->live());
  EXPECT_EQ(handler.status, AdminQueue::kHostAborted);
}

TEST_F(NvmePciError, ControllerThatDoesNotComeBackFailsEverything) {
  config_.cap = 0x2001030fff;  // 1 s
  Up();
  device_->Hold(true);
  device_->FailAdmin(nvme::AdminOpcode::kAbort, nvme::Status::kInternalError);
  for (std::uint64_t i = 0; i < 3; ++i) Io(i * 10);
  device_->config().never_ready = true;
  Run(70 * kSec);
  EXPECT_EQ(driver_->state(), NvmePci::State::kDead);
  EXPECT_NE(driver_->failure().find("not disabled within 1000 ms"), std::string::npos)
      << driver_->failure();
  EXPECT_EQ(done_, 3u);
  EXPECT_EQ(failed_, 3u);
  Io(100);
  Run(kSec);
  EXPECT_EQ(done_, 4u);
  EXPECT_EQ(bios_[3].status, 0x370);
}

}  // namespace
}  // namespace nvmearb::host
