// SPDX-License-Identifier: Apache-2.0
//
// `nvmearb explain`, `list` and `sweep` as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_program.h"
#include "sim/report/plan.h"

namespace nvmearb::system {
namespace {

TEST(Ranges, AreAsShortAsTheyCanBe) {
  EXPECT_EQ(sim::Ranges({}), "");
  EXPECT_EQ(sim::Ranges({5}), "5");
  EXPECT_EQ(sim::Ranges({1, 2}), "1,2");
  EXPECT_EQ(sim::Ranges({0, 1, 2, 3, 8, 10, 11, 12}), "0-3,8,10-12");
  EXPECT_EQ(sim::Ranges({0, 0, 1}), "0,1");
}

/// The line of `text` that begins, behind blanks, with `start`.
std::string LineOf(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, start.size(), start) == 0) {
      return line.substr(first);
    }
  }
  return "no line begins with " + start + " in:\n" + text;
}

TEST(Explain, ShowsWhatADriverMakesOfTheScenario) {
  const ProgramResult result = RunProgram({"explain", "wrr_v3_randread"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string& out = result.out;
  EXPECT_EQ(LineOf(out, "compares"), "compares iops of 3 jobs in 2 variants, 6 published values");
  EXPECT_EQ(LineOf(out, "variant rr"), "variant rr: 96 CPUs (2x24x2), drive p4510");
  EXPECT_EQ(LineOf(out, "arbitration: round"), "arbitration: round robin, burst 1");
  const std::string wrr = out.substr(out.find("variant wrr"));
  EXPECT_NE(LineOf(wrr, "set:").find("host.wrr_high_queues = 24"), std::string::npos);
  EXPECT_NE(LineOf(wrr, "arbitration:").find("weights 6:3:1 (the drive's own)"), std::string::npos)
      << LineOf(wrr, "arbitration:");
  // 24 queues each; default queues share the weight of class medium with the medium ones.
  EXPECT_EQ(LineOf(wrr, "high  "),
            "high          24  73-96      high               6            60.0 %");
  EXPECT_EQ(LineOf(wrr, "medium  "),
            "medium        24  49-72      medium             3            15.0 %");
  EXPECT_NE(LineOf(wrr, "at most")
                .find("at most 768 I/Os outstanding, 256 in the drive's window: "
                      "the arbiter decides who waits"),
            std::string::npos);
  EXPECT_NE(wrr.find(" 1: 0"), std::string::npos) << "SQ 1 belongs to CPU 0";
}

TEST(Explain, ShowsThePaths) {
  const ProgramResult result =
      RunProgram({"explain", "s003_iopolicy", "--set", "path.c.numa_node=0", "--set",
                  "path.c.bandwidth=1000000000", "--set", "path.c.ana=non-optimized"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(LineOf(result.out, "c  "),
            "c            own             5us      200us       2700ns    1000.0 MB/s     0  "
            "non-optimized 48");
  EXPECT_NE(LineOf(result.out, "iopolicy").find("numa"), std::string::npos);
}

TEST(Explain, SaysWhenArbitrationDecidesNothing) {
  const ProgramResult result =
      RunProgram({"explain", "wrr_v3_randread", "--variant", "rr", "--set", "device.window=1024"});
  EXPECT_NE(result.out.find("all fit, arbitration decides nothing"), std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("variant wrr"), std::string::npos);
  EXPECT_EQ(RunProgram({"explain", "wrr_v3_randread", "--variant", "x"}).exit_code, 2);
}

TEST(List, NamesSourceAndComparisonsInOneLineEach) {
  const ProgramResult result = RunProgram({"list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string line = LineOf(result.out, "wrr_v3_randread ");
  EXPECT_NE(line.find("compares iops of 3 jobs in 2 variants, 6 published values"),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("source: cover letter"), std::string::npos) << line;
  const auto root = nlohmann::json::parse(RunProgram({"list", "--json"}).out);
  EXPECT_EQ(root.size(),
            static_cast<std::size_t>(std::count(result.out.begin(), result.out.end(), '\n')));
  const auto found = std::find_if(root.begin(), root.end(), [](const auto& entry) {
    return entry["name"] == "wrr_v3_randread";
  });
  ASSERT_NE(found, root.end());
  EXPECT_EQ((*found)["compares"][0]["metric"], "iops");
}

const std::vector<std::string> kSweep = {"sweep",     "wrr_v3_randread",
                                         "--engine",  "model",
                                         "--variant", "wrr",
                                         "--runtime", "5ms",
                                         "--set",     "device.window=128,1024",
                                         "--set",     "variant.wrr.weights=1,1,1/6,3,1"};

TEST(Sweep, GivesOneRowPerPointVariantAndJob) {
  const ProgramResult one = RunProgram(kSweep);
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 1 + 2 * 2 * 3);
  EXPECT_EQ(one.out.rfind("device.window,variant.wrr.weights,variant,job,", 0), 0u);
  EXPECT_EQ(
      LineOf(one.out, "128,\"6,3,1\",wrr,high").rfind("128,\"6,3,1\",wrr,high,/high,high,", 0), 0u)
      << one.out;
  std::vector<std::string> two = kSweep;
  two.insert(two.end(), {"--jobs", "2"});
  EXPECT_EQ(RunProgram(two).out, one.out) << "the same bytes, however many at a time";
}

TEST(Sweep, WritesAPage) {
  std::vector<std::string> arguments = kSweep;
  const std::string page = TemporaryPath("sweep.html");
  const std::string csv = TemporaryPath("sweep.csv");
  arguments.insert(arguments.end(), {"--html", page, "--csv", csv, "--progress"});
  const ProgramResult result = RunProgram(arguments);
  if (result.err.find("libjs-chart.js") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("4 of 4 points, 0 running"), std::string::npos) << result.err;
  const std::string text = ReadFile(page);
  EXPECT_NE(text.find("</html>"), std::string::npos);
  EXPECT_NE(text.find("\"keys\":[\"device.window\",\"variant.wrr.weights\"]"), std::string::npos);
  EXPECT_NE(ReadFile(csv).find("1024,\"1,1,1\",wrr,low"), std::string::npos);
}

TEST(Sweep, BadValuesAreRefusedBeforeAnythingRuns) {
  const auto expect = [](const std::vector<std::string>& extra, const char* part) {
    std::vector<std::string> arguments = {"sweep", "wrr_v3_randread", "--engine", "model"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  };
  expect({}, "nothing to vary");
  expect({"--set", "device.window=64,none"}, "--set device.window: \"none\"");
  expect({"--set", "device.windw=64,128"}, "did you mean \"device.window\"");
  expect({"--set", "variant.wrr.host.wrr_high_queues=24,1000"}, "wrr_high_queues = 1000");
  expect({"--set", "device.window=64,128", "--jobs", "0"}, "--jobs");
  expect({"--set", "device.window=64,128", "--variant", "x"}, "--variant");
}

}  // namespace
}  // namespace nvmearb::system
