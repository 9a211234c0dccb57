// SPDX-License-Identifier: Apache-2.0
//
// The driver with the scripted controller behind it, brought up and ready for I/O.
#ifndef NVMEARB_HOST_DRIVER_NVME_TESTING_PCI_FIXTURE_H_
#define NVMEARB_HOST_DRIVER_NVME_TESTING_PCI_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/nvme/pci.h"
#include "host_driver/nvme/testing/fake_controller.h"

namespace nvmearb::host {

/// One socket of four CPUs. Every test also fails when the controller saw what a host must not do.
class NvmePciTest : public ::testing::Test {
 public:
  void Ready(std::uint64_t) {}
  void Done(std::uint64_t index) {
    ++done_;
    done_at_ = clock_.Now();
    if (bios_[index].status != 0) ++failed_;
    if (resubmit_ > 0) {
      --resubmit_;
      device_->config();
      driver_->disk().Submit(&bios_[index]);
    }
  }

 protected:
  NvmePciTest() { config_.acl = 0; }
  ~NvmePciTest() override {
    if (device_ != nullptr && expect_clean_) {
      EXPECT_TRUE(device_->errors().empty()) << device_->errors().front();
    }
  }

  void Up() {
    device_ = std::make_unique<FakeController>(clock_, config_);
    driver_ = std::make_unique<NvmePci>(clock_, *device_, memory_, cpus_, params_, costs_);
    driver_->Probe(Bind<&NvmePciTest::Ready>(this));
    clock_.RunUntil(kSec);
    ASSERT_TRUE(driver_->live()) << driver_->failure();
    device_->ForgetHistory();
  }
  Bio* Io(std::uint64_t at, std::uint32_t bytes = 4096, BioOp op = BioOp::kRead,
          std::uint16_t cpu = 0) {
    Bio& bio = bios_.emplace_back();
    bio.op = op;
    bio.offset = at * 4096;
    bio.bytes = bytes;
    bio.cpu = cpu;
    bio.polled = polled_;
    bio.cgroup = tree_.root();
    bio.done = Bind<&NvmePciTest::Done>(this, bios_.size() - 1);
    driver_->disk().Submit(&bio);
    return &bio;
  }
  void Run(TimePs duration) { clock_.RunUntil(clock_.Now() + duration); }
  std::vector<std::uint32_t> Tails(std::uint16_t qid) const {
    std::vector<std::uint32_t> values;
    for (const auto& write : device_->doorbells()) {
      if (!write.is_cq && write.qid == qid) values.push_back(write.value);
    }
    return values;
  }
  std::vector<std::uint32_t> Heads(std::uint16_t qid) const {
    std::vector<std::uint32_t> values;
    for (const auto& write : device_->doorbells()) {
      if (write.is_cq && write.qid == qid) values.push_back(write.value);
    }
    return values;
  }
  bool HasNotice(const std::string& part) const {
    const auto& notices = driver_->notices();
    return std::any_of(notices.begin(), notices.end(), [&](const std::string& notice) {
      return notice.find(part) != std::string::npos;
    });
  }

  TestClock clock_;
  HostMemory memory_;
  CpuTopology cpus_{1, 4, 1};
  CgroupTree tree_;
  NvmeParams params_;
  HostCosts costs_;
  FakeConfig config_;
  std::unique_ptr<FakeController> device_;
  std::unique_ptr<NvmePci> driver_;
  std::deque<Bio> bios_;
  bool polled_ = false;
  bool expect_clean_ = true;
  unsigned done_ = 0;
  unsigned failed_ = 0;
  std::uint64_t resubmit_ = 0;
  TimePs done_at_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_NVME_TESTING_PCI_FIXTURE_H_
