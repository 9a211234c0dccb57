// SPDX-License-Identifier: Apache-2.0
//
// iocost: costs by hand, shares, lending, and what targets change.
#include "host_driver/block/iocost/iocost.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>

#include "host_driver/base/test_clock.h"
#include "host_driver/base/user_error.h"
#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {
namespace {

// A device that serves one request at a time, first come first served, and closed loops in front.
class IocostTest : public ::testing::Test, public RqQosHost {
 protected:
  IocostTest() {
    heavy_ = tree_.Mkdir("/heavy");
    light_ = tree_.Mkdir("/light");
    tree_.Write(*heavy_, "io.weight", "800");
    params_.enable = true;
    // 10,000 random reads of 4 KiB per second.
    params_.SetModel(
        "rbps=409600000 rseqiops=50000 rrandiops=10000 wbps=409600000 "
        "wseqiops=50000 wrandiops=10000",
        "test");
  }
  void Make() { iocost_ = std::make_unique<Iocost>(&clock_, this, params_); }

  void Resume(Bio* bio) override {
    clock_.At(clock_.Now(), Bind<&IocostTest::Start>(this, Tag(bio)));
  }
  static std::uint64_t Tag(Bio* bio) { return reinterpret_cast<std::uintptr_t>(bio); }
  void Submit(Bio* bio) {
    bio->issue_time = clock_.Now();
    if (iocost_->Throttle(bio)) Start(Tag(bio));
  }
  void Start(std::uint64_t tag) {
    Bio* const bio = reinterpret_cast<Bio*>(static_cast<std::uintptr_t>(tag));
    started_[bio] = clock_.Now();
    free_from_ = std::max(free_from_, clock_.Now()) + service_;
    clock_.At(free_from_, Bind<&IocostTest::End>(this, tag));
  }
  void End(std::uint64_t tag) {
    Bio* const bio = reinterpret_cast<Bio*>(static_cast<std::uintptr_t>(tag));
    Request request{};
    request.op = bio->op;
    request.bytes = bio->bytes;
    iocost_->RequestDone(request, clock_.Now() - started_[bio]);
    iocost_->Done(*bio);
    ++done_[bio->cgroup];
    if (stopped_) return;
    bio->offset = (bio->offset + (1ull << 30)) % (1ull << 40);
    Submit(bio);
  }
  void Loop(Cgroup* group, unsigned depth) {
    for (unsigned i = 0; i < depth; ++i) {
      Bio& bio = bios_.emplace_back();
      bio.cgroup = group;
      bio.bytes = 4096;
      bio.offset = static_cast<std::uint64_t>(bios_.size()) << 30;
      Submit(&bio);
    }
  }
  void Run(TimePs time) { clock_.RunUntil(clock_.Now() + time); }
  double HeavyShare() {
    const auto heavy = static_cast<double>(done_[heavy_]);
    return heavy / (heavy + static_cast<double>(done_[light_]));
  }

  TestClock clock_;
  CgroupTree tree_;
  Cgroup* heavy_;
  Cgroup* light_;
  IocostParams params_;
  std::unique_ptr<Iocost> iocost_;
  TimePs service_ = 100 * kUs;
  TimePs free_from_ = 0;
  bool stopped_ = false;
  std::deque<Bio> bios_;
  std::map<const Bio*, TimePs> started_;
  std::map<const Cgroup*, std::uint64_t> done_;
};

TEST_F(IocostTest, CostIsPagesAndAPieceForTheAccess) {
  params_.SetModel(
      "rbps=4096000 rseqiops=500 rrandiops=250 wbps=8192000 wseqiops=1000 "
      "wrandiops=500",
      "test");
  Make();
  // A page of 1 ms; sequential 2 ms, random 4 ms for the first page.
  EXPECT_NEAR(iocost_->CostOf(true, 4096, false, false), 2e-3, 1e-12);
  EXPECT_NEAR(iocost_->CostOf(true, 4096, true, false), 4e-3, 1e-12);
  EXPECT_NEAR(iocost_->CostOf(true, 16384, true, false), 7e-3, 1e-12);
  EXPECT_NEAR(iocost_->CostOf(true, 16384, true, true), 4e-3, 1e-12);
  EXPECT_NEAR(iocost_->CostOf(true, 512, true, true), 1e-3, 1e-12);
  EXPECT_NEAR(iocost_->CostOf(false, 4096, false, false), 1e-3, 1e-12);
}

TEST_F(IocostTest, SharesAreWeightsAmongTheActiveOnes) {
  Make();
  Loop(light_, 1);
  EXPECT_EQ(iocost_->FullShare(light_), 1);
  Loop(heavy_, 1);
  EXPECT_NEAR(iocost_->FullShare(heavy_), 8.0 / 9, 1e-9);
  EXPECT_NEAR(iocost_->FullShare(light_), 1.0 / 9, 1e-9);
  Cgroup* const inner = tree_.Mkdir("/other/inner");
  tree_.Write(*tree_.Find("/other"), "io.weight", "900");
  Loop(inner, 1);
  EXPECT_NEAR(iocost_->FullShare(inner), 0.5, 1e-9);
  stopped_ = true;
  Run(2 * kSec);
  EXPECT_EQ(iocost_->FullShare(light_), 0);  // idle for more than a period
}

TEST_F(IocostTest, RootIsNotHeldBack) {
  params_.SetQos("min=1 max=1", "test");
  Make();
  Loop(tree_.root(), 32);
  Run(kSec);
  EXPECT_NEAR(static_cast<double>(done_[tree_.root()]), 10'000, 10);
}

TEST_F(IocostTest, WithoutTargetsTheRateClimbsUntilNobodyIsHeldBack) {
  Make();
  Loop(heavy_, 32);
  Loop(light_, 32);
  Run(20 * kSec);
  done_.clear();
  Run(5 * kSec);
  // The device serves what comes in turn: half each, whatever the weights.
  EXPECT_NEAR(HeavyShare(), 0.5, 0.05);
  EXPECT_NEAR(static_cast<double>(done_[heavy_] + done_[light_]), 50'000, 500);
}

TEST_F(IocostTest, WithTargetsTheHeavyGroupIsProtected) {
  params_.SetQos("enable=1 rpct=95 rlat=1000 wpct=95 wlat=1000", "test");
  Make();
  Loop(heavy_, 32);
  Loop(light_, 32);
  Run(20 * kSec);
  done_.clear();
  Run(10 * kSec);
  EXPECT_NEAR(HeavyShare(), 8.0 / 9, 0.05);
}

TEST_F(IocostTest, PinnedRateIsALimit) {
  params_.SetQos("enable=1 min=50 max=50", "test");
  Make();
  Loop(heavy_, 32);
  Loop(light_, 32);
  Run(5 * kSec);
  done_.clear();
  Run(10 * kSec);
  EXPECT_NEAR(static_cast<double>(done_[heavy_] + done_[light_]), 50'000, 2'500);
  EXPECT_NEAR(HeavyShare(), 8.0 / 9, 0.02);
}

TEST_F(IocostTest, WhoNeedsLessLendsTheRest) {
  params_.SetQos("enable=1 min=100 max=100", "test");
  service_ = 10 * kUs;
  Make();
  // One at a time needs 1/10 of a device that it has to itself: 10 us each, at a cost of 100 us the
  // heavy group could use all of its 8/9. It thinks 900 us between its reads.
  Loop(light_, 32);
  Bio bio;
  bio.cgroup = heavy_;
  bio.bytes = 4096;
  for (int i = 0; i < 5000; ++i) {
    bio.offset = static_cast<std::uint64_t>(i % 100) << 30;
    stopped_ = false;
    iocost_->Throttle(&bio);
    iocost_->Done(bio);
    Run(900 * kUs);
    if (i == 1000) done_.clear();
  }
  // 1,111 reads per second of the heavy group cost 11 % of the device; the light one may have most
  // of the rest instead of its ninth, 1,111.
  const double rate = static_cast<double>(done_[light_]) / (4000 * 900e-6);
  EXPECT_GT(rate, 6'000);
  EXPECT_LT(rate, 9'500);
  EXPECT_LT(iocost_->Share(heavy_), 0.4);
}

TEST(IocostParams, TextIsReadAsTheFilesReadIt) {
  IocostParams params;
  params.SetQos("enable=1 ctrl=user rpct=95.00 rlat=5000 min=50.00 max=150.00\n", "qos");
  EXPECT_TRUE(params.enable);
  EXPECT_TRUE(params.user_qos);
  EXPECT_EQ(params.read_pct, 95);
  EXPECT_EQ(params.max_pct, 150);
  EXPECT_FALSE(params.user_model);
  params.UseDefaults(true);
  EXPECT_EQ(params.read_rand_iops, 778'122);
  EXPECT_EQ(params.read_lat_us, 5'000);
  for (const char* text : {"enable", "enable=2", "rpct=101", "rlat=", "min=200 max=100", "foo=1"}) {
    EXPECT_THROW(params.SetQos(text, "qos"), UserError) << text;
  }
  EXPECT_THROW(params.SetModel("model=cubic", "model"), UserError);
  EXPECT_THROW(params.SetModel("rbps=0", "model"), UserError);
}

}  // namespace
}  // namespace nvmearb::host
