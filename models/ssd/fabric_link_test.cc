// SPDX-License-Identifier: Apache-2.0
//
// What travels over a link, when it arrives, and what a cut does.
#include "ssd/fabric_link.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "nvme/admin_commands.h"
#include "nvme/io_commands.h"
#include "nvme/registers.h"
#include "ssd/platform.h"

namespace nvmearb::ssd {
namespace {

constexpr TimePs kUs = 1'000'000;
constexpr std::uint64_t kAdminSq = 0x10000;
constexpr std::uint64_t kAdminCq = 0x20000;
constexpr std::uint64_t kSq = 0x30000;
constexpr std::uint64_t kCq = 0x40000;
constexpr std::uint64_t kBuffer = 0x50000;

/// Notes what arrives, and when: "1:3@5" is tail 3 of queue 1 at 5 us.
class FakeDevice : public nvme::DevicePort {
 public:
  explicit FakeDevice(Kernel* kernel) : kernel_(kernel) {}
  void AttachHost(nvme::HostPort* host) override { host_ = host; }
  std::uint64_t MmioRead(std::uint32_t, unsigned) override { return 0x20; }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned) override {
    const auto doorbell = nvme::DecodeDoorbell(offset, 0);
    if (!doorbell.has_value()) {
      properties[offset] = value;
      return;
    }
    log += (log.empty() ? "" : " ") + std::string(doorbell->is_cq ? "cq" : "") +
           std::to_string(doorbell->qid) + ":" + std::to_string(value) + "@" +
           std::to_string(kernel_->Now() / kUs);
  }
  nvme::HostPort& host() { return *host_; }

  std::string log;
  std::map<std::uint32_t, std::uint64_t> properties;

 private:
  Kernel* kernel_;
  nvme::HostPort* host_ = nullptr;
};

class FakeHost : public nvme::HostPort {
 public:
  explicit FakeHost(Kernel* kernel) : kernel_(kernel), memory(0x60000) {}
  bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override {
    if (address + bytes > memory.size()) return false;
    std::memcpy(destination, &memory[address], bytes);
    return true;
  }
  bool DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) override {
    if (address + bytes > memory.size()) return false;
    std::memcpy(&memory[address], source, bytes);
    log += (log.empty() ? "" : " ") + std::string("w") + std::to_string(bytes) + "@" +
           std::to_string(kernel_->Now() / kUs);
    return true;
  }
  void Interrupt(std::uint16_t vector) override {
    log += " i" + std::to_string(vector) + "@" + std::to_string(kernel_->Now() / kUs);
  }
  void Put(std::uint64_t queue, unsigned slot, const nvme::Sqe& sqe) {
    std::memcpy(&memory[queue + slot * sizeof sqe], &sqe, sizeof sqe);
  }

 private:
  Kernel* kernel_;

 public:
  std::vector<std::uint8_t> memory;
  std::string log;
};

class FabricLinkTest : public ::testing::Test {
 protected:
  FabricLinkTest() : kernel_(&Platform::Instance().kernel()), device_(kernel_), host_(kernel_) {
    Platform::Instance().Reset();
  }

  /// The admin queues, and queue pair 1 of 8 entries.
  void Connect(const FabricLinkParams& params) {
    link_ = std::make_unique<FabricLink>(kernel_, &device_, params, 1, 0);
    link_->AttachHost(&host_);
    nvme::Aqa aqa;
    aqa.sq_count = aqa.cq_count = 32;
    link_->MmioWrite(nvme::kRegAqa, aqa.Encode(), 4);
    link_->MmioWrite(nvme::kRegAsq, kAdminSq, 8);
    link_->MmioWrite(nvme::kRegAcq, kAdminCq, 8);
    nvme::Cc cc;
    cc.en = true;
    link_->MmioWrite(nvme::kRegCc, cc.Encode(), 4);
    nvme::CreateIoCq cq;
    cq.prp1 = kCq;
    cq.qid = 1;
    cq.size_zb = 7;
    host_.Put(kAdminSq, 0, cq.Encode(0));
    nvme::CreateIoSq sq;
    sq.prp1 = kSq;
    sq.qid = sq.cqid = 1;
    sq.size_zb = 7;
    host_.Put(kAdminSq, 1, sq.Encode(1));
    link_->MmioWrite(nvme::SqTailDoorbell(0, 0), 2, 4);
    Run(10'000 * kUs);
    device_.log.clear();
    start_ = kernel_->Now();
  }
  void PutIo(unsigned slot, nvme::IoOpcode opcode, std::uint32_t blocks, std::uint16_t cid) {
    nvme::ReadWrite command;
    command.opcode = opcode;
    command.block_count = blocks;
    host_.Put(kSq, slot, command.Encode(cid));
  }
  void Ring(std::uint32_t tail) { link_->MmioWrite(nvme::SqTailDoorbell(1, 0), tail, 4); }
  void Answer(std::uint16_t cid, unsigned slot) {
    nvme::Cqe cqe;
    cqe.sqid = 1;
    cqe.cid = cid;
    ASSERT_TRUE(device_.host().DmaWrite(kCq + slot * sizeof cqe, &cqe, sizeof cqe));
    device_.host().Interrupt(1);
  }
  void Run(TimePs duration) { kernel_->RunUntil(kernel_->Now() + duration); }
  /// The log's times are counted from Connect()'s end.
  static std::string At(TimePs us) { return std::to_string(10'000 + us); }

  Kernel* kernel_;
  FakeDevice device_;
  FakeHost host_;
  std::unique_ptr<FabricLink> link_;
  TimePs start_ = 0;
};

TEST_F(FabricLinkTest, ACommandArrivesAfterTheLatencyAndSoDoesItsAnswer) {
  Connect({7 * kUs, 0, 0, 0});
  PutIo(0, nvme::IoOpcode::kRead, 8, 5);
  Ring(1);
  Run(6 * kUs);
  EXPECT_EQ(device_.log, "");
  Run(1 * kUs);
  EXPECT_EQ(device_.log, "1:1@" + At(7));
  Answer(5, 0);
  Run(6 * kUs);
  EXPECT_EQ(host_.log, "");
  Run(1 * kUs);
  EXPECT_EQ(host_.log, "w16@" + At(14) + " i1@" + At(14));
}

TEST_F(FabricLinkTest, ADoorbellForSeveralCommandsBecomesSeveral) {
  Connect({5 * kUs, 0, 2 * kUs, 0});
  for (unsigned i = 0; i < 3; ++i) {
    PutIo(i, nvme::IoOpcode::kRead, 1, static_cast<std::uint16_t>(i));
  }
  Ring(3);
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "1:1@" + At(7) + " 1:2@" + At(9) + " 1:3@" + At(11));
}

TEST_F(FabricLinkTest, DataOfWritesGoOutAndDataOfReadsComeIn) {
  // 1 byte a nanosecond: 128 KiB take 131 us.
  Connect({0, 0, 0, 1'000'000'000});
  PutIo(0, nvme::IoOpcode::kWrite, 256, 1);
  PutIo(1, nvme::IoOpcode::kRead, 256, 2);
  Ring(2);
  Run(1000 * kUs);
  EXPECT_EQ(device_.log, "1:1@" + At(131) + " 1:2@" + At(131));  // the read's 64 bytes behind them
  Answer(1, 0);
  Answer(2, 1);
  Run(1000 * kUs);
  EXPECT_EQ(host_.log,
            "w16@" + At(1000) + " i1@" + At(1000) + " w16@" + At(1131) + " i1@" + At(1131));
  EXPECT_EQ(link_->statistics().bytes_out, 4 * 64u + 131072);  // two of them admin commands
  EXPECT_EQ(link_->statistics().bytes_in, 2 * 16u + 131072);
}

TEST_F(FabricLinkTest, ARingThatWrapsIsReadAroundItsEnd) {
  Connect({kUs, 0, 0, 0});
  Ring(7);
  Run(10 * kUs);
  device_.log.clear();
  Ring(1);
  Run(10 * kUs);
  EXPECT_EQ(device_.log, "1:0@" + At(11) + " 1:1@" + At(11));
}

TEST_F(FabricLinkTest, JitterKeepsTheOrderOfAQueue) {
  Connect({5 * kUs, 50 * kUs, 0, 0});
  for (std::uint32_t tail = 1; tail < 8; ++tail) Ring(tail);
  Run(100 * kUs);
  std::string tails;
  for (std::size_t at = 0; (at = device_.log.find("1:", at)) != std::string::npos; ++at) {
    tails += device_.log[at + 2];
  }
  EXPECT_EQ(tails, "1234567");
}

TEST_F(FabricLinkTest, ALinkThatIsDownLosesWhatIsOnItsWayAndWhatComes) {
  Connect({5 * kUs, 0, 0, 0});
  Ring(1);
  Answer(1, 0);
  Run(kUs);
  link_->Down();
  Ring(2);
  Answer(2, 1);
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "");
  EXPECT_EQ(host_.log, "");
  EXPECT_EQ(link_->MmioRead(nvme::kRegCsts, 4), 0xffffffffu);
  EXPECT_EQ(link_->MmioRead(nvme::kRegCap, 8), ~std::uint64_t{0});
  EXPECT_EQ(link_->statistics().dropped, 4u);  // command, answer, interrupt; the second answer
  link_->Up();
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "");
  EXPECT_EQ(link_->MmioRead(nvme::kRegCsts, 4), 0x20u);
}

TEST_F(FabricLinkTest, DisablingTheControllerDropsWhatIsOnItsWay) {
  Connect({5 * kUs, 0, 0, 0});
  Ring(1);
  Answer(1, 0);
  link_->MmioWrite(nvme::kRegCc, 0, 4);
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "");
  EXPECT_EQ(host_.log, "");
  EXPECT_EQ(device_.properties[nvme::kRegCc], 0u);
}

TEST_F(FabricLinkTest, NewParametersHoldForWhatIsSentFromThenOn) {
  Connect({5 * kUs, 0, 0, 0});
  Ring(1);
  link_->Set({20 * kUs, 0, 0, 0});
  Ring(2);
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "1:1@" + At(5) + " 1:2@" + At(20));
}

TEST_F(FabricLinkTest, ADoorbellThatMakesNoSenseIsLeftToTheController) {
  Connect({5 * kUs, 0, 0, 0});
  Ring(8);
  link_->MmioWrite(nvme::SqTailDoorbell(9, 0), 1, 4);
  link_->MmioWrite(nvme::CqHeadDoorbell(1, 0), 3, 4);
  Run(100 * kUs);
  EXPECT_EQ(device_.log, "1:8@" + At(5) + " 9:1@" + At(5) + " cq1:3@" + At(5));
}

}  // namespace
}  // namespace nvmearb::ssd
