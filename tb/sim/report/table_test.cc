// SPDX-License-Identifier: Apache-2.0
//
// The layout of the table: columns stay in line whatever the names.
#include "sim/report/table.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace nvmearb::sim {
namespace {

VariantResult TwoJobs(const std::string& first, const std::string& second) {
  VariantResult variant;
  variant.name = "wrr";
  for (const std::string& name : {first, second}) {
    JobResult job;
    job.name = name;
    job.queue_class = name == first ? "default" : "low";
    job.share_pct = 50;
    job.iops = 1234567;
    variant.jobs.push_back(job);
    ComparisonResult result;
    result.wanted = {"wrr", name, "iops", "io/s", 1230000, 3, ""};
    result.measured = job.iops;
    result.error_pct = 0.37;
    result.within = true;
    variant.comparisons.push_back(result);
  }
  return variant;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Column behind the last character of `what`.
std::size_t EndOf(const std::string& line, const std::string& what) {
  const std::size_t at = line.find(what);
  EXPECT_NE(at, std::string::npos) << what << " not in: " << line;
  return at + what.size();
}

TEST(TableLayout, NumbersStandBelowTheirHeads) {
  for (const char* name : {"a", "medium", "a-job-with-a-long-name"}) {
    const auto lines = LinesOf(FormatVariant(TwoJobs(name, "b"), false));
    ASSERT_EQ(lines.size(), 6u);  // blank, variant, heads, two jobs, sum
    const std::string& head = lines[2];
    for (const std::string& line : {lines[3], lines[4]}) {
      EXPECT_EQ(EndOf(line, " 50.0"), EndOf(head, "share %")) << line;
      EXPECT_EQ(EndOf(line, "1,234,567"), EndOf(head, "IOPS")) << line;
      EXPECT_EQ(EndOf(line, "1,230,000 io/s"), EndOf(head, "published")) << line;
      EXPECT_EQ(EndOf(line, "+0.37"), EndOf(head, "error %")) << line;
    }
    EXPECT_EQ(EndOf(lines[5], "100.0"), EndOf(head, "share %")) << lines[5];
    EXPECT_EQ(EndOf(lines[5], "2,469,134"), EndOf(head, "IOPS")) << lines[5];
  }
}

}  // namespace
}  // namespace nvmearb::sim
