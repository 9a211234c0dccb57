// SPDX-License-Identifier: Apache-2.0
//
// FirmwareTest: the firmware between a fake front end and fake memory. Fixture of firmware_test
// (life of the controller, I/O) and admin_test (admin commands).
#ifndef NVMEARB_MODELS_SSD_TESTING_FIRMWARE_FIXTURE_H_
#define NVMEARB_MODELS_SSD_TESTING_FIRMWARE_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "nvme/admin_commands.h"
#include "nvme/cqe.h"
#include "nvme/io_commands.h"
#include "ssd/firmware.h"
#include "ssd/platform.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {

using nvme::Status;

inline constexpr TimePs kMs = 1'000'000'000;
inline constexpr std::uint64_t kAdminCq = FakeMemory::kBase;
inline constexpr std::uint64_t kIoCq = FakeMemory::kBase + 0x1000;
inline constexpr std::uint64_t kIoSq = FakeMemory::kBase + 0x2000;
inline constexpr std::uint64_t kData = FakeMemory::kBase + 0x8000;
inline constexpr std::uint32_t kCcWrr = 0x460801;
inline constexpr std::uint32_t kCcRr = 0x460001;
inline constexpr std::uint32_t kAqa32 = 0x1f001f;

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

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_TESTING_FIRMWARE_FIXTURE_H_
