// SPDX-License-Identifier: Apache-2.0
//
// The points of a sweep, the processes that run them, and the table they end in.
#include "sim/report/sweep.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "host_driver/base/user_error.h"
#include "sim/cli/sweep_grid.h"
#include "sim/cli/worker_pool.h"

namespace nvmearb::sim {
namespace {

using Strings = std::vector<std::string>;

std::string ErrorOf(const Strings& settings) {
  try {
    const SweepGrid grid(settings);
  } catch (const host::UserError& error) {
    return error.what();
  }
  return "";
}

TEST(SweepGrid, TheLastKeyChangesFastest) {
  const SweepGrid grid({"device.window=64,128", "run.seed=7", "device.dies=1,2,3"});
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_EQ(grid.ValuesAt(0), (Strings{"64", "1"}));
  EXPECT_EQ(grid.ValuesAt(1), (Strings{"64", "2"}));
  EXPECT_EQ(grid.ValuesAt(5), (Strings{"128", "3"}));
  EXPECT_EQ(grid.SettingsAt(3), (Strings{"run.seed=7", "device.window=128", "device.dies=1"}));
}

TEST(SweepGrid, ArraysHaveSlashesBetweenThem) {
  const SweepGrid grid({"variant.wrr.weights=6,3,1/65,33,9"});
  EXPECT_EQ(grid.ValuesAt(0), (Strings{"6,3,1"}));
  EXPECT_EQ(grid.ValuesAt(1), (Strings{"65,33,9"}));
}

TEST(SweepGrid, SaysWhatIsWrong) {
  EXPECT_NE(ErrorOf({}).find("nothing to vary"), std::string::npos);
  EXPECT_NE(ErrorOf({"device.window=64"}).find("nothing to vary"), std::string::npos);
  EXPECT_NE(ErrorOf({"device.window"}).find("no value"), std::string::npos);
  EXPECT_NE(ErrorOf({"a.b=1,,2"}).find("--set a.b: an empty value"), std::string::npos);
  EXPECT_NE(ErrorOf({"a.b=1,2", "a.b=3,4"}).find("--set a.b: again"), std::string::npos);
  std::string many = "a.b=0";
  for (int i = 1; i <= 200; ++i) many += "," + std::to_string(i);
  EXPECT_NE(ErrorOf({many, "c.d" + many.substr(3)}).find("too many combinations"),
            std::string::npos);
}

TEST(WorkerPool, ResultsAreInTheOrderOfThePieces) {
  WorkerPool pool;
  pool.jobs = 3;
  pool.work = [](std::size_t index, std::string* text) {
    usleep(static_cast<useconds_t>((7 - index) * 3000));  // the first ends last
    *text = std::string(index == 2 ? 200'000 : 10, static_cast<char>('a' + index));
    return index == 4 ? 1 : 0;
  };
  std::size_t most_running = 0;
  pool.progress = [&](std::size_t, std::size_t running) {
    most_running = std::max(most_running, running);
  };
  const auto results = pool.Run(7);
  EXPECT_EQ(most_running, 3u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_TRUE(results[i].ran);
    EXPECT_EQ(results[i].exit_code, i == 4 ? 1 : 0);
    EXPECT_EQ(results[i].text.size(), i == 2 ? 200'000u : 10u);
    EXPECT_EQ(results[i].text[0], static_cast<char>('a' + i));
  }
}

TEST(WorkerPool, AnErrorStopsAndADeathIsSeen) {
  WorkerPool pool;
  pool.work = [](std::size_t index, std::string*) {
    if (index == 1) std::raise(SIGKILL);
    return 0;
  };
  const auto results = pool.Run(4);
  EXPECT_TRUE(results[0].ran);
  EXPECT_EQ(results[1].exit_code, 128 + SIGKILL);
  EXPECT_FALSE(results[2].ran);
  EXPECT_FALSE(results[3].ran);
}

TEST(WorkerPool, AnInterruptBeginsNothingMore) {
  static volatile std::sig_atomic_t flag = 0;
  WorkerPool pool;
  pool.interrupt = &flag;
  pool.work = [](std::size_t, std::string*) { return 0; };
  pool.progress = [](std::size_t done, std::size_t) { flag = done >= 2 ? 1 : 0; };
  const auto results = pool.Run(100);
  EXPECT_TRUE(results[1].ran);
  EXPECT_FALSE(results[10].ran);
}

SweepResult Sweep() {
  SweepResult sweep;
  sweep.scenario = "s";
  sweep.keys = {"device.window", "variant.wrr.weights"};
  sweep.units = {"commands", ""};
  SweepRow row;
  row.values = {"64", "6,3,1"};
  row.variant = "wrr";
  row.job.name = "a \"b\"";
  row.job.cgroup = "/gold";
  row.job.queue_class = "high";
  row.job.io_count = 12;
  row.job.iops = 1234.5;
  sweep.rows = {row};
  return sweep;
}

TEST(SweepReport, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(ToCsv(Sweep()),
            "device.window,variant.wrr.weights,variant,job,cgroup,class,ios,share_pct,iops,"
            "mib_per_s,lat_mean_us,clat_p50_us,clat_p99_us,clat_p99.9_us\n"
            "64,\"6,3,1\",wrr,\"a \"\"b\"\"\",/gold,high,12,0.000,1234.500,0.000,0.000,0.000,"
            "0.000,0.000\n");
}

TEST(SweepReport, RowsSurviveTheWayBetweenProcesses) {
  VariantResult variant;
  variant.name = "wrr";
  variant.jobs = {Sweep().rows[0].job};
  variant.jobs[0].clat_p999_us = 0.1 + 0.2;
  const auto rows = UnpackJobs(PackJobs({variant}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].variant, "wrr");
  EXPECT_EQ(rows[0].job.name, "a \"b\"");
  EXPECT_EQ(rows[0].job.iops, 1234.5);
  EXPECT_EQ(rows[0].job.clat_p999_us, 0.1 + 0.2);
}

}  // namespace
}  // namespace nvmearb::sim
