// SPDX-License-Identifier: Apache-2.0
//
// Block traces through the whole machine: `nvmearb replay` and [[job]] trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run_program.h"

namespace nvmearb::system {
namespace {

using Json = nlohmann::json;

std::string Sample(const std::string& file) { return std::string(TRACE_TESTDATA) + "/" + file; }

ProgramResult Replay(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"replay", "--engine", "model"});
  return RunProgram(arguments);
}

Json ReplayJson(std::vector<std::string> arguments) {
  arguments.emplace_back("--output-format=json");
  const ProgramResult result = Replay(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

TEST(Replay, GivesFiosOutputPerVolume) {
  const Json root = ReplayJson({Sample("msr.csv")});
  ASSERT_EQ(root["jobs"].size(), 2u);
  const Json& job = root["jobs"][0];
  EXPECT_EQ(job["jobname"], "src1_2");
  EXPECT_EQ(job["job options"]["trace_format"], "msr");
  EXPECT_EQ(job["read"]["total_ios"], 1);
  EXPECT_EQ(job["write"]["total_ios"], 2);
  EXPECT_EQ(job["write"]["io_bytes"], 8192 + 65536);
  EXPECT_EQ(job["read"]["runtime"], 3001) << "3 s of the trace and the last write";
  EXPECT_EQ(root["jobs"][1]["jobname"], "src1_1");
}

TEST(Replay, SaysWhatItRead) {
  const ProgramResult result =
      Replay({Sample("blkparse.txt"), "--by", "process", "--speedup", "10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("trace: format blkparse, 4 I/Os over 3.000000 s on 2 volumes"),
            std::string::npos)
      << result.err;
  for (const char* part : {"postgres: (g=0): rw=rw, bs=(R) 4096B-4096B", "jbd2/nvme0n1-8: (groupid",
                           "Web Content", "run=30"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " not in " << result.out;
  }
}

TEST(Replay, BothEnginesMakeTheSameIos) {
  const auto bytes = [](const char* engine) {
    const ProgramResult result = RunProgram({"replay", "--engine", engine, Sample("alibaba.csv"),
                                             "--speedup", "100", "--output-format=json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out)["jobs"][0]["write"]["io_bytes"];
  };
  EXPECT_EQ(bytes("rtl"), bytes("model"));
}

/// Two volumes that overload the drive for 20 ms.
std::string Overload() {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += fmt::format("{},R,{},4096,{}\n", i % 2 == 0 ? 7 : 8, i * 7919LL % 1000003 * 4096, i);
  }
  return text;
}

std::vector<std::string> WithLevels(const std::string& trace) {
  return {trace,
          "--map",
          "7=gold",
          "--map",
          "*=bronze",
          "--io-wrr",
          "gold=high",
          "--io-wrr",
          "bronze=low",
          "--set",
          "host.wrr_high_queues=24",
          "--set",
          "host.wrr_low_queues=24"};
}

TEST(Replay, VolumesInCgroupsOfDifferentLevelsWaitDifferently) {
  const std::string trace = WriteTemporary("overload.csv", Overload());
  const Json mapped = ReplayJson(WithLevels(trace));
  ASSERT_EQ(mapped["jobs"].size(), 2u);
  const auto mean = [&mapped](const char* name) {
    for (const Json& job : mapped["jobs"]) {
      if (job["jobname"] != name) continue;
      EXPECT_EQ(job["read"]["total_ios"], 10000);
      return job["read"]["lat_ns"]["mean"].get<double>();
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_LT(3 * mean("gold"), mean("bronze"));
  const Json same = ReplayJson({trace});
  const auto lat = [&same](int job) {
    return same["jobs"][job]["read"]["lat_ns"]["mean"].get<double>();
  };
  EXPECT_NEAR(lat(0) / lat(1), 1, 0.05) << "without levels nobody is preferred";
}

TEST(Replay, AMapFileSaysTheSameAsItsOptions) {
  const std::string trace = WriteTemporary("overload.csv", Overload());
  const std::string map =
      WriteTemporary("map.toml", "by = \"device\"\n[map]\n7 = \"gold\"\n\"*\" = \"bronze\"\n");
  std::vector<std::string> arguments = WithLevels(trace);
  const Json by_options = ReplayJson(arguments);
  arguments.erase(arguments.begin() + 1, arguments.begin() + 5);
  arguments.insert(arguments.end(), {"--map-file", map});
  EXPECT_EQ(ReplayJson(arguments), by_options);
}

TEST(Replay, ClosedLoopKeepsItsDepth) {
  const std::string trace = WriteTemporary("overload.csv", Overload());
  const Json root = ReplayJson({trace, "--closed-loop", "4", "--by", "all"});
  const Json& job = root["jobs"][0];
  EXPECT_EQ(job["iodepth_level"]["8"], 0.0);
  EXPECT_GT(job["iodepth_level"]["4"], 90.0);
  EXPECT_EQ(job["job options"]["iodepth"], "4");
  EXPECT_EQ(job["read"]["total_ios"], 20000);
}

void ExpectError(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const ProgramResult result = Replay(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " not in " << result.err;
  }
}

TEST(Replay, ABadLineIsExitTwoWithItsPlace) {
  const std::string bad = WriteTemporary("bad.csv", Overload() + "7,R,12x,4096,20001\n");
  ExpectError({bad}, {"bad.csv:20001: offset \"12x\"; expected a whole number", "(alibaba)"});
}

TEST(Replay, BadOptionsAreExitTwo) {
  ExpectError({"/no/such/file"}, {"/no/such/file: cannot be opened"});
  ExpectError({}, {"no trace"});
  ExpectError({Sample("msr.csv"), "--format", "msrc"}, {"\"msrc\" is no trace format", "msr"});
  ExpectError({Sample("msr.csv"), "--map", "src1_2"}, {"--map: \"src1_2\" is not KEY=CGROUP"});
  ExpectError({Sample("msr.csv"), "--map", "a=b", "--map", "a=c"}, {"\"a\" again"});
  ExpectError({Sample("msr.csv"), "--speedup", "0"}, {"--speedup"});
  ExpectError({Sample("msr.csv"), "--set", "run.seed=7"}, {"not for `nvmearb replay`"});
  const std::string map = WriteTemporary("bad_map.toml", "by = \"disk\"\n");
  ExpectError({Sample("msr.csv"), "--map-file", map}, {"bad_map.toml:1: by: \"disk\""});
  const std::string key = WriteTemporary("bad_key.toml", "[map]\nx = 1\n");
  ExpectError({Sample("msr.csv"), "--map-file", key}, {"bad_key.toml:2: x: not a string"});
}

TEST(Replay, ListsItsFormats) {
  const ProgramResult result = RunProgram({"replay", "--list-formats"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name :
       {"fio ", "blkparse ", "msr ", "systor ", "spc ", "fiu ", "alibaba ", "tencent ", "mqsim "}) {
    EXPECT_NE(result.out.find(name), std::string::npos) << name;
  }
}

TEST(TraceInAScenario, RunsBesideAFioJobUnderEveryVariant) {
  const std::string trace = WriteTemporary("overload.csv", Overload());
  const std::string scenario = WriteTemporary("trace.toml", fmt::format(R"(title = "t"
source = "s"
[[cgroup]]
name = "gold"
[[job]]
name = "tenant"
trace = "{}"
speedup = 2
map = {{ 7 = "gold" }}
[[job]]
name = "scan"
command = "--name=a --rw=read --bs=128k --direct=1 --ioengine=libaio --iodepth=4 --size=64m"
[[variant]]
name = "rr"
[[variant]]
name = "wrr"
io_wrr = {{ gold = "high" }}
host.wrr_high_queues = 24
)",
                                                                        trace));
  const std::string json = TemporaryPath("trace.json");
  const ProgramResult result = RunProgram({"run", scenario, "--engine", "model", "--json", json});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* row : {"tenant/gold ", "tenant/8 ", "scan ", "trace: format alibaba"}) {
    EXPECT_NE(result.out.find(row), std::string::npos) << row << " not in " << result.out;
  }
  const Json root = Json::parse(ReadFile(json));
  EXPECT_EQ(root["variants"][1]["fio"]["jobs"].size(), 3u);
  EXPECT_EQ(root["variants"][1]["device"]["fetched_by_class"]["high"], 10000);
}

TEST(TraceInAScenario, KeysOfTracesNeedOne) {
  const std::string scenario = WriteTemporary("keys.toml", R"(title = "t"
source = "s"
[[job]]
name = "a"
command = "--name=a --rw=read"
speedup = 2
[[variant]]
name = "v"
)");
  const ProgramResult result = RunProgram({"run", scenario});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("keys.toml:3: job[].trace: missing"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace nvmearb::system
