// SPDX-License-Identifier: Apache-2.0
//
// A head over scripted controllers, each with a driver and a link of its own, ready for I/O.
#ifndef NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_MULTIPATH_FIXTURE_H_
#define NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_MULTIPATH_FIXTURE_H_

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/test_clock.h"
#include "host_driver/multipath/controller_path.h"
#include "host_driver/multipath/head.h"
#include "host_driver/multipath/testing/cut_link.h"
#include "host_driver/nvme/pci.h"
#include "host_driver/nvme/testing/fake_controller.h"

namespace nvmearb::host {

/// Two sockets of two CPUs. Every test also fails when a controller saw what a host must not do,
/// when a bio ended twice, or when a tag or a counted request is left over once nothing is in
/// flight.
class MultipathTest : public ::testing::Test {
 public:
  struct Way {
    std::unique_ptr<FakeController> device;
    std::unique_ptr<CutLink> link;
    std::unique_ptr<ControllerPath> watcher;
    std::unique_ptr<NvmePci> driver;
    Path* path = nullptr;
  };
  void Ready(std::uint64_t) {}
  void Done(std::uint64_t index) {
    ++done_[index];
    EXPECT_EQ(done_[index], 1) << "bio " << index << " ended twice";
    if (bios_[index].status != 0) ++failed_;
    ++ended_;
  }

 protected:
  MultipathTest() { params_.fabrics = true; }
  ~MultipathTest() override {
    for (const auto& way : ways_) {
      EXPECT_TRUE(way->device->errors().empty()) << way->device->errors().front();
      if (head_ != nullptr && head_->InFlight() == 0) ExpectIdle(*way);
    }
  }

  void Up(unsigned count, const std::string& iopolicy = "numa") {
    for (unsigned i = 0; i < count; ++i) {
      auto way = std::make_unique<Way>();
      way->device = std::make_unique<FakeController>(clock_, config_);
      way->link = std::make_unique<CutLink>(way->device.get());
      way->watcher = std::make_unique<ControllerPath>(clock_, fast_io_fail_tmo_);
      NvmeParams params = params_;
      params.instance = i;
      way->driver = std::make_unique<NvmePci>(clock_, *way->link, memory_, cpus_, params, costs_);
      way->driver->SetWatcher(way->watcher.get());
      way->driver->Probe(Bind<&MultipathTest::Ready>(this));
      ways_.push_back(std::move(way));
    }
    Run(kSec);
    MultipathParams multipath;
    multipath.iopolicy = iopolicy;
    head_ = std::make_unique<MultipathHead>(clock_, cpus_, multipath);
    for (unsigned i = 0; i < count; ++i) {
      Way& way = *ways_[i];
      ASSERT_TRUE(way.driver->live()) << way.driver->failure();
      way.path = head_->AddPath("c" + std::to_string(i), &way.driver->disk(), kNoNode,
                                AnaState::kOptimized);
      way.watcher->Attach(head_.get(), way.path);
      way.device->ForgetHistory();
    }
  }
  Bio* Io(std::uint64_t at, std::uint16_t cpu = 0, BioOp op = BioOp::kRead,
          std::uint32_t bytes = 4096, bool polled = false) {
    Bio& bio = bios_.emplace_back();
    done_.push_back(0);
    bio.op = op;
    bio.offset = at * 4096;
    bio.bytes = bytes;
    bio.cpu = cpu;
    bio.polled = polled;
    bio.cgroup = tree_.root();
    bio.done = Bind<&MultipathTest::Done>(this, bios_.size() - 1);
    head_->Submit(&bio);
    return &bio;
  }
  void Cut(unsigned way) {
    ways_[way]->link->Cut(true);
    ways_[way]->driver->LinkDown();
  }
  void Mend(unsigned way) {
    ways_[way]->link->Cut(false);
    ways_[way]->driver->LinkUp();
  }
  void Run(TimePs duration) { clock_.RunUntil(clock_.Now() + duration); }
  /// Commands that each controller has seen, "3,1".
  std::string Seen() const {
    std::string text;
    for (const auto& way : ways_) {
      text += (text.empty() ? "" : ",") + std::to_string(way->device->io_count());
    }
    return text;
  }
  /// Every bio has ended, once.
  void ExpectEnded() const {
    EXPECT_EQ(std::to_string(head_->InFlight()) + " bios in flight", "0 bios in flight")
        << head_->Describe();
    if (head_->InFlight() == 0) {
      EXPECT_EQ(ended_, bios_.size());
    }
  }
  void ExpectAllEndedWell() const {
    ExpectEnded();
    EXPECT_EQ(failed_, 0u);
    for (const auto& way : ways_) ExpectIdle(*way);
  }
  /// What of the path is still in use, or does not add up; empty when nothing.
  static std::string LeftOver(const Way& way) {
    const BlkMq& block = way.driver->block();
    const NvmeStats& driver = way.driver->stats();
    const PathStats& path = way.path->stats;
    std::string text;
    const auto note = [&text](bool good, const std::string& what) {
      if (!good) text += (text.empty() ? "" : ", ") + what;
    };
    note(block.InFlight() == 0, "bios in blk-mq");
    note(way.path->nr_active == 0, "active requests");
    note(path.in_flight == 0, "requests with the driver");
    note(path.bios == path.completed + path.path_errors, "bios sent");
    for (unsigned i = 0; i < block.hctx_count(); ++i) {
      note(block.hctx(i).tags.used() == 0, "tags of hctx " + std::to_string(i));
    }
    note(driver.submitted == driver.completed + driver.cancelled, "commands submitted");
    note(driver.invalid_cids == 0, "commands answered twice");
    return text;
  }
  static void ExpectIdle(const Way& way) { EXPECT_EQ(LeftOver(way), "") << way.path->name; }

  TestClock clock_;
  HostMemory memory_;
  CpuTopology cpus_{2, 2, 1};
  CgroupTree tree_;
  NvmeParams params_;
  HostCosts costs_;
  FakeConfig config_;
  TimePs fast_io_fail_tmo_ = 0;
  std::vector<std::unique_ptr<Way>> ways_;
  std::unique_ptr<MultipathHead> head_;
  std::deque<Bio> bios_;
  std::deque<int> done_;
  unsigned ended_ = 0;
  unsigned failed_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_MULTIPATH_TESTING_MULTIPATH_FIXTURE_H_
