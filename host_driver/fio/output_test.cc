// SPDX-License-Identifier: Apache-2.0
//
// Outputs are compared with what fio 3.33 printed for the same job file (testdata/).
#include "host_driver/fio/output.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "host_driver/base/test_clock.h"
#include "host_driver/fio/job_file.h"
#include "host_driver/fio/numbers.h"
#include "host_driver/fio/output_json.h"
#include "host_driver/fio/output_normal.h"
#include "host_driver/fio/output_terse.h"
#include "host_driver/fio/units.h"
#include "host_driver/workload/fake_block_device.h"

namespace nvmearb::host::fio {
namespace {

using Json = nlohmann::ordered_json;

std::string ReadFile(const std::string& name) {
  std::ifstream stream(std::string(FIO_TESTDATA) + "/" + name);
  EXPECT_TRUE(stream.good()) << name;
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A run of testdata/three_groups.fio, or of other text, against a device of fixed latency.
class OutputTest : public testing::Test {
 protected:
  void Run(const std::string& text) {
    input_ = ParseJobText(text, "three_groups.fio", ParseContext());
    RunnerHooks hooks;
    hooks.device = [this](const std::string&, const JobSpec&) { return &device_; };
    hooks.cgroup = [this](const JobSpec&) { return tree_.root(); };
    runner_ = std::make_unique<Runner>(&clock_, CpuTopology(1, 4, 1), input_.jobs, options_, hooks);
    runner_->Start();
    clock_.RunAll();
    report_ = MakeReport(runner_->Results(), input_.global_options, clock_.Now(), 20);
    DiskUtil disk;
    disk.name = "nvme0n1";
    report_.disks.push_back(disk);
  }

  TestClock clock_;
  CgroupTree tree_;
  FakeBlockDevice device_{&clock_, std::uint64_t{1} << 30, 80 * kUs};
  RunnerOptions options_;
  FioInput input_;
  std::unique_ptr<Runner> runner_;
  Report report_;
};

// Reports every difference in keys, their order, and value types. Bins have data for keys.
void ExpectSameShape(const Json& ours, const Json& fios, const std::string& path) {
  if (fios.is_object()) {
    ASSERT_TRUE(ours.is_object()) << path;
    if (path.size() > 5 && path.substr(path.size() - 5) == "/bins") return;
    std::vector<std::string> our_keys, fio_keys;
    for (const auto& item : ours.items()) our_keys.push_back(item.key());
    for (const auto& item : fios.items()) fio_keys.push_back(item.key());
    if (path.find("options") != std::string::npos) {
      EXPECT_EQ(ours, fios) << path;
    }
    EXPECT_EQ(our_keys, fio_keys) << path;
    for (const std::string& key : fio_keys) {
      if (ours.contains(key)) ExpectSameShape(ours[key], fios[key], path + "/" + key);
    }
  } else if (fios.is_array()) {
    ASSERT_EQ(ours.size(), fios.size()) << path;
    for (std::size_t i = 0; i < fios.size(); ++i) {
      ExpectSameShape(ours[i], fios[i], path + "/" + std::to_string(i));
    }
  } else {
    EXPECT_EQ(ours.is_string(), fios.is_string()) << path;
    EXPECT_EQ(ours.is_number_float(), fios.is_number_float()) << path;
  }
}

TEST_F(OutputTest, JsonOfANameThatIsNoUtf8IsStillJson) {
  Run("[a\xff]\nrw=read\nsize=64k\nfilename=nvme0n1\ndirect=1\n");
  const Json json = Json::parse(Render(report_, input_.jobs, {OutputFormat::kJson}));
  EXPECT_EQ(json["jobs"][0]["jobname"], "a\xef\xbf\xbd");
}

TEST_F(OutputTest, JsonHasTheKeysOrderAndTypesOfFio) {
  Run(ReadFile("three_groups.fio"));
  const Json fios = Json::parse(ReadFile("three_groups.json"));
  ExpectSameShape(Json::parse(DumpJson(ToJson(report_, true))), fios, "");
}

TEST_F(OutputTest, PrioritiesHaveFiosKeysAndOrder) {
  Run(ReadFile("priorities.fio"));
  Json ours = Json::parse(DumpJson(ToJson(report_, true)));
  const Json fios = Json::parse(ReadFile("priorities.json"));
  ASSERT_EQ(ours["jobs"].size(), 2u);
  ours["disk_util"] = fios["disk_util"];  // of the capturing machine
  ExpectSameShape(ours, fios, "");
  for (const std::size_t job : {0u, 1u}) {
    const Json& a = ours["jobs"][job]["read"]["prios"];
    const Json& b = fios["jobs"][job]["read"]["prios"];
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_EQ(a[i]["prioclass"], b[i]["prioclass"]) << i;
      EXPECT_EQ(a[i]["prio"], b[i]["prio"]) << i;
    }
  }
}

/// Lines without their numbers: what fio prints whatever it measured.
std::vector<std::string> WithoutNumbers(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(" prio ") == std::string::npos) continue;
    std::string kept = line.substr(0, line.find_first_of("(:"));
    if (line.find("% of IOs") != std::string::npos) kept += "% of IOs";
    lines.push_back(kept);
  }
  return lines;
}

TEST_F(OutputTest, NormalOutputShowsPrioritiesAsFioDoes) {
  Run(ReadFile("priorities.fio"));
  EXPECT_EQ(WithoutNumbers(ToNormal(report_)), WithoutNumbers(ReadFile("priorities.txt")));
}

TEST_F(OutputTest, TrimsHaveFiosKeysAndCounts) {
  Run(ReadFile("trims.fio"));
  Json ours = Json::parse(DumpJson(ToJson(report_, false)));
  const Json fios = Json::parse(ReadFile("trims.json"));
  ours.erase("disk_util");  // the null engine has no disk
  // Its synchronous path measures no slat; ours does.
  ExpectSameShape(ours, fios, "");
  for (const std::size_t job : {0u, 1u}) {
    for (const char* direction : {"read", "write", "trim"}) {
      EXPECT_EQ(ours["jobs"][job][direction]["total_ios"],
                fios["jobs"][job][direction]["total_ios"])
          << job << direction;
      EXPECT_EQ(ours["jobs"][job][direction]["io_bytes"], fios["jobs"][job][direction]["io_bytes"]);
    }
  }
  const std::string text = ToNormal(report_);
  EXPECT_NE(text.find("\n  trim: IOPS="), std::string::npos) << text;
  EXPECT_NE(text.find("issued rwts: total=0,0,300,0 short"), std::string::npos);
  EXPECT_NE(text.find("\n   TRIM: bw="), std::string::npos);
  EXPECT_NE(NormalHeader(input_.jobs).find("both: (g=1): rw=trimwrite, bs=(R) 8192B-8192B"),
            std::string::npos);
}

TEST_F(OutputTest, DirectionsTogetherHaveFiosKeysCountsAndFields) {
  Run(ReadFile("unified.fio"));
  Json ours = Json::parse(DumpJson(ToJson(report_, false)));
  const Json fios = Json::parse(ReadFile("unified.json"));
  ours.erase("disk_util");
  ExpectSameShape(ours, fios, "");
  for (const std::size_t job : {0u, 1u}) {
    const Json& a = ours["jobs"][job]["mixed"];
    const Json& b = fios["jobs"][job]["mixed"];
    EXPECT_EQ(a["total_ios"], b["total_ios"]);
    EXPECT_EQ(a["io_bytes"], b["io_bytes"]);
    EXPECT_EQ(a["clat_ns"]["N"], b["clat_ns"]["N"]);
  }
  const Json& both = ours["jobs"][0];
  EXPECT_NEAR(both["mixed"]["iops"].get<double>(),
              both["read"]["iops"].get<double>() + both["write"]["iops"].get<double>(), 1);
  EXPECT_EQ(both["mixed"]["clat_ns"]["max"].get<int>(),
            std::max(both["read"]["clat_ns"]["max"].get<int>(),
                     both["write"]["clat_ns"]["max"].get<int>()));
  report_.disks.clear();
  std::istringstream our_lines(ToTerse(report_));
  std::istringstream fio_lines(ReadFile("unified.terse"));
  for (std::string a, b; std::getline(fio_lines, b);) {
    ASSERT_TRUE(std::getline(our_lines, a));
    EXPECT_EQ(Split(a, ';').size(), Split(b, ';').size());
  }
  const std::string text = ToNormal(report_);
  EXPECT_NE(text.find("\n  mixed: IOPS="), std::string::npos) << text;
  EXPECT_NE(text.find("\n  WRITE: bw="), std::string::npos);
  EXPECT_NE(text.find("\n  MIXED: bw="), std::string::npos);
}

// The histogram of a real run, filled into ours, gives the percentiles that fio printed for it.
TEST_F(OutputTest, PercentilesOfFiosBinsAreFios) {
  const Json fios = Json::parse(ReadFile("three_groups.json"));
  int checked = 0;
  for (const Json& job : fios["jobs"]) {
    for (const char* direction : {"read", "write"}) {
      for (const char* kind : {"clat_ns", "lat_ns"}) {
        const Json& latency = job[direction][kind];
        if (!latency.contains("bins")) continue;
        LatencyHistogram histogram;
        histogram.Enable();
        for (const auto& bin : latency["bins"].items()) {
          const std::uint64_t value = std::stoull(bin.key());
          EXPECT_EQ(LatencyHistogram::ValueOf(LatencyHistogram::IndexOf(value)), value);
          for (int i = 0; i < bin.value().get<int>(); ++i) histogram.Add(value);
        }
        const std::vector<std::uint64_t> ours = histogram.Percentiles({50, 99, 99.9});
        const Json& percentile = latency["percentile"];
        EXPECT_EQ(ours[0], percentile["50.000000"].get<std::uint64_t>());
        EXPECT_EQ(ours[1], percentile["99.000000"].get<std::uint64_t>());
        EXPECT_EQ(ours[2], percentile["99.900000"].get<std::uint64_t>());
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, 5);
}

TEST_F(OutputTest, AMissingKeyWouldBeSeen) {
  Json a = Json::parse(R"({"x": {"y": 1}})");
  Json b = Json::parse(R"({"x": {"y": 1, "z": 2}})");
  static Json ours, fios;
  ours = a;
  fios = b;
  EXPECT_NONFATAL_FAILURE(ExpectSameShape(ours, fios, ""), "\"z\"");
}

TEST_F(OutputTest, JsonTextIsFormattedAsFios) {
  Run(ReadFile("three_groups.fio"));
  const std::string text = DumpJson(ToJson(report_, false));
  EXPECT_EQ(text.find("{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp\" : 0,\n"), 0u);
  EXPECT_NE(text.find("\n          \"mean\" : 0.000000,\n"), std::string::npos);
  EXPECT_NE(text.find("            \"50.000000\" : "), std::string::npos);
  EXPECT_EQ(text.find("bins"), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 4), "]\n}\n");
}

TEST_F(OutputTest, JsonNumbersAgreeWithEachOther) {
  Run(ReadFile("three_groups.fio"));
  const Json json = ToJson(report_, true);
  const Json& read = json["jobs"][0]["read"];
  EXPECT_EQ(read["total_ios"], 120);
  EXPECT_EQ(read["io_bytes"], 120 * 4096);
  EXPECT_EQ(read["clat_ns"]["N"], 120);
  std::uint64_t in_bins = 0;
  for (const auto& bin : read["clat_ns"]["bins"]) in_bins += bin.get<std::uint64_t>();
  EXPECT_EQ(in_bins, 120u);
  EXPECT_FALSE(read["lat_ns"].contains("percentile"));
  EXPECT_TRUE(json["jobs"][1]["write"]["lat_ns"].contains("percentile"));
  // Two jobs of 60 I/Os at 500 IOPS: fio's own figure was 1000.
  EXPECT_NEAR(read["iops"].get<double>(), 1014, 5);
  EXPECT_EQ(json["jobs"][0]["groupid"], 0);
  EXPECT_EQ(json["jobs"][2]["groupid"], 2);
  const Json& reduced = json["jobs"][2]["write"];
  EXPECT_EQ(reduced["clat_ns"]["N"], 0);
  EXPECT_EQ(reduced["total_ios"], 60);
}

TEST_F(OutputTest, TerseHasTheFieldsOfFio) {
  Run(ReadFile("three_groups.fio"));
  std::istringstream ours(ToTerse(report_));
  std::istringstream fios(ReadFile("three_groups.terse"));
  std::string our_line, fio_line;
  int lines = 0;
  while (std::getline(fios, fio_line)) {
    ++lines;
    ASSERT_TRUE(std::getline(ours, our_line));
    const std::vector<std::string> a = Split(our_line, ';');
    const std::vector<std::string> b = Split(fio_line, ';');
    // 121 fields and nine of the disk; the first record has a description.
    EXPECT_EQ(b.size(), lines == 1 ? 131u : 130u);
    ASSERT_EQ(a.size(), b.size()) << our_line;
    const auto kind = [](const std::string& text) {
      return std::pair(text.find('.') != std::string::npos, text.find('%') != std::string::npos);
    };
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_EQ(kind(a[i]), kind(b[i])) << i + 1;
    // What does not depend on the machine is equal: names, amounts, percentile labels.
    for (const std::size_t i : {0u, 1u, 2u, 3u, 4u}) EXPECT_EQ(a[i], b[i]);
    for (const std::size_t block : {5u, 46u}) {
      if (lines != 2) {  // the mixed job draws its directions
        EXPECT_EQ(a[block], b[block]);
      }
      for (std::size_t i = block + 12; i < block + 32; ++i) {
        EXPECT_EQ(a[i].substr(0, a[i].find('=')), b[i].substr(0, b[i].find('='))) << i;
      }
    }
  }
  EXPECT_EQ(lines, 3);
}

TEST_F(OutputTest, NormalOutputHasFiosLines) {
  Run(ReadFile("three_groups.fio"));
  const std::string header = NormalHeader(input_.jobs);
  EXPECT_EQ(header,
            "readers: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
            "ioengine=libaio, iodepth=8\n...\n"
            "mixed: (g=1): rw=randrw, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, "
            "ioengine=libaio, iodepth=4\n"
            "reduced: (g=2): rw=write, bs=(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, "
            "(T) 64.0KiB-64.0KiB, ioengine=libaio, iodepth=1\n"
            "fio-3.33\nStarting 4 processes\n");
  const std::string text = ToNormal(report_);
  for (const char* line :
       {"\nreaders: (groupid=0, jobs=2): err= 0: pid=1: Thu Jan  1 00:00:00 1970\n",
        "\n  Description  : [two of them]\n", "\n  read: IOPS=10", "(480KiB/119msec)\n",
        "\n    slat (nsec): min=1500, max=1500, avg=1500.00, stdev= 0.00\n",
        "\n    clat percentiles (nsec):\n     | 50.0th=[81408], 99.0th=[",
        "\n  lat (usec)   : 100=", "\n  cpu          : usr=", "\n  IO depths    : 1=",
        "\n     submit    : 0=0.0%, 4=100.0%, 8=0.0%, ",
        "\n     issued rwts: total=120,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n",
        "\n     latency   : target=0, window=0, percentile=100.00%, depth=8\n",
        "\nRun status group 2 (all jobs):\n  WRITE: bw=",
        "\nDisk stats (read/write):\n  nvme0n1: ios=", "; 0 zone resets\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST_F(OutputTest, EveryFormatIsRendered) {
  Run("[a]\nioengine=libaio\ndirect=1\nnumber_ios=10\n");
  EXPECT_EQ(Render(report_, input_.jobs, {}), NormalHeader(input_.jobs) + ToNormal(report_));
  EXPECT_EQ(Render(report_, input_.jobs, {OutputFormat::kTerse, OutputFormat::kJson}),
            ToTerse(report_) + DumpJson(ToJson(report_, false)));
  EXPECT_EQ(Render(report_, input_.jobs, {OutputFormat::kJsonPlus}),
            DumpJson(ToJson(report_, true)));
}

TEST_F(OutputTest, ReportsOfTheSameRunAreTheSameBytes) {
  const std::string file = ReadFile("three_groups.fio");
  std::set<std::string> texts;
  for (int i = 0; i < 2; ++i) {
    clock_ = TestClock();
    Run(file);
    texts.insert(DumpJson(ToJson(report_, true)) + ToTerse(report_) + ToNormal(report_));
  }
  EXPECT_EQ(texts.size(), 1u);
}

TEST_F(OutputTest, ClonesAreReportedApartWithoutGroupReporting) {
  Run("[a]\nioengine=libaio\ndirect=1\nnumber_ios=10\nnumjobs=3\n");
  ASSERT_EQ(report_.records.size(), 3u);
  for (const ReportRecord& record : report_.records) EXPECT_EQ(record.stats.TotalIos(), 10u);
}

// fio's rule, seen in a real run: sections of one group join too, new_group separates them.
TEST_F(OutputTest, GroupReportingJoinsAllSectionsOfAGroup) {
  Run("[global]\nioengine=libaio\ndirect=1\nnumber_ios=10\ngroup_reporting\n[a]\n[b]\nrw=write\n"
      "numjobs=2\n[c]\nstonewall\n[d]\nnew_group\n");
  ASSERT_EQ(report_.records.size(), 3u);
  EXPECT_EQ(report_.records[0].members, 3u);
  EXPECT_EQ(report_.records[0].spec->name, "a");
  EXPECT_EQ(report_.records[0].stats.direction(kDirRead).total_ios, 10u);
  EXPECT_EQ(report_.records[0].stats.direction(kDirWrite).total_ios, 20u);
  EXPECT_EQ(report_.records[1].group_id, 1u);
  EXPECT_EQ(report_.records[2].group_id, 2u);
}

TEST(FioNumbers, ShortNumbersFillFourDigits) {
  EXPECT_EQ(ShortBytes(40960000, true), "39.1MiB");
  EXPECT_EQ(ShortBytes(65536, true), "64.0KiB");
  EXPECT_EQ(ShortBytes(4096, true), "4096B");
  EXPECT_EQ(ShortBytes(7984 * 1024, true), "7984KiB");
  EXPECT_EQ(ShortBytes(7984 * 1024, false), "8176kB");
  EXPECT_EQ(ShortBytes(201 * 65536, true), "12.6MiB");
  EXPECT_EQ(ShortBytes(201 * 65536, false), "13.2MB");
  EXPECT_EQ(ShortNumber(1429000, 4, false), "1429k");
  EXPECT_EQ(ShortNumber(0, 4, false), "0");
  EXPECT_EQ(ShortNumber(9999, 4, false), "9999");
  EXPECT_EQ(ShortNumber(10000, 4, false), "10.0k");
  EXPECT_EQ(ShortNumber(131072, 4, true), "128Ki");
}

TEST(FioNumbers, LatencyUnitsGrowOnlyWithMinimumMaximumAndSpread) {
  EXPECT_STREQ(LatencyUnitFor(29, 312353, 3125).name, "nsec");
  EXPECT_STREQ(LatencyUnitFor(2100, 13843000, 470000).name, "usec");
  EXPECT_STREQ(LatencyUnitFor(2'100'000, 100'000'000, 1e7).name, "msec");
  EXPECT_STREQ(PercentileUnitFor(81000, 3621000).name, "usec");
}

}  // namespace
}  // namespace nvmearb::host::fio
