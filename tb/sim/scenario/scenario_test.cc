// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "host_driver/base/user_error.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/published.h"
#include "sim/scenario/reader.h"

namespace nvmearb::sim {
namespace {

// 1 title, 2 source, 3 [[cgroup]], 5 [[job]], 8 [[variant]]
const std::string kSmall = R"(title = "t"
source = "s"
[[cgroup]]
name = "high"
[[job]]
name = "a"
command = "--name=a --rw=read"
[[variant]]
name = "v"
)";

/// The message of reading `text`, or "" when it is accepted.
std::string ErrorOf(const std::string& text, const std::vector<std::string>& settings = {}) {
  try {
    ParseScenario(text, "x.toml", settings);
  } catch (const host::UserError& error) {
    return error.what();
  }
  return "";
}

void ExpectError(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << '"' << message << "\" lacks " << part;
  }
  EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
}

TEST(Scenario, ReadsASmallFile) {
  const Scenario scenario = ParseScenario(kSmall, "dir/small.toml", {});
  EXPECT_EQ(scenario.name, "small");
  EXPECT_EQ(scenario.folder, "dir");
  ASSERT_EQ(scenario.jobs.size(), 1u);
  EXPECT_EQ(scenario.jobs[0].command, "--name=a --rw=read");
  EXPECT_EQ(scenario.variants[0].name, "v");
  EXPECT_FALSE(scenario.run.runtime_ps.has_value());
}

TEST(Scenario, UnknownKeyNamesFileLineKeyAndTheNearestKey) {
  ExpectError(ErrorOf(kSmall + "nam = \"x\"\n"),
              {"x.toml:10: variant[].nam: unknown key", "did you mean \"name\"?", "allowed here:"});
  ExpectError(ErrorOf("sorce = \"s\"\n" + kSmall), {"x.toml:1: sorce", "did you mean \"source\"?"});
  ExpectError(ErrorOf(kSmall + "device.windw = 8\n"),
              {"x.toml:10: variant[].device.windw: unknown key", "\"window\""});
}

TEST(Scenario, MissingKeyNamesTheTableThatLacksIt) {
  ExpectError(ErrorOf(kSmall + "[[variant]]\nnote = \"n\"\n"),
              {"x.toml:10: variant[].name: missing", "a string"});
  ExpectError(ErrorOf("title = \"t\"\nsource = \"s\"\n"), {"x.toml:1: job: missing", "[[job]]"});
}

TEST(Scenario, ListOfNothingIsMissing) {
  ExpectError(ErrorOf("title = \"t\"\nsource = \"s\"\njob = []\nvariant = []\n"),
              {"x.toml:1: job: missing", "[[job]]"});
}

TEST(Scenario, QuotedNamesAreNotPaths) {
  ExpectError(ErrorOf("\"variant[].burst\" = 3\n" + kSmall), {"x.toml:1: ", "unknown key"});
  ExpectError(ErrorOf("\"run.seed\" = 3\n" + kSmall), {"x.toml:1: run.seed: unknown key"});
  ExpectError(ErrorOf(kSmall + "[\"variant[]\"]\nburst = 3\n"), {"x.toml:10: ", "unknown key"});
  ExpectError(ErrorOf(kSmall + "\"device.window\" = 8\n"), {"x.toml:10: ", "unknown key"});
  EXPECT_EQ(ErrorOf(kSmall + "io_wrr = { \"a.b\" = \"low\" }\n[[cgroup]]\nname = \"a.b\"\n"), "");
}

TEST(Scenario, ValueInPlaceOfATableSaysSo) {
  ExpectError(ErrorOf("job = 3\ntitle = \"t\"\n"), {"x.toml:1: job: not a table", "[[job]]"});
  ExpectError(ErrorOf(kSmall + "io_wrr = 5\n"), {"x.toml:10: variant[].io_wrr: not a table"});
  ExpectError(ErrorOf(kSmall + "io_wrr.high.x = \"low\"\nio_wrr.high.y = \"low\"\n"),
              {"x.toml:10: variant[].io_wrr.high: ", "one of none"});
}

TEST(Scenario, CgroupsAreToldApartByTheirPath) {
  ExpectError(ErrorOf(kSmall + "[[cgroup]]\nname = \"/high/\"\n"),
              {"x.toml:10: cgroup[].name: \"/high/\" again (first at line 3)"});
  ExpectError(ErrorOf(kSmall + "[[cgroup]]\nname = \"/\"\n"),
              {"x.toml:10: cgroup[].name: ", "root"});
}

TEST(Scenario, DuplicateKeyIsRefusedWithItsLine) {
  ExpectError(ErrorOf("title = \"t\"\ntitle = \"u\"\n"), {"x.toml:2: ", "redefine", "'title'"});
  ExpectError(ErrorOf(kSmall + "[[variant]]\nname = \"v\"\n"),
              {"x.toml:10: variant[].name: \"v\" again (first at line 8)"});
}

TEST(Scenario, ValueOutOfRangeOrOfAnotherTypeSaysWhatIsAllowed) {
  ExpectError(ErrorOf(kSmall + "burst = 8\n"),
              {"x.toml:10: variant[].burst: 8; allowed: an integer from 0 to 7"});
  ExpectError(ErrorOf(kSmall + "burst = \"1\"\n"), {"variant[].burst: \"1\"", "an integer"});
  ExpectError(ErrorOf(kSmall + "weights = [6, 3]\n"), {"variant[].weights", "three integers"});
  ExpectError(ErrorOf(kSmall + "weights = [6, 3, 0]\n"), {"three integers from 1 to 256"});
  ExpectError(ErrorOf(kSmall + "io_wrr = { high = \"top\" }\n"),
              {"variant[].io_wrr.high: \"top\"", "one of none, low, medium, high, urgent"});
  ExpectError(ErrorOf("[run]\nruntime = \"5\"\n" + kSmall),
              {"x.toml:2: run.runtime: \"5\"", "unit"});
  ExpectError(ErrorOf("title = 5\n"), {"x.toml:1: title: 5; allowed: a string"});
}

TEST(Scenario, SyntaxErrorHasItsLine) {
  ExpectError(ErrorOf("title = \"t\"\nsource = \n"), {"x.toml:2: ", "expected value"});
}

TEST(Scenario, NamesThatDoNotExistAreRefused) {
  ExpectError(ErrorOf(kSmall + "io_wrr = { hgh = \"low\" }\n"),
              {"x.toml:8: variant[].io_wrr: \"hgh\" is not in this file", "high"});
  ExpectError(ErrorOf(kSmall + "[[job]]\nname = \"b\"\ncommand = \"x\"\ncgroup = \"mid\"\n"),
              {"x.toml:10: job[].cgroup: \"mid\" is not in this file"});
  ExpectError(ErrorOf(kSmall + "[[job]]\nname = \"b\"\n"), {"neither file nor command"});
  ExpectError(ErrorOf(kSmall + "[[job]]\nname = \"b\"\nfile = \"no.fio\"\n"),
              {"x.toml:10: job[].file: there is no file \"no.fio\""});
}

TEST(Scenario, ADeviceThatDiffersBetweenVariantsNeedsItsReason) {
  ExpectError(ErrorOf(kSmall + "device.window = 8\n"), {"variant[].note", "device.window"});
  EXPECT_EQ(ErrorOf(kSmall + "device.window = 8\nnote = \"because\"\n"), "");
}

TEST(Scenario, AShortenedRunNeedsItsReason) {
  ExpectError(ErrorOf(kSmall + "[run]\nruntime = \"1s\"\n"), {"run.reason: missing"});
  EXPECT_EQ(ErrorOf(kSmall, {"run.runtime=1s"}), "");
}

TEST(Scenario, SetReachesEveryKindOfKey) {
  const Scenario scenario = ParseScenario(
      kSmall, "x.toml",
      {"run.runtime=5ms", "device.window=16", "variant.v.weights=65,33,9",
       "variant.v.device.window=17", "variant.v.io_wrr.high=low", "job.a.cgroup=high"});
  EXPECT_EQ(scenario.run.runtime_ps, 5'000'000'000);
  ASSERT_EQ(scenario.overrides.size(), 1u);
  EXPECT_EQ(scenario.overrides[0].value.integer, 16);
  EXPECT_EQ(scenario.variants[0].overrides[0].value.integer, 17);
  EXPECT_EQ(scenario.variants[0].weights, (std::array<int, 3>{65, 33, 9}));
  EXPECT_EQ(scenario.variants[0].io_wrr.at("high"), "low");
  EXPECT_EQ(scenario.jobs[0].cgroup, "high");
}

TEST(Scenario, SetRefusesWhatTheFileWouldRefuse) {
  ExpectError(ErrorOf(kSmall, {"device.windw=1"}),
              {"--set device.windw: unknown key", "did you mean \"device.window\"?"});
  ExpectError(ErrorOf(kSmall, {"device.window=0"}),
              {"--set device.window: \"0\"", "an integer from"});
  ExpectError(ErrorOf(kSmall, {"variant.w.burst=1"}), {"there is no variant \"w\"", "has v"});
  ExpectError(ErrorOf(kSmall, {"run.seed"}), {"--set run.seed: no value"});
  ExpectError(ErrorOf(kSmall, {"variant[].burst=3"}), {"--set variant[].burst: unknown key"});
  ExpectError(ErrorOf(kSmall, {"job[].name=x"}), {"--set job[].name: unknown key"});
  ExpectError(ErrorOf(kSmall, {"host.io_queue_depth=4096"}), {"an integer from 2 to 4095"});
}

TEST(Scenario, EveryKeyHasATypeARangeAndAMeaning) {
  for (const KeySpec& key : ScenarioKeys()) {
    EXPECT_FALSE(key.doc.empty()) << key.path;
    EXPECT_FALSE(DescribeAllowed(key).empty()) << key.path;
    EXPECT_TRUE(key.set != nullptr || key.parameter != nullptr) << key.path;
    if (key.type == ValueType::kInteger || key.type == ValueType::kTime) {
      EXPECT_LT(key.low, key.high) << key.path;
    }
    EXPECT_NE(KeysMarkdown().find(key.path.substr(key.path.rfind('.') + 1)), std::string::npos);
  }
}

TEST(Scenario, ShippedScenariosReadAndTheirPublishedValuesExist) {
  const std::string folder = ScenarioFolder("");
  const std::vector<std::string> paths = ListScenarios(folder);
  ASSERT_GE(paths.size(), 4u);
  for (const std::string& path : paths) {
    const Scenario scenario = ReadScenario(path, {});
    EXPECT_EQ(ExpandComparisons(scenario).empty(), scenario.compares.empty()) << path;
  }
  const auto randread = ExpandComparisons(ReadScenario(folder + "/wrr_v3_randread.toml", {}));
  ASSERT_EQ(randread.size(), 6u);
  EXPECT_EQ(randread[0].published, 220000);
  EXPECT_EQ(randread[3].published, 395000);
  EXPECT_EQ(randread[5].published, 66000);
}

TEST(Scenario, AScenarioThatDoesNotExistGetsTheNearestNames) {
  try {
    FindScenario("wrr_v3_randraed", ScenarioFolder(""));
    FAIL() << "found";
  } catch (const host::UserError& error) {
    ExpectError(error.what(), {"wrr_v3_randraed", "does not exist", "nearest: wrr_v3_randread"});
  }
}

TEST(Scenario, TimesAndBytesReadAndPrint) {
  std::int64_t value = 0;
  EXPECT_TRUE(ParseTime("1.515us", &value));
  EXPECT_EQ(value, 1'515'000);
  EXPECT_EQ(FormatTime(value), "1515ns");
  EXPECT_FALSE(ParseTime("5", &value));
  EXPECT_FALSE(ParseTime("5 us", &value));
  EXPECT_FALSE(ParseTime("-5us", &value));
  EXPECT_FALSE(ParseTime("99999999h", &value));
  EXPECT_TRUE(ParseBytes("128k", &value));
  EXPECT_EQ(value, 131072);
  EXPECT_FALSE(ParseBytes("1x", &value));
}

}  // namespace
}  // namespace nvmearb::sim
