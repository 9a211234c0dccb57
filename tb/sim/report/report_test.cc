// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/report/html.h"
#include "sim/report/json.h"
#include "sim/report/registers.h"
#include "sim/report/result.h"
#include "sim/report/table.h"

namespace nvmearb::sim {
namespace {

Comparison Wanted(const std::string& variant, double published, double tolerance,
                  const std::string& deviation = "") {
  return {variant, "high", "iops", "io/s", published, tolerance, deviation};
}

VariantResult Measured(double iops) {
  VariantResult variant;
  variant.name = "wrr";
  JobResult job;
  job.name = "high";
  job.queue_class = "high";
  job.iops = iops;
  job.mib_per_s = iops / 256;
  job.lat_mean_us = 640.25;
  job.share_pct = 60;
  variant.jobs = {job};
  return variant;
}

RunResult RunOf(const VariantResult& variant) {
  RunResult run;
  run.scenario = "demo";
  run.title = "a <b>title</b> </script>";
  run.source = "here";
  run.engine = "model";
  run.seed = 7;
  run.variants = {variant};
  return run;
}

TEST(Compare, ErrorIsRelativeToThePublishedValue) {
  const auto results = Compare({Wanted("wrr", 400000, 3), Wanted("rr", 1, 3)}, Measured(390000));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_NEAR(results[0].error_pct, -2.5, 1e-9);
  EXPECT_TRUE(results[0].Pass());
  EXPECT_FALSE(results[0].Fails());
}

TEST(Json, NamesThatAreNoUtf8AreReplaced) {
  RunResult run = RunOf(Measured(1));
  run.variants[0].fio["jobs"][0]["jobname"] = "a\xff";
  const auto root = nlohmann::json::parse(ToJson(run));
  EXPECT_EQ(root["variants"][0]["fio"]["jobs"][0]["jobname"], "a\xef\xbf\xbd");
}

TEST(Compare, OutsideItsToleranceFails) {
  const auto results = Compare({Wanted("wrr", 400000, 2)}, Measured(390000));
  EXPECT_FALSE(results[0].Pass());
  EXPECT_TRUE(results[0].Fails());
}

TEST(Compare, ADeclaredDeviationNeitherPassesNorFails) {
  for (const double iops : {390000.0, 200000.0}) {
    const auto results = Compare({Wanted("wrr", 400000, 3, "known")}, Measured(iops));
    EXPECT_FALSE(results[0].Pass()) << iops;
    EXPECT_FALSE(results[0].Fails()) << iops;
  }
}

TEST(Json, HasTheFixedFieldsAndNoWallTime) {
  VariantResult variant = Measured(390000);
  variant.comparisons = Compare({Wanted("wrr", 400000, 3)}, variant);
  variant.wall_seconds = 1;
  const std::string first = ToJson(RunOf(variant));
  variant.wall_seconds = 2;
  EXPECT_EQ(first, ToJson(RunOf(variant)));
  const auto root = nlohmann::json::parse(first);
  EXPECT_EQ(root["scenario"], "demo");
  EXPECT_EQ(root["seed"], 7);
  EXPECT_EQ(root["engine"], "model");
  const auto& compare = root["variants"][0]["compare"][0];
  EXPECT_EQ(compare["job"], "high");
  EXPECT_EQ(compare["metric"], "iops");
  EXPECT_EQ(compare["unit"], "io/s");
  EXPECT_EQ(compare["published"], 400000);
  EXPECT_EQ(compare["measured"], 390000);
  EXPECT_EQ(compare["error_pct"], -2.5);
  EXPECT_EQ(compare["tolerance_pct"], 3);
  EXPECT_EQ(compare["pass"], true);
  EXPECT_EQ(compare["note"], "");
  EXPECT_TRUE(root["variants"][0].contains("fio"));
  EXPECT_TRUE(root["variants"][0].contains("device"));
}

TEST(Table, ShowsMeasuredBesidePublished) {
  VariantResult variant = Measured(390000);
  variant.comparisons = Compare({Wanted("wrr", 400000, 3)}, variant);
  const std::string text = FormatVariant(variant, false);
  EXPECT_NE(text.find("390,000"), std::string::npos) << text;
  EXPECT_NE(text.find("400,000 io/s"), std::string::npos) << text;
  EXPECT_NE(text.find("-2.50 ok"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "colours on a pipe";
}

TEST(Table, MarksADeviationWithItsReason) {
  VariantResult variant = Measured(390000);
  variant.comparisons = Compare({Wanted("wrr", 400000, 3, "the drive was fresh")}, variant);
  const std::string text = FormatVariant(variant, false);
  EXPECT_NE(text.find("deviation: the drive was fresh"), std::string::npos) << text;
  EXPECT_EQ(text.find(" ok"), std::string::npos) << text;
  EXPECT_NE(FormatVerdict(RunOf(variant), false).find("0 within tolerance, 0 outside, 1 known"),
            std::string::npos);
}

TEST(Table, ShowsFindings) {
  VariantResult variant = Measured(1);
  variant.findings = {"grant of SQ 3 out of turn"};
  EXPECT_NE(FormatVariant(variant, false).find("FOUND: grant of SQ 3"), std::string::npos);
  EXPECT_NE(FormatVerdict(RunOf(variant), false).find("1 finding"), std::string::npos);
}

TEST(Table, GroupsDigits) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-1234.56, 1), "-1,234.6");
  EXPECT_EQ(Grouped(123456.7, 1), "123,456.7");
}

TEST(Html, IsOneFileWithItsDataAndNothingFromElsewhere) {
  VariantResult variant = Measured(390000);
  variant.series.bucket_ps = 1'000'000'000;
  variant.series.jobs = {{"high", {390, 391}, {390 * 4096, 391 * 4096}, {1000, 2000}}};
  variant.grants = {{0, 3, 1, 1}, {1.5, 4, 2, 2}};
  const std::string page = ToHtml(nlohmann::ordered_json::array({RunToJson(RunOf(variant))}));
  EXPECT_EQ(page.find("<script src"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  for (const char* mark : {"@CSS@", "@DATA@", "@SCRIPT@", "@CHART_JS@"}) {
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
  }
  EXPECT_NE(page.find("\"ios\":[390,391]"), std::string::npos);
  EXPECT_NE(page.find("\"sqid\":[3,4],\"class\":[\"high\",\"medium\"]"), std::string::npos);
  // The title's "</script>" must not end the data.
  EXPECT_NE(page.find("title\\u003c/b> \\u003c/script>"), std::string::npos);
}

/// Registers of the published drive, by offset.
class PublishedRegisters : public nvme::DevicePort {
 public:
  void AttachHost(nvme::HostPort* host) override { static_cast<void>(host); }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    static_cast<void>(bytes);
    switch (offset) {
      case 0x00:
        return 0x2078030fff;
      case 0x08:
        return 0x10200;
      case 0x14:
        return 0x460801;
      case 0x1c:
        return 1;
      case 0x24:
        return 0x1f001f;
      default:
        return 0;
    }
  }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    static_cast<void>(offset + value + bytes);
  }
};

TEST(Registers, RawFormIsALinePerRegister) {
  PublishedRegisters device;
  EXPECT_EQ(FormatRegisters(&device, false),
            "cap     : 2078030fff\nversion : 10200\nintms   : 0\nintmc   : 0\ncc      : 460801\n"
            "csts    : 1\nnssr    : 0\naqa     : 1f001f\nasq     : 0\nacq     : 0\n"
            "cmbloc  : 0\ncmbsz   : 0\n");
}

TEST(Registers, HumanFormDecodesAsNvmeCliDoes) {
  PublishedRegisters device;
  const std::string text = FormatRegisters(&device, true);
  for (const char* line :
       {"cap     : 2078030fff\n", "\tTimeout                           (TO): 60000 ms\n",
        "\tArbitration Mechanism Supported  (AMS): Weighted Round Robin with Urgent Priority Class "
        "is supported\n",
        "\tMaximum Queue Entries Supported (MQES): 4096\n", "\tNVMe specification 1.2\n",
        "\tArbitration Mechanism Selected     (AMS): Weighted Round Robin with Urgent Priority "
        "Class\n",
        "\tReady                          (RDY): Yes\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "not in\n" << text;
  }
}

}  // namespace
}  // namespace nvmearb::sim
