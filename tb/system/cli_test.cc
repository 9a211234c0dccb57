// SPDX-License-Identifier: Apache-2.0
//
// The program as a user meets it: commands, exit codes, one-line messages.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "run_program.h"

namespace nvmearb::system {
namespace {

const std::string kScenario = R"(title = "t"
source = "s"
[[job]]
name = "a"
command = "--name=a --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=4 --runtime=1s"
[[variant]]
name = "v"
)";

/// Exit 2 with one line on standard error that has all of `parts`.
void ExpectUsageError(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& parts) {
  const ProgramResult result = RunProgram(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos)
        << '"' << part << "\" not in: " << result.err;
  }
}

TEST(BadInput, UnknownKeyOfAScenario) {
  const std::string path = WriteTemporary("unknown.toml", kScenario + "brust = 1\n");
  ExpectUsageError({"run", path}, {"unknown.toml:8: variant[].brust: unknown key", "burst"});
}

TEST(BadInput, MissingKeyOfAScenario) {
  const std::string path = WriteTemporary("missing.toml", "source = \"s\"\n");
  ExpectUsageError({"run", path}, {"missing.toml:1: title: missing", "a string"});
}

TEST(BadInput, DuplicateKeyOfAScenario) {
  const std::string path = WriteTemporary("duplicate.toml", kScenario + "name = \"w\"\n");
  ExpectUsageError({"run", path}, {"duplicate.toml:8: ", "name", "once"});
}

TEST(BadInput, ValueOutOfRange) {
  const std::string path = WriteTemporary("range.toml", kScenario + "burst = 9\n");
  ExpectUsageError({"run", path}, {"range.toml:8: variant[].burst: 9", "an integer from 0 to 7"});
  ExpectUsageError({"run", "wrr_v3_randread", "--set", "device.window=1000000"},
                   {"--set device.window", "1000000", "an integer from"});
}

TEST(BadInput, ATableWithoutAName) {
  for (const char* text : {"[\n", "title = \"[\"\n[[ \t\n", "[=]", "[[,]]"}) {
    const std::string path = WriteTemporary("header.toml", text);
    const bool second = text[0] == 't';
    ExpectUsageError({"run", path}, {second ? "header.toml:2: " : "header.toml:1: "});
  }
}

TEST(BadInput, SyntaxErrorInAJobFile) {
  const std::string job = WriteTemporary("bad.fio", "[global]\nbs=4k\n[a\nrw=read\n");
  ExpectUsageError({"fio", job}, {"bad.fio:3"});
  const std::string key = WriteTemporary("key.fio", "[a]\nrw=read\niodeth=4\n");
  ExpectUsageError({"fio", key}, {"key.fio:3", "iodeth", "iodepth"});
}

TEST(BadInput, UnknownOptionInACommandOfAScenario) {
  const std::string path = WriteTemporary("command.toml", R"(title = "t"
source = "s"
[[job]]
name = "a"
command = "--name=a --iodeth=4"
[[variant]]
name = "v"
)");
  ExpectUsageError({"run", path}, {"command.toml:3: job[].command: --iodeth", "iodepth"});
}

TEST(BadInput, ScenarioThatDoesNotExist) {
  ExpectUsageError({"run", "wrr_v3_randred"},
                   {"\"wrr_v3_randred\"", "does not exist", "nearest: wrr_v3_randread"});
  ExpectUsageError({"run", "no/such/file.toml"}, {"does not exist"});
}

TEST(BadInput, MoreQueuesThanTheRtlHas) {
  ExpectUsageError({"run", "wrr_v3_randread", "--set", "host.cpus=4x64x2"},
                   {"512 I/O queues", "-DNVMEARB_SIM_SQS=513", "host.cpus"});
}

TEST(BadInput, SimulationThatMakesNoProgress) {
  const ProgramResult result =
      RunProgram({"run", "wrr_v3_randread", "--engine", "model", "--variant", "rr", "--set",
                  "run.stall=1ms", "--set", "device.read_time=500ms"});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_NE(result.err.find("no progress at"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("head"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("tail"), std::string::npos) << result.err;
}

TEST(BadInput, InterruptGivesWhatWasMeasuredSoFar) {
  const ProgramResult result = RunProgram(
      {"run", "wrr_v3_randread", "--engine", "model", "--runtime", "3600s", "--set", "run.ramp=0s"},
      1000);
  EXPECT_EQ(result.exit_code, 130) << result.out << result.err;
  EXPECT_NE(result.out.find("interrupted"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("medium"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("variant wrr"), std::string::npos) << "went on: " << result.out;
}

TEST(Run, EventsAreThoseOfThePathThatIsNamed) {
  // Under numa, with links of equal distance, all I/O takes the first path.
  const auto events = [](const std::string& path) {
    const std::string file = TemporaryPath("path_" + path + ".csv");
    const ProgramResult result =
        RunProgram({"run", "s003_iopolicy", "--engine", "model", "--variant", "numa", "--runtime",
                    "1ms", "--events", file, "--path", path});
    EXPECT_NE(result.exit_code, 2) << result.err;
    return ReadFile(file).size();
  };
  const std::size_t idle = events("c");
  EXPECT_GT(idle, 100u) << "its admin queue";
  EXPECT_GT(events("a"), 2 * idle);
}

TEST(BadInput, CommandLine) {
  ExpectUsageError({}, {"subcommand"});
  ExpectUsageError({"run"}, {"scenario"});
  ExpectUsageError({"run", "wrr_v3_randread", "--engine", "fpga"}, {"--engine", "fpga"});
  ExpectUsageError({"run", "wrr_v3_randread", "--variant", "x"}, {"--variant", "rr, wrr"});
  ExpectUsageError({"run", "wrr_v3_randread", "--json", "/no/such/folder/x"},
                   {"--json", "/no/such/folder/x"});
  ExpectUsageError({"run", "wrr_v3_randread", "--events", "x.csv"}, {"--events", "--variant"});
  ExpectUsageError({"run", "wrr_v3_randread", "--html", "x.html", "--path", "a"},
                   {"--path", "one controller"});
  ExpectUsageError({"run", "s003_iopolicy", "--html", "x.html", "--path", "e"},
                   {"--path", "no path e", "a, b, c, d"});
  ExpectUsageError({"run", "s003_iopolicy", "--path", "a"}, {"--path", "nothing is shown"});
  ExpectUsageError({"run", "wrr_v3_randread", "--runtime", "5"}, {"run.runtime", "\"5\""});
  ExpectUsageError({"list", "--scenarios", "/no/such/folder"}, {"/no/such/folder"});
}

TEST(BadInput, OutputThatCannotBeKept) {
  ExpectUsageError({"fio", "--name=a", "--rw=read", "--direct=1", "--runtime=3600", "--time_based",
                    "--output=/no/such/folder/x"},
                   {"--output", "/no/such/folder/x"});
  const std::string path = TemporaryPath("both");
  ExpectUsageError({"run", "wrr_v3_randread", "--json", path, "--html", path},
                   {"--json", "--html"});
}

TEST(BadInput, StandardOutputThatTakesNothing) {
  const int status = std::system((ProgramPath() + " list > /dev/full 2> /dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(BadInput, LaterVariantIsRefusedBeforeTheFirstOneRuns) {
  const ProgramResult result = RunProgram({"run", "wrr_v3_randread", "--runtime", "3600s", "--set",
                                           "variant.wrr.host.wrr_high_queues=1000"});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  for (const char* part : {"wrr_v3_randread.toml:", "variant wrr", "wrr_high_queues = 1000"}) {
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  }
}

TEST(BadInput, LevelsOfFio) {
  ExpectUsageError({"fio", "--name=a", "--rw=read", "--io-wrr", "a=low", "--io-wrr", "a=high"},
                   {"--io-wrr", "\"a\" again"});
  ExpectUsageError({"fio", "--name=a", "--rw=read", "--set", "run.runtime=1s"},
                   {"--set run.runtime=1s", "not for"});
  const ProgramResult unused =
      RunProgram({"fio", "--name=a", "--rw=read", "--direct=1", "--cgroup=gold", "--runtime=1ms",
                  "--time_based", "--io-wrr", "glod=high", "--engine", "model"});
  EXPECT_EQ(unused.exit_code, 0) << unused.err;
  EXPECT_NE(unused.err.find("cgroup glod: level high has no effect"), std::string::npos)
      << unused.err;
  ExpectUsageError({"fio", "--name=a", "--rw=read", "--io-wrr", "gold"}, {"\"gold\"", "gold=high"});
}

TEST(Fio, LevelWithoutQueuesOfItsClassIsAWarning) {
  std::vector<std::string> arguments = {
      "fio",           "--name=a",     "--rw=read", "--direct=1",  "--cgroup=gold",
      "--runtime=1ms", "--time_based", "--io-wrr",  "gold=high",   "--engine",
      "model",         "--set",        "",          "--iodepth=2", "--ioengine=libaio"};
  arguments[12] = "host.wrr_low_queues=24";
  const ProgramResult none = RunProgram(arguments);
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_NE(none.err.find("level high has no effect: host.wrr_high_queues is 0"), std::string::npos)
      << none.err;
  arguments[12] = "host.wrr_high_queues=24";
  EXPECT_EQ(RunProgram(arguments).err, "");
}

TEST(Run, AStallKeepsWhatTheVariantsBeforeItMeasured) {
  const std::string path = TemporaryPath("stall.json");
  const ProgramResult result =
      RunProgram({"run", "wrr_v3_randread", "--engine", "model", "--runtime", "5ms", "--set",
                  "run.stall=2ms", "--set", "variant.wrr.device.read_time=500ms", "--set",
                  "variant.wrr.note=slow", "--json", path});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  const auto root = nlohmann::json::parse(ReadFile(path));
  ASSERT_EQ(root["variants"].size(), 1u);
  EXPECT_EQ(root["variants"][0]["name"], "rr");
}

TEST(Run, OutsideTheToleranceIsExitOne) {
  // A window as large as everything outstanding, and a fast controller: arbitration decides
  // nothing.
  const ProgramResult result =
      RunProgram({"run", "wrr_v3_randread", "--engine", "model", "--runtime", "20ms", "--set",
                  "device.window=1024", "--set", "device.fetch_spacing=100ns"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_NE(result.out.find("outside 3 %"), std::string::npos) << result.out;
}

TEST(Run, JsonHasTheFixedFieldsAndFiosKeys) {
  const std::string path = TemporaryPath("fields.json");
  const ProgramResult result = RunProgram(
      {"run", "wrr_v3_randread", "--engine", "model", "--runtime", "20ms", "--json", path});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto root = nlohmann::json::parse(ReadFile(path));
  EXPECT_EQ(root["scenario"], "wrr_v3_randread");
  EXPECT_EQ(root["engine"], "model");
  ASSERT_EQ(root["variants"].size(), 2u);
  const auto& jobs = root["variants"][1]["fio"]["jobs"];
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0]["jobname"], "high");
  EXPECT_NEAR(jobs[0]["read"]["iops"].get<double>(), 395000, 0.05 * 395000);
  EXPECT_TRUE(jobs[0]["read"]["clat_ns"]["percentile"].contains("99.000000"));
  EXPECT_EQ(root["variants"][1]["fio"]["global options"]["rw"], "randread");
  EXPECT_EQ(root["variants"][1]["compare"].size(), 3u);
}

TEST(Run, JsonOnStandardOutputIsThereAlone) {
  const ProgramResult result = RunProgram({"run", "wrr_v3_randread", "--engine", "model",
                                           "--variant", "rr", "--runtime", "20ms", "--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["scenario"], "wrr_v3_randread");
  EXPECT_NE(result.err.find("variant rr"), std::string::npos) << result.err;
}

TEST(Run, PageIsWrittenAndWhole) {
  const std::string path = TemporaryPath("page.html");
  const ProgramResult result = RunProgram(
      {"run", "wrr_v3_randread", "--engine", "model", "--runtime", "20ms", "--html", path});
  if (result.err.find("libjs-chart.js") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const std::string page = ReadFile(path);
  EXPECT_NE(page.find("</html>"), std::string::npos);
  EXPECT_NE(page.find("\"grants\":{\"time_us\":[0.0,"), std::string::npos);
}

TEST(Report, MakesThePageOfARunFromItsJson) {
  const std::string json = TemporaryPath("run.json");
  const std::string page = TemporaryPath("run.html");
  const ProgramResult result = RunProgram({"run", "wrr_v3_randread", "--engine", "model",
                                           "--runtime", "5ms", "--json", json, "--html", page});
  if (result.err.find("libjs-chart.js") != std::string::npos) GTEST_SKIP() << result.err;
  const std::string from_json = RunProgram({"report", json}).out;
  // The report also says which file it is from.
  const std::string mark = ",\"file\":\"" + json + "\"";
  const std::size_t at = from_json.find(mark);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::string(from_json).erase(at, mark.size()), ReadFile(page));
}

TEST(Report, SaysWhatIsWrongWithAFile) {
  const std::string other = WriteTemporary("other.json", "{\"scenario\": 1}");
  const std::string broken = WriteTemporary("broken.json", "{");
  const std::string old = WriteTemporary(
      "old.json",
      "{\"scenario\":1,\"title\":1,\"seed\":1,\"engine\":1,\"variants\":[{\"name\":\"rr\"}]}");
  ExpectUsageError({"report", "/no/such/run.json"}, {"/no/such/run.json: cannot be read"});
  ExpectUsageError({"report", broken}, {"broken.json: is not JSON", "nvmearb run --json"});
  ExpectUsageError({"report", other}, {"other.json: has no \"title\""});
  ExpectUsageError({"report", old}, {"old.json: a variant has no \"device\"", "run it again"});
  ExpectUsageError({"report", old, "-o", old}, {"old.json"});
}

TEST(Run, AnotherRuntimeReplacesTheReasonOfTheScenarios) {
  const ProgramResult result =
      RunProgram({"run", "wrr_v3_randread", "--engine", "model", "--runtime", "20ms"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("time: 20ms, by --runtime"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("The source ran"), std::string::npos) << result.out;
}

TEST(List, NamesComeFirst) {
  const ProgramResult result = RunProgram({"list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(RunProgram({"list", "--json"}).out);
  EXPECT_GE(json.size(), 4u);
  std::istringstream lines(result.out);
  std::string line;
  std::set<std::string> names;
  for (const auto& scenario : json) {
    const std::string name = scenario["name"];
    ASSERT_TRUE(std::getline(lines, line)) << "no line for " << name;
    EXPECT_EQ(line.rfind(name + " ", 0), 0u) << line;
    names.insert(name);
  }
  EXPECT_FALSE(std::getline(lines, line)) << "one line too many: " << line;
  EXPECT_EQ(names.count("wrr_v3_randread"), 1u);
}

TEST(Arbitrate, AnswersFromBothEngines) {
  for (const char* engine : {"rtl", "model"}) {
    const ProgramResult result =
        RunProgram({"arbitrate", "--ams", "rr", "--ab", "2", "--sq", "1:urgent:4", "--sq",
                    "2:urgent:2", "--sq", "3:urgent:1", "--engine", engine});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "1x4 2x2 3\n");
  }
}

TEST(Fio, PrintsWhatFioPrints) {
  const std::string job = WriteTemporary(
      "good.fio",
      "[global]\nioengine=libaio\ndirect=1\nbs=4k\nruntime=5ms\ntime_based\nfilename=/dev/nvme0n1\n"
      "[reader]\nrw=randread\niodepth=4\n");
  const ProgramResult normal = RunProgram({"fio", job, "--engine", "model"});
  EXPECT_EQ(normal.exit_code, 0) << normal.err;
  EXPECT_NE(normal.out.find("reader: (groupid=0, jobs=1)"), std::string::npos) << normal.out;
  const std::string path = TemporaryPath("fio.json");
  const ProgramResult json =
      RunProgram({"fio", job, "--engine", "model", "--output-format=json", "--output=" + path});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  const auto root = nlohmann::json::parse(ReadFile(path));
  EXPECT_EQ(root["jobs"][0]["jobname"], "reader");
  EXPECT_GT(root["jobs"][0]["read"]["total_ios"], 100);
}

TEST(Program, SaysItsVersionAndHelps) {
  EXPECT_EQ(RunProgram({"--version"}).out.rfind("nvmearb ", 0), 0u);
  for (const char* command : {"run", "list", "show-regs", "arbitrate", "fio"}) {
    const ProgramResult help = RunProgram({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Options:"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace nvmearb::system
