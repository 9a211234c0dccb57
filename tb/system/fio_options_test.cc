// SPDX-License-Identifier: Apache-2.0
//
// Options of fio jobs through the whole machine: what they do to the I/O of a drive.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.h"

namespace nvmearb::system {
namespace {

using Json = nlohmann::json;

/// Jobs of `nvmearb fio` with these options behind the usual ones.
Json Jobs(const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {
      "fio",        "--engine", "model",   "--output-format=json", "--ioengine=libaio",
      "--direct=1", "--bs=4k",  "--name=a"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = RunProgram(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out)["jobs"];
}

TEST(FioOnTheDrive, TrimsAreDatasetManagementCommands) {
  const Json jobs = Jobs({"--rw=randtrim", "--iodepth=4", "--bs=64k", "--number_ios=1000"});
  EXPECT_EQ(jobs[0]["trim"]["total_ios"], 1000);
  EXPECT_EQ(jobs[0]["trim"]["io_bytes"], 65536000);
  EXPECT_EQ(jobs[0]["error"], 0);
  // device.trim_time and what the host adds.
  EXPECT_NEAR(jobs[0]["trim"]["clat_ns"]["mean"].get<double>(), 44'000, 3000);
}

TEST(FioOnTheDrive, TrimsReachTheRtlToo) {
  const ProgramResult result =
      RunProgram({"fio", "--output-format=json", "--ioengine=libaio", "--direct=1", "--name=a",
                  "--rw=trimwrite", "--bs=8k", "--iodepth=2", "--number_ios=50", "--set",
                  "device.trim_time=100us"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json job = Json::parse(result.out)["jobs"][0];
  EXPECT_EQ(job["trim"]["total_ios"], 50);
  EXPECT_EQ(job["write"]["total_ios"], 50);
  EXPECT_NEAR(job["trim"]["clat_ns"]["mean"].get<double>(), 104'000, 4000);
}

TEST(FioOnTheDrive, FilesAndOtherDisksAreRegionsOfTheOneDisk) {
  const ProgramResult result =
      RunProgram({"fio", "--engine", "model", "--output-format=json", "--ioengine=libaio",
                  "--direct=1", "--bs=4k", "--rw=randread", "--size=8m", "--name=a",
                  "--directory=/mnt", "--nrfiles=2", "--name=b", "--filename=/dev/sdb"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json jobs = Json::parse(result.out)["jobs"];
  EXPECT_EQ(jobs[0]["read"]["io_bytes"], 8 << 20) << "each block once";
  EXPECT_EQ(jobs[1]["read"]["io_bytes"], 8 << 20);
  for (const char* part :
       {"file /mnt/a.0.1 is 4 MiB of /dev/nvme0n1", "/dev/sdb stands for /dev/nvme0n1"}) {
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " not in " << result.err;
  }
  const ProgramResult none = RunProgram({"fio", "--name=a", "--filename=data", "--rw=read"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("file data has no size; add size="), std::string::npos) << none.err;
  const ProgramResult large =
      RunProgram({"fio", "--name=a", "--filename=data", "--rw=read", "--size=100t"});
  EXPECT_EQ(large.exit_code, 2);
  EXPECT_NE(large.err.find("no room for file data"), std::string::npos) << large.err;
}

TEST(FioOnTheDrive, AJobWaitsForAnother) {
  const Json jobs = Jobs({"--rw=read", "--number_ios=1000", "--iodepth=1", "--name=b",
                          "--wait_for=a", "--rw=read", "--number_ios=1"});
  EXPECT_EQ(jobs[1]["read"]["total_ios"], 1);
  const Json unknown = Jobs({"--rw=read", "--number_ios=1", "--wait_for=nobody"});
  EXPECT_EQ(unknown[0]["read"]["total_ios"], 1);
}

TEST(FioOnTheDrive, FlushesAreCountedAsSyncs) {
  const Json jobs = Jobs({"--rw=randwrite", "--iodepth=4", "--number_ios=100", "--fsync=10"});
  EXPECT_EQ(jobs[0]["write"]["total_ios"], 100);
  EXPECT_EQ(jobs[0]["sync"]["total_ios"], 9);
  // This drive's write cache is not volatile: the block layer answers.
  EXPECT_LT(jobs[0]["sync"]["lat_ns"]["mean"].get<double>(), 10'000);
  EXPECT_GT(jobs[0]["sync"]["lat_ns"]["percentile"]["99.000000"].get<double>(), 0);
}

TEST(FioOnTheDrive, ReportsLeaveJobsOutOrJoinDirections) {
  const Json jobs = Jobs({"--rw=randrw", "--number_ios=200", "--stats=0", "--name=b", "--rw=randrw",
                          "--number_ios=100", "--unified_rw_reporting=mixed"});
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0]["jobname"], "b");
  EXPECT_EQ(jobs[0]["mixed"]["total_ios"], 100);
  for (const char* key : {"read", "write", "trim", "sync"}) EXPECT_FALSE(jobs[0].contains(key));
}

TEST(FioOnTheDrive, CgroupWeightsDivideTheDriveUnderBfq) {
  const Json jobs =
      Jobs({"--set", "host.scheduler=bfq", "--rw=randread", "--iodepth=32", "--time_based",
            "--runtime=1500ms", "--cgroup=heavy", "--cgroup_weight=800", "--name=b",
            "--rw=randread", "--iodepth=32", "--time_based", "--runtime=1500ms", "--cgroup=light",
            "--cgroup_weight=100"});
  EXPECT_GT(jobs[0]["read"]["iops"].get<double>(), 4 * jobs[1]["read"]["iops"].get<double>());
}

TEST(FioOnTheDrive, CommandPrioritiesAreReportedApart) {
  const Json jobs = Jobs({"--rw=randread", "--iodepth=8", "--number_ios=2000",
                          "--cmdprio_percentage=20", "--cmdprio=1"});
  const Json& prios = jobs[0]["read"]["prios"];
  ASSERT_EQ(prios.size(), 2u);
  EXPECT_EQ(prios[1]["prioclass"], 1);
  EXPECT_EQ(prios[1]["prio"], 1);
  EXPECT_NEAR(prios[1]["clat_ns"]["N"].get<double>(), 400, 60);
  EXPECT_EQ(prios[0]["clat_ns"]["N"].get<int>() + prios[1]["clat_ns"]["N"].get<int>(), 2000);
}

}  // namespace
}  // namespace nvmearb::system
