// SPDX-License-Identifier: Apache-2.0
#include "host_driver/cgroup/cgroup.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

class CgroupWrr : public ::testing::Test {
 protected:
  CgroupWrr() {
    disk0_ = tree_.AddDisk({"nvme0n1", 259, 0, 2});
    disk1_ = tree_.AddDisk({"nvme1n1", 259, 3, 0});
    group_ = tree_.Mkdir("/high");
  }

  std::string ErrorOf(std::string_view text) {
    try {
      tree_.Write(*group_, "io.wrr", text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  static bool Contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  CgroupTree tree_;
  Cgroup* group_ = nullptr;
  unsigned disk0_ = 0;
  unsigned disk1_ = 0;
};

TEST_F(CgroupWrr, TakesEveryLevelForOneDiskOnly) {
  const char* names[] = {"none", "low", "medium", "high", "urgent"};
  for (int i = 0; i < kWrrLevelCount; ++i) {
    tree_.Write(*group_, "io.wrr", std::string("259:0 ") + names[i]);
    EXPECT_EQ(group_->Level(disk0_), static_cast<WrrLevel>(i));
    EXPECT_EQ(group_->Level(disk1_), WrrLevel::kNone);
  }
}

TEST_F(CgroupWrr, BothFilesShowTheSameState) {
  tree_.Write(*group_, "blkio.wrr", "259:3 \t low\n");
  tree_.Write(*group_, "io.wrr", "259:0   high");
  EXPECT_EQ(tree_.Read(*group_, "io.wrr"), "259:0 high\n259:3 low\n");
  EXPECT_EQ(tree_.Read(*group_, "blkio.wrr"), "259:0 high\n259:3 low\n");
}

TEST_F(CgroupWrr, ReadsOneLinePerDiskKnownToTheGroup) {
  EXPECT_EQ(tree_.Read(*group_, "io.wrr"), "");
  EXPECT_EQ(group_->LevelForIo(disk1_), WrrLevel::kNone);  // first I/O makes the disk known
  EXPECT_EQ(tree_.Read(*group_, "io.wrr"), "259:3 none\n");
}

TEST_F(CgroupWrr, IsNotInherited) {
  tree_.Write(*group_, "io.wrr", "259:0 urgent");
  EXPECT_EQ(tree_.Mkdir("/high/child")->Level(disk0_), WrrLevel::kNone);
}

TEST_F(CgroupWrr, EinvalForWhatIsNotOfTheGrammar) {
  for (const char* bad : {"",
                          "\n",
                          "high",
                          "259",
                          "259:",
                          ":0 high",
                          "259:0",
                          "259:0\n",
                          "259:0high",
                          "259 0 high",
                          "259:0 ",
                          "259:0 fast",
                          "259:0 High",
                          "259:0 high low",
                          "259:0 high\n\n",
                          "259:0 high ",
                          "-1:0 high",
                          "99999999999:0 high",
                          "0x103:0 high",
                          " 259:0 high"}) {
    EXPECT_TRUE(Contains(ErrorOf(bad), "EINVAL")) << "'" << bad << "': " << ErrorOf(bad);
  }
  EXPECT_EQ(group_->Level(disk0_), WrrLevel::kNone);
  EXPECT_FALSE(group_->Knows(disk0_));
}

TEST_F(CgroupWrr, EnodevForAnUnknownDiskNamesTheKnownOnes) {
  const std::string error = ErrorOf("8:0 high");
  EXPECT_EQ(error,
            "io.wrr of cgroup /high: ENODEV: no disk 8:0; nvme0n1 is 259:0, nvme1n1 is 259:3");
  EXPECT_TRUE(Contains(ErrorOf("259:4 high"), "ENODEV"));
}

TEST_F(CgroupWrr, EinvalForAPartition) {
  EXPECT_TRUE(Contains(ErrorOf("259:2 high"), "EINVAL: 259:2 is a partition"));
}

TEST_F(CgroupWrr, PostedSeriesStoresAnUnknownLevelAsWrong) {
  CgroupTree posted({/*wrr_on_root=*/true, /*posted_bugs=*/true});
  const unsigned disk = posted.AddDisk({"nvme0n1", 259, 0, 0});
  posted.Write(*posted.root(), "blkio.wrr", "259:0 fast");
  EXPECT_EQ(posted.Read(*posted.root(), "blkio.wrr"), "259:0 wrong\n");
  EXPECT_EQ(posted.root()->LevelForIo(disk), WrrLevel::kNone);
  posted.Write(*posted.root(), "blkio.wrr", "259:0 low");
  EXPECT_EQ(posted.Read(*posted.root(), "blkio.wrr"), "259:0 low\n");
}

TEST_F(CgroupWrr, RootHidesTheFilesFromV4On) {
  EXPECT_TRUE(tree_.FileNames(*tree_.root()).empty());
  EXPECT_THROW(tree_.Write(*tree_.root(), "io.wrr", "259:0 high"), UserError);
  EXPECT_EQ(tree_.FileNames(*group_),
            (std::vector<std::string>{"io.wrr", "blkio.wrr", "io.prio.class", "blkio.prio.class",
                                      "io.bfq.weight", "blkio.bfq.weight", "io.weight"}));
}

TEST(CgroupTree, MkdirMakesTheWholePathOnce) {
  CgroupTree tree;
  Cgroup* leaf = tree.Mkdir("/a/b/c");
  EXPECT_EQ(leaf->path(), "/a/b/c");
  EXPECT_EQ(leaf->parent(), tree.Find("/a/b"));
  EXPECT_EQ(leaf->parent()->parent()->parent(), tree.root());
  EXPECT_EQ(tree.Mkdir("a//b/c/"), leaf);
  EXPECT_EQ(tree.Mkdir("/"), tree.root());
  EXPECT_EQ(tree.Find("/x"), nullptr);
}

TEST(CgroupTree, RefusesDotsFileNamesAndUnknownFiles) {
  CgroupTree tree;
  EXPECT_THROW(tree.Mkdir("/a/../b"), UserError);
  EXPECT_THROW(tree.Mkdir("/io.wrr"), UserError);
  EXPECT_THROW((void)tree.Read(*tree.Mkdir("/a"), "io.latency"), UserError);
}

TEST(CgroupWeights, ReadBackAsDefaultAndRefuseWhatIsNoWeight) {
  CgroupTree tree;
  Cgroup* const group = tree.Mkdir("/a");
  EXPECT_EQ(tree.Read(*group, "io.weight"), "default 100\n");
  tree.Write(*group, "io.weight", "default 10000\n");
  tree.Write(*group, "io.bfq.weight", "1000");
  EXPECT_EQ(tree.Read(*group, "io.weight"), "default 10000\n");
  EXPECT_EQ(tree.Read(*group, "blkio.bfq.weight"), "default 1000\n");
  for (const char* text : {"", "0", "1001", "10x", "259:0 50", "default"}) {
    EXPECT_THROW(tree.Write(*group, "io.bfq.weight", text), UserError) << text;
  }
  EXPECT_EQ(group->bfq_weight(), 1000u);
}

}  // namespace
}  // namespace nvmearb::host
