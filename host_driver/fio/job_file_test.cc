// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/job_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "host_driver/base/user_error.h"
#include "nvme/base/random.h"

namespace nvmearb::host::fio {
namespace {

ParseContext Context() {
  ParseContext context;
  context.cpu_count = 96;
  context.memory_mb = 1000;
  context.environment = [](const std::string& name) -> const char* {
    if (name == "SIZE") return "3m";
    if (name == "SECTION") return "from-env";
    return nullptr;
  };
  return context;
}

FioInput Parse(const std::string& text) { return ParseJobText(text, "job.fio", Context()); }

std::string ErrorOf(const std::string& text) {
  try {
    (void)Parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

// A job with just what every test needs, plus `lines`.
std::string Job(const std::string& lines) { return "[a]\nioengine=libaio\ndirect=1\n" + lines; }

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    static int number = 0;
    path_ = testing::TempDir() + "fio_test_" + std::to_string(++number) + ".fio";
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string name() const { return path_.substr(path_.rfind('/') + 1); }

 private:
  std::string path_;
};

TEST(FioJobFile, GlobalSectionsApplyToTheSectionsBelowThem) {
  const FioInput input = Parse(
      "[global]\nioengine=libaio\ndirect=1\nbs=4k\n[a]\n[global]\nbs=8k\niodepth=4\n[b]\nbs=16k\n"
      "[c]\n");
  ASSERT_EQ(input.jobs.size(), 3u);
  EXPECT_EQ(input.jobs[0].block_sizes[kDirRead].min_bytes, 4096u);
  EXPECT_EQ(input.jobs[0].iodepth, 1u);
  EXPECT_EQ(input.jobs[1].block_sizes[kDirRead].min_bytes, 16384u);
  EXPECT_EQ(input.jobs[1].iodepth, 4u);
  EXPECT_EQ(input.jobs[2].block_sizes[kDirWrite].min_bytes, 8192u);
  EXPECT_EQ(input.jobs[2].name, "c");
  EXPECT_EQ(input.jobs[2].where, "job.fio:11");
}

TEST(FioJobFile, CommentsAndBlanksAreNoContent) {
  const FioInput input = Parse(
      "; first\n# second\n\n  [ a job ]  ; named\n  ioengine = libaio # engine\n\tdirect=1\nbs = "
      "8k\n");
  ASSERT_EQ(input.jobs.size(), 1u);
  EXPECT_EQ(input.jobs[0].name, "a job");
  EXPECT_EQ(input.jobs[0].ioengine, "libaio");
  EXPECT_EQ(input.jobs[0].block_sizes[kDirRead].min_bytes, 8192u);
}

TEST(FioJobFile, FlagsAreOnByNameAndOffByZero) {
  const FioInput input = Parse(
      "[global]\nioengine=libaio\ndirect=1\nstonewall\nnorandommap\n[a]\nstonewall=0\nthread\n");
  EXPECT_FALSE(input.jobs[0].stonewall);
  EXPECT_TRUE(input.jobs[0].norandommap);
  EXPECT_TRUE(input.jobs[0].thread);
}

TEST(FioJobFile, AliasesMeanTheSameKey) {
  const JobSpec job = Parse(Job("blocksize=64k\ntimeout=5\nreadwrite=write\niodepth=8\n"
                                "iodepth_batch_submit=2\niodepth_batch_complete=3\n"))
                          .jobs[0];
  EXPECT_EQ(job.block_sizes[kDirWrite].min_bytes, 65536u);
  EXPECT_EQ(job.runtime, 5 * kSec);
  EXPECT_TRUE(job.writes);
  EXPECT_FALSE(job.reads);
  EXPECT_EQ(job.batch_submit, 2u);
  EXPECT_EQ(job.batch_complete_min, 3u);
  EXPECT_EQ(job.batch_complete_max, 3u);
}

TEST(FioJobFile, OptionStringsCarryCanonicalNamesAndOnlyKeysWithValues) {
  const FioInput input = Parse(
      "[global]\nioengine=libaio\ndirect=1\ngroup_reporting\n[a]\nblocksize=4k\nthread\nbs=8k\n"
      "numjobs=2\n");
  const OptionStrings globals = {{"ioengine", "libaio"}, {"direct", "1"}};
  const OptionStrings own = {{"bs", "8k"}, {"numjobs", "2"}};
  EXPECT_EQ(input.global_options, globals);
  EXPECT_EQ(input.jobs[0].job_options, own);
}

TEST(FioJobFile, ALaterDuplicateWinsAndWarns) {
  const FioInput input = Parse(Job("bs=4k\nblocksize=8k\n"));
  EXPECT_EQ(input.jobs[0].block_sizes[kDirRead].min_bytes, 8192u);
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_EQ(
      input.warnings[0],
      "job.fio:5: 'blocksize' is given again in [a] (first at job.fio:4); the later one counts");
}

TEST(FioJobFile, GlobalsOverriddenInAJobDoNotWarn) {
  EXPECT_TRUE(Parse("[global]\nioengine=libaio\ndirect=1\nbs=4k\n[a]\nbs=8k\n").warnings.empty());
}

TEST(FioJobFile, EnvironmentVariablesAreReplaced) {
  const FioInput input = Parse("[${SECTION}]\nioengine=libaio\ndirect=1\nsize=${SIZE}\n");
  EXPECT_EQ(input.jobs[0].name, "from-env");
  EXPECT_EQ(input.jobs[0].size.bytes, 3u << 20);
  EXPECT_EQ(ErrorOf(Job("size=${NOPE}\n")),
            "job.fio:4: environment variable NOPE is not set; run with NOPE=value");
  EXPECT_NE(ErrorOf(Job("size=${SIZE\n")).find("job.fio:4: '${SIZE' has no closing brace"),
            std::string::npos);
}

TEST(FioJobFile, KeywordsTakePartInArithmetic) {
  const JobSpec job =
      Parse(Job("iodepth=$ncpus+1\nbs=$pagesize*2\nnumber_ios=($mb_memory-4)/3\n")).jobs[0];
  EXPECT_EQ(job.iodepth, 97u);
  EXPECT_EQ(job.block_sizes[kDirRead].min_bytes, 8192u);
  EXPECT_EQ(job.number_ios, 332u);
  EXPECT_NE(ErrorOf(Job("iodepth=$ncpus+\n")).find("cannot calculate '96+'"), std::string::npos);
  EXPECT_NE(ErrorOf(Job("iodepth=$ncpus/0\n")).find("division by zero"), std::string::npos);
  EXPECT_NE(ErrorOf(Job("iodepth=1-$ncpus\n")).find("the expression is -95"), std::string::npos);
}

TEST(FioJobFile, IncludesAreReadInPlaceRelativeToTheFile) {
  const TemporaryFile inner("iodepth=7\n[b]\nbs=8k\n");
  const TemporaryFile outer("[a]\nioengine=libaio\ndirect=1\ninclude " + inner.name() +
                            "\nrw=randread\nioengine=libaio\ndirect=1\n");
  const FioInput input = ParseJobFiles({outer.path()}, Context());
  ASSERT_EQ(input.jobs.size(), 2u);
  EXPECT_EQ(input.jobs[0].iodepth, 7u);
  EXPECT_EQ(input.jobs[1].block_sizes[kDirRead].min_bytes, 8192u);
  EXPECT_TRUE(input.jobs[1].random);
}

TEST(FioJobFile, ErrorsInIncludedFilesNameThatFile) {
  const TemporaryFile inner("\nnonsense=1\n");
  const TemporaryFile outer("[a]\ninclude " + inner.path() + "\n");
  try {
    (void)ParseJobFiles({outer.path()}, Context());
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).find(inner.path() + ":2: unknown option 'nonsense'"), 0u);
  }
}

TEST(FioJobFile, AFileThatIncludesItselfIsAnError) {
  const TemporaryFile file("[a]\ninclude " + testing::TempDir() + "loop.fio\n");
  std::ofstream(testing::TempDir() + "loop.fio") << "include loop.fio\n";
  EXPECT_THROW((void)ParseJobFiles({file.path()}, Context()), UserError);
  std::remove((testing::TempDir() + "loop.fio").c_str());
}

TEST(FioJobFile, ASecondFileWaitsForTheFirst) {
  const TemporaryFile first("[global]\nioengine=libaio\ndirect=1\n[a]\n[b]\n");
  const TemporaryFile second("[c]\nbs=8k\n[d]\n");
  const FioInput input = ParseJobFiles({first.path(), second.path()}, Context());
  ASSERT_EQ(input.jobs.size(), 4u);
  EXPECT_FALSE(input.jobs[0].stonewall);
  EXPECT_FALSE(input.jobs[1].stonewall);
  EXPECT_TRUE(input.jobs[2].stonewall);
  EXPECT_FALSE(input.jobs[3].stonewall);
  EXPECT_EQ(input.jobs[3].ioengine, "libaio");
}

TEST(FioJobFile, SyntaxErrorsNameFileAndLine) {
  EXPECT_EQ(ErrorOf("bs=4k\n[a]\n"),
            "job.fio:1: option 'bs' stands before any section; open one with [global] or [name]");
  EXPECT_EQ(ErrorOf("\n[a\nbs=4k\n"),
            "job.fio:2: section '[a' has no closing bracket; write [name]");
  EXPECT_EQ(ErrorOf("[]\n"), "job.fio:1: a section without a name; write [name]");
  EXPECT_EQ(ErrorOf("[a] bs=4k\n"),
            "job.fio:1: ' bs=4k' follows the section name; one section or key to a line");
  EXPECT_EQ(ErrorOf("[a]\nbs 4k\n"),
            "job.fio:2: 'bs 4k' is no option; key=value, a flag, [section] or include file");
  EXPECT_EQ(ErrorOf("[a]\n=4k\n"), "job.fio:2: '=4k' has no key; key=value");
  EXPECT_EQ(ErrorOf("[a]\nbs\n"), "job.fio:2: option 'bs' has no value; write bs=...");
  EXPECT_EQ(ErrorOf("[a]\nbs=\n"), "job.fio:2: option 'bs' has no value; write bs=...");
  EXPECT_EQ(ErrorOf("[global]\nbs=4k\n"),
            "job.fio: no job in it; add a section [name] that is not [global]");
  EXPECT_EQ(ErrorOf("[a]\ninclude \n").find("job.fio:2: "), 0u);
}

TEST(FioJobFile, AMissingFileIsNamed) {
  try {
    (void)ParseJobFiles({"/nonexistent/x.fio"}, Context());
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              "fio: cannot read job file '/nonexistent/x.fio'; No such file or directory");
  }
}

TEST(FioJobFile, UnknownKeysSuggestTheNearestKnownOne) {
  EXPECT_EQ(ErrorOf(Job("blocksiz=4k\n")),
            "job.fio:4: unknown option 'blocksiz'; did you mean 'blocksize'?");
  EXPECT_EQ(ErrorOf(Job("iodpeth=4\n")),
            "job.fio:4: unknown option 'iodpeth'; did you mean 'iodepth'?");
  EXPECT_EQ(ErrorOf(Job("qqqqqqqqqqqqqqqqqqqq=1\n")),
            "job.fio:4: unknown option 'qqqqqqqqqqqqqqqqqqqq'; fio 3.33 has no such option");
}

// Whatever stands in the file: it is understood, or one line says where it is wrong.
TEST(FioJobFile, MutilatedFilesParseOrFailWithTheirPlace) {
  const std::string whole =
      "[global]\nioengine=libaio\ndirect=1\nbs=4k,64k\nbssplit=4k/80:16k/20\nruntime=50ms\n"
      "size=10%\n[a]\nrw=randrw\nrwmixread=70\ncpus_allowed=0-3,7\niodepth=$ncpus*(2+1)\n"
      "stonewall\n[b]\nfilename=a:b\npercentile_list=50:99.9\nstartdelay=1-3\nprio=3\n"
      "rate=1m,2m\nbsrange=1k-4k/2k:8k\nthinktime=5\ndescription=${SECTION}\n";
  constexpr std::string_view kBytes = "=:,-/%[]#;${}()*.0159kmgz \n\t\x01\xff";
  EXPECT_EQ(Parse(whole).jobs.size(), 2u);
  base::Random random(20200204);
  int understood = 0;
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = whole;
    for (std::uint64_t edits = random.InRange(1, 4); edits > 0; --edits) {
      const std::size_t at = random.Below(text.size());
      const char byte = kBytes[random.Below(kBytes.size())];
      switch (random.Below(3)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, random.InRange(1, 8));
          break;
      }
    }
    try {
      (void)Parse(text);
      ++understood;
    } catch (const UserError& error) {
      ++refused;
      const std::string what = error.what();
      EXPECT_EQ(what.find("job.fio"), 0u) << what << "\n" << text;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }
  EXPECT_GT(understood, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace nvmearb::host::fio
