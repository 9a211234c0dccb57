// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/command_line.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "host_driver/base/user_error.h"

namespace nvmearb::host::fio {
namespace {

FioInput Parse(const std::string& line) {
  return ParseCommandLine(SplitShellLine(line, "test"), ParseContext());
}

std::string ErrorOf(const std::string& line) {
  try {
    (void)Parse(line);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

// The command of the published WRR experiment: everything but group_reporting precedes --name.
TEST(FioCommandLine, TheWrrExperimentIsUnderstood) {
  const FioInput input = Parse(
      "fio --bs=4k --ioengine=libaio --iodepth=32 --filename=/dev/nvme0n1 --direct=1 --runtime=60 "
      "--numjobs=8 --rw=randread --name=test1 --group_reporting");
  EXPECT_TRUE(input.warnings.empty());
  ASSERT_EQ(input.jobs.size(), 1u);
  const JobSpec& job = input.jobs[0];
  EXPECT_EQ(job.name, "test1");
  EXPECT_EQ(job.block_sizes[kDirRead].min_bytes, 4096u);
  EXPECT_EQ(job.ioengine, "libaio");
  EXPECT_EQ(job.iodepth, 32u);
  EXPECT_EQ(job.filenames, std::vector<std::string>{"/dev/nvme0n1"});
  EXPECT_TRUE(job.direct);
  EXPECT_EQ(job.runtime, 60 * kSec);
  EXPECT_FALSE(job.time_based);
  EXPECT_EQ(job.numjobs, 8u);
  EXPECT_TRUE(job.random);
  EXPECT_TRUE(job.group_reporting);
  EXPECT_EQ(job.job_options, (OptionStrings{{"name", "test1"}}));
  ASSERT_EQ(input.global_options.size(), 8u);
  EXPECT_EQ(input.global_options[0], (std::pair<std::string, std::string>("bs", "4k")));
  EXPECT_EQ(input.global_options[7], (std::pair<std::string, std::string>("rw", "randread")));
}

// The single-dash form of the bfq/iocost/none/wrr comparison's scripts.
TEST(FioCommandLine, TheSingleDashScriptsAreUnderstood) {
  const FioInput input = Parse(
      "-cpus_allowed=0-7 -output=wrr_test1 -group_reporting -ioengine=libaio -name=/dev/nvme0n1 "
      "-rw=randread -filename=/dev/nvme0n1 -size=100% -direct=1 -bs=4k -numjobs=8 -terse-version=3 "
      "-minimal -iodepth=32 -time_based -runtime=60");
  EXPECT_TRUE(input.warnings.empty());
  ASSERT_EQ(input.jobs.size(), 1u);
  const JobSpec& job = input.jobs[0];
  EXPECT_EQ(job.name, "/dev/nvme0n1");
  EXPECT_EQ(job.cpus_allowed.size(), 8u);
  EXPECT_TRUE(job.group_reporting);
  EXPECT_TRUE(job.time_based);
  EXPECT_EQ(job.size.percent, 100u);
  EXPECT_EQ(input.output.file, "wrr_test1");
  EXPECT_EQ(input.output.formats, std::vector<OutputFormat>{OutputFormat::kTerse});
  EXPECT_EQ(input.output.terse_version, 3);
}

TEST(FioCommandLine, ValuesMayBeTheNextArgumentExceptOfFlags) {
  const FioInput input =
      Parse("--direct 1 --ioengine libaio -bs 8k --time_based=1 --runtime 5 --name a");
  EXPECT_EQ(input.jobs[0].block_sizes[kDirRead].min_bytes, 8192u);
  EXPECT_EQ(input.jobs[0].runtime, 5 * kSec);
  EXPECT_NE(ErrorOf("--name=a --stonewall 1").find("cannot read job file '1'"), std::string::npos);
  EXPECT_EQ(ErrorOf("--name=a --bs"), "--bs: no value; write --bs=...");
}

TEST(FioCommandLine, EachNameOpensAJobAndGlobalMayReturn) {
  const FioInput input = Parse(
      "--ioengine=libaio --direct=1 --name=a --bs=8k --name=global --bs=16k --name=b --name=c "
      "--bs=32k");
  ASSERT_EQ(input.jobs.size(), 3u);
  EXPECT_EQ(input.jobs[0].block_sizes[kDirRead].min_bytes, 8192u);
  EXPECT_EQ(input.jobs[1].block_sizes[kDirRead].min_bytes, 16384u);
  EXPECT_EQ(input.jobs[2].block_sizes[kDirRead].min_bytes, 32768u);
}

TEST(FioCommandLine, JobFilesTakeTheGlobalsAndComeAfterTheJobs) {
  const std::string path = testing::TempDir() + "command_line_test.fio";
  std::ofstream(path) << "[f]\niodepth=4\n[g]\n";
  const FioInput input =
      Parse("--ioengine=libaio --direct=1 --bs=8k " + path + " --name=a --bs=4k");
  ASSERT_EQ(input.jobs.size(), 3u);
  EXPECT_EQ(input.jobs[0].name, "a");
  EXPECT_EQ(input.jobs[1].name, "f");
  EXPECT_EQ(input.jobs[1].block_sizes[kDirRead].min_bytes, 8192u);
  EXPECT_EQ(input.jobs[1].iodepth, 4u);
  const FioInput one = Parse("--ioengine=libaio --direct=1 --section=g " + path);
  ASSERT_EQ(one.jobs.size(), 1u);
  EXPECT_EQ(one.jobs[0].name, "g");
  std::remove(path.c_str());
}

TEST(FioCommandLine, OutputFormatsMayBeAList) {
  const FioInput input =
      Parse("--output-format=normal,json+ --ioengine=libaio --direct=1 --name=a");
  EXPECT_EQ(input.output.formats,
            (std::vector<OutputFormat>{OutputFormat::kNormal, OutputFormat::kJsonPlus}));
  EXPECT_NE(ErrorOf("--output-format=xml --name=a").find("unknown format 'xml'; normal terse json"),
            std::string::npos);
  EXPECT_NE(ErrorOf("--terse-version=5 --name=a").find("terse version 3 is"), std::string::npos);
}

TEST(FioCommandLine, ReadonlyRefusesWriters) {
  EXPECT_EQ(ErrorOf("--readonly --direct=1 --rw=randwrite --name=w"),
            "--name=w: job 'w': writes under --readonly; drop --readonly or use rw=read or "
            "rw=randread");
  EXPECT_EQ(ErrorOf("--readonly --direct=1 --rw=randread --name=r"), "no error");
}

TEST(FioCommandLine, OptionsOfFioThatDoNothingHereWarnOrFail) {
  const FioInput input = Parse("--eta-newline=1 --eta=never --direct=1 --name=a");
  ASSERT_EQ(input.warnings.size(), 2u);
  EXPECT_EQ(input.warnings[0], "--eta-newline: no effect: use --progress");
  EXPECT_EQ(ErrorOf("--client=host --name=a"),
            "--client: not supported; there is no fio server in a simulation");
}

TEST(FioCommandLine, UnknownOptionsSuggestTheNearest) {
  EXPECT_EQ(ErrorOf("--bsz=4k --name=a").find("--bsz: unknown option; did you mean '--bs"), 0u);
  EXPECT_EQ(ErrorOf("--numjob=4 --name=a"), "--numjob: unknown option; did you mean '--numjobs'?");
  EXPECT_EQ(ErrorOf("--bs=4k"), "fio: no jobs; give --name=... or a job file with a section");
  EXPECT_EQ(ErrorOf("---bs=4k"), "fio: '---bs=4k' is no option; --key=value");
  EXPECT_NE(ErrorOf("--bs=4z --direct=1 --name=a").find("--bs: bs=4z: unknown size suffix"),
            std::string::npos);
}

TEST(FioCommandLine, ShellWordsKeepQuotedBlanks) {
  EXPECT_EQ(SplitShellLine("fio  --name='a b' \"--bs=4k\"\\\n --x=\\ y", "t"),
            (std::vector<std::string>{"--name=a b", "--bs=4k", "--x= y"}));
  EXPECT_THROW((void)SplitShellLine("--name='a", "line 3"), UserError);
}

}  // namespace
}  // namespace nvmearb::host::fio
